//! A run as Markdown that fits the summary of a continuous-integration step: verdicts, causes, first failures.

use std::fmt::Write as _;

use crate::text::{count, of_them_expected, thousands, verdict};
use crate::{Cause, Implementation, Palette, Run, failure, groups, inert};

/// Most characters of a line of others' text.
const WIDTH: usize = 300;
/// Most causes of one implementation.
const CAUSES: usize = 12;
/// Most implementations whose failures are told.
const TOLD: usize = 24;
/// Most implementations in the table, and most banners and named lines.
const LINES: usize = 200;

/// The run as Markdown, short of a step summary's limit of a megabyte whatever the run holds.
///
/// Text of others stands in code spans and code blocks, or is escaped, so that none of it is read as markup.
pub fn markdown(run: &Run) -> String {
    let mut out = String::new();
    let mut line = |text: &str| {
        writeln!(out, "{text}").expect("a String takes every write");
    };
    let Some(header) = run.headers().first() else {
        return "# Seedproof\n\nNothing was run.\n".to_owned();
    };
    line("# Seedproof\n");
    line(&format!(
        "Corpus {} ({}), judged against {}, seedproof {}, {}\n",
        code(&header.corpus.short()),
        count(header.corpus.cases, "case"),
        code(&header.reading),
        code(&header.seedproof),
        code(&header.date)
    ));
    for reservation in run.reservations().iter().take(LINES) {
        line(&format!("> ⚠ {}\n", plain(reservation)));
    }
    line("| implementation | passed / claimed / corpus | |");
    line("|---|--:|---|");
    for implementation in run.implementations().take(LINES) {
        let tally = run.tally(&implementation.id);
        let mark = match (tally.judged, tally.failing, tally.unexpected()) {
            (0, ..) => "",
            (_, 0, _) => "✓ ",
            (_, _, 0) => "≈ ",
            _ => "✗ ",
        };
        line(&format!(
            "| {} | {} / {} / {} | {mark}{} |",
            code(implementation.id.as_str()).replace('|', "\\|"),
            thousands(tally.passed),
            thousands(tally.claimed),
            thousands(header.corpus.cases),
            verdict(tally),
        ));
    }
    let failing = |implementation: &&Implementation| run.tally(&implementation.id).failing > 0;
    for implementation in run.implementations().filter(failing).take(TOLD) {
        line(&told(run, implementation));
    }
    if !run.left_out().is_empty() {
        line("\n## Not run\n");
        for left_out in run.left_out().iter().take(LINES) {
            line(&format!(
                "- {}: {}",
                code(&left_out.what),
                plain(&left_out.reason)
            ));
        }
    }
    out
}

/// The causes of one implementation's failures, with the first failure of each.
fn told(run: &Run, implementation: &Implementation) -> String {
    let failing = run.tally(&implementation.id).failing;
    let mut out = format!("\n## {}\n", code(implementation.id.as_str()));
    let all = groups(run, &implementation.id);
    for group in all.iter().take(CAUSES) {
        let explains = if matches!(group.cause, Cause::Explained(_)) {
            " explains"
        } else {
            ":"
        };
        let given = group.findings.len();
        write!(
            out,
            "\n- **{}**{explains} {} of {}{}: {}\n",
            code(&group.name()),
            thousands(given),
            thousands(failing),
            of_them_expected(group.expected(run), group.findings.len()),
            plain(&group.cause.sentence())
        )
        .expect("a String takes every write");
        if let Some(first) = group.findings.first() {
            let text = failure(run, first, Palette::plain());
            let fence = "`".repeat(longest_run(&text).max(2) + 1);
            let block = format!("{fence}text\n{text}{fence}");
            let block: Vec<String> = block.lines().map(|line| format!("  {line}\n")).collect();
            write!(
                out,
                "  <details><summary>first</summary>\n\n{}\n  </details>\n",
                block.concat()
            )
            .expect("a String takes every write");
        }
    }
    if all.len() > CAUSES {
        write!(out, "\n- … {} more causes\n", all.len() - CAUSES).expect("a String takes every write");
    }
    out
}

/// A text as a code span: no markup, no mention, no link.
fn code(text: &str) -> String {
    let text = inert(text, WIDTH);
    if text.is_empty() {
        return "—".to_owned();
    }
    let fence = "`".repeat(longest_run(&text) + 1);
    if fence.len() > 1 {
        format!("{fence} {text} {fence}")
    } else {
        format!("`{text}`")
    }
}

/// A text as plain words: every character that could mean something to Markdown is escaped.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in inert(text, WIDTH).chars() {
        if c.is_ascii_punctuation() && !",;'\"()-/=".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// The length of the longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_spans_hold_backticks() {
        assert_eq!(code("a|b <i> @all"), "`a|b <i> @all`");
        assert_eq!(code("a``b`"), "``` a``b` ```");
        assert_eq!(code(""), "—");
    }

    #[test]
    fn plain_words_are_no_markup() {
        assert_eq!(plain("fma(x, max-min)"), "fma(x, max-min)");
        assert_eq!(
            plain("<b> *x* [a](b) www.c"),
            "\\<b\\> \\*x\\* \\[a\\](b) www\\.c"
        );
    }
}
