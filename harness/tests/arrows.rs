//! The arrows between the crates, as ARCHITECTURE.md draws them. Independence is the product: whoever may not
//! see the oracle must not be able to.

use std::collections::{BTreeMap, BTreeSet};

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand};

/// For each crate, what it may depend on.
const ARROWS: &[(&str, &[&str])] = &[
    ("check", &["ops", "vectors"]),
    ("cpu", &["ops"]),
    ("gpu", &["cpu", "ops"]),
    ("ops", &[]),
    ("readings", &["ops"]),
    ("reference", &["ops"]),
    ("report", &["check", "ops", "vectors"]),
    ("vectors", &["ops"]),
    ("wire", &["ops"]),
];

/// The crates at the top, which may depend on all others.
const TOP: &[&str] = &[
    "seedproof",
    "seedproof-author",
    "seedproof-cli",
    "seedproof-embed",
    "seedproof-harness",
];

/// What the oracle may use beside the vocabulary.
const ORACLE_LIBRARIES: &[&str] = &["half", "libm"];

fn metadata() -> Metadata {
    MetadataCommand::new()
        .other_options(vec!["--locked".to_owned()])
        .exec()
        .expect("cargo describes the workspace")
}

/// The normal and build dependencies of each member of the workspace. Tests may look further.
fn dependencies(metadata: &Metadata) -> BTreeMap<String, BTreeSet<String>> {
    metadata
        .workspace_packages()
        .into_iter()
        .map(|package| {
            let names = package
                .dependencies
                .iter()
                .filter(|dependency| dependency.kind != DependencyKind::Development)
                .map(|dependency| dependency.name.clone())
                .collect();
            (package.name.to_string(), names)
        })
        .collect()
}

#[test]
fn arrows_every_crate_has_its_line() {
    let metadata = metadata();
    let members: BTreeSet<String> = dependencies(&metadata).into_keys().collect();
    let known: BTreeSet<String> = ARROWS
        .iter()
        .map(|(name, _)| format!("seedproof-{name}"))
        .chain(TOP.iter().map(|&name| name.to_owned()))
        .collect();
    assert_eq!(members, known, "a new crate needs its arrows written down");
}

#[test]
fn arrows_point_one_way() {
    let dependencies = dependencies(&metadata());
    for (name, allowed) in ARROWS {
        let ours: BTreeSet<&str> = dependencies[&format!("seedproof-{name}")]
            .iter()
            .filter_map(|dependency| {
                dependency
                    .strip_prefix("seedproof-")
                    .or((dependency == "seedproof").then_some(""))
            })
            .collect();
        let allowed: BTreeSet<&str> = allowed.iter().copied().collect();
        let forbidden: Vec<_> = ours.difference(&allowed).collect();
        assert!(forbidden.is_empty(), "{name} depends on {forbidden:?}");
    }
}

#[test]
fn arrows_the_oracle_uses_two_libraries() {
    let dependencies = dependencies(&metadata());
    let others: Vec<_> = dependencies["seedproof-reference"]
        .iter()
        .filter(|name| *name != "seedproof-ops" && !ORACLE_LIBRARIES.contains(&name.as_str()))
        .collect();
    assert!(others.is_empty(), "the oracle depends on {others:?}");
}

#[test]
fn arrows_exactly_one_binary_answers_cargo_run() {
    let metadata = metadata();
    let binaries: Vec<_> = metadata
        .workspace_packages()
        .into_iter()
        .flat_map(|package| package.targets.iter())
        .filter(|target| target.is_bin())
        .map(|target| target.name.clone())
        .collect();
    assert_eq!(binaries, ["seedproof"]);
}
