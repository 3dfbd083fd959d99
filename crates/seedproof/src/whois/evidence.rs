//! How much an agreement proves.

use std::collections::HashMap;

use seedproof_check::ulps;
use seedproof_ops::{Distribution, Request, Tensor};

use super::answer::Draw;

/// Bits of agreement beyond the logarithm of the number of attempts: one wrong name in a million.
const EVIDENCE: f64 = 20.0;
/// Elements that are looked at.
const LOOKED_AT: usize = 1024;

/// Whether agreement on an array is evidence, after so many attempts. `free` elements are used up by what was read off
/// from them.
#[expect(
    clippy::cast_precision_loss,
    reason = "a number of attempts is far below 2^53"
)]
pub(super) fn is_certain(actual: &Tensor, free: usize, draws: &[Draw], attempts: usize) -> bool {
    let elements = actual.count().saturating_sub(free);
    let bits = draws
        .iter()
        .map(|draw| information(actual, &draw.request) * elements as f64);
    bits.reduce(f64::min)
        .is_some_and(|bits| bits > EVIDENCE + (attempts as f64).log2())
}

/// Bits that an element of an array of the request's distribution has, at the least.
#[expect(clippy::cast_precision_loss, reason = "a count of elements need not be exact")]
fn information(actual: &Tensor, request: &Request) -> f64 {
    let each = match request.distribution() {
        Some(Distribution::Uniform { lower, upper }) if lower.dtype().is_float() => {
            let apart = ulps(lower, upper).map_or(0.0, |apart| (apart.max(1) as f64).log2());
            apart.min(f64::from(lower.dtype().mantissa_bits()))
        }
        Some(Distribution::Uniform { lower, upper }) => {
            let span = upper.to_i128().saturating_sub(lower.to_i128()).max(1);
            (span as f64).log2()
        }
        Some(Distribution::Bits) => 8.0 * actual.dtype().size() as f64,
        _ => 32.0,
    };
    each.min(entropy(actual)).min(32.0)
}

/// Bits of an element by how often each value stands among the first; as many as any where all of them differ.
#[expect(clippy::cast_precision_loss, reason = "a few thousand elements")]
fn entropy(actual: &Tensor) -> f64 {
    let counts = counts(actual);
    let all: usize = counts.values().sum();
    if counts.len() == all && all > 1 {
        return f64::INFINITY;
    }
    let bits = |&count: &usize| {
        let share = count as f64 / all as f64;
        -share * share.log2()
    };
    counts.values().map(bits).sum()
}

/// How often each value stands among the first elements.
fn counts(tensor: &Tensor) -> HashMap<u64, usize> {
    let mut counts = HashMap::new();
    for scalar in tensor.scalars().take(LOOKED_AT) {
        *counts.entry(scalar.bits()).or_default() += 1;
    }
    counts
}

/// Whether two arrays have at least half of what is to be had in common beyond chance, which is the agreement of arrays
/// with the same values in any order.
#[expect(clippy::cast_precision_loss, reason = "a few thousand elements")]
pub(super) fn agree(actual: &Tensor, drawn: &Tensor, equal: usize) -> bool {
    let (ours, theirs) = (counts(actual), counts(drawn));
    let all = actual.count().clamp(1, LOOKED_AT) as f64;
    let pairs = ours
        .iter()
        .filter_map(|(value, count)| Some(*count as f64 * *theirs.get(value)? as f64));
    let chance = pairs.sum::<f64>() / all;
    equal as f64 - chance > (all - chance) / 2.0
}
