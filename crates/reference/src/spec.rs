//! The clauses of the documents, and the errata: questions that a document answers wrongly, twice, or not at all.
//!
//! They are data, plain YAML lists, for whoever parses them. A clause has `id`, `document`, `section`, `says` and
//! `level` (must, should or informative). An erratum has `id`, `document`, `section`, `question`, `answers` (each
//! with `id` and `says`), `adopted` (the answer that the reading `spec` has), `evidence` and `clauses`.

/// The name and text of each file of a folder.
macro_rules! files {
    ($folder:literal: $($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!($folder, $name)))),*]
    };
}

/// The clauses: name and text of each file, one for each op.
pub const CLAUSES: &[(&str, &str)] = files!["spec/":
    "dml-random-generator-clauses.yaml",
    "multinomial-13-clauses.yaml",
    "random-uniform-8-clauses.yaml",
];

/// The errata: name and text of each file, one for each op.
pub const ERRATA: &[(&str, &str)] = files!["spec/":
    "dml-random-generator-errata.yaml",
    "multinomial-13-errata.yaml",
    "random-uniform-8-errata.yaml",
];

/// This crate's sources that cite clauses, in the documentation of the function that each clause is: name and text
/// of each file.
pub const SOURCES: &[(&str, &str)] = files!["":
    "convert/bf16.rs",
    "convert/f16.rs",
    "convert/f32.rs",
    "convert/f64.rs",
    "convert/i32.rs",
    "convert/i64.rs",
    "dml_random_generator.rs",
    "fill.rs",
    "mt19937.rs",
    "multinomial.rs",
    "multinomial/cdf.rs",
    "multinomial/check.rs",
    "philox.rs",
    "random_uniform.rs",
    "random_uniform/bounds.rs",
    "random_uniform/seeds.rs",
];

#[cfg(test)]
mod tests;
