//! The values that are made of the words of a key.

use std::ops::RangeInclusive;

use seedproof_ops::{Dtype, Elements, ErrorKind, Failure};

use crate::answers::{
    Formula, KeyBounds, KeyCut, KeyRanges, LeftOut, LeftOutHigh, Nan, NarrowBits, RangeLimit, WholeRange,
};
use crate::engine::arithmetic::{Arithmetic, push};
use crate::engine::stream::Words;
use crate::engine::units::Convert;
use crate::engine::{check, floats, integers};
use crate::reading::Reading;
use crate::round::f32_of;

/// Floats of a range.
pub(super) struct Floats<'a> {
    dtype: Dtype,
    inner: floats::Floats<'a>,
    nan: Nan,
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
            // An f64 of a formula that rounds once, at the end, is a bound as it is given.
            _ if reading.key_scale.formula == Formula::InF64OfGiven => bound,
            KeyBounds::ThroughF32 if dtype.size() == 2 => own.round(f32_of(bound)),
            _ => own.of_f64(bound),
        };
        let bounds = [low, high].map(rounded);
        let convert = Convert::Mt(&reading.key_convert);
        Ok(Self {
            dtype,
            inner: floats::Floats::new(convert, &reading.key_scale, dtype, dtype, bounds),
            nan: nan(reading, dtype, bounds),
        })
    }

    fn unit(&self, words: &[u32]) -> f64 {
        self.inner.unit(words)
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
pub(super) struct Integers<'a> {
    dtype: Dtype,
    inner: integers::Integers<'a>,
    low: i64,
    whole: bool,
}

impl<'a> Integers<'a> {
    /// # Errors
    /// Bounds that the reading refuses.
    pub(super) fn new(
        reading: &'a Reading,
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
        let is_lowered = high.is_none() && answers.left_out_high == LeftOutHigh::GreatestDrawn;
        let high = high.unwrap_or(match answers.left_out_high {
            LeftOutHigh::PastGreatest | LeftOutHigh::GreatestDrawn => greatest + 1,
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
        let high = high - i128::from(is_lowered);
        #[expect(
            clippy::cast_possible_truncation,
            reason = "bounds wrap as numbers of 64 bits do"
        )]
        let bounds = [low, high].map(|bound| bound as i64);
        // Narrow types are computed in 32 bits, and cut where they are stored.
        let work = if dtype.size() == 8 { Dtype::I64 } else { Dtype::I32 };
        Ok(Self {
            dtype,
            inner: integers::Integers::new(&reading.key_integer, work, bounds),
            low: bounds[0],
            whole: (low, high) == (least, greatest + 1),
        })
    }

    /// The whole range has 2^64 numbers, which no number of 64 bits says.
    pub(super) fn words_per_element(&self) -> usize {
        if self.whole {
            self.dtype.size().div_ceil(4)
        } else {
            self.inner.words_per_element()
        }
    }

    /// Appends the words of the next elements.
    pub(super) fn draw(&self, stream: &mut Words, elements: usize, words: &mut Vec<u32>) {
        if self.whole {
            stream.take(elements, self.words_per_element(), words);
        } else {
            self.inner.draw(stream, elements, words);
        }
    }

    pub(super) fn push(&self, reading: &Reading, words: &[u32], bytes: &mut Elements) {
        let answers = &reading.key_values;
        let (mut drawn, of_word) = self.inner.drawn(words);
        let width = 8 * self.dtype.size();
        if width < 32 && answers.narrow == NarrowBits::High {
            drawn >>= 32 - width;
        }
        if width < 32 && answers.cut == KeyCut::First && !self.whole {
            drawn &= (1 << width) - 1;
        }
        let value = match answers.whole {
            WholeRange::Word if self.whole => drawn.cast_signed(),
            WholeRange::LowAdded if self.whole => drawn.cast_signed().wrapping_add(self.low),
            _ => self.inner.value_of((drawn, of_word)),
        };
        bytes.extend_from_slice(&value.to_le_bytes()[..self.dtype.size()]);
    }
}
