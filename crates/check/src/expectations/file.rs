//! Entries from YAML, and YAML from findings.

use std::collections::BTreeMap;

use seedproof_corpus::yaml::scalar;
use serde::Deserialize;
use serde_yaml::Spanned;

use super::{Date, Entry, InvalidDate, Observed, outcome_text, trial};
use crate::model::finding::Finding;
use crate::model::outcome::Outcome;

/// The reason of a new entry until somebody writes a better one.
const NO_REASON: &str = "not looked into yet";

/// A text that is no expectation file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExpectationError {
    /// It is no YAML of the right form.
    #[error("read {file}:{line}:{column} as an expectation file: {message}")]
    Yaml {
        /// The file.
        file: String,
        /// Line, from 1; 0 if unknown.
        line: u64,
        /// Column, from 1; 0 if unknown.
        column: u64,
        /// The expected text.
        message: String,
    },
    /// An entry has a value that none may have.
    #[error("read the expectation at {file}:{line}: {message}")]
    Entry {
        /// The file.
        file: String,
        /// The entry's line, from 1.
        line: usize,
        /// What was expected.
        message: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFile {
    schema: u32,
    expectations: Vec<Spanned<RawEntry>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawEntry {
    r#match: Vec<String>,
    outcome: String,
    diagnosis: Option<String>,
    reason: String,
    issue: Option<String>,
    until: Option<String>,
}

/// The entries of an expectation file, in its order. `file` is for messages.
///
/// # Errors
/// [`ExpectationError`] with the place.
pub fn parse(file: &str, yaml: &str) -> Result<Vec<Entry>, ExpectationError> {
    let raw: RawFile = serde_yaml::from_str(yaml).map_err(|error| ExpectationError::Yaml {
        file: file.to_owned(),
        line: error.location().map_or(0, |at| at.line()),
        column: error.location().map_or(0, |at| at.column()),
        message: error.to_string(),
    })?;
    if raw.schema != 1 {
        return Err(ExpectationError::Entry {
            file: file.to_owned(),
            line: 1,
            message: format!("expected schema 1, not {}", raw.schema),
        });
    }
    raw.expectations
        .into_iter()
        .map(|raw| {
            let line = usize::try_from(raw.referenced.line()).unwrap_or(usize::MAX);
            entry(line, raw.value).map_err(|message| ExpectationError::Entry {
                file: file.to_owned(),
                line,
                message,
            })
        })
        .collect()
}

fn entry(line: usize, raw: RawEntry) -> Result<Entry, String> {
    if raw.r#match.is_empty() {
        return Err("expected at least one pattern in `match`".to_owned());
    }
    if raw.reason.trim().is_empty() {
        return Err("expected a reason".to_owned());
    }
    let (outcome, reading) = outcome(&raw.outcome)?;
    let day = |text: &str| text.parse().map_err(|error: InvalidDate| error.to_string());
    Ok(Entry {
        line,
        matches: raw.r#match,
        outcome,
        reading,
        diagnosis: raw.diagnosis,
        reason: raw.reason,
        issue: raw.issue,
        until: raw.until.as_deref().map(day).transpose()?,
    })
}

/// An outcome that can be expected, and the reading that goes with `other-reading`.
fn outcome(text: &str) -> Result<(Outcome, Option<String>), String> {
    let can_be_expected = |outcome: &Outcome| !matches!(outcome, Outcome::Pass | Outcome::Infrastructure);
    let (word, reading) = match text.split_once(' ') {
        Some((word, reading)) => (word, Some(reading.to_owned())),
        None => (text, None),
    };
    let outcome = Outcome::ALL.into_iter().filter(can_be_expected);
    match outcome.clone().find(|outcome| outcome.word() == word) {
        Some(outcome) if reading.is_some() == (outcome == Outcome::OtherReading) => Ok((outcome, reading)),
        _ => {
            let words = outcome.filter(|outcome| *outcome != Outcome::OtherReading);
            let words = words.map(Outcome::word).collect::<Vec<_>>().join(", ");
            Err(format!(
                "`{text}` cannot be expected: write `other-reading NAME` or one of {words}"
            ))
        }
    }
}

/// The expectation file that these findings would satisfy: an entry for all failures of the same outcome, diagnosis and
/// reason. Reasons, issues and last days of `previous` are kept where its entry had the outcome right.
pub fn bless(
    observed: &[Observed<'_>],
    previous: &[Entry],
    is_about: &dyn Fn(&str, &Finding) -> bool,
) -> String {
    type Why = (String, Option<String>, Option<Date>);
    let mut groups: BTreeMap<(String, Option<String>, Why), Vec<String>> = BTreeMap::new();
    for one in observed {
        let finding = one.finding;
        if finding.outcome.conforms() || finding.outcome == Outcome::Infrastructure {
            continue;
        }
        let why = previous
            .iter()
            .find(|entry| entry.matches.iter().any(|pattern| is_about(pattern, finding)))
            .filter(|entry| entry.has_outcome_of(finding))
            .map_or_else(
                || (NO_REASON.to_owned(), None, None),
                |entry| (entry.reason.clone(), entry.issue.clone(), entry.until),
            );
        let diagnosis = one.diagnosis.map(str::to_owned);
        groups
            .entry((outcome_text(finding.outcome, &finding.readings), diagnosis, why))
            .or_default()
            .push(trial(finding));
    }
    if groups.is_empty() {
        return "schema: 1\nexpectations: []\n".to_owned();
    }
    let mut text = String::from("schema: 1\nexpectations:\n");
    for ((outcome, diagnosis, (reason, issue, until)), mut trials) in groups {
        trials.sort();
        text.push_str("- match:\n");
        for trial in trials {
            text.push_str(&format!("  - {}\n", scalar(&trial)));
        }
        let values = [
            ("outcome", Some(scalar(&outcome))),
            ("diagnosis", diagnosis.as_deref().map(scalar)),
            ("reason", Some(scalar(&reason))),
            ("issue", issue.as_deref().map(scalar)),
            ("until", until.map(|date| date.to_string())),
        ];
        for (name, value) in values {
            text.extend(value.map(|value| format!("  {name}: {value}\n")));
        }
    }
    text
}
