//! What Seedproof's own tests need and users do not: backends that are wrong, each in one known way.
#![forbid(unsafe_code)]

pub mod saboteur;
