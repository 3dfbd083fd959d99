//! Random requests for every op, from its description: valid ones mostly, at every edge often, and invalid in every
//! way now and then.

mod chance;
mod parts;
mod profile;
mod shrink;
mod tensors;

use crate::dtype::Dtype;
use crate::named::Named;
use crate::op::{AttributeInfo, AttributeValue, Kind, Role};
use crate::request::{OpName, Request};
use chance::Chance;
use parts::Parts;

pub use profile::Profile;
pub use shrink::shrink;

/// A source of words of 64 bits, which decide everything about a request.
pub type Words<'a> = &'a mut dyn FnMut() -> u64;

/// A request for any op, of few elements.
pub fn short_request(words: Words) -> Request {
    let mut chance = Chance::new(words, false);
    let op = chance.pick(OpName::ALL);
    request(op, None, &mut chance)
}

/// A request of this profile, and now and then one that leaves it by a mistake: of few elements, or of up to 70,000 where it is
/// `long`, which only ops have whose output's extents are asked for.
pub fn request_of(profile: &Profile, long: bool, words: Words) -> Request {
    let mut chance = Chance::new(words, long && asks_for_extents(profile.op));
    request(profile.op, Some(profile), &mut chance)
}

/// Up to `count` requests of an op, which its variants take in turn: of ten of a variant, six as [`request_of`] makes them and
/// four valid ones of given extents. Each is of at most 2^15 elements' work.
pub fn requests_of(op: OpName, count: usize, words: Words) -> Vec<Request> {
    // An output with a tail, one of odd rows, one in whole blocks of any layout, and one of more elements than a group has threads.
    const EXTENTS: [&[u64]; 4] = [&[35], &[7, 5], &[4, 32, 3], &[1100]];
    // A count may be of millions, and one such request takes the time of all others.
    const MAX_WORK: u64 = 1 << 15;
    let profiles = Profile::all(op);
    let mut all = Vec::new();
    for number in 0..count {
        let profile = &profiles[number % profiles.len()];
        all.push(match EXTENTS.get(number / profiles.len() % 10) {
            Some(extents) => request_with_extents(profile, extents, words),
            None => request_of(profile, false, words),
        });
    }
    all.retain(|request| request.work() <= MAX_WORK);
    all
}

/// A valid request of this profile whose output has these extents, as far as the op lets a request choose them. A variant that
/// needs more extents has ones in front. An op that takes a count for each row draws rows of the last extent.
pub fn request_with_extents(profile: &Profile, extents: &[u64], words: Words) -> Request {
    let mut chance = Chance::new(words, true);
    chance.extents = Some(extents.to_vec());
    request(profile.op, Some(profile), &mut chance)
}

fn asks_for_extents(op: OpName) -> bool {
    let description = op.description();
    let mut attributes = description.attributes.iter();
    attributes.any(|info| matches!(info.kind, Kind::Extents(_)))
        || description.inputs.iter().any(|info| info.role == Role::Extents)
}

/// A valid request of up to 70,000 elements, which fill groups, lanes and chunks, of any op whose request has the extents of
/// its output. Most counters begin within a few blocks of a carry into another word.
pub fn long_request(words: Words) -> Request {
    let mut chance = Chance::new(words, true);
    loop {
        let op = chance.pick(OpName::ALL);
        if asks_for_extents(op) {
            return request(op, None, &mut chance);
        }
    }
}

fn request(op: OpName, profile: Option<&Profile>, chance: &mut Chance) -> Request {
    let description = op.description();
    let mut parts = Parts {
        op,
        attributes: Vec::new(),
        inputs: vec![None; description.inputs.len()],
        execution: 0,
    };
    for (at, info) in description.attributes.iter().enumerate() {
        let value = match profile {
            // A mistake is a value that there is not: another one that there is would be a request of another profile.
            Some(profile) if profile.decides(at) && chance.mistake() => {
                Some(AttributeValue::Text("odd".to_owned()))
            }
            Some(profile) if profile.decides(at) => profile.value(at),
            _ => has(chance, info.required).then(|| attribute(chance, op, info)),
        };
        parts.attributes.push(value);
    }
    if description.successive && !chance.long && chance.odds(1, 21) {
        parts.execution = chance.pick(&[1, 2]);
    }
    for (at, info) in description.inputs.iter().enumerate() {
        if info.role != Role::Draws && has(chance, info.required) {
            parts.inputs[at] = Some(tensors::input(chance, info, &parts));
        }
    }
    if let Some(at) = parts.input_of(Role::Draws) {
        let info = &description.inputs[at];
        if has(chance, info.required) {
            let dtype = tensors::dtype(chance, info, &parts);
            let dims = draws(chance, &parts);
            parts.inputs[at] = Some(tensors::tensor(chance, Role::Draws, dtype, &dims));
        }
    }
    // Random bounds are a range half the time; in order they mostly are one.
    if chance.long || !chance.odds(1, 8) {
        parts.order();
    }
    parts.build().expect("every part has a value of its kind")
}

/// Whether a value is present. A required one always is; an optional one is left out of a long request, unless the request's
/// extents are given, since some ops have no answer without their optional seed.
fn has(chance: &mut Chance, required: bool) -> bool {
    required || (!chance.long || chance.extents.is_some()) && chance.odds(1, 4)
}

fn attribute(chance: &mut Chance, op: OpName, info: &AttributeInfo) -> AttributeValue {
    let text = |text: &str| AttributeValue::Text(text.to_owned());
    let mistake = chance.mistake();
    match info.kind {
        Kind::Enumeration(_) | Kind::Dtype(_) if mistake && chance.odds(1, 2) => text("odd"),
        Kind::Enumeration(names) => text(chance.pick(names)),
        Kind::Dtype(_) if mistake => text(chance.pick(Dtype::NAMES)),
        Kind::Dtype(types) => text(chance.pick(types).name()),
        Kind::Seed if chance.odds(1, 2) => AttributeValue::Seed(chance.word()),
        Kind::Seed => {
            let edges = [0, 1, 0xffff_ffff, 1 << 32, (1 << 53) + 1, 1 << 63, u64::MAX];
            AttributeValue::Seed(chance.pick(&edges))
        }
        Kind::Boolean | Kind::WithOutput => AttributeValue::Boolean(chance.odds(1, 2)),
        Kind::Extents(smallest) => AttributeValue::Extents(extents(chance, smallest)),
        Kind::Number(usual) if !usual.is_empty() && !mistake => AttributeValue::Number(chance.pick(usual)),
        Kind::Number(_) => AttributeValue::Number(match chance.within(0..3) {
            0 => i128::from(chance.word().cast_signed()) << 64 | i128::from(chance.word()),
            1 => i128::from(of_any_length(chance, op)),
            _ => i128::from(chance.within(-3..100)),
        }),
    }
}

/// A number whose length in bits is random, so that short spans are as frequent as full words.
fn of_any_length(chance: &mut Chance, op: OpName) -> i64 {
    // Small numbers and whole words leave out the spans of 8 to 32 bits, in which bounds that pass through f32 show.
    let number = chance.word().cast_signed() >> chance.within(0..64);
    // Where no extents are asked for, the number may count what is drawn: it is a few thousand then, or past every limit, since
    // a request of a million elements takes the time of a thousand others.
    let is_long_count = !asks_for_extents(op) && (1 << 12..1 << 40).contains(&number.unsigned_abs());
    if is_long_count { number % (1 << 12) } else { number }
}

fn extents(chance: &mut Chance, smallest: &[u64]) -> Vec<u64> {
    if let Some(extents) = &chance.extents {
        // A variant that takes several extents takes this number of them and no fewer.
        let ones = if smallest.len() > 1 {
            smallest.len().saturating_sub(extents.len())
        } else {
            0
        };
        return [vec![1; ones], extents.clone()].concat();
    }
    if chance.long {
        let mut extents = smallest.to_vec();
        if let Some(last) = extents.last_mut() {
            *last = tensors::long_extent(chance);
        }
        return extents;
    }
    let rank = match chance.within(0..17) {
        0..12 => smallest.len() as u64,
        12..16 => chance.extent(1..9),
        _ => chance.pick(&[0, 9]),
    };
    (0..rank)
        .map(|at| {
            if chance.mistake() {
                chance.pick(&[0, 1 << 40])
            } else if at + 1 == rank && chance.odds(1, 3) {
                // One extent alone, so that the output stays small.
                tensors::border(chance)
            } else {
                chance.extent(1..4)
            }
        })
        .collect()
}

/// The shape of `draws`: the output's if it has at most 4,096 elements, else `[1, 2]`.
fn draws(chance: &mut Chance, parts: &Parts) -> Vec<u64> {
    const MAX_DRAWS: u64 = 4096;
    let output = parts.build().ok().and_then(|request| request.output_form());
    let count = |dims: &[u64]| dims.iter().try_fold(1, |n: u64, dim| n.checked_mul(*dim));
    match output {
        Some((_, dims)) if !chance.mistake() && count(&dims).is_some_and(|n| n <= MAX_DRAWS) => dims,
        _ => vec![1, 2],
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Lengths in bits of a number of an op's random requests.
    fn lengths(op: OpName, number: fn(&Request) -> Option<i128>) -> BTreeSet<u32> {
        let mut words = fastrand::Rng::with_seed(1);
        let profile = &Profile::all(op)[0];
        let requests = (0..20_000).map(|_| request_of(profile, false, &mut || words.u64(..)));
        let numbers = requests.filter_map(|request| number(&request));
        numbers
            .map(|number| 128 - number.unsigned_abs().leading_zeros())
            .collect()
    }

    #[test]
    fn numbers_have_every_length_but_counts_few() {
        let bounds = lengths(OpName::JaxRandint, |request| match request {
            Request::JaxRandint(request) => Some(request.maxval),
            _ => None,
        });
        assert!((0..=63).all(|length| bounds.contains(&length)), "{bounds:?}");
        let counts = lengths(OpName::JaxPermutation, |request| match request {
            Request::JaxPermutation(request) => Some(request.n),
            _ => None,
        });
        assert!((0..=12).all(|length| counts.contains(&length)), "{counts:?}");
        assert!((14..=40).all(|length| !counts.contains(&length)), "{counts:?}");
    }
}
