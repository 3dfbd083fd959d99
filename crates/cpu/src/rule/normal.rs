//! Normals of f32, f16 and bf16 by Box-Muller: two words make a radius and an angle, and these two normals.
//!
//! Source: `random_distributions.h` of TensorFlow, `DistributionTemplates.h` and `PhiloxDistribution` of PyTorch, as
//! the reading `spec` has them. All compute in f32 with the functions of the C library, and round halves once.

use std::marker::PhantomData;

use bytemuck::Pod;
use seedproof_transcend::glibc::{cosf, logf, sinf};

use super::sixteen::Format;
use super::{Pytorch, Rule, Scale, Tensorflow, Unit};
use crate::glibc;
use crate::simd::Simd;

/// The most words whose normals are made together.
const MOST_WORDS: usize = 16;

/// The way of a framework from words to normals.
pub(crate) trait Pair: Copy + Send + Sync + 'static {
    /// The distance between the two words of a pair, which is that of its two normals.
    const APART: usize;
    /// Whether the sine is the first normal of a pair.
    const SINE_FIRST: bool;

    /// The number of `(0, 1]` whose logarithm makes the radius.
    fn radius(word: u32) -> f32;
    /// The angle in `[0, 2 pi]`.
    fn angle(word: u32) -> f32;
    /// A normal times the range, which is the standard deviation, plus the minimum, which is the mean.
    fn scale(normal: f32, scale: Scale<f32>) -> f32;

    /// [`Self::radius`] of every word.
    fn radius_vector<S: Simd>(s: S, words: S::V) -> S::V;
    /// [`Self::angle`] of every word.
    fn angle_vector<S: Simd>(s: S, words: S::V) -> S::V;
    /// [`Self::scale`] of every normal.
    fn scale_vector<S: Simd>(s: S, normals: S::V, scale: Scale<f32>) -> S::V;

    /// The first and the second words of the pairs in two vectors, pair by pair.
    #[inline(always)]
    fn part<S: Simd>(s: S, [a, b]: [S::V; 2]) -> [S::V; 2] {
        [s.high_halves(s.swap(a), s.swap(b)), s.high_halves(a, b)]
    }

    /// Undoes [`Self::part`].
    #[inline(always)]
    fn join<S: Simd>(s: S, normals: [S::V; 2]) -> [S::V; 2] {
        // The low halves of 64-bit lanes are words of one vector, and the high halves those of the other.
        Self::part(s, normals)
    }
}

/// f32(2 pi u), where the product is one of doubles.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "the rounding is the point")]
fn turn(u: f32) -> f32 {
    (std::f64::consts::TAU * f64::from(u)) as f32
}

/// [`turn`] of every lane.
#[inline(always)]
fn turn_vector<S: Simd>(s: S, u: S::V) -> S::V {
    let tau = s.splat64(std::f64::consts::TAU.to_bits());
    let [low, high] = s.widen_f32(u);
    s.round_f32([s.mul_f64(low, tau), s.mul_f64(high, tau)])
}

impl Pair for Tensorflow {
    const APART: usize = 1;
    const SINE_FIRST: bool = true;

    /// Zero, the one number below 1e-7, has no logarithm, so that 1e-7 stands for it.
    #[inline(always)]
    fn radius(word: u32) -> f32 {
        Self::narrow(23, word).max(1e-7)
    }

    #[inline(always)]
    fn angle(word: u32) -> f32 {
        turn(Self::narrow(23, word))
    }

    #[inline(always)]
    fn scale(normal: f32, _: Scale<f32>) -> f32 {
        normal
    }

    #[inline(always)]
    fn radius_vector<S: Simd>(s: S, words: S::V) -> S::V {
        // Floats that are not negative are in the order of their bits. What is missing from the smaller of two numbers
        // makes it the greater.
        let (u, least) = (Self::narrow_vector(s, 23, words), s.splat32(1e-7_f32.to_bits()));
        s.add32(u, s.sub32(least, s.min32(u, least)))
    }

    #[inline(always)]
    fn angle_vector<S: Simd>(s: S, words: S::V) -> S::V {
        turn_vector(s, Self::narrow_vector(s, 23, words))
    }

    #[inline(always)]
    fn scale_vector<S: Simd>(_: S, normals: S::V, _: Scale<f32>) -> S::V {
        normals
    }
}

/// `torch.func._random.normal`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Keyed;

impl Keyed {
    const UNIT: f32 = 1.0 / 4_294_967_296.0;

    /// A word, rounded to f32, times 2^-32, and 2^-33. The product is exact, so that a fused sum would be the same.
    #[inline(always)]
    #[expect(clippy::cast_precision_loss, reason = "the rounding is the point")]
    fn uniform(word: u32) -> f32 {
        word as f32 * Self::UNIT + Self::UNIT / 2.0
    }

    /// [`Self::uniform`] of every word.
    #[inline(always)]
    fn uniform_vector<S: Simd>(s: S, words: S::V) -> S::V {
        // The instruction that converts words takes them as signed. As the last bits of the double 2^52 they are exact,
        // and 2^52 is subtracted.
        let base = s.splat64(0x4330_0000_0000_0000);
        let [low, high] = s.widen(words);
        let numbers = s.round_f32([
            s.sub_f64(s.or(low, base), base),
            s.sub_f64(s.or(high, base), base),
        ]);
        let product = s.mul_f32(numbers, s.splat32(Self::UNIT.to_bits()));
        s.add_f32(product, s.splat32((Self::UNIT / 2.0).to_bits()))
    }
}

impl Pair for Keyed {
    const APART: usize = 1;
    const SINE_FIRST: bool = false;

    #[inline(always)]
    fn radius(word: u32) -> f32 {
        Self::uniform(word)
    }

    #[inline(always)]
    fn angle(word: u32) -> f32 {
        std::f32::consts::TAU * Self::uniform(word)
    }

    #[inline(always)]
    fn scale(normal: f32, scale: Scale<f32>) -> f32 {
        normal * scale.range + scale.min
    }

    #[inline(always)]
    fn radius_vector<S: Simd>(s: S, words: S::V) -> S::V {
        Self::uniform_vector(s, words)
    }

    #[inline(always)]
    fn angle_vector<S: Simd>(s: S, words: S::V) -> S::V {
        let tau = s.splat32(std::f32::consts::TAU.to_bits());
        s.mul_f32(tau, Self::uniform_vector(s, words))
    }

    #[inline(always)]
    fn scale_vector<S: Simd>(s: S, normals: S::V, scale: Scale<f32>) -> S::V {
        let product = s.mul_f32(normals, s.splat32(scale.range.to_bits()));
        s.add_f32(product, s.splat32(scale.min.to_bits()))
    }
}

/// `torch.Tensor.normal_`, sixteen at a time: the first eight words make radii, and the others angles.
impl Pair for Pytorch {
    const APART: usize = 8;
    const SINE_FIRST: bool = false;

    #[inline(always)]
    fn radius(word: u32) -> f32 {
        1.0 - Self::narrow(23, word)
    }

    #[inline(always)]
    fn angle(word: u32) -> f32 {
        turn(Self::narrow(23, word))
    }

    #[inline(always)]
    fn scale(normal: f32, scale: Scale<f32>) -> f32 {
        normal.mul_add(scale.range, scale.min)
    }

    #[inline(always)]
    fn radius_vector<S: Simd>(s: S, words: S::V) -> S::V {
        s.sub_f32(s.splat32(1.0_f32.to_bits()), Self::narrow_vector(s, 23, words))
    }

    #[inline(always)]
    fn angle_vector<S: Simd>(s: S, words: S::V) -> S::V {
        turn_vector(s, Self::narrow_vector(s, 23, words))
    }

    #[inline(always)]
    fn scale_vector<S: Simd>(s: S, normals: S::V, scale: Scale<f32>) -> S::V {
        let (range, min) = (scale.range.to_bits(), scale.min.to_bits());
        s.fma_f32(normals, s.splat32(range), s.splat32(min))
    }

    #[inline(always)]
    fn part<S: Simd>(s: S, words: [S::V; 2]) -> [S::V; 2] {
        s.alternate(words)
    }
}

/// Normals of one framework and type: `F` is [`Single`] or a 16-bit format.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Normal<P, F> {
    /// The standard deviation and the mean. If either is not finite, the scalar code alone makes NaN canonical.
    scale: Scale<f32>,
    kind: PhantomData<(P, F)>,
}

/// f32.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Single;

impl<P: Pair, F: Copy> Normal<P, F> {
    pub(crate) const fn new(scale: Scale<f32>) -> Self {
        Self {
            scale,
            kind: PhantomData,
        }
    }

    /// The normals of a pair of words, in order.
    #[inline(always)]
    fn pair(self, first: u32, second: u32) -> [f32; 2] {
        let radius = (-2.0 * logf(P::radius(first))).sqrt();
        let angle = P::angle(second);
        let [sine, cosine] =
            [sinf(angle), cosf(angle)].map(|direction| P::scale(radius * direction, self.scale));
        if P::SINE_FIRST {
            [sine, cosine]
        } else {
            [cosine, sine]
        }
    }

    /// [`Self::pair`] of every pair.
    #[inline(always)]
    fn pairs<S: Simd>(self, s: S, words: [S::V; 2]) -> [S::V; 2] {
        let [first, second] = P::part(s, words);
        let log = glibc::log(s, P::radius_vector(s, first));
        let radius = s.sqrt_f32(s.mul_f32(s.splat32((-2.0_f32).to_bits()), log));
        let [sine, cosine] = glibc::sine_and_cosine(s, P::angle_vector(s, second));
        let sine = P::scale_vector(s, s.mul_f32(radius, sine), self.scale);
        let cosine = P::scale_vector(s, s.mul_f32(radius, cosine), self.scale);
        let normals = if P::SINE_FIRST {
            [sine, cosine]
        } else {
            [cosine, sine]
        };
        P::join(s, normals)
    }

    /// Writes the elements of whole pairs of words, as many as `out` holds.
    #[inline(always)]
    fn write<const SIZE: usize>(self, words: &[u32], out: &mut [u8], element: impl Fn(f32) -> [u8; SIZE]) {
        let out = out.chunks_mut(2 * P::APART * SIZE);
        for (out, words) in out.zip(words.chunks_exact(2 * P::APART)) {
            let mut normals = [0.0; MOST_WORDS];
            for i in 0..P::APART {
                [normals[i], normals[i + P::APART]] = self.pair(words[i], words[i + P::APART]);
            }
            for (out, normal) in out.chunks_exact_mut(SIZE).zip(normals) {
                out.copy_from_slice(&element(normal));
            }
        }
    }
}

/// The bytes of an f32, of which NaN is the canonical one.
fn single(x: f32) -> [u8; 4] {
    if x.is_nan() { f32::NAN } else { x }.to_le_bytes()
}

/// The bytes of a 16-bit float, of which NaN is the canonical one.
fn sixteen<F: Format>(x: f32) -> [u8; 2] {
    if x.is_nan() { F::NAN } else { F::round(x) }.to_le_bytes()
}

/// The bytes of a normal that was made in double.
pub(crate) trait Narrowed: Rule {
    /// The bytes of a number that is rounded to f32, and then to the type.
    fn narrow(x: f32) -> Self::Bytes;
}

impl<P: Pair> Narrowed for Normal<P, Single> {
    fn narrow(x: f32) -> [u8; 4] {
        single(x)
    }
}

impl<P: Pair, F: Format> Narrowed for Normal<P, F> {
    fn narrow(x: f32) -> [u8; 2] {
        sixteen::<F>(x)
    }
}

impl<P: Pair> Rule for Normal<P, Single> {
    const WORDS: usize = 1;
    const SIZE: usize = 4;
    const GROUP: usize = 2 * P::APART;
    type Bytes = [u8; 4];

    #[inline(always)]
    fn element(self, first: u32, second: u32) -> [u8; 4] {
        single(self.pair(first, second)[0])
    }

    type Vectors<V: Pod> = [V; 2];

    #[inline(always)]
    fn vectors<S: Simd>(self, s: S, words: [S::V; 2]) -> [S::V; 2] {
        self.pairs(s, words)
    }

    #[inline(always)]
    fn elements(self, words: &[u32], out: &mut [u8]) {
        self.write(words, out, single);
    }
}

impl<P: Pair, F: Format> Rule for Normal<P, F> {
    const WORDS: usize = 1;
    const SIZE: usize = 2;
    const GROUP: usize = 2 * P::APART;
    type Bytes = [u8; 2];

    #[inline(always)]
    fn element(self, first: u32, second: u32) -> [u8; 2] {
        sixteen::<F>(self.pair(first, second)[0])
    }

    type Vectors<V: Pod> = [V; 1];

    #[inline(always)]
    fn vectors<S: Simd>(self, s: S, words: [S::V; 2]) -> [S::V; 1] {
        [F::bits_vector(s, self.pairs(s, words))]
    }

    #[inline(always)]
    fn elements(self, words: &[u32], out: &mut [u8]) {
        self.write(words, out, sixteen::<F>);
    }
}
