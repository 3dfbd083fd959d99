//! The clauses, errata and mistakes of the made-up corpus.

use seedproof_report::{Answer, Clause, Erratum, Event, Mistake};

use super::cases::name;

/// The events that describe them.
pub(super) fn catalogue() -> Vec<Event> {
    let clause = |id: &str, says: &str| {
        Event::Clause(Clause {
            id: name(id),
            source: "OpenVINO RandomUniform-8, Philox".to_owned(),
            url: "https://example.org/random-uniform-8".to_owned(),
            says: says.to_owned(),
        })
    };
    let answer = |id: &str, says: &str, followers: &[&str]| Answer {
        id: name(id),
        says: says.to_owned(),
        followers: followers.iter().map(|&name| name.to_owned()).collect(),
    };
    let mistake = |id: &str, sentence: &str, clause: &str| {
        Event::Mistake(Mistake {
            id: name(id),
            sentence: sentence.to_owned(),
            clause: clause.to_owned(),
        })
    };
    vec![
        clause(
            "ru8.philox.round",
            "One round multiplies two words by constants and mixes the halves.",
        ),
        clause(
            "ru8.range.float",
            "A float is scaled by the width of the range, then shifted by minval.",
        ),
        clause("ru8.mt.twist", "The state of 624 words is renewed as a whole."),
        Event::Erratum(Erratum {
            id: name("ru8.range.fused"),
            source: "OpenVINO RandomUniform-8, Detailed description".to_owned(),
            url: "https://example.org/random-uniform-8".to_owned(),
            question: "May multiplication and addition of the scale be fused?".to_owned(),
            answers: vec![
                answer(
                    "apart",
                    "No: each is rounded.",
                    &["spec", "openvino-core-2026.4", "tensorflow-2.21"],
                ),
                answer(
                    "fused",
                    "Yes, where the machine can.",
                    &["torch-2.11", "torch-2.12"],
                ),
            ],
            others: vec!["torch-1.13".to_owned()],
            adopted: name("apart"),
            evidence: vec!["Captures of OpenVINO 2026.4 on range-negative.".to_owned()],
        }),
        mistake("fused-scale", "the scale is computed as fma", "ru8.range.float"),
        mistake("nine-rounds", "Philox has nine rounds", "ru8.philox.round"),
    ]
}
