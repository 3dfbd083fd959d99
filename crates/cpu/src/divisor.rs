//! Remainders without division.
//!
//! Barrett reduction with one bit of slack: for words of `n` bits and `m = floor((2^n - 1) / d)`, the product
//! `x * m / 2^n` is less than one below `x / d`, since `2^n / d - m <= 1`. Its floor is the quotient or one
//! less, so `x - q * d` is the remainder or the remainder plus `d`, and one conditional subtraction ends it.
//! This holds for every divisor: 1, powers of two and the largest included.

use crate::bits::halves;
use crate::simd::{Mul52, Simd};

/// A divisor with its reciprocal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Divisor<W> {
    /// The divisor: not zero.
    pub(crate) divisor: W,
    /// `floor((2^64 - 1) / divisor)`. For words of `n` bits its upper `n` bits are `floor((2^n - 1) / divisor)`.
    reciprocal: u64,
}

impl<W: Into<u64> + Copy> Divisor<W> {
    /// `None` for zero.
    pub(crate) fn new(divisor: W) -> Option<Self> {
        let reciprocal = u64::MAX.checked_div(divisor.into())?;
        Some(Self { divisor, reciprocal })
    }
}

impl Divisor<u32> {
    /// `x` modulo the divisor.
    #[inline(always)]
    pub(crate) fn remainder(self, x: u32) -> u32 {
        let [_, reciprocal] = halves(self.reciprocal);
        let [_, quotient] = halves(u64::from(x) * u64::from(reciprocal));
        let rest = x - quotient * self.divisor;
        // The conditional subtraction: if `rest` is below the divisor, the difference wraps to a greater number.
        rest.min(rest.wrapping_sub(self.divisor))
    }

    /// The remainders of 32-bit lanes.
    #[inline(always)]
    pub(crate) fn remainders<S: Simd>(self, s: S, x: S::V) -> S::V {
        if let (Some(product), true) = (s.mul52(), u64::from(self.divisor) <= MAX_SMALL_DIVISOR) {
            let small = Small::new(s, self.divisor.into(), self.reciprocal);
            let even = small.remainders(s, product, s.and(x, s.splat64(0xffff_ffff)));
            let odd = small.remainders(s, product, s.shr64(x, 32));
            return s.or(even, s.shl64(odd, 32));
        }
        let [_, reciprocal] = halves(self.reciprocal);
        let (divisor, reciprocal) = (s.splat32(self.divisor), s.splat32(reciprocal));
        let even = s.mul(x, reciprocal);
        let odd = s.mul(s.shr64(x, 32), reciprocal);
        let quotient = s.high_halves(even, odd);
        let rest = s.sub32(x, s.mul32(quotient, divisor));
        s.min32(rest, s.sub32(rest, divisor))
    }
}

/// The largest divisor for products of 52 bits: up to it, the error `e * x * d / 2^52` of [`Small`] is less
/// than one for every 32-bit `x`.
const MAX_SMALL_DIVISOR: u64 = 1 << 20;

/// A divisor of at most [`MAX_SMALL_DIVISOR`] in every 64-bit lane.
///
/// For `x` below 2^32 let `f = 2^52 / d + e` be the fraction, rounded up: `e < 1`. The low 52 bits of `x * f`
/// are 2^52 times what `x / d` has after the point, plus `e * x`. Times `d`, over 2^52, that is the remainder
/// plus `e * x * d / 2^52`, which is less than one.
#[derive(Clone, Copy)]
struct Small<V> {
    divisor: V,
    /// `ceil(2^52 / divisor)`, modulo 2^52.
    fraction: V,
}

impl<V: Copy> Small<V> {
    #[inline(always)]
    fn new<S: Simd<V = V>>(s: S, divisor: u64, reciprocal: u64) -> Self {
        Self {
            divisor: s.splat64(divisor),
            fraction: s.splat64((reciprocal >> 12) + 1),
        }
    }

    /// The remainders of lanes below 2^32.
    #[inline(always)]
    fn remainders<S: Simd<V = V>>(self, s: S, product: S::Mul52, x: V) -> V {
        product.high(product.low(s.splat64(0), x, self.fraction), self.divisor)
    }
}

/// Long lanes. A quotient from the upper bits of a lane and of the reciprocal is too small, because both leave out
/// bits. The doc of each function bounds this error, and counts its instructions of AVX-512; AVX2 takes as many.
impl Divisor<u64> {
    /// `x` modulo the divisor.
    #[inline(always)]
    pub(crate) fn remainder(self, x: u64) -> u64 {
        let (_, quotient) = x.carrying_mul(self.reciprocal, 0);
        let rest = x - quotient * self.divisor;
        rest.min(rest.wrapping_sub(self.divisor))
    }

    /// The remainders of 64-bit lanes. The way depends on the divisor alone and is chosen once for both vectors.
    #[inline(always)]
    pub(crate) fn remainders<S: Simd>(self, s: S, mut vectors: [S::V; 2]) -> [S::V; 2] {
        let bits = u64::BITS - self.divisor.leading_zeros();
        macro_rules! each {
            ($x:ident => $rest:expr) => {
                for $x in &mut vectors {
                    *$x = $rest;
                }
            };
        }
        match (s.mul52(), bits) {
            (Some(product), ..15) => each!(x => self.folded_remainders(s, product, *x)),
            (Some(product), ..52) => each!(x => self.remainders_of_52_bits(s, product, *x)),
            (None, ..6) => each!(x => self.tiny_remainders(s, *x)),
            (None, ..33) => each!(x => self.narrow_remainders(s, *x)),
            (_, 33) => each!(x => self.wide_remainders::<S, true>(s, *x)),
            (_, ..64) => each!(x => self.wide_remainders::<S, false>(s, *x)),
            // A divisor of 64 bits fits at most once.
            _ => each!(x => s.min64(*x, s.sub64(*x, s.splat64(self.divisor)))),
        }
        vectors
    }

    /// [`Self::remainders`] by divisors below 2^14, in 8 instructions: the upper 13 bits times the remainder of 2^51
    /// join the lower 51, so that 52 bits are left.
    #[inline(always)]
    fn folded_remainders<S: Simd>(self, s: S, product: S::Mul52, x: S::V) -> S::V {
        let divisor = s.splat64(self.divisor);
        let lower = s.and(x, s.splat64((1 << 51) - 1));
        let x = product.low(lower, s.shr64(x, 51), s.splat64((1 << 51) % self.divisor));
        let quotient = product.high(x, s.splat64(self.reciprocal >> 12));
        let rest = s.sub64(x, product.low(s.splat64(0), quotient, divisor));
        s.reduce64(rest, divisor)
    }

    /// [`Self::remainders`] by divisors from 2^14 to 2^51, in 6 instructions: the bits of the lane that are left out
    /// lessen the quotient by less than 2^13 / divisor, those of the reciprocal by less than 1/2. What is left is less
    /// than 2^52, so that products need no more bits.
    #[inline(always)]
    fn remainders_of_52_bits<S: Simd>(self, s: S, product: S::Mul52, x: S::V) -> S::V {
        let quotient = product.high(s.shr64(x, 13), s.splat64(self.double_reciprocal()));
        let rest = product.low(x, quotient, s.splat64(self.divisor.wrapping_neg()));
        let rest = s.and(rest, s.splat64((1 << 52) - 1));
        s.reduce64(rest, s.splat64(self.divisor))
    }

    /// [`Self::remainders`] by divisors from 2^32 to 2^63, in 10 instructions: the bits of the lane that are left out
    /// lessen the quotient by less than 2^32 / divisor, those of the reciprocal by less than 1/2. Below 2^33 both can
    /// come to 2, in 12 instructions.
    #[inline(always)]
    fn wide_remainders<S: Simd, const TWICE: bool>(self, s: S, x: S::V) -> S::V {
        let divisor = s.splat64(self.divisor);
        let x_high = s.swap(x);
        let quotient = if TWICE {
            s.shr64(s.mul(x_high, s.splat64(self.reciprocal)), 32)
        } else {
            s.shr64(s.mul(x_high, s.splat64(self.double_reciprocal())), 33)
        };
        // The quotient's high half is zero.
        let crossed = s.mul32(s.swap(quotient), divisor);
        let product = s.add64(s.mul(quotient, divisor), crossed);
        let rest = s.reduce64(s.sub64(x, product), divisor);
        if TWICE { s.reduce64(rest, divisor) } else { rest }
    }

    /// [`Self::remainders`] by divisors from 32 to 2^32, in 13 instructions. With `2^k` the power of two up to the
    /// divisor, the quotient by the divisor times `2^(32 - k)` is at most 2 too small, and leaves less than 3 times
    /// that number, 35 bits. What is left out then lessens the quotient by less than 8 / divisor + 3/4.
    #[inline(always)]
    fn narrow_remainders<S: Simd>(self, s: S, x: S::V) -> S::V {
        let by = self.divisor.leading_zeros() - 31;
        let divisor = s.splat64(self.divisor);
        let quotient = s.swap(s.mul(s.swap(x), s.splat64(self.reciprocal >> by)));
        let x = s.sub64(x, s.shl64(s.mul(quotient, divisor), by));
        let quotient = s.swap(s.mul(s.shr64(x, 3), s.splat64(self.reciprocal >> 29)));
        s.reduce64(s.sub64(x, s.mul(quotient, divisor)), divisor)
    }

    /// [`Self::remainders`] by divisors below 32, in 17 instructions: 32 times the divisor leaves less than 2^10, of
    /// which 16 bits of the reciprocal, rounded up, give the quotient.
    #[inline(always)]
    fn tiny_remainders<S: Simd>(self, s: S, x: S::V) -> S::V {
        let multiple = Self {
            divisor: self.divisor << 5,
            reciprocal: self.reciprocal >> 5,
        };
        let x = multiple.narrow_remainders(s, x);
        let quotient = s.shr64(s.mul(x, s.splat64((self.reciprocal >> 48) + 1)), 16);
        s.sub64(x, s.mul(quotient, s.splat64(self.divisor)))
    }

    /// `floor((2^65 - 1) / divisor)` for divisors above 1.
    #[inline(always)]
    fn double_reciprocal(self) -> u64 {
        let rest = u64::MAX - self.reciprocal * self.divisor;
        2 * self.reciprocal + u64::from(rest >= self.divisor / 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::Level;
    use crate::simd::{Emulated, Kernel};
    use proptest::prelude::*;

    /// Every lane's remainder, without and with products of 52 bits.
    fn assert_vectors_agree<S: Simd>(s: S, words: [u32; 16], d: u64) {
        let x = s.load(&words);
        if let Ok(d) = u32::try_from(d) {
            let mut rests = [0_u32; 16];
            s.store(&mut rests, Divisor::<u32>::new(d).unwrap().remainders(s, x));
            assert_eq!(rests, words.map(|word| word % d), "{words:?} % {d}");
        }
    }

    /// Remainders of sixteen numbers.
    struct Remainders {
        numbers: [u64; 16],
        divisor: Divisor<u64>,
    }

    impl Kernel for Remainders {
        type Output = [u64; 16];
        const DIVIDES: bool = true;

        fn scalar(self) -> [u64; 16] {
            self.numbers.map(|number| self.divisor.remainder(number))
        }

        #[inline(always)]
        fn vector<S: Simd, const GROUPS: usize>(self, s: S) -> [u64; 16] {
            let mut rests = self.numbers;
            for numbers in rests.chunks_exact_mut(S::WORDS) {
                let (a, b) = numbers.split_at_mut(S::WORDS / 2);
                let [rest_a, rest_b] = self.divisor.remainders(s, [s.load(a), s.load(b)]);
                s.store(a, rest_a);
                s.store(b, rest_b);
            }
            rests
        }
    }

    /// Remainders by every level, of numbers and of the nearest multiples of the divisor and their neighbours.
    fn assert_long_remainders_agree(numbers: [u64; 16], d: u64) {
        let divisor = Divisor::<u64>::new(d).unwrap();
        let multiples = numbers.map(|x| x / d * d);
        for numbers in [
            numbers,
            multiples,
            multiples.map(|x| x.saturating_add(d - 1)),
            multiples.map(|x| x.saturating_sub(1)),
        ] {
            for level in Level::detect().into_iter().chain(Level::emulated()) {
                assert_eq!(
                    level.run(Remainders { numbers, divisor }),
                    numbers.map(|x| x % d),
                    "{}: {numbers:?} % {d}",
                    level.name()
                );
            }
        }
    }

    /// Multiples of a divisor and their neighbours, where a quotient is most easily wrong.
    fn near_multiples(d: u64, words: [u32; 16]) -> [u32; 16] {
        let near = |word: u32| u64::from(word) / d * d + u64::from(word) % 3;
        words.map(|word| u32::try_from(near(word).saturating_sub(1)).unwrap_or(u32::MAX))
    }

    #[test]
    fn remainders_by_the_edges_of_small_divisors_are_exact() {
        let words = std::array::from_fn(|i| u32::MAX - u32::try_from(i / 2 * i).unwrap());
        for d in edges(21).into_iter().filter(|&d| d != 0) {
            for words in [words, near_multiples(d, words)] {
                assert_vectors_agree(Emulated::<false>, words, d);
                assert_vectors_agree(Emulated::<true>, words, d);
            }
        }
    }

    /// Values where quotients are most easily one too small.
    fn edges(bits: u32) -> Vec<u64> {
        let max = u64::MAX >> (64 - bits);
        (0..bits)
            .flat_map(|bit| {
                let power = 1_u64 << bit;
                [
                    power.wrapping_sub(1) & max,
                    power,
                    power + 1,
                    max - power,
                    max - power + 1,
                ]
            })
            .chain([0, 1, 2, 3, 5, 7, 10, 50, 99, 100, 1000, max])
            .collect()
    }

    #[test]
    fn remainder_of_32_bits_is_exact_at_the_edges() {
        let edges: Vec<u32> = edges(32).into_iter().map(|x| u32::try_from(x).unwrap()).collect();
        for &d in edges.iter().filter(|&&d| d != 0) {
            let divisor = Divisor::<u32>::new(d).unwrap();
            for &x in &edges {
                for x in [x, x.wrapping_mul(d), x.wrapping_mul(d).wrapping_sub(1)] {
                    assert_eq!(divisor.remainder(x), x % d, "{x} % {d}");
                }
            }
        }
    }

    #[test]
    fn remainder_of_64_bits_is_exact_at_the_edges() {
        let edges = edges(64);
        for &d in edges.iter().filter(|&&d| d != 0) {
            let divisor = Divisor::<u64>::new(d).unwrap();
            for &x in &edges {
                for x in [x, x.wrapping_mul(d), x.wrapping_mul(d).wrapping_sub(1)] {
                    assert_eq!(divisor.remainder(x), x % d, "{x} % {d}");
                }
            }
            for numbers in edges.as_chunks::<16>().0 {
                assert_long_remainders_agree(*numbers, d);
            }
        }
    }

    #[test]
    fn divisor_of_zero_is_refused() {
        assert!(Divisor::<u32>::new(0).is_none());
        assert!(Divisor::<u64>::new(0).is_none());
    }

    proptest! {
        #[test]
        fn remainders_of_vectors_are_exact(words: [u32; 16], d in 1_u64.., shift in 0_u32..64) {
            let d = (d >> shift).max(1);
            for words in [words, near_multiples(d, words)] {
                assert_vectors_agree(Emulated::<false>, words, d);
                assert_vectors_agree(Emulated::<true>, words, d);
            }
        }

        #[test]
        fn long_remainders_of_vectors_are_exact(numbers: [u64; 16], shift in 0_u32..64, d in 1_u64.., by in 0_u32..64) {
            assert_long_remainders_agree(numbers.map(|x| x >> shift), (d >> by).max(1));
            // The upper bits of these leave out the most.
            assert_long_remainders_agree(numbers.map(|x| x | u64::MAX >> shift), (d >> by).max(1));
        }

        #[test]
        fn remainder_is_exact(x: u64, d in 1_u64.., shift in 0_u32..64, narrow: u32, e in 1_u32.., by in 0_u32..32) {
            let d = (d >> shift).max(1);
            let e = (e >> by).max(1);
            prop_assert_eq!(Divisor::<u64>::new(d).unwrap().remainder(x), x % d);
            prop_assert_eq!(Divisor::<u32>::new(e).unwrap().remainder(narrow), narrow % e);
        }
    }
}
