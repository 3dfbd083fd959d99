//! Patches still fit the code: the mutants that are made by hand, which `harness/mutants.d/run` runs, each with the test that
//! catches it, and the worked example of CONTRIBUTING.md, which `harness/example/run` runs.

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

/// Whether what a patch changes or shows of a file stands there.
fn fits(root: &Path, patch: &str, name: &str) {
    let (file, hunks) = hunks(patch);
    let code = fs::read_to_string(root.join(&file)).unwrap_or_else(|error| panic!("{name}: {file}: {error}"));
    assert!(!hunks.is_empty(), "{name} changes nothing");
    for hunk in hunks {
        assert!(
            code.contains(&hunk),
            "{name} no longer fits {file}: make it again"
        );
    }
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
        fits(&root, &patch, &name.to_string());
    }
}

#[test]
fn worked_example_fits_the_code_and_has_nine_files_at_most() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let patch = fs::read_to_string(root.join("harness/example/op.patch")).expect("it is committed");
    let files: Vec<&str> = patch.split("diff --git ").skip(1).collect();
    assert!((5..=9).contains(&files.len()), "{} files", files.len());
    let contributing = fs::read_to_string(root.join("CONTRIBUTING.md")).expect("it is committed");
    for file in files {
        let name = file.lines().find_map(|line| line.strip_prefix("+++ b/"));
        let name = name.expect("a part of a patch names its file");
        assert!(
            contributing.contains(name),
            "CONTRIBUTING.md does not list {name}"
        );
        if file.contains("\n--- /dev/null\n") {
            assert!(!root.join(name).exists(), "{name} is there");
        } else {
            fits(&root, file, name);
        }
    }
}
