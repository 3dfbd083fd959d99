//! The registry of clauses and errata.

use std::sync::OnceLock;

use seedproof_vectors::Registry;

/// The clauses and errata of the specifications.
///
/// ```
/// let mut clauses = seedproof::registry().clauses();
/// assert!(clauses.any(|clause| clause.id.as_str() == "ru8.philox.round"));
/// ```
///
/// # Panics
/// Never: a test reads what is built in.
pub fn registry() -> &'static Registry {
    static REGISTRY: OnceLock<Registry> = OnceLock::new();
    REGISTRY.get_or_init(|| {
        Registry::parse(
            seedproof_reference::spec::CLAUSES,
            seedproof_reference::spec::ERRATA,
        )
        .expect("the tests read the registry that is built in")
    })
}
