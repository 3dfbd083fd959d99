//! `seedproof new-adapter`: what it writes builds, answers, and passes.

use std::fs;
use std::process::Command;

use crate::{PROGRAM, Place, Ran};

/// A language of starters.
struct Language {
    name: &'static str,
    /// The tool, and the question that it answers if it is present.
    tool: [&'static str; 2],
    build: &'static [&'static str],
    run: &'static str,
    /// Whether it draws a million numbers within a test's patience.
    fast: bool,
}

const C: Language = Language {
    name: "c",
    tool: ["cc", "--version"],
    build: &[
        "cc",
        "-std=c11",
        "-O2",
        "-ffp-contract=off",
        "-Wall",
        "-Wextra",
        "-o",
        "adapter",
        "adapter.c",
    ],
    run: "./adapter",
    fast: true,
};

const CPP: Language = Language {
    name: "cpp",
    tool: ["c++", "--version"],
    build: &[
        "c++",
        "-std=c++17",
        "-O2",
        "-ffp-contract=off",
        "-Wall",
        "-Wextra",
        "-o",
        "adapter",
        "adapter.cpp",
    ],
    run: "./adapter",
    fast: true,
};

const GO: Language = Language {
    name: "go",
    tool: ["go", "version"],
    build: &["go", "build", "-o", "adapter"],
    run: "./adapter",
    fast: true,
};

const JAVASCRIPT: Language = Language {
    name: "javascript",
    tool: ["node", "--version"],
    build: &[],
    run: "node adapter.mjs",
    fast: false,
};

const PYTHON: Language = Language {
    name: "python",
    tool: ["python3", "--version"],
    build: &[],
    run: "python3 adapter.py",
    fast: false,
};

/// An op with starters: its cases within what they claim, and few of them that tell much.
struct Op {
    name: &'static str,
    all: &'static [&'static str],
    few: &'static [&'static str],
}

const OPS: [Op; 2] = [
    Op {
        name: "openvino.RandomUniform-8",
        all: &["ru8/tensorflow/f32/*"],
        few: &[
            "ru8/tensorflow/f32/range-*",
            "ru8/tensorflow/f32/refused-*",
            "ru8/tensorflow/f32/se*",
            "ru8/tensorflow/f32/shape-*",
            "ru8/tensorflow/f32/both-seeds-zero",
        ],
    },
    Op {
        name: "directml.RandomGenerator",
        all: &["dml/*"],
        few: &["dml/*carry*", "dml/*kat*", "dml/*refused*"],
    },
];

impl Language {
    /// Whether the tool is present; a line says so where it is not.
    fn is_present(&self) -> bool {
        let [tool, question] = self.tool;
        let present = Command::new(tool).arg(question).output().is_ok();
        if !present {
            println!("not run: the starters in {}, as {tool} is absent", self.name);
        }
        present
    }

    fn passes(&self) {
        if !self.is_present() {
            return;
        }
        for op in &OPS {
            let place = Place::new();
            write(&place, self.name, op.name);
            if let [tool, args @ ..] = self.build {
                let mut command = Command::new(tool);
                // A compiler writes nowhere but here.
                command
                    .args(args)
                    .env("GOCACHE", place.file("cache"))
                    .env("GOFLAGS", "-mod=mod");
                let built = command.current_dir(place.file("adapter")).output().unwrap();
                let said = String::from_utf8_lossy(&built.stderr).into_owned();
                assert!(built.status.success() && !said.contains("warning"), "{said}");
            }
            passes(&place, self.run, if self.fast { op.all } else { op.few });
        }
    }
}

fn write(place: &Place, language: &str, op: &str) {
    place
        .seedproof(&["new-adapter", language, "adapter", "--op", op])
        .exits(0)
        .says("seedproof smoke --adapter");
}

/// Tries and judges the starter with the command line that `new-adapter` prints, in its folder.
fn passes(place: &Place, command: &str, queries: &[&str]) {
    let run = |args: &[&str]| -> Ran {
        let mut program = Command::new(PROGRAM);
        crate::ran(program.args(args).current_dir(place.file("adapter")), b"")
    };
    run(&["smoke", "--adapter", command])
        .exits(0)
        .says("all of it answers");
    run(&[&["run", "--adapter", command], queries].concat())
        .exits(0)
        .says("all conform: 1 implementation");
}

#[test]
fn starters_in_python_pass() {
    PYTHON.passes();
}

#[test]
fn starters_in_c_pass() {
    C.passes();
}

#[test]
fn starters_in_cpp_pass() {
    CPP.passes();
}

#[test]
fn starters_in_javascript_pass() {
    JAVASCRIPT.passes();
}

#[test]
fn starters_in_go_pass() {
    GO.passes();
}

#[test]
fn starters_in_rust_pass() {
    for op in &OPS {
        let place = Place::new();
        write(&place, "rust", op.name);
        // With the versions that this program is built of, which are at hand: no registry is asked, and nothing is left
        // that could be taken for an absent network.
        let lock = fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.lock")).unwrap();
        place.write("adapter/Cargo.lock", lock);
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--quiet", "--offline", "--target-dir", "target"]);
        let built = cargo.current_dir(place.file("adapter")).output().unwrap();
        let said = String::from_utf8_lossy(&built.stderr).into_owned();
        assert!(built.status.success() && said.is_empty(), "{said}");
        passes(&place, "target/debug/adapter", op.few);
    }
}

#[test]
fn starter_names_its_language_and_its_op() {
    let place = Place::new();
    place.seedproof(&["new-adapter", "c++", "cpp"]).exits(0);
    let text = place.read("cpp/adapter.cpp");
    assert!(text.contains(r#""language": "c++""#) && text.contains("openvino.RandomUniform-8"));
    place
        .seedproof(&["new-adapter", "go", "go", "--op", "ru9"])
        .exits(2)
        .complains("there is no op `ru9`; did you mean `ru8`?");
    place
        .seedproof(&["new-adapter", "go", "go", "--op", "mn13"])
        .exits(2)
        .complains("there is no starter for openvino.Multinomial-13; begin with one of");
}

#[test]
fn starter_leaves_what_is_there() {
    let place = Place::new();
    place.write("full/file", "mine");
    place
        .seedproof(&["new-adapter", "c", "full"])
        .exits(2)
        .complains("full is there and not empty");
    assert_eq!(place.read("full/file"), "mine");
    place
        .seedproof(&["new-adapter", "cobol", "new"])
        .exits(2)
        .complains("python");
}
