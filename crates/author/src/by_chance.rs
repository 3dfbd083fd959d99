//! Random cases, which are in no corpus.

use seedproof::judging::ad_hoc;
use seedproof_corpus::{Case, CaseId};
use seedproof_ops::{Backend as _, Limits};
use seedproof_reference::Reference;

use crate::requests::{long_request, short_request};

/// One case in so many is of up to 70,000 elements.
const LONG: u64 = 64;

/// The most work of a request.
const MOST: u64 = 1 << 17;

/// So many cases for all ops, which the oracle answers: valid requests mostly, at every edge often, and invalid in every
/// way now and then, unless the specification is to answer each with a value. The same number and seed give the same
/// cases, and a smaller number gives the first of them.
///
/// The id of a case is `random/`, the prefix of its op, the seed and the number of the case: `random/ru8/7-000012`.
pub fn by_chance(count: u64, seed: u64, valid: bool) -> impl Iterator<Item = Case> {
    let reference = Reference::new(Limits::default(), move || seed);
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut draw = move |i: u64| {
        let request = if i.is_multiple_of(LONG) {
            long_request
        } else {
            short_request
        };
        request(&mut || rng.u64(..))
    };
    (1..=count).map(move |i| {
        let mut request = draw(i);
        // Some ask for more than anyone would wait for.
        while request.work() > MOST || (valid && reference.run(&request).is_err()) {
            request = draw(i);
        }
        let id = format!("random/{}/{seed}-{i:06}", request.description().prefix);
        Case {
            id: CaseId::new(&id).expect("prefixes and digits make an id"),
            ..ad_hoc(request)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn cases_by_chance_are_the_same_for_a_seed() {
        let cases = |count, seed| by_chance(count, seed, false).collect::<Vec<_>>();
        let few = cases(200, 7);
        assert_eq!(few[..], cases(300, 7)[..200]);
        assert_ne!(few, cases(200, 8));
        let ids: BTreeSet<&str> = few.iter().map(|case| case.id.as_str()).collect();
        assert_eq!(ids.len(), 200);
        let ops: BTreeSet<&str> = few
            .iter()
            .map(|case| case.request.op().description().name)
            .collect();
        assert!(ops.len() > 3, "{ops:?}");
        let reference = Reference::new(Limits::default(), || 1);
        let answered = |case: &Case| reference.run(&case.request).is_ok();
        assert!(by_chance(200, 7, true).all(|case| answered(&case)));
        assert!(!few.iter().all(answered));
    }
}
