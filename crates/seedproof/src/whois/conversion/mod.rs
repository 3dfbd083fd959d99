//! The ways in which programs make a number of one or two words, whatever the generator.

mod table;

use seedproof_ops::{Dtype, Scalar};

use super::generator::inverse;
use super::numbers::is_same;
use super::seen::{Drawn, Elements, Seen};
use super::values::rounded;
use table::{ALL, Lead, To};
pub(super) use table::{Conversion, double_of, genrand_res53, power, units};

/// What is done to a number before it is an element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Scale {
    /// Nothing: the bits of the word are the element.
    Bits,
    /// A float is scaled to a range, with a fused multiplication or without.
    Range { low: f64, range: f64, is_fused: bool },
    /// A whole number is reduced modulo the range.
    Remainder { low: i128, range: u64 },
    /// A whole number is multiplied by the range, and the high half is taken (Lemire's method).
    Product { low: i128, range: u64 },
}

/// The words from which an element may come: those that lie in a range once they are shifted to the left, or that leave a
/// remainder.
#[derive(Clone, Copy, Debug)]
pub(super) struct Top {
    left: u32,
    right: u32,
    low: u32,
    /// All bits, if a word with its highest bit set counts as its complement; else none.
    fold: u32,
    /// The inverse of the odd part of a divisor, modulo 2^32, and the exponent of its even part: 1 and 0 for a range.
    inverse: u32,
    even: u32,
    width: u32,
}

impl Top {
    /// The words that, shifted to the left, are `low` or at most `width` more. The range goes round the end of the words.
    pub(super) const fn range(left: u32, low: u32, width: u32) -> Self {
        Self {
            left,
            right: 0,
            low,
            fold: 0,
            inverse: 1,
            even: 0,
            width,
        }
    }

    /// The words that, shifted to the right, leave a remainder. A multiple of the divisor times the inverse is the quotient, and
    /// any other number is greater than every quotient (Lemire, Kaser and Kurz, 2019).
    fn remainder(right: u32, remainder: u32, divisor: u32) -> Self {
        let even = divisor.trailing_zeros();
        let odd = divisor >> even;
        Self {
            right,
            low: remainder,
            inverse: inverse(odd),
            even,
            width: u32::MAX / divisor,
            ..Self::range(0, 0, 0)
        }
    }

    /// Whether the element may come from a word. At most two words in a thousand pass for most floats, so that this is tested
    /// first.
    pub(super) const fn holds(self, word: u32) -> bool {
        // Subtraction wraps below the range, so that one comparison tests both ends.
        let word = word ^ (((word.cast_signed() >> 31).cast_unsigned()) & self.fold);
        let above = ((word << self.left) >> self.right).wrapping_sub(self.low);
        above.wrapping_mul(self.inverse).rotate_right(self.even) <= self.width
    }

    /// Whether it is a plain range of shifted words.
    fn is_range(&self) -> bool {
        (self.right, self.fold, self.inverse, self.even) == (0, 0, 1, 0)
    }

    /// The least range that has the words of two; `None` where one of them is none, or where the range would exclude few words.
    pub(super) fn joined(self, other: Self) -> Option<Self> {
        const WIDE: u32 = 1 << 26;
        if self.left != other.left || !self.is_range() || !other.is_range() {
            return None;
        }
        let from = |one: Self, two: Self| {
            let end = two.low.wrapping_sub(one.low).checked_add(two.width)?;
            Some(Self::range(one.left, one.low, one.width.max(end)))
        };
        let both = [from(self, other), from(other, self)].into_iter().flatten();
        both.min_by_key(|top| top.width).filter(|top| top.width < WIDE)
    }

    /// The places of the words from which the element may come.
    pub(super) fn places(self, words: &[u32]) -> impl Iterator<Item = usize> {
        /// Several words are tested at once, because hardly any passes.
        const AT_ONCE: usize = 64;
        let Self { left, low, width, .. } = self;
        // A product of 32 bits takes longer than all else, and a range needs none.
        let is_range = self.is_range();
        let any = move |(_, chunk): &(usize, &[u32])| {
            if is_range {
                chunk.iter().fold(false, |any, word| {
                    any | ((word << left).wrapping_sub(low) <= width)
                })
            } else {
                chunk.iter().fold(false, |any, word| any | self.holds(*word))
            }
        };
        let chunks = words.chunks(AT_ONCE).enumerate();
        chunks.filter(any).flat_map(move |(i, chunk)| {
            let places = chunk
                .iter()
                .enumerate()
                .filter(move |(_, word)| self.holds(**word));
            places.map(move |(at, _)| i * AT_ONCE + at)
        })
    }
}

/// A conversion to a type and a range.
#[derive(Clone, Copy)]
pub(super) struct Way {
    pub(super) conversion: &'static Conversion,
    pub(super) scale: Scale,
    dtype: Dtype,
}

impl Way {
    /// The element that is made of the first of these words.
    pub(super) fn drawn(&self, words: &[u32]) -> Drawn {
        let words = [words[0], words.get(1).copied().unwrap_or(0)];
        match (self.conversion.to, self.scale) {
            (To::Unit(to), Scale::Range { low, range, is_fused }) => {
                let unit = match self.dtype {
                    // PyTorch draws half types from as many bits as their significands have, and not through f32.
                    Dtype::F16 if is_same(self.conversion.bits, 8.0) => {
                        f64::from(words[0] & 0x7ff) * power(-11)
                    }
                    Dtype::Bf16 if is_same(self.conversion.bits, 8.0) => {
                        f64::from(words[0] & 0xff) * power(-8)
                    }
                    Dtype::F16 | Dtype::Bf16 => rounded(Dtype::F32, to(words)),
                    dtype => rounded(dtype, to(words)),
                };
                // Half types are scaled in f32 and rounded once at the end.
                let work = if self.dtype == Dtype::F64 {
                    Dtype::F64
                } else {
                    Dtype::F32
                };
                let value = if low == 0.0 && is_same(range, 1.0) {
                    unit
                } else if is_fused && work == Dtype::F64 {
                    unit.mul_add(range, low)
                } else if is_fused {
                    // A product of two f32 is exact in f64, so that only the sum is rounded, as in a fused
                    // multiplication.
                    rounded(work, unit * range + low)
                } else {
                    rounded(work, rounded(work, unit * range) + low)
                };
                Drawn::Float(rounded(self.dtype, value))
            }
            (To::Whole(to), Scale::Bits) => Drawn::Whole(Scalar::new(self.dtype, to(words)).to_i128()),
            (To::Whole(to), Scale::Remainder { low, range }) => {
                Drawn::Whole(low + i128::from(to(words) % range))
            }
            (To::Whole(to), Scale::Product { low, range }) => {
                let width = 32 * self.conversion.words;
                let product = (u128::from(to(words)) * u128::from(range)) >> width;
                Drawn::Whole(low + i128::try_from(product).unwrap_or(0))
            }
            // Such a pair of a conversion and a scale is never made. A NaN equals no element.
            _ => Drawn::Float(f64::NAN),
        }
    }

    /// Whether the elements lie in the range of a way that has one.
    pub(super) fn may_draw(&self, seen: &Seen) -> bool {
        match (&seen.elements, self.scale) {
            (Elements::Floats(ends), Scale::Range { low, range, .. }) => ends
                .iter()
                .all(|[least, most]| *most >= low && *least <= low + range),
            _ => true,
        }
    }

    /// Which of an element's words decides most of it, as [`Way::top`] tests it.
    pub(super) fn lead(&self) -> usize {
        self.conversion.lead.map_or(0, |lead| lead.word)
    }

    /// The leading words from which an element may come; `None` where these do not form a range.
    pub(super) fn top(&self, seen: &Seen, index: usize) -> Option<Top> {
        match (&seen.elements, self.conversion.to) {
            (Elements::Floats(ends), To::Unit(_)) => {
                let Lead {
                    word,
                    left,
                    right,
                    is_folded,
                } = match (self.conversion.lead, self.dtype) {
                    // The bits that PyTorch draws half types from, as in [`Self::drawn`].
                    (None, Dtype::F16) if is_same(self.conversion.bits, 8.0) => Lead::new(0, 21),
                    (None, Dtype::Bf16) if is_same(self.conversion.bits, 8.0) => Lead::new(0, 24),
                    (lead, _) => lead?,
                };
                let [low, high] = ends[index];
                let value = |top: u64, other: u32| {
                    let mut words = [other; 2];
                    words[word] = u32::try_from(top << right).unwrap_or(u32::MAX) >> left;
                    match self.drawn(&words) {
                        Drawn::Float(value) => value,
                        Drawn::Whole(_) => f64::NAN,
                    }
                };
                let first = |is_beyond: &dyn Fn(u64) -> bool| {
                    // The least word that is beyond, by bisection: values never fall as words grow.
                    let (mut below, mut above) = (0_u64, 1 << (32 - right - u32::from(is_folded)));
                    while below < above {
                        let middle = u64::midpoint(below, above);
                        if is_beyond(middle) {
                            above = middle;
                        } else {
                            below = middle + 1;
                        }
                    }
                    below
                };
                // Whatever the other word is.
                let from = first(&|top| value(top, u32::MAX) >= low);
                let to = first(&|top| value(top, 0) > high);
                if from >= to {
                    // The element comes from no word, but the narrowest range of this type still has one.
                    return Some(Top::range(0, u32::MAX, 0));
                }
                let [low, last] = [from, to - 1].map(|it| u32::try_from(it).unwrap_or(u32::MAX));
                Some(Top {
                    right,
                    fold: if is_folded { u32::MAX } else { 0 },
                    ..Top::range(left, low, last - low)
                })
            }
            (Elements::Wholes(values), To::Whole(_))
                if is_same(self.conversion.bits, 32.0) && matches!(self.scale, Scale::Product { .. }) =>
            {
                let Scale::Product { low, range } = self.scale else {
                    return None;
                };
                // The words of which the high half of the product is this element.
                let place = u64::try_from(values[index] - low)
                    .ok()
                    .filter(|&place| place < range)?;
                let from = |place: u64| (u128::from(place) << 32).div_ceil(u128::from(range));
                let [low, end] = [from(place), from(place + 1)];
                if low == end {
                    return Some(Top::range(0, u32::MAX, 0));
                }
                let [low, last] = [u32::try_from(low).ok()?, u32::try_from(end - 1).ok()?];
                Some(Top::range(0, low, last - low))
            }
            (Elements::Wholes(values), To::Whole(_))
                if self.scale == Scale::Bits && is_same(self.conversion.bits, 32.0) =>
            {
                let word = Scalar::from_i128(self.dtype, values[index])?.bits() & 0xffff_ffff;
                let low = u32::try_from(word).ok().filter(|_| self.dtype.size() == 4)?;
                Some(Top::range(0, low, 0))
            }
            (Elements::Wholes(values), To::Whole(to)) if self.words() == 1 => {
                let Scale::Remainder { low, range } = self.scale else {
                    return None;
                };
                let remainder = u64::try_from(values[index] - low).ok().filter(|&it| it < range)?;
                // A conversion of a word is the word, or what is left of it after a shift to the right.
                let right = to([u32::MAX, 0]).leading_zeros().saturating_sub(32);
                let [remainder, divisor] = [remainder, range].map(|it| u32::try_from(it).ok());
                Some(Top::remainder(right, remainder?, divisor?))
            }
            _ => None,
        }
    }

    /// The number of words that an element takes.
    pub(super) const fn words(&self) -> usize {
        self.conversion.words
    }

    /// The entropy of an element in bits.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    pub(super) fn bits(&self, seen: &Seen) -> f64 {
        let range = match self.scale {
            Scale::Bits => 2.0_f64.powf(self.conversion.bits.min(8.0 * self.dtype.size() as f64)),
            Scale::Range { range, .. } => range,
            Scale::Remainder { range, .. } | Scale::Product { range, .. } => range as f64,
        };
        let mantissa = if self.dtype.is_float() {
            f64::from(self.dtype.mantissa_bits())
        } else {
            64.0
        };
        seen.bits(range, self.conversion.bits.min(mantissa))
    }

    /// Whether it draws the same whole numbers where they are elements of another type.
    pub(super) fn is_alike_in(&self, dtype: Dtype) -> bool {
        self.scale != Scale::Bits && self.conversion.dtypes.contains(&dtype)
    }

    /// The conversion, the range and the scale in words.
    pub(super) fn sentence(&self) -> String {
        let what = self.conversion.what;
        match self.scale {
            Scale::Bits if self.dtype.size() < 4 * self.conversion.words => {
                format!("the low {} bits of {what}", 8 * self.dtype.size())
            }
            Scale::Bits => what.to_owned(),
            Scale::Range { low, range, .. } if low == 0.0 && is_same(range, 1.0) => what.to_owned(),
            Scale::Range { low, range, is_fused } => {
                let fused = if is_fused { ", fused" } else { "" };
                format!("{what}, in [{low}, {}){fused}", low + range)
            }
            Scale::Remainder { low, range } => format!("{what} modulo {range}{}", plus(low)),
            Scale::Product { low, range } => {
                format!("the high half of the product of {what} and {range}{}", plus(low))
            }
        }
    }
}

fn plus(low: i128) -> String {
    match low {
        0 => String::new(),
        low if low < 0 => format!(", less {}", -low),
        low => format!(", plus {low}"),
    }
}

/// All ways to elements of a type, in a range. Without one, floats are of the unit interval and integers are words.
pub(super) fn ways(dtype: Dtype, range: Option<(Scalar, Scalar)>) -> Vec<Way> {
    let of_type = ALL.iter().filter(|it| it.dtypes.contains(&dtype));
    let scales = |conversion: &Conversion| -> Vec<Scale> {
        match (conversion.to, range) {
            (To::Unit(_), None) => vec![Scale::Range {
                low: 0.0,
                range: 1.0,
                is_fused: false,
            }],
            (To::Unit(_), Some((low, high))) => {
                let [low, high] = [low.to_f64(), high.to_f64()];
                let range = rounded(if dtype == Dtype::F64 { dtype } else { Dtype::F32 }, high - low);
                let is_unit = low == 0.0 && is_same(range, 1.0);
                // A scale by one rounds nothing, so that a fused multiplication would only count as a second attempt.
                let all = [false, true].map(|is_fused| Scale::Range { low, range, is_fused });
                all.into_iter().take(if is_unit { 1 } else { 2 }).collect()
            }
            (To::Whole(_), None) => vec![Scale::Bits],
            (To::Whole(_), Some((low, high))) => {
                let low = low.to_i128();
                match u64::try_from(high.to_i128() - low) {
                    Ok(range) if range > 0 => vec![
                        Scale::Remainder { low, range },
                        Scale::Product { low, range },
                        Scale::Bits,
                    ],
                    _ => vec![Scale::Bits],
                }
            }
        }
    };
    let mut all = Vec::new();
    for conversion in of_type {
        all.extend(scales(conversion).into_iter().map(|scale| Way {
            conversion,
            scale,
            dtype,
        }));
    }
    all
}

#[cfg(test)]
mod tests {
    use seedproof_ops::Tensor;

    use super::super::sought::Sought;
    use super::*;

    /// The range of the leading word excludes no word from which the element is drawn, and lets hardly any other one pass.
    #[test]
    fn leading_words_are_told_by_their_elements() {
        let words = |i: u32| [i.wrapping_mul(0x9e37_79b9), i.wrapping_mul(0x85eb_ca6b)];
        let mut told = 0;
        for dtype in [Dtype::F32, Dtype::F64, Dtype::F16, Dtype::Bf16] {
            let range = [-2.5, 7.0].map(|end| Scalar::from_decimal(dtype, &f64::to_string(&end)).unwrap());
            for range in [None, Some((range[0], range[1]))] {
                for way in ways(dtype, range) {
                    for i in 0..300 {
                        let Drawn::Float(element) = way.drawn(&words(i)) else {
                            panic!("floats alone");
                        };
                        let digits = [0.0, 5e-5, 5e-3][i as usize % 3];
                        let seen = Seen::of(&Sought {
                            within: Some([[element - digits, element + digits]].into()),
                            ..Sought::new(Tensor::vector(&[0.0_f32]), 0, 0)
                        });
                        let Some(top) = way.top(&seen, 0) else { continue };
                        let lead = |i| words(i)[way.lead()];
                        assert!(top.holds(lead(i)), "{} {dtype:?} {i}", way.conversion.what);
                        let others = (1000..2000).filter(|&i| top.holds(lead(i))).count();
                        assert!(
                            others < 40 || dtype.size() == 2,
                            "{} {others}",
                            way.conversion.what
                        );
                        told += 1;
                    }
                }
            }
        }
        assert!(told > 10_000, "{told}");
    }

    #[test]
    fn joined_ranges_have_the_words_of_both() {
        let top = |low: u32, width: u32| Top::range(8, low, width);
        for (one, two) in [
            (top(100, 50), top(120, 900)),
            (top(u32::MAX - 5, 20), top(3, 40)),
            (top(1 << 31, 7), top((1 << 31) + (1 << 20), 9)),
        ] {
            let joined = one.joined(two).unwrap();
            let words = (0..60_000_u32).map(|i| i.wrapping_mul(0x0001_0003) >> 4);
            let ends = [one, two].map(|top| [top.low, top.low.wrapping_add(top.width)]);
            let words = words.chain(ends.into_iter().flatten().map(|word| word >> 8));
            for word in words {
                assert!(joined.holds(word) || !one.holds(word) && !two.holds(word));
            }
        }
        assert!(top(0, 9).joined(top(1 << 30, 9)).is_none());
        assert!(top(0, 9).joined(Top::range(9, 0, 9)).is_none());
        assert!(Top::remainder(0, 3, 7).joined(top(0, 9)).is_none());
    }

    /// The test of a word excludes no word that leaves the remainder, and lets hardly any other one pass.
    #[test]
    fn words_are_told_by_their_remainders() {
        let words = || (0..40_000_u32).map(|i| i.wrapping_mul(0x9e37_79b9));
        for (divisor, remainder) in [
            (1, 0),
            (7, 3),
            (10, 9),
            (96, 5),
            (1000, 999),
            (1 << 20, 77),
            (u32::MAX, 5),
        ] {
            for right in [0, 1] {
                let top = Top::remainder(right, remainder, divisor);
                let is = |word: &u32| (word >> right) % divisor == remainder;
                // Below the remainder the difference wraps around, so that one more word may pass.
                let passes = |word: &u32| top.holds(*word) && word >> right >= remainder;
                assert!(
                    words().filter(is).eq(words().filter(passes)),
                    "{divisor} {remainder}"
                );
                let all: Vec<u32> = words().collect();
                let places = top.places(&all).map(|at| all[at]);
                assert!(places.eq(words().filter(|word| top.holds(*word))));
            }
        }
    }
}
