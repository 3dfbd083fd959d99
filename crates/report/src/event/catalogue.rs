//! The clauses, errata and mistakes to which a run refers. The log contains them, so that a page that is made from it
//! later shows the same texts, whatever version of the program makes it.

use seedproof_corpus::Name;
use serde::{Deserialize, Serialize};

/// A clause: one idea of a specification in the project's words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Clause {
    /// Its id: `ru8.philox.round`.
    pub id: Name,
    /// The document and the section of the idea.
    pub source: String,
    /// The address of the document; empty if it is not on the web.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub url: String,
    /// The idea in a sentence or two.
    pub says: String,
}

/// An erratum: a question that a specification answers wrongly, twice or not at all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Erratum {
    /// Its id: `ru8.range.fused`.
    pub id: Name,
    /// The document and the section that it concerns.
    pub source: String,
    /// The address of the document; empty if it is not on the web.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub url: String,
    /// The question.
    pub question: String,
    /// The possible answers.
    pub answers: Vec<Answer>,
    /// The readings that follow an unknown answer other than the adopted one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<String>,
    /// The id of the adopted answer.
    pub adopted: Name,
    /// The reasons for the adopted answer.
    pub evidence: Vec<String>,
}

/// A possible answer to an erratum.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// Its id within the erratum.
    pub id: Name,
    /// The answer in a sentence.
    pub says: String,
    /// The readings that follow it, as the cases of the corpus show.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub followers: Vec<String>,
}

/// A classic mistake.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Mistake {
    /// Its id: `fused-scale`.
    pub id: Name,
    /// A sentence about what an implementation with this mistake does.
    pub sentence: String,
    /// The id of the clause that it breaks; empty if there is no one clause.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub clause: String,
}
