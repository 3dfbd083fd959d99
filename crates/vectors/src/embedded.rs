//! The repository's own corpus, in the program.

/// The repository's vector files, name and text, sorted by name: `vectors/**/*.yaml` and `retired.txt`.
///
/// They are fixed when this crate is built, so that one binary works anywhere.
pub fn embedded() -> Vec<(&'static str, &'static str)> {
    const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/embedded.rs"));
    FILES.to_vec()
}
