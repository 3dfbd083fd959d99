//! The text of one failure: the request, what differs and where first, the cause, and the line that reruns it.

use seedproof_check::{CauseKind, Diagnosis, Explanation, Finding, Mismatch, Outcome, Verdict};

use super::difference::difference;
use super::palette::Palette;
use crate::Run;
use crate::untrusted::{clip, one_line, paragraph};
use crate::words::{count, listed, thousands};

/// Column where the outcome's word ends.
const WIDE: usize = 87;
/// Most lines of standard error that are shown; the report page has more.
const STDERR_LINES: usize = 12;
/// Most explanations that are shown.
const EXPLANATIONS: usize = 3;

/// A finding that did not pass, with the facts of its run that its text needs.
#[derive(Clone, Debug)]
pub struct Failure<'a> {
    /// The finding.
    pub finding: &'a Finding,
    /// The request in one line: [`CaseFacts::line`](crate::CaseFacts::line).
    pub request: String,
    /// The reading that was judged against.
    pub reading: &'a str,
    /// Why the failure is accepted, if an expectation file expects it.
    pub expected: Option<&'a str>,
    /// The explanations that give the case in full, best first, each with the number of failing cases that it gives.
    pub explanations: Vec<(&'a Explanation, usize)>,
    /// A diagnosis of the implementation that explains nothing, if there is one.
    pub unexplained: Option<&'a Diagnosis>,
    /// Number of the implementation's failing cases.
    pub failing: usize,
    /// The command that reruns the case, if it is known.
    pub rerun: Option<String>,
}

/// The text of one finding that did not pass: [`Failure::text`].
pub fn failure(run: &Run, finding: &Finding, palette: Palette) -> String {
    Failure::of(run, finding).text(palette)
}

/// The command that reruns a finding, where the run knows one.
pub(crate) fn rerun(run: &Run, finding: &Finding) -> Option<String> {
    let command = paragraph(&run.implementation(&finding.backend)?.rerun);
    (!command.is_empty()).then(|| format!("{command} {}", finding.case))
}

impl<'a> Failure<'a> {
    /// A failing finding of a run.
    pub fn of(run: &'a Run, finding: &'a Finding) -> Self {
        let backend = &finding.backend;
        let mut diagnoses = run.diagnoses().iter().filter(|it| it.backend == *backend);
        Self {
            finding,
            request: run
                .case(&finding.case)
                .map_or_else(String::new, |judged| judged.facts.line()),
            reading: run
                .headers()
                .first()
                .map_or("the requested reading", |header| &header.reading),
            expected: run.expected(finding),
            explanations: run
                .explanations(backend, &finding.case)
                .map(|it| (it, run.explained(backend, &it.cause.name)))
                .collect(),
            unexplained: diagnoses
                .find(|it| it.diagnosis.verdict == Verdict::Unexplained)
                .map(|it| &it.diagnosis),
            failing: run.tally(backend).failing,
            rerun: rerun(run, finding),
        }
    }

    /// The text, with a line end after each line.
    ///
    /// The first line names implementation, case and outcome; below it, indented, the request, what differs, the
    /// explanation if a diagnosis has one for this case, standard error, and the line that reruns the case.
    pub fn text(&self, palette: Palette) -> String {
        let (finding, faint) = (self.finding, palette.faint);
        let mut lines = vec![one_line(&self.request)];
        if let Some(reason) = self.expected {
            lines.push(format!("an expected failure: {}", one_line(reason)));
        }
        if !finding.readings.is_empty() {
            let verb = if finding.readings.len() == 1 { "does" } else { "do" };
            let readings = listed(&finding.readings);
            lines.push(format!(
                "not as {} answers, but as {} {verb}",
                one_line(self.reading),
                one_line(&readings)
            ));
        }
        lines.extend(difference(finding, palette));
        lines.extend(self.explanations(palette));
        if !finding.stderr.trim().is_empty() {
            lines.push("standard error:".to_owned());
            let stderr = clip(&finding.stderr, STDERR_LINES);
            lines.extend(stderr.lines().map(|text| format!("  {faint}| {text}{faint:#}")));
        }
        if let Some(rerun) = &self.rerun {
            lines.push(format!("{faint}rerun:{faint:#} {rerun}"));
        }
        let lines = lines.iter().filter(|line| !line.is_empty());
        head(finding, palette) + &lines.map(|line| format!("  {line}\n")).collect::<String>()
    }

    /// The explanations: one, or the first of several that are as good as each other.
    fn explanations(&self, palette: Palette) -> Vec<String> {
        let mut all = self.explanations.clone();
        if let Some(&(best, _)) = all.first() {
            // Drop explanations that more passing cases contradict, and structural ones once a cause is known.
            all.retain(|(it, _)| {
                it.evidence.contradicted == best.evidence.contradicted
                    && (it.cause.kind == CauseKind::Structure) == (best.cause.kind == CauseKind::Structure)
            });
        }
        let elements = match &self.finding.mismatch {
            Some(Mismatch::Elements(c)) => format!("{0} of {0} elements, ", thousands(c.total)),
            _ => String::new(),
        };
        let strong = palette.strong;
        let shown = all.iter().take(EXPLANATIONS).enumerate();
        let mut lines: Vec<String> = shown
            .map(|(i, (explanation, given))| {
                format!(
                    "{}  {strong}{}{strong:#}: {}   {elements}{} of {}{}",
                    if i == 0 { "explained by" } else { "          or" },
                    one_line(&explanation.cause.name),
                    one_line(&explanation.cause.sentence),
                    thousands(*given),
                    count(self.failing, "failing case"),
                    match explanation.evidence.contradicted {
                        0 => String::new(),
                        1 => ", 1 passing case speaks against it".to_owned(),
                        more => format!(", {more} passing cases speak against it"),
                    }
                )
            })
            .collect();
        match all[..] {
            [] if self.finding.outcome == Outcome::Fail => lines.extend(self.unexplained.map(nearest)),
            [(only, _)] => {
                let from = [("", &only.cause.clause), ("erratum ", &only.cause.erratum)];
                let from = from.iter().filter(|(_, id)| !id.is_empty());
                let from: Vec<String> = from.map(|(sort, id)| format!("{sort}{}", one_line(id))).collect();
                if !from.is_empty() {
                    lines.push(format!("departs from  {}", from.join(", ")));
                }
                if !only.cause.fix.is_empty() {
                    lines.push(format!("fix:          {}", one_line(&only.cause.fix)));
                }
            }
            _ if all.len() > EXPLANATIONS => lines.push(format!(
                "          or  {} more that explain it as well",
                all.len() - EXPLANATIONS
            )),
            _ => {}
        }
        lines
    }
}

/// The explanation that comes nearest where none holds: a hint.
fn nearest(diagnosis: &Diagnosis) -> String {
    let Some(it) = diagnosis.explanations.first() else {
        return "no known cause".to_owned();
    };
    format!(
        "no known cause; nearest is {}: {}   {} of {} elements, {} of {} failing cases",
        one_line(&it.cause.name),
        one_line(&it.cause.sentence),
        it.evidence.elements,
        it.evidence.elements_total,
        it.evidence.cases,
        it.evidence.cases_total
    )
}

fn head(finding: &Finding, palette: Palette) -> String {
    let backend = one_line(finding.backend.as_str());
    let word = finding.outcome.word();
    let used = backend.chars().count() + 2 + finding.case.as_str().chars().count();
    let gap = WIDE.saturating_sub(used + word.len()).max(2);
    let (strong, style) = (palette.strong, palette.of(finding.outcome.tone()));
    format!(
        "{strong}{backend}  {}{strong:#}{:gap$}{style}{word}{style:#}\n",
        finding.case, ""
    )
}
