//! What is known of outputs that no candidate reproduces.

use seedproof_check::{Comparison, Finding, Mismatch};

use crate::words::thousands;

/// The most ulps of a difference that rounding makes. Another order of operations in a scale is off by one or two, and a
/// logarithm and a sine by a few more; numbers of another draw are thousands of ulps away.
const ROUNDING: u64 = 8;

/// A way in which an output differs, and its words.
type Way = (fn(&Comparison) -> bool, &'static str);

/// The most telling first: an output counts for the first that fits.
const WAYS: [Way; 4] = [
    (is_rounded, "off by a few ulps, so that the words are right"),
    (is_moved, "elements of the expected stream in other places"),
    (begins_right, "right at the beginning"),
    (|_| true, "wrong from the first element on"),
];

/// `off by a few ulps, so that the words are right`, or several of these, each with its outputs: `right at the beginning (7),
/// wrong from the first element on (2)`. `None` if no value was compared.
pub(crate) fn known(findings: &[&Finding]) -> Option<String> {
    let mut cases = [0_usize; WAYS.len()];
    for finding in findings {
        if let Some(Mismatch::Elements(comparison)) = &finding.mismatch {
            let way = WAYS.iter().position(|(fits, _)| fits(comparison));
            cases[way.expect("the last way fits all")] += 1;
        }
    }
    let found: Vec<(usize, &str)> = cases
        .into_iter()
        .zip(WAYS)
        .map(|(cases, (_, way))| (cases, way))
        .filter(|(cases, _)| *cases > 0)
        .collect();
    match found[..] {
        [] => None,
        [(_, way)] => Some(way.to_owned()),
        _ => {
            let parts = found
                .iter()
                .map(|&(cases, way)| format!("{way} ({})", thousands(cases)));
            Some(parts.collect::<Vec<_>>().join(", "))
        }
    }
}

fn is_rounded(comparison: &Comparison) -> bool {
    comparison.first.expected.dtype().is_float() && comparison.max_ulps.is_some_and(|ulps| ulps <= ROUNDING)
}

/// Whether at least half of the elements that are listed stand elsewhere in the stream. A few do by chance.
fn is_moved(comparison: &Comparison) -> bool {
    let found = comparison.differences.found.as_ref();
    found.is_some_and(|found| {
        let all = found.places.len();
        all >= 4 && 2 * found.places.iter().filter(|places| !places.is_empty()).count() >= all
    })
}

fn begins_right(comparison: &Comparison) -> bool {
    comparison.first.index > 0
}

#[cfg(test)]
mod tests {
    use seedproof_check::{Differences, Element, Outcome, Places};
    use seedproof_corpus::CaseId;
    use seedproof_ops::{BackendId, Dtype, Scalar};

    use super::*;

    /// A finding whose first difference is at an index, by some ulps, with the places of its elements in the stream.
    fn finding(index: usize, ulps: u64, places: &[&[usize]]) -> Finding {
        let scalar = Scalar::new(Dtype::F32, 0x3f80_0000);
        let comparison = Comparison {
            total: 100,
            differing: 4,
            first: Element {
                index,
                coordinates: vec![index],
                block: None,
                expected: scalar,
                actual: scalar,
                ulps: Some(ulps),
            },
            max_ulps: Some(ulps),
            strip: Vec::new(),
            differences: Differences {
                found: Some(Places {
                    searched: 400,
                    places: places.iter().map(|places| places.to_vec()).collect(),
                }),
                ..Differences::default()
            },
            stages: Vec::new(),
            expected_stages: None,
            actual_stages: None,
        };
        Finding {
            mismatch: Some(Mismatch::Elements(Box::new(comparison))),
            ..Finding::new(CaseId::new("x/1").unwrap(), BackendId::new("mine"), Outcome::Fail)
        }
    }

    fn known_of(findings: &[Finding]) -> Option<String> {
        known(&findings.iter().collect::<Vec<_>>())
    }

    #[test]
    fn outputs_count_for_the_most_telling_way() {
        let rounded = finding(5, 2, &[]);
        let moved = finding(0, 9_000, &[&[8], &[9], &[], &[11]]);
        let few_by_chance = finding(0, 9_000, &[&[], &[9], &[], &[]]);
        let later = finding(7, 9_000, &[]);
        let one = |finding: &Finding| known_of(std::slice::from_ref(finding)).unwrap();
        assert_eq!(one(&rounded), "off by a few ulps, so that the words are right");
        assert_eq!(one(&moved), "elements of the expected stream in other places");
        assert_eq!(one(&few_by_chance), "wrong from the first element on");
        assert_eq!(
            known_of(&[later.clone(), moved, later]).unwrap(),
            "elements of the expected stream in other places (1), right at the beginning (2)"
        );
    }

    #[test]
    fn nothing_is_known_of_refusals() {
        let refusal = Finding::new(
            CaseId::new("x/1").unwrap(),
            BackendId::new("mine"),
            Outcome::Rejects,
        );
        assert_eq!(known_of(&[refusal]), None);
    }
}
