//! What the bits of a key become.

use seedproof_ops::{Dtype, Elements};

use crate::answers::{
    Bf16Width, BoundPrecision, JaxRemainder, JaxScale, LeastNumber, Multiplier, NarrowBounds, PastGreatest,
    Subnormals, UnitDigits,
};
use crate::engine::arithmetic::{Arithmetic, push};
use crate::engine::units::{at_ends, two_to};
use crate::reading::Reading;
use crate::round::{f32_of, f64_of};

/// Floats of a range.
pub(super) struct Floats {
    dtype: Dtype,
    min: f64,
    max: f64,
    range: f64,
    arithmetic: Arithmetic,
}

impl Floats {
    pub(super) fn new(reading: &Reading, dtype: Dtype, bounds: [f64; 2]) -> Self {
        let arithmetic = Arithmetic {
            flush: match reading.jax_values.subnormals {
                Subnormals::Flushed => true,
                Subnormals::FlushedButF16 => dtype != Dtype::F16,
                _ => false,
            },
            ..match reading.jax_values.scale {
                JaxScale::HalvesCut => Arithmetic::toward_zero(dtype),
                _ => Arithmetic::ieee(dtype),
            }
        };
        let [min, max] = bounds.map(|bound| arithmetic.flushed(bound));
        Self {
            dtype,
            min,
            max,
            range: arithmetic.sub(max, min),
            arithmetic,
        }
    }

    /// The width of the numbers that elements take.
    pub(super) fn width(&self, reading: &Reading) -> usize {
        let answers = &reading.jax_values;
        match (self.dtype, answers.bf16) {
            _ if answers.digits == UnitDigits::Rounded => 32,
            (Dtype::Bf16, Bf16Width::Eight) => 8,
            _ => 8 * self.dtype.size(),
        }
    }

    /// The element of a number.
    pub(super) fn value(&self, reading: &Reading, bits: u64) -> f64 {
        let answers = &reading.jax_values;
        let width = u32::try_from(self.width(reading)).unwrap_or(64);
        let a = self.arithmetic;
        let significand = self.dtype.mantissa_bits() + 1;
        let top = |digits: u32| f64_of(bits >> width.saturating_sub(digits)) * two_to(-digits.cast_signed());
        let u = match answers.digits {
            UnitDigits::OfHalves if width == 64 => {
                f64_of(bits >> 44 << 32 | bits & u64::from(u32::MAX)) * two_to(-52)
            }
            UnitDigits::Mantissa | UnitDigits::OfHalves => top(significand - 1),
            UnitDigits::Low => {
                let digits = significand - 1;
                f64_of(bits & ((1 << digits) - 1)) * two_to(-digits.cast_signed())
            }
            UnitDigits::Significand => top(significand),
            UnitDigits::Whole => a.of_f64(f64_of(bits) * two_to(-width.cast_signed())),
            UnitDigits::Rounded => {
                let single = f64::from(f32_of(f64_of(bits))) * two_to(-32);
                a.of_f64(single.min(1.0 - two_to(-significand.cast_signed())))
            }
        };
        let digits = match answers.digits {
            UnitDigits::Significand => significand,
            UnitDigits::Whole | UnitDigits::Rounded => width,
            _ => significand - 1,
        };
        let u = at_ends(answers.ends, a, u, digits.cast_signed());
        let scaled = match answers.scale {
            JaxScale::Fused | JaxScale::HalvesCut if self.dtype.size() > 2 => {
                a.fused(u, self.range, self.min)
            }
            JaxScale::Interpolated => a.add(a.mul(a.sub(1.0, u), self.min), a.mul(u, self.max)),
            JaxScale::JoinedConstants if a.sub(self.range, 1.0) == 0.0 => {
                a.add(1.0 + u, a.sub(self.min, 1.0))
            }
            JaxScale::FusedF16 if self.dtype != Dtype::Bf16 => a.fused(u, self.range, self.min),
            _ => a.add(a.mul(u, self.range), self.min),
        };
        match answers.least {
            LeastNumber::Minimum if scaled < self.min => self.min,
            _ => scaled,
        }
    }

    pub(super) fn push(&self, reading: &Reading, bits: u64, bytes: &mut Elements) {
        push(self.dtype, self.value(reading, bits), *reading.nan, bytes);
    }
}

/// Integers of a range, in the width that is drawn.
pub(super) struct Integers {
    dtype: Dtype,
    min: i128,
    /// How many numbers there are; 0 stands for all of the width.
    span: u128,
}

impl Integers {
    pub(super) fn new(reading: &Reading, dtype: Dtype, [min, max]: [i128; 2]) -> Self {
        let arrived = |bound: i128| match (dtype.size(), reading.jax_values.narrow_bounds) {
            (1 | 2, NarrowBounds::Wrap) => {
                let bytes = bound.to_le_bytes();
                i128::from(i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
            }
            _ => bound,
        };
        let [min, max] = [min, max].map(arrived);
        let (least, greatest) = dtype
            .integers()
            .map_or((0, 0), std::ops::RangeInclusive::into_inner);
        let answers = &reading.jax_values;
        let precise = |number: i128| match answers.bound_precision {
            BoundPrecision::Exact => number,
            BoundPrecision::Single => of_f32(number),
        };
        let clamped = |bound: i128| bound.clamp(least, greatest);
        let width = 8 * dtype.size().max(4);
        let span = match answers.past_greatest {
            // A constant of the program saturates, so that a whole word lacks its last number.
            PastGreatest::Wrapped => precise(max - min).min((1 << width) - 1),
            _ if clamped(max) <= clamped(min) => 0,
            counted => {
                let past = max > greatest && counted == PastGreatest::Counted;
                precise(clamped(max) - clamped(min) + i128::from(past))
            }
        };
        Self {
            dtype,
            min: clamped(precise(min)),
            // An empty range draws minval, as a range of one number does.
            span: u128::try_from(span).map_or(1, |span| if span == 0 { 1 } else { span % (1 << width) }),
        }
    }

    pub(super) fn width(&self) -> usize {
        8 * self.dtype.size().max(4)
    }

    pub(super) fn push(&self, reading: &Reading, [higher, lower]: [u64; 2], bytes: &mut Elements) {
        // Narrower types are computed in 32 bits, which are unsigned whatever the type's own sign.
        let is_signed = self.dtype.is_signed() && self.dtype.size() >= 4;
        if is_signed && reading.jax_values.remainder == JaxRemainder::Signed {
            self.push_signed([higher, lower], bytes);
            return;
        }
        let is_saturated = is_signed && reading.jax_values.remainder == JaxRemainder::SaturatedRange;
        let modulus = 1_u128 << self.width();
        let greatest = modulus / 2 - 1;
        let span = match self.span {
            // All of the width, 0, is past the greatest number too.
            0 if is_saturated => greatest,
            span if is_saturated => span.min(greatest),
            span => span,
        };
        let reduced = |number: u128| number.checked_rem(span).unwrap_or(number);
        let root = reduced(1 << (self.width() / 2));
        let multiplier = match reading.jax_values.multiplier {
            Multiplier::Squared => reduced(root * root % modulus),
            Multiplier::Exact => reduced(modulus),
            Multiplier::Once => root,
            Multiplier::Zero => 0,
        };
        let product = reduced(u128::from(higher)) * multiplier % modulus;
        let offset = reduced((product + reduced(u128::from(lower))) % modulus);
        self.push_offset(offset, bytes);
    }

    /// As [`Self::push`] with the multiplier that is the default, in signed arithmetic of the width.
    fn push_signed(&self, words: [u64; 2], bytes: &mut Elements) {
        let half = 1_i128 << (self.width() - 1);
        let wrapped = |number: i128| (number + half).rem_euclid(2 * half) - half;
        let span = wrapped(self.span.cast_signed());
        let rest = |number: i128| number.checked_rem(span).unwrap_or(number);
        let root = rest(1 << (self.width() / 2));
        let multiplier = rest(wrapped(root * root));
        let [higher, lower] = words.map(|word| rest(wrapped(i128::from(word))));
        let product = wrapped(higher * multiplier);
        let offset = rest(wrapped(product + lower));
        self.push_offset(offset.cast_unsigned(), bytes);
    }

    /// The integer of a number that is drawn as a whole.
    pub(super) fn push_remainder(&self, drawn: u64, bytes: &mut Elements) {
        let drawn = u128::from(drawn);
        self.push_offset(drawn.checked_rem(self.span).unwrap_or(drawn), bytes);
    }

    fn push_offset(&self, offset: u128, bytes: &mut Elements) {
        let value = self.min.wrapping_add(offset.cast_signed());
        bytes.extend_from_slice(&value.to_le_bytes()[..self.dtype.size()]);
    }
}

/// The f32 that is nearest to an integer, and even among two.
fn of_f32(number: i128) -> i128 {
    let magnitude = number.unsigned_abs();
    let lost = (u128::BITS - magnitude.leading_zeros()).saturating_sub(24);
    // Half of what is lost, less one for an even number: a tie then stays even, and all above it carries.
    let odd = magnitude >> lost & 1;
    let below_half = (1_u128 << lost >> 1).saturating_sub(1);
    let kept = (magnitude + below_half + if lost > 0 { odd } else { 0 }) >> lost << lost;
    number.signum() * kept.cast_signed()
}

#[cfg(test)]
mod tests {
    use super::of_f32;

    #[test]
    fn integers_round_as_f32_does() {
        for shift in 0..54 {
            for near in -40..40 {
                let number = (0x1ff_ffff_ffff_ffff_i64 >> (56 - shift)) + near;
                #[expect(
                    clippy::cast_precision_loss,
                    clippy::cast_possible_truncation,
                    reason = "what is compared"
                )]
                let expected = number as f32 as i64;
                assert_eq!(of_f32(number.into()), i128::from(expected), "{number}");
                assert_eq!(of_f32(-i128::from(number)), -i128::from(expected), "{number}");
            }
        }
    }
}
