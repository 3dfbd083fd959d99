//! Words to floats in the asked range.

use seedproof_ops::Dtype;

use super::arithmetic::{Arithmetic, is_subnormal, next_below};
use crate::answers::{
    AtMaximum, F64Words, Formula, HalfSteps, HalfUnit, MtConvert, MtF64, MtHalf, MtUnit, PhiloxConvert,
    PhiloxUnit, Scale, Subnormals,
};
use crate::round::{f32_of, f64_of, low_16};

/// How words become a value of the unit interval.
#[derive(Clone, Copy, Debug)]
pub(super) enum Convert<'a> {
    Philox(&'a PhiloxConvert),
    Mt(&'a MtConvert),
}

impl Convert<'_> {
    /// Words that one element of a type takes.
    pub(super) fn words_per_element(&self, dtype: Dtype) -> usize {
        match (dtype, self) {
            (Dtype::F64, Self::Philox(convert)) if convert.f64_words == F64Words::OneWord => 1,
            (Dtype::F64, _) => 2,
            _ => 1,
        }
    }

    /// The value in `[0, 1)` of a type.
    pub(super) fn unit(&self, dtype: Dtype, words: &[u32]) -> f64 {
        match self {
            Self::Philox(convert) => philox_unit(convert, dtype, words),
            Self::Mt(convert) => mt_unit(convert, dtype, words),
        }
    }
}

/// Bits of a word, or of two, as one number.
#[derive(Clone, Copy)]
struct Drawn {
    value: u64,
    width: i32,
}

impl Drawn {
    fn one(word: u32) -> Self {
        Self {
            value: u64::from(word),
            width: 32,
        }
    }

    fn two(high: u32, low: u32) -> Self {
        Self {
            value: u64::from(high) << 32 | u64::from(low),
            width: 64,
        }
    }

    /// The low `bits` bits as a number below 2^`bits`.
    fn low(self, bits: i32) -> f64 {
        f64_of(self.value & ((1 << bits) - 1))
    }

    /// The high `bits` bits as a number below 2^`bits`.
    fn high(self, bits: i32) -> f64 {
        f64_of(self.value >> (self.width - bits))
    }
}

fn two_to(exponent: i32) -> f64 {
    libm::ldexp(1.0, exponent)
}

fn mantissa_bits(dtype: Dtype) -> i32 {
    match dtype {
        Dtype::F16 => 10,
        Dtype::Bf16 => 7,
        Dtype::F64 => 52,
        _ => 23,
    }
}

fn philox_unit(convert: &PhiloxConvert, dtype: Dtype, words: &[u32]) -> f64 {
    let half = match dtype {
        Dtype::F16 => convert.f16,
        Dtype::Bf16 => convert.bf16,
        _ => HalfUnit::Own,
    };
    let (source, drawn) = match (words, convert.f64_words) {
        (&[first, second], F64Words::FirstHigh) => (dtype, Drawn::two(first, second)),
        (&[first, second], _) => (dtype, Drawn::two(second, first)),
        _ if half == HalfUnit::Own && dtype != Dtype::F64 => (dtype, Drawn::one(words[0])),
        _ => (Dtype::F32, Drawn::one(words[0])),
    };
    let bits = mantissa_bits(source);
    // Powers of two with the exponents of the rules are made from bits: `ldexp` for every element would be slow.
    let arithmetic = Arithmetic::ieee(source);
    let low_mantissa = drawn.low(bits) * power(-bits);
    let unit = match convert.unit {
        PhiloxUnit::LowMantissa => low_mantissa,
        PhiloxUnit::HighMantissa => drawn.high(bits) * power(-bits),
        PhiloxUnit::NotSubtracted => 1.0 + low_mantissa,
        PhiloxUnit::Complement => 1.0 - low_mantissa,
        PhiloxUnit::NoBitCast => {
            let bias = match source {
                Dtype::F16 => 15.0,
                Dtype::F64 => 1023.0,
                _ => 127.0,
            };
            let number = arithmetic.of_f64(bias * two_to(bits) + drawn.low(bits));
            arithmetic.sub(number, 1.0)
        }
        PhiloxUnit::LowDigits => drawn.low(bits + 1) * power(-bits - 1),
        PhiloxUnit::HighDigits => drawn.high(bits + 1) * power(-bits - 1),
        PhiloxUnit::TwoToMinus32 => arithmetic.of_f64(f64_of(drawn.value) * power(-drawn.width)),
        PhiloxUnit::TwoToMinus31 => arithmetic.of_f64(f64_of(drawn.value >> 1) * power(1 - drawn.width)),
        PhiloxUnit::Midpoint => arithmetic.of_f64((f64_of(drawn.value) + 0.5) * power(-drawn.width)),
    };
    match half {
        HalfUnit::Own => unit,
        HalfUnit::RoundedF32 => Arithmetic::ieee(dtype).round(f32_of(unit)),
        HalfUnit::TruncatedF32 => truncated(dtype).round(f32_of(unit)),
    }
}

fn truncated(dtype: Dtype) -> Arithmetic {
    Arithmetic {
        f16: crate::answers::F16Rounding::TowardZero,
        bf16: crate::answers::Bf16Rounding::TowardZero,
        ..Arithmetic::ieee(dtype)
    }
}

/// 2^`exponent` for the exponents of a normal f64.
fn power(exponent: i32) -> f64 {
    f64::from_bits(u64::from((1023 + exponent).unsigned_abs()) << 52)
}

fn mt_unit(convert: &MtConvert, dtype: Dtype, words: &[u32]) -> f64 {
    let own = convert.half == MtHalf::Own;
    let source = match dtype {
        Dtype::F16 | Dtype::Bf16 if !own => Dtype::F32,
        _ => dtype,
    };
    let digits = mantissa_bits(source) + 1;
    let drawn = match (words, convert.f64) {
        (&[a, b], MtF64::Shift5And6) => {
            return (f64::from(a >> 5) * 67_108_864.0 + f64::from(b >> 6)) * power(-53);
        }
        (&[first, second], MtF64::FirstHigh) => Drawn::two(first, second),
        (&[first, second], MtF64::FirstLow) => Drawn::two(second, first),
        _ => Drawn::one(words[0]),
    };
    let arithmetic = Arithmetic::ieee(source);
    let unit = match convert.unit {
        MtUnit::LowDigits => drawn.low(digits) * power(-digits),
        MtUnit::HighDigits => drawn.high(digits.min(drawn.width)) * power(-digits.min(drawn.width)),
        MtUnit::OneFewer => drawn.low(digits - 1) * power(1 - digits),
        MtUnit::MaskPrecedence => f64_of(drawn.value & 1 << (digits - 1)) * power(-digits),
        MtUnit::Inclusive => arithmetic.of_f64(drawn.low(digits) / (two_to(digits) - 1.0)),
        MtUnit::TwoToMinus32 => arithmetic.of_f64(f64_of(drawn.value) * power(-drawn.width)),
    };
    if own {
        unit
    } else {
        Arithmetic::ieee(dtype).round(f32_of(unit))
    }
}

/// A conversion with its bounds, ready for any number of elements.
pub(super) struct Floats<'a> {
    convert: Convert<'a>,
    scale: &'a Scale,
    /// The type of the output.
    output: Dtype,
    /// The type that elements are computed in.
    work: Dtype,
    min: f64,
    max: f64,
    range: f64,
    /// The arithmetic between unit interval and result.
    inner: Arithmetic,
    /// The rounding of the result.
    end: Arithmetic,
}

impl<'a> Floats<'a> {
    /// `min` and `max` are values of `work`.
    pub(super) fn new(
        convert: Convert<'a>,
        scale: &'a Scale,
        output: Dtype,
        work: Dtype,
        [min, max]: [f64; 2],
    ) -> Self {
        let steps = match work {
            Dtype::F16 => scale.f16_steps,
            Dtype::Bf16 => scale.bf16_steps,
            _ => HalfSteps::EachOperation,
        };
        let with = |dtype, f16, bf16| Arithmetic {
            dtype,
            f16,
            bf16,
            flush: match scale.subnormals {
                Subnormals::Flushed => true,
                Subnormals::FlushedButF16 => dtype != Dtype::F16,
                Subnormals::Kept | Subnormals::Unpredictable => false,
            },
        };
        let result = |dtype| with(dtype, scale.f16, scale.bf16);
        let for_range = |dtype| with(dtype, scale.f16_range, scale.bf16_range);
        let (inner, of_range) = match (scale.formula, steps) {
            (Formula::InF64, _) => (result(Dtype::F64), for_range(Dtype::F64)),
            (Formula::InF32, _) | (_, HalfSteps::End) => (result(Dtype::F32), for_range(Dtype::F32)),
            (_, HalfSteps::EachOperation) => (result(work), for_range(work)),
            (_, HalfSteps::RangeAndEnd) => (result(Dtype::F32), for_range(work)),
        };
        let bounds = result(work);
        let (min, max) = (bounds.flushed(min), bounds.flushed(max));
        Self {
            convert,
            scale,
            output,
            work,
            min,
            max,
            range: of_range.sub(max, min),
            inner,
            end: result(output),
        }
    }

    /// Words that one element takes.
    pub(super) fn words_per_element(&self) -> usize {
        self.convert.words_per_element(self.work)
    }

    /// The value in the unit interval, of the type that elements are computed in.
    pub(super) fn unit(&self, words: &[u32]) -> f64 {
        self.convert.unit(self.work, words)
    }

    /// The value in the range, of the output's type.
    #[expect(
        clippy::float_cmp,
        reason = "whether a result is maxval itself is the question"
    )]
    pub(super) fn scaled(&self, u: f64) -> f64 {
        let Self { min, max, range, .. } = *self;
        let a = self.inner;
        let inner = match self.scale.formula {
            Formula::Separate | Formula::InF64 | Formula::InF32 => a.add(a.mul(u, range), min),
            Formula::Fused => a.fused(u, range, min),
            Formula::Lerp => a.add(a.mul(min, a.sub(1.0, u)), a.mul(max, u)),
            Formula::ByMaximum => a.add(a.mul(u, max), min),
            Formula::FromMaximum => a.sub(max, a.mul(u, range)),
            Formula::Unscaled => u,
        };
        let result = if self.output == self.inner.dtype {
            inner
        } else if self.output == Dtype::F64 && self.work == Dtype::F32 {
            saturated(inner)
        } else if self.inner.dtype == Dtype::F64 {
            self.end.of_f64(inner)
        } else {
            self.end.round(f32_of(inner))
        };
        match self.scale.at_maximum {
            AtMaximum::Minimum if result == max => min,
            AtMaximum::JustBelow if result == max => next_below(self.output, max),
            _ => result,
        }
    }

    /// Whether the implementation's kernels disagree on this value or bound.
    pub(super) fn is_unpredictable(&self, x: f64) -> bool {
        self.scale.subnormals == Subnormals::Unpredictable
            && self.work == Dtype::F32
            && is_subnormal(Dtype::F32, x)
    }

    /// minval and maxval, as the computation sees them.
    pub(super) const fn bounds(&self) -> [f64; 2] {
        [self.min, self.max]
    }
}

/// A result on its way from f32 to f64 where such conversions saturate, as those of the bounds do.
pub(super) fn saturated(x: f64) -> f64 {
    x.clamp(f64::from(f32::MIN), f64::from(f32::MAX))
}

/// The smallest positive number that `std::numeric_limits<P>::min()` gives in OpenVINO: half of the smallest
/// normal f16, and a bf16 that is not normal.
pub(super) fn openvino_min(dtype: Dtype) -> f64 {
    match dtype {
        Dtype::F16 => two_to(-15),
        Dtype::Bf16 => half::bf16::from_bits(low_16(0x007f)).to_f64(),
        Dtype::F64 => f64::MIN_POSITIVE,
        _ => f64::from(f32::MIN_POSITIVE),
    }
}
