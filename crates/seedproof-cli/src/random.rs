//! The end of a run of random requests: what was asked, the failure rate that it excludes, and each failure, shrunk to a
//! minimal case.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use seedproof::judging::{ad_hoc, judge_case};
use seedproof_check::{Finding, Outcome};
use seedproof_corpus::Case;
use seedproof_ops::BackendId;
use seedproof_ops::requests::shrink;
use seedproof_ops::untrusted::one_line;
use seedproof_report::{Run, plural};

use crate::implementations::Implementation;
use crate::plan::Plan;

/// Requests that are asked to make one failure smaller.
const MAX_ASKED: u32 = 400;

/// Failures of one implementation that are made smaller, each of another op, variant or type.
const MAX_SHRUNK: usize = 3;

/// The end of a run of random requests, as text.
///
/// `smallest` has the failures of each implementation, shrunk, in the order of the plan.
pub(crate) fn summary(run: &Run, plan: &Plan<'_>, smallest: &[Vec<String>]) -> String {
    let mut text = String::new();
    for (implementation, smallest) in plan.implementations.iter().zip(smallest) {
        let id = implementation.backend.id();
        let mut asked: BTreeMap<String, usize> = BTreeMap::new();
        let (mut count, mut drawn) = (0, 0);
        let mut failing = 0;
        for (case, finding) in answered(run, plan, id) {
            count += 1;
            // A refusal, and an output without elements, passes whatever an implementation draws.
            let shape = case.request.output_form().map(|(_, shape)| shape);
            let has_elements = !shape.is_some_and(|shape| shape.contains(&0));
            drawn += usize::from(finding.has_value() && has_elements);
            let op = case.request.description().title;
            *asked
                .entry(format!("{op} {}", case.request.filed_type()))
                .or_default() += 1;
            failing += usize::from(!finding.outcome.conforms());
        }
        let parts: Vec<String> = asked
            .iter()
            .map(|(what, count)| format!("{what} {count}"))
            .collect();
        let requests = plural(count, ["request", "requests"]);
        writeln!(
            text,
            "\n{} was asked {count} random {requests}: {}",
            one_line(id.as_str()),
            parts.join(", ")
        )
        .expect("a String takes every write");
        writeln!(text, "  {}", rate(count, drawn, failing)).expect("a String takes every write");
        text.extend(smallest.iter().map(String::as_str));
    }
    text
}

/// The cases that an implementation answered, with their findings.
fn answered<'a>(
    run: &'a Run,
    plan: &'a Plan<'_>,
    id: &'a BackendId,
) -> impl Iterator<Item = (&'a Case, &'a Finding)> {
    let unanswered = [Outcome::Unsupported, Outcome::NotRun, Outcome::Infrastructure];
    plan.cases.iter().filter_map(move |case| {
        let finding = run.finding(&case.id, id)?;
        (!unanswered.contains(&finding.outcome)).then_some((*case, finding))
    })
}

/// What the number of failures says of all requests of this kind. `drawn` is how many of them had an output with elements.
fn rate(asked: usize, drawn: usize, failing: usize) -> String {
    match (asked, failing) {
        (0, _) => "none of them was answered".to_owned(),
        (_, 0) if drawn == 0 => {
            "none fails, and none has an output with elements: this excludes no failure rate".to_owned()
        }
        (_, 0) => format!(
            "none fails: a failure rate of more than {} is excluded at 95 %",
            percent(excluded(drawn))
        ),
        (_, 1) => format!("1 fails: {} of what was asked", percent(1.0 / as_float(asked))),
        (_, _) => format!(
            "{failing} fail: {} of what was asked",
            percent(as_float(failing) / as_float(asked))
        ),
    }
}

/// The failure rate at which as many passes in a row have a chance of 5 %.
fn excluded(passes: usize) -> f64 {
    1.0 - 0.05_f64.powf(1.0 / as_float(passes))
}

#[expect(clippy::cast_precision_loss, reason = "there are at most a million")]
fn as_float(count: usize) -> f64 {
    count as f64
}

/// A share in percent with two digits that count.
fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    let digits = if percent >= 10.0 {
        0
    } else if percent >= 1.0 {
        1
    } else if percent >= 0.1 {
        2
    } else {
        4
    };
    format!("{percent:.digits$} %")
}

/// The first failure of each op, variant and type, made smaller, as a case to paste. It asks the implementation again, whose
/// processes must not have been ended yet.
pub(crate) fn shrunk(run: &Run, implementation: &Implementation, plan: &Plan<'_>) -> Vec<String> {
    let failing =
        answered(run, plan, implementation.backend.id()).filter(|(_, finding)| !finding.outcome.conforms());
    let mut seen = BTreeSet::new();
    // A request that ends or hangs an implementation takes up to its deadline at each step.
    let is_quick = |outcome| {
        !matches!(
            outcome,
            Outcome::Crash | Outcome::OrderDependentCrash | Outcome::Timeout | Outcome::NotRepeatable
        )
    };
    let chosen = failing.filter(|(case, finding)| {
        let request = &case.request;
        is_quick(finding.outcome) && seen.insert((request.op(), request.variant(), request.filed_type()))
    });
    chosen
        .take(MAX_SHRUNK)
        .map(|(case, finding)| {
            let backend = implementation.backend.as_ref();
            let smallest = shrink(&case.request, MAX_ASKED, &mut |request| {
                let case = ad_hoc(request.clone());
                let judged = judge_case(&case, backend, &plan.catalogue, Some(&plan.header.reading));
                judged.is_ok_and(|judgement| judgement.finding.outcome == finding.outcome)
            });
            let oracle = plan
                .catalogue
                .reading("spec")
                .expect("`spec` is always a reading");
            let yaml = seedproof_author::pasted(&smallest, oracle);
            format!(
                "\nthe smallest request found that fails as {} does, as a case to paste:\n\n{yaml}",
                case.id
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_those_of_passes_in_a_row() {
        assert_eq!(
            rate(10_000, 10_000, 0),
            "none fails: a failure rate of more than 0.0300 % is excluded at 95 %"
        );
        assert_eq!(
            rate(1, 1, 0),
            "none fails: a failure rate of more than 95 % is excluded at 95 %"
        );
        assert_eq!(
            rate(60, 59, 0),
            "none fails: a failure rate of more than 5.0 % is excluded at 95 %"
        );
        assert_eq!(rate(400, 390, 1), "1 fails: 0.25 % of what was asked");
        assert_eq!(rate(400, 100, 200), "200 fail: 50 % of what was asked");
        assert_eq!(rate(0, 0, 0), "none of them was answered");
        assert!(rate(9, 0, 0).ends_with("this excludes no failure rate"));
        assert_eq!(rate(9, 0, 9), "9 fail: 100 % of what was asked");
    }
}
