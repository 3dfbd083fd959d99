//! The order of `std::shuffle` in libstdc++.
//!
//! Source: `shuffle` in libstdc++'s `bits/stl_algo.h` and `uniform_int_distribution::_S_nd` in its `bits/uniform_int_dist.h`, as of
//! GCC 11.

use super::generator::{below, halves};
use super::twister::Mt;

/// The order of the numbers below `n` after `std::shuffle` with a `std::mt19937` of this seed.
pub(super) fn shuffled(seed: u64, n: usize) -> Option<Vec<usize>> {
    // One product of two bounds takes a word where it fits.
    let takes_pairs = n.checked_mul(n).is_some_and(|square| square <= 1 << 32);
    let mut words = Mt::default().words(halves(seed)[0], 2 * n + 64).into_iter();
    let mut below = |bound: usize| below(&mut words, bound);
    let mut list: Vec<usize> = (0..n).collect();
    let mut at = 1;
    if !takes_pairs {
        while at < n {
            list.swap(at, below(at + 1)?);
            at += 1;
        }
        return Some(list);
    }
    if n.is_multiple_of(2) {
        list.swap(at, below(2)?);
        at += 1;
    }
    while at < n {
        let pair = below((at + 1) * (at + 2))?;
        list.swap(at, pair / (at + 2));
        list.swap(at + 1, pair % (at + 2));
        at += 2;
    }
    Some(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// libstdc++ 12.
    #[test]
    fn orders_are_those_of_the_standard_library() {
        assert_eq!(shuffled(42, 12), Some(vec![1, 6, 7, 0, 5, 9, 11, 2, 10, 4, 3, 8]));
        assert_eq!(shuffled(42, 11), Some(vec![4, 7, 2, 10, 8, 5, 1, 9, 6, 0, 3]));
        let long = shuffled(7, 70_000).unwrap();
        assert_eq!(long[..6], [68737, 37819, 55518, 21721, 46481, 40530]);
    }
}
