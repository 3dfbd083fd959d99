//! The commands of a page in `docs/` are run, one block after another in one folder.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::{PROGRAM, Place, ran};

/// Runs the blocks of a page, and returns the folder in which they ran with all that they printed.
fn run_page(name: &str) -> (Place, String) {
    let page = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../docs")
        .join(name);
    let text = fs::read_to_string(page).unwrap();
    let blocks = text
        .split("```sh\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap());
    let place = Place::new();
    let mut path = Path::new(PROGRAM).parent().unwrap().as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap());
    let mut printed = String::new();
    for block in blocks {
        // As CI has it: the first command that fails ends the block.
        let mut shell = Command::new("sh");
        shell
            .args(["-euc", block])
            .current_dir(place.path())
            .env("PATH", &path);
        let ended = ran(&mut shell, b"");
        assert_eq!(ended.status, Some(0), "{block}\n{}\n{}", ended.out, ended.err);
        printed += &ended.out;
    }
    (place, printed)
}

#[test]
fn page_of_ones_own_vectors_runs() {
    let (place, _) = run_page("own-vectors.md");
    assert!(
        place.read("known.yaml").contains("ACME-17"),
        "the failures are found"
    );
    assert!(place.read("out/acme/junit.xml").contains("acme-"));
}

#[test]
fn page_of_ones_own_readings_runs_and_its_mistake_is_found() {
    let (place, printed) = run_page("own-readings.md");
    assert!(printed.contains("ours-2027 draws output: f32 [3,3]"), "{printed}");
    // The mistake as a reading, so that a program makes it.
    let mine = place.read("mine.toml");
    let mistake = &mine[mine.find("[[mistake]]").unwrap()..];
    let wrong = mistake
        .replace("[[mistake]]\nid", "[[reading]]\nname")
        .replace("sentence", "observed")
        .replace("fix = \"build with OURS_UNROLL=2\"\n", "");
    place.write("wrong.toml", &wrong);
    let judged = [
        "run",
        "ru8/tensorflow/f32/range-*",
        "--mistakes",
        "mine.toml",
        "--",
        PROGRAM,
        "serve",
    ];
    place
        .seedproof(&[&judged[..], &["--reading", "wrong.toml"]].concat())
        .exits(1)
        .says("ours-old-unroll: the unrolled loop of 2025")
        .says("build with OURS_UNROLL=2")
        .says(" --mistakes mine.toml ru8/tensorflow/f32/range-");
}

#[test]
fn readings_of_ones_own_are_refused_with_their_place() {
    let place = Place::new();
    let reading = |lines: &str| format!("[[reading]]\nname = \"a\"\nobserved = \"b\"\n{lines}\n");
    for (file, reason) in [
        (
            reading("answers = { \"stream.layout\" = \"in ordr\" }"),
            "mine.toml:4:31: failed to answer `stream.layout` with `in ordr`; did you mean `in order`? Its answers are",
        ),
        (
            reading("bass = \"spec\""),
            "mine.toml:4:1: failed to read it: unknown field `bass`",
        ),
        (
            reading("").replace("\"a\"", "\"auto\""),
            "mine.toml: a reading cannot be named `auto`, which has a meaning of its own after --reading",
        ),
        (String::new(), "failed to find a `[[reading]]` in mine.toml"),
    ] {
        place.write("mine.toml", &file);
        for command in [
            &["run", "--backend", "reference"][..],
            &["serve"],
            &["smoke", "--", "true"],
        ] {
            let split = command
                .iter()
                .position(|word| *word == "--")
                .unwrap_or(command.len());
            let (before, after) = command.split_at(split);
            place
                .seedproof(&[before, &["--reading", "mine.toml"], after].concat())
                .exits(2)
                .complains(reason);
        }
    }
    place
        .seedproof(&["serve", "--reading", "absent.toml"])
        .exits(3)
        .complains("absent.toml");
    let twice = "[[mistake]]\nid = \"rounds-9\"\nsentence = \"s\"\nanswers = { \"philox.rounds\" = \"9\" }\n";
    place.write("mine.toml", twice);
    place
        .seedproof(&["run", "--backend", "reference", "--mistakes", "mine.toml"])
        .exits(2)
        .complains("failed to add the mistake `rounds-9`: there is one of this name already");
}
