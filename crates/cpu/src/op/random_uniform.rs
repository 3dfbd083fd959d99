//! OpenVINO RandomUniform-8.

use half::{bf16, f16};
use seedproof_ops::{Attribute, Dtype, ErrorKind, Failure, Limits, RandomUniform, Tensor, standard};

use super::draw::{Conversion, Draw, Source};
use super::{check_dtype, check_execution, check_scalar, effective_seed, extents, refuse, scalar};
use crate::level::Level;
use crate::plan::{Generator, Plan, Value};

/// Checks a request, in the order attribute, element type, shape, range. `entropy` is called
/// only if both seeds are zero.
///
/// # Errors
/// [`Failure::Rejected`]; [`Failure::Unsupported`] for a later execution, or more output than the limit.
pub(super) fn check(
    request: &RandomUniform,
    limits: Limits,
    entropy: &dyn Fn() -> u64,
) -> Result<Draw, Failure> {
    let dtype = match &request.output_type {
        Attribute::Known(dtype) if RandomUniform::TYPES.contains(dtype) => *dtype,
        other => {
            let message =
                format!("output_type is `{other}`: expected one of f16, bf16, f32, f64, i32 and i64");
            return refuse(ErrorKind::Attribute, message);
        }
    };
    let Some(alignment) = request.alignment.known() else {
        let message = format!(
            "alignment `{}` is neither TENSORFLOW nor PYTORCH",
            request.alignment
        );
        return refuse(ErrorKind::Attribute, message);
    };
    let dims = extents("shape", &request.shape)?;
    for (name, bound) in [("minval", &request.minval), ("maxval", &request.maxval)] {
        check_dtype(name, bound, &[dtype])?;
        check_scalar(name, bound)?;
    }
    standard(|| check_range(dtype, request))?;
    check_execution(request.execution)?;
    let shape = limits.shape(dtype, &dims)?;
    let RandomUniform {
        global_seed, op_seed, ..
    } = *request;
    let key = effective_seed(global_seed, op_seed, entropy);
    let [low, high] = [&request.minval, &request.maxval].map(scalar);
    Ok(Draw {
        dtype,
        shape,
        source: match Generator::from_seeds(alignment, key, op_seed) {
            Generator::Philox(philox) => Source::Philox(philox),
            Generator::Mt19937 { seed } => Source::Mt19937(seed),
            Generator::Key(_) => unreachable!("an alignment draws by two seeds"),
        },
        conversion: if dtype.is_float() {
            Conversion::Floats {
                low: low.to_f64(),
                high: high.to_f64(),
            }
        } else {
            Conversion::Between {
                low: low.to_i64(),
                high: high.to_i64(),
            }
        },
        more: Vec::new(),
        beyond: 0,
    })
}

/// Checks the range by making a [`Plan`], so that this op and callers of the library get the same refusal. The
/// comparison is that of the element type: as f64, two bounds that are equal after rounding could seem to differ.
fn check_range(dtype: Dtype, request: &RandomUniform) -> Result<(), Failure> {
    fn of<T: Value>(request: &RandomUniform) -> Result<(), Failure> {
        let [min, max] = [&request.minval, &request.maxval].map(first::<T>);
        Plan::new(Level::scalar(), Generator::Mt19937 { seed: 0 }, min, max)?;
        Ok(())
    }
    match dtype {
        Dtype::F16 => of::<f16>(request),
        Dtype::Bf16 => of::<bf16>(request),
        Dtype::F32 => of::<f32>(request),
        Dtype::F64 => of::<f64>(request),
        Dtype::I32 => of::<i32>(request),
        Dtype::I64 => of::<i64>(request),
        other => unreachable!("RandomUniform has no output of {other}"),
    }
}

fn first<T: Value>(tensor: &Tensor) -> T {
    let mut elements = tensor.elements::<T>().expect("the element type was checked");
    elements.next().expect("a scalar has one element")
}
