//! The entropy of an output: how unlikely it is that two outputs agree by chance.
//!
//! Where the exact entropy is not known, it is underestimated: that costs a few more elements of evidence, while an
//! overestimate would let an accidental match pass as an explanation.

use seedproof_ops::{Distribution, Dtype, Request, Scalar, Tensor, choice_bits};

use crate::model::statistics::float;
use crate::model::ulp::step;

/// A lower bound of an output's entropy in bits: minus the logarithm of the probability that two runs agree.
pub(crate) fn chance(request: &Request, count: usize) -> f64 {
    let each = match request.distribution() {
        None => 0.0,
        Some(Distribution::Bits) => {
            let form = request.output_form();
            form.map_or(0.0, |(dtype, _)| float(8 * dtype.size()))
        }
        Some(Distribution::Uniform { lower, upper }) => levels(lower, upper).unwrap_or(0.0),
        Some(Distribution::Normal { mean, std }) => {
            let mantissa = request
                .output_form()
                .map_or(0, |(dtype, _)| dtype.mantissa_bits());
            normal(mantissa, mean, std)
        }
        Some(Distribution::Classes {
            weights,
            logarithms,
            replacement,
        }) => {
            let rows = rows(weights, logarithms);
            if !replacement {
                return distinct(&rows, count);
            }
            collision(&rows)
        }
        Some(Distribution::Choices { bits }) => bits,
        // All orders are equally likely. A thing that is several elements is counted once.
        Some(Distribution::Order { of }) => {
            let things = usize::try_from(of).map_or(count, |of| of.min(count));
            return (1..=things).map(|i| float(i).log2()).sum();
        }
    };
    each * float(count)
}

/// Bits of a normally distributed element. Near the mean there are as many values as steps of the type fit into the
/// standard deviation, which are few where the mean is large.
fn normal(mantissa: u32, mean: f64, std: f64) -> f64 {
    if std > 0.0 && std.is_finite() && mean.is_finite() {
        (f64::from(mantissa) + (std / mean.abs().max(std)).log2()).max(0.0)
    } else {
        0.0
    }
}

/// A lower bound of the logarithm of the number of values that a draw can take.
fn levels(min: Scalar, max: Scalar) -> Option<f64> {
    if let Some(range) = integer_range(min, max) {
        // Rounded down to a whole bit: a word that is reduced modulo the range is not quite uniform.
        return Some(f64::from(range.ilog2()));
    }
    // Steps are widest at the largest magnitude, so that no range has fewer values than are counted there. A generator
    // fills no more than the mantissa, however fine the steps near zero are.
    let steps = clean_steps(min, max)?;
    Some(steps.log2().clamp(0.0, f64::from(min.dtype().mantissa_bits())))
}

/// Width of an integer range; `None` for floats and for an empty range.
pub(crate) fn integer_range(min: Scalar, max: Scalar) -> Option<u64> {
    if min.dtype().is_float() {
        return None;
    }
    u64::try_from(max.to_i128() - min.to_i128())
        .ok()
        .filter(|&range| range > 0)
}

/// The width of a float range in steps of its type at the largest magnitude.
pub(crate) fn clean_steps(min: Scalar, max: Scalar) -> Option<f64> {
    if !min.dtype().is_float() || !is_finite_range(min, max) {
        return None;
    }
    let (low, high) = (min.to_f64(), max.to_f64());
    let steps = (high - low) / step(low.abs().max(high.abs()), min.dtype());
    (steps.is_finite() && steps > 0.0).then_some(steps)
}

/// Bits per sample of the row with the least entropy.
fn collision(rows: &[Vec<f64>]) -> f64 {
    rows.iter()
        .map(|row| choice_bits(row.iter().copied()))
        .fold(f64::INFINITY, f64::min)
        .clamp(0.0, 64.0)
}

/// Bits of `samples` draws, divided evenly among the rows, without replacement. The heavier classes are assumed to be
/// drawn first, which is the likeliest order.
fn distinct(rows: &[Vec<f64>], samples: usize) -> f64 {
    let each = samples / rows.len().max(1);
    let of_row = |row: &Vec<f64>| {
        let mut weights = row.clone();
        weights.sort_by(f64::total_cmp);
        let most = weights.last().copied().unwrap_or(1.0);
        // In ascending order the running sums are what remains before each draw, from the last draw to the first.
        let (mut sum, mut squares) = (0.0, 0.0);
        let left = weights.iter().enumerate().map(|(drawn_after, weight)| {
            // Divided by the largest weight, since the square of a weight may be infinite.
            let weight = weight / most;
            sum += weight;
            squares += weight * weight;
            if row.len() - drawn_after <= each {
                (2.0 * sum.log2() - squares.log2()).max(0.0)
            } else {
                0.0
            }
        });
        left.sum::<f64>()
    };
    rows.iter().map(of_row).sum()
}

/// The logarithm of the number of different orders of these elements, which are sorted: a multinomial coefficient.
pub(crate) fn arrangements(sorted: &[u64]) -> f64 {
    let mut equal = 0;
    let mut previous = None;
    let of_place = |(place, element): (usize, &u64)| {
        equal = if previous == Some(*element) { equal + 1 } else { 1 };
        previous = Some(*element);
        (float(place + 1) / float(equal)).log2()
    };
    sorted.iter().enumerate().map(of_place).sum()
}

/// The weights of each row. Logarithms are converted back, up to a factor that the callers divide by.
pub(crate) fn rows(weights: &Tensor, logarithms: bool) -> Vec<Vec<f64>> {
    let classes = weights.shape().dims().get(1).copied().unwrap_or(0).max(1);
    let weights: Vec<f64> = weights
        .scalars()
        .map(|weight| {
            let weight = weight.to_f64();
            if logarithms { weight.exp() } else { weight }
        })
        .collect();
    weights.chunks(classes).map(<[f64]>::to_vec).collect()
}

/// Whether the width of a float range is finite in its type. Otherwise elements are infinities and NaNs, and have no
/// distribution to test.
pub(crate) fn is_finite_range(min: Scalar, max: Scalar) -> bool {
    let largest = match max.dtype() {
        Dtype::F16 => 65504.0,
        Dtype::F64 => f64::MAX,
        // A bf16 has the exponents of an f32.
        _ => f64::from(f32::MAX),
    };
    (max.to_f64() - min.to_f64()).abs() <= largest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{dml, multinomial, uniform_between};
    use seedproof_ops::{RandomShuffle, Shape, VllmGumbelSample};

    #[test]
    fn chance_is_the_entropy_of_all_elements() {
        let of = |dtype, bounds| chance(&uniform_between(dtype, 5, bounds), 5);
        assert_eq!(of(Dtype::F32, ("0", "1")), 5.0 * 23.0);
        // Half of the steps below 2 are taken away by the exponent of 3.
        assert_eq!(of(Dtype::F32, ("2", "3")), 5.0 * 22.0);
        assert_eq!(of(Dtype::F32, ("-1", "0")), 5.0 * 23.0);
        assert_eq!(of(Dtype::I32, ("24", "1024")), 5.0 * 9.0);
        assert_eq!(of(Dtype::I32, ("24", "24")), 0.0);
        assert_eq!(of(Dtype::U64, ("16", "18446744073709551615")), 5.0 * 63.0);
        assert_eq!(chance(&dml(&[1, 1, 1, 7]), 7), 7.0 * 32.0);
        // Of 4, 4 and 8 in 16, two draws are the same in 1/16 + 1/16 + 1/4.
        let classes = chance(&multinomial(&[4.0, 4.0, 8.0], 6), 6);
        assert!((classes - 6.0 * (8.0_f64 / 3.0).log2()).abs() < 1e-9, "{classes}");
    }

    /// A shuffle of two rows has one bit, however wide the rows are, and a choice that is left to nothing has none.
    #[test]
    fn chance_of_choices_and_orders_is_that_of_what_is_chosen() {
        let rows = |rows: u64| {
            let value = Tensor::from_elements(
                Shape::new(&[rows, 8]).unwrap(),
                &vec![1_i32; 8 * usize::try_from(rows).unwrap()],
            );
            Request::RandomShuffle(RandomShuffle {
                value: value.unwrap(),
                seed: 1,
                seed2: 2,
                execution: 0,
            })
        };
        assert_eq!(chance(&rows(2), 16), 1.0);
        assert_eq!(chance(&rows(4), 16), 24.0_f64.log2());
        let sampled = |logits: &[f32], temperature: &[f32]| {
            let shape = Shape::new(&[2, 4]).unwrap();
            Request::VllmGumbelSample(VllmGumbelSample {
                logits: Tensor::from_elements(shape, logits).unwrap(),
                temperature: Tensor::vector(temperature),
                seed: Tensor::vector(&[1_i64, 2]),
                pos: Tensor::vector(&[1_i64, 2]),
                use_fp64: false,
                is_drafting: false,
            })
        };
        let logits = [9.0, 9.0, 9.0, 9.0, 1.0, f32::NEG_INFINITY, 1.0, f32::NAN];
        // Two bits in one row and one in the other: the fewer count, and a row of temperature 0 has no choice.
        assert_eq!(chance(&sampled(&logits, &[1.0, 0.5]), 2), 2.0);
        assert_eq!(chance(&sampled(&logits, &[1.0, 0.0]), 1), 2.0);
        assert_eq!(chance(&sampled(&logits, &[0.0, 0.0]), 1), 0.0);
    }

    #[test]
    fn chance_of_distinct_classes_is_that_of_what_is_left() {
        // Four equal weights, drawn without replacement: the probabilities are 1/4, 1/3, 1/2 and 1.
        let orders = distinct(&[vec![1.0; 4]], 4);
        assert!((orders - 24.0_f64.log2()).abs() < 1e-9, "{orders}");
        let two = distinct(&[vec![1.0; 4], vec![3.0, 0.0, 3.0, 3.0]], 4);
        assert!((two - (12.0_f64 * 6.0).log2()).abs() < 1e-9, "{two}");
        // 10 and 1: the first is drawn first in 10 of 11.
        let one = distinct(&[vec![1.0, 10.0]], 2);
        assert!((one - (121.0_f64 / 101.0).log2()).abs() < 1e-9, "{one}");
        assert_eq!(distinct(&[vec![1e300, 1e300]], 2), 1.0);
        assert_eq!(distinct(&[vec![0.0, 5.0]], 1), 0.0);
        assert_eq!(distinct(&[], 0), 0.0);
    }

    #[test]
    fn arrangements_are_the_orders_of_elements() {
        assert_eq!(arrangements(&[]), 0.0);
        assert_eq!(arrangements(&[7, 7, 7]), 0.0);
        let orders = arrangements(&[1, 2, 2, 9]);
        assert!((orders - 12.0_f64.log2()).abs() < 1e-9, "{orders}");
    }

    #[test]
    fn collision_is_that_of_the_row_with_the_least_entropy() {
        let rows = [vec![1.0; 8], vec![3.0, 3.0], vec![1.0; 4]];
        assert_eq!(collision(&rows), 1.0);
        assert_eq!(collision(&[]), 64.0);
    }

    #[test]
    fn ranges_have_a_width_where_there_is_one() {
        let scalar = |dtype, text: &str| Scalar::from_decimal(dtype, text).unwrap();
        let width = |dtype, min, max| integer_range(scalar(dtype, min), scalar(dtype, max));
        assert_eq!(
            width(Dtype::I64, "-9223372036854775808", "9223372036854775807"),
            Some(u64::MAX)
        );
        assert_eq!(width(Dtype::I32, "5", "6"), Some(1));
        assert_eq!(width(Dtype::I32, "5", "5"), None);
        assert_eq!(width(Dtype::I32, "5", "4"), None);
        assert_eq!(width(Dtype::F32, "0", "4"), None);
        let steps = |dtype, min, max| clean_steps(scalar(dtype, min), scalar(dtype, max));
        assert_eq!(steps(Dtype::F16, "0", "8"), Some(1024.0));
        assert_eq!(steps(Dtype::F16, "8", "8"), None);
        assert_eq!(steps(Dtype::F16, "8", "0"), None);
        assert_eq!(steps(Dtype::F16, "-60000", "60000"), None);
        assert_eq!(steps(Dtype::I32, "0", "8"), None);
    }

    #[test]
    fn range_is_finite_up_to_the_largest_value() {
        for (dtype, largest, half, more) in [
            (Dtype::F16, "65504", "32768", "-32768"),
            (Dtype::F32, "3.4028235e38", "1.7014118e38", "-2e38"),
            (Dtype::Bf16, "3.3895314e38", "1.7014118e38", "-2e38"),
            (Dtype::F64, "1.7976931348623157e308", "1e308", "-1e308"),
        ] {
            let scalar = |text: &str| Scalar::from_decimal(dtype, text).unwrap();
            assert!(is_finite_range(scalar("0"), scalar(largest)), "{dtype}");
            assert!(is_finite_range(scalar(largest), scalar(half)), "{dtype}");
            assert!(!is_finite_range(scalar(more), scalar(largest)), "{dtype}");
        }
    }
}
