//! The tools of the corpus's authors: derived expectations, canonical YAML, lint, statistics and coverage; and the generated
//! files and goldens, with their digest.
//!
//! Functions take texts and return texts; the program reads and writes the files.
#![forbid(unsafe_code)]

mod by_chance;
mod catalogue;
mod command;
mod conversions;
mod cover;
mod draft;
mod emit;
mod generated;
mod goldens;
mod issues;
mod lint;
mod mutants;
mod paste;
mod protocol;
mod python;
mod regenerate;
mod sample;
mod schema;
mod scores;
mod stats;

pub use by_chance::{by_chance, case_by_chance};
pub use catalogue::References;
pub use command::command_line;
pub use conversions::conversions;
pub use cover::{ClauseCover, Cover, ErratumCover, ORACLE, cover};
pub use draft::draft;
pub use emit::emit;
pub use generated::{GUIDE, errata_markdown, generated};
pub use goldens::{change, digest, goldens, missing_line, summary, table};
pub use lint::lint;
pub use mutants::Matrix;
pub use paste::pasted;
pub use protocol::{export_schemas, input_types, values};
pub use regenerate::{MOST_BITS, SPEC_REVISION, regenerate};
pub use sample::{SAMPLE, Sample, sample_page};
pub use schema::schema;
pub use scores::{outcomes, readings_table, rows};
pub use stats::stats;
