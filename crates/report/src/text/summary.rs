//! The summary of a run: a line per implementation, its failures by cause, what was not run, totals.

use std::fmt::Write as _;

use super::{Palette, WIDTH, count, of_them_expected, thousands, verdict};
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
    let (mut failing, mut unexpected) = (0, 0);
    let mut findings = 0;
    for implementation in run.implementations() {
        let tally = run.tally(&implementation.id);
        failing += tally.failing;
        unexpected += tally.unexpected();
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
            "{good}all conform{good:#}: {implementations}, {}",
            count(findings, "finding")
        ));
    } else if unexpected == 0 {
        let verb = if failing == 1 { "fails" } else { "fail" };
        line(format!(
            "{odd}{} {verb} as expected, no other does{odd:#}: {implementations}, {}",
            thousands(failing),
            count(findings, "finding")
        ));
    } else {
        let bad = palette.bad;
        let verb = if failing == 1 { "does" } else { "do" };
        line(format!(
            "{bad}{} {verb} not conform{bad:#}{}: {implementations}, {}",
            thousands(failing),
            of_them_expected(failing - unexpected, failing),
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
        odd,
        strong,
        faint,
    } = palette;
    let tally = run.tally(&implementation.id);
    let style = match (tally.failing, tally.unexpected()) {
        (0, _) => good,
        (_, 0) => odd,
        _ => bad,
    };
    let mut lines = vec![format!(
        "{strong}{:name_width$}{strong:#}   {:>6} / {:>7} / {:>6}   {style}{}{style:#}",
        inert(implementation.id.as_str(), WIDTH),
        thousands(tally.passed),
        thousands(tally.claimed),
        thousands(corpus),
        verdict(tally),
    )];
    let all = groups(run, &implementation.id);
    for group in all.iter().take(GROUPS) {
        let name = inert(&group.name(), WIDTH);
        let verb = if matches!(group.cause, Cause::Explained(_)) {
            " explains"
        } else {
            ":"
        };
        let explains = format!(
            "{strong}{name}{strong:#}{verb} {} of {}{}",
            group.findings.len(),
            tally.failing,
            of_them_expected(group.expected(run), group.findings.len())
        );
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
