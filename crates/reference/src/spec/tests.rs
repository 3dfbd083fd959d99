use std::collections::BTreeSet;

use seedproof_ops::{Named, OpName};

use super::SPECS;

/// The errata whose answers have no numbers of their own to compare.
const WITHOUT_NUMBERS: &[&str] = &[
    "npr.versions",
    "oru.counter.end",
    "oru.likes",
    "osp.successor",
    "ru8.frameworks.tensorflow-call",
    "ru8.frameworks.torch-call",
    "ru8.generators.counter-based",
    "ru8.typography.mantissa-comma",
];

/// The items of a list of every file, each with the name of its file and its text, which begins with its id.
fn items(list: &str) -> Vec<(&'static str, &'static str)> {
    let start = format!("\n{list}:\n");
    let lists = SPECS.iter().filter_map(|(file, text)| {
        let (_, rest) = text.split_once(&start)?;
        let end = ["\nclauses:\n", "\nerrata:\n"]
            .iter()
            .filter_map(|next| rest.find(next))
            .min();
        Some((*file, &rest[..end.unwrap_or(rest.len())]))
    });
    lists
        .flat_map(|(file, list)| list.split("\n- id: ").skip(1).map(move |item| (file, item)))
        .collect()
}

fn ids(list: &str) -> Vec<&'static str> {
    let lines = items(list)
        .into_iter()
        .filter_map(|(_, item)| item.lines().next());
    lines.collect()
}

fn is_id(text: &str) -> bool {
    let stem = text.split('.').next().unwrap_or_default();
    OpName::ALL.iter().any(|op| op.description().prefix == stem) && stem.len() < text.len()
}

/// The texts of this crate's sources but for `lib.rs`, which shows how clauses are cited, and the tests.
fn sources() -> Vec<String> {
    texts_in("src")
}

/// The texts of Rust files in a folder of this crate, but for `lib.rs` and `tests.rs`.
fn texts_in(folder: &str) -> Vec<String> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let (mut folders, mut texts) = (vec![root], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if !["lib.rs", "tests.rs"].iter().any(|name| path.ends_with(name))
                && path.extension().is_some_and(|extension| extension == "rs")
            {
                texts.push(std::fs::read_to_string(&path).unwrap());
            }
        }
    }
    texts
}

/// The clauses that a source cites, each as a bracketed id in backticks.
fn clauses_in(text: &str) -> impl Iterator<Item = &str> {
    quoted(text)
        .filter_map(|quote| quote.strip_prefix('[')?.strip_suffix(']'))
        .filter(|id| is_id(id))
}

/// The errata that a source cites, each as an id in backticks.
fn errata_in(text: &str) -> impl Iterator<Item = &str> {
    quoted(text).filter(|quote| is_id(quote))
}

/// The texts between backticks, and those between two such quotations.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`')
}

#[test]
fn spec_clauses_are_each_cited_by_a_function() {
    let clauses: BTreeSet<_> = ids("clauses").into_iter().collect();
    assert_eq!(clauses.len(), ids("clauses").len(), "an id appears twice");
    let sources = sources();
    let cited: BTreeSet<_> = sources.iter().flat_map(|text| clauses_in(text)).collect();
    assert_eq!(
        clauses.difference(&cited).collect::<Vec<_>>(),
        Vec::<&&str>::new()
    );
    assert_eq!(
        cited.difference(&clauses).collect::<Vec<_>>(),
        Vec::<&&str>::new()
    );
}

#[test]
fn spec_errata_that_the_sources_cite_exist() {
    let errata: BTreeSet<_> = ids("errata").into_iter().collect();
    assert_eq!(errata.len(), ids("errata").len(), "an id appears twice");
    let sources = sources();
    let cited: BTreeSet<_> = sources.iter().flat_map(|text| errata_in(text)).collect();
    assert!(cited.len() > 25, "{cited:?}");
    assert_eq!(cited.difference(&errata).collect::<Vec<_>>(), Vec::<&&str>::new());
}

#[test]
fn spec_errata_with_numbers_each_have_a_test() {
    // A test stands in the folder, or in the module of its op.
    let tests = [sources(), texts_in("tests/errata")].concat().concat();
    for id in ids("errata") {
        let name = format!("fn {}()", id.replace(['.', '-'], "_"));
        assert_eq!(tests.contains(&name), !WITHOUT_NUMBERS.contains(&id), "{name}");
    }
}

#[test]
fn spec_errata_adopt_one_of_their_answers() {
    for (file, erratum) in items("errata") {
        let adopted = erratum
            .lines()
            .find_map(|line| line.strip_prefix("  adopted: "))
            .unwrap();
        let answer = format!("    - id: {adopted}\n");
        assert!(erratum.contains(&answer), "{file}: {erratum}");
    }
}
