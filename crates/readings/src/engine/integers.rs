//! Words to integers in the asked range.

use seedproof_ops::Dtype;

use crate::answers::{ArrivingWords, Integer, IntegerWords, MaximumBound, Reduction, WordOrder};
use crate::engine::philox::split_64;
use crate::engine::stream::Words;
use crate::round::{f32_of, f64_of};

/// A reduction with its bounds, ready for any number of elements.
pub(super) struct Integers<'a> {
    answers: &'a Integer,
    /// The type that elements are computed in: i32 or i64.
    work: Dtype,
    min: i64,
    max: i64,
}

impl<'a> Integers<'a> {
    /// `min` and `max` are values of `work`.
    pub(super) const fn new(answers: &'a Integer, work: Dtype, [min, max]: [i64; 2]) -> Self {
        Self {
            answers,
            work,
            min,
            max,
        }
    }

    /// Words that one element takes.
    pub(super) fn words_per_element(&self) -> usize {
        const LARGEST_WORD: i64 = 0xffff_ffff;
        let i64_only = self.work == Dtype::I64;
        let two = match self.answers.words {
            IntegerWords::I64 => i64_only,
            IntegerWords::I64OverBounds => i64_only && (self.min > LARGEST_WORD || self.max > LARGEST_WORD),
            IntegerWords::I64FromBounds => i64_only && (self.min >= LARGEST_WORD || self.max >= LARGEST_WORD),
            IntegerWords::RangeFrom2p32 => i64_only && self.range() >= 1 << 32,
            IntegerWords::RangeOver2p32 => i64_only && self.range() > 1 << 32,
            IntegerWords::RangeFrom2p28 => self.range() >= 1 << 28,
            IntegerWords::Never => false,
        };
        if two { 2 } else { 1 }
    }

    /// max - min as an unsigned number of the type's width.
    fn range(&self) -> u64 {
        let range = self.max.wrapping_sub(self.min).cast_unsigned();
        match self.work {
            Dtype::I32 => u64::from(split_64(range)[0]),
            _ => range,
        }
    }

    /// max - min as a signed number of the type's width.
    fn signed_range(&self) -> i64 {
        self.as_signed(self.range())
    }

    /// A value's low bits, as many as the type has, read as a signed number.
    fn as_signed(&self, value: u64) -> i64 {
        match self.work {
            Dtype::I32 => i64::from(split_64(value)[0].cast_signed()),
            _ => value.cast_signed(),
        }
    }

    /// Appends the words of the next elements.
    pub(super) fn draw(&self, stream: &mut Words, elements: usize, words: &mut Vec<u32>) {
        let each = self.words_per_element();
        let range = self.range();
        if self.answers.reduction != Reduction::Unbiased || range == 0 {
            return stream.take(elements, each, words);
        }
        for _ in 0..elements {
            // A number is left out with a probability below one half.
            for attempt in 0..64 {
                let from = words.len();
                stream.take(1, each, words);
                let (drawn, width) = self.joined(&words[from..]);
                let all = u128::from(u64::MAX >> (64 - width)) + 1;
                // Words that another mistake makes constant may be left out for ever.
                if u128::from(drawn) < all - all % u128::from(range) || attempt == 63 {
                    break;
                }
                words.truncate(from);
            }
        }
    }

    /// The number of an element's words, and its bits.
    fn joined(&self, words: &[u32]) -> (u64, u32) {
        match (words, self.answers.order) {
            (&[first, second], WordOrder::LowFirst) => (u64::from(second) << 32 | u64::from(first), 64),
            (&[first, second], WordOrder::HighFirst) => (u64::from(first) << 32 | u64::from(second), 64),
            _ => (u64::from(words[0]), 32),
        }
    }

    /// The number that words arrive as, and its bits.
    pub(super) fn drawn(&self, words: &[u32]) -> (u64, u32) {
        let (drawn, width) = self.joined(words);
        let drawn = match self.answers.wide {
            ArrivingWords::Low if width == 64 => drawn & 0xffff_ffff,
            ArrivingWords::High if width == 64 => drawn >> 32 << 32,
            ArrivingWords::Ored if width == 64 => drawn & 0xffff_ffff | drawn >> 32,
            _ => drawn,
        };
        (drawn, width)
    }

    /// The value in the range.
    pub(super) fn value(&self, words: &[u32]) -> i64 {
        self.value_of(self.drawn(words))
    }

    /// The value in the range that a number makes, of which the bits are counted.
    pub(super) fn value_of(&self, (drawn, width): (u64, u32)) -> i64 {
        let index = self.reduced(drawn, width);
        self.as_signed(index.wrapping_add(self.min).cast_unsigned())
    }

    fn reduced(&self, drawn: u64, width: u32) -> i64 {
        let range = match self.answers.maximum {
            MaximumBound::Exclusive => self.range(),
            MaximumBound::Inclusive => self.range().wrapping_add(1),
        };
        let signed_range = match self.answers.maximum {
            MaximumBound::Exclusive => self.signed_range(),
            MaximumBound::Inclusive => self.as_signed(range),
        };
        // A range of zero means all values where the maximum is included, and one value where bounds may be
        // equal.
        if range == 0 || signed_range == 0 {
            return match self.answers.maximum {
                MaximumBound::Exclusive => 0,
                MaximumBound::Inclusive => drawn.cast_signed(),
            };
        }
        let signed = if width == 64 {
            drawn.cast_signed()
        } else {
            self.as_signed(drawn)
        };
        match self.answers.reduction {
            Reduction::Signed => signed.wrapping_rem(signed_range),
            Reduction::Halved => remainder(drawn >> 1, range),
            Reduction::Absolute => (signed.unsigned_abs() % range).cast_signed(),
            Reduction::MultiplyShift => multiply_shift(drawn, range, width),
            Reduction::Float => float_index(drawn, range, width),
            Reduction::Unit23 => float_index(drawn & 0x7f_ffff, range, 23),
            Reduction::Unit24 => float_index(drawn & 0xff_ffff, range, 24),
            Reduction::Reciprocal
            | Reduction::ReciprocalUncorrected
            | Reduction::ReciprocalRaised
            | Reduction::ReciprocalLowered
            | Reduction::ReciprocalLoweredUnsigned
                if width == 32 =>
            {
                let reciprocal = 1.0 / f32_of(f64_of(range));
                let quotient = f64::from(f32_of(f64_of(drawn)) * reciprocal);
                self.left_by(quotient, (drawn, width), range)
            }
            Reduction::ReciprocalF64
            | Reduction::ReciprocalF64Corrected
            | Reduction::ReciprocalF64Raised
            | Reduction::ReciprocalF64Lowered
            | Reduction::ReciprocalF64LoweredUnsigned => {
                self.left_by(f64_of(drawn) * (1.0 / f64_of(range)), (drawn, width), range)
            }
            Reduction::TopOfPower if range.is_power_of_two() => drawn
                .checked_shr(width.saturating_sub(range.trailing_zeros()))
                .unwrap_or(0)
                .cast_signed(),
            Reduction::Masked => {
                let low = drawn
                    & range
                        .checked_next_power_of_two()
                        .map_or(u64::MAX, |above| above - 1);
                (if low < range { low } else { low - range }).cast_signed()
            }
            Reduction::RangeInF64 => {
                // Bounds of unsigned types may look as if they were exchanged.
                let bound = |bound: i64| match bound.unsigned_abs() {
                    _ if self.min > self.max => f64_of(bound.cast_unsigned()),
                    size if bound < 0 => -f64_of(size),
                    size => f64_of(size),
                };
                let [min, max] = [self.min, self.max].map(bound);
                remainder(drawn, unsigned(max - min))
            }
            Reduction::RoundedToF64 => whole(f64_of(drawn) % f64_of(range)),
            Reduction::Floored => floored_wide(signed, range),
            Reduction::ByMaximum => remainder(drawn, self.max.unsigned_abs()),
            Reduction::Range32 => remainder(drawn, range & 0xffff_ffff),
            Reduction::SignedRange => (drawn % signed_range.unsigned_abs()).cast_signed(),
            Reduction::SaturatedRange => {
                let greatest = if self.work == Dtype::I32 {
                    i32::MAX.into()
                } else {
                    i64::MAX
                };
                remainder(drawn, range.min(greatest.cast_unsigned()))
            }
            Reduction::ZeroExtended if self.work == Dtype::I32 && self.min < 0 && self.max >= 0 => {
                drawn.cast_signed()
            }
            // Nobody divides 64 bits by a reciprocal of f32.
            Reduction::Unsigned
            | Reduction::Unbiased
            | Reduction::ZeroExtended
            | Reduction::TopOfPower
            | Reduction::Reciprocal
            | Reduction::ReciprocalUncorrected
            | Reduction::ReciprocalRaised
            | Reduction::ReciprocalLowered
            | Reduction::ReciprocalLoweredUnsigned => (drawn % range).cast_signed(),
            Reduction::FlooredSignedRange => floored(drawn.cast_signed(), signed_range),
        }
    }

    /// What a quotient that was rounded leaves of a drawn number, put right by one step at most: a good reciprocal is off by one.
    /// One of f32 is not good enough for a word, and a small range is left by more.
    fn left_by(&self, quotient: f64, (drawn, width): (u64, u32), range: u64) -> i64 {
        let [is_raised, is_lowered] = match self.answers.reduction {
            Reduction::Reciprocal | Reduction::ReciprocalF64Corrected => [true; 2],
            Reduction::ReciprocalRaised | Reduction::ReciprocalF64Raised => [true, false],
            Reduction::ReciprocalLowered | Reduction::ReciprocalF64Lowered => [false, true],
            _ => [false; 2],
        };
        // For a range of one the quotient has all 64 bits, which a signed number would cut.
        let product = unsigned(quotient.floor()).wrapping_mul(range);
        let left = drawn.wrapping_sub(product);
        let is_unsigned = matches!(
            self.answers.reduction,
            Reduction::ReciprocalLoweredUnsigned | Reduction::ReciprocalF64LoweredUnsigned
        );
        if is_unsigned {
            // A product of 32 bits wraps there.
            let left = left & u64::MAX >> (64 - width);
            return left.checked_sub(range).unwrap_or(left).cast_signed();
        }
        let (mut rest, range) = (left.cast_signed(), range.cast_signed());
        if is_raised && rest < 0 {
            rest = rest.wrapping_add(range);
        }
        if is_lowered && rest >= range {
            rest = rest.wrapping_sub(range);
        }
        rest
    }
}

/// A number of some bits as the integer of a type, i32 or i64, from `low` on, of which there are `range`.
pub(super) fn reduced(
    reduction: Reduction,
    work: Dtype,
    (drawn, width): (u64, u32),
    low: i64,
    range: u64,
) -> i64 {
    let answers = Integer {
        reduction,
        ..Integer::default()
    };
    Integers::new(&answers, work, [low, low.wrapping_add_unsigned(range)]).value_of((drawn, width))
}

/// A divisor of zero leaves nothing, as in NumPy. Other programs trap.
fn remainder(drawn: u64, by: u64) -> i64 {
    drawn.checked_rem(by).unwrap_or(0).cast_signed()
}

fn multiply_shift(drawn: u64, range: u64, width: u32) -> i64 {
    let product = (u128::from(drawn) * u128::from(range)) >> width;
    u64::try_from(product)
        .expect("the index is below the range")
        .cast_signed()
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the value is cut to an integer on purpose; it is not negative"
)]
fn float_index(drawn: u64, range: u64, width: u32) -> i64 {
    let unit = f64_of(drawn) / f64_of(1 << (width - 1)) / 2.0;
    ((unit * f64_of(range)).floor() as u64).cast_signed()
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the value is cut to an integer on purpose"
)]
fn whole(value: f64) -> i64 {
    value as i64
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "what rounds to 2^64 becomes the largest number, and nothing is negative"
)]
fn unsigned(value: f64) -> u64 {
    value as u64
}

/// The remainder of a signed number by an unsigned one, which is never negative.
fn floored_wide(value: i64, range: u64) -> i64 {
    let remainder = i128::from(value).rem_euclid(i128::from(range));
    u64::try_from(remainder).unwrap_or(0).cast_signed()
}

/// The remainder with the sign of the divisor.
fn floored(value: i64, divisor: i64) -> i64 {
    let remainder = value.wrapping_rem(divisor);
    if remainder != 0 && (remainder < 0) != (divisor < 0) {
        remainder + divisor
    } else {
        remainder
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reduce(reduction: Reduction, bounds: [i64; 2], word: u32) -> i64 {
        let answers = Integer {
            reduction,
            words: IntegerWords::Never,
            ..Integer::default()
        };
        Integers::new(&answers, Dtype::I32, bounds).value(&[word])
    }

    #[test]
    fn integers_of_a_wide_range_wrap_as_unsigned_numbers() {
        let bounds = [i64::from(i32::MIN), i64::from(i32::MAX)];
        assert_eq!(reduce(Reduction::Unsigned, bounds, u32::MAX), i64::from(i32::MIN));
        assert_eq!(reduce(Reduction::Unsigned, bounds, 5), i64::from(i32::MIN) + 5);
        // 2^31-1 leaves one of its own size, and then none.
        let most = i32::MAX.unsigned_abs();
        assert_eq!(reduce(Reduction::SaturatedRange, bounds, most - 1), -2);
        assert_eq!(
            reduce(Reduction::SaturatedRange, bounds, most),
            i64::from(i32::MIN)
        );
        // The signed range is -1: every remainder is 0.
        assert_eq!(reduce(Reduction::SignedRange, bounds, 5), i64::from(i32::MIN));
    }

    #[test]
    fn integers_by_c_s_remainder_leave_the_range() {
        assert_eq!(reduce(Reduction::Signed, [50, 100], u32::MAX), 49);
        assert_eq!(reduce(Reduction::Absolute, [50, 100], u32::MAX), 51);
        assert_eq!(reduce(Reduction::MultiplyShift, [50, 100], u32::MAX), 99);
        assert_eq!(reduce(Reduction::Float, [50, 100], u32::MAX), 99);
    }

    /// A quotient of all 64 bits is no signed number, and a bound of a range is subtracted from what reaches it.
    #[test]
    fn integers_by_quotients_masks_and_rounded_ranges() {
        let of = |reduction, drawn, range| reduced(reduction, Dtype::I64, (drawn, 64), 0, range);
        assert_eq!(of(Reduction::ReciprocalF64, 1 << 63, 1), 0);
        assert_eq!(of(Reduction::ReciprocalF64, 99, 10), 9);
        // The product of 2^63 + 2^10 with the reciprocal of 3 is rounded up.
        assert_ne!(
            of(Reduction::ReciprocalF64, (1 << 63) + (1 << 10), 3),
            of(Reduction::Unsigned, (1 << 63) + (1 << 10), 3)
        );
        assert_eq!(
            [3, 5, 6, 9].map(|drawn| of(Reduction::Masked, drawn, 5)),
            [3, 0, 1, 1]
        );
        let wide = (1 << 53) + 1;
        assert_eq!(of(Reduction::RangeInF64, 1 << 53, wide), 0);
        assert_eq!(of(Reduction::Unsigned, 1 << 53, wide), 1 << 53);
    }
}
