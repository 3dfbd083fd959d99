//! The text of one failure: what was asked, what differs, where first, why, and the line that reruns it.

use std::fmt::Write as _;

use seedproof_check::{
    CauseKind, Comparison, Element, Finding, Mismatch, Outcome, Stage, StageResult, Verdict,
};
use seedproof_ops::{Dtype, Scalar};

use super::{Palette, WIDTH, count, thousands};
use crate::facts::decimal;
use crate::{Run, cut, inert};

/// Column where the outcome's word ends.
const WIDE: usize = 87;
/// Most lines of standard error that are shown; the report page has more.
const STDERR_LINES: usize = 12;

/// The text of one finding that did not pass, with a line end after each line.
///
/// The first line names implementation, case and outcome; below it, indented, the request, what differs, the
/// explanation if a diagnosis has one for this case, standard error, and the line that reruns the case.
pub fn failure(run: &Run, finding: &Finding, palette: Palette) -> String {
    let mut out = head(finding, palette);
    let mut line = |text: String| {
        writeln!(out, "  {text}").expect("a String takes every write");
    };
    if let Some(judged) = run.case(&finding.case) {
        line(inert(&judged.facts.line(), WIDTH));
    }
    if let Some(reason) = run.expected(finding) {
        line(format!("an expected failure: {}", inert(reason, WIDTH)));
    }
    if let [all @ .., last] = &finding.readings[..] {
        let (others, verb) = match all {
            [] => (String::new(), "does"),
            _ => (format!("{} and ", all.join(", ")), "do"),
        };
        line(format!(
            "not as {} answers, but as {} {verb}",
            asked(run),
            inert(&(others + last), WIDTH)
        ));
    }
    for text in difference(finding, palette) {
        line(text);
    }
    for text in explanations(run, finding, palette) {
        line(text);
    }
    if !finding.stderr.trim().is_empty() {
        line("standard error:".to_owned());
        for text in cut(&finding.stderr, STDERR_LINES, WIDTH).lines() {
            line(format!("  {}| {text}{:#}", palette.faint, palette.faint));
        }
    }
    if let Some(rerun) = rerun(run, finding) {
        line(format!("{}rerun:{:#} {rerun}", palette.faint, palette.faint));
    }
    out
}

/// The command that reruns a finding, where the run knows one.
pub(crate) fn rerun(run: &Run, finding: &Finding) -> Option<String> {
    let implementation = run.implementation(&finding.backend)?;
    let command = inert(&implementation.rerun, 4 * WIDTH);
    (!command.is_empty()).then(|| format!("{command} {}", finding.case))
}

fn asked(run: &Run) -> &str {
    run.headers()
        .first()
        .map_or("the requested reading", |header| header.reading.as_str())
}

fn head(finding: &Finding, palette: Palette) -> String {
    let backend = inert(finding.backend.as_str(), WIDTH);
    let word = finding.outcome.word();
    let used = backend.chars().count() + 2 + finding.case.as_str().chars().count();
    let gap = WIDE.saturating_sub(used + word.len()).max(2);
    let (strong, style) = (palette.strong, palette.of(finding.outcome));
    format!(
        "{strong}{backend}  {}{strong:#}{:gap$}{style}{word}{style:#}\n",
        finding.case, ""
    )
}

/// What differs, in lines; the message where there is nothing to compare.
fn difference(finding: &Finding, palette: Palette) -> Vec<String> {
    let message = inert(&finding.message, WIDTH);
    match &finding.mismatch {
        Some(Mismatch::Elements(comparison)) => elements(comparison, palette),
        Some(Mismatch::Form { expected, actual }) => {
            vec![format!(
                "expected {} {}   actual {} {}",
                expected.dtype, expected.shape, actual.dtype, actual.shape
            )]
        }
        Some(Mismatch::Output {
            name,
            expected,
            actual,
        }) => output(name, expected, actual),
        Some(Mismatch::Chunks {
            differing,
            total,
            first,
        }) => chunks(differing, *total, first.as_ref(), palette),
        Some(Mismatch::Statistics { message }) => vec![inert(message, WIDTH)],
        None if message.is_empty() => Vec::new(),
        None => vec![message],
    }
}

fn elements(comparison: &Comparison, palette: Palette) -> Vec<String> {
    let (differing, total) = (comparison.differing, comparison.total);
    let verb = if differing == 1 { "differs" } else { "differ" };
    let mut lines = vec![format!(
        "{} of {} {verb}; the first at {}",
        thousands(differing),
        count(total, "element"),
        place(&comparison.first)
    )];
    lines.push(pair(&comparison.first, palette));
    if let Some(most) = comparison.max_ulps
        && differing > 1
    {
        lines.push(format!("  {}", at_most(comparison.first.expected.dtype(), most)));
    }
    if !comparison.stages.is_empty() {
        let stages: Vec<String> = comparison.stages.iter().map(|&stage| stage_text(stage)).collect();
        lines.push(format!("  {}", stages.join(" · ")));
    }
    lines
}

/// `[0,0,2] (flat 2: block 0, word 2)`.
pub(crate) fn place(element: &Element) -> String {
    let coordinates: Vec<String> = element.coordinates.iter().map(usize::to_string).collect();
    let block = element.block.map_or_else(String::new, |(block, word)| {
        format!(": block {block}, word {word}")
    });
    format!("[{}] (flat {}{block})", coordinates.join(","), element.index)
}

/// `  expected bc56 (-1.08398438)   actual bc57 (-1.08496094)   1 ulp`.
fn pair(element: &Element, palette: Palette) -> String {
    let (good, bad) = (palette.good, palette.bad);
    let far = element.ulps.map_or_else(String::new, |ulps| {
        format!("   {}", distance(element.expected.dtype(), ulps))
    });
    format!(
        "  expected {good}{}{good:#}   actual {bad}{}{bad:#}{far}",
        value(element.expected),
        value(element.actual)
    )
}

/// Bits with the decimal that tells them from their neighbours; an integer as it is.
pub(crate) fn value(scalar: Scalar) -> String {
    if scalar.dtype().is_float() {
        format!("{} ({})", scalar.literal(), digits(scalar))
    } else {
        scalar.literal()
    }
}

/// A float with as many significant digits as always tell it from its neighbours, 9 or 17, without closing zeros.
fn digits(scalar: Scalar) -> String {
    let value = scalar.to_f64();
    let magnitude = value.abs();
    if value == 0.0 || !value.is_finite() {
        return decimal(scalar);
    }
    let significant = if scalar.dtype() == Dtype::F64 { 17 } else { 9 };
    let scientific = format!("{value:.*e}", significant - 1);
    if !(1e-5..1e17).contains(&magnitude) {
        let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
        return format!("{}e{exponent}", trimmed(mantissa));
    }
    let exponent: i32 = scientific
        .split_once('e')
        .and_then(|(_, exponent)| exponent.parse().ok())
        .unwrap_or(0);
    let places = usize::try_from(significant_places(significant, exponent)).unwrap_or(0);
    trimmed(&format!("{value:.places$}"))
}

fn significant_places(significant: usize, exponent: i32) -> i32 {
    i32::try_from(significant).unwrap_or(17) - 1 - exponent
}

fn trimmed(text: &str) -> String {
    if !text.contains('.') {
        return format!("{text}.0");
    }
    let text = text.trim_end_matches('0');
    if text.ends_with('.') {
        format!("{text}0")
    } else {
        text.to_owned()
    }
}

/// `1 ulp`, `3 ulps`, `off by 3` for integers.
pub(crate) fn distance(dtype: Dtype, ulps: u64) -> String {
    match (dtype.is_float(), ulps) {
        (true, 1) => "1 ulp".to_owned(),
        (true, ulps) => format!("{ulps} ulps"),
        (false, far) => format!("off by {far}"),
    }
}

/// `off by at most 3 ulps`.
pub(crate) fn at_most(dtype: Dtype, most: u64) -> String {
    let far = distance(dtype, most);
    format!("off by at most {}", far.strip_prefix("off by ").unwrap_or(&far))
}

fn stage_text(result: StageResult) -> String {
    let name = match result.stage {
        Stage::Words => "words",
        Stage::UnitInterval => "unit interval",
        Stage::Scale => "scale",
    };
    if !result.equal {
        format!("{} differs", name.to_uppercase()).replace("WORDS differs", "WORDS differ")
    } else {
        format!("{name} equal")
    }
}

fn output(name: &str, expected: &[Scalar], actual: &[Scalar]) -> Vec<String> {
    let list = |state: &[Scalar]| {
        let words: Vec<String> = state.iter().take(16).map(|word| word.literal()).collect();
        words.join(" ")
    };
    let given = if actual.is_empty() {
        "none".to_owned()
    } else {
        list(actual)
    };
    vec![
        format!("the first output is right, `{}` is not", inert(name, WIDTH)),
        format!("  expected {}", list(expected)),
        format!("  actual   {given}"),
    ]
}

fn chunks(differing: &[usize], total: usize, first: Option<&Element>, palette: Palette) -> Vec<String> {
    const SHOWN: usize = 8;
    let mut which: Vec<String> = differing.iter().take(SHOWN).map(usize::to_string).collect();
    if differing.len() > SHOWN {
        which.push(format!("… {} more", thousands(differing.len() - SHOWN)));
    }
    let verb = if differing.len() == 1 { "differs" } else { "differ" };
    let mut lines = vec![format!(
        "{} of {} (65,536 elements each) {verb}: {}",
        thousands(differing.len()),
        count(total, "chunk"),
        which.join(", ")
    )];
    match first {
        Some(first) => {
            lines.push(format!(
                "the first element known to differ is at {}",
                place(first)
            ));
            lines.push(pair(first, palette));
        }
        None => {
            lines.push("the first and last elements are equal; the rest is known by its digest".to_owned());
        }
    }
    lines
}

/// The explanations of a finding: one, or the first of several that are as good as each other.
fn explanations(run: &Run, finding: &Finding, palette: Palette) -> Vec<String> {
    const SHOWN: usize = 3;
    let failing = run.tally(&finding.backend).failing;
    let mut all: Vec<_> = run.explanations(&finding.backend, &finding.case).collect();
    if let Some(&best) = all.first() {
        // What more speaks against is no rival, and how the output lies is none where it is known why.
        all.retain(|it| {
            it.evidence.contradicted == best.evidence.contradicted
                && (it.cause.kind == CauseKind::Structure) == (best.cause.kind == CauseKind::Structure)
        });
    }
    let elements = match &finding.mismatch {
        Some(Mismatch::Elements(c)) => format!("{0} of {0} elements, ", thousands(c.total)),
        _ => String::new(),
    };
    let strong = palette.strong;
    let told = all.iter().take(SHOWN).enumerate().map(|(i, explanation)| {
        format!(
            "{}  {strong}{}{strong:#}: {}   {elements}{} of {}{}",
            if i == 0 { "explained by" } else { "          or" },
            inert(&explanation.cause.name, WIDTH),
            inert(&explanation.cause.sentence, WIDTH),
            thousands(run.explained(&finding.backend, &explanation.cause.name)),
            count(failing, "failing case"),
            match explanation.evidence.contradicted {
                0 => String::new(),
                1 => ", 1 passing case speaks against it".to_owned(),
                more => format!(", {more} passing cases speak against it"),
            }
        )
    });
    let mut lines: Vec<String> = told.collect();
    match all[..] {
        [] if finding.outcome == Outcome::Fail => lines.extend(nearest(run, finding)),
        [only] => {
            let from = [("", &only.cause.clause), ("erratum ", &only.cause.erratum)];
            let from = from.iter().filter(|(_, id)| !id.is_empty());
            let from: Vec<String> = from
                .map(|(what, id)| format!("{what}{}", inert(id, WIDTH)))
                .collect();
            if !from.is_empty() {
                lines.push(format!("departs from  {}", from.join(", ")));
            }
            if !only.cause.fix.is_empty() {
                lines.push(format!("fix:          {}", inert(&only.cause.fix, WIDTH)));
            }
        }
        [_, ..] if all.len() > SHOWN => lines.push(format!(
            "          or  {} more that explain it as well",
            all.len() - SHOWN
        )),
        _ => {}
    }
    lines
}

/// What came nearest where nothing explains: to look at, not to trust.
fn nearest(run: &Run, finding: &Finding) -> Option<String> {
    let diagnosed = run
        .diagnoses()
        .iter()
        .find(|d| d.backend == finding.backend && d.diagnosis.verdict == Verdict::Unexplained)?;
    let Some(it) = diagnosed.diagnosis.explanations.first() else {
        return Some("no known cause".to_owned());
    };
    Some(format!(
        "no known cause; nearest is {}: {}   {} of {} elements, {} of {} failing cases",
        inert(&it.cause.name, WIDTH),
        inert(&it.cause.sentence, WIDTH),
        it.evidence.elements,
        it.evidence.elements_total,
        it.evidence.cases,
        it.evidence.cases_total
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_tell_neighbours_apart() {
        let shown = |dtype, bits| value(Scalar::new(dtype, bits));
        assert_eq!(shown(Dtype::F16, 0xbc56), "bc56 (-1.08398438)");
        assert_eq!(shown(Dtype::F16, 0xbc57), "bc57 (-1.08496094)");
        assert_eq!(shown(Dtype::F32, 0x3f80_0000), "3f800000 (1.0)");
        assert_eq!(shown(Dtype::F32, 0x3f80_0001), "3f800001 (1.00000012)");
        assert_eq!(shown(Dtype::F32, 1), "00000001 (1.40129846e-45)");
        assert_eq!(shown(Dtype::F32, 0x8000_0000), "80000000 (-0.0)");
        assert_eq!(shown(Dtype::F64, 0x7ff0_0000_0000_0000), "7ff0000000000000 (inf)");
        assert_eq!(
            shown(Dtype::F64, 0x3fb9_9999_9999_999a),
            "3fb999999999999a (0.10000000000000001)"
        );
        assert_eq!(shown(Dtype::I64, u64::MAX), "-1");
    }
}
