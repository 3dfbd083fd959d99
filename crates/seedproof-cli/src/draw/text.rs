//! What was drawn, as text.

use std::fmt::Write as _;

use seedproof::judging::ad_hoc;
use seedproof_ops::{Failure, Request, Response, Scalar};
use seedproof_report::CaseFacts;

use super::answer::{Drawn, Other, Shown};
use crate::elements::{bits, rest, rows, table};

/// The request, the outputs as values and as bits, the stages, and the readings that draw otherwise.
pub(super) fn document(request: &Request, drawn: &Drawn, shown: Shown) -> String {
    let facts = CaseFacts::of(&ad_hoc(request.clone()));
    let mut text = format!("{}\n", facts.line());
    for input in &facts.inputs {
        line(&mut text, &format!("  {:<11} {}", input.name, input.text));
    }
    match &drawn.answer {
        Ok(response) => text.push_str(&outputs(&drawn.reading, request, response, shown.elements)),
        Err(failure) => line(&mut text, &format!("\n{} {}", drawn.reading, refusal(failure))),
    }
    if drawn.is_random {
        line(&mut text, "\nthis output is random: the next draw differs");
    }
    if shown.stages {
        text.push_str(&match &drawn.stages {
            Some(stages) => table(stages, shown.elements),
            None => format!("\n{} shows no stages of this request\n", drawn.reading),
        });
    }
    text + &others(request, drawn, shown)
}

fn line(text: &mut String, line: &str) {
    writeln!(text, "{line}").expect("a String takes every write");
}

fn refusal(failure: &Failure) -> String {
    match failure {
        Failure::Rejected(error) => {
            let kind = error.kind.map(|kind| format!(" ({kind})")).unwrap_or_default();
            format!("rejects it{kind}: {error}")
        }
        other => format!("has no answer: {other}"),
    }
}

/// The outputs of a reading: of each the values in rows, then the bits.
fn outputs(reading: &str, request: &Request, response: &Response, most: usize) -> String {
    let mut text = String::new();
    for (info, output) in request.outputs().into_iter().zip(response.outputs()) {
        let (dtype, shape) = (output.dtype(), output.shape());
        line(
            &mut text,
            &format!("\n{reading} draws {}: {dtype} {shape}", info.name),
        );
        text.push_str(&rows(output, most, Scalar::decimal));
        if output.count() > 0 {
            line(&mut text, "bits");
            text.push_str(&rows(output, most, bits));
        }
        text.push_str(&rest(output.count().saturating_sub(most)));
    }
    text
}

/// The other readings: those that draw the same, those that do not, and those that do not answer.
fn others(request: &Request, drawn: &Drawn, shown: Shown) -> String {
    let mut text = String::new();
    let same: Vec<&str> = names(drawn, |other| matches!(other, Other::Same));
    // A reading of an implementation that has no such op says nothing here, and most have few of the ops.
    let readings = seedproof_readings::named();
    let has_op = |name: &&str| {
        let reading = readings.iter().find(|reading| reading.name == *name);
        reading.is_none_or(|reading| !reading.lacks.0.contains(&request.op()))
    };
    let mut unanswered: Vec<&str> = names(drawn, |other| matches!(other, Other::Unanswered(_)));
    unanswered.retain(has_op);
    let mut otherwise = Vec::new();
    let total = drawn
        .answer
        .as_ref()
        .map_or(0, |response| response.output.count());
    let total = drawn
        .compared
        .and_then(|compared| usize::try_from(compared).ok())
        .unwrap_or(total);
    for (name, other) in &drawn.others {
        match other {
            Other::Same | Other::Unanswered(_) => {}
            Other::Rejects(reason) => otherwise.push(format!("{name} (rejects it: {reason})")),
            Other::Differs(..) if drawn.answer.is_err() => otherwise.push(format!("{name} (draws)")),
            Other::Differs(_, 0) => otherwise.push(format!("{name} (a further output)")),
            Other::Differs(_, differing) => {
                otherwise.push(format!("{name} ({differing} of {total} elements)"));
            }
        }
    }
    let within = drawn
        .compared
        .map_or_else(String::new, |count| format!(" in the first {count} elements"));
    text.push('\n');
    for (head, list) in [("the same", same.join(", ")), ("otherwise", otherwise.join(", "))] {
        if !list.is_empty() {
            line(&mut text, &format!("{head}{within}: {list}"));
        }
    }
    if !unanswered.is_empty() {
        line(&mut text, &format!("no answer: {}", unanswered.join(", ")));
    }
    if shown.others {
        for (name, other) in &drawn.others {
            if let Other::Differs(response, _) = other {
                text.push_str(&outputs(name, request, response, shown.elements));
            }
        }
    } else if let Some((name, _)) = drawn
        .others
        .iter()
        .find(|(_, other)| matches!(other, Other::Differs(..)))
    {
        line(
            &mut text,
            &format!("`--reading {name}` prints what it draws, `--reading all` each of them"),
        );
    }
    if text.trim().is_empty() {
        String::new()
    } else {
        text
    }
}

fn names(drawn: &Drawn, is: impl Fn(&Other) -> bool) -> Vec<&str> {
    let chosen = drawn.others.iter().filter(|(_, other)| is(other));
    chosen.map(|(name, _)| name.as_str()).collect()
}
