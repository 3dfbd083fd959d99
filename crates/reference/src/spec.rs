//! The clauses of the documents, and the errata: questions that a document answers wrongly, twice, or not at
//! all.
//!
//! They are data, plain YAML lists, A clause has `id`, `document`, `section`, `says`
//! and `level` (must, should or informative). An erratum has `id`, `document`, `section`, `question`,
//! `answers` (each with `id` and `says`), `adopted` (the answer that the reading `spec` has), `evidence` and
//! `clauses`.

/// The name and text of each file.
macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("spec/", $name)))),*]
    };
}

/// The clauses: name and text of each file, one for each op.
pub const CLAUSES: &[(&str, &str)] = files![
    "dml-random-generator-clauses.yaml",
    "multinomial-13-clauses.yaml",
    "random-uniform-8-clauses.yaml",
];

/// The errata: name and text of each file, one for each op.
pub const ERRATA: &[(&str, &str)] = files![
    "dml-random-generator-errata.yaml",
    "multinomial-13-errata.yaml",
    "random-uniform-8-errata.yaml",
];

#[cfg(test)]
mod tests;
