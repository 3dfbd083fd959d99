//! The orders of Python's `random`: `shuffle` and `sample`.
//!
//! Source: `shuffle`, `sample` and `_randbelow_with_getrandbits` in CPython's `Lib/random.py`, as of 3.11.

use std::iter;

use super::generator::number;
use super::numbers::negative;
use super::twister::Mt;

/// Whole numbers below a bound, from the words after `random.seed`.
pub(super) struct Random {
    words: Vec<u32>,
    next: usize,
}

impl Random {
    /// With words for this many numbers. A number takes two words on average, and takes four times as many hardly ever.
    pub(super) fn new(seed: u64, numbers: usize) -> Self {
        Self {
            words: words(seed, 4 * numbers + 64),
            next: 0,
        }
    }

    /// `None` after the last word.
    fn below(&mut self, bound: usize) -> Option<usize> {
        let bits = usize::BITS - bound.leading_zeros();
        loop {
            let word = *self.words.get(self.next)?;
            self.next += 1;
            let number = usize::try_from(word >> (32 - bits)).ok()?;
            if number < bound {
                return Some(number);
            }
        }
    }

    /// Whole numbers below the same bound, up to the last word.
    pub(super) fn numbers(mut self, bound: usize) -> impl Iterator<Item = u64> {
        iter::from_fn(move || u64::try_from(self.below(bound)?).ok())
    }
}

/// The words after `random.seed(seed)`, which drops the sign.
pub(super) fn words(seed: u64, count: usize) -> Vec<u32> {
    let seed = negative(seed).map_or(seed, i64::unsigned_abs);
    Mt::default().words_of_list(&number(seed), count)
}

/// `x = list(range(n)); random.shuffle(x)` after `random.seed(seed)`.
pub(super) fn shuffled(seed: u64, n: usize) -> Option<Vec<usize>> {
    let mut random = Random::new(seed, n);
    let mut list: Vec<usize> = (0..n).collect();
    for i in (1..n).rev() {
        let j = random.below(i + 1)?;
        list.swap(i, j);
    }
    Some(list)
}

/// Whether `sample` of `all` things keeps the chosen ones in a set, and draws again where it meets one of them. Up to a size
/// Python makes a list of all things, which is cheaper.
pub(super) fn is_set(count: usize, all: u64) -> bool {
    let mut size = 21;
    if count > 5 {
        let least = u64::try_from(3 * count).unwrap_or(u64::MAX);
        let mut powers = (0..31).map(|i| 1 << (2 * i));
        size += powers.find(|power| *power >= least).unwrap_or(u64::MAX / 2);
    }
    all > size
}

/// `random.sample(range(n), k)` after `random.seed(seed)`.
pub(super) fn sample(seed: u64, n: usize, k: usize) -> Option<Vec<usize>> {
    let mut random = Random::new(seed, k);
    let mut chosen = Vec::with_capacity(k);
    if is_set(k, u64::try_from(n).ok()?) {
        let mut is_taken = vec![false; n];
        while chosen.len() < k {
            let j = random.below(n)?;
            if !std::mem::replace(&mut is_taken[j], true) {
                chosen.push(j);
            }
        }
    } else {
        let mut pool: Vec<usize> = (0..n).collect();
        for i in 0..k {
            let j = random.below(n - i)?;
            chosen.push(pool[j]);
            pool[j] = pool[n - i - 1];
        }
    }
    Some(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// CPython 3.11.
    #[test]
    fn orders_are_those_of_python() {
        assert_eq!(shuffled(4, 12), Some(vec![11, 2, 8, 10, 5, 0, 9, 7, 6, 1, 4, 3]));
        assert_eq!(sample(5, 40, 7), Some(vec![39, 16, 22, 33, 1, 29, 15]));
        assert_eq!(
            sample((1 << 40) + 1, 1000, 6),
            Some(vec![179, 16, 849, 726, 544, 899])
        );
        assert_eq!(words(5_u64.wrapping_neg(), 4), words(5, 4));
    }
}
