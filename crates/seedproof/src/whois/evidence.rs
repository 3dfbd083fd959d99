//! The evidence in an agreement, in bits.

use seedproof_check::ulps;
use seedproof_ops::{Distribution, Request, Scalar, Tensor};

use super::answer::Draw;
use super::numbers::{EVIDENCE, as_f64};
use super::seen::Seen;
use super::sought::Sought;
use super::values::{LOOKED_AT, counts};

/// Whether an agreement on all elements is more than chance could produce in this number of attempts. `free` elements
/// do not count, because parameters of the request were computed from them.
#[expect(
    clippy::cast_precision_loss,
    reason = "a number of attempts is far below 2^53"
)]
pub(super) fn is_certain(sought: &Sought, free: usize, draws: &[Draw], attempts: usize) -> bool {
    let seen = Seen::of(sought);
    let elements = seen.count().saturating_sub(free);
    let bits = draws.iter().map(|draw| match draw.request.distribution() {
        // The last things of an order follow from the others.
        Some(Distribution::Order { of }) => {
            let things = usize::try_from(of).map_or(elements, |of| of.min(elements));
            (0..things).map(|i| (of as f64 - i as f64).max(1.0).log2()).sum()
        }
        _ => information(&seen, &draw.request) * elements as f64,
    });
    // The weakest draw decides: if one of several could be chance, the answer as a whole is not certain.
    bits.reduce(f64::min)
        .is_some_and(|bits| bits > EVIDENCE + (attempts as f64 * sought.among as f64).log2())
}

/// The bits of an array, and those that name a draw among this number of attempts, where it has fewer: a draw that is right would
/// be `possible` at best.
///
/// ```
/// use seedproof::ops::Tensor;
/// use seedproof::whois::{Sought, lacking};
///
/// let of = |flags: &[i32]| lacking(&Sought::new(Tensor::vector(flags), 0, 0), 1 << 18);
/// assert_eq!(of(&[0, 1, 1, 0, 1, 0, 0, 1]), Some([8.0, 38.0]));
/// assert_eq!(of(&[0, 1, 1, 0].repeat(16)), None);
/// ```
pub fn lacking(sought: &Sought, attempts: usize) -> Option<[f64; 2]> {
    let seen = Seen::of(sought);
    let numbers = || sought.actual.scalars().map(Scalar::to_f64);
    let width = numbers().fold(f64::MIN, f64::max) - numbers().fold(f64::MAX, f64::min);
    let most = if seen.dtype.is_float() {
        seen.dtype.mantissa_bits()
    } else {
        32
    };
    let bits = seen.bits(
        width + f64::from(u8::from(!seen.dtype.is_float())),
        f64::from(most),
    );
    let bits = bits * as_f64(seen.count());
    let needed = EVIDENCE + sought.attempts(as_f64(attempts)).log2();
    (bits < needed).then(|| [bits.floor(), needed.ceil()])
}

/// A lower bound of the entropy of an element of this request's distribution, in bits.
#[expect(clippy::cast_precision_loss, reason = "a count of elements need not be exact")]
fn information(seen: &Seen, request: &Request) -> f64 {
    // At most 32 bits in any case: an element of 64 bits may be made of one word.
    match request.distribution() {
        Some(Distribution::Uniform { lower, upper }) if lower.dtype().is_float() => {
            let apart = ulps(lower, upper).map_or(0.0, |apart| (apart.max(1) as f64).log2());
            let most = apart.min(f64::from(lower.dtype().mantissa_bits())).min(32.0);
            seen.bits(upper.to_f64() - lower.to_f64(), most)
        }
        Some(Distribution::Uniform { lower, upper }) => {
            let span = upper.to_i128().saturating_sub(lower.to_i128()).max(1);
            seen.bits(span as f64, 32.0)
        }
        Some(Distribution::Normal { .. }) => seen.bits(f64::INFINITY, f64::from(seen.dtype.mantissa_bits())),
        Some(Distribution::Bits) => seen.bits(f64::INFINITY, 8.0 * seen.dtype.size() as f64).min(32.0),
        Some(Distribution::Choices { bits }) if bits > 0.0 => bits.min(32.0),
        _ => seen.bits(f64::INFINITY, 32.0),
    }
}

/// The expected number of equal elements if one of the two arrays is put in a random order.
#[expect(clippy::cast_precision_loss, reason = "a few thousand elements")]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "at most the number of elements"
)]
pub(super) fn by_chance(actual: &Tensor, drawn: &Tensor) -> usize {
    let (ours, theirs) = (counts(actual), counts(drawn));
    let pairs = ours.iter().filter_map(|(value, count)| {
        let its = theirs.binary_search_by_key(value, |(other, _)| *other).ok()?;
        Some(*count as f64 * theirs[its].1 as f64)
    });
    (pairs.sum::<f64>() / actual.count().clamp(1, LOOKED_AT) as f64).ceil() as usize
}

/// Whether two arrays agree in more than half of the elements that do not agree by chance.
pub(super) fn agree(actual: &Tensor, drawn: &Tensor, equal: usize) -> bool {
    let all = actual.count().clamp(1, LOOKED_AT);
    // Chance only raises the bound. It is estimated from sorted elements, which most arrays, far from the bound, need not wait for.
    if 2 * equal <= all {
        return false;
    }
    let chance = by_chance(actual, drawn);
    2 * equal.saturating_sub(chance) > all.saturating_sub(chance)
}
