//! The summary of a run: a line per implementation, its failures by cause, what was not run, totals.

use std::fmt::Write as _;

use super::{Palette, WIDTH, count, thousands};
use crate::{Cause, Implementation, Run, groups, inert};

/// Most groups of one implementation that are shown.
const GROUPS: usize = 12;

/// The summary of a run, with a line end after each line.
///
/// A score is three numbers, `passed / claimed / corpus`. Failures come grouped by their cause, the largest group
/// first, each with its first case.
pub fn summary(run: &Run, palette: Palette) -> String {
    let mut out = String::new();
    let mut line = |text: String| {
        writeln!(out, "{text}").expect("a String takes every write");
    };
    let Some(header) = run.headers().first() else {
        return "nothing was run\n".to_owned();
    };
    let Palette { faint, odd, .. } = palette;
    line(format!(
        "{faint}seedproof {} · corpus {} ({}) · reading {} · {}{faint:#}",
        inert(&header.seedproof, WIDTH),
        header.corpus.short(),
        count(header.corpus.cases, "case"),
        inert(&header.reading, WIDTH),
        inert(&header.date, WIDTH),
    ));
    for reservation in run.reservations() {
        line(format!("{odd}{}{odd:#}", inert(&reservation, WIDTH)));
    }
    line(String::new());
    let name_width = run
        .implementations()
        .map(|implementation| inert(implementation.id.as_str(), WIDTH).chars().count())
        .chain(["implementation".len()])
        .max()
        .unwrap_or(0);
    line(format!(
        "{faint}{:name_width$}   passed / claimed / corpus{faint:#}",
        "implementation"
    ));
    let mut failing = 0;
    let mut findings = 0;
    for implementation in run.implementations() {
        let tally = run.tally(&implementation.id);
        failing += tally.failing;
        findings += tally.judged;
        for text in told(run, implementation, header.corpus.cases, name_width, palette) {
            line(text);
        }
    }
    if !run.left_out().is_empty() {
        line(String::new());
        line("not run".to_owned());
        for left_out in run.left_out() {
            line(format!(
                "  {}: {}",
                inert(&left_out.what, WIDTH),
                inert(&left_out.reason, WIDTH)
            ));
        }
    }
    line(String::new());
    let implementations = count(run.implementations().count(), "implementation");
    if findings == 0 {
        line(format!("{odd}nothing was judged{odd:#}: {implementations}"));
    } else if failing == 0 {
        let good = palette.good;
        line(format!(
            "{good}all conform{good:#}: {implementations}, {findings}"
        ));
    } else {
        let bad = palette.bad;
        let verb = if failing == 1 { "does" } else { "do" };
        line(format!(
            "{bad}{} {verb} not conform{bad:#}: {implementations}, {}",
            thousands(failing),
            count(findings, "finding")
        ));
    }
    out
}

fn told(
    run: &Run,
    implementation: &Implementation,
    corpus: usize,
    name_width: usize,
    palette: Palette,
) -> Vec<String> {
    let Palette {
        good,
        bad,
        strong,
        faint,
        ..
    } = palette;
    let tally = run.tally(&implementation.id);
    let verdict = if tally.failing == 0 {
        format!("{good}conforms{good:#}")
    } else {
        format!("{bad}{}{bad:#}", count(tally.failing, "failure"))
    };
    let mut lines = vec![format!(
        "{strong}{:name_width$}{strong:#}   {:>6} / {:>7} / {:>6}   {}",
        inert(implementation.id.as_str(), WIDTH),
        thousands(tally.passed),
        thousands(tally.claimed),
        thousands(corpus),
        verdict,
    )];
    let all = groups(run, &implementation.id);
    for group in all.iter().take(GROUPS) {
        let name = inert(&group.name(), WIDTH);
        let explains = if matches!(group.cause, Cause::Explained(_)) {
            format!(
                "{strong}{name}{strong:#} explains {} of {}",
                group.findings.len(),
                tally.failing
            )
        } else {
            format!(
                "{strong}{name}{strong:#}: {} of {}",
                group.findings.len(),
                tally.failing
            )
        };
        lines.push(format!("  {explains}: {}", inert(&group.cause.sentence(), WIDTH)));
        if let Some(first) = group.findings.first() {
            lines.push(format!("    {faint}first:{faint:#} {}", first.case));
        }
    }
    if all.len() > GROUPS {
        lines.push(format!("  … {} more causes", all.len() - GROUPS));
    }
    lines
}
