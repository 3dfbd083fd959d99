//! The reason why a case fails: the causes that act in it, or the nearest candidate.

use seedproof_check::{Cause, CauseKind, Diagnosis, Explanation, Nearest, Tried, Unexplained};
use seedproof_corpus::CaseId;

use crate::untrusted::one_line;
use crate::words::{count, listed, thousands};

/// The result of a diagnosis for one failing case.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Why<'a> {
    /// The case was not diagnosed: there is no output to explain, or it was not kept in full.
    #[default]
    NotDiagnosed,
    /// These explanations reproduce the output in full, best first.
    Explained(Vec<CaseExplanation<'a>>),
    /// No candidate reproduces it.
    Unexplained {
        /// The candidate that agrees in most elements.
        nearest: Option<&'a Nearest>,
        /// The diagnosis.
        diagnosis: &'a Diagnosis,
    },
}

/// An explanation as it applies to one case.
#[derive(Clone, Debug, PartialEq)]
pub struct CaseExplanation<'a> {
    /// The explanation.
    pub explanation: &'a Explanation,
    /// The causes that act in the case: some parts of a combination, or the only cause.
    pub acting: Vec<&'a Cause>,
    /// The number of failing cases whose outputs the explanation reproduces.
    pub cases: usize,
}

impl<'a> Why<'a> {
    /// The result of one diagnosis for a case.
    pub fn of(diagnosis: &'a Diagnosis, case: &CaseId) -> Self {
        let explains = diagnosis.explanations.iter().filter(|it| it.cases.contains(case));
        let explanations = explains.map(|it| {
            let acts = |part: usize| it.parts[part].cases.contains(case);
            CaseExplanation::of(it, (0..it.parts.len()).filter(|&part| acts(part)), it.cases.len())
        });
        let unexplained = diagnosis.unexplained.iter().find(|it| it.case == *case);
        Self::new(explanations.collect(), unexplained.map(|it| (it, diagnosis)))
    }

    /// The explanations of a case if there are any, else the diagnosis that lists it as unexplained.
    pub(crate) fn new(
        explanations: Vec<CaseExplanation<'a>>,
        unexplained: Option<(&'a Unexplained, &'a Diagnosis)>,
    ) -> Self {
        match unexplained {
            _ if !explanations.is_empty() => Self::Explained(explanations),
            Some((unexplained, diagnosis)) => Self::Unexplained {
                nearest: unexplained.nearest.as_ref(),
                diagnosis,
            },
            None => Self::NotDiagnosed,
        }
    }
}

/// The explanations that are as good as the first one: equally many passing cases contradict them, and they
/// are structures only if the first is. A structure describes what the output looks like, and a cause says
/// why, so they do not compete.
pub(crate) fn equals<'a, 'b>(explanations: &'b [CaseExplanation<'a>]) -> Vec<&'b CaseExplanation<'a>> {
    let key = |it: &CaseExplanation<'_>| {
        let structural = it.explanation.cause.kind == CauseKind::Structure;
        (it.explanation.evidence.contradicted, structural)
    };
    let best = explanations.first().map(key);
    explanations.iter().filter(|it| Some(key(it)) == best).collect()
}

impl<'a> CaseExplanation<'a> {
    /// An explanation with those of its parts that act in the case.
    pub(crate) fn of(explanation: &'a Explanation, parts: impl Iterator<Item = usize>, cases: usize) -> Self {
        let mut acting: Vec<&Cause> = parts
            .filter_map(|part| explanation.parts.get(part))
            .map(|part| &part.cause)
            .collect();
        // Two mistakes may cancel each other in a case, or change it only together. The combination is the cause then.
        if acting.is_empty() {
            acting.push(&explanation.cause);
        }
        Self {
            explanation,
            acting,
            cases,
        }
    }

    /// The names of the acting causes: `rounds-9 + fused-scale`.
    pub(crate) fn name(&self) -> String {
        joined(&self.acting, " + ", |cause| &cause.name)
    }

    pub(crate) fn sentence(&self) -> String {
        joined(&self.acting, "; ", |cause| &cause.sentence)
    }

    pub(crate) fn fix(&self) -> String {
        joined(&self.acting, "; ", |cause| &cause.fix)
    }

    /// `contradicted by 3 passing cases`, if the explanation would change the output of some.
    pub(crate) fn contradicted(&self) -> Option<String> {
        let cases = usize::try_from(self.explanation.evidence.contradicted).unwrap_or(usize::MAX);
        (cases > 0).then(|| format!("contradicted by {}", count(cases, "passing case")))
    }

    /// The names of the parts that do not act in the case; empty if all of them act.
    pub(crate) fn idle(&self) -> Vec<String> {
        if self.explanation.parts.len() <= self.acting.len() {
            return Vec::new();
        }
        let parts = self.explanation.parts.iter().map(|part| &part.cause.name);
        let acts = |name: &&String| self.acting.iter().any(|cause| cause.name == **name);
        parts
            .filter(|name| !acts(name))
            .map(|name| one_line(name))
            .collect()
    }
}

fn joined(causes: &[&Cause], between: &str, field: fn(&Cause) -> &String) -> String {
    let fields = causes.iter().map(|cause| one_line(field(cause)));
    let mut fields: Vec<String> = fields.filter(|text| !text.is_empty()).collect();
    // Parts of a combination may have the same fix, which is given once.
    fields.dedup();
    fields.join(between)
}

/// How far a candidate agrees: `40 of 48 elements, not from element 12 on`.
pub(crate) fn reach(nearest: &Nearest) -> String {
    let number = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    let all = |n: u64| thousands(number(n));
    let missed = nearest.elements_total.saturating_sub(nearest.elements);
    let from = all(nearest.first_missed);
    let not = match missed {
        0 => String::new(),
        1 => format!(", not element {from}"),
        // All elements after the first wrong one are wrong as well: a later chunk or row goes astray, which is a clue.
        n if n == nearest.elements_total.saturating_sub(nearest.first_missed) => {
            format!(", not from element {from} on")
        }
        _ => format!(", first missed at element {from}"),
    };
    format!(
        "{} of {}{not}",
        all(nearest.elements),
        count(number(nearest.elements_total), "element")
    )
}

/// `none of 120 readings, 92 mistakes and 510 members of families reproduces`, for an object to follow.
/// `None` if nothing was tried.
pub(crate) fn none_of(diagnosis: &Diagnosis) -> Option<String> {
    let tried: Vec<String> = diagnosis
        .tried
        .iter()
        .filter(|it| it.candidates > 0)
        .map(|it| in_words(it, diagnosis.unexplained.len()))
        .collect();
    (!tried.is_empty()).then(|| format!("none of {} reproduces", listed(&tried)))
}

/// `512 pairs of mistakes`, and on how many cases if it was not on all: a stage whose budget is
/// spent leaves out the rest.
fn in_words(tried: &Tried, unexplained: usize) -> String {
    let count = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    let what = format!("{} {}", thousands(count(tried.candidates)), one_line(&tried.what));
    if count(tried.cases) < unexplained {
        let cases = thousands(count(tried.cases));
        return format!("{what} (on {cases} of {} cases)", thousands(unexplained));
    }
    what
}

#[cfg(test)]
mod tests {
    use super::*;
    use seedproof_check::{Evidence, Part, Unexplained, Verdict};

    fn case(id: &str) -> CaseId {
        CaseId::new(id).unwrap()
    }

    fn cause(name: &str) -> Cause {
        Cause {
            name: name.to_owned(),
            kind: CauseKind::Mistake,
            sentence: format!("{name} happens"),
            fix: format!("stop {name}"),
            clause: String::new(),
            erratum: String::new(),
        }
    }

    fn nearest(elements: u64, first_missed: u64) -> Nearest {
        Nearest {
            cause: cause("a"),
            elements,
            elements_total: 1_048,
            first_missed,
        }
    }

    /// `a + b`, where `a` acts in `x/1` and both in `x/2`; `x/3` is unexplained.
    fn diagnosis() -> Diagnosis {
        Diagnosis {
            verdict: Verdict::Partly,
            explanations: vec![Explanation {
                cause: cause("a + b"),
                stage: None,
                evidence: Evidence::default(),
                cases: vec![case("x/1"), case("x/2")],
                only: String::new(),
                parts: vec![
                    Part {
                        cause: cause("a"),
                        cases: vec![case("x/1"), case("x/2")],
                    },
                    Part {
                        cause: cause("b"),
                        cases: vec![case("x/2")],
                    },
                ],
            }],
            unexplained: vec![Unexplained {
                case: case("x/3"),
                nearest: Some(nearest(40, 12)),
            }],
            tried: vec![
                Tried {
                    what: "readings".to_owned(),
                    candidates: 24,
                    cases: 1,
                },
                Tried {
                    what: "pairs".to_owned(),
                    candidates: 1_200,
                    cases: 0,
                },
            ],
        }
    }

    #[test]
    fn why_names_the_parts_that_act() {
        let diagnosis = diagnosis();
        let first = |id: &str| match Why::of(&diagnosis, &case(id)) {
            Why::Explained(mut explanations) => explanations.remove(0),
            other => panic!("{other:?}"),
        };
        assert_eq!(
            (first("x/1").name(), first("x/1").idle()),
            ("a".to_owned(), vec!["b".to_owned()])
        );
        assert_eq!(first("x/1").fix(), "stop a");
        assert_eq!(first("x/2").name(), "a + b");
        assert_eq!(first("x/2").sentence(), "a happens; b happens");
        assert!(first("x/2").idle().is_empty());
        assert!(matches!(
            Why::of(&diagnosis, &case("x/3")),
            Why::Unexplained { nearest: Some(_), .. }
        ));
        assert_eq!(Why::of(&diagnosis, &case("x/4")), Why::NotDiagnosed);
    }

    #[test]
    fn why_says_where_the_nearest_does_not_match() {
        assert_eq!(
            reach(&nearest(12, 12)),
            "12 of 1,048 elements, not from element 12 on"
        );
        assert_eq!(
            reach(&nearest(1_047, 12)),
            "1,047 of 1,048 elements, not element 12"
        );
        assert_eq!(reach(&nearest(1_048, 1_048)), "1,048 of 1,048 elements");
        assert_eq!(
            reach(&nearest(600, 12)),
            "600 of 1,048 elements, first missed at element 12"
        );
    }

    #[test]
    fn why_counts_what_was_tried() {
        assert_eq!(
            none_of(&diagnosis()).unwrap(),
            "none of 24 readings and 1,200 pairs (on 0 of 1 cases) reproduces"
        );
    }
}
