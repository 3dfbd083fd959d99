//! The summary of a run: a line per implementation, its failures by cause, what was not run, totals.

use std::collections::BTreeSet;

use super::palette::Palette;
use crate::event::Implementation;
use crate::group::{Reason, groups};
use crate::run::Run;
use crate::untrusted::{one_line, paragraph};
use crate::words::{count, listed, of_them_expected, plural};

/// The most groups of failures of one implementation.
const GROUPS: usize = 12;

/// The summary of a run, with a line feed after each line.
///
/// A score is three numbers: the cases that passed, those that the implementation claims, and those of the corpus that
/// have an expectation under the reading. A verdict without failures names the tested part of the corpus. Failures are
/// grouped by their cause, the largest group first, each with its first case.
pub fn summary(run: &Run, palette: Palette) -> String {
    let Some(header) = run.headers().first() else {
        return "nothing was run\n".to_owned();
    };
    let Palette { faint, odd, .. } = palette;
    let mut lines = vec![format!(
        "{faint}seedproof {} · corpus {} ({}) · reading {} ({}) · {}{faint:#}",
        one_line(&header.seedproof),
        header.corpus.short(),
        count(header.corpus.cases, "case"),
        header.judged_against(),
        header.corpus.share(),
        one_line(&header.date),
    )];
    for caveat in run.caveats() {
        lines.push(format!("{odd}{}{odd:#}", one_line(&caveat)));
    }
    lines.push(String::new());
    let width = run
        .implementations()
        .map(|implementation| one_line(implementation.id.as_str()).chars().count())
        // The head of the column is longer than some names.
        .chain(["implementation".len()])
        .max()
        .unwrap_or(0);
    lines.push(format!(
        "{faint}{:width$}   passed / claimed / of {}{faint:#}",
        "implementation",
        one_line(&header.reading)
    ));
    for implementation in run.implementations() {
        lines.extend(describe(
            run,
            implementation,
            header.corpus.under_reading,
            width,
            palette,
        ));
    }
    if !run.left_out().is_empty() {
        lines.extend([String::new(), "not run".to_owned()]);
    }
    for left_out in run.left_out() {
        let (what, reason) = (left_out.subject(), one_line(&left_out.reason));
        lines.push(format!("  {what}: {reason}"));
    }
    lines.extend([String::new(), total(run, palette)]);
    lines.join("\n") + "\n"
}

/// All implementations in one line.
fn total(run: &Run, palette: Palette) -> String {
    let tallies: Vec<_> = run.implementations().map(|it| run.tally(&it.id)).collect();
    let findings: usize = tallies.iter().map(|tally| tally.judged).sum();
    let failing: usize = tallies.iter().map(|tally| tally.failing).sum();
    let expected: usize = tallies.iter().map(|tally| tally.expected).sum();
    let Palette { good, bad, odd, .. } = palette;
    let implementations = count(tallies.len(), "implementation");
    let of_all = format!("{implementations}, {}", count(findings, "finding"));
    let failures = count(failing, "finding");
    let untested: Vec<String> = run.untested().map(|id| one_line(id.as_str())).collect();
    let idle_logs = run.implementations().flat_map(|it| run.idle_logs(&it.id)).count();
    let part = part(run);
    // "All conform" is the last resort: each line before it is a way in which a run without failures proves nothing.
    match (findings, failing, failing - expected) {
        (0, ..) => format!("{odd}nothing was judged{odd:#}: {implementations}"),
        (_, _, 0) if !untested.is_empty() => {
            let idle = tallies.iter().all(|it| !it.is_untested() || it.claimed == 0);
            let nothing = if idle {
                "nothing was asked"
            } else {
                "no value was compared"
            };
            let untested = listed(&untested);
            format!("{odd}{nothing} of {untested}{odd:#}, so it was not tested: {of_all}")
        }
        (_, _, 0) if idle_logs > 0 => {
            format!(
                "{odd}nothing was tested in {}{odd:#}: {of_all}",
                count(idle_logs, "log")
            )
        }
        (_, 0, _) => format!("{good}all conform{good:#}{part}: {of_all}"),
        (_, _, 0) => {
            let verb = plural(failing, ["fails", "fail"]);
            format!("{odd}{failures} {verb} as expected, no other does{odd:#}{part}: {of_all}")
        }
        _ => {
            let verb = plural(failing, ["does", "do"]);
            let expected = of_them_expected(expected, failing);
            format!("{bad}{failures} {verb} not conform{bad:#}{expected}{part}: {of_all}")
        }
    }
}

/// ` in shard 1/2`, if shards are missing. The last line is often the only one that is read.
fn part(run: &Run) -> String {
    let present: BTreeSet<String> = run
        .implementations()
        .filter_map(|it| run.present_shards(&it.id))
        .collect();
    match present.iter().collect::<Vec<_>>()[..] {
        [] => String::new(),
        [one] if !one.contains(',') => format!(" in shard {one}"),
        [some] => format!(" in shards {some}"),
        _ => " in some of the shards".to_owned(),
    }
}

/// How many candidates were tried for the outputs of each implementation that have no known cause, a line each; empty where
/// every output has one.
pub fn tried(run: &Run) -> String {
    let mut lines = String::new();
    for implementation in run.implementations() {
        for group in groups(run, &implementation.id) {
            if matches!(group.reason, Reason::Unexplained(_)) {
                let id = one_line(implementation.id.as_str());
                lines.push_str(&format!("{id}: {}\n", paragraph(&group.reason.sentence())));
            }
        }
    }
    lines
}

/// The score of one implementation, and its failures by cause.
fn describe(
    run: &Run,
    implementation: &Implementation,
    under_reading: usize,
    width: usize,
    palette: Palette,
) -> Vec<String> {
    let Palette { strong, faint, .. } = palette;
    let tally = run.tally(&implementation.id);
    let style = palette.of(tally.tone());
    let [passed, claimed, under_reading] = tally.score(under_reading);
    let mut lines = vec![format!(
        "{strong}{:width$}{strong:#}   {passed:>6} / {claimed:>7} / {under_reading:>6}   {style}{}{style:#}",
        one_line(implementation.id.as_str()),
        run.verdict(&implementation.id),
    )];
    lines.extend(
        run.part_not_asked(&implementation.id)
            .map(|part| format!("  {faint}{part}{faint:#}")),
    );
    let all = groups(run, &implementation.id);
    for group in all.iter().take(GROUPS) {
        lines.push(format!(
            "  {strong}{}{strong:#}{}: {}",
            one_line(&group.name()),
            group.share(run, tally.failing),
            paragraph(&group.sentence())
        ));
        // One case suffices to look at a cause, and a group may have thousands.
        if let Some(first) = group.findings.first() {
            lines.push(format!("    {faint}first:{faint:#} {}", first.case));
        }
    }
    if all.len() > GROUPS {
        lines.push(format!("  … {} more causes", all.len() - GROUPS));
    }
    let notes = run.notes_line(&implementation.id);
    lines.extend(notes.map(|line| format!("  {faint}{line}{faint:#}")));
    lines
}
