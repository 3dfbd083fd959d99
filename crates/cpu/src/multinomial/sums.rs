//! Running sums of weights.

use std::marker::PhantomData;

use super::Weight;
use crate::Level;
use crate::simd::{Kernel, Simd};

/// A row of probabilities as running sums.
#[derive(Debug)]
pub(crate) struct Row<'a> {
    /// The sum of the weights up to each class, the class included: not decreasing, the last positive and
    /// finite.
    pub(crate) sums: &'a mut [f64],
}

impl Row<'_> {
    /// The first class whose weight is not zero.
    pub(crate) fn first(&self) -> usize {
        // Seldom another than the very first.
        if self.sums[0] > 0.0 {
            return 0;
        }
        self.sums.partition_point(|&sum| sum <= 0.0)
    }
}

/// The running sums of rows of `classes` weights, or `None` if a row's weights are not those of
/// probabilities: an input is not finite, or negative where it is not a logarithm, or a sum is zero or
/// infinite.
pub(crate) fn running_sums<T: Weight>(
    level: Level,
    probs: &[u8],
    classes: usize,
    log: bool,
    sums: &mut [f64],
) -> Option<()> {
    // Exponentials take so long that vectors of sums gain nothing.
    let level = if log { Level::scalar() } else { level };
    let weight = PhantomData::<T>;
    let mut valid = level.run(Sum {
        probs,
        classes,
        log,
        sums,
        weight,
    });
    // A weight that is infinite makes its sum infinite, and one that is NaN is not `>= 0`.
    let mut totals = sums.chunks_exact(classes).map(|row| row[classes - 1]);
    valid &= totals.all(|total| total > 0.0 && total < f64::INFINITY);
    valid.then_some(())
}

/// Writes running sums; whether all inputs are such as may be summed. A sum may still come to no number.
struct Sum<'a, T> {
    probs: &'a [u8],
    classes: usize,
    log: bool,
    sums: &'a mut [f64],
    weight: PhantomData<T>,
}

impl<T: Weight> Kernel for Sum<'_, T> {
    type Output = bool;

    #[inline(always)]
    fn scalar(self) -> bool {
        let mut valid = true;
        for (sum, input) in self.sums.iter_mut().zip(self.probs.chunks_exact(T::SIZE)) {
            let input = T::widen(input);
            *sum = if self.log {
                valid &= input.is_finite();
                libm::exp(input)
            } else {
                valid &= input >= 0.0;
                input
            };
        }
        for rows in self.sums.chunks_mut(CHAINS * self.classes) {
            accumulate(rows, self.classes);
        }
        valid
    }

    #[inline(always)]
    fn vector<S: Simd, const GROUPS: usize>(self, s: S) -> bool {
        let group = ROWS * self.classes;
        let whole = self.sums.len() / group * group;
        let (sums, rest) = self.sums.split_at_mut(whole);
        let (probs, rest_probs) = self.probs.split_at(whole * T::SIZE);
        let mut valid = Sum {
            probs: rest_probs,
            sums: rest,
            ..self
        }
        .scalar();
        for (sums, probs) in sums
            .chunks_exact_mut(group)
            .zip(probs.chunks_exact(group * T::SIZE))
        {
            if sum_rows::<S, T>(s, probs, self.classes, sums) {
                // A zero may have a sign. A NaN without one is found in its sum.
                for weight in probs.chunks_exact(T::SIZE).map(T::widen) {
                    valid &= weight >= 0.0;
                }
            }
        }
        valid
    }
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

/// Rows that are summed at the same time with vectors, a row in each 64-bit lane: as many as the widest
/// vector has lanes, and two chains of narrower ones.
pub(crate) const ROWS: usize = 8;

/// The running sums of [`ROWS`] rows, and whether a weight has a sign.
#[inline(always)]
fn sum_rows<S: Simd, T: Weight>(s: S, probs: &[u8], classes: usize, sums: &mut [f64]) -> bool {
    let blocks = classes / BLOCK;
    let whole = blocks * BLOCK;
    let mut rows = probs.chunks_exact(classes * T::SIZE);
    let probs_of_rows: [&[T::Block]; ROWS] = std::array::from_fn(|_| {
        let row = rows.next().expect("the caller gives as many rows");
        &bytemuck::cast_slice(&row[..whole * T::SIZE])[..blocks]
    });
    let mut rows = sums.chunks_exact_mut(classes);
    let mut sums_of_rows: [&mut [[f64; BLOCK]]; ROWS] = std::array::from_fn(|_| {
        let row = rows.next().expect("the caller gives as many rows");
        &mut row.as_chunks_mut().0[..blocks]
    });
    // Narrow vectors take the rows in two sets, each a chain of additions of its own.
    let sets = 2 * ROWS / S::WORDS;
    let zero = s.splat64(0);
    let mut totals = [zero; 2];
    let mut seen = zero;
    for block in 0..blocks {
        let probs = probs_of_rows.each_ref().map(|row| &row[block]);
        let mut sums = sums_of_rows.each_mut().map(|row| &mut row[block]);
        sum_block::<S, T>(
            s,
            &probs[..S::WORDS / 2],
            &mut totals[0],
            &mut seen,
            &mut sums[..S::WORDS / 2],
        );
        if sets == 2 {
            let (probs, sums) = (&probs[ROWS / 2..], &mut sums[ROWS / 2..]);
            sum_block::<S, T>(s, probs, &mut totals[1], &mut seen, sums);
        }
    }
    let mut lanes = [0_i64; 2 * ROWS];
    s.store(&mut lanes, seen);
    let mut signed = lanes.iter().any(|&lane| lane < 0);
    for (sums, probs) in sums
        .chunks_exact_mut(classes)
        .zip(probs.chunks_exact(classes * T::SIZE))
    {
        let mut total = whole.checked_sub(1).map_or(0.0, |last| sums[last]);
        let rest = probs[whole * T::SIZE..].chunks_exact(T::SIZE);
        for (sum, weight) in sums[whole..].iter_mut().zip(rest.map(T::widen)) {
            signed |= weight.is_sign_negative();
            total += weight;
            *sum = total;
        }
    }
    signed
}

/// Columns whose sums are made at a time.
const BLOCK: usize = 16;

/// The running sums of one block of as many rows as a vector has lanes, from their totals so far on. `seen` gets all bits
/// of its weights.
#[inline(always)]
fn sum_block<S: Simd, T: Weight>(
    s: S,
    probs: &[&T::Block],
    totals: &mut S::V,
    seen: &mut S::V,
    sums: &mut [&mut [f64; BLOCK]],
) {
    let lanes = S::WORDS / 2;
    for columns in 0..BLOCK / S::WORDS {
        let mut tiles = [[s.splat64(0); ROWS]; 2];
        for row in 0..lanes {
            let inputs = &bytemuck::bytes_of(probs[row])[columns * S::WORDS * T::SIZE..];
            let [first, second] = T::widen_vectors(s, inputs);
            *seen = s.or(*seen, s.or(first, second));
            [tiles[0][row], tiles[1][row]] = [first, second];
        }
        for (half, tile) in tiles.iter_mut().enumerate() {
            let tile = &mut tile[..lanes];
            s.transpose(tile);
            for weights in &mut *tile {
                *totals = s.add_f64(*totals, *weights);
                *weights = *totals;
            }
            s.transpose(tile);
            for row in 0..lanes {
                s.store(&mut sums[row][columns * S::WORDS + half * lanes..], tile[row]);
            }
        }
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

    /// The running sums of inputs that are exact in every type, by every level and by vectors of eight.
    fn assert_levels_agree<T: Weight>(bytes_of: impl Fn(f32) -> Vec<u8>, inputs: &[f32], classes: usize) {
        let probs: Vec<u8> = inputs.iter().flat_map(|&input| bytes_of(input)).collect();
        let summed = |level| {
            let mut sums = vec![0.0; inputs.len()];
            running_sums::<T>(level, &probs, classes, false, &mut sums).map(|()| sums)
        };
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
        for level in Level::detect().into_iter().chain(Level::emulated()) {
            assert_eq!(summed(level), expected, "{} {inputs:?} {classes}", level.name());
        }
    }

    proptest! {
        #[test]
        fn running_sums_are_in_order_at_every_level(
            (classes, inputs) in (0_usize..20, 1_usize..50).prop_flat_map(|(rows, classes)| {
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
                let mut inputs = vec![f64::MAX / 64.0; 8 * 33];
                inputs[5 * 33 + 7] = wrong;
                inputs[5 * 33 + 8] = wrong;
                let probs: Vec<u8> = inputs.iter().flat_map(|input| input.to_le_bytes()).collect();
                let mut sums = vec![0.0; inputs.len()];
                let summed = running_sums::<f64>(level, &probs, 33, false, &mut sums);
                assert_eq!(summed, None, "{} {wrong}", level.name());
            }
        }
    }
}
