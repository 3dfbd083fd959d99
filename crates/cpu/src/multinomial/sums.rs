//! Running sums of weights.

use std::marker::PhantomData;

use super::Weight;
use crate::level::Level;
use crate::simd::{Kernel, Simd};

/// A row of probabilities as running sums.
#[derive(Debug)]
pub(crate) struct Row<'a> {
    /// The sum of the weights up to each class, the class included: not decreasing, the last positive and finite.
    pub(crate) sums: &'a mut [f64],
}

impl Row<'_> {
    /// The first class whose weight is not zero.
    pub(crate) fn first(&self) -> usize {
        // It is nearly always the very first.
        if self.sums[0] > 0.0 {
            return 0;
        }
        self.sums.partition_point(|&sum| sum <= 0.0)
    }
}

/// The running sums of rows of `classes` weights, or `None` if a row's weights are not those of probabilities: an input
/// is not finite, or negative where it is not a logarithm, or a sum is zero or infinite.
pub(crate) fn running_sums<T: Weight>(
    probs: &[u8],
    classes: usize,
    log: bool,
    sums: &mut [f64],
) -> Option<()> {
    let mut valid = true;
    for (sum, input) in sums.iter_mut().zip(probs.chunks_exact(T::SIZE)) {
        let input = T::widen(input);
        *sum = if log {
            valid &= input.is_finite();
            libm::exp(input)
        } else {
            valid &= input >= 0.0;
            input
        };
    }
    for rows in sums.chunks_mut(CHAINS * classes) {
        accumulate(rows, classes);
    }
    let mut totals = sums.chunks_exact(classes).map(|row| row[classes - 1]);
    valid &= totals.all(is_total);
    valid.then_some(())
}

/// A weight that is infinite makes its sum infinite, and one that is NaN is not `>= 0`.
fn is_total(sum: f64) -> bool {
    sum > 0.0 && sum < f64::INFINITY
}

/// Rows that are summed at the same time without vectors. A sum is a chain of dependent additions, each row's
/// in its own order; several chains at once keep the adders busy.
const CHAINS: usize = 4;

/// Turns up to [`CHAINS`] rows of weights into their running sums.
#[inline(always)]
fn accumulate(rows: &mut [f64], classes: usize) {
    if rows.len() == CHAINS * classes {
        let (front, back) = rows.split_at_mut(2 * classes);
        let (a, b) = front.split_at_mut(classes);
        let (c, d) = back.split_at_mut(classes);
        let mut totals = [0.0; CHAINS];
        for (((a, b), c), d) in a.iter_mut().zip(b).zip(c).zip(d) {
            for (total, weight) in totals.iter_mut().zip([a, b, c, d]) {
                *total += *weight;
                *weight = *total;
            }
        }
    } else {
        for row in rows.chunks_exact_mut(classes) {
            let mut total = 0.0;
            for weight in row {
                total += *weight;
                *weight = total;
            }
        }
    }
}

/// The number of rows that are summed together: 16 or 8 side by side, or the last few one after another. Sixteen rows
/// are two chains of additions in the widest vectors and four in narrower ones.
pub(crate) const fn rows_together(rows: usize) -> usize {
    match rows {
        MOST_ROWS.. => MOST_ROWS,
        8.. => 8,
        _ => rows,
    }
}

/// The most rows that are summed together.
pub(crate) const MOST_ROWS: usize = 16;

/// The result of [`running_sums`] for `ROWS` rows, 8 or 16, of weights that are not logarithms, class by class: the
/// sums of all rows up to the first class, then those up to the second. They need not be set apart again, once they are
/// summed in the lanes of vectors.
pub(crate) fn sums_side_by_side<T: Weight, const ROWS: usize>(
    level: Level,
    probs: &[u8],
    classes: usize,
    sums: &mut [f64],
) -> Option<()> {
    let (sums, _) = sums.as_chunks_mut::<ROWS>();
    let valid = level.run(SideBySide::<T, ROWS> {
        probs,
        classes,
        sums: &mut *sums,
        weight: PhantomData,
    });
    (valid && sums[classes - 1].into_iter().all(is_total)).then_some(())
}

/// The kernel of [`sums_side_by_side`]. Returns whether all inputs are valid, but not whether their sums are.
struct SideBySide<'a, T, const ROWS: usize> {
    probs: &'a [u8],
    classes: usize,
    sums: &'a mut [[f64; ROWS]],
    weight: PhantomData<T>,
}

impl<T: Weight, const ROWS: usize> Kernel for SideBySide<'_, T, ROWS> {
    type Output = bool;

    #[inline(always)]
    fn scalar(self) -> bool {
        self.sum_from(0, [0.0; ROWS])
    }

    #[inline(always)]
    fn vector<S: Simd, const GROUPS: usize>(self, s: S) -> bool {
        let whole = self.classes / 4 * 4;
        let mut rows = self.probs.chunks_exact(self.classes * T::SIZE);
        let rows: [&[u8]; ROWS] =
            std::array::from_fn(|_| &rows.next().expect("the caller gives as many rows")[..whole * T::SIZE]);
        // Each set of rows is a chain of additions of its own.
        let lanes = S::WORDS / 2;
        let mut totals = [s.splat64(0); MOST_ROWS / 4];
        let mut seen = s.splat64(0);
        for (i, sums) in self.sums[..whole].as_chunks_mut::<4>().0.iter_mut().enumerate() {
            let mut four = rows;
            for row in &mut four {
                *row = &row[i * 4 * T::SIZE..][..4 * T::SIZE];
            }
            let (eights, _) = four.as_chunks::<8>();
            for (eight, rows) in eights.iter().enumerate() {
                for (weights, sums) in T::columns(s, *rows).iter().zip(&mut *sums) {
                    for (set, &weights) in weights[..8 / lanes].iter().enumerate() {
                        let set = eight * (8 / lanes) + set;
                        seen = s.or(seen, weights);
                        totals[set] = s.add_f64(totals[set], weights);
                        s.store(&mut sums[set * lanes..], totals[set]);
                    }
                }
            }
        }
        let mut signs = [0_i64; MOST_ROWS];
        s.store(&mut signs, seen);
        let mut last = [0.0; 2 * MOST_ROWS];
        for (set, total) in totals.into_iter().take(ROWS / lanes).enumerate() {
            s.store(&mut last[set * lanes..], total);
        }
        let last = *last.first_chunk().expect("there are as many sums as rows");
        let probs = self.probs;
        let mut valid = self.sum_from(whole, last);
        if signs.iter().any(|&lane| lane < 0) {
            // A sign alone is not a fault, since a zero may have one, so the inputs are checked one by one. A NaN
            // without a sign is found in its sum.
            for weight in probs.chunks_exact(T::SIZE).map(T::widen) {
                valid &= weight >= 0.0;
            }
        }
        valid
    }
}

impl<T: Weight, const ROWS: usize> SideBySide<'_, T, ROWS> {
    /// The sums from a class on, after those that the rows have come to.
    #[inline(always)]
    fn sum_from(self, class: usize, mut totals: [f64; ROWS]) -> bool {
        let mut valid = true;
        for (class, sums) in self.sums.iter_mut().enumerate().skip(class) {
            for (row, (sum, total)) in sums.iter_mut().zip(&mut totals).enumerate() {
                let weight = T::widen(&self.probs[(row * self.classes + class) * T::SIZE..]);
                valid &= weight >= 0.0;
                *total += weight;
                *sum = *total;
            }
        }
        valid
    }
}

/// For each class of a row, whether its weight is zero.
pub(crate) fn weightless<T: Weight>(probs: &[u8], log: bool) -> Vec<bool> {
    let inputs = probs.chunks_exact(T::SIZE).map(T::widen);
    if log {
        inputs.map(|input| libm::exp(input) == 0.0).collect()
    } else {
        inputs.map(|input| input == 0.0).collect()
    }
}

#[cfg(test)]
mod tests {
    use half::{bf16, f16};
    use proptest::prelude::*;

    use super::*;

    /// The running sums of rows, which the level makes side by side where there are enough, row by row.
    fn summed<T: Weight>(level: Level, probs: &[u8], classes: usize) -> Option<Vec<f64>> {
        let mut all = Vec::new();
        let mut left = probs;
        while !left.is_empty() {
            let rows = rows_together(left.len() / (classes * T::SIZE));
            let (probs, after) = left.split_at(rows * classes * T::SIZE);
            let mut sums = vec![f64::NAN; rows * classes];
            match rows {
                16 => sums_side_by_side::<T, 16>(level, probs, classes, &mut sums)?,
                8 => sums_side_by_side::<T, 8>(level, probs, classes, &mut sums)?,
                _ => running_sums::<T>(probs, classes, false, &mut sums)?,
            }
            if rows < 8 {
                all.extend(sums);
            } else {
                all.extend((0..rows).flat_map(|row| sums.iter().skip(row).step_by(rows).copied()));
            }
            left = after;
        }
        Some(all)
    }

    /// The running sums of inputs that are exact in every type, by every level.
    fn assert_levels_agree<T: Weight>(bytes_of: impl Fn(f32) -> Vec<u8>, inputs: &[f32], classes: usize) {
        let probs: Vec<u8> = inputs.iter().flat_map(|&input| bytes_of(input)).collect();
        let rows = || inputs.chunks(classes);
        let valid =
            inputs.iter().all(|&input| input >= 0.0) && rows().all(|row| row.iter().any(|&x| x > 0.0));
        let expected = valid.then(|| {
            let in_order = |row: &[f32]| {
                let mut total = 0.0;
                let sums: Vec<f64> = row
                    .iter()
                    .map(|&x| {
                        total += f64::from(x);
                        total
                    })
                    .collect();
                sums
            };
            rows().flat_map(in_order).collect::<Vec<f64>>()
        });
        let mut sums = vec![0.0; inputs.len()];
        let in_rows = running_sums::<T>(&probs, classes, false, &mut sums).map(|()| sums);
        assert_eq!(in_rows, expected, "{inputs:?} {classes}");
        for level in Level::detect().into_iter().chain(Level::emulated()) {
            let sums = summed::<T>(level, &probs, classes);
            assert_eq!(sums, expected, "{} {inputs:?} {classes}", level.name());
        }
    }

    proptest! {
        #[test]
        fn running_sums_are_in_order_at_every_level(
            (classes, inputs) in (0_usize..40, 1_usize..30).prop_flat_map(|(rows, classes)| {
                let input = prop_oneof![200 => 0_u8..4, 1 => Just(4)];
                let input = input.prop_map(|i| [1.0_f32, 3.5, 0.0, -0.0, -2.0][usize::from(i)]);
                (Just(classes), prop::collection::vec(input, rows * classes))
            }),
        ) {
            assert_levels_agree::<f16>(|x| f16::from_f32(x).to_le_bytes().to_vec(), &inputs, classes);
            assert_levels_agree::<bf16>(|x| bf16::from_f32(x).to_le_bytes().to_vec(), &inputs, classes);
            assert_levels_agree::<f32>(|x| x.to_le_bytes().to_vec(), &inputs, classes);
            assert_levels_agree::<f64>(|x| f64::from(x).to_le_bytes().to_vec(), &inputs, classes);
        }
    }

    #[test]
    fn running_sums_of_what_cannot_be_summed_are_refused() {
        for level in Level::detect().into_iter().chain(Level::emulated()) {
            for wrong in [
                f64::NAN,
                -f64::NAN,
                f64::INFINITY,
                f64::NEG_INFINITY,
                -1.0,
                f64::MAX,
            ] {
                for rows in [1, 8, 16] {
                    let mut inputs = vec![f64::MAX / 64.0; rows * 33];
                    inputs[rows / 2 * 33 + 7] = wrong;
                    inputs[rows / 2 * 33 + 8] = wrong;
                    let probs: Vec<u8> = inputs.iter().flat_map(|input| input.to_le_bytes()).collect();
                    assert_eq!(summed::<f64>(level, &probs, 33), None, "{} {wrong}", level.name());
                }
            }
        }
    }
}
