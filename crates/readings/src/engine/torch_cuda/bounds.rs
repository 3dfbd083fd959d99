//! The bounds of the numbers that PyTorch draws on CUDA.

use seedproof_ops::{Dtype, ErrorKind, Failure};

use crate::answers::{CudaWide, UpperEnd};
use crate::engine::arithmetic::Arithmetic;
use crate::engine::check;
use crate::reading::Reading;
use crate::round::f32_of;

/// Bounds as numbers of the type.
pub(super) fn uniform(dtype: Dtype, bounds: [f64; 2]) -> Result<[f64; 2], Failure> {
    let greatest = match dtype {
        Dtype::F16 => 65504.0,
        Dtype::Bf16 => f64::from(f32::from_bits(0x7f7f_0000)),
        Dtype::F32 => f64::from(f32::MAX),
        _ => f64::MAX,
    };
    let [from, to] = bounds;
    let is_number = |x: f64| (-greatest..=greatest).contains(&x);
    if !(is_number(from) && is_number(to) && from <= to && to - from <= greatest) {
        return check::refuse(ErrorKind::Range, format!("the bounds are {from} and {to}"));
    }
    Ok(bounds.map(|bound| rounded(dtype, bound)))
}

pub(super) fn rounded(dtype: Dtype, x: f64) -> f64 {
    match dtype {
        Dtype::F64 => x,
        _ => Arithmetic::ieee(dtype).round(f32_of(x)),
    }
}

/// The least integer, how many there are, and whether one is made of two words.
pub(super) fn integers(
    reading: &Reading,
    dtype: Dtype,
    from: Option<i128>,
    to: Option<i128>,
) -> Result<(i64, u128, bool), Failure> {
    let of_type = dtype.integers().expect("a type of integers");
    let end = *of_type.end();
    let (from, last) = match (from, to) {
        (None, None) => {
            let range = end.unsigned_abs() + 1;
            let is_wide = dtype == Dtype::I64;
            return Ok((0, range, is_wide));
        }
        // Words are taken for integers as they are. Whether the type is i64 is asked where there are elements.
        (Some(from), None) if from == i128::from(i64::MIN) => {
            return Ok((0, 1 << 64, true));
        }
        // PyTorch's arguments are of i64, so that no upper bound is past its greatest number.
        (from, Some(to)) if to <= i128::from(i64::MAX) => (from.unwrap_or(0), to - 1),
        (Some(from), None) => (from, end),
        (_, Some(to)) => return check::refuse(ErrorKind::Range, format!("the upper bound is {to}")),
    };
    if from > last || from < *of_type.start() || last > end {
        return check::refuse(
            ErrorKind::Range,
            format!("the integers are those from {from} to {last}"),
        );
    }
    let range = last.abs_diff(from) + 1;
    if range >> 64 > 0 {
        // Words are taken for integers as they are.
        return Ok((0, range, true));
    }
    let is_wide = match reading.torch_cuda.wide {
        CudaWide::Bits28 => range >> 28 > 0,
        CudaWide::Bits32 => range >> 32 > 0,
    };
    let more = reading.torch_cuda.end == UpperEnd::Inclusive && to.is_some();
    let range = range + u128::from(more);
    let from = i64::try_from(from).expect("a number of the type");
    Ok((from, range, is_wide))
}
