//! A case and its findings, as the page's script reads them.

use std::collections::HashMap;
use std::rc::Rc;

use seedproof_corpus::Provenance;
use serde::{Serialize, Serializer};

use super::differs::Differs;

/// A case. The keys have one letter, since a page repeats them thousands of times.
#[derive(Serialize)]
pub(super) struct Row {
    #[serde(rename = "i")]
    pub(super) id: String,
    /// Length of the group's part of the id.
    #[serde(rename = "g")]
    pub(super) group_length: usize,
    /// The request in one line.
    #[serde(rename = "l")]
    pub(super) line: String,
    #[serde(rename = "c")]
    pub(super) clauses: Vec<usize>,
    #[serde(rename = "e", skip_serializing_if = "Vec::is_empty")]
    pub(super) errata: Vec<usize>,
    #[serde(rename = "f", skip_serializing_if = "Vec::is_empty")]
    pub(super) flags: Vec<usize>,
    #[serde(rename = "r", skip_serializing_if = "Vec::is_empty")]
    pub(super) readings: Vec<usize>,
    #[serde(rename = "p")]
    pub(super) provenance: usize,
    #[serde(rename = "x")]
    pub(super) expects: usize,
    #[serde(rename = "n", skip_serializing_if = "Option::is_none")]
    pub(super) note: Option<usize>,
    /// Names and values, as indices of texts.
    #[serde(rename = "u")]
    pub(super) inputs: Vec<(usize, usize)>,
    /// A letter for each implementation: `a` for the first outcome, and so on; `-` if there is no finding.
    #[serde(rename = "o")]
    pub(super) outcomes: String,
    /// Findings that did not pass, or that pass with a note.
    #[serde(rename = "d", skip_serializing_if = "Vec::is_empty")]
    pub(super) details: Vec<Detail>,
}

/// A finding that did not pass, or that passes with a note.
#[derive(Serialize)]
pub(super) struct Detail {
    #[serde(rename = "b")]
    pub(super) implementation: usize,
    #[serde(rename = "m", skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<usize>,
    /// The readings under which the answer is right.
    #[serde(rename = "r", skip_serializing_if = "Option::is_none")]
    pub(super) readings: Option<usize>,
    #[serde(rename = "s", skip_serializing_if = "Option::is_none")]
    pub(super) stderr: Option<usize>,
    #[serde(rename = "w", skip_serializing_if = "Option::is_none")]
    pub(super) cause: Option<usize>,
    /// The nearest candidate, and a text that says how far it agrees.
    #[serde(rename = "y", skip_serializing_if = "Option::is_none")]
    pub(super) nearest: Option<(usize, usize)>,
    /// The reason why the failure is expected.
    #[serde(rename = "k", skip_serializing_if = "Option::is_none")]
    pub(super) expected: Option<usize>,
    /// Boxed, because most findings that did not pass have no output to compare, and a list has room for four from its first.
    #[serde(rename = "t", skip_serializing_if = "Option::is_none")]
    pub(super) differs: Option<Box<Differs>>,
    /// The note on a finding that passes.
    #[serde(rename = "a", skip_serializing_if = "Option::is_none")]
    pub(super) note: Option<usize>,
}

/// A list of distinct texts. The list and the index share them, since the messages of a hostile adapter are most of a page.
#[derive(Default)]
pub(super) struct Texts {
    all: Vec<Rc<str>>,
    index: HashMap<Rc<str>, usize>,
}

impl Texts {
    pub(super) fn of(&mut self, text: impl AsRef<str>) -> usize {
        let text = text.as_ref();
        if let Some(at) = self.find(text) {
            return at;
        }
        let at = self.all.len();
        let text: Rc<str> = text.into();
        self.all.push(Rc::clone(&text));
        self.index.insert(text, at);
        at
    }

    pub(super) fn find(&self, text: &str) -> Option<usize> {
        self.index.get(text).copied()
    }
}

impl Serialize for Texts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.all.iter().map(|text| &**text))
    }
}

/// The source of an expectation in words.
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
