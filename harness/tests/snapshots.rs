//! Texts that derive from the corpus and the registry, as snapshots: a change to them is seen, and meant.
//! `INSTA_UPDATE=always cargo test -p seedproof-harness` renews them.

use insta::assert_snapshot;

#[test]
fn snapshot_of_the_corpus_statistics() {
    assert_snapshot!("corpus_statistics", seedproof_author::stats(seedproof::corpus()));
}

/// The page in outline: which questions, in which order, with which answers, and which of them is adopted. The wording
/// of all of it is in `reports/errata.md`, which `generated.rs` holds against the registry.
#[test]
fn snapshot_of_the_errata_page() {
    let page = seedproof_author::errata_markdown();
    let lines = page.lines().filter_map(|line| {
        let answer = line.starts_with("* `").then(|| line.split(": ").next()).flatten();
        answer.or(line.starts_with('#').then_some(line))
    });
    assert_snapshot!("errata_outline", lines.collect::<Vec<_>>().join("\n"));
}

#[test]
fn snapshot_of_one_erratum() {
    let page = seedproof_author::errata_markdown();
    let (_, from) = page
        .split_once("### ru8.philox.halves-cross")
        .expect("the erratum is on the page");
    let entry = from.split("\n##").next().expect("a split has a first part");
    assert_snapshot!("erratum_halves_cross", entry);
}
