//! The order of explanations, and when one is an answer.

use std::cmp::{Ordering, Reverse};

use crate::{CauseKind, Diagnosis, Explanation, Verdict};

/// Explanations that a diagnosis lists, at most.
const LISTED: usize = 8;

/// Better first: more cases in full, fewer passing cases that contradict, more elements, the simpler kind, the name.
pub(crate) fn order(a: &Explanation, b: &Explanation) -> Ordering {
    let key = |explanation: &Explanation| {
        let evidence = explanation.evidence;
        (
            Reverse(evidence.cases),
            evidence.contradicted,
            Reverse(evidence.elements),
            explanation.cause.kind,
        )
    };
    key(a).cmp(&key(b)).then_with(|| a.cause.name.cmp(&b.cause.name))
}

/// Whether it gives every failing case in full.
pub(crate) fn is_full(explanation: &Explanation) -> bool {
    let evidence = explanation.evidence;
    evidence.cases > 0 && evidence.cases == evidence.cases_total
}

/// The diagnosis, if some candidate or relation gives every failing case in full.
///
/// The least contradicted candidate is the answer if it has no equal. A relation describes the output and not the
/// cause: it is the answer only where no candidate is.
pub(crate) fn full(mut explanations: Vec<Explanation>) -> Option<Diagnosis> {
    explanations.retain(is_full);
    explanations.sort_by(order);
    let (relations, causes): (Vec<_>, Vec<_>) = explanations
        .into_iter()
        .partition(|explanation| explanation.cause.kind == CauseKind::Structure);
    let fewest = causes.first().map(|best| best.evidence.contradicted);
    let rivals = causes
        .iter()
        .filter(|cause| Some(cause.evidence.contradicted) == fewest)
        .count();
    let verdict = match (rivals, relations.is_empty()) {
        (0, true) => return None,
        (0 | 1, _) => Verdict::Explained,
        _ => Verdict::Ambiguous,
    };
    let mut explanations = causes;
    explanations.truncate(LISTED);
    explanations.extend(relations.into_iter().take(2));
    Some(Diagnosis {
        verdict,
        unexplained: Vec::new(),
        tried: Vec::new(),
        explanations,
    })
}

/// The diagnosis where nothing is an answer: the nearest explanations. `baseline` is the number of elements that are as
/// expected, which any candidate that changes little gives too.
pub(crate) fn nearest(mut explanations: Vec<Explanation>, baseline: u64) -> Diagnosis {
    explanations.retain(|explanation| {
        explanation.cause.kind == CauseKind::Structure
            || explanation.evidence.cases > 0
            || explanation.evidence.elements > baseline
    });
    explanations.sort_by(order);
    let (mut structures, mut causes): (Vec<_>, Vec<_>) = explanations
        .into_iter()
        .partition(|explanation| explanation.cause.kind == CauseKind::Structure);
    structures.truncate(3);
    causes.truncate(3);
    causes.extend(structures);
    causes.sort_by(order);
    Diagnosis {
        verdict: Verdict::Unexplained,
        unexplained: Vec::new(),
        tried: Vec::new(),
        explanations: causes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cause, Evidence};

    fn explanation(name: &str, kind: CauseKind, cases: u64, contradicted: u64) -> Explanation {
        Explanation {
            cause: Cause {
                name: name.to_owned(),
                kind,
                sentence: String::new(),
                fix: String::new(),
                clause: String::new(),
                erratum: String::new(),
            },
            stage: None,
            only: String::new(),
            parts: Vec::new(),
            evidence: Evidence {
                elements: cases * 10,
                elements_total: 30,
                cases,
                cases_total: 3,
                contradicted,
            },
            cases: Vec::new(),
        }
    }

    fn names(diagnosis: &Diagnosis) -> Vec<&str> {
        diagnosis
            .explanations
            .iter()
            .map(|explanation| explanation.cause.name.as_str())
            .collect()
    }

    use CauseKind::{Combination, Mistake, Reading, Structure};

    #[test]
    fn rank_prefers_cases_then_elements_then_the_simpler_kind_then_the_name() {
        let mut more = explanation("elements", Combination, 2, 0);
        more.evidence.elements = 25;
        let mut all = [
            explanation("b", Mistake, 2, 0),
            explanation("pair", Combination, 2, 0),
            more,
            explanation("contradicted", Reading, 2, 1),
            explanation("a", Mistake, 2, 0),
            explanation("reading", Reading, 2, 0),
            explanation("full", Combination, 3, 5),
        ];
        all.sort_by(order);
        let names: Vec<&str> = all
            .iter()
            .map(|explanation| explanation.cause.name.as_str())
            .collect();
        assert_eq!(
            names,
            ["full", "elements", "reading", "a", "b", "pair", "contradicted"]
        );
    }

    #[test]
    fn rank_explains_only_without_a_rival() {
        let one = full(vec![
            explanation("a", Mistake, 3, 0),
            explanation("b", Mistake, 2, 0),
        ])
        .unwrap();
        assert_eq!((one.verdict, names(&one)), (Verdict::Explained, vec!["a"]));
        let two = full(vec![
            explanation("b", Mistake, 3, 0),
            explanation("a", Mistake, 3, 0),
        ])
        .unwrap();
        assert_eq!((two.verdict, names(&two)), (Verdict::Ambiguous, vec!["a", "b"]));
        assert_eq!(full(vec![explanation("a", Mistake, 2, 0)]), None);
    }

    #[test]
    fn rank_lets_passing_cases_decide_between_rivals() {
        let found = full(vec![
            explanation("a", Reading, 3, 4),
            explanation("b", Mistake, 3, 0),
        ])
        .unwrap();
        assert_eq!(
            (found.verdict, names(&found)),
            (Verdict::Explained, vec!["b", "a"])
        );
    }

    #[test]
    fn rank_takes_a_relation_only_for_want_of_a_cause() {
        let both = full(vec![
            explanation("shifted", Structure, 3, 0),
            explanation("pre-increment", Mistake, 3, 0),
        ])
        .unwrap();
        assert_eq!(
            (both.verdict, names(&both)),
            (Verdict::Explained, vec!["pre-increment", "shifted"])
        );
        let alone = full(vec![explanation("shifted", Structure, 3, 0)]).unwrap();
        assert_eq!(alone.verdict, Verdict::Explained);
    }

    #[test]
    fn rank_shows_what_is_nearer_than_nothing() {
        let found = nearest(
            vec![
                explanation("no-op", Mistake, 0, 0),
                explanation("partly", Mistake, 1, 0),
                explanation("permuted", Structure, 0, 0),
            ],
            5,
        );
        assert_eq!(found.verdict, Verdict::Unexplained);
        assert_eq!(names(&found), ["partly", "permuted"]);
    }
}
