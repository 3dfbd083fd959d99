//! Registries and figures as the program would give them.

use std::collections::BTreeMap;

use seedproof_report::{AnswerText, BenchFigure, ClauseText, ErratumText, Extras, MistakeText, group_of};

use super::CLEAN;
use super::cases::cases;

/// Registries and figures as the program would give them.
pub(crate) fn extras() -> Extras {
    let clause = |id: &str, says: &str| ClauseText {
        id: id.to_owned(),
        source: "openvino-random-uniform-8, Philox".to_owned(),
        says: says.to_owned(),
        level: "must".to_owned(),
    };
    let answer = |id: &str, says: &str, followers: &[&str]| AnswerText {
        id: id.to_owned(),
        says: says.to_owned(),
        followers: followers.iter().map(|&name| name.to_owned()).collect(),
    };
    Extras {
        clauses: vec![
            clause(
                "ru8.philox.round",
                "One round multiplies two words by constants and mixes the halves.",
            ),
            clause(
                "ru8.range.float",
                "A float is scaled by the width of the range, then shifted by minval.",
            ),
            clause("ru8.mt.twist", "The state of 624 words is renewed as a whole."),
            clause("ru8.mt.temper", "A word is tempered by four shifts."),
        ],
        errata: vec![
            ErratumText {
                id: "ru8.range.fused".to_owned(),
                source: "openvino-random-uniform-8, Detailed description".to_owned(),
                question: "May multiplication and addition of the scale be fused?".to_owned(),
                answers: vec![
                    answer(
                        "apart",
                        "No: each is rounded.",
                        &["spec", "openvino-core-2026.4", "tensorflow-2.21"],
                    ),
                    answer("fused", "Yes, where the machine can.", &["torch-2.12"]),
                ],
                others: vec!["torch-1.13".to_owned()],
                adopted: "apart".to_owned(),
                evidence: vec!["Captures of OpenVINO 2026.4 on range-negative.".to_owned()],
            },
            ErratumText {
                id: "ru8.bounds.enforced".to_owned(),
                source: "openvino-random-uniform-8, Inputs".to_owned(),
                question: "Is minval >= maxval refused?".to_owned(),
                answers: vec![
                    answer("yes", "Yes, as `range`.", &["spec", "openvino-core-2026.4"]),
                    answer("no", "No: the range is turned around.", &["tensorflow-2.21"]),
                ],
                others: Vec::new(),
                adopted: "yes".to_owned(),
                evidence: Vec::new(),
            },
        ],
        groups: kills(""),
        mistakes: mistakes(),
        bench: vec![BenchFigure {
            what: "RandomUniform-8 TENSORFLOW f32, 16 Mi elements".to_owned(),
            implementation: CLEAN.to_owned(),
            figure: "9.8 GB/s".to_owned(),
            note: "median of 30 runs, 2 threads".to_owned(),
        }],
    }
}

/// By group, the cases whose id has this part.
fn kills(part: &str) -> BTreeMap<String, usize> {
    let mut kills = BTreeMap::new();
    for case in cases(0).iter().filter(|case| case.id.as_str().contains(part)) {
        *kills.entry(group_of(&case.id).to_owned()).or_default() += 1;
    }
    kills
}

fn mistakes() -> Vec<MistakeText> {
    let mistake = |id: &str, sentence: &str, clause: &str, part: &str| MistakeText {
        id: id.to_owned(),
        sentence: sentence.to_owned(),
        clause: clause.to_owned(),
        kills: kills(part),
        proof: String::new(),
    };
    let mut equivalent = mistake(
        "mullo-unsigned",
        "the low half is taken of an unsigned product",
        "",
        "no case",
    );
    "low halves of signed and unsigned products are equal".clone_into(&mut equivalent.proof);
    vec![
        mistake(
            "fused-scale",
            "the scale is computed as fma",
            "ru8.range.float",
            "range",
        ),
        mistake(
            "nine-rounds",
            "Philox has nine rounds",
            "ru8.philox.round",
            "tensorflow",
        ),
        mistake(
            "tail-kept",
            "unused words are kept",
            "ru8.philox.block",
            "no case",
        ),
        equivalent,
    ]
}
