//! Remainders without division.
//!
//! Barrett reduction with one bit of slack: for words of `n` bits and `m = floor((2^n - 1) / d)`, the product
//! `x * m / 2^n` is less than one below `x / d`, since `2^n / d - m <= 1`. Its floor is the quotient or one less,
//! so `x - q * d` is the remainder or the remainder plus `d`, and one conditional subtraction ends it. This holds
//! for every divisor: 1, powers of two and the largest included.

use crate::simd::Simd;

/// A divisor with its reciprocal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Divisor<W> {
    /// The divisor: not zero.
    pub(crate) divisor: W,
    /// `floor((2^n - 1) / divisor)`.
    pub(crate) reciprocal: W,
}

macro_rules! divisor {
    ($word:ty) => {
        impl Divisor<$word> {
            /// `None` for zero.
            pub(crate) const fn new(divisor: $word) -> Option<Self> {
                match <$word>::MAX.checked_div(divisor) {
                    Some(reciprocal) => Some(Self {
                        divisor,
                        reciprocal,
                    }),
                    None => None,
                }
            }

            /// `x` modulo the divisor.
            #[inline(always)]
            pub(crate) fn remainder(self, x: $word) -> $word {
                let (_, quotient) = x.carrying_mul(self.reciprocal, 0);
                let rest = x - quotient * self.divisor;
                rest.min(rest.wrapping_sub(self.divisor))
            }
        }
    };
}

divisor!(u32);
divisor!(u64);

impl Divisor<u32> {
    /// The remainders of 32-bit lanes.
    #[inline(always)]
    pub(crate) fn remainders<S: Simd>(self, s: S, x: S::V) -> S::V {
        let (divisor, reciprocal) = (s.splat32(self.divisor), s.splat32(self.reciprocal));
        let even = s.mul(x, reciprocal);
        let odd = s.mul(s.shr64(x, 32), reciprocal);
        let quotient = s.high_halves(even, odd);
        let rest = s.sub32(x, s.mul32(quotient, divisor));
        s.min32(rest, s.sub32(rest, divisor))
    }
}

impl Divisor<u64> {
    /// The remainders of 64-bit lanes.
    #[inline(always)]
    pub(crate) fn remainders<S: Simd>(self, s: S, x: S::V) -> S::V {
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
    use proptest::prelude::*;

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
        fn remainder_is_exact(x: u64, d in 1_u64.., shift in 0_u32..64, narrow: u32, e in 1_u32.., by in 0_u32..32) {
            let d = (d >> shift).max(1);
            let e = (e >> by).max(1);
            prop_assert_eq!(Divisor::<u64>::new(d).unwrap().remainder(x), x % d);
            prop_assert_eq!(Divisor::<u32>::new(e).unwrap().remainder(narrow), narrow % e);
        }
    }
}
