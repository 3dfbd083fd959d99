//! What the program generates is what is committed: the corpus, its schema, the reports.

use std::path::Path;

use seedproof::Bank;
use seedproof::ops::Limits;

#[test]
fn generated_files_are_committed_as_they_are() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let files = seedproof::read_files(&root.join("vectors")).expect("the corpus lies in the repository");
    let wanted =
        seedproof::generated(&files, &Bank::new(Limits::default())).expect("the corpus has no mistakes");
    assert!(
        wanted.len() > files.len(),
        "the corpus, its schema and the reports"
    );
    let drifted: Vec<&str> = wanted
        .iter()
        .filter(|(name, text)| std::fs::read_to_string(root.join(name)).ok().as_ref() != Some(text))
        .map(|(name, _)| name.as_str())
        .collect();
    assert!(drifted.is_empty(), "`seedproof gen` would change {drifted:#?}");
}
