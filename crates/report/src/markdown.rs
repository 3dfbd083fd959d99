//! A run as Markdown for the summary of a CI step: verdicts, causes, first failures.

use crate::event::Implementation;
use crate::group::groups;
use crate::run::Run;
use crate::text::{Palette, failure};
use crate::untrusted::one_line;
use crate::words::{count, thousands};

/// The most causes of one implementation.
const CAUSES: usize = 12;
/// The most implementations whose failures are described.
const DESCRIBED: usize = 24;
/// The most implementations in the table, the most caveats, and the most lines of every other list.
const LINES: usize = 200;
/// The most bytes of the whole, but for a last line of a hundred. GitHub refuses a step summary of over 1 MiB.
const SIZE: usize = 1_000_000;

/// The run as Markdown that fits a step summary, whatever texts the run has.
///
/// Text of others stands in code spans and code blocks, or is escaped, so that none of it is read as markup.
pub fn markdown(run: &Run) -> String {
    let Some(header) = run.headers().first() else {
        return "# Seedproof\n\nNothing was run.\n".to_owned();
    };
    let mut parts = vec![format!(
        "# Seedproof\n\nCorpus {} ({}), judged against {} ({}), seedproof {}, {}\n\n",
        code(&header.corpus.short()),
        count(header.corpus.cases, "case"),
        code(&header.judged_against()),
        header.corpus.share(),
        code(&header.seedproof),
        code(&header.date)
    )];
    for caveat in run.caveats().iter().take(LINES) {
        parts.push(format!("> ⚠ {}\n\n", plain(caveat)));
    }
    let reading = code(&header.reading).replace('|', "\\|");
    parts.push(format!("{}\n\n", plain(&run.headline())));
    parts.push(format!(
        "| implementation | passed / claimed / of {reading} | |\n|---|--:|---|\n"
    ));
    for implementation in run.implementations().take(LINES) {
        let tally = run.tally(&implementation.id);
        let not_asked = run.part_not_asked(&implementation.id);
        let not_asked = not_asked.map(|part| format!("; {part}")).unwrap_or_default();
        let verdict = run.verdict(&implementation.id) + &not_asked;
        parts.push(format!(
            "| {} | {} | {} {} |\n",
            code(implementation.id.as_str()).replace('|', "\\|"),
            tally.score(header.corpus.under_reading).join(" / "),
            tally.mark(),
            plain(&verdict),
        ));
    }
    let failing = |implementation: &&Implementation| run.tally(&implementation.id).failing > 0;
    for implementation in run.implementations().filter(failing).take(DESCRIBED) {
        parts.push(failures(run, implementation));
    }
    for implementation in run.implementations().take(LINES) {
        if let Some(line) = run.notes_line(&implementation.id) {
            parts.push(format!(
                "\n{}: {}\n",
                code(implementation.id.as_str()),
                plain(&line)
            ));
        }
    }
    if !run.left_out().is_empty() {
        parts.push("\n## Not run\n\n".to_owned());
    }
    for left_out in run.left_out().iter().take(LINES) {
        let (what, reason) = (code(&left_out.subject()), plain(&left_out.reason));
        parts.push(format!("- {what}: {reason}\n"));
    }
    // Part by part, so that no cell, span or block is cut in two.
    let mut out = String::new();
    let fitting = parts.iter().take_while(|part| {
        let fits = out.len() + part.len() <= SIZE;
        if fits {
            out.push_str(part);
        }
        fits
    });
    if fitting.count() < parts.len() {
        out.push_str("\n… the rest is left out: this summary is as long as CI systems take\n");
    }
    out
}

/// The causes of one implementation's failures, with the first failure of each.
fn failures(run: &Run, implementation: &Implementation) -> String {
    let failing = run.tally(&implementation.id).failing;
    let mut out = format!("\n## {}\n", code(implementation.id.as_str()));
    let all = groups(run, &implementation.id);
    for group in all.iter().take(CAUSES) {
        out.push_str(&format!(
            "\n- **{}**{}: {}\n",
            code(&group.name()),
            group.share(run, failing),
            plain(&group.sentence())
        ));
        if let Some(first) = group.findings.first() {
            let text = failure(run, first, Palette::plain());
            // A code block ends only at a fence at least as long as its own, so a longer fence
            // than any in the text holds it.
            let fence = "`".repeat(longest_run(&text).max(2) + 1);
            let block = format!("{fence}text\n{text}{fence}");
            let block: Vec<String> = block.lines().map(|line| format!("  {line}\n")).collect();
            out.push_str(&format!(
                "  <details><summary>first</summary>\n\n{}\n  </details>\n",
                block.concat()
            ));
        }
    }
    if all.len() > CAUSES {
        out.push_str(&format!("\n- … {} more causes\n", thousands(all.len() - CAUSES)));
    }
    out.push('\n');
    out
}

/// A text as a code span, in which nothing is markup, a mention or a link.
fn code(text: &str) -> String {
    let text = one_line(text);
    if text.is_empty() {
        // Two backticks without a text would open a span that ends somewhere later in the document.
        return "—".to_owned();
    }
    let fence = "`".repeat(longest_run(&text) + 1);
    if fence.len() > 1 {
        format!("{fence} {text} {fence}")
    } else {
        format!("`{text}`")
    }
}

/// A text as plain words. Every punctuation mark that can be markup is escaped.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in one_line(text).chars() {
        // The exceptions mean nothing inside a line. GitHub links bare addresses by their dots and
        // colons, which are escaped.
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
