//! The search for classes with replacement: the first class whose share of the sum is not below a draw.
//!
//! Sums of weights that are not negative do not decrease, nor do their quotients by the total, so the first
//! class can be searched for. A class of weight zero has its predecessor's sum and is never the first, but at
//! the beginning, where all sums are zero and the draw must be zero too.

use super::guide::Guide;

/// Whether the rows have few enough draws, or enough classes, that [`Sums`] are searched and no [`Guide`] is made.
pub(crate) const fn is_of_sums(classes: usize, draws: usize) -> bool {
    draws < classes || classes > Guide::CLASSES
}

/// The running sums of some rows as they are: quotients are taken only where they decide.
#[derive(Clone, Copy)]
pub(crate) struct Sums<'a> {
    running: &'a [f64],
    classes: usize,
    /// Places from the sum of a class to that of the next, as a power of two.
    shift: u32,
    /// Places from a row to the next.
    row_step: usize,
}

/// Draws that are searched for at the same time: the steps of one search wait for one another.
const TOGETHER: usize = 16;

/// A draw, and the row that it draws from.
#[derive(Clone, Copy, Default)]
struct Sought {
    draw: f64,
    /// The place of the row's first sum.
    start: usize,
    /// The product of the draw and the row's total.
    target: f64,
}

impl<'a> Sums<'a> {
    /// Sums of one row after the other.
    pub(crate) const fn in_rows(running: &'a [f64], classes: usize) -> Self {
        Self {
            running,
            classes,
            shift: 0,
            row_step: classes,
        }
    }

    /// Sums of rows that stand side by side, class by class; as many rows as a power of two.
    pub(crate) const fn side_by_side(running: &'a [f64], classes: usize) -> Self {
        Self {
            running,
            classes,
            shift: (running.len() / classes).ilog2(),
            row_step: 1,
        }
    }

    /// Writes the class of each draw in `[0, 1]`, converted by `index`. Draws are the bytes of f64, least significant
    /// first. Each row has `samples` of them, and the first one here comes after `skipped` others.
    #[inline(always)]
    pub(crate) fn find_each<T>(
        self,
        samples: usize,
        skipped: usize,
        draws: &[[u8; 8]],
        out: &mut [T],
        index: impl Fn(usize) -> T,
    ) {
        let mut start = skipped / samples * self.row_step;
        let mut left = samples - skipped % samples;
        for (draws, out) in draws.chunks(TOGETHER).zip(out.chunks_mut(TOGETHER)) {
            let mut sought = [Sought::default(); TOGETHER];
            for (sought, &draw) in sought.iter_mut().zip(draws) {
                let draw = f64::from_le_bytes(draw);
                let target = draw * self.sum(start, self.classes - 1);
                *sought = Sought { draw, start, target };
                left -= 1;
                if left == 0 {
                    start += self.row_step;
                    left = samples;
                }
            }
            for ((out, place), sought) in out.iter_mut().zip(self.find(&sought)).zip(sought) {
                *out = index(self.settle(place, sought));
            }
        }
    }

    /// The sum up to a class of the row that starts at a place.
    #[inline(always)]
    fn sum(self, start: usize, class: usize) -> f64 {
        self.running[start + (class << self.shift)]
    }

    /// The places of the first sums that are not less than the targets, or of the last.
    #[inline(always)]
    fn find(self, sought: &[Sought; TOGETHER]) -> [usize; TOGETHER] {
        let mut places = sought.map(|sought| sought.start);
        let mut size = self.classes;
        while size > 1 {
            let half = size / 2;
            let (before, step) = ((half - 1) << self.shift, half << self.shift);
            for (place, sought) in places.iter_mut().zip(sought) {
                let less = self.running[*place + before] < sought.target;
                // A branch would be mispredicted half of the time: the draws are random.
                *place += std::hint::select_unpredictable(less, step, 0);
            }
            size -= half;
        }
        places
    }

    /// The class of a draw, given a place near it. The search compares products, which are rounded; the definition
    /// compares quotients, so these decide where the two may differ.
    #[inline(always)]
    fn settle(self, place: usize, sought: Sought) -> usize {
        let Sought { draw, start, target } = sought;
        let near = (place - start) >> self.shift;
        let below = near.checked_sub(1).map_or(0.0, |class| self.sum(start, class));
        if draw >= PRECISE && is_clear(below, target) && is_clear(target, self.sum(start, near)) {
            near
        } else {
            self.divide(near, draw, start)
        }
    }

    /// The class of a draw by its definition, from one that is near.
    #[cold]
    fn divide(self, near: usize, draw: f64, start: usize) -> usize {
        let last = self.classes - 1;
        let share = |class| self.sum(start, class) / self.sum(start, last);
        let mut class = near;
        while class > 0 && draw <= share(class - 1) {
            class -= 1;
        }
        while class < last && draw > share(class) {
            class += 1;
        }
        // A draw of zero ends at class 0 even if that has no weight, so go on to the first class that has one.
        let mut end = last;
        while class < end && self.sum(start, class) <= 0.0 {
            let middle = class + (end - class) / 2;
            if self.sum(start, middle) > 0.0 {
                end = middle;
            } else {
                class = middle + 1;
            }
        }
        class
    }
}

/// Draws from here on are near no quotient that is subnormal, and so has few bits.
const PRECISE: f64 = 2.0 * f64::MIN_POSITIVE;

/// Whether a product of a draw and a total, and a sum, are so far apart that the sum's quotient by the total is on
/// the same side of the draw. Product and quotient are each rounded once, which together moves a number by less
/// than two steps of its bits.
#[inline(always)]
const fn is_clear(less: f64, greater: f64) -> bool {
    less.to_bits().saturating_add(8) <= greater.to_bits()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Row;
    use super::super::guide::{UNITS, whole};
    use super::*;
    use crate::level::Level;
    use crate::rule::ONE_F64;

    const ROWS: usize = 8;

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
                Sums::in_rows(&sums, sums.len()).find_each(draws.len(), 0, &bytes, &mut found, |class| class);
                assert_eq!(found, expected, "{weights:?} {draws:?}");
                let guide = Guide::new(Row { sums: &mut sums }, samples, &mut buffer);
                guide.find_each(level, &bytes, generated, &mut found, |class| class);
                assert_eq!(found, expected, "{} {weights:?} {draws:?}", level.name());
            }
        }
    }

    proptest! {
        #[test]
        fn classes_are_the_first_whose_share_is_not_below_the_draw(
            weights in prop::collection::vec(prop_oneof![Just(0.0), Just(1e-9), Just(1e-17), Just(1e-310), 0.0..1.0, 0.0..1e-3], 1..150),
            others: [u64; 32],
            samples in 1_usize..100_000,
        ) {
            assert_found(&weights, &others, samples);
        }

        #[test]
        fn classes_of_rows_are_those_of_each_row(
            (classes, weights) in (1_usize..40).prop_flat_map(|classes| {
                let weight = prop_oneof![Just(0.0), Just(1.0), Just(1e-310), 0.0..1.0];
                (Just(classes), prop::collection::vec(weight, ROWS * classes))
            }),
            samples in 1_usize..40,
            skipped in 0_usize..100,
            draw in prop::collection::vec(0.0..=1.0, 1..9),
        ) {
            let mut in_rows = weights;
            for row in in_rows.chunks_mut(classes) {
                row[classes - 1] += 1e-309;
                for class in 1..classes {
                    row[class] += row[class - 1];
                }
            }
            let side_by_side: Vec<f64> = (0..in_rows.len()).map(|i| in_rows[i % ROWS * classes + i / ROWS]).collect();
            let skipped = skipped % (ROWS * samples);
            let draws: Vec<f64> = draw.into_iter().cycle().take(ROWS * samples - skipped).collect();
            let class = |(i, draw): (usize, &f64)| {
                definition(&in_rows[(skipped + i) / samples * classes..][..classes], &[*draw])[0]
            };
            let expected: Vec<usize> = draws.iter().enumerate().map(class).collect();
            let bytes: Vec<[u8; 8]> = draws.iter().map(|draw| draw.to_le_bytes()).collect();
            for sums in [Sums::in_rows(&in_rows, classes), Sums::side_by_side(&side_by_side, classes)] {
                let mut found = vec![0; draws.len()];
                sums.find_each(samples, skipped, &bytes, &mut found, |class| class);
                prop_assert_eq!(&found, &expected);
            }
        }
    }
}
