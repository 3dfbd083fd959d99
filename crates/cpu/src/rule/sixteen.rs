//! f16 and bf16: computed in f32, which holds a unit value and its product exactly, and rounded to nearest even.
//!
//! A sum of two 16-bit floats rounded first to f32 and then to 16 bits is the sum rounded once: f32 has more
//! than twice the digits and two (Figueroa, "When is double rounding innocuous?", 1995).

use std::marker::PhantomData;

use bytemuck::Pod;
use half::{bf16, f16};

use super::{Rule, Scale, Unit};
use crate::simd::Simd;

/// A 16-bit floating-point format.
pub(crate) trait Format: Copy + Send + Sync + 'static {
    /// Explicit mantissa bits.
    const MANTISSA: u32;
    /// The bits of the canonical NaN.
    const NAN: u16;

    /// The bits of the nearest number, ties to even.
    fn round(x: f32) -> u16;
    /// The number of some bits, exactly.
    fn widen(bits: u16) -> f32;

    /// f32 lanes rounded to the format and widened again.
    fn round_vector<S: Simd>(s: S, x: S::V) -> S::V;
    /// The bits of the nearest numbers of the f32 lanes of two vectors.
    fn bits_vector<S: Simd>(s: S, x: [S::V; 2]) -> S::V;
    /// The bits of the f32 lanes of two vectors, which are numbers of the format.
    fn exact_vector<S: Simd>(s: S, x: [S::V; 2]) -> S::V;
}

/// binary16.
#[derive(Clone, Copy, Debug)]
pub(crate) struct F16;

impl Format for F16 {
    const MANTISSA: u32 = 10;
    const NAN: u16 = 0x7e00;

    #[inline(always)]
    fn round(x: f32) -> u16 {
        f16::from_f32(x).to_bits()
    }

    #[inline(always)]
    fn widen(bits: u16) -> f32 {
        f16::from_bits(bits).to_f32()
    }

    #[inline(always)]
    fn round_vector<S: Simd>(s: S, x: S::V) -> S::V {
        s.round_f16(x)
    }

    #[inline(always)]
    fn bits_vector<S: Simd>(s: S, [a, b]: [S::V; 2]) -> S::V {
        s.to_f16(a, b)
    }

    #[inline(always)]
    fn exact_vector<S: Simd>(s: S, x: [S::V; 2]) -> S::V {
        Self::bits_vector(s, x)
    }
}

/// bfloat16.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bf16;

impl Format for Bf16 {
    const MANTISSA: u32 = 7;
    const NAN: u16 = 0x7fc0;

    #[inline(always)]
    fn round(x: f32) -> u16 {
        bf16::from_f32(x).to_bits()
    }

    #[inline(always)]
    fn widen(bits: u16) -> f32 {
        bf16::from_bits(bits).to_f32()
    }

    #[inline(always)]
    fn round_vector<S: Simd>(s: S, x: S::V) -> S::V {
        s.and(carry_to_bf16(s, x), s.splat32(0xffff_0000))
    }

    #[inline(always)]
    fn bits_vector<S: Simd>(s: S, [a, b]: [S::V; 2]) -> S::V {
        s.narrow(s.shr32(carry_to_bf16(s, a), 16), s.shr32(carry_to_bf16(s, b), 16))
    }

    #[inline(always)]
    fn exact_vector<S: Simd>(s: S, [a, b]: [S::V; 2]) -> S::V {
        s.narrow(s.shr32(a, 16), s.shr32(b, 16))
    }
}

/// The bits of f32 lanes, none NaN, with half of bf16's last place added, less a bit where that place is
/// even: the high halves are those of the nearest bf16, ties to even.
#[inline(always)]
fn carry_to_bf16<S: Simd>(s: S, x: S::V) -> S::V {
    let odd = s.and(s.shr32(x, 16), s.splat32(1));
    s.add32(s.add32(x, s.splat32(0x7fff)), odd)
}

/// f16 or bf16, one word each. `UNIT`: the scale is the identity and is left out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sixteen<F, A, const UNIT: bool> {
    scale: Scale<f32>,
    kind: PhantomData<(F, A)>,
}

impl<F: Format, A, const UNIT: bool> Sixteen<F, A, UNIT> {
    /// The rule for a scale of [`scale_between`].
    pub(crate) const fn new(scale: Scale<f32>) -> Self {
        Self {
            scale,
            kind: PhantomData,
        }
    }
}

/// The scale between two numbers of a format, the range rounded to it, all widened.
pub(crate) fn scale_between<F: Format>(min: f32, max: f32) -> Scale<f32> {
    Scale {
        min,
        range: F::widen(F::round(max - min)),
    }
}

impl<F: Format, A: Unit, const UNIT: bool> Rule for Sixteen<F, A, UNIT> {
    const WORDS: usize = 1;
    const SIZE: usize = 2;
    type Bytes = [u8; 2];

    #[inline(always)]
    fn element(self, word: u32, _: u32) -> [u8; 2] {
        let x = A::narrow(F::MANTISSA, word);
        if UNIT {
            return F::round(x).to_le_bytes();
        }
        let mut product = x * self.scale.range;
        if A::ROUNDS_PRODUCT {
            product = F::widen(F::round(product));
        }
        let mut sum = product + self.scale.min;
        if A::FUSES && sum < self.scale.min {
            sum = self.scale.min;
        }
        if sum.is_nan() { F::NAN } else { F::round(sum) }.to_le_bytes()
    }

    type Vectors<V: Pod> = [V; 1];

    #[inline(always)]
    fn vectors<S: Simd>(self, s: S, mut words: [S::V; 2]) -> [S::V; 1] {
        for v in &mut words {
            *v = A::narrow_vector(s, F::MANTISSA, *v);
        }
        if UNIT {
            return [F::exact_vector(s, words)];
        }
        for v in &mut words {
            let mut product = s.mul_f32(*v, s.splat32(self.scale.range.to_bits()));
            if A::ROUNDS_PRODUCT {
                product = F::round_vector(s, product);
            }
            *v = s.add_f32(product, s.splat32(self.scale.min.to_bits()));
        }
        [F::bits_vector(s, words)]
    }
}
