//! Choices of NumPy's `Generator` without replacement.
//!
//! Source: `Generator.choice` in NumPy's `random/_generator.pyx`, and `buffered_bounded_lemire_uint32` in `distributions.c`, as of
//! 2.4.

use std::collections::HashSet;

use super::generator::{below, number, numpy};

/// `default_rng(seed).choice(n, k, replace=False)`.
pub(super) fn chosen(seed: u64, n: usize, k: usize) -> Option<Vec<usize>> {
    let first = n.checked_sub(k)?;
    // Each number takes a word or, hardly ever, two.
    let mut words = numpy(&number(seed), 4 * k + 64).into_iter();
    // A large share of many things is the end of a shuffled list. Of others each is drawn by itself, by Floyd's algorithm.
    if n > 10_000 && k > n / 50 {
        let mut all: Vec<usize> = (0..n).collect();
        shuffle(&mut all, first.max(1), &mut words)?;
        return Some(all.split_off(first));
    }
    let mut is_taken = HashSet::new();
    let mut all = Vec::with_capacity(k);
    for last in first..n {
        // A range of one number takes no word.
        let drawn = if last == 0 {
            0
        } else {
            below(&mut words, last + 1)?
        };
        let number = if is_taken.insert(drawn) { drawn } else { last };
        is_taken.insert(number);
        all.push(number);
    }
    shuffle(&mut all, 1, &mut words)?;
    Some(all)
}

/// Exchanges the last places of a list with any before them, down to `first`. `None` after the last word.
fn shuffle(list: &mut [usize], first: usize, words: &mut impl Iterator<Item = u32>) -> Option<()> {
    for i in (first..list.len()).rev() {
        list.swap(i, below(words, i + 1)?);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// NumPy 2.4.
    #[test]
    fn choices_are_those_of_numpy() {
        let choices: &[(u64, usize, usize, &[usize])] = &[
            (3, 1000, 20, &[796, 790, 178, 429, 233, 476]),
            (7, 12, 12, &[3, 5, 2, 1, 7, 8]),
            (1 << 40, 20000, 5000, &[736, 4804, 7605, 12060, 14002, 13731]),
            (9, 50000, 300, &[12670, 36562, 24885, 48652, 48040, 34464]),
            (2, 5, 4, &[4, 1, 3, 0]),
        ];
        for &(seed, n, k, first) in choices {
            let all = chosen(seed, n, k).unwrap();
            assert_eq!((all.len(), &all[..first.len()]), (k, first));
        }
    }
}
