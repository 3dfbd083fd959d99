//! The values that are made of the words of a key.

use std::ops::RangeInclusive;

use seedproof_ops::{Dtype, Elements, ErrorKind, Failure};

use crate::answers::{
    ArrivingWords, KeyBounds, KeyRanges, KeyReduction, LeftOut, LeftOutHigh, MaximumBound, Nan, NarrowBits,
    NarrowRange, RangeLimit, WholeRange, WideKeyWords,
};
use crate::engine::arithmetic::{Arithmetic, push};
use crate::engine::units::Convert;
use crate::engine::{check, floats};
use crate::reading::Reading;
use crate::round::f32_of;

/// Two words as one number, or one.
fn number(reading: &Reading, words: &[u32]) -> u64 {
    match (words, reading.key_values.wide_order) {
        (&[first, second], WideKeyWords::HighFirst) => u64::from(first) << 32 | u64::from(second),
        (&[first, second], WideKeyWords::LowFirst) => u64::from(second) << 32 | u64::from(first),
        _ => u64::from(words[0]),
    }
}

/// Floats of a range.
pub(super) struct Floats<'a> {
    dtype: Dtype,
    inner: floats::Floats<'a>,
    nan: Nan,
    order: WideKeyWords,
}

impl<'a> Floats<'a> {
    /// # Errors
    /// Bounds that the reading refuses.
    pub(super) fn new(reading: &'a Reading, dtype: Dtype, [low, high]: [f64; 2]) -> Result<Self, Failure> {
        let answers = &reading.key_values;
        let accepted = match answers.ranges {
            KeyRanges::Any => true,
            KeyRanges::LowToHigh => low <= high,
            KeyRanges::Finite => low <= high && low.is_finite() && high.is_finite(),
        };
        if !accepted {
            return check::refuse(ErrorKind::Range, format!("low is {low} and high {high}"));
        }
        let own = Arithmetic::ieee(dtype);
        let rounded = |bound: f64| match answers.bounds {
            KeyBounds::ThroughF32 if dtype.size() == 2 => own.round(f32_of(bound)),
            _ => own.of_f64(bound),
        };
        let bounds = [low, high].map(rounded);
        let convert = Convert::Mt(&reading.key_convert);
        Ok(Self {
            dtype,
            inner: floats::Floats::new(convert, &reading.key_scale, dtype, dtype, bounds),
            nan: nan(reading, dtype, bounds),
            order: answers.wide_order,
        })
    }

    fn unit(&self, words: &[u32]) -> f64 {
        match (words, self.order) {
            (&[first, second], WideKeyWords::LowFirst) => self.inner.unit(&[second, first]),
            _ => self.inner.unit(words),
        }
    }

    pub(super) fn push_unit(&self, reading: &Reading, words: &[u32], bytes: &mut Elements) {
        push(self.dtype, self.unit(words), *reading.nan, bytes);
    }

    pub(super) fn push(&self, words: &[u32], bytes: &mut Elements) {
        push(self.dtype, self.inner.scaled(self.unit(words)), self.nan, bytes);
    }
}

/// The bits of a NaN: x86 hands on that of a bound, and PyTorch makes every NaN of bf16 a positive one.
fn nan(reading: &Reading, dtype: Dtype, [low, high]: [f64; 2]) -> Nan {
    let given = [high, low].into_iter().find(|bound| bound.is_nan());
    match given {
        _ if dtype == Dtype::Bf16 => Nan::Canonical,
        Some(bound) if bound.is_sign_positive() => Nan::Canonical,
        _ => *reading.nan,
    }
}

/// Integers of a range.
pub(super) struct Integers {
    dtype: Dtype,
    low: i128,
    size: u128,
    whole: bool,
}

impl Integers {
    /// # Errors
    /// Bounds that the reading refuses.
    pub(super) fn new(
        reading: &Reading,
        dtype: Dtype,
        limits: RangeInclusive<i128>,
        [low, high]: [Option<i128>; 2],
    ) -> Result<Self, Failure> {
        let answers = &reading.key_values;
        let (least, greatest) = limits.into_inner();
        let low = low.unwrap_or(match answers.left_out {
            LeftOut::Limit => least,
            LeftOut::Zero => 0,
        });
        let high = high.unwrap_or(match answers.left_out_high {
            LeftOutHigh::PastGreatest => greatest + 1,
            LeftOutHigh::Greatest => greatest,
        });
        let inside = least <= low && low < high && high - 1 <= greatest;
        let size = if inside { (high - low).unsigned_abs() } else { 0 };
        let divides = size > 0 && (1_u128 << 32).is_multiple_of(size);
        let too_large = dtype.size() == 4
            && match answers.limit {
                RangeLimit::Biased => size >= 1 << 28 && !divides,
                RangeLimit::From2p28 => size >= 1 << 28,
                RangeLimit::From2p28m1 => size >= (1 << 28) - 1 && !divides,
                RangeLimit::Nothing => false,
            };
        if !inside || too_large {
            return check::refuse(ErrorKind::Range, format!("low is {low} and high {high}"));
        }
        let whole = (low, high) == (least, greatest + 1);
        let size = match answers.maximum {
            MaximumBound::Inclusive if !whole => size + 1,
            _ => size,
        };
        Ok(Self {
            dtype,
            low,
            size,
            whole,
        })
    }

    pub(super) fn words_per_element(&self, reading: &Reading) -> usize {
        let is_narrow = self.size <= 1 << 32 && reading.key_values.narrow_range == NarrowRange::One;
        if self.dtype.size() < 8 || is_narrow { 1 } else { 2 }
    }

    pub(super) fn push(&self, reading: &Reading, words: &[u32], bytes: &mut Elements) {
        let answers = &reading.key_values;
        let width = 8 * self.dtype.size();
        let mut drawn = u128::from(match (number(reading, words), answers.wide) {
            (drawn, ArrivingWords::Low) => drawn & 0xffff_ffff,
            (drawn, ArrivingWords::High) if words.len() == 2 => drawn >> 32 << 32,
            (drawn, _) => drawn,
        });
        if width < 32 && answers.narrow == NarrowBits::High {
            drawn >>= 32 - width;
        }
        let of_word = if words.len() == 2 { 64 } else { 32 };
        let index = match answers.reduction {
            _ if self.whole => drawn.cast_signed(),
            KeyReduction::Unsigned => (drawn % self.size).cast_signed(),
            KeyReduction::MultiplyShift => ((drawn * self.size) >> of_word).cast_signed(),
            KeyReduction::CutFirst => ((drawn & ((1 << width) - 1)) % self.size).cast_signed(),
            KeyReduction::Signed => signed(drawn, of_word) % self.size.cast_signed(),
            KeyReduction::Floored => signed(drawn, of_word).rem_euclid(self.size.cast_signed()),
            KeyReduction::Absolute => signed(drawn, of_word).abs() % self.size.cast_signed(),
        };
        let value = match answers.whole {
            WholeRange::Word if self.whole => index,
            _ => index + self.low,
        };
        bytes.extend_from_slice(&value.to_le_bytes()[..self.dtype.size()]);
    }
}

/// The low `bits` bits as a signed number in two's complement.
const fn signed(drawn: u128, bits: u32) -> i128 {
    let half = 1_i128 << (bits - 1);
    (drawn.cast_signed() + half) % (2 * half) - half
}
