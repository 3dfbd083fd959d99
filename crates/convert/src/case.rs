//! The corpus of conversions: models, what the packages did with them, and the verdicts.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::drawn::Drawn;
use crate::node::Seen;
use crate::rules::At;
use crate::source::{Path, Source};
use crate::verdict::{Stage, Verdict};

/// A file of the corpus.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct File {
    /// The versions of the packages that were run; empty of a file that is derived.
    #[serde(default)]
    pub packages: BTreeMap<String, String>,
    /// The processor's sets of instructions that decide on bits.
    #[serde(default)]
    pub processor: Vec<String>,
    /// The models.
    pub models: Vec<Capture>,
}

/// One model on one path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Capture {
    /// Its name, which is unique.
    pub id: String,
    /// What it asks of its framework.
    pub source: Source,
    /// How it is converted.
    pub path: Path,
    /// The random nodes of the converted graph and what follows them.
    #[serde(default)]
    pub graph: Vec<Seen>,
    /// Why there is nothing to compare.
    pub refused: Option<Refused>,
    /// What the source drew, execution after execution.
    #[serde(default)]
    pub source_draws: Vec<Drawn>,
    /// The first execution of another, fresh source.
    pub restarted: Option<Again>,
    /// What the converted model drew, inference after inference.
    #[serde(default)]
    pub target_draws: Vec<Drawn>,
    /// The first inference after another compilation of the same converted model.
    pub recompiled: Option<Again>,
    /// The first inference after another conversion.
    pub reconverted: Option<Again>,
    /// What the readings say of each inference. `seedproof gen` writes it.
    #[serde(default)]
    pub verdicts: Vec<Judged>,
}

/// A refusal as it was seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Refused {
    /// When.
    pub at: At,
    /// The telling line of its message.
    pub message: String,
}

/// Whether a second time gave the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Again {
    /// The same bits.
    Same,
    /// Other bits.
    Other,
}

/// The verdict on one inference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Judged {
    /// The verdict.
    pub verdict: Verdict,
    /// Where the bits were lost.
    #[serde(default)]
    pub stages: Vec<Stage>,
}

/// Reads a file.
///
/// # Errors
/// What is wrong, with line and column.
pub fn read(yaml: &str) -> Result<File, String> {
    serde_yaml::from_str(yaml).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::File;

    /// `SEEDPROOF_BLESS=1 cargo test -p seedproof-convert` writes it.
    #[test]
    fn schema_that_is_published_is_that_of_the_types() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/conversion.schema.json");
        let schema = serde_json::to_string_pretty(&schemars::schema_for!(File)).expect("a schema is JSON");
        if std::env::var_os("SEEDPROOF_BLESS").is_some() {
            std::fs::write(path, format!("{schema}\n")).expect("the schema can be written");
        }
        let published = std::fs::read_to_string(path).expect("the schema is published");
        assert_eq!(published.trim_end(), schema);
    }
}
