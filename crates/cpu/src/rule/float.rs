//! f32 and f64: a number of the unit interval from the low bits of a word, then a scale.
//!
//! Source: RandomUniform-8, "Float values between \[0..1)" for TENSORFLOW and "To convert a given unsigned
//! int value" for PYTORCH; the order of the words and the roundings follow OpenVINO core.

use std::marker::PhantomData;

use bytemuck::Pod;

use super::{HIGH_FIRST, Rule};
use crate::bits::{halves, join};
use crate::simd::Simd;

/// The conversions of an alignment to the unit interval.
pub(crate) trait Unit: Copy + Send + Sync + 'static {
    /// Whether a 16-bit type rounds the product of the scale before the sum, or only the sum.
    const ROUNDS_PRODUCT: bool;

    /// Whether f32 and f64 round product and sum once, and a number below the lower bound is that bound. Vectors leave
    /// the bound out, which only bounds in the wrong order need.
    const FUSES: bool = false;

    /// A number with the precision of a type that has `mantissa` explicit bits, exact in `f32`.
    fn narrow(mantissa: u32, word: u32) -> f32;

    /// A double from two words, the more significant first.
    fn wide(first: u32, second: u32) -> f64;

    /// [`Self::narrow`] of every word, as f32.
    fn narrow_vector<S: Simd>(s: S, mantissa: u32, words: S::V) -> S::V;

    /// [`Self::wide`] of every pair of words.
    fn wide_vector<S: Simd>(s: S, words: S::V) -> S::V;
}

/// TENSORFLOW: the low bits of a word are the mantissa of a number in `[1, 2)`, from which 1 is subtracted.
///
/// For types with a shorter mantissa than f32, the bits would have to be shifted to the top of f32's
/// mantissa. They are put into a greater power of two instead, whose last bit has the value of the type's
/// last bit, and this power is subtracted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tensorflow;

impl Unit for Tensorflow {
    const ROUNDS_PRODUCT: bool = true;

    #[inline(always)]
    fn narrow(mantissa: u32, word: u32) -> f32 {
        let (low, base) = (word & ((1 << mantissa) - 1), base(mantissa));
        f32::from_bits(base | low) - f32::from_bits(base)
    }

    #[inline(always)]
    fn wide(first: u32, second: u32) -> f64 {
        f64::from_bits(ONE_F64 | (join(first, second) & LOW_52)) - 1.0
    }

    #[inline(always)]
    fn narrow_vector<S: Simd>(s: S, mantissa: u32, words: S::V) -> S::V {
        let low = s.and(words, s.splat32((1 << mantissa) - 1));
        let base = s.splat32(base(mantissa));
        s.sub_f32(s.or(low, base), base)
    }

    #[inline(always)]
    fn wide_vector<S: Simd>(s: S, words: S::V) -> S::V {
        let low = s.and(s.swap(words), s.splat64(LOW_52));
        s.sub_f64(s.or(low, s.splat64(ONE_F64)), s.splat64(ONE_F64))
    }
}

/// The bits of the power of two whose last bit, as f32, is worth 2^-`mantissa`.
#[inline(always)]
const fn base(mantissa: u32) -> u32 {
    (150 - mantissa) << 23
}

/// PYTORCH: one bit more than the mantissa has, as an integer, divided by its power of two.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pytorch;

impl Unit for Pytorch {
    const ROUNDS_PRODUCT: bool = false;

    #[inline(always)]
    #[expect(
        clippy::cast_precision_loss,
        reason = "at most 24 bits are left, all of which an f32 holds"
    )]
    fn narrow(mantissa: u32, word: u32) -> f32 {
        let low = word & ((1 << (mantissa + 1)) - 1);
        low as f32 * power_of_half(mantissa + 1)
    }

    #[inline(always)]
    #[expect(
        clippy::cast_precision_loss,
        reason = "53 bits are left, all of which an f64 holds"
    )]
    fn wide(first: u32, second: u32) -> f64 {
        (join(first, second) & LOW_53) as f64 * HALF_TO_53
    }

    #[inline(always)]
    fn narrow_vector<S: Simd>(s: S, mantissa: u32, words: S::V) -> S::V {
        let low = s.and(words, s.splat32((1 << (mantissa + 1)) - 1));
        s.mul_f32(s.to_f32(low), s.splat32(power_of_half(mantissa + 1).to_bits()))
    }

    /// Each half becomes the mantissa of a power of two whose last bit is the half's last; less those powers,
    /// their sum is the integer, without rounding.
    #[inline(always)]
    fn wide_vector<S: Simd>(s: S, words: S::V) -> S::V {
        let (exponent_52, exponent_84) = (0x4330_0000_0000_0000, 0x4530_0000_0000_0000);
        let high = s.or(s.and(words, s.splat64(0x1f_ffff)), s.splat64(exponent_84));
        let low = s.or(s.shr64(words, 32), s.splat64(exponent_52));
        let powers = f64::from_bits(exponent_84) + f64::from_bits(exponent_52);
        let integer = s.add_f64(s.sub_f64(high, s.splat64(powers.to_bits())), low);
        s.mul_f64(integer, s.splat64(HALF_TO_53.to_bits()))
    }
}

/// JAX: the top bits of as many as the type has, but of 8 for bf16, are the mantissa of a number in `[1, 2)`, from which 1
/// is subtracted. `ORDER` says which of two words is high.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Top<const ORDER: bool>;

/// The bits that an element takes, and how many of them are not for a mantissa.
#[inline(always)]
const fn taken(mantissa: u32) -> [u32; 2] {
    let bits = (mantissa + 1).next_power_of_two();
    [u32::MAX >> (32 - bits), bits - mantissa]
}

impl<const ORDER: bool> Unit for Top<ORDER> {
    const ROUNDS_PRODUCT: bool = true;
    const FUSES: bool = true;

    #[inline(always)]
    fn narrow(mantissa: u32, word: u32) -> f32 {
        let [mask, lost] = taken(mantissa);
        Tensorflow::narrow(mantissa, (word & mask) >> lost)
    }

    #[inline(always)]
    fn wide(first: u32, second: u32) -> f64 {
        let bits = if ORDER == HIGH_FIRST {
            join(first, second)
        } else {
            join(second, first)
        };
        f64::from_bits(ONE_F64 | (bits >> 12)) - 1.0
    }

    #[inline(always)]
    fn narrow_vector<S: Simd>(s: S, mantissa: u32, words: S::V) -> S::V {
        let [mask, lost] = taken(mantissa);
        let low = s.shr32(s.and(words, s.splat32(mask)), lost);
        let base = s.splat32(base(mantissa));
        s.sub_f32(s.or(low, base), base)
    }

    #[inline(always)]
    fn wide_vector<S: Simd>(s: S, mut words: S::V) -> S::V {
        if ORDER == HIGH_FIRST {
            words = s.swap(words);
        }
        let one = s.splat64(ONE_F64);
        s.sub_f64(s.or(s.shr64(words, 12), one), one)
    }
}

/// ONNX's draft: the top bits of a word, one more than the mantissa has, as an integer, divided by its power of two. An f64
/// takes 27 of the first word and 26 of the second.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Digits;

impl Unit for Digits {
    const ROUNDS_PRODUCT: bool = true;

    #[inline(always)]
    fn narrow(mantissa: u32, word: u32) -> f32 {
        Pytorch::narrow(mantissa, word >> (31 - mantissa))
    }

    #[inline(always)]
    fn wide(first: u32, second: u32) -> f64 {
        let [low, high] = halves(u64::from(first >> 5) << 26 | u64::from(second >> 6));
        Pytorch::wide(high, low)
    }

    #[inline(always)]
    fn narrow_vector<S: Simd>(s: S, mantissa: u32, words: S::V) -> S::V {
        Pytorch::narrow_vector(s, mantissa, s.shr32(words, 31 - mantissa))
    }

    #[inline(always)]
    fn wide_vector<S: Simd>(s: S, words: S::V) -> S::V {
        let first = s.shr64(s.and(words, s.splat64(0xffff_ffff)), 5);
        let integers = s.or(s.shl64(first, 26), s.shr64(words, 38));
        // The high half comes first there.
        Pytorch::wide_vector(s, s.swap(integers))
    }
}

/// The bits of 1.0.
pub(crate) const ONE_F32: u32 = 0x3f80_0000;
/// The bits of 1.0.
pub(crate) const ONE_F64: u64 = 0x3ff0_0000_0000_0000;
/// The mantissa of an f64.
pub(crate) const LOW_52: u64 = (1 << 52) - 1;
/// The digits of an f64.
const LOW_53: u64 = (1 << 53) - 1;
/// 2^-53.
pub(crate) const HALF_TO_53: f64 = 1.0 / 9_007_199_254_740_992.0;

/// 2^-`exponent`, for exponents below 126.
#[inline(always)]
pub(crate) const fn power_of_half(exponent: u32) -> f32 {
    f32::from_bits((127 - exponent) << 23)
}

/// The scale from the unit interval: `x * range + min`, rounded after each operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale<F> {
    /// The lower bound.
    pub(crate) min: F,
    /// The upper bound less the lower, rounded.
    pub(crate) range: F,
}

macro_rules! scale {
    ($float:ty, $one:expr, $nan:literal) => {
        impl Scale<$float> {
            /// The scaled value; a NaN is the canonical one.
            #[inline(always)]
            pub(crate) fn apply(self, x: $float) -> $float {
                let scaled = x * self.range + self.min;
                if scaled.is_nan() {
                    <$float>::from_bits($nan)
                } else {
                    scaled
                }
            }

            /// [`Self::apply`] with one rounding; what is less than the lower bound is that bound.
            #[inline(always)]
            pub(crate) fn apply_fused(self, x: $float) -> $float {
                let scaled = x.mul_add(self.range, self.min);
                if scaled.is_nan() {
                    <$float>::from_bits($nan)
                } else if scaled < self.min {
                    self.min
                } else {
                    scaled
                }
            }

            /// Whether no value of the unit interval scales to NaN: nothing is infinite on the way.
            pub(crate) fn is_finite(self) -> bool {
                self.min.is_finite() && self.range.is_finite()
            }

            /// Whether the scale changes no number.
            pub(crate) fn is_identity(self) -> bool {
                self.min.to_bits() == 0 && self.range.to_bits() == $one
            }
        }
    };
}

scale!(f32, ONE_F32, 0x7fc0_0000);
scale!(f64, ONE_F64, 0x7ff8_0000_0000_0000);

/// Floats of one type. `UNIT`: the scale is the identity and is left out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Float<F, A, const UNIT: bool> {
    scale: Scale<F>,
    alignment: PhantomData<A>,
}

impl<F, A, const UNIT: bool> Float<F, A, UNIT> {
    pub(crate) const fn new(scale: Scale<F>) -> Self {
        Self {
            scale,
            alignment: PhantomData,
        }
    }
}

/// f32, one word each.
pub(crate) type F32<A, const UNIT: bool> = Float<f32, A, UNIT>;

/// f64, two words each.
pub(crate) type F64<A, const UNIT: bool> = Float<f64, A, UNIT>;

impl<A: Unit, const UNIT: bool> Rule for F32<A, UNIT> {
    const WORDS: usize = 1;
    const SIZE: usize = 4;
    type Bytes = [u8; 4];

    #[inline(always)]
    fn element(self, word: u32, _: u32) -> [u8; 4] {
        let x = A::narrow(23, word);
        let scaled = match (UNIT, A::FUSES) {
            (true, _) => x,
            (_, true) => self.scale.apply_fused(x),
            _ => self.scale.apply(x),
        };
        scaled.to_le_bytes()
    }

    type Vectors<V: Pod> = [V; 2];

    #[inline(always)]
    fn vectors<S: Simd>(self, s: S, mut words: [S::V; 2]) -> [S::V; 2] {
        for v in &mut words {
            *v = A::narrow_vector(s, 23, *v);
            if !UNIT {
                let [range, min] = [self.scale.range, self.scale.min];
                let (range, min) = (s.splat32(range.to_bits()), s.splat32(min.to_bits()));
                *v = if A::FUSES {
                    s.fma_f32(*v, range, min)
                } else {
                    s.add_f32(s.mul_f32(*v, range), min)
                };
            }
        }
        words
    }
}

impl<A: Unit, const UNIT: bool> Rule for F64<A, UNIT> {
    const WORDS: usize = 2;
    const SIZE: usize = 8;
    type Bytes = [u8; 8];

    #[inline(always)]
    fn element(self, first: u32, second: u32) -> [u8; 8] {
        let x = A::wide(first, second);
        let scaled = match (UNIT, A::FUSES) {
            (true, _) => x,
            (_, true) => self.scale.apply_fused(x),
            _ => self.scale.apply(x),
        };
        scaled.to_le_bytes()
    }

    type Vectors<V: Pod> = [V; 2];

    #[inline(always)]
    fn vectors<S: Simd>(self, s: S, mut words: [S::V; 2]) -> [S::V; 2] {
        for v in &mut words {
            *v = A::wide_vector(s, *v);
            if !UNIT {
                let [range, min] = [self.scale.range, self.scale.min];
                let (range, min) = (s.splat64(range.to_bits()), s.splat64(min.to_bits()));
                *v = if A::FUSES {
                    s.fma_f64(*v, range, min)
                } else {
                    s.add_f64(s.mul_f64(*v, range), min)
                };
            }
        }
        words
    }
}
