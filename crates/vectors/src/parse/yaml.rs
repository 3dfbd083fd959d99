//! The YAML parser as this project uses it: no anchors, no merging of mappings, bounded by the text's own size.

use serde::de::DeserializeOwned;
use serde_yaml::{DuplicateKeyPolicy, Error, MergeKeyPolicy, Options};

use super::raw::position;
use crate::error::Position;
use crate::{VectorError, VectorErrors};

/// The deepest nesting of lists and mappings. The format needs seven.
const DEPTH: usize = 16;

/// A value from YAML text.
pub(crate) fn from_yaml<T: DeserializeOwned>(file: &str, yaml: &str) -> Result<T, VectorErrors> {
    serde_yaml::from_str_with_options(yaml, options(yaml.len())).map_err(|error| {
        let at = error.location().map_or(Position::START, position);
        VectorErrors(vec![VectorError {
            location: at.in_file(file),
            message: message(&error),
        }])
    })
}

fn options(length: usize) -> Options {
    // Every event and every node takes at least one byte, but for the start and the end of the text and of
    // empty values.
    let events = length.saturating_mul(2).saturating_add(16);
    serde_yaml::options! {
        budget: serde_yaml::budget! {
            max_events: events,
            max_nodes: events,
            max_total_scalar_bytes: events,
            max_depth: DEPTH,
            flow_nesting_limit: DEPTH,
            max_documents: 1,
            max_aliases: 0,
            max_anchors: 0,
            max_merge_keys: 0,
        },
        duplicate_keys: DuplicateKeyPolicy::Error,
        merge_keys: MergeKeyPolicy::Error,
        strict_booleans: true,
        with_snippet: false,
        reject_unsupported_tags: true,
    }
}

/// A parser's error in the words of the others.
fn message(error: &Error) -> String {
    match error.without_snippet() {
        Error::SerdeUnknownField { field, expected, .. } => {
            format!("read the key `{field}`: expected one of {}", expected.join(", "))
        }
        Error::SerdeInvalidType {
            unexpected, expected, ..
        }
        | Error::SerdeInvalidValue {
            unexpected, expected, ..
        } => format!("read {unexpected}: expected {expected}"),
        Error::DuplicateMappingKey { key: Some(key), .. } => {
            format!("read the key `{key}` a second time: expected it once")
        }
        Error::Budget { breach, .. } => {
            format!("read the YAML: {breach:?}, expected no anchors and at most {DEPTH} levels")
        }
        other => {
            let text = other.to_string();
            format!("read the YAML: {text}")
        }
    }
}
