//! Entries from YAML.

use serde::Deserialize;
use serde_yaml::Spanned;

use super::{Entry, InvalidDate};
use crate::model::outcome::Outcome;

/// Text that is not a valid expectation file.
///
/// ```
/// use seedproof_check::expectations::parse;
///
/// let yaml = "schema: 1\nexpectations:\n  - {match: [ru8/*], outcome: crash, reason: ' '}\n";
/// let error = parse("known.yaml", yaml).expect_err("the reason is blank");
/// assert_eq!(error.to_string(), "read the expectation at known.yaml:3: expected a reason");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExpectationError {
    /// The text is not YAML of the expected form.
    #[error("read {file}:{line}:{column} as an expectation file: {message}")]
    Yaml {
        /// The file.
        file: String,
        /// Line, from 1; 0 if unknown.
        line: u64,
        /// Column, from 1; 0 if unknown.
        column: u64,
        /// What was expected.
        message: String,
    },
    /// An entry has an invalid value.
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
    #[serde(default)]
    outputs: Vec<String>,
    reason: String,
    issue: Option<String>,
    until: Option<String>,
}

/// Reads the entries of an expectation file, in their order. `file` is its name in messages.
///
/// ```
/// use seedproof_check::expectations::parse;
///
/// let entry = |outcome| format!("{{match: [ru8/*], outcome: {outcome}, reason: see issue 1}}");
/// let file = |outcome| format!("{{schema: 1, expectations: [{}]}}", entry(outcome));
/// assert_eq!(parse("known.yaml", &file("timeout"))?.len(), 1);
/// assert!(parse("known.yaml", &file("pass")).is_err(), "a pass needs no entry");
/// assert!(parse("known.yaml", &file("other-reading")).is_err(), "the name of the reading is missing");
/// # Ok::<(), seedproof_check::expectations::ExpectationError>(())
/// ```
///
/// # Errors
/// [`ExpectationError`] with the file and the line.
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
    // A sum of the wrong length could never match, and every finding would seem to fail in another way.
    let is_sum =
        |text: &str| text.len() == 32 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    if let Some(other) = raw.outputs.iter().find(|text| !is_sum(text)) {
        return Err(format!(
            "`{other}` is not the sum of an output: expected 32 digits of 0 to 9 and a to f"
        ));
    }
    let day = |text: &str| text.parse().map_err(|error: InvalidDate| error.to_string());
    Ok(Entry {
        line,
        matches: raw.r#match,
        outcome,
        reading,
        diagnosis: raw.diagnosis,
        outputs: raw.outputs,
        reason: raw.reason,
        issue: raw.issue,
        until: raw.until.as_deref().map(day).transpose()?,
    })
}

/// An outcome that can be expected, and the reading that goes with `other-reading`.
fn outcome(text: &str) -> Result<(Outcome, Option<String>), String> {
    // A pass needs no entry, a fault of the harness is not one that its user can accept, and a request that was never asked
    // shows nothing that could be expected.
    let can_be_expected =
        |outcome: &Outcome| !matches!(outcome, Outcome::Pass | Outcome::Infrastructure | Outcome::NotRun);
    let (word, reading) = match text.split_once(' ') {
        Some((word, reading)) => (word, Some(reading.to_owned())),
        None => (text, None),
    };
    let outcomes = Outcome::ALL.into_iter().filter(can_be_expected);
    match outcomes.clone().find(|outcome| outcome.word() == word) {
        Some(outcome) if reading.is_some() == (outcome == Outcome::OtherReading) => Ok((outcome, reading)),
        _ => {
            let words = outcomes.filter(|outcome| *outcome != Outcome::OtherReading);
            let words = words.map(Outcome::word).collect::<Vec<_>>().join(", ");
            Err(format!(
                "`{text}` cannot be expected: write `other-reading NAME` or one of {words}"
            ))
        }
    }
}
