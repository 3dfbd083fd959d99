//! Remainders without division.
//!
//! Barrett reduction with one bit of slack: for words of `n` bits and `m = floor((2^n - 1) / d)`, the product
//! `x * m / 2^n` is less than one below `x / d`, since `2^n / d - m <= 1`. Its floor is the quotient or one less,
//! so `x - q * d` is the remainder or the remainder plus `d`, and one conditional subtraction ends it. This holds
//! for every divisor: 1, powers of two and the largest included.

/// A divisor with its reciprocal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Divisor<W> {
    /// The divisor: not zero.
    pub(crate) divisor: W,
    /// `floor((2^n - 1) / divisor)`.
    pub(crate) reciprocal: W,
}

macro_rules! divisor {
    ($word:ty, $wide:ty) => {
        impl Divisor<$word> {
            /// `None` for zero.
            pub(crate) const fn new(divisor: $word) -> Option<Self> {
                match <$word>::MAX.checked_div(divisor) {
                    Some(reciprocal) => Some(Self { divisor, reciprocal }),
                    None => None,
                }
            }

            /// `x` modulo the divisor.
            #[inline(always)]
            #[expect(
                clippy::cast_possible_truncation,
                reason = "the high half of a double-width product fits the width"
            )]
            pub(crate) fn remainder(self, x: $word) -> $word {
                let quotient =
                    ((<$wide>::from(x) * <$wide>::from(self.reciprocal)) >> <$word>::BITS) as $word;
                let rest = x - quotient * self.divisor;
                rest.min(rest.wrapping_sub(self.divisor))
            }
        }
    };
}

divisor!(u32, u64);
divisor!(u64, u128);

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
                [power.wrapping_sub(1) & max, power, power + 1, max - power, max - power + 1]
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
