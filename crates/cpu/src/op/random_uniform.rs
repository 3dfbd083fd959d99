//! OpenVINO RandomUniform-8.

use half::{bf16, f16};
use seedproof_ops::{
    Alignment, Attribute, Dtype, ErrorKind, Failure, Limits, RandomUniform, Response, Shape, Stages, Tensor,
};

use super::bounds::Bounds;
use super::{
    assert_length, check_dtype, check_execution, check_scalar, effective_seed, extents, output_bytes, refuse,
};
use crate::environment::standard;
use crate::plan::Generator;
use crate::value::is_wide;
use crate::{Level, Plan, Value};

/// Calls a generic function for the element type that a valid request has.
macro_rules! for_dtype {
    ($dtype:expr, $function:ident $arguments:tt) => {
        match $dtype {
            Dtype::F16 => $function::<f16> $arguments,
            Dtype::Bf16 => $function::<bf16> $arguments,
            Dtype::F32 => $function::<f32> $arguments,
            Dtype::F64 => $function::<f64> $arguments,
            Dtype::I32 => $function::<i32> $arguments,
            Dtype::I64 => $function::<i64> $arguments,
            other => unreachable!("RandomUniform has no output of {other}"),
        }
    };
}

/// A valid request.
pub struct Valid<'a> {
    request: &'a RandomUniform,
    alignment: Alignment,
    dtype: Dtype,
    shape: Shape,
}

/// Refuses what is invalid, in the order attribute, element type, shape, range.
///
/// # Errors
/// [`Failure::Rejected`]; [`Failure::Unsupported`] for a later execution, or more output than the limit.
pub fn check(request: &RandomUniform, limits: Limits) -> Result<Valid<'_>, Failure> {
    let dtype = match &request.output_type {
        Attribute::Known(dtype) if RandomUniform::TYPES.contains(dtype) => *dtype,
        other => {
            let message = format!("output_type `{other}` is none of f16, bf16, f32, f64, i32 and i64");
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
    standard(|| for_dtype!(dtype, check_range(request)))?;
    check_execution(request.execution)?;
    Ok(Valid {
        request,
        alignment,
        dtype,
        shape: limits.shape(dtype, &dims)?,
    })
}

fn first<T: Value>(tensor: &Tensor) -> T {
    let mut elements = tensor.elements::<T>().expect("the element type was checked");
    elements.next().expect("a scalar has one element")
}

fn plan<T: Value>(level: Level, generator: Generator, request: &RandomUniform) -> Result<Plan<T>, Failure> {
    Ok(Plan::new(
        level,
        generator,
        first(&request.minval),
        first(&request.maxval),
    )?)
}

fn check_range<T: Value>(request: &RandomUniform) -> Result<(), Failure> {
    plan::<T>(Level::scalar(), Generator::Mt19937 { seed: 0 }, request).map(drop)
}

impl Valid<'_> {
    /// The element type of the output.
    pub fn dtype(&self) -> Dtype {
        self.dtype
    }

    /// The alignment.
    pub fn alignment(&self) -> Alignment {
        self.alignment
    }

    /// The shape of the output.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Whether both seeds are zero, so that no two executions need agree.
    pub fn is_seedless(&self) -> bool {
        self.request.global_seed == 0 && self.request.op_seed == 0
    }

    /// The bounds.
    pub fn bounds(&self) -> Bounds {
        let RandomUniform { minval, maxval, .. } = self.request;
        match self.dtype {
            Dtype::F16 | Dtype::Bf16 | Dtype::F32 | Dtype::F64 => {
                let [min, max] =
                    [minval, maxval].map(|bound| bound.get(0).expect("a scalar has one element"));
                Bounds::of_floats(self.dtype, min.to_f64(), max.to_f64())
            }
            Dtype::I32 => {
                let [min, max] = [minval, maxval].map(first::<i32>);
                Bounds {
                    min: i64::from(min).cast_unsigned(),
                    range: max.cast_unsigned().wrapping_sub(min.cast_unsigned()).into(),
                }
            }
            Dtype::I64 => {
                let [min, max] = [minval, maxval].map(|bound| first::<i64>(bound).cast_unsigned());
                Bounds {
                    min,
                    range: max.wrapping_sub(min),
                }
            }
            other => unreachable!("RandomUniform has no output of {other}"),
        }
    }

    /// The generator of the words, seeded by `entropy` where both seeds are zero.
    pub fn generator(&self, entropy: &dyn Fn() -> u64) -> Generator {
        let RandomUniform {
            global_seed, op_seed, ..
        } = *self.request;
        let key = effective_seed(global_seed, op_seed, entropy);
        Generator::from_seeds(self.alignment, key, op_seed)
    }

    /// The op's value.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for it.
    pub(crate) fn run(&self, level: Level, entropy: &dyn Fn() -> u64) -> Result<Response, Failure> {
        let mut bytes = output_bytes(self.dtype, self.shape.count())?;
        self.fill(level, entropy, &mut bytes);
        Ok(Response::of(self.tensor(bytes)))
    }

    /// Writes the bytes of the op's value.
    pub(crate) fn fill(&self, level: Level, entropy: &dyn Fn() -> u64, out: &mut [u8]) {
        assert_length(out, self.dtype, self.shape.count());
        let generator = self.generator(entropy);
        for_dtype!(self.dtype, fill(self, level, generator, out));
    }

    /// Words that the generator makes at a time.
    pub const fn words_per_block(&self) -> usize {
        match self.alignment {
            Alignment::Tensorflow => 4,
            Alignment::Pytorch => 1,
        }
    }

    /// The stages, one element at a time; `None` where both seeds are zero.
    pub(crate) fn stages(&self) -> Option<Stages> {
        if self.is_seedless() {
            return None;
        }
        let generator = self.generator(&|| 0);
        let words_per_element = self.words_per_element();
        let mut bytes = output_bytes(Dtype::U32, self.shape.count().checked_mul(words_per_element)?).ok()?;
        generator.fill_bytes(Level::scalar(), &mut bytes);
        Some(Stages {
            words: bytes
                .as_chunks()
                .0
                .iter()
                .map(|&word| u32::from_le_bytes(word))
                .collect(),
            words_per_element,
            words_per_block: self.words_per_block(),
            counters: Vec::new(),
            unit: match self.dtype {
                Dtype::F16 => Some(self.unit(generator, f16::ZERO, f16::ONE)?),
                Dtype::Bf16 => Some(self.unit(generator, bf16::ZERO, bf16::ONE)?),
                Dtype::F32 => Some(self.unit(generator, 0.0_f32, 1.0)?),
                Dtype::F64 => Some(self.unit(generator, 0.0_f64, 1.0)?),
                _ => None,
            },
            scaled: self.run(Level::scalar(), &|| 0).ok()?.output,
        })
    }

    /// Words that each element takes: 1 or 2.
    pub fn words_per_element(&self) -> usize {
        match (self.dtype, self.alignment) {
            (Dtype::F64, _) | (Dtype::I64, Alignment::Tensorflow) => 2,
            (Dtype::I64, Alignment::Pytorch) if is_wide(first(&self.request.maxval)) => 2,
            _ => 1,
        }
    }

    fn unit<T: Value>(&self, generator: Generator, zero: T, one: T) -> Option<Tensor> {
        let plan = Plan::new(Level::scalar(), generator, zero, one).expect("0 is less than 1");
        let mut bytes = output_bytes(T::DTYPE, self.shape.count()).ok()?;
        plan.fill_bytes(&mut bytes);
        Some(self.tensor(bytes))
    }

    fn tensor(&self, bytes: Vec<u8>) -> Tensor {
        Tensor::new(self.dtype, self.shape.clone(), bytes).expect("the bytes were counted by the shape")
    }
}

fn fill<T: Value>(valid: &Valid<'_>, level: Level, generator: Generator, out: &mut [u8]) {
    let plan = plan::<T>(level, generator, valid.request).expect("the range was checked");
    plan.fill_bytes(out);
}
