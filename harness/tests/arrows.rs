//! The arrows between the crates, as ARCHITECTURE.md draws them. Independence is the product: whoever may not
//! see the oracle must not be able to.

use std::collections::{BTreeMap, BTreeSet};

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand};

/// For each crate, the crates that it may depend on, without the prefix `seedproof-`.
const ARROWS: &[(&str, &[&str])] = &[
    (
        "author",
        &[
            "check",
            "convert",
            "ops",
            "readings",
            "reference",
            "report",
            "seedproof",
            "vectors",
            "wire",
        ],
    ),
    ("check", &["ops", "vectors"]),
    ("convert", &["cpu", "ops", "readings"]),
    ("corpus", &[]),
    ("cpu", &["ops"]),
    ("gpu", &["cpu", "ops"]),
    ("ops", &[]),
    ("readings", &["ops"]),
    ("reference", &["ops"]),
    ("report", &["check", "ops", "vectors"]),
    (
        "seedproof",
        &[
            "check",
            "corpus",
            "ops",
            "readings",
            "reference",
            "report",
            "vectors",
        ],
    ),
    ("vectors", &["ops"]),
    ("wire", &["ops"]),
];

/// The crates at the top, which may depend on all others.
const TOP: &[&str] = &["cli", "harness"];

/// What the oracle may use beside the vocabulary.
const ORACLE_LIBRARIES: &[&str] = &["half", "libm"];

fn metadata() -> Metadata {
    MetadataCommand::new()
        .other_options(vec!["--locked".to_owned()])
        .exec()
        .expect("cargo describes the workspace")
}

fn short(name: &str) -> String {
    name.strip_prefix("seedproof-").unwrap_or(name).to_owned()
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
                .map(|dependency| short(&dependency.name))
                .collect();
            (short(&package.name), names)
        })
        .collect()
}

#[test]
fn arrows_every_crate_has_its_line() {
    let metadata = metadata();
    let members: BTreeSet<String> = dependencies(&metadata).into_keys().collect();
    let known: BTreeSet<String> = ARROWS
        .iter()
        .map(|(name, _)| name)
        .chain(TOP)
        .map(|&name| name.to_owned())
        .collect();
    assert_eq!(members, known, "a new crate needs its arrows written down");
}

#[test]
fn arrows_point_one_way() {
    let dependencies = dependencies(&metadata());
    for (name, allowed) in ARROWS {
        let ours = dependencies[*name]
            .iter()
            .filter(|dependency| dependencies.contains_key(*dependency));
        let forbidden: Vec<_> = ours
            .filter(|dependency| !allowed.contains(&dependency.as_str()))
            .collect();
        assert!(forbidden.is_empty(), "{name} depends on {forbidden:?}");
    }
}

#[test]
fn arrows_the_oracle_uses_two_libraries() {
    let dependencies = dependencies(&metadata());
    let others: Vec<_> = dependencies["reference"]
        .iter()
        .filter(|name| *name != "ops" && !ORACLE_LIBRARIES.contains(&name.as_str()))
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
