//! Words to floats of the unit interval.

use seedproof_ops::{Alignment, Dtype, Shape, Tensor};

use super::arithmetic::{Arithmetic, next_below, push};
use super::minstd::RANGE;
use super::stream::Words;
use crate::answers::{
    F64Words, HalfUnit, MtConvert, MtF64, MtHalf, MtUnit, PhiloxConvert, PhiloxUnit, UnitEnds,
};
use crate::reading::Reading;
use crate::round::{f32_of, f64_of};

/// A conversion from words to a value of the unit interval.
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
            (Dtype::F32, Self::Philox(convert)) if convert.unit == PhiloxUnit::CanonicalDouble => 2,
            (Dtype::F64, _) => 2,
            _ => 1,
        }
    }

    /// Appends the words of the next elements of a type. Each half of a word may be one of them.
    pub(super) fn draw(&self, dtype: Dtype, words: &mut Words, elements: usize, drawn: &mut Vec<u32>) {
        let half = match (self, dtype) {
            (Self::Philox(convert), Dtype::F16) => convert.f16,
            (Self::Philox(convert), Dtype::Bf16) => convert.bf16,
            _ => HalfUnit::Own,
        };
        if !matches!(half, HalfUnit::LowHalfFirst | HalfUnit::HighHalfFirst) {
            return words.take(elements, self.words_per_element(dtype), drawn);
        }
        // The words are drawn here and not halved later: half as many are taken, and the next elements go on behind them.
        let mut whole = Vec::new();
        words.take(elements.div_ceil(2), 1, &mut whole);
        let halves = whole.into_iter().flat_map(|word| match half {
            HalfUnit::HighHalfFirst => [word >> 16, word & 0xffff],
            _ => [word & 0xffff, word >> 16],
        });
        drawn.extend(halves.take(elements));
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

    /// The bits as a signed number in two's complement.
    fn signed(self) -> f64 {
        let unused = 64 - self.width;
        f64_of((self.value << unused ^ 1 << 63) >> unused) - two_to(self.width - 1)
    }

    /// The high `bits` bits as a number below 2^`bits`.
    fn high(self, bits: i32) -> f64 {
        f64_of(self.value >> (self.width - bits))
    }
}

pub(super) fn two_to(exponent: i32) -> f64 {
    libm::ldexp(1.0, exponent)
}

/// A probability times 2^32, cut to a word, which wraps. A NaN and an infinity are zero.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the product is cut to an integer on purpose"
)]
pub(super) fn word_of(p: f64) -> u64 {
    if !p.is_finite() {
        return 0;
    }
    ((p * two_to(32)) as u64) & u64::from(u32::MAX)
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
        (&[first, second], F64Words::UpperFirst) => (dtype, Drawn::two(first >> 12, second)),
        (&[first, _], F64Words::FirstAlone) => (Dtype::F32, Drawn::one(first)),
        (&[first, _], F64Words::LowZero) => (dtype, Drawn::two(first, 0)),
        (&[first, second], F64Words::Ored) => (dtype, Drawn::two(0, first | second)),
        (&[_, second], F64Words::HighZero) => (dtype, Drawn::two(0, second)),
        (&[first, second], _) => (dtype, Drawn::two(second, first)),
        _ if !matches!(half, HalfUnit::RoundedF32 | HalfUnit::TruncatedF32) && dtype != Dtype::F64 => {
            (dtype, Drawn::one(words[0]))
        }
        _ => (Dtype::F32, Drawn::one(words[0])),
    };
    let bits = mantissa_bits(source);
    // Powers of two with the exponents of the rules are made from bits: `ldexp` for every element would be
    // slow.
    let arithmetic = Arithmetic::ieee(source);
    let low_mantissa = drawn.low(bits) * power(-bits);
    let unit = match convert.unit {
        _ if half == HalfUnit::OwnLow => low_mantissa,
        PhiloxUnit::HighMantissa => drawn.high(bits) * power(-bits),
        PhiloxUnit::WideMantissa if drawn.value >> bits & 1 == 1 => 1.0 + 2.0 * low_mantissa,
        PhiloxUnit::LowMantissa | PhiloxUnit::WideMantissa => low_mantissa,
        PhiloxUnit::NotSubtracted => 1.0 + low_mantissa,
        PhiloxUnit::HalfRange => low_mantissa / 2.0,
        PhiloxUnit::Inclusive => arithmetic.of_f64(drawn.low(bits) / (two_to(bits) - 1.0)),
        PhiloxUnit::BitLost(bit) => {
            let kept = !1_u64.checked_shl(bit - 1).unwrap_or(0);
            let value = drawn.value & kept;
            Drawn { value, ..drawn }.low(bits) * power(-bits)
        }
        PhiloxUnit::SignedHalf => {
            arithmetic.add(arithmetic.of_f64(drawn.signed() * power(-drawn.width)), 0.5)
        }
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
        PhiloxUnit::Canonical => canonical(arithmetic, words.iter()),
        PhiloxUnit::CanonicalHighFirst => canonical(arithmetic, words.iter().rev()),
        PhiloxUnit::CanonicalTop24 => f64::from(words[0].wrapping_sub(1) >> 7) * power(-24),
        PhiloxUnit::CanonicalDouble => {
            arithmetic.of_f64(canonical(Arithmetic::ieee(Dtype::F64), words.iter()))
        }
        PhiloxUnit::Midpoint => arithmetic.of_f64((f64_of(drawn.value) + 0.5) * power(-drawn.width)),
    };
    let digits = match convert.unit {
        PhiloxUnit::LowDigits | PhiloxUnit::HighDigits => bits + 1,
        PhiloxUnit::TwoToMinus32 => drawn.width,
        _ => bits,
    };
    let unit = at_ends(convert.ends, arithmetic, unit, digits);
    match half {
        HalfUnit::Own | HalfUnit::OwnLow | HalfUnit::LowHalfFirst | HalfUnit::HighHalfFirst => unit,
        HalfUnit::RoundedF32 => Arithmetic::ieee(dtype).round(f32_of(unit)),
        HalfUnit::TruncatedF32 => Arithmetic::toward_zero(dtype).round(f32_of(unit)),
    }
}

/// A value of `[0, 1)` with some binary digits, with its ends as they are drawn.
pub(super) fn at_ends(ends: UnitEnds, arithmetic: Arithmetic, unit: f64, digits: i32) -> f64 {
    match ends {
        UnitEnds::Kept => unit,
        UnitEnds::HalfStep => arithmetic.add(unit, power(-digits - 1)),
        UnitEnds::Step => arithmetic.add(unit, power(-digits)),
        UnitEnds::Complement => arithmetic.sub(1.0, unit),
    }
}

/// A sum of digits over their greatest, and the number below 1 where that rounds to 1.
fn canonical<'a>(arithmetic: Arithmetic, words: impl Iterator<Item = &'a u32>) -> f64 {
    let (mut sum, mut scale) = (0.0, 1.0);
    for &word in words {
        let digit = arithmetic.of_f64(f64::from(word) - 1.0);
        sum = arithmetic.add(sum, arithmetic.mul(digit, scale));
        scale = arithmetic.mul(scale, RANGE);
    }
    let unit = arithmetic.div(sum, scale);
    if unit < 1.0 {
        unit
    } else {
        next_below(arithmetic.dtype, 1.0)
    }
}

/// 2^`exponent` for the exponents of a normal f64.
fn power(exponent: i32) -> f64 {
    f64::from_bits(u64::from((1023 + exponent).unsigned_abs()) << 52)
}

fn mt_unit(convert: &MtConvert, dtype: Dtype, words: &[u32]) -> f64 {
    if convert.half == MtHalf::Low16 && dtype.size() == 2 {
        return Arithmetic::ieee(dtype).round(f32_of(Drawn::one(words[0]).low(16) * power(-16)));
    }
    let own = convert.half != MtHalf::RoundedF32 || dtype.size() > 2;
    let source = if own { dtype } else { Dtype::F32 };
    let digits = mantissa_bits(source) + 1;
    let arithmetic = Arithmetic::ieee(source);
    let whole = |number: f64, digits: i32| at_ends(convert.ends, arithmetic, number * power(-digits), digits);
    let drawn = match (words, convert.f64) {
        (&[a, b], MtF64::Shift5And6) => {
            return whole(f64::from(a >> 5) * 67_108_864.0 + f64::from(b >> 6), 53);
        }
        (&[a, b], MtF64::Shift6And5) => {
            return whole(f64::from(a >> 6) * 134_217_728.0 + f64::from(b >> 5), 53);
        }
        (&[a, b], MtF64::UpperAndWhole) => {
            return whole(f64::from(a >> 11) * 4_294_967_296.0 + f64::from(b), 53);
        }
        (&[first, second], MtF64::Ored) => Drawn::two(0, first | second),
        (&[first, _], MtF64::FirstOver32) => return whole(first.into(), 32),
        (&[_, second], MtF64::SecondOver32) => return whole(second.into(), 32),
        (&[first, second], MtF64::FirstHigh) => Drawn::two(first, second),
        (&[first, second], MtF64::FirstLow) => Drawn::two(second, first),
        _ => Drawn::one(words[0]),
    };
    let unit = match convert.unit {
        MtUnit::LowDigits => drawn.low(digits) * power(-digits),
        MtUnit::HighDigits => drawn.high(digits.min(drawn.width)) * power(-digits.min(drawn.width)),
        MtUnit::OneFewer => drawn.low(digits - 1) * power(1 - digits),
        MtUnit::HalfRange => drawn.low(digits - 1) * power(-digits),
        MtUnit::MaskPrecedence => f64_of(drawn.value & 1 << (digits - 1)) * power(-digits),
        // 16-bit types are computed in f32.
        MtUnit::Inclusive if dtype.size() == 2 => f32_of(drawn.low(digits) / (two_to(digits) - 1.0)).into(),
        MtUnit::Inclusive => arithmetic.of_f64(drawn.low(digits) / (two_to(digits) - 1.0)),
        MtUnit::TwoToMinus32 => arithmetic.of_f64(f64_of(drawn.value) * power(-drawn.width)),
    };
    let digits = match convert.unit {
        MtUnit::OneFewer => digits - 1,
        MtUnit::HighDigits => digits.min(drawn.width),
        MtUnit::TwoToMinus32 => drawn.width,
        _ => digits,
    };
    let unit = at_ends(convert.ends, arithmetic, unit, digits);
    if own {
        unit
    } else {
        Arithmetic::ieee(dtype).round(f32_of(unit))
    }
}

/// The values of the unit interval that one-word or two-word elements of a float type are made of, under a
/// reading: a list with one element for each word, or each pair of words. `None` for integers.
///
/// This is the conversion by itself, for tests over all words.
pub fn unit_interval(reading: &Reading, alignment: Alignment, dtype: Dtype, words: &[u32]) -> Option<Tensor> {
    if !dtype.is_float() {
        return None;
    }
    let convert = match alignment {
        Alignment::Tensorflow => Convert::Philox(&reading.philox_convert),
        Alignment::Pytorch => Convert::Mt(&reading.mt_convert),
    };
    let elements = words.chunks_exact(convert.words_per_element(dtype));
    let count = elements.len();
    let mut bytes = Vec::with_capacity(count * dtype.size());
    for words in elements {
        push(dtype, convert.unit(dtype, words), *reading.nan, &mut bytes);
    }
    Some(Tensor::new(dtype, Shape::vector(count), bytes).expect("one element was pushed for each"))
}
