//! Arithmetic in any of the four float types, on values that an `f64` carries exactly.

use seedproof_ops::{Dtype, Elements, Failure, Shape};

use crate::answers::{Bf16Rounding, F16Rounding, Nan};
use crate::round::{bf16_bits, f16_bits, f32_of, to_odd};

/// The arithmetic of one float type: each result is rounded to the type. f16 and bf16 compute in f32 first,
/// as every implementation known to us does; that changes no result, for f32 has more than twice their
/// digits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arithmetic {
    pub(super) dtype: Dtype,
    pub(super) f16: F16Rounding,
    pub(super) bf16: Bf16Rounding,
    pub(super) flush: bool,
}

impl Arithmetic {
    /// IEEE arithmetic: to nearest even, subnormals kept.
    pub(super) const fn ieee(dtype: Dtype) -> Self {
        Self {
            dtype,
            f16: F16Rounding::NearestEven,
            bf16: Bf16Rounding::NearestEven,
            flush: false,
        }
    }

    /// The same, but what becomes a 16-bit type is cut off.
    pub(super) const fn toward_zero(dtype: Dtype) -> Self {
        Self {
            f16: F16Rounding::TowardZero,
            bf16: Bf16Rounding::TowardZero,
            ..Self::ieee(dtype)
        }
    }

    pub(super) fn add(self, a: f64, b: f64) -> f64 {
        self.binary(a, b, |a, b| a + b, |a, b| a + b)
    }

    pub(super) fn sub(self, a: f64, b: f64) -> f64 {
        self.binary(a, b, |a, b| a - b, |a, b| a - b)
    }

    pub(super) fn mul(self, a: f64, b: f64) -> f64 {
        self.binary(a, b, |a, b| a * b, |a, b| a * b)
    }

    pub(super) fn div(self, a: f64, b: f64) -> f64 {
        self.binary(a, b, |a, b| a / b, |a, b| a / b)
    }

    #[inline]
    fn binary(self, a: f64, b: f64, wide: impl Fn(f64, f64) -> f64, narrow: impl Fn(f32, f32) -> f32) -> f64 {
        if self.dtype == Dtype::F64 {
            return self.flushed(wide(a, b));
        }
        let result = narrow(f32_of(a), f32_of(b));
        // What is below the smallest normal f32 is zero before it is rounded to fewer digits.
        let is_lost = self.flush && is_subnormal(Dtype::F32, result.into());
        self.flushed(self.round(if is_lost { 0.0_f32.copysign(result) } else { result }))
    }

    /// `a * b + c`, rounded once. For the 16-bit types the product is exact in f64; the sum is rounded there
    /// and then once more, which nothing but a tie within 2^-45 of itself could tell.
    pub(super) fn fused(self, a: f64, b: f64, c: f64) -> f64 {
        self.flushed(match self.dtype {
            Dtype::F64 => a.mul_add(b, c),
            Dtype::F32 => f64::from(f32_of(a).mul_add(f32_of(b), f32_of(c))),
            _ => self.round(to_odd(a * b + c)),
        })
    }

    /// An f32 as a value of the type.
    #[inline]
    pub(super) fn round(self, x: f32) -> f64 {
        match self.dtype {
            Dtype::F16 => half::f16::from_bits(f16_bits(x, self.f16)).to_f64(),
            Dtype::Bf16 => half::bf16::from_bits(bf16_bits(x, self.bf16)).to_f64(),
            _ => f64::from(x),
        }
    }

    /// An f64 as a value of the type, rounded once.
    pub(super) fn of_f64(self, x: f64) -> f64 {
        self.flushed(match self.dtype {
            Dtype::F64 => x,
            Dtype::F32 => f64::from(f32_of(x)),
            _ => self.round(to_odd(x)),
        })
    }

    pub(super) fn flushed(self, x: f64) -> f64 {
        if self.flush && is_subnormal(self.dtype, x) {
            return 0.0_f64.copysign(x);
        }
        x
    }
}

/// Whether a value of the type is below its smallest normal number, and not zero.
pub(super) fn is_subnormal(dtype: Dtype, x: f64) -> bool {
    let smallest_normal = match dtype {
        Dtype::F16 => f64::from(f32::from_bits(0x3880_0000)),
        Dtype::F64 => f64::MIN_POSITIVE,
        _ => f64::from(f32::MIN_POSITIVE),
    };
    x != 0.0 && x.abs() < smallest_normal
}

/// Appends the bits of a value of the type, least significant byte first.
pub(super) fn push(dtype: Dtype, x: f64, nan: Nan, bytes: &mut impl Extend<u8>) {
    if x.is_nan() {
        push_nan(dtype, nan, bytes);
        return;
    }
    let narrow = f32_of(x);
    match dtype {
        Dtype::F16 => bytes.extend(f16_bits(narrow, F16Rounding::NearestEven).to_le_bytes()),
        Dtype::Bf16 => bytes.extend(bf16_bits(narrow, Bf16Rounding::NearestEven).to_le_bytes()),
        Dtype::F64 => bytes.extend(x.to_le_bytes()),
        _ => bytes.extend(narrow.to_le_bytes()),
    }
}

fn push_nan(dtype: Dtype, nan: Nan, bytes: &mut impl Extend<u8>) {
    let sign: u8 = match nan {
        Nan::Canonical => 0,
        Nan::Indefinite => 0x80,
    };
    match dtype {
        Dtype::F16 => bytes.extend([0, 0x7e | sign]),
        Dtype::Bf16 => bytes.extend([0xc0, 0x7f | sign]),
        Dtype::F64 => bytes.extend([0, 0, 0, 0, 0, 0, 0xf8, 0x7f | sign]),
        _ => bytes.extend([0, 0, 0xc0, 0x7f | sign]),
    }
}

/// The next smaller value of the type; infinities and NaN stay.
pub(super) fn next_below(dtype: Dtype, x: f64) -> f64 {
    if x.is_finite() { below(dtype, x) } else { x }
}

/// The largest value of the type below one that is neither a NaN nor minus infinity.
pub(super) fn below(dtype: Dtype, x: f64) -> f64 {
    let step = |bits: u16| match bits {
        0 | 0x8000 => 0x8001,
        0x8001.. => bits + 1,
        _ => bits - 1,
    };
    match dtype {
        Dtype::F16 => half::f16::from_bits(step(f16_bits(f32_of(x), F16Rounding::NearestEven))).to_f64(),
        Dtype::Bf16 => half::bf16::from_bits(step(bf16_bits(f32_of(x), Bf16Rounding::NearestEven))).to_f64(),
        Dtype::F64 => x.next_down(),
        _ => f64::from(f32_of(x).next_down()),
    }
}

/// An output without elements yet.
///
/// # Errors
/// [`Failure::Unsupported`] if there is not memory enough: how much memory a machine has says nothing about a reading.
pub(super) fn buffer(dtype: Dtype, shape: &Shape) -> Result<Elements, Failure> {
    Elements::reserve(dtype, shape)
        .map_err(|_| Failure::Unsupported(format!("not enough memory for {shape} elements of {dtype}")))
}

/// An empty buffer with the capacity of `count` words.
pub(super) fn words_buffer(count: usize) -> Result<Vec<u32>, Failure> {
    let mut words = Vec::new();
    words
        .try_reserve_exact(count)
        .map_err(|error| Failure::Unsupported(format!("the words of the output: {error}")))?;
    Ok(words)
}
