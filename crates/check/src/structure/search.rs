//! The relations that hold in a case. Parameters are searched for.

use super::relation::Relation;
use super::view::View;

/// Bits of agreement that exclude a coincidence for a relation without a parameter.
const PLAIN: f64 = 24.0;

/// The same for a relation whose parameter was picked among thousands.
const SEARCHED: f64 = 40.0;

/// The farthest shift that is tried, in elements.
const FARTHEST: i64 = 4096;

/// The largest number of threads that is tried.
const THREADS: usize = 1 << 16;

/// The relations that hold in a case, at most one of each sort.
pub(crate) fn relations(view: &View) -> Vec<Relation> {
    let n = view.count();
    let constant = view.actual[n - 1];
    let plain = [
        Relation::AllZero,
        Relation::Constant(constant),
        Relation::ByteSwapped,
        Relation::HalvesSwapped,
        Relation::FlushedToZero,
        Relation::Transposed,
        Relation::Reversed,
    ];
    let mut found: Vec<Relation> = plain
        .into_iter()
        .filter(|&relation| holds(relation, view, PLAIN))
        .collect();
    let mut search = |mut candidates: &mut dyn Iterator<Item = Relation>| {
        found.extend(Iterator::find(&mut candidates, |&relation| {
            holds(relation, view, SEARCHED)
        }));
    };
    search(&mut (1..=FARTHEST).flat_map(|k| [Relation::Shifted(k), Relation::Shifted(-k)]));
    search(&mut [2, 4, 8, 16, 32, 64].into_iter().map(Relation::ReversedInGroup));
    search(
        &mut [4, 8, 16]
            .into_iter()
            .flat_map(|b| (1..b).map(move |r| Relation::RotatedInGroup(b, r))),
    );
    search(&mut (2..=1024).map(Relation::Strided));
    search(&mut (2..=1024).map(Relation::Held));
    if view.first > 0 {
        search(&mut std::iter::once(Relation::Repeated(view.first)));
        search(&mut std::iter::once(Relation::RightThen(view.first, constant)));
    }
    // As many threads as elements, or one, change nothing. The two searches are inverses of each other.
    search(&mut (2..n.min(THREADS)).map(Relation::Interleaved));
    search(&mut (2..n.min(THREADS)).map(Relation::Deinterleaved));
    if found.contains(&Relation::AllZero) {
        found.retain(|relation| !matches!(relation, Relation::Constant(_) | Relation::ByteSwapped));
    }
    found
}

/// Whether a relation gives every element that it determines, and enough of them.
fn holds(relation: Relation, view: &View, needed: f64) -> bool {
    let n = view.count();
    let mut known = 0_u32;
    let mut unknown = 0;
    for (i, &actual) in view.actual.iter().enumerate() {
        match relation.given(view, i) {
            Some(bits) if bits == actual => known += 1,
            Some(_) => return false,
            None => unknown += 1,
        }
        if unknown > n / 2 {
            return false;
        }
    }
    f64::from(known) * view.bits >= needed
}

/// Number of elements that a relation gives.
pub(crate) fn matched(relation: Relation, view: &View) -> usize {
    view.actual
        .iter()
        .enumerate()
        .filter(|&(i, &actual)| relation.given(view, i) == Some(actual))
        .count()
}
