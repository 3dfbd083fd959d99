//! Requests whose seeds are both zero, so that the implementation draws from entropy.
//!
//! The checks are: the form and the range of every run, a second run whose output differs, an output that does not repeat itself,
//! and statistics of the requested distribution where the output is large enough for them.

use std::cell::OnceCell;

use seedproof_ops::{
    AttributeValue, Backend, Distribution, Failure, Kind, Request, Response, Scalar, Tensor,
};

use crate::model::chance::{chance, clean_steps, integer_range, is_finite_range, rows};
use crate::model::finding::{Form, Mismatch};
use crate::model::statistics::{Test, chi_squared, counted, float, on_grid, uniformity, unit_uniformity};

/// The most runs after the first: with one bit of entropy each, 64 equal outputs have the probability 2^-64.
const MAX_RERUNS: u32 = 64;

/// The most elements that the tests examine. Faults of a generator show in far fewer.
const MAX_TESTED: usize = 1 << 20;

/// The number of seeds with which a reading is drawn, to see whether it stays within the bounds.
const SEEDS: u64 = 64;

/// The most elements of each draw with one of these seeds. All draws together have as many as the tests examine.
const MAX_DRAWN: u64 = (1 << 20) / SEEDS;

/// The fault of an answer to a request with both seeds zero, if it has one. `again` runs the request once more.
///
/// `oracle` is the backend of the reading. An implementation may leave the bounds if the reading does so with other
/// seeds.
///
/// The request is run again until equal outputs of sound runs are less likely than 2^-64, at most 64 times. An output
/// of less than one bit of entropy may repeat itself.
///
/// # Errors
/// The failure of `again`.
pub(crate) fn check(
    request: &Request,
    first: &Response,
    oracle: &dyn Backend,
    mut again: impl FnMut() -> Result<Response, Failure>,
) -> Result<Option<Mismatch>, Failure> {
    let lacks = |message: String| Ok(Some(Mismatch::Statistics { message }));
    // The bounds of the reading take many draws, and are the same for every run.
    let keeps = OnceCell::new();
    let keeps_bounds = || *keeps.get_or_init(|| keeps_bounds(request, oracle));
    let wrong = |output: &Tensor| {
        Mismatch::of_form(request, Form::of(output)).or_else(|| {
            let message = out_of_range(request, output).filter(|_| keeps_bounds())?;
            Some(Mismatch::Statistics { message })
        })
    };
    if let Some(mismatch) = wrong(&first.output) {
        return Ok(Some(mismatch));
    }
    let outside = out_of_range(request, &first.output);
    // One output that differs is enough: a run ends there, so that a sound implementation is mostly asked once more.
    let reruns = reruns(chance(request, first.output.count()));
    for run in 1..=reruns {
        let output = again()?.output;
        if let Some(mismatch) = wrong(&output) {
            return Ok(Some(mismatch));
        }
        if output != first.output {
            break;
        }
        if run == reruns {
            return lacks(format!("{} runs gave the same output", reruns + 1));
        }
    }
    // The reading leaves the bounds too, and the distribution of its elements is not known: there is no test for it.
    if outside.is_some() {
        return Ok(None);
    }
    if let Some(period) = period(request, &first.output) {
        return lacks(format!("the output repeats itself after {period} elements"));
    }
    // A reading that leaves the bounds for some seeds is not uniform within them either.
    match unlikely(request, &first.output).filter(|_| keeps_bounds()) {
        None => Ok(None),
        Some(Test { name, p }) => lacks(format!("{name} are not distributed as requested: p = {p:.1e}")),
    }
}

/// Whether a reading stays within the bounds for [`SEEDS`] other seeds. Some kernels do not where the range of integers
/// is wide. Of a larger output only the first [`MAX_DRAWN`] elements are drawn, if the op has a shorter form.
fn keeps_bounds(request: &Request, oracle: &dyn Backend) -> bool {
    let prefix = request
        .prefix(MAX_DRAWN)
        .filter(|prefix| prefix.work() < request.work());
    let request = prefix.as_ref().unwrap_or(request);
    let seeded = |seed| {
        let mut attributes = request.description().attributes.iter();
        let first = attributes.find(|info| info.kind == Kind::Seed)?;
        let build = Request::build(
            request.op(),
            &mut |info| match info.name {
                name if name == first.name => Some(AttributeValue::Seed(seed)),
                name => request.attribute(name),
            },
            &mut |info| request.input(info.name).cloned(),
            request.execution(),
        );
        build.ok()
    };
    let mut drawn = (1..=SEEDS).filter_map(|seed| oracle.run(&seeded(seed)?).ok());
    drawn.all(|response| out_of_range(request, &response.output).is_none())
}

/// A sentence about the first element that no draw can produce.
pub(crate) fn out_of_range(request: &Request, output: &Tensor) -> Option<String> {
    match request.distribution()? {
        Distribution::Uniform { lower, upper } => {
            let (index, value) = output
                .scalars()
                .enumerate()
                .find(|&(_, value)| !in_range(value, lower, upper))?;
            let end = if value.dtype().is_float() { "]" } else { ")" };
            Some(format!(
                "element {index} is {}, outside [{}, {}{end}",
                value.decimal(),
                lower.decimal(),
                upper.decimal()
            ))
        }
        Distribution::Classes {
            weights,
            logarithms,
            replacement,
        } => wrong_class(weights, logarithms, replacement, output),
        // Bits, choices and orders may be anything, and a normal distribution has no bounds.
        Distribution::Bits
        | Distribution::Choices { .. }
        | Distribution::Order { .. }
        | Distribution::Normal { .. } => None,
    }
}

/// Whether a draw from a range may have this value. A float may be rounded up to the upper bound. The width of a very
/// wide range overflows, and then every value may occur.
fn in_range(value: Scalar, min: Scalar, max: Scalar) -> bool {
    if !value.dtype().is_float() {
        return (min.to_i128()..max.to_i128()).contains(&value.to_i128());
    }
    let (low, high) = (min.to_f64(), max.to_f64());
    !is_finite_range(min, max) || (low..=high).contains(&value.to_f64())
}

fn wrong_class(weights: &Tensor, logarithms: bool, replacement: bool, output: &Tensor) -> Option<String> {
    let [_, classes] = *weights.shape().dims() else {
        return None;
    };
    let samples = *output.shape().dims().get(1)?;
    let mut is_drawn = vec![false; classes];
    for (index, value) in output.scalars().enumerate() {
        let row = index / samples.max(1);
        if index % samples.max(1) == 0 {
            is_drawn.fill(false);
        }
        let class = usize::try_from(value.to_i64()).ok();
        let Some(class) = class.filter(|&class| class < classes) else {
            let value = value.decimal();
            return Some(format!(
                "element {index} is {value}, and there are {classes} classes"
            ));
        };
        let weight = weights.get(row * classes + class)?;
        if !logarithms && weight.to_f64() == 0.0 {
            return Some(format!(
                "element {index} is class {class}, whose probability is 0"
            ));
        }
        if std::mem::replace(&mut is_drawn[class], true) && !replacement {
            return Some(format!(
                "element {index} is class {class}, which was drawn before"
            ));
        }
    }
    None
}

/// The number of elements after which an output repeats itself, where chance would hardly do so.
fn period(request: &Request, output: &Tensor) -> Option<usize> {
    // Rows of classes may have one likely class each, so that some repeat others.
    let (Distribution::Uniform { .. } | Distribution::Bits | Distribution::Normal { .. }) =
        request.distribution()?
    else {
        return None;
    };
    let bits: Vec<u64> = output.scalars().take(MAX_TESTED).map(Scalar::bits).collect();
    // The prefix function: for each element the length of the longest beginning that also ends there.
    let mut lengths = vec![0; bits.len()];
    for i in 1..bits.len() {
        let mut length: usize = lengths[i - 1];
        while length > 0 && bits[length] != bits[i] {
            length = lengths[length - 1];
        }
        lengths[i] = length + usize::from(bits[length] == bits[i]);
    }
    let again = *lengths.last()?;
    (chance(request, again) >= f64::from(MAX_RERUNS)).then_some(bits.len() - again)
}

/// The number of further runs after which equal outputs of this entropy have a probability below 2^-64.
fn reruns(bits: f64) -> u32 {
    if bits < 1.0 {
        return 0;
    }
    (1..=MAX_RERUNS)
        .find(|&runs| bits * f64::from(runs) >= f64::from(MAX_RERUNS))
        .unwrap_or(MAX_RERUNS)
}

/// The test with the smallest p-value among those that reject.
fn unlikely(request: &Request, output: &Tensor) -> Option<Test> {
    let tests = match request.distribution() {
        Some(Distribution::Uniform { lower, upper }) => {
            uniform_tests(lower, upper, output).unwrap_or_default()
        }
        Some(Distribution::Classes {
            weights,
            logarithms,
            replacement: true,
        }) => class_tests(&rows(weights, logarithms), output),
        _ => Vec::new(),
    };
    tests
        .into_iter()
        .filter(Test::rejects)
        .min_by(|a, b| a.p.total_cmp(&b.p))
}

fn uniform_tests(min: Scalar, max: Scalar, output: &Tensor) -> Option<Vec<Test>> {
    let values = output.scalars().take(MAX_TESTED);
    if let Some(range) = integer_range(min, max) {
        let offset = |value: Scalar| value.to_i64().wrapping_sub(min.to_i64()).cast_unsigned();
        if range.is_power_of_two() {
            let values: Vec<u64> = values.map(offset).collect();
            return Some(uniformity(&values, range.ilog2()));
        }
        // The specification reduces a word modulo the range, so that a range close to 2^32 is far from uniform by
        // design. Up to 2^24 a value is likelier than another by one part in 256 at most, which raises the chi-squared
        // of 2^20 elements by 4; a test with 15 degrees of freedom rejects at 74.
        return (range <= 1 << 24).then(|| cells(16.min(range), range, values.map(offset)));
    }
    let steps = clean_steps(min, max)?;
    let (low, width) = (min.to_f64(), max.to_f64() - min.to_f64());
    // Multiplication by a power of two is exact, so that the elements keep the grid of the unit interval.
    if low == 0.0 && steps.log2().fract() == 0.0 {
        let unit = values.map(|value| value.to_f64() / width);
        // Generators fill the mantissa, or one bit more. On a finer grid the lowest bit of those that fill the mantissa would
        // always be zero, and they would be rejected.
        return Some(unit_uniformity(unit, min.dtype().mantissa_bits()));
    }
    // In other ranges rounding favours some values over their neighbours. Where a range has 4,096 steps or more, that
    // does not change how many elements lie in each sixteenth of it.
    (steps >= f64::from(1 << 12)).then(|| {
        let offset = values.map(|value| on_grid((value.to_f64() - low) / width, 10));
        cells(16, 1 << 10, offset)
    })
}

/// Chi-squared of `count` cells of `0 .. range`, whose sizes differ by one at most.
fn cells(count: u64, range: u64, offsets: impl Iterator<Item = u64>) -> Vec<Test> {
    let cell = |offset: u64| u128::from(offset) * u128::from(count) / u128::from(range);
    let cells = offsets.map(|offset| u64::try_from(cell(offset)).unwrap_or(u64::MAX));
    let observed = counted(usize::try_from(count).unwrap_or(0), cells);
    if observed.iter().sum::<u32>() < 8 * u32::try_from(count).unwrap_or(u32::MAX) {
        return Vec::new();
    }
    let start = |cell: u64| (u128::from(cell) * u128::from(range)).div_ceil(u128::from(count));
    let weights: Vec<f64> = (0..count)
        .map(|cell| f64::from(u32::try_from(start(cell + 1) - start(cell)).unwrap_or(u32::MAX)))
        .collect();
    vec![Test {
        name: "values",
        p: chi_squared(&observed, &weights),
    }]
}

/// Chi-squared of each row's classes. Classes with an expected count below eight are taken together as one cell.
fn class_tests(rows: &[Vec<f64>], output: &Tensor) -> Vec<Test> {
    let samples = output.shape().dims().get(1).copied().unwrap_or(0);
    if samples < 64 {
        return Vec::new();
    }
    let drawn: Vec<u64> = output
        .scalars()
        .map(|class| class.to_i64().cast_unsigned())
        .collect();
    rows.iter()
        .zip(drawn.chunks(samples))
        .map(|(weights, drawn)| {
            let rare = 8.0 / float(samples) * weights.iter().sum::<f64>();
            // Counted in one pass: a row may have a million classes and as many samples.
            let counts = counted(weights.len(), drawn.iter().copied());
            let mut cells = vec![(0_u32, 0.0)];
            for (seen, &weight) in counts.into_iter().zip(weights) {
                if weight < rare {
                    cells[0].0 += seen;
                    cells[0].1 += weight;
                } else {
                    cells.push((seen, weight));
                }
            }
            // The rare classes together may still have an expected count below eight, and then join the next cell.
            if cells.len() > 1 && cells[0].1 < rare {
                let (seen, weight) = cells.remove(0);
                cells[0].0 += seen;
                cells[0].1 += weight;
            }
            let (observed, weights): (Vec<u32>, Vec<f64>) = cells.into_iter().unzip();
            Test {
                name: "classes",
                p: chi_squared(&observed, &weights),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests;
