//! Diagnoses of the made-up implementations, written out: one of every verdict.

use seedproof_check::{
    Cause, CauseKind, Diagnosis, Evidence, Explanation, Nearest, Part, Tried, Unexplained, Verdict,
};
use seedproof_corpus::CaseId;

use super::{FORM, FUSED, SWAPPED, TORCH};

fn cause(name: &str, kind: CauseKind, sentence: &str, fix: &str) -> Cause {
    Cause {
        name: name.to_owned(),
        kind,
        sentence: sentence.to_owned(),
        fix: fix.to_owned(),
        clause: String::new(),
        erratum: String::new(),
    }
}

fn fused() -> Cause {
    Cause {
        clause: "ru8.range.float".to_owned(),
        erratum: "ru8.range.fused".to_owned(),
        ..cause(
            FUSED.trim_start_matches("saboteur/"),
            CauseKind::Mistake,
            "the scale is computed as fma(x, max-min, min)",
            "multiply and add with a rounding each",
        )
    }
}

fn rounds() -> Cause {
    Cause {
        clause: "ru8.philox.round".to_owned(),
        ..cause(
            "rounds-9",
            CauseKind::Mistake,
            "a block takes nine rounds",
            "run 10 rounds",
        )
    }
}

fn tail() -> Cause {
    cause(
        "unwritten-tail",
        CauseKind::Structure,
        "right up to the last whole group of 4; the tail is zero",
        "see that the launch covers every element",
    )
}

fn explanation(cause: Cause, cases: &[&CaseId], all: usize) -> Explanation {
    let count = |cases: usize| u64::try_from(cases).expect("small");
    Explanation {
        cause,
        stage: None,
        evidence: Evidence {
            elements: 24 * count(cases.len()),
            elements_total: 24 * count(all),
            cases: count(cases.len()),
            cases_total: count(all),
            contradicted: 0,
        },
        cases: cases.iter().map(|&case| case.clone()).collect(),
        only: String::new(),
        parts: Vec::new(),
    }
}

fn unexplained(case: &CaseId, nearest: Option<Nearest>) -> Unexplained {
    Unexplained {
        case: case.clone(),
        nearest,
    }
}

fn tried(cases: usize) -> Vec<Tried> {
    [("readings", 24), ("mistakes", 188), ("members of families", 510)]
        .map(|(what, candidates)| Tried {
            what: what.to_owned(),
            candidates,
            cases: u64::try_from(cases).expect("small"),
        })
        .into()
}

/// The diagnosis of an implementation that fails these cases.
pub(super) fn diagnosis(id: &str, failing: &[&CaseId]) -> Diagnosis {
    let all = failing.len();
    let mut made = Diagnosis {
        verdict: Verdict::Explained,
        explanations: Vec::new(),
        unexplained: Vec::new(),
        tried: Vec::new(),
    };
    let of_type = |dtype: &str| -> (Vec<&CaseId>, Vec<&CaseId>) {
        failing
            .iter()
            .copied()
            .partition(|case| case.as_str().contains(dtype))
    };
    match id {
        FUSED => made.explanations.push(explanation(fused(), failing, all)),
        TORCH => {
            made.verdict = Verdict::Ambiguous;
            let reading = |name: &str| cause(name, CauseKind::Reading, &format!("as {name} answers"), "");
            made.explanations = ["torch-2.11", "torch-2.12"]
                .map(|name| explanation(reading(name), failing, all))
                .into();
        }
        SWAPPED => {
            made.verdict = Verdict::Unexplained;
            let near = |case: &&CaseId| {
                let nearest = Nearest {
                    cause: rounds(),
                    elements: 20,
                    elements_total: 24,
                    first_missed: 12,
                };
                unexplained(case, case.as_str().contains("/f32/").then_some(nearest))
            };
            made.unexplained = failing.iter().map(near).collect();
            made.tried = tried(all);
        }
        FORM => {
            made.verdict = Verdict::Partly;
            let (wide, rest) = of_type("/f64/");
            let cause = cause(
                "other-type",
                CauseKind::Structure,
                "the output has another element type",
                "",
            );
            made.explanations.push(explanation(cause, &wide, all));
            made.unexplained = rest.iter().map(|case| unexplained(case, None)).collect();
            made.tried = tried(rest.len());
        }
        // A tail that is lost everywhere, and a fused scale in half precision.
        _ => {
            made.verdict = Verdict::Partly;
            let (ru8, rest) = of_type("ru8/");
            let (half, _) = of_type("/f16/");
            let both = Cause {
                name: "unwritten-tail + fused-scale".to_owned(),
                kind: CauseKind::Combination,
                sentence: format!("{}; {}", tail().sentence, fused().sentence),
                ..cause("", CauseKind::Combination, "", "")
            };
            let part = |cause, cases: &[&CaseId]| Part {
                cause,
                cases: cases.iter().map(|&case| case.clone()).collect(),
            };
            made.explanations.push(Explanation {
                only: "only where op_seed is 11".to_owned(),
                parts: vec![part(tail(), &ru8), part(fused(), &half)],
                ..explanation(both, &ru8, all)
            });
            made.unexplained = rest.iter().map(|case| unexplained(case, None)).collect();
            made.tried = tried(rest.len());
        }
    }
    made
}
