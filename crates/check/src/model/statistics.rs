//! Statistics for outputs that no seed determines.
//!
//! Every test is a fixed function of the output: the same numbers have the same p-values.

use statrs::function::erf::erfc;
use statrs::function::gamma::gamma_ur;

/// The p-value under which a test rejects. A thousand outputs with ten tests each reject a sound generator in one run
/// of 100,000. The faults that are sought, such as a constant or a lost bit, have p-values far below that.
pub(crate) const ALPHA: f64 = 1e-9;

/// A test with its result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Test {
    /// The tested property: `top bits`, `bottom bits`, `monobit`, `lag 1`, `pairs`, ….
    pub(crate) name: &'static str,
    /// The probability of a result at least as extreme, if the values are independent and uniform.
    pub(crate) p: f64,
}

impl Test {
    /// Whether the result is too unlikely to be chance.
    pub(crate) fn rejects(&self) -> bool {
        self.p < ALPHA
    }
}

/// Tests of values that should be independent and uniform on `0 .. 2^bits`, as integers.
///
/// There are no tests for fewer than 64 values, and none for more than 64 bits. The tests are chi-squared of the
/// highest and of the lowest bits (up to eight) and of pairs of neighbours by their highest four, the share of ones
/// among all bits, and the correlation of each value with the next, the second and the fourth after it.
pub(crate) fn uniformity(values: &[u64], bits: u32) -> Vec<Test> {
    if values.len() < 64 || bits == 0 || bits > 64 {
        return Vec::new();
    }
    // Eight values are expected in each cell: with fewer than five the statistic does not follow its distribution.
    let affordable = (values.len() / 8).ilog2();
    let cells = bits.min(8).min(affordable);
    let half = bits.min(4).min(affordable / 2);
    let top = |value: u64, wanted: u32| value >> (bits - wanted);
    let pairs = values
        .chunks_exact(2)
        .map(|pair| (top(pair[0], half) << half) | top(pair[1], half));
    let unit: Vec<f64> = values.iter().map(|&value| centred(value, bits)).collect();
    let tests = [
        (
            "top bits",
            even(cells, values.iter().map(|&value| top(value, cells))),
        ),
        (
            "bottom bits",
            even(cells, values.iter().map(|&value| value & ((1 << cells) - 1))),
        ),
        ("monobit", monobit(values, bits)),
        ("pairs", even(2 * half, pairs)),
        // A word, a pair of words or a block of four that is written twice repeats itself at these distances.
        ("lag 1", correlation(&unit, 1)),
        ("lag 2", correlation(&unit, 2)),
        ("lag 4", correlation(&unit, 4)),
    ];
    tests.map(|(name, p)| Test { name, p }).into()
}

/// Tests of uniform floats over `[0, 1)`, of any type, whose values lie on a grid of `2^-bits`.
///
/// Values outside `[0, 1)` and NaNs count as 0. The check of the range reports them.
pub(crate) fn unit_uniformity(values: impl Iterator<Item = f64>, bits: u32) -> Vec<Test> {
    // `on_grid` is exact up to 52 bits.
    let bits = bits.min(52);
    let grid: Vec<u64> = values.map(|value| on_grid(value, bits)).collect();
    uniformity(&grid, bits)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the product is a whole number under 2^52"
)]
pub(crate) fn on_grid(value: f64, bits: u32) -> u64 {
    if (0.0..1.0).contains(&value) {
        (value * f64::from_bits((1023 + u64::from(bits)) << 52)).floor() as u64
    } else {
        0
    }
}

/// Chi-squared of cells that are all equally likely: `2^bits` of them.
fn even(bits: u32, cells: impl Iterator<Item = u64>) -> f64 {
    let observed = counted(1 << bits, cells);
    chi_squared(&observed, &vec![1.0; observed.len()])
}

/// How often each cell of `0 .. count` occurs. Other cells are not counted.
pub(crate) fn counted(count: usize, cells: impl Iterator<Item = u64>) -> Vec<u32> {
    let mut observed = vec![0_u32; count];
    for cell in cells {
        if let Some(seen) = usize::try_from(cell).ok().and_then(|cell| observed.get_mut(cell)) {
            *seen += 1;
        }
    }
    observed
}

/// The p-value of Pearson's chi-squared test: counts against weights, which may have any positive sum. It is 1, which
/// never rejects, where there are fewer than two cells or nothing was counted.
pub(crate) fn chi_squared(observed: &[u32], weights: &[f64]) -> f64 {
    let total: f64 = observed.iter().copied().map(f64::from).sum();
    let weight: f64 = weights.iter().sum();
    if observed.len() < 2 || total <= 0.0 || weight <= 0.0 {
        return 1.0;
    }
    let statistic: f64 = observed
        .iter()
        .zip(weights)
        .map(|(&count, &share)| {
            let expected = total * share / weight;
            (f64::from(count) - expected).powi(2) / expected
        })
        .sum();
    let freedom = float(observed.len() - 1);
    // `gamma_ur` panics at zero, which is the statistic where every count is exactly the expected one.
    if statistic <= 0.0 {
        return 1.0;
    }
    gamma_ur(freedom / 2.0, statistic / 2.0)
}

/// The two-sided p-value of a standard normal.
fn normal(z: f64) -> f64 {
    erfc(z.abs() / std::f64::consts::SQRT_2)
}

/// Of n fair bits, twice the ones less n has mean 0 and variance n.
fn monobit(values: &[u64], bits: u32) -> f64 {
    let ones: f64 = values.iter().map(|value| f64::from(value.count_ones())).sum();
    let all = float(values.len()) * f64::from(bits);
    normal((2.0 * ones - all) / all.sqrt())
}

/// A value of `0 .. 2^bits` mapped to (-1, 1): the middle of its step, so that the mean of all values is exactly zero.
#[expect(
    clippy::cast_precision_loss,
    reason = "the low bits of a wide value do not move a correlation"
)]
fn centred(value: u64, bits: u32) -> f64 {
    let scale = f64::from_bits((1023 + u64::from(bits)) << 52);
    (2.0 * value as f64 + 1.0) / scale - 1.0
}

/// The p-value of the correlation of values in (-1, 1) with those `lag` later. Uniform values have the variance 1/3,
/// and so the sum of n products of independent ones has the variance n/9.
fn correlation(unit: &[f64], lag: usize) -> f64 {
    let pairs = unit.len().saturating_sub(lag);
    if pairs == 0 {
        return 1.0;
    }
    let sum: f64 = unit.iter().zip(&unit[lag..]).map(|(a, b)| a * b).sum();
    normal(sum * 3.0 / float(pairs).sqrt())
}

/// A count as a float. Counts beyond 32 bits saturate, which keeps every bound that is made of them a lower one.
pub(crate) fn float(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `SplitMix64`, which is good enough to pass.
    fn sound(n: u64, bits: u32) -> Vec<u64> {
        (0..n)
            .map(|i| {
                let mut z = (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
                (z ^ (z >> 31)) >> (64 - bits)
            })
            .collect()
    }

    fn rejecting(values: &[u64], bits: u32) -> Vec<&'static str> {
        uniformity(values, bits)
            .iter()
            .filter(|test| test.rejects())
            .map(|test| test.name)
            .collect()
    }

    #[test]
    fn statistics_accept_a_sound_generator() {
        for bits in [1, 7, 10, 23, 32, 52, 64] {
            for n in [64, 1000, 1 << 16] {
                let tests = uniformity(&sound(n, bits), bits);
                assert!(tests.len() >= 6);
                assert!(tests.iter().all(|test| test.p > 1e-5), "{bits} {n} {tests:?}");
            }
        }
    }

    #[test]
    fn statistics_reject_a_constant() {
        let failed = rejecting(&[5; 1000], 32);
        assert_eq!(failed.len(), 7, "{failed:?}");
    }

    #[test]
    fn statistics_reject_lost_low_bits() {
        let values: Vec<u64> = sound(4096, 32).iter().map(|value| value & !0xf).collect();
        assert!(rejecting(&values, 32).contains(&"bottom bits"));
    }

    #[test]
    fn statistics_reject_lost_high_bits() {
        let values: Vec<u64> = sound(4096, 32).iter().map(|value| value >> 1).collect();
        assert!(rejecting(&values, 32).contains(&"top bits"));
    }

    #[test]
    fn statistics_reject_a_bias_of_one_bit() {
        let values: Vec<u64> = sound(4096, 32).iter().map(|value| value | (1 << 16)).collect();
        assert!(rejecting(&values, 32).contains(&"monobit"));
    }

    #[test]
    fn statistics_reject_repetition() {
        let twice = |by: usize| -> Vec<u64> {
            let values = sound(4096, 32);
            (0..4096).map(|i| values[i / (2 * by) * by + i % by]).collect()
        };
        assert!(rejecting(&twice(1), 32).contains(&"pairs"));
        for (by, name) in [(1, "lag 1"), (2, "lag 2"), (4, "lag 4")] {
            assert!(rejecting(&twice(by), 32).contains(&name), "{by}");
        }
    }

    #[test]
    fn statistics_of_few_values_say_nothing() {
        assert_eq!(uniformity(&[0; 63], 32), []);
        assert_eq!(uniformity(&[0; 100], 0), []);
    }

    #[test]
    fn statistics_of_floats_use_their_grid() {
        let units = |bits: u32| {
            sound(1 << 14, bits)
                .into_iter()
                .map(move |value| centred(value, bits) / 2.0 + 0.5)
        };
        assert!(unit_uniformity(units(10), 10).iter().all(|test| !test.rejects()));
        assert!(
            unit_uniformity(units(10).map(|value| value * value), 10)
                .iter()
                .any(Test::rejects)
        );
    }

    #[test]
    fn statistics_are_the_textbook_ones() {
        // Computed by another program from the same words, test by test.
        for (n, bits, wanted) in [
            (
                101,
                10,
                [
                    0.199_487_01,
                    0.767_151_06,
                    0.850_253_47,
                    0.791_574_39,
                    0.466_003_36,
                    0.332_494_47,
                    0.242_264_41,
                ],
            ),
            (
                2100,
                64,
                [
                    0.463_256_58,
                    0.025_781_34,
                    1.0,
                    0.116_563_81,
                    0.855_086_2,
                    0.823_739_12,
                    0.373_539_78,
                ],
            ),
            (
                64,
                1,
                [1.0, 1.0, 1.0, 0.861_385_08, 0.776_814, 0.567_660_37, 0.245_278_12],
            ),
        ] {
            for (test, wanted) in uniformity(&sound(n, bits), bits).iter().zip(wanted) {
                assert!((test.p - wanted).abs() < 1e-7, "{n} {bits} {test:?} {wanted}");
            }
        }
        assert_eq!(uniformity(&sound(101, 10), 10).len(), 7);
        assert_eq!(uniformity(&sound(101, 64), 65), []);
        assert!((normal(-1.959_964) - 0.05).abs() < 1e-6);
        assert_eq!(correlation(&[0.5, -0.5], 2), 1.0);
        assert!(correlation(&[0.5, -0.5, 0.25], 2) < 1.0);
    }

    #[test]
    fn statistics_reject_under_the_threshold_alone() {
        let of = |p| Test { name: "", p }.rejects();
        assert_eq!((of(ALPHA), of(ALPHA * 0.99)), (false, true));
    }

    #[test]
    fn grids_begin_at_zero_and_end_before_one() {
        let places = [0.0, 0.0624, 0.0625, 0.5, 0.999, 1.0, 1.5, -0.5, f64::NAN].map(|it| on_grid(it, 4));
        assert_eq!(places, [0, 0, 1, 8, 15, 0, 0, 0, 0]);
        assert_eq!(
            [0, 3, 4, 7].map(|it| centred(it, 3)),
            [-0.875, -0.125, 0.125, 0.875]
        );
        // No value has more than 52 bits.
        let values = || {
            sound(100, 52)
                .into_iter()
                .map(|value| centred(value, 52) / 2.0 + 0.5)
        };
        assert_eq!(unit_uniformity(values(), 60), unit_uniformity(values(), 52));
    }

    #[test]
    fn chi_squared_of_one_cell_or_nothing_says_nothing() {
        for (observed, weights) in [
            (&[9][..], &[1.0][..]),
            (&[], &[]),
            (&[0, 0], &[1.0, 1.0]),
            (&[1, 2], &[0.0, 0.0]),
        ] {
            assert_eq!(chi_squared(observed, weights), 1.0, "{observed:?}");
        }
    }

    #[test]
    fn chi_squared_knows_the_tables() {
        // One degree of freedom: 3.841459 is the 5 % point.
        let p = chi_squared(&[1000 + 31, 1000 - 31], &[1.0, 1.0]);
        assert!((p - 0.1657).abs() < 1e-3, "{p}");
        let p = chi_squared(&[10, 20, 30], &[1.0, 2.0, 3.0]);
        assert!((p - 1.0).abs() < 1e-12, "{p}");
    }
}
