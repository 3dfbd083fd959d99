//! The registry of documents, clauses and errata.

use std::sync::OnceLock;

use seedproof_corpus::Registry;

/// The documents of the ops, their clauses and their errata.
///
/// ```
/// let registry = seedproof::registry();
/// let clause = registry.clauses().find(|clause| clause.id.as_str() == "ru8.philox.round").expect("a clause");
/// assert_eq!(registry.document(&clause.document).expect("its document").title, "OpenVINO RandomUniform-8");
/// ```
///
/// # Panics
/// Never: a test reads what is built in.
pub fn registry() -> &'static Registry {
    static REGISTRY: OnceLock<Registry> = OnceLock::new();
    REGISTRY.get_or_init(|| {
        Registry::parse(seedproof_reference::spec::SPECS)
            .expect("the tests read the registry that is built in")
    })
}
