//! What the page tells beside the run, where the caller has it: plain texts, so that this crate depends neither on
//! the registries' files nor on the readings.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::ReportError;

/// Registries and measurements for the page. Each list may be empty; its section is then left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extras {
    /// The clauses of the specifications.
    pub clauses: Vec<ClauseText>,
    /// The errata.
    pub errata: Vec<ErratumText>,
    /// The groups of cases of the corpus, `ru8/tensorflow/f32` and such, with their numbers of cases.
    pub groups: BTreeMap<String, usize>,
    /// The mistakes, with the groups of cases that catch them.
    pub mistakes: Vec<MistakeText>,
    /// Figures of a benchmark.
    pub bench: Vec<BenchFigure>,
}

/// A clause in the project's words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClauseText {
    /// Its id.
    pub id: String,
    /// The document and the section that it is from.
    pub source: String,
    /// What it says.
    pub says: String,
    /// How binding it is: `must`, `should`, `informative`.
    pub level: String,
}

/// A question that a specification answers wrongly, twice or not at all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ErratumText {
    /// Its id.
    pub id: String,
    /// The document and the section that it is about.
    pub source: String,
    /// The question.
    pub question: String,
    /// The possible answers.
    pub answers: Vec<AnswerText>,
    /// The readings that follow another answer than the adopted one, of which it is not known which.
    pub others: Vec<String>,
    /// The id of the adopted answer.
    pub adopted: String,
    /// Why that one.
    pub evidence: Vec<String>,
}

/// A possible answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnswerText {
    /// Its id within the erratum.
    pub id: String,
    /// What it says.
    pub says: String,
    /// The readings that follow it.
    pub followers: Vec<String>,
}

/// A classic mistake and what catches it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MistakeText {
    /// Its id.
    pub id: String,
    /// What it does.
    pub sentence: String,
    /// The clause that it breaks; empty if there is no one clause.
    pub clause: String,
    /// By group of cases, how many catch it.
    pub kills: BTreeMap<String, usize>,
    /// Why no case can catch it; empty where one can.
    pub proof: String,
}

impl MistakeText {
    /// Number of cases that catch it.
    pub fn killed(&self) -> usize {
        self.kills.values().sum()
    }
}

/// A figure of a benchmark.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BenchFigure {
    /// What was measured.
    pub what: String,
    /// On what.
    pub implementation: String,
    /// The figure with its unit.
    pub figure: String,
    /// How it was measured.
    pub note: String,
}

impl BenchFigure {
    /// A figure from its JSON: `{"what": …, "implementation": …, "figure": …, "note": …}`, all of them texts.
    ///
    /// # Errors
    /// [`ReportError::Syntax`] if it is none.
    pub fn parse(json: &str) -> Result<Self, ReportError> {
        serde_json::from_str(json).map_err(|error| ReportError::Syntax(error.to_string()))
    }
}
