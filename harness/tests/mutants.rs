//! The mutants that are made by hand still fit the code; `harness/mutants.d/run` runs them, each with the test that catches
//! it.

use std::fs;
use std::path::Path;

/// The lines of a file that a patch changes or shows, hunk by hunk, with the name of the file.
fn hunks(patch: &str) -> (String, Vec<String>) {
    let file = patch.lines().find_map(|line| line.strip_prefix("--- a/"));
    let mut hunks: Vec<String> = Vec::new();
    for line in patch.lines().skip_while(|line| !line.starts_with("@@")) {
        if line.starts_with("@@") {
            hunks.push(String::new());
        } else if let Some(old) = line.strip_prefix([' ', '-'])
            && let Some(hunk) = hunks.last_mut()
        {
            hunk.push_str(old);
            hunk.push('\n');
        }
    }
    (file.unwrap_or_default().to_owned(), hunks)
}

#[test]
fn mutants_by_hand_fit_the_code() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let files = fs::read_dir(root.join("harness/mutants.d")).expect("the folder is committed");
    let patches = files.map(|entry| entry.expect("a file of the folder").path());
    let patches: Vec<_> = patches
        .filter(|path| path.extension().is_some_and(|it| it == "patch"))
        .collect();
    assert!(patches.len() >= 40, "{} mutants", patches.len());
    for path in patches {
        let patch = fs::read_to_string(&path).expect("a patch is text");
        let name = path.display();
        assert!(
            patch.starts_with("test: cargo test -p seedproof-"),
            "{name} names no test"
        );
        let (file, hunks) = hunks(&patch);
        let code =
            fs::read_to_string(root.join(&file)).unwrap_or_else(|error| panic!("{name}: {file}: {error}"));
        assert!(!hunks.is_empty(), "{name} changes nothing");
        for hunk in hunks {
            assert!(
                code.contains(&hunk),
                "{name} no longer fits {file}: make it again"
            );
        }
    }
}
