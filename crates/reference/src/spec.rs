//! What the documents of each op say, and the errata: questions that a document answers wrongly, twice, or not at
//! all.
//!
//! They are data, a YAML file for each op. A document has `id`, `title` and `url`, and stands in the file of one of the
//! ops that it describes. A clause has `id`, `document`, `section`, `says` and `level` (must, should or informative). An
//! erratum has `id`, `document`, `section`, `question`, `answers` (each with `id` and `says`), `adopted` (the answer that
//! the reading `spec` has), `evidence` and `clauses`.

/// Defines the list of files.
macro_rules! files {
    ($($op:ident, $($module:ident)::+, $stem:literal $(, $stages:ident)?;)*) => {
        /// Name and text of each file, one for each op.
        pub const SPECS: &[(&str, &str)] =
            &[$((concat!($stem, ".yaml"), include_str!(concat!("spec/", $stem, ".yaml")))),*];
    };
}
crate::ops!(files);

#[cfg(test)]
mod tests;
