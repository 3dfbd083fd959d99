//! The commands of a page in `docs/` are run, one block after another in one folder.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::{PROGRAM, Place, ran};

#[test]
fn page_of_ones_own_vectors_runs() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/own-vectors.md");
    let text = fs::read_to_string(page).unwrap();
    let blocks: Vec<&str> = text
        .split("```sh\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap())
        .collect();
    assert!(blocks.len() >= 5, "the page has its blocks");
    let place = Place::new();
    let mut path = Path::new(PROGRAM).parent().unwrap().as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap());
    for block in blocks {
        // As CI has it: the first command that fails ends the block.
        let mut shell = Command::new("sh");
        shell
            .args(["-euc", block])
            .current_dir(place.path())
            .env("PATH", &path);
        let ended = ran(&mut shell, b"");
        assert_eq!(ended.status, Some(0), "{block}\n{}\n{}", ended.out, ended.err);
    }
    assert!(
        place.read("known.yaml").contains("ACME-17"),
        "the failures are found"
    );
    assert!(place.read("out/acme/junit.xml").contains("acme-"));
}
