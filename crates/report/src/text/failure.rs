//! The text of one failure: the request, what differs and where first, the cause, and the line that reruns it.

use seedproof_check::{Finding, Mismatch, Outcome};

use super::difference::difference;
use super::palette::Palette;
use crate::notes::note;
use crate::run::Run;
use crate::untrusted::{last_lines, one_line, paragraph};
use crate::why::{CaseExplanation, Why, equals, none_of, reach};
use crate::words::{count, listed, plural, thousands};

/// The column at which the word of the outcome ends, so that the words of a list of failures stand below each other.
const WIDE: usize = 87;
/// The most lines of standard error. The page has more.
const STDERR_LINES: usize = 12;
/// The most explanations. More rivals mean that the case says little, and the summary counts them.
const EXPLANATIONS: usize = 3;

/// A finding that did not pass, with the facts of its run that its text needs.
#[derive(Clone, Debug)]
pub struct Failure<'a> {
    /// The finding.
    pub finding: &'a Finding,
    /// The request in one line: [`CaseFacts::line`](crate::CaseFacts::line).
    pub request: String,
    /// The reading against which the finding was judged.
    pub reading: &'a str,
    /// The reason in an expectation file, if the failure is expected.
    pub expected: Option<&'a str>,
    /// The result of the diagnosis.
    pub why: Why<'a>,
    /// Number of the implementation's failing cases.
    pub failing: usize,
    /// The command that reruns the case, if it is known.
    pub rerun: Option<String>,
}

/// The text of one finding that did not pass: [`Failure::text`].
pub fn failure(run: &Run, finding: &Finding, palette: Palette) -> String {
    Failure::of(run, finding).text(palette)
}

/// The command that reruns a finding, if the run knows one.
pub(crate) fn rerun(run: &Run, finding: &Finding) -> Option<String> {
    let command = paragraph(&run.implementation(&finding.backend)?.rerun);
    (!command.is_empty()).then(|| format!("{command} {}", finding.case))
}

impl<'a> Failure<'a> {
    /// A failing finding of a run.
    pub fn of(run: &'a Run, finding: &'a Finding) -> Self {
        let backend = &finding.backend;
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
            why: run.why(backend, &finding.case),
            failing: run.tally(backend).failing,
            rerun: rerun(run, finding),
        }
    }

    /// The text, with a line feed after each line.
    ///
    /// The first line has the implementation, the case and the outcome. Below it, indented, follow the
    /// request, the difference, the explanation if a diagnosis has one for this case, standard error, and the
    /// command that reruns the case.
    pub fn text(&self, palette: Palette) -> String {
        let (finding, faint) = (self.finding, palette.faint);
        let mut lines = vec![one_line(&self.request)];
        if let Some(reason) = self.expected {
            lines.push(format!("an expected failure: {}", one_line(reason)));
        }
        if !finding.readings.is_empty() {
            // Before the difference, which it explains in full: the implementation follows another reading.
            let verb = plural(finding.readings.len(), ["does", "do"]);
            let readings = listed(&finding.readings);
            lines.push(format!(
                "not as {} answers, but as {} {verb}",
                one_line(self.reading),
                one_line(&readings)
            ));
        }
        lines.extend(note(finding, self.reading));
        lines.extend(difference(finding, palette));
        lines.extend(self.causes(palette));
        if !finding.stderr.trim().is_empty() {
            lines.push("standard error:".to_owned());
            let stderr = last_lines(&finding.stderr, STDERR_LINES);
            // The bar marks each line as the implementation's own words: none can pass for a line of the report.
            lines.extend(stderr.lines().map(|text| format!("  {faint}| {text}{faint:#}")));
        }
        if let Some(rerun) = &self.rerun {
            lines.push(format!("{faint}rerun:{faint:#} {rerun}"));
        }
        let lines = lines.iter().filter(|line| !line.is_empty());
        head(finding, palette) + &lines.map(|line| format!("  {line}\n")).collect::<String>()
    }

    /// The cause, or the first of several equally good ones, or the nearest candidate.
    fn causes(&self, palette: Palette) -> Vec<String> {
        match &self.why {
            Why::Explained(explanations) => self.explained(explanations, palette),
            Why::Unexplained { .. } if self.finding.outcome != Outcome::Fail => Vec::new(),
            // The candidates that were tried are the same for all cases, so only the summary counts them.
            Why::Unexplained {
                nearest: None,
                diagnosis,
            } => {
                let near = none_of(diagnosis).map_or("", |_| "; none comes near");
                vec![format!("no known cause{near}")]
            }
            Why::Unexplained {
                nearest: Some(near), ..
            } => {
                let (name, sentence) = (one_line(&near.cause.name), one_line(&near.cause.sentence));
                vec![format!(
                    "no known cause; nearest is {name}: {sentence}   {}",
                    reach(near)
                )]
            }
            Why::NotDiagnosed => match self.finding.mismatch {
                Some(Mismatch::Chunks { .. }) => {
                    vec!["not diagnosed: the output is known by its digest alone".to_owned()]
                }
                _ => Vec::new(),
            },
        }
    }

    fn explained(&self, explanations: &[CaseExplanation<'_>], palette: Palette) -> Vec<String> {
        let all = equals(explanations);
        let shown = all.iter().take(EXPLANATIONS).enumerate();
        let mut lines: Vec<String> = shown
            .map(|(i, explained)| {
                let begins = if i == 0 { "explained by" } else { "          or" };
                format!("{begins}  {}", self.line(explained, palette))
            })
            .collect();
        match all[..] {
            // Only for a single cause: a fix for one of several suspects would send the reader the wrong way.
            [only] => {
                let from = departs(only);
                if !from.is_empty() {
                    lines.push(format!("departs from  {from}"));
                }
                let fix = only.fix();
                if !fix.is_empty() {
                    lines.push(format!("fix:          {fix}"));
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

    /// `rounds-9: a block takes 9 rounds   9 of 9 elements, 30 of 31 failing cases, only where output_type is f16`.
    fn line(&self, explained: &CaseExplanation<'_>, palette: Palette) -> String {
        let strong = palette.strong;
        let explanation = explained.explanation;
        let elements = match &self.finding.mismatch {
            Some(Mismatch::Elements(c)) => {
                format!("{} of {}, ", thousands(c.total), count(c.total, "element"))
            }
            _ => String::new(),
        };
        let with = match &explained.idle()[..] {
            [] => String::new(),
            idle => format!("with {} ", listed(idle)),
        };
        let against = explained
            .contradicted()
            .map_or_else(String::new, |it| format!(", {it}"));
        let only = match explanation.only.as_str() {
            "" => String::new(),
            only => format!(", {}", one_line(only)),
        };
        format!(
            "{strong}{}{strong:#}: {}   {elements}{with}{} of {}{only}{against}",
            explained.name(),
            explained.sentence(),
            thousands(explained.cases),
            count(self.failing, "failing case"),
        )
    }
}

/// The clauses and errata from which the acting causes depart, each once.
fn departs(explained: &CaseExplanation<'_>) -> String {
    let mut from: Vec<String> = Vec::new();
    for cause in &explained.acting {
        for (sort, id) in [("", &cause.clause), ("erratum ", &cause.erratum)] {
            let text = format!("{sort}{}", one_line(id));
            if !id.is_empty() && !from.contains(&text) {
                from.push(text);
            }
        }
    }
    from.join(", ")
}

fn head(finding: &Finding, palette: Palette) -> String {
    let backend = one_line(finding.backend.as_str());
    let word = finding.outcome.word();
    let used = backend.chars().count() + 2 + finding.case.as_str().chars().count();
    // Ids may be longer than the column; two spaces always separate the outcome.
    let gap = WIDE.saturating_sub(used + word.len()).max(2);
    let (strong, style) = (palette.strong, palette.of(finding.outcome.tone()));
    format!(
        "{strong}{backend}  {}{strong:#}{:gap$}{style}{word}{style:#}\n",
        finding.case, ""
    )
}
