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
    /// `floor((2^64 - 1) / divisor)`. For words of `n` bits its upper `n` bits are `floor((2^n - 1) /
    /// divisor)`.
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
        rest.min(rest.wrapping_sub(self.divisor))
    }

    /// The remainders of 32-bit lanes.
    #[inline(always)]
    pub(crate) fn remainders<S: Simd>(self, s: S, x: S::V) -> S::V {
        if let (Some(product), true) = (s.mul52(), u64::from(self.divisor) <= SMALL) {
            let small = Small::new(s, self.divisor.into(), self.reciprocal);
            let even = small.remainders(product, s.and(x, s.splat64(0xffff_ffff)));
            let odd = small.remainders(product, s.shr64(x, 32));
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

/// The largest divisor for products of 52 bits.
const SMALL: u64 = 1 << 20;

/// A divisor of at most [`SMALL`] in every 64-bit lane.
///
/// For `x` below 2^32 let `f = 2^52 / d + e` be the fraction, rounded up: `e < 1`. The low 52 bits of `x * f`
/// are 2^52 times what `x / d` has after the point, plus `e * x`. Times `d`, over 2^52, that is the remainder
/// plus `e * x * d / 2^52`, which is less than one.
#[derive(Clone, Copy)]
struct Small<V> {
    divisor: V,
    /// `ceil(2^52 / divisor)`, modulo 2^52.
    fraction: V,
    /// `floor((2^52 - 1) / divisor)`.
    reciprocal: V,
}

impl<V: Copy> Small<V> {
    #[inline(always)]
    fn new<S: Simd<V = V>>(s: S, divisor: u64, reciprocal: u64) -> Self {
        let reciprocal = reciprocal >> 12;
        Self {
            divisor: s.splat64(divisor),
            fraction: s.splat64(reciprocal + 1),
            reciprocal: s.splat64(reciprocal),
        }
    }

    /// The remainders of lanes below 2^32.
    #[inline(always)]
    fn remainders(self, product: impl Mul52<V>, x: V) -> V {
        product.high(product.low(x, self.fraction), self.divisor)
    }

    /// The remainders of any lanes: the high half's remainder stands for it, and what results has 52 bits.
    #[inline(always)]
    fn long_remainders<S: Simd<V = V>>(self, s: S, product: impl Mul52<V>, x: V) -> V {
        let high = self.remainders(product, s.shr64(x, 32));
        let x = s.or(s.shl64(high, 32), s.and(x, s.splat64(0xffff_ffff)));
        let quotient = product.high(x, self.reciprocal);
        let rest = s.sub64(x, product.low(quotient, self.divisor));
        s.min64(rest, s.sub64(rest, self.divisor))
    }
}

impl Divisor<u64> {
    /// `x` modulo the divisor.
    #[inline(always)]
    pub(crate) fn remainder(self, x: u64) -> u64 {
        let (_, quotient) = x.carrying_mul(self.reciprocal, 0);
        let rest = x - quotient * self.divisor;
        rest.min(rest.wrapping_sub(self.divisor))
    }

    /// The remainders of 64-bit lanes.
    #[inline(always)]
    pub(crate) fn remainders<S: Simd>(self, s: S, x: S::V) -> S::V {
        if let (Some(product), true) = (s.mul52(), self.divisor <= SMALL) {
            let small = Small::new(s, self.divisor, self.reciprocal);
            return small.long_remainders(s, product, x);
        }
        let (divisor, reciprocal) = (s.splat64(self.divisor), s.splat64(self.reciprocal));
        let (divisor_high, reciprocal_high) = (s.shr64(divisor, 32), s.shr64(reciprocal, 32));
        let x_high = s.shr64(x, 32);

        // The high half of the product by the reciprocal, from products of halves.
        let carried = s.shr64(s.mul(x, reciprocal), 32);
        let middle = s.add64(s.mul(x_high, reciprocal), carried);
        let low_middle = s.and(middle, s.splat64(0xffff_ffff));
        let other_middle = s.add64(s.mul(x, reciprocal_high), low_middle);
        let high = s.add64(s.mul(x_high, reciprocal_high), s.shr64(middle, 32));
        let quotient = s.add64(high, s.shr64(other_middle, 32));

        // The low half of the product by the divisor.
        let crossed = s.add64(
            s.mul(quotient, divisor_high),
            s.mul(s.shr64(quotient, 32), divisor),
        );
        let product = s.add64(s.mul(quotient, divisor), s.shl64(crossed, 32));
        let rest = s.sub64(x, product);
        s.min64(rest, s.sub64(rest, divisor))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Emulated;
    use proptest::prelude::*;

    /// Every lane's remainder, without and with products of 52 bits.
    fn assert_vectors_agree<S: Simd>(s: S, words: [u32; 16], d: u64) {
        let x = s.load(&words);
        if let Ok(d) = u32::try_from(d) {
            let mut rests = [0_u32; 16];
            s.store(&mut rests, Divisor::<u32>::new(d).unwrap().remainders(s, x));
            assert_eq!(rests, words.map(|word| word % d), "{words:?} % {d}");
        }
        let longs: [u64; 8] = bytemuck::cast(words);
        let mut rests = [0_u64; 8];
        s.store(&mut rests, Divisor::<u64>::new(d).unwrap().remainders(s, x));
        assert_eq!(rests, longs.map(|long| long % d), "{longs:?} % {d}");
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
        fn remainder_is_exact(x: u64, d in 1_u64.., shift in 0_u32..64, narrow: u32, e in 1_u32.., by in 0_u32..32) {
            let d = (d >> shift).max(1);
            let e = (e >> by).max(1);
            prop_assert_eq!(Divisor::<u64>::new(d).unwrap().remainder(x), x % d);
            prop_assert_eq!(Divisor::<u32>::new(e).unwrap().remainder(narrow), narrow % e);
        }
    }
}
