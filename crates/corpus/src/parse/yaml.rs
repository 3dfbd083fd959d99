//! The YAML parser as this project uses it: no anchors, no merging of mappings, bounded by the text's own size.
//!
//! The crate behind the name `serde_yaml` is serde-saphyr, whose documentation has what is called here. The crate
//! that had the name first is archived.

use serde_yaml::budget::BudgetBreach;
use serde_yaml::{
    DefaultMessageFormatter, DuplicateKeyPolicy, Error, MergeKeyPolicy, MessageFormatter, Options,
};

use super::raw::{At, Value, position};
use crate::error::Position;
use crate::{VectorError, VectorErrors};

/// The deepest nesting of lists and mappings. The format needs seven levels.
const DEPTH: usize = 16;

/// The value that a YAML text is.
pub(crate) fn from_yaml(file: &str, yaml: &str) -> Result<At<Value>, VectorErrors> {
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
        Error::DuplicateMappingKey { key: Some(key), .. } => {
            format!("read the key `{key}` a second time: expected it once")
        }
        Error::Budget { breach, .. } => format!("read the YAML: {}", breached(breach)),
        other => {
            let text = DefaultMessageFormatter.format_message(other);
            // The parser's own limit for lists within lists, which it meets before the budget counts them.
            if text == "recursion limit exceeded" {
                format!("read the YAML: {}", too_deep())
            } else {
                format!("read the YAML: {text}")
            }
        }
    }
}

/// The limit that a text exceeds, in words.
fn breached(breach: &BudgetBreach) -> String {
    match breach {
        BudgetBreach::Anchors { .. } | BudgetBreach::Aliases { .. } => {
            "it has an anchor or an alias, expected each value written out".to_owned()
        }
        BudgetBreach::Depth { .. } => too_deep(),
        BudgetBreach::Documents { .. } => "a second document begins, expected one in a file".to_owned(),
        other => format!("it has too much of something ({other:?}), expected a plain file of cases"),
    }
}

fn too_deep() -> String {
    format!("it is nested too deeply, expected at most {DEPTH} levels")
}
