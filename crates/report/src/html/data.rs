//! The data that the page's script renders: every case, and every finding that did not pass.
//!
//! Names are short and texts are written once (`texts`, referred to by index), so that thousands of cases stay a page
//! that can be sent by mail. All text is inert and cut before it gets here.

use std::collections::HashMap;

use seedproof_check::{Comparison, Element, Finding, Mismatch, Outcome, StageVerdict};
use seedproof_ops::{BackendId, Scalar};
use seedproof_vectors::{CaseId, Provenance};
use serde::Serialize;

use super::extras::Extras;
use crate::group::meaning;
use crate::text::{distance, place, thousands, value};
use crate::{Cause, Judged, Run, cut, groups, inert};

/// Most characters of a line of others' text.
const WIDTH: usize = 300;
/// Most lines of one standard error.
const LINES: usize = 60;
/// Most bytes of standard error in the whole page.
const STDERR_BUDGET: usize = 400_000;
/// Most cells of a mismatch strip.
const CELLS: usize = 256;

/// Outcomes in the order in which they are shown, with a glyph and a tone.
pub(super) const OUTCOMES: [(&str, &str, &str); 13] = [
    ("fail", "✗", "bad"),
    ("rejects", "⊘", "bad"),
    ("crash", "†", "bad"),
    ("crash (order dependent)", "‡", "bad"),
    ("timeout", "◷", "bad"),
    ("protocol-error", "§", "bad"),
    ("error", "!", "bad"),
    ("claim-broken", "⚑", "odd"),
    ("reading", "≈", "odd"),
    ("infrastructure", "#", "odd"),
    ("not-run", "○", "dim"),
    ("unsupported", "–", "dim"),
    ("pass", "✓", "good"),
];

#[derive(Serialize)]
pub(super) struct Data {
    implementations: Vec<Who>,
    outcomes: Vec<Word>,
    causes: Vec<Why>,
    texts: Vec<String>,
    clauses: HashMapSorted,
    errata: HashMapSorted,
    cases: Vec<Row>,
}

type HashMapSorted = std::collections::BTreeMap<String, String>;

#[derive(Serialize)]
struct Who {
    id: String,
    rerun: String,
}

#[derive(Serialize)]
struct Word {
    word: &'static str,
    glyph: &'static str,
    tone: &'static str,
    means: &'static str,
    count: usize,
}

/// A group of failures of one implementation.
#[derive(Serialize)]
struct Why {
    /// Implementation.
    b: usize,
    name: String,
    says: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    mend: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    clause: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    erratum: String,
    /// Other names that explain as much.
    #[serde(skip_serializing_if = "String::is_empty")]
    rivals: String,
    /// The evidence in words; empty for what is no explanation.
    #[serde(skip_serializing_if = "String::is_empty")]
    evidence: String,
}

/// A case.
#[derive(Serialize)]
struct Row {
    i: String,
    /// Length of the group's part of the id.
    g: usize,
    /// The request in one line.
    l: String,
    c: Vec<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    e: Vec<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    f: Vec<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    r: Vec<usize>,
    /// Provenance.
    p: usize,
    /// Expectation.
    x: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    n: Option<usize>,
    /// Names and values of inputs.
    u: Vec<(usize, usize)>,
    /// An outcome per implementation, as a letter: `a` is the first of the outcomes; `-` where there is no finding.
    o: String,
    /// Findings that did not pass.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    d: Vec<Detail>,
}

/// A finding that did not pass.
#[derive(Serialize)]
struct Detail {
    b: usize,
    /// Message.
    #[serde(skip_serializing_if = "Option::is_none")]
    m: Option<usize>,
    /// The reading under which it is right.
    #[serde(skip_serializing_if = "Option::is_none")]
    r: Option<usize>,
    /// Standard error.
    #[serde(skip_serializing_if = "Option::is_none")]
    s: Option<usize>,
    /// Cause.
    #[serde(skip_serializing_if = "Option::is_none")]
    w: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    t: Option<Differs>,
}

/// How an output differs.
#[derive(Serialize, Default)]
struct Differs {
    /// The sentence with the counts.
    says: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<First>,
    /// A digit per cell, 0 for none differing and 9 for all.
    #[serde(skip_serializing_if = "String::is_empty")]
    strip: String,
    /// What a cell of the strip is.
    #[serde(skip_serializing_if = "String::is_empty")]
    cell: String,
    /// Words, unit interval, scale: `=` equal, `!` differs; the stages in their letters `w`, `u`, `s` before it.
    #[serde(skip_serializing_if = "String::is_empty")]
    stages: String,
    /// Names and values to set side by side.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pairs: Vec<(&'static str, String)>,
}

/// The first element that differs.
#[derive(Serialize)]
struct First {
    at: String,
    dtype: &'static str,
    expected: (String, String),
    actual: (String, String),
    #[serde(skip_serializing_if = "String::is_empty")]
    far: String,
}

/// Texts, each once.
#[derive(Default)]
struct Texts {
    all: Vec<String>,
    index: HashMap<String, usize>,
}

impl Texts {
    fn of(&mut self, text: impl Into<String>) -> usize {
        let text = text.into();
        if let Some(&at) = self.index.get(&text) {
            return at;
        }
        let at = self.all.len();
        self.all.push(text.clone());
        self.index.insert(text, at);
        at
    }
}

/// What is gathered while the cases go by.
struct Gathering<'a> {
    texts: Texts,
    backends: HashMap<&'a BackendId, usize>,
    /// The cause of each failing finding.
    causes: HashMap<(usize, &'a CaseId), usize>,
    counts: [usize; OUTCOMES.len()],
    stderr_left: usize,
}

impl Data {
    pub(super) fn of(run: &Run, extras: &Extras) -> Self {
        let implementations: Vec<_> = run.implementations().collect();
        let mut causes = Vec::new();
        let mut cause_of = HashMap::new();
        for (b, implementation) in implementations.iter().enumerate() {
            let failing = run.tally(&implementation.id).failing;
            for group in groups(run, &implementation.id) {
                for finding in &group.findings {
                    cause_of.insert((b, &finding.case), causes.len());
                }
                causes.push(why(b, &group.cause, &group.rivals, group.findings.len(), failing));
            }
        }
        let mut gathering = Gathering {
            texts: Texts::default(),
            backends: implementations
                .iter()
                .enumerate()
                .map(|(b, it)| (&it.id, b))
                .collect(),
            causes: cause_of,
            counts: [0; OUTCOMES.len()],
            stderr_left: STDERR_BUDGET,
        };
        let cases: Vec<Row> = run.cases().map(|judged| gathering.row(judged)).collect();
        let used = |id: &str| {
            gathering.texts.index.contains_key(id) || causes.iter().any(|c| c.clause == id || c.erratum == id)
        };
        let clauses = extras.clauses.iter().filter(|clause| used(&clause.id));
        let errata = extras.errata.iter().filter(|erratum| used(&erratum.id));
        Self {
            implementations: implementations
                .iter()
                .map(|it| Who {
                    id: inert(it.id.as_str(), WIDTH),
                    rerun: inert(&it.rerun, 4 * WIDTH),
                })
                .collect(),
            outcomes: OUTCOMES
                .iter()
                .zip(gathering.counts)
                .map(|(&(word, glyph, tone), count)| Word {
                    word,
                    glyph,
                    tone,
                    means: meaning(word),
                    count,
                })
                .collect(),
            clauses: clauses
                .map(|it| (it.id.clone(), inert(&it.says, 4 * WIDTH)))
                .collect(),
            errata: errata
                .map(|it| (it.id.clone(), inert(&it.question, 4 * WIDTH)))
                .collect(),
            causes,
            texts: gathering.texts.all,
            cases,
        }
    }
}

fn why(b: usize, cause: &Cause<'_>, rivals: &[&str], given: usize, failing: usize) -> Why {
    let (mend, clause, erratum, evidence) = match cause {
        Cause::Explained(it) => (
            inert(&it.mend, WIDTH),
            inert(&it.clause, WIDTH),
            inert(&it.erratum, WIDTH),
            format!(
                "explains {} of {} failing cases; gives {} of their {} elements",
                thousands(given),
                thousands(failing),
                it.evidence.elements,
                it.evidence.elements_total
            ),
        ),
        _ => Default::default(),
    };
    Why {
        b,
        name: inert(&cause.name(), WIDTH),
        says: inert(&cause.sentence(), WIDTH),
        mend,
        clause,
        erratum,
        rivals: inert(&rivals.join(", "), WIDTH),
        evidence,
    }
}

fn rank(outcome: &Outcome) -> usize {
    OUTCOMES
        .iter()
        .position(|(word, ..)| *word == outcome.word())
        .unwrap_or(0)
}

impl<'a> Gathering<'a> {
    fn row(&mut self, judged: &'a Judged) -> Row {
        let facts = &judged.facts;
        let mut letters = vec!['-'; self.backends.len()];
        let mut details = Vec::new();
        for (backend, finding) in &judged.findings {
            let (b, rank) = (self.backends[backend], rank(&finding.outcome));
            self.counts[rank] += 1;
            letters[b] = ('a'..='m').nth(rank).unwrap_or('-');
            if finding.outcome != Outcome::Pass {
                details.push(self.detail(b, finding));
            }
        }
        details.sort_by_key(|detail| detail.b);
        let mut names =
            |ids: &[seedproof_vectors::Name]| ids.iter().map(|id| self.texts.of(id.as_str())).collect();
        let (c, e, f, r) = (
            names(&facts.clauses),
            names(&facts.errata),
            names(&facts.flags),
            names(&facts.readings),
        );
        Row {
            i: facts.id.to_string(),
            g: facts.group().len(),
            l: inert(&facts.line(), WIDTH),
            c,
            e,
            f,
            r,
            p: self.texts.of(inert(&provenance(&facts.provenance), WIDTH)),
            x: self.texts.of(inert(&facts.expects, WIDTH)),
            n: facts
                .note
                .as_ref()
                .map(|note| self.texts.of(inert(note, 4 * WIDTH))),
            u: facts
                .inputs
                .iter()
                .map(|input| {
                    let name = self.texts.of(inert(&input.name, WIDTH));
                    (name, self.texts.of(inert(&input.text, 2 * WIDTH)))
                })
                .collect(),
            o: letters.into_iter().collect(),
            d: details,
        }
    }

    fn detail(&mut self, b: usize, finding: &'a Finding) -> Detail {
        let message = inert(&finding.message, WIDTH);
        let reading = match &finding.outcome {
            Outcome::Reading(name) => Some(self.texts.of(inert(name, WIDTH))),
            _ => None,
        };
        Detail {
            b,
            m: (!message.is_empty()).then(|| self.texts.of(message)),
            r: reading,
            s: self.stderr(&finding.stderr),
            w: self.causes.get(&(b, &finding.case)).copied(),
            t: finding.mismatch.as_ref().map(differs),
        }
    }

    /// Standard error as far as the page's budget for it goes: one that tells more than all the cases together
    /// belongs in the event log.
    fn stderr(&mut self, text: &str) -> Option<usize> {
        let shown = cut(text, LINES, WIDTH);
        if shown.is_empty() {
            return None;
        }
        if let Some(&known) = self.texts.index.get(&shown) {
            return Some(known);
        }
        if shown.len() > self.stderr_left {
            return Some(
                self.texts
                    .of("… left out of this page, which has much standard error; the event log has it"),
            );
        }
        self.stderr_left -= shown.len();
        Some(self.texts.of(shown))
    }
}

/// Where an expectation comes from, in words.
pub(super) fn provenance(provenance: &Provenance) -> String {
    match provenance {
        Provenance::SpecExample { document, example } => format!("example {example} of {document}"),
        Provenance::KnownAnswer { source } => format!("known answer: {source}"),
        Provenance::Capture {
            implementation,
            version,
            method,
        } => format!("captured from {implementation} {version}: {method}"),
        Provenance::Derived { reading, revision } => {
            format!("derived by the reading {reading}, revision {revision}")
        }
    }
}

fn differs(mismatch: &Mismatch) -> Differs {
    match mismatch {
        Mismatch::Elements(comparison) => elements(comparison),
        Mismatch::Form { expected, actual } => Differs {
            says: "another element type or shape".to_owned(),
            pairs: vec![
                ("expected", format!("{} {}", expected.0, expected.1)),
                ("actual", format!("{} {}", actual.0, actual.1)),
            ],
            ..Differs::default()
        },
        Mismatch::State { expected, actual } => Differs {
            says: "the output is right, the state after it is not".to_owned(),
            pairs: vec![("expected", list(expected)), ("actual", list(actual))],
            ..Differs::default()
        },
        Mismatch::Chunks {
            differing,
            total,
            first,
        } => Differs {
            says: format!(
                "{} of {} chunks (65,536 elements each) differ",
                thousands(differing.len()),
                thousands(*total)
            ),
            first: first.as_ref().map(First::of),
            strip: chunk_strip(differing, *total),
            cell: cell(*total, (*total).min(CELLS), "chunk"),
            ..Differs::default()
        },
        Mismatch::Statistics(what) => Differs {
            says: inert(what, WIDTH),
            ..Differs::default()
        },
    }
}

fn list(state: &[Scalar]) -> String {
    if state.is_empty() {
        return "none".to_owned();
    }
    let words: Vec<String> = state.iter().take(16).map(|word| word.literal()).collect();
    words.join(" ")
}

fn elements(comparison: &Comparison) -> Differs {
    let far = comparison.max_ulps.map_or_else(String::new, |most| {
        format!(
            "; off by at most {}",
            distance(comparison.first.expected.dtype(), most).replace("off by ", "")
        )
    });
    let cells = comparison.strip.len().min(CELLS);
    let strip = comparison
        .strip
        .iter()
        .take(CELLS)
        .enumerate()
        .map(|(cell, &differing)| {
            level(
                usize::try_from(differing).unwrap_or(usize::MAX),
                share(comparison.total, cells, cell),
            )
        })
        .collect();
    Differs {
        says: format!(
            "{} of {} elements differ{far}",
            thousands(comparison.differing),
            thousands(comparison.total)
        ),
        first: Some(First::of(&comparison.first)),
        strip,
        cell: cell(comparison.total, cells, "element"),
        stages: comparison
            .stages
            .iter()
            .map(|(stage, verdict)| {
                let letter = match stage {
                    seedproof_check::Stage::Words => "w",
                    seedproof_check::Stage::UnitInterval => "u",
                    seedproof_check::Stage::Scale => "s",
                };
                let sign = if *verdict == StageVerdict::Equal { "=" } else { "!" };
                format!("{letter}{sign}")
            })
            .collect(),
        ..Differs::default()
    }
}

/// Elements in one cell of a strip of `cells` nearly equal runs.
fn share(total: usize, cells: usize, cell: usize) -> usize {
    let edge = |cell: usize| total.saturating_mul(cell) / cells.max(1);
    edge(cell + 1) - edge(cell)
}

/// A digit for how many of a run differ: 0 for none, 1 to 8 for some, 9 for all.
fn level(differing: usize, run: usize) -> char {
    let digit = if differing == 0 {
        0
    } else if differing >= run {
        9
    } else {
        1 + differing.saturating_mul(8) / run
    };
    char::from_digit(u32::try_from(digit.min(9)).unwrap_or(9), 10).unwrap_or('9')
}

fn chunk_strip(differing: &[usize], total: usize) -> String {
    let cells = total.min(CELLS);
    let mut counts = vec![0_usize; cells];
    for &chunk in differing.iter().filter(|&&chunk| chunk < total) {
        let (mut cell, edge) = (chunk.saturating_mul(cells) / total, |cell: usize| {
            total.saturating_mul(cell) / cells
        });
        while edge(cell + 1) <= chunk {
            cell += 1;
        }
        counts[cell] += 1;
    }
    counts
        .iter()
        .enumerate()
        .map(|(cell, &count)| level(count, share(total, cells, cell)))
        .collect()
}

fn cell(total: usize, cells: usize, noun: &str) -> String {
    if cells == total {
        format!("one {noun}")
    } else {
        format!("about {} {noun}s", thousands(total.div_ceil(cells.max(1))))
    }
}

impl First {
    fn of(element: &Element) -> Self {
        let both = |scalar: Scalar| {
            let shown = value(scalar);
            let decimal = shown
                .split_once(" (")
                .map_or("", |(_, rest)| rest.trim_end_matches(')'));
            (scalar.literal(), decimal.to_owned())
        };
        let dtype = element.expected.dtype();
        Self {
            at: place(element),
            dtype: dtype.name(),
            expected: both(element.expected),
            actual: both(element.actual),
            far: element
                .ulps
                .map_or_else(String::new, |ulps| distance(dtype, ulps)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strip_levels_tell_none_some_and_all() {
        assert_eq!(
            [level(0, 10), level(1, 10), level(9, 10), level(10, 10)],
            ['0', '1', '8', '9']
        );
        assert_eq!(level(1, 1), '9');
        assert_eq!(level(5, 0), '9');
    }

    #[test]
    fn strip_of_chunks_gathers_what_is_too_many() {
        assert_eq!(chunk_strip(&[1, 3], 4), "0909");
        let strip = chunk_strip(&(512..1024).collect::<Vec<_>>(), 1024);
        assert_eq!(strip, "0".repeat(128) + &"9".repeat(128));
        assert_eq!(chunk_strip(&[7], 3), "000");
        assert_eq!(chunk_strip(&[], 0), "");
    }
}
