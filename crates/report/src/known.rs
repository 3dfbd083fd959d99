//! What is known of outputs that no candidate reproduces.

use seedproof_check::{Comparison, Finding, Mismatch, Outcome};

use seedproof_ops::Scalar;

use crate::words::thousands;

/// The most ulps of a difference that rounding makes. Another order of operations in a scale is off by one or two, and a
/// logarithm and a sine by a few more; numbers of another draw are thousands of ulps away.
const ROUNDING: u64 = 8;

/// A way in which an answer differs, and its words.
type Way = (fn(&Finding) -> bool, &'static str);

/// The most telling first: an answer counts for the first that fits.
const WAYS: [Way; 11] = [
    (is_refused, "refused, where a value is expected"),
    (
        is_refused_otherwise,
        "refused, but for another reason than the expected one",
    ),
    (is_answered, "answered with a value, where a refusal is expected"),
    (has_other_form, "of another element type or shape"),
    (has_other_output, "right but for a further output"),
    (is_rounded, "off by a few ulps: the words are most likely right"),
    (is_off_by_one, "integers, each wrong one off by one"),
    (is_moved, "elements of the expected stream in other places"),
    (is_mostly_right, "right but for a quarter of the elements at most"),
    (begins_right, "right at the beginning"),
    (
        |finding| comparison(finding).is_some(),
        "wrong at the first element already",
    ),
];

/// `off by a few ulps: the words are most likely right`, or several of these, each with its cases: `right at the beginning (7),
/// wrong at the first element already (2)`. `None` if only digests were compared.
pub(crate) fn known(findings: &[&Finding]) -> Option<String> {
    let mut cases = [0_usize; WAYS.len()];
    for finding in findings {
        if let Some(way) = WAYS.iter().position(|(fits, _)| fits(finding)) {
            cases[way] += 1;
        }
    }
    let found: Vec<(usize, &str)> = cases
        .into_iter()
        .zip(WAYS)
        .map(|(cases, (_, way))| (cases, way))
        .filter(|(cases, _)| *cases > 0)
        .collect();
    match found[..] {
        // Digests tell only that an output is wrong.
        [] => None,
        // The number of its cases is that of the group, which stands beside it.
        [(_, way)] => Some(way.to_owned()),
        _ => {
            let parts = found
                .iter()
                .map(|&(cases, way)| format!("{way} ({})", thousands(cases)));
            Some(parts.collect::<Vec<_>>().join(", "))
        }
    }
}

fn is_refused(finding: &Finding) -> bool {
    finding.outcome == Outcome::Rejects
}

fn is_refused_otherwise(finding: &Finding) -> bool {
    finding.outcome == Outcome::Fail && finding.refused
}

/// A failure without a difference is one where there is no value to compare with.
fn is_answered(finding: &Finding) -> bool {
    finding.outcome == Outcome::Fail && finding.mismatch.is_none()
}

fn has_other_form(finding: &Finding) -> bool {
    matches!(finding.mismatch, Some(Mismatch::Form { .. }))
}

fn has_other_output(finding: &Finding) -> bool {
    matches!(finding.mismatch, Some(Mismatch::Output { .. }))
}

fn comparison(finding: &Finding) -> Option<&Comparison> {
    match &finding.mismatch {
        Some(Mismatch::Elements(comparison)) => Some(comparison),
        _ => None,
    }
}

fn is_rounded(finding: &Finding) -> bool {
    comparison(finding).is_some_and(|it| {
        it.first.expected.dtype().is_float() && it.max_ulps.is_some_and(|ulps| ulps <= ROUNDING)
    })
}

/// The search for a class among sums ends one too early or too late, or a bound is counted in. Wrong flags are off by one in any case.
fn is_off_by_one(finding: &Finding) -> bool {
    comparison(finding).is_some_and(|it| {
        let (first, shown) = (&it.first, &it.differences);
        let all = shown.expected.iter().chain(&shown.actual);
        let mut all = all.chain([&first.expected, &first.actual]);
        let is_flag = |scalar: &&Scalar| scalar.bits() < 2;
        !first.expected.dtype().is_float() && it.max_ulps == Some(1) && !all.all(|it| is_flag(&it))
    })
}

/// Whether few enough elements are wrong that the place of the first one says little. A short output has no few.
fn is_mostly_right(finding: &Finding) -> bool {
    comparison(finding).is_some_and(|it| it.total >= 8 && 4 * it.differing <= it.total)
}

/// Whether at least half of the elements that are listed stand elsewhere in the stream. A few do by chance.
fn is_moved(finding: &Finding) -> bool {
    let found = comparison(finding).and_then(|it| it.differences.found.as_ref());
    found.is_some_and(|found| {
        let all = found.places.len();
        all >= 4 && 2 * found.places.iter().filter(|places| !places.is_empty()).count() >= all
    })
}

fn begins_right(finding: &Finding) -> bool {
    comparison(finding).is_some_and(|it| it.first.index > 0)
}

#[cfg(test)]
mod tests {
    use seedproof_check::{Differences, Element, Form, Places};
    use seedproof_corpus::CaseId;
    use seedproof_ops::{BackendId, Dtype, Scalar, Shape};

    use super::*;

    /// A finding whose first difference is at an index, by some ulps, with the places of its elements in the stream.
    fn finding(index: usize, ulps: u64, places: &[&[usize]]) -> Finding {
        let scalar = Scalar::new(Dtype::F32, 0x3f80_0000);
        let comparison = Comparison {
            total: 100,
            differing: 60,
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
        let half = finding(0, 9_000, &[&[8], &[9], &[11], &[], &[], &[]]);
        let later = finding(7, 9_000, &[]);
        let differing = |finding: &Finding, differing: usize, dtype: Dtype| {
            let mut other = finding.clone();
            if let Some(Mismatch::Elements(it)) = &mut other.mismatch {
                it.differing = differing;
                it.first.expected = Scalar::new(dtype, 7);
                it.first.actual = Scalar::new(dtype, 8);
            }
            other
        };
        let one = |finding: &Finding| known_of(std::slice::from_ref(finding)).unwrap();
        assert_eq!(
            one(&rounded),
            "off by a few ulps: the words are most likely right"
        );
        assert_eq!(one(&moved), "elements of the expected stream in other places");
        assert_eq!(one(&half), one(&moved));
        assert_eq!(one(&few_by_chance), "wrong at the first element already");
        let one_off = finding(0, 1, &[]);
        assert_eq!(
            one(&differing(&one_off, 60, Dtype::I32)),
            "integers, each wrong one off by one"
        );
        // A flag has no other wrong value.
        let mut flag = differing(&one_off, 60, Dtype::I32);
        if let Some(Mismatch::Elements(it)) = &mut flag.mismatch {
            (it.first.expected, it.first.actual) = (Scalar::new(Dtype::I32, 0), Scalar::new(Dtype::I32, 1));
        }
        assert_eq!(one(&flag), "wrong at the first element already");
        assert_eq!(
            one(&differing(&few_by_chance, 25, Dtype::F32)),
            "right but for a quarter of the elements at most"
        );
        assert_eq!(one(&differing(&later, 26, Dtype::F32)), "right at the beginning");
        assert_eq!(
            known_of(&[later.clone(), moved, later]).unwrap(),
            "elements of the expected stream in other places (1), right at the beginning (2)"
        );
    }

    #[test]
    fn answers_that_are_no_values_are_told_apart() {
        let with = |outcome| Finding::new(CaseId::new("x/1").unwrap(), BackendId::new("mine"), outcome);
        let otherwise = Finding {
            refused: true,
            ..with(Outcome::Fail)
        };
        let form = |dtype| Form {
            dtype,
            shape: Shape::scalar(),
        };
        let other_form = Finding {
            mismatch: Some(Mismatch::Form {
                expected: form(Dtype::F32),
                actual: form(Dtype::F16),
            }),
            ..with(Outcome::Fail)
        };
        assert!(known_of(&[other_form]).is_some());
        let output = Finding {
            mismatch: Some(Mismatch::Output {
                name: "state".to_owned(),
                expected: Vec::new(),
                actual: Vec::new(),
            }),
            ..with(Outcome::Fail)
        };
        assert_eq!(
            known_of(&[with(Outcome::Rejects), with(Outcome::Fail), otherwise, output]).unwrap(),
            "refused, where a value is expected (1), refused, but for another reason than the expected one (1), answered \
             with a value, where a refusal is expected (1), right but for a further output (1)"
        );
        let digest = Finding {
            mismatch: Some(Mismatch::Chunks {
                differing: vec![0],
                total: 1,
                first: None,
            }),
            ..with(Outcome::Fail)
        };
        assert_eq!(known_of(&[digest]), None);
    }
}
