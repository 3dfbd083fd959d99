//! The data that the page's script renders: every case, and every finding that did not pass.
//!
//! Names are short and texts are written once (`texts`, referred to by index), so that thousands of cases stay a page
//! that can be sent by mail. All text is inert and cut before it gets here.

use std::collections::{BTreeMap, HashMap};

use seedproof_check::{Evidence, Finding, Outcome};
use seedproof_ops::BackendId;
use seedproof_vectors::{CaseId, Name, Provenance};
use serde::Serialize;

use super::differs::{Differs, differs};
use super::extras::Extras;
use crate::text::thousands;
use crate::{Cause, Judged, Run, cut, groups, inert};

/// Most characters of a line of others' text.
pub(super) const WIDTH: usize = 300;
/// Most lines of one standard error.
const LINES: usize = 60;
/// Most bytes of standard error in the whole page.
const STDERR_BUDGET: usize = 400_000;

#[derive(Serialize)]
pub(super) struct Data {
    implementations: Vec<Who>,
    outcomes: Vec<Word>,
    causes: Vec<Why>,
    texts: Vec<String>,
    clauses: BTreeMap<String, String>,
    errata: BTreeMap<String, String>,
    cases: Vec<Row>,
}

#[derive(Serialize)]
struct Who {
    id: String,
    rerun: String,
}

#[derive(Serialize)]
struct Word {
    name: &'static str,
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
    fix: String,
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
    /// Why it is an expected failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    k: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    t: Option<Differs>,
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
    counts: [usize; Outcome::ALL.len()],
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
            counts: [0; Outcome::ALL.len()],
            stderr_left: STDERR_BUDGET,
        };
        let cases: Vec<Row> = run.cases().map(|judged| gathering.row(run, judged)).collect();
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
            outcomes: Outcome::ALL
                .into_iter()
                .zip(gathering.counts)
                .map(|(outcome, count)| Word {
                    name: outcome.word(),
                    glyph: outcome.glyph(),
                    tone: outcome.tone().word(),
                    means: outcome.meaning(),
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
    let (fix, clause, erratum, evidence) = match cause {
        Cause::Explained(it) => (
            inert(&it.cause.fix, WIDTH),
            inert(&it.cause.clause, WIDTH),
            inert(&it.cause.erratum, WIDTH),
            evidence(it.evidence, given, failing),
        ),
        _ => Default::default(),
    };
    Why {
        b,
        name: inert(&cause.name(), WIDTH),
        says: inert(&cause.sentence(), WIDTH),
        fix,
        clause,
        erratum,
        rivals: inert(&rivals.join(", "), WIDTH),
        evidence,
    }
}

fn evidence(evidence: Evidence, given: usize, failing: usize) -> String {
    let against = match evidence.contradicted {
        0 => String::new(),
        n => format!("; passing cases that speak against it: {n}"),
    };
    format!(
        "explains {} of {} failing cases; gives {} of their {} elements{against}",
        thousands(given),
        thousands(failing),
        evidence.elements,
        evidence.elements_total
    )
}

fn rank(outcome: Outcome) -> usize {
    Outcome::ALL.iter().position(|it| *it == outcome).unwrap_or(0)
}

impl<'a> Gathering<'a> {
    fn row(&mut self, run: &Run, judged: &'a Judged) -> Row {
        let facts = &judged.facts;
        let mut letters = vec!['-'; self.backends.len()];
        let mut details = Vec::new();
        for (backend, finding) in &judged.findings {
            let (b, rank) = (self.backends[backend], rank(finding.outcome));
            self.counts[rank] += 1;
            letters[b] = ('a'..='m').nth(rank).unwrap_or('-');
            if finding.outcome != Outcome::Pass {
                details.push(self.detail(run, b, finding));
            }
        }
        details.sort_by_key(|detail| detail.b);
        let mut names = |ids: &[Name]| ids.iter().map(|id| self.texts.of(id.as_str())).collect();
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

    fn detail(&mut self, run: &Run, b: usize, finding: &'a Finding) -> Detail {
        let message = inert(&finding.message, WIDTH);
        let readings = inert(&finding.readings.join(", "), WIDTH);
        Detail {
            b,
            m: (!message.is_empty()).then(|| self.texts.of(message)),
            r: (!readings.is_empty()).then(|| self.texts.of(readings)),
            s: self.stderr(&finding.stderr),
            w: self.causes.get(&(b, &finding.case)).copied(),
            k: run
                .expected(finding)
                .map(|reason| self.texts.of(inert(reason, WIDTH))),
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
fn provenance(provenance: &Provenance) -> String {
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
