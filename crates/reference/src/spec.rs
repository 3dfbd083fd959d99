//! The clauses of the documents, and the errata: questions that a document answers wrongly, twice, or not at
//! all.
//!
//! They are data, plain YAML lists. A clause has `id`, `document`, `section`, `says` and
//! `level` (must, should or informative). An erratum has `id`, `document`, `section`, `question`,
//! `answers` (each with `id` and `says`), `adopted` (the answer that the reading `spec` has), `evidence` and
//! `clauses`.

/// Defines the lists of files.
macro_rules! files {
    ($($op:ident, $module:ident, $stem:literal;)*) => {
        /// The clauses: name and text of each file, one for each op.
        pub const CLAUSES: &[(&str, &str)] = &[$(files!($stem, "-clauses.yaml")),*];

        /// The errata: name and text of each file, one for each op.
        pub const ERRATA: &[(&str, &str)] = &[$(files!($stem, "-errata.yaml")),*];
    };
    ($stem:literal, $end:literal) => {
        (concat!($stem, $end), include_str!(concat!("spec/", $stem, $end)))
    };
}
crate::ops!(files);

#[cfg(test)]
mod tests;
