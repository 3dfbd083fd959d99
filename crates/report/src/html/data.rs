//! The data that the page's script renders: every case, and every finding that did not pass or that has a note.
//!
//! Field names are short, and each text is written once (in `texts`, referred to by its index), so that a page of
//! thousands of cases can still be sent by mail.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

use seedproof_check::{Finding, Mismatch, Outcome};
use seedproof_corpus::{CaseId, Name};
use seedproof_ops::BackendId;
use serde::ser::SerializeStruct as _;
use serde::{Serialize, Serializer};

use super::cause::Causes;
use super::differs::differs;
use super::row::{Detail, Row, Texts, provenance};
use super::table::rows_each;
use crate::group::groups;
use crate::run::{Judged, Run};
use crate::untrusted::{last_lines, one_line, paragraph, web};
use crate::verdict::class;
use crate::why::Why;

/// The most lines of standard error for one finding.
const LINES: usize = 60;
/// The most bytes of standard error in the whole page. A finding keeps up to 2 KiB of it, so a thousand failures with
/// different texts would add 2 MB.
const STDERR_BUDGET: usize = 400_000;

/// The data of a run. Each case becomes its row as it is serialized, and what all rows share comes after them: the rows of
/// a hostile adapter would take a fifth of the memory of its run.
pub(super) struct Data<'a> {
    run: &'a Run,
    gathering: RefCell<Gathering<'a>>,
}

/// A clause or an erratum, as the page of a case shows it.
#[derive(Serialize)]
struct Named {
    says: String,
    source: String,
    #[serde(skip_serializing_if = "str::is_empty")]
    url: String,
}

#[derive(Serialize)]
struct Implementation {
    id: String,
    rerun: String,
}

/// An outcome, as the legend and the matrix show it.
#[derive(Serialize)]
struct Word {
    name: &'static str,
    glyph: &'static str,
    tone: &'static str,
    means: &'static str,
    conforms: bool,
    count: usize,
}

/// The state of one pass over the cases.
struct Gathering<'a> {
    texts: Texts,
    implementations: HashMap<&'a BackendId, usize>,
    causes: Causes,
    /// The cause of each failing finding.
    cause_of: HashMap<(usize, &'a CaseId), usize>,
    counts: [usize; Outcome::ALL.len()],
    /// The most rows of one table of elements.
    rows: usize,
    stderr_left: usize,
}

impl<'a> Data<'a> {
    pub(super) fn of(run: &'a Run) -> Self {
        let implementations: Vec<_> = run.implementations().collect();
        let mut causes = Causes::default();
        let mut cause_of = HashMap::new();
        for (index, implementation) in implementations.iter().enumerate() {
            let failing = run.tally(&implementation.id).failing;
            for group in groups(run, &implementation.id) {
                for finding in &group.findings {
                    let why = run.why(&implementation.id, &finding.case);
                    cause_of.insert((index, &finding.case), causes.of(index, &group, &why, failing));
                }
            }
        }
        let indices = implementations.iter().enumerate();
        // The tables of a page share its rows, so they are counted before one is made.
        let findings = run.cases().flat_map(Judged::findings);
        let tables = findings.filter(|finding| matches!(finding.mismatch, Some(Mismatch::Elements(_))));
        let gathering = Gathering {
            texts: Texts::default(),
            implementations: indices.map(|(index, it)| (&it.id, index)).collect(),
            causes,
            cause_of,
            counts: [0; Outcome::ALL.len()],
            rows: rows_each(tables.count()),
            stderr_left: STDERR_BUDGET,
        };
        let gathering = RefCell::new(gathering);
        Self { run, gathering }
    }
}

impl Serialize for Data<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let run = self.run;
        let named = |says: &str, source: &str, url: &str| Named {
            says: paragraph(says),
            source: one_line(source),
            url: web(url).to_owned(),
        };
        let clauses = run.clauses();
        let clauses = clauses.map(|it| (it.id.to_string(), named(&it.says, &it.source, &it.url)));
        let errata = run.errata();
        let errata = errata.map(|it| (it.id.to_string(), named(&it.question, &it.source, &it.url)));
        let implementations = run.implementations().map(|it| Implementation {
            id: one_line(it.id.as_str()),
            rerun: paragraph(&it.rerun),
        });
        let mut data = serializer.serialize_struct("Data", 8)?;
        data.serialize_field("implementations", &implementations.collect::<Vec<_>>())?;
        data.serialize_field("clauses", &clauses.collect::<BTreeMap<_, _>>())?;
        data.serialize_field("errata", &errata.collect::<BTreeMap<_, _>>())?;
        // Before all that is gathered while the rows are made: counts, causes and texts.
        data.serialize_field("cases", &Rows(self))?;
        let gathered = self.gathering.borrow();
        let outcomes = Outcome::ALL.into_iter().zip(gathered.counts);
        let outcomes = outcomes.map(|(outcome, count)| Word {
            name: outcome.word(),
            glyph: outcome.glyph(),
            tone: class(outcome.tone()),
            means: outcome.meaning(),
            conforms: outcome.conforms(),
            count,
        });
        data.serialize_field("outcomes", &outcomes.collect::<Vec<_>>())?;
        data.serialize_field("causes", &gathered.causes.all)?;
        data.serialize_field("acting", &gathered.causes.acting)?;
        data.serialize_field("texts", &gathered.texts)?;
        data.end()
    }
}

/// The cases of a page, each made into its row when it is written.
struct Rows<'r, 'a>(&'r Data<'a>);

impl Serialize for Rows<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Data { run, gathering } = self.0;
        let mut gathering = gathering.borrow_mut();
        serializer.collect_seq(run.cases().map(|judged| gathering.row(run, judged)))
    }
}

impl<'a> Gathering<'a> {
    fn row(&mut self, run: &Run, judged: &'a Judged) -> Row {
        let facts = &judged.facts;
        // One character per finding: passing findings have no other data, and they are nearly all of a page.
        let mut letters = vec!['-'; self.implementations.len()];
        let mut details = Vec::new();
        for finding in judged.findings() {
            let backend = &finding.backend;
            let index = self.implementations[backend];
            for ((letter, outcome), count) in ('a'..).zip(Outcome::ALL).zip(&mut self.counts) {
                if finding.outcome == outcome {
                    letters[index] = letter;
                    *count += 1;
                }
            }
            if finding.outcome != Outcome::Pass || finding.nans.is_some() {
                details.push(self.detail(run, index, finding, facts.shape.as_deref()));
            }
        }
        // Findings are sorted by name, implementations by their order in the logs, which the page follows.
        details.sort_by_key(|detail| detail.implementation);
        let mut text = |text: &str| self.texts.of(text);
        let mut names = |ids: &[Name]| ids.iter().map(|id| text(id.as_str())).collect();
        Row {
            id: facts.id.to_string(),
            group_length: facts.group().len(),
            line: one_line(&facts.line()),
            clauses: names(&facts.clauses),
            errata: names(&facts.errata),
            flags: names(&facts.flags),
            readings: names(&facts.readings),
            provenance: text(&one_line(&provenance(&facts.provenance))),
            expects: text(&one_line(&facts.expects.text)),
            note: facts.note.as_ref().map(|note| text(&paragraph(note))),
            inputs: facts
                .inputs
                .iter()
                .map(|input| (text(&one_line(&input.name)), text(&paragraph(&input.text))))
                .collect(),
            outcomes: letters.into_iter().collect(),
            details,
        }
    }

    fn detail(
        &mut self,
        run: &Run,
        implementation: usize,
        finding: &'a Finding,
        shape: Option<&[u64]>,
    ) -> Detail {
        let nearest = match run.why(&finding.backend, &finding.case) {
            Why::Unexplained { nearest, .. } => nearest.map(|it| self.causes.nearest(it)),
            _ => None,
        };
        let nearest = nearest.map(|(cause, reach)| (cause, self.texts.of(reach)));
        let mut text = |text: &str| (!text.is_empty()).then(|| self.texts.of(one_line(text)));
        Detail {
            implementation,
            message: text(&finding.message),
            readings: text(&finding.readings.join(", ")),
            expected: run.expected(finding).and_then(text),
            stderr: self.stderr(&finding.stderr),
            cause: self.cause_of.get(&(implementation, &finding.case)).copied(),
            nearest,
            differs: finding
                .mismatch
                .as_ref()
                .map(|it| Box::new(differs(it, shape, self.rows))),
            note: run.note(finding).map(|note| self.texts.of(note)),
        }
    }

    /// The end of a standard error while the page's budget lasts. The event log has more of it.
    fn stderr(&mut self, text: &str) -> Option<usize> {
        let shown = last_lines(text, LINES);
        if shown.is_empty() {
            return None;
        }
        // The same text again costs nothing: most failures of one fault print the same.
        if let Some(known) = self.texts.find(&shown) {
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
