//! The search for classes with replacement: the first class whose share of the sum is not below a draw.
//!
//! Sums of weights that are not negative do not decrease, nor do their quotients by the total, so the first
//! class can be searched for. A class of weight zero has its predecessor's sum and is never the first, but at
//! the beginning, where all sums are zero and the draw must be zero too.

use super::Row;
use super::guide::{Find, Guide};
use crate::Level;

/// A way to find the classes of one row.
#[derive(Clone, Copy)]
pub(crate) enum Table<'a> {
    /// For few draws.
    Sums(Sums<'a>),
    /// For many draws.
    Guide(Guide<'a>),
}

impl<'a> Table<'a> {
    /// A table for `draws` draws from a row. `buffer` is for the guide; its contents do not matter.
    pub(crate) fn new(row: Row<'a>, draws: usize, buffer: &'a mut Vec<u64>) -> Self {
        let first = row.first();
        let sums = row.sums;
        let total = sums[sums.len() - 1];
        for sum in &mut *sums {
            *sum /= total;
        }
        Self::Guide(Guide::new(sums, first, draws, buffer))
    }

    /// Whether a row has so few draws, or so many classes, that the sums themselves are searched.
    pub(crate) const fn is_of_sums(classes: usize, draws: usize) -> bool {
        draws < classes || classes > Guide::CLASSES
    }

    /// The table of a row, by its index, of sums that stand side by side, `1 << shift` for each class.
    pub(crate) fn of_sums(running: &'a [f64], shift: u32, row: usize) -> Self {
        let last = running.len() - (1 << shift);
        let is_zero = |class: &usize| running[(class << shift) + row] <= 0.0;
        Self::Sums(Sums {
            running,
            shift,
            row,
            total: running[last + row],
            first: (0..last >> shift).take_while(is_zero).count(),
        })
    }

    /// Writes the class of each draw in `[0, 1]` as `index` makes it. Draws are the bytes of f64, least
    /// significant first. `generated` are multiples of 2^-52 below 1.
    #[inline(always)]
    pub(crate) fn find_each<T>(
        self,
        level: Level,
        draws: &[[u8; 8]],
        generated: bool,
        out: &mut [T],
        index: impl Fn(usize) -> T,
    ) {
        match self {
            Self::Sums(sums) => {
                for (draws, out) in draws.chunks(TOGETHER).zip(out.chunks_mut(TOGETHER)) {
                    let mut numbers = [0.0; TOGETHER];
                    for (number, &draw) in numbers.iter_mut().zip(draws) {
                        *number = f64::from_le_bytes(draw);
                    }
                    for (out, class) in out.iter_mut().zip(sums.find(&numbers)) {
                        *out = index(class);
                    }
                }
            }
            Self::Guide(guide) if generated => {
                level.run(Find {
                    guide,
                    draws,
                    out,
                    index,
                });
            }
            Self::Guide(guide) => {
                for (out, &draw) in out.iter_mut().zip(draws) {
                    *out = index(guide.find_any(f64::from_le_bytes(draw)));
                }
            }
        }
    }
}

/// Draws that are searched for at the same time: the steps of one search wait for one another.
const TOGETHER: usize = 8;

/// The sums as they are, and quotients only where they decide.
#[derive(Clone, Copy)]
pub(crate) struct Sums<'a> {
    /// Of rows side by side.
    running: &'a [f64],
    /// Places of a class, as a power of two.
    shift: u32,
    /// The place of this row.
    row: usize,
    /// The last of its sums.
    total: f64,
    /// The first class whose weight is not zero.
    first: usize,
}

impl Sums<'_> {
    /// The classes of draws in `[0, 1]`.
    #[inline(always)]
    fn find(self, draws: &[f64; TOGETHER]) -> [usize; TOGETHER] {
        // Binary search for the number of sums that are less than each target.
        let targets = draws.map(|draw| draw * self.total);
        let mut places = [self.row; TOGETHER];
        let mut size = self.running.len() >> self.shift;
        while size > 1 {
            let half = size / 2;
            let (skipped, step) = ((half - 1) << self.shift, half << self.shift);
            for (place, target) in places.iter_mut().zip(targets) {
                let less = self.running[*place + skipped] < target;
                *place += std::hint::select_unpredictable(less, step, 0);
            }
            size -= half;
        }
        for (place, &draw) in places.iter_mut().zip(draws) {
            *place = self.settle(*place >> self.shift, draw);
        }
        places
    }

    /// The class of a draw, from one that is near.
    #[inline(always)]
    fn settle(self, near: usize, draw: f64) -> usize {
        let sum = |class: usize| self.running[(class << self.shift) + self.row];
        let last = (self.running.len() >> self.shift) - 1;
        let mut class = near;
        // The product only comes close; the quotient decides.
        while class > 0 && draw <= sum(class - 1) / self.total {
            class -= 1;
        }
        while class < last && draw > sum(class) / self.total {
            class += 1;
        }
        class.max(self.first)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::guide::{UNITS, whole};
    use super::*;
    use crate::rule::ONE_F64;

    /// Draws that are multiples of 2^-52: the shares, their neighbours, and others.
    fn generated(shares: &[f64], others: &[u64]) -> Vec<f64> {
        let near = |&share: &f64| {
            let units = whole(share * UNITS);
            [units.saturating_sub(1), units, units + 1]
        };
        let units = shares.iter().flat_map(near).chain(others.iter().map(|x| x >> 12));
        let below_one = |units: u64| (units < 1 << 52).then(|| f64::from_bits(ONE_F64 | units) - 1.0);
        units.filter_map(below_one).collect()
    }

    /// The first class with a weight whose share is not below each draw.
    fn definition(sums: &[f64], draws: &[f64]) -> Vec<usize> {
        let total = sums[sums.len() - 1];
        let class = |&draw: &f64| {
            let found = sums.iter().position(|&sum| sum > 0.0 && sum / total >= draw);
            found.expect("the last share is 1")
        };
        draws.iter().map(class).collect()
    }

    fn assert_found(weights: &[f64], others: &[u64], samples: usize) {
        let sums: Vec<f64> = weights
            .iter()
            .scan(0.0, |total, weight| {
                *total += weight;
                Some(*total)
            })
            .collect();
        let total = sums[sums.len() - 1];
        if total == 0.0 {
            return;
        }
        let shares: Vec<f64> = sums.iter().map(|sum| sum / total).collect();
        let multiples = generated(&shares, others);
        let any = shares
            .iter()
            .flat_map(|&share| [share, share.next_down().max(0.0), share.next_up().min(1.0)]);
        let any: Vec<f64> = any
            .chain([-0.0, 0.0, f64::MIN_POSITIVE, 1.0])
            .chain(multiples.iter().copied())
            .collect();
        for level in Level::detect().into_iter().chain(Level::emulated()) {
            for (draws, generated) in [(&multiples, true), (&any, false)] {
                let (mut sums, mut buffer) = (sums.clone(), Vec::new());
                let expected = definition(&sums, draws);
                let bytes: Vec<[u8; 8]> = draws.iter().map(|draw| draw.to_le_bytes()).collect();
                let mut found = vec![0; draws.len()];
                let table = if Table::is_of_sums(sums.len(), samples) {
                    Table::of_sums(&sums, 0, 0)
                } else {
                    Table::new(Row { sums: &mut sums }, samples, &mut buffer)
                };
                table.find_each(level, &bytes, generated, &mut found, |class| class);
                assert_eq!(found, expected, "{} {weights:?} {draws:?}", level.name());
            }
        }
    }

    proptest! {
        #[test]
        fn classes_are_the_first_whose_share_is_not_below_the_draw(
            weights in prop::collection::vec(prop_oneof![Just(0.0), Just(1e-9), Just(1e-17), 0.0..1.0, 0.0..1e-3], 1..150),
            others: [u64; 32],
            samples in 1_usize..100_000,
        ) {
            assert_found(&weights, &others, samples);
        }
    }
}
