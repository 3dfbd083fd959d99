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
            "corpus",
            "ops",
            "readings",
            "reference",
            "report",
            "seedproof",
            "wire",
        ],
    ),
    ("check", &["corpus", "ops"]),
    ("convert", &["ops", "read", "readings"]),
    ("corpus", &["ops"]),
    ("cpu", &["ops", "transcend"]),
    ("gpu", &["cpu", "ops"]),
    ("ops", &[]),
    ("read", &["ops"]),
    ("readings", &["ops", "transcend"]),
    ("reference", &["ops", "transcend"]),
    ("report", &["check", "corpus", "ops"]),
    (
        "seedproof",
        &[
            "check",
            "corpus",
            "cpu",
            "ops",
            "readings",
            "reference",
            "report",
            "transcend",
            "vectors",
        ],
    ),
    ("transcend", &[]),
    ("vectors", &[]),
    ("wire", &["ops"]),
];

/// The crates that a crate's tests may see as well. Nobody's tests see the oracle but those of the crates above it: what
/// is written from the oracle's answers is not written apart.
const ARROWS_OF_TESTS: &[(&str, &[&str])] =
    &[("author", &["vectors"]), ("reference", &["corpus", "vectors"])];

/// The crates at the top, which may depend on all others.
const TOP: &[&str] = &["cli", "harness", "python"];

/// What the oracle may use.
const ORACLE_LIBRARIES: &[&str] = &["half", "libm", "ops", "transcend"];

fn metadata() -> Metadata {
    MetadataCommand::new()
        .other_options(vec!["--locked".to_owned()])
        .exec()
        .expect("cargo describes the workspace")
}

fn short(name: &str) -> String {
    name.strip_prefix("seedproof-").unwrap_or(name).to_owned()
}

/// The dependencies of each member of the workspace: those of its tests alone, or all others.
fn dependencies(metadata: &Metadata, of_tests: bool) -> BTreeMap<String, BTreeSet<String>> {
    metadata
        .workspace_packages()
        .into_iter()
        .map(|package| {
            let names = package
                .dependencies
                .iter()
                .filter(|dependency| (dependency.kind == DependencyKind::Development) == of_tests)
                .map(|dependency| short(&dependency.name))
                .collect();
            (short(&package.name), names)
        })
        .collect()
}

#[test]
fn arrows_every_crate_has_its_line() {
    let metadata = metadata();
    let members: BTreeSet<String> = dependencies(&metadata, false).into_keys().collect();
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
    let metadata = metadata();
    let dependencies = dependencies(&metadata, false);
    let of_tests = self::dependencies(&metadata, true);
    for (name, allowed) in ARROWS {
        let further = ARROWS_OF_TESTS.iter().find(|(other, _)| other == name);
        let further = further.map_or(&[][..], |(_, further)| further);
        let forbidden = |of: &BTreeSet<String>, allowed: &[&[&str]]| -> Vec<String> {
            let ours = of.iter().filter(|it| dependencies.contains_key(*it));
            ours.filter(|it| !allowed.concat().contains(&it.as_str()))
                .cloned()
                .collect()
        };
        let found = forbidden(&dependencies[*name], &[allowed]);
        assert!(found.is_empty(), "{name} depends on {found:?}");
        let found = forbidden(&of_tests[*name], &[allowed, further]);
        assert!(found.is_empty(), "the tests of {name} depend on {found:?}");
    }
}

#[test]
fn arrows_the_oracle_uses_few_libraries() {
    let dependencies = dependencies(&metadata(), false);
    let others: Vec<_> = dependencies["reference"]
        .iter()
        .filter(|name| !ORACLE_LIBRARIES.contains(&name.as_str()))
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
