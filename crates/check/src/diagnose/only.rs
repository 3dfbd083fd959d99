//! What the cases of a cause have in common that the passing cases which speak against it have not.

use seedproof_ops::{Named as _, Request};

use crate::PassedCase;

/// The property in words, `only where the type is f16`; empty if there is none, or nothing speaks against the cause.
pub(crate) fn shared(given: &[&Request], against: &[&PassedCase]) -> String {
    if given.is_empty() || against.is_empty() {
        return String::new();
    }
    properties(given, against)
        .or_else(|| size(given, against))
        .unwrap_or_default()
}

/// A property is one that has a single value in the cases given, and another in the passing ones.
fn properties(given: &[&Request], against: &[&PassedCase]) -> Option<String> {
    let of = |request: &Request| {
        let rank = request.output_form().map_or(0, |(_, dims)| dims.len());
        [
            ("the op", request.op().name().to_owned()),
            ("the type", request.filed_type()),
            ("the variant", request.variant()),
            ("the rank", rank.to_string()),
            ("the execution", request.execution().to_string()),
        ]
    };
    let first = of(given[0]);
    let mut alike = first.into_iter().enumerate().filter(|(i, (_, value))| {
        given.iter().all(|request| of(request)[*i].1 == *value)
            && against.iter().all(|pass| of(&pass.request)[*i].1 != *value)
    });
    alike
        .next()
        .map(|(_, (name, value))| format!("only where {name} is {value}"))
}

/// The number of elements from which on, or up to which, the cases lie.
fn size(given: &[&Request], against: &[&PassedCase]) -> Option<String> {
    let count = |request: &Request| {
        request.output_form().map_or(0, |(_, dims)| {
            dims.iter().fold(1, |count: u64, &dim| count.saturating_mul(dim))
        })
    };
    let range = |counts: &mut dyn Iterator<Item = u64>| {
        counts.fold((u64::MAX, 0), |(least, most), count| {
            (count.min(least), count.max(most))
        })
    };
    let (least, most) = range(&mut given.iter().map(|request| count(request)));
    let (least_against, most_against) = range(&mut against.iter().map(|pass| count(&pass.request)));
    if least > most_against {
        Some(format!("only in outputs of {least} elements and more"))
    } else if most < least_against {
        Some(format!("only in outputs of at most {most} elements"))
    } else {
        None
    }
}
