//! Compares captures with the predictions of the readings.

use std::collections::BTreeSet;

use crate::case::{Again, Capture, File, Judged};
use crate::drawn::Drawn;
use crate::rules::{Rule, rule};
use crate::side::{Seeds, Side};
use crate::source::{Hint, Path, Target};
use crate::verdict::{Verdict, judge};

/// The number of inferences of a capture, or one if the model was refused.
fn inferences(capture: &Capture) -> u32 {
    u32::try_from(capture.target_draws.len().max(1)).unwrap_or(u32::MAX)
}

/// The path of a capture on its processor. Without AVX-512 FP16, the plugin computes in f32 although f16 was requested.
fn path(file: &File, capture: &Capture) -> Path {
    let has_fp16 = file.provenance.processor.iter().any(|set| set == "avx512_fp16");
    let hint = if capture.path.hint == Hint::F16 && !has_fp16 {
        Hint::F32
    } else {
        capture.path.hint
    };
    Path {
        hint,
        ..capture.path.clone()
    }
}

/// The predicted verdict on each inference of a capture; empty if there is no rule.
pub fn verdicts(file: &File, capture: &Capture) -> Vec<Judged> {
    let Some(rule) = rule(&capture.source, &path(file, capture)) else {
        return Vec::new();
    };
    let judged = |execution| {
        let cell = judge(&rule, capture.source.extents(), execution);
        Judged {
            verdict: cell.verdict,
            stages: cell.stages,
        }
    };
    (0..inferences(capture)).map(judged).collect()
}

/// The number of outputs of a capture at both ends, and how many of them the readings draw.
pub(crate) fn outputs(file: &File, capture: &Capture) -> (usize, usize) {
    let rule = rule(&capture.source, &path(file, capture));
    let from = rule.as_ref().and_then(|rule| rule.source.as_ref().ok());
    let to = rule
        .as_ref()
        .and_then(|rule| rule.target.as_ref().ok()?.side.as_ref());
    let drawn = |side: Option<&Side>, outputs: &[Drawn]| {
        let is_drawn = |execution| {
            side.and_then(|side| side.draw(capture.source.extents(), execution))
                .is_some()
        };
        (0..)
            .zip(outputs)
            .filter(|(execution, _)| is_drawn(*execution))
            .count()
    };
    let all = capture.source_draws.len() + capture.target_draws.len();
    (
        all,
        drawn(from, &capture.source_draws) + drawn(to, &capture.target_draws),
    )
}

/// Every contradiction between a capture and the predictions. If there is none, the capture is explained.
pub fn contradictions(file: &File, capture: &Capture) -> Vec<String> {
    let Some(rule) = rule(&capture.source, &path(file, capture)) else {
        return vec!["there is no rule for this op on this path".to_owned()];
    };
    let mut all = Vec::new();
    match (rule.refusal(), &capture.refused) {
        (Some(predicted), Some(seen)) => {
            if predicted.at != seen.at || !seen.message.contains(&predicted.message) {
                all.push(format!(
                    "refused at {:?} with \"{}\": expected {:?} with \"{}\"",
                    seen.at, seen.message, predicted.at, predicted.message
                ));
            }
        }
        (Some(predicted), None) => {
            all.push(format!("it runs: expected a refusal, \"{}\"", predicted.message));
        }
        (None, Some(seen)) => all.push(format!("refused with \"{}\": expected it to run", seen.message)),
        (None, None) => {}
    }
    all.extend(run(capture, &rule));
    for (execution, seen) in (0..).zip(&capture.source_draws) {
        let predicted = rule
            .source
            .as_ref()
            .ok()
            .and_then(|side| side.draw(capture.source.extents(), execution));
        all.extend(differs("the source", execution, seen, predicted.as_ref()));
    }
    all
}

/// The contradictions of a model that runs: in its graph, its draws and their repetition.
fn run(capture: &Capture, rule: &Rule) -> Vec<String> {
    let mut all = Vec::new();
    let Ok(converted) = &rule.target else { return all };
    let seen: Vec<_> = capture.graph.iter().filter(|node| node.is_random()).collect();
    // The capture of a model that was refused may lack its graph.
    let is_seen = capture.refused.is_none() || !capture.graph.is_empty();
    if is_seen && capture.path.target == Target::Openvino {
        let is_alike = seen.len() == converted.nodes.len()
            && seen
                .iter()
                .zip(&converted.nodes)
                .all(|(seen, node)| seen.is(node));
        if !is_alike {
            all.push(format!(
                "the random nodes are {seen:?}: expected {:?}",
                converted.nodes
            ));
        }
    }
    for (execution, seen) in (0..).zip(&capture.target_draws) {
        let cell = judge(rule, capture.source.extents(), execution);
        all.extend(differs("the target", execution, seen, cell.target.as_ref()));
        let source = usize::try_from(execution)
            .ok()
            .and_then(|index| capture.source_draws.get(index));
        if rule.source.is_err() {
            continue;
        }
        let is_same = source == Some(seen);
        let predicted = match (&cell.source, &cell.target) {
            (Some(from), Some(to)) => from == to,
            // Without a model of the values, nothing predicts that eight coins fall alike. Up to four distinct values
            // in an output are taken for such a coincidence.
            _ if is_same && seen.bits.iter().collect::<BTreeSet<_>>().len() <= 4 => true,
            _ => cell.verdict == Verdict::SameBits,
        };
        if is_same != predicted {
            let words = if is_same { "the same bits" } else { "other bits" };
            all.push(format!(
                "inference {execution} draws {words}: expected {}",
                cell.verdict
            ));
        }
    }
    let seeds = match &converted.side {
        Some(side) => side.seeds,
        None if converted.nodes.is_empty() => Seeds::Fixed(0, 0),
        // A node that writes nothing leaves what its memory held.
        None => Seeds::AtRun,
    };
    let again = |is_same| if is_same { Again::Same } else { Again::Other };
    for (what, seen, predicted) in [
        ("compilation", capture.recompiled, seeds != Seeds::AtRun),
        (
            "conversion",
            capture.reconverted,
            matches!(seeds, Seeds::Fixed(..)),
        ),
    ] {
        if seen.is_some_and(|seen| seen != again(predicted)) {
            all.push(format!(
                "another {what} draws {seen:?}: expected {:?}",
                again(predicted)
            ));
        }
    }
    all
}

fn differs(who: &str, execution: u32, seen: &Drawn, predicted: Option<&Drawn>) -> Option<String> {
    let predicted = predicted.filter(|predicted| *predicted != seen)?;
    let short = |drawn: &Drawn| Drawn {
        kind: drawn.kind.clone(),
        bits: drawn.bits.iter().copied().take(4).collect(),
    };
    let equal = seen
        .equal_elements(predicted)
        .map_or("no".to_owned(), |count| count.to_string());
    Some(format!(
        "execution {execution} of {who} draws {}…: expected {}…, {equal} of {} are equal",
        short(seen),
        short(predicted),
        seen.bits.len()
    ))
}
