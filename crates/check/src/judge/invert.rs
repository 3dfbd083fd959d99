//! The low bits of words, computed from values of the unit interval.
//!
//! A conversion that takes the low bits of a word as a fraction can be inverted: the f32 0.25 comes from a word whose
//! low 23 bits are `200000`. Whether an oracle converts in this way is seen from its own words and values, so that no
//! op is named here.

use seedproof_ops::{Scalar, Stages};

use crate::model::stage::{LowBits, StageValues};

/// A conversion that takes low bits as a fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fraction {
    bits: u32,
    /// Whether the first of the two words of an f64 holds the low bits.
    low_first: bool,
}

/// The bits that all elements together must have, so that a conversion that fits them is no coincidence. There are four
/// candidates: one in 2^62 outputs fits a wrong one.
const CERTAIN_BITS: u64 = 64;

impl Fraction {
    /// The conversion of an output between 0 and 1, if every value is the fraction of its word. It keeps as many bits
    /// as the type's mantissa, or one more: both are exact everywhere in the unit interval, so that they can be
    /// inverted.
    pub(crate) fn of(stages: &Stages) -> Option<Self> {
        let (unit, scaled) = (stages.unit.as_ref()?, &stages.scaled);
        // Values that were scaled have lost bits to a rounding. The shapes are not compared: the values of the unit
        // interval are a list, and the output may have any shape.
        if (unit.dtype(), unit.bytes()) != (scaled.dtype(), scaled.bytes()) {
            return None;
        }
        let mantissa = unit.dtype().mantissa_bits();
        let count = u64::try_from(unit.count()).unwrap_or(u64::MAX);
        let fits = |fraction: &Self| {
            count.saturating_mul(fraction.bits.into()) >= CERTAIN_BITS
                && unit.scalars().enumerate().all(|(index, value)| {
                    let words = StageValues::of(stages, index).words;
                    let value = fraction.low_bits(value).map(|low| low.value);
                    value.is_some() && value == fraction.of_words(&words)
                })
        };
        let kept = [mantissa, mantissa + 1].into_iter();
        kept.flat_map(|bits| [false, true].map(|low_first| Self { bits, low_first }))
            .find(fits)
    }

    /// The intermediate values of an element that follow from its value, where an implementation shows none.
    pub(crate) fn values(self, actual: Scalar) -> StageValues {
        StageValues {
            words: Vec::new(),
            low_bits: self.low_bits(actual),
            unit: Some(actual),
        }
    }

    /// The low bits behind a value; `None` for a value that the conversion cannot produce.
    fn low_bits(self, value: Scalar) -> Option<LowBits> {
        let value = value.to_f64() * self.scale();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a whole number that is not negative, and at most 2^53"
        )]
        let whole = (0.0 <= value && value < self.scale() && value.fract() == 0.0).then_some(value as u64)?;
        Some(LowBits {
            count: self.bits,
            value: whole,
        })
    }

    /// The low bits of an element's words.
    fn of_words(self, words: &[u32]) -> Option<u64> {
        let all = match *words {
            [word] => u64::from(word),
            [low, high] if self.low_first => u64::from(high) << 32 | u64::from(low),
            [high, low] => u64::from(high) << 32 | u64::from(low),
            _ => return None,
        };
        Some(all & ((1 << self.bits) - 1))
    }

    fn scale(self) -> f64 {
        2.0_f64.powi(i32::try_from(self.bits).unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use seedproof_ops::{Dtype, Tensor};

    const WORDS: [u32; 4] = [0x9f33_7cd6, 0x0040_0000, 0xffff_ffff, 0x8000_0001];

    fn stages(words: &[u32], per_element: usize, unit: Tensor) -> Stages {
        Stages {
            unit: Some(unit.clone()),
            ..Stages::of_philox(words.to_vec(), per_element, unit)
        }
    }

    fn of_f32(value: fn(u32) -> f32) -> Stages {
        stages(&WORDS, 1, Tensor::vector(&WORDS.map(value)))
    }

    #[test]
    fn invert_finds_the_bits_that_a_value_keeps() {
        let low23 = Fraction::of(&of_f32(|word| {
            f32::from_bits(word & 0x7f_ffff | 0x3f80_0000) - 1.0
        }))
        .unwrap();
        let of = |value: f32| {
            low23
                .values(Scalar::new(Dtype::F32, value.to_bits().into()))
                .low_bits
        };
        assert_eq!(
            of(0.25),
            Some(LowBits {
                count: 23,
                value: 0x20_0000
            })
        );
        assert_eq!(of(2.0_f32.powi(-24)), None, "no word is converted to it");
        assert_eq!((of(1.0), of(-0.5), of(f32::NAN)), (None, None, None));
        #[expect(clippy::cast_precision_loss, reason = "24 bits fit")]
        let low24 = Fraction::of(&of_f32(|word| (word & 0xff_ffff) as f32 / 16_777_216.0)).unwrap();
        assert_eq!(low24.bits, 24);
    }

    #[test]
    fn invert_takes_two_words_in_either_order() {
        for (low_first, shift) in [(false, [32, 0]), (true, [0, 32])] {
            let value = |pair: &[u32]| {
                let all = u64::from(pair[0]) << shift[0] | u64::from(pair[1]) << shift[1];
                #[expect(clippy::cast_precision_loss, reason = "53 bits fit")]
                let low = (all & ((1 << 53) - 1)) as f64;
                low / 2.0_f64.powi(53)
            };
            let unit: Vec<f64> = WORDS.chunks(2).map(value).collect();
            let found = Fraction::of(&stages(&WORDS, 2, Tensor::vector(&unit))).unwrap();
            assert_eq!((found.bits, found.low_first), (53, low_first));
        }
    }

    #[test]
    fn invert_refuses_other_conversions_and_ranges() {
        #[expect(clippy::cast_precision_loss, reason = "rounded, as some conversions do")]
        let top = of_f32(|word| (word >> 8) as f32 / 16_777_216.0);
        assert_eq!(Fraction::of(&top), None);
        let mut scaled = of_f32(|word| f32::from_bits(word & 0x7f_ffff | 0x3f80_0000) - 1.0);
        scaled.scaled = Tensor::vector(&[1.0_f32; 4]);
        assert_eq!(Fraction::of(&scaled), None);
        let one = stages(&[0x40_0000], 1, Tensor::vector(&[0.5_f32]));
        assert_eq!(Fraction::of(&one), None, "one value may be a coincidence");
    }
}
