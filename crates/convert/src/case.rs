//! The corpus of conversions: models, the results of converting and running them, and the verdicts.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, de::Error};

use crate::drawn::Drawn;
use crate::node::Seen;
use crate::rules::At;
use crate::source::{Path, Source};
use crate::verdict::{Stage, Verdict};

/// The version of the form of these files.
pub(crate) const SCHEMA: u32 = 2;

/// A file of the corpus.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct File {
    /// The version of the form of these files.
    #[serde(deserialize_with = "of_today")]
    pub schema: u32,
    /// How the outputs were obtained.
    pub provenance: Provenance,
    /// The models.
    pub models: Vec<Capture>,
}

/// How the outputs of a file were obtained.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Provenance {
    /// Whether packages were run.
    pub kind: Kind,
    /// The command that writes the file.
    pub method: String,
    /// The versions of the packages that were run; empty if the file is derived.
    #[serde(default)]
    pub packages: BTreeMap<String, String>,
    /// The instruction sets of the processor that affect bits.
    pub processor: Vec<String>,
}

/// The origin of the outputs in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Kind {
    /// Packages were run.
    Capture,
    /// The outputs follow from the readings.
    Derived,
}

/// One model on one path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Capture {
    /// Its unique name.
    pub id: String,
    /// The random op.
    pub source: Source,
    /// The path on which it is converted.
    pub path: Path,
    /// The random nodes of the converted graph and the nodes after them.
    #[serde(default)]
    pub graph: Vec<Seen>,
    /// The refusal, if there is nothing to compare.
    pub refused: Option<Refused>,
    /// The outputs of the source, one for each execution.
    #[serde(default)]
    pub source_draws: Vec<Drawn>,
    /// The first execution of another, fresh source.
    pub restarted: Option<Again>,
    /// The outputs of the converted model, one for each inference.
    #[serde(default)]
    pub target_draws: Vec<Drawn>,
    /// The first inference after another compilation of the same converted model.
    pub recompiled: Option<Again>,
    /// The first inference after another conversion.
    pub reconverted: Option<Again>,
    /// The errata of `reports/conversion.md` that it shows. `seedproof gen` writes them.
    #[serde(default)]
    pub errata: Vec<String>,
    /// The verdict on each inference that follows from the readings. `seedproof gen` writes them.
    #[serde(default)]
    pub verdicts: Vec<Judged>,
}

/// An observed refusal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Refused {
    /// The step that failed.
    pub at: At,
    /// The line of the message that has the reason.
    pub message: String,
}

/// The result of a repetition.
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
    /// The stages at which bits were lost.
    #[serde(default)]
    pub stages: Vec<Stage>,
}

/// Reads the version of a file, which must be [`SCHEMA`].
fn of_today<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    match u32::deserialize(deserializer)? {
        SCHEMA => Ok(SCHEMA),
        version => Err(D::Error::custom(format!(
            "schema {version} is unknown: expected {SCHEMA}"
        ))),
    }
}

/// Reads a file.
///
/// # Errors
/// If the YAML is not a file of the corpus, with line and column.
pub fn read(yaml: &str) -> Result<File, String> {
    serde_yaml::from_str(yaml).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::{File, read};

    #[test]
    fn another_version_of_the_form_is_refused() {
        let text = |version: u32| {
            format!(
                "schema: {version}\nprovenance: {{kind: derived, method: a, processor: []}}\nmodels: []\n"
            )
        };
        assert_eq!(read(&text(2)).expect("it is today's").models.len(), 0);
        let error = read(&text(3)).expect_err("it is not known");
        assert!(error.contains("schema 3 is unknown: expected 2"), "{error}");
    }

    /// `SEEDPROOF_BLESS=1 cargo test -p seedproof-convert` writes it.
    #[test]
    fn schema_that_is_published_is_that_of_the_types() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/conversion.schema.json");
        let schema = serde_json::to_string_pretty(&schemars::schema_for!(File)).expect("a schema is JSON");
        if std::env::var("SEEDPROOF_BLESS").is_ok_and(|value| !matches!(value.as_str(), "" | "0")) {
            std::fs::write(path, format!("{schema}\n")).expect("the schema can be written");
        }
        let published = std::fs::read_to_string(path).expect("the schema is published");
        assert_eq!(published.trim_end(), schema);
    }
}
