//! `seedproof new-adapter`: what it writes builds, answers, and passes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use seedproof_corpus::Provenance;
use seedproof_ops::{Named as _, OpName};

use crate::{PROGRAM, Place, Ran};

/// A language of starters.
struct Language {
    name: &'static str,
    /// The tool, and the question that it answers if it is present.
    tool: [&'static str; 2],
    /// Words set apart by spaces; none where nothing is built.
    build: &'static str,
    run: &'static str,
    /// Whether it draws a million numbers within a test's patience.
    fast: bool,
}

const C: Language = Language {
    name: "c",
    tool: ["cc", "--version"],
    build: "cc -std=c11 -O2 -ffp-contract=off -Wall -Wextra -o adapter adapter.c",
    run: "./adapter",
    fast: true,
};

const CPP: Language = Language {
    name: "cpp",
    tool: ["c++", "--version"],
    build: "c++ -std=c++17 -O2 -ffp-contract=off -Wall -Wextra -o adapter adapter.cpp",
    run: "./adapter",
    fast: true,
};

const GO: Language = Language {
    name: "go",
    tool: ["go", "version"],
    build: "go build -o adapter",
    run: "./adapter",
    fast: true,
};

const JAVASCRIPT: Language = Language {
    name: "javascript",
    tool: ["node", "--version"],
    build: "",
    run: "node adapter.mjs",
    fast: false,
};

const PYTHON: Language = Language {
    name: "python",
    tool: ["python3", "--version"],
    build: "",
    run: "python3 adapter.py",
    fast: false,
};

/// The ops of which Python has a whole starter too.
const WHOLE_IN_PYTHON: [&str; 4] = ["mn13", "tfkc", "tkf", "tks"];

/// An op with whole starters: its cases within what they claim, and few of them that tell much.
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
        let place = Place::new();
        for op in &OPS {
            write(&place, self.name, op.name);
            self.builds(&place);
            passes(&place, self.run, if self.fast { op.all } else { op.few });
        }
    }

    /// Builds the starter of the place, and leaves what the next one can use.
    fn builds(&self, place: &Place) {
        let mut words = self.build.split_whitespace();
        let Some(tool) = words.next() else {
            return;
        };
        let mut command = Command::new(tool);
        // A compiler writes nowhere but here.
        command
            .args(words)
            .env("GOCACHE", place.file("cache"))
            .env("GOFLAGS", "-mod=mod");
        let built = command.current_dir(place.file("adapter")).output().unwrap();
        let said = String::from_utf8_lossy(&built.stderr).into_owned();
        assert!(built.status.success() && !said.contains("warning"), "{said}");
    }

    /// Whether each of these ops, which have no whole starter, gets one that builds and, but for its kernel, is right.
    fn has_ops(&self, ops: impl Iterator<Item = OpName>) {
        if !self.is_present() {
            return;
        }
        let place = Place::new();
        for op in ops {
            write(&place, self.name, op.name());
            self.builds(&place);
            is_right_but_for_its_kernel(&place, op, self.name, self.run);
        }
    }
}

/// The ops that have no whole starter in every language.
fn skeletons() -> impl Iterator<Item = OpName> {
    let is_whole = |op: &OpName| OPS.iter().any(|whole| whole.name == op.name());
    OpName::ALL.iter().copied().filter(move |op| !is_whole(op))
}

/// A tenth of those ops, others in each language: all of them in each take minutes, and what a language does wrong it does
/// in most ops.
fn a_tenth(turn: usize) -> impl Iterator<Item = OpName> {
    let is_due = move |(index, _): &(usize, OpName)| (index + turn).is_multiple_of(10);
    skeletons().enumerate().filter(is_due).map(|(_, op)| op)
}

/// Asks the starter for its op: requests that its description forbids are refused, and of the others the kernel says that it
/// is not written, unless it is given whole.
fn is_right_but_for_its_kernel(place: &Place, op: OpName, language: &str, command: &str) {
    let prefix = op.description().prefix;
    let is_whole = language == "python" && WHOLE_IN_PYTHON.contains(&prefix);
    let run = |args: &[&str]| -> Ran {
        let mut program = Command::new(PROGRAM);
        crate::ran(program.args(args).current_dir(place.file("adapter")), b"")
    };
    let corpus = vectors(op);
    let smoke = run(&["smoke", "--corpus", &corpus, "--adapter", command]);
    if is_open(op) {
        smoke.says("the adapter claims none of the cases of the corpus");
        return;
    }
    if is_whole {
        smoke
            .exits(0)
            .says("answered correctly, one or two of each claim");
    } else {
        smoke.exits(1).says("is not written yet");
    }
    // Every element type, and the requests that are refused.
    let queries = [
        format!("{prefix}/*refused*"),
        format!("{prefix}/*long*"),
        format!("{prefix}/*-1"),
    ];
    let queries: Vec<&str> = queries.iter().map(String::as_str).collect();
    let own = ["run", "--corpus", &corpus, "--adapter", command, "--out", "out"];
    let ran = run(&[&own, queries.as_slice()].concat());
    if is_whole {
        ran.exits(0).says("all conform: 1 implementation");
        return;
    }
    let ran = ran.exits(1);
    let report: serde_json::Value = serde_json::from_str(&place.read("adapter/out/report.json"))
        .unwrap_or_else(|_| panic!("{}", ran.out));
    let failures = report["failures"].as_array().unwrap();
    assert!(!failures.is_empty(), "{}", ran.out);
    for failure in failures {
        assert_eq!(failure["finding"]["outcome"], "claim-broken", "{failure}");
    }
}

/// Whether the op's document leaves all values open, so that nothing is asked of an implementation unless it is held against
/// another one.
fn is_open(op: OpName) -> bool {
    let mut cases = seedproof::corpus().cases();
    !cases.any(|case| case.request.op() == op && matches!(case.provenance, Provenance::Derived { .. }))
}

/// The folder of an op's cases, which is read sooner than all that is built in: of those that the document answers, if it
/// answers any.
fn vectors(op: OpName) -> String {
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors");
    let has = |folder: &PathBuf, what: &str| {
        let files = fs::read_dir(folder).into_iter().flatten();
        files.map(|file| file.unwrap().path()).any(|file| {
            let text = fs::read_to_string(file).unwrap();
            text.contains(&format!("\nop: {op}\n")) && text.contains(what)
        })
    };
    let mut folders: Vec<PathBuf> = fs::read_dir(all)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    // Two folders have derived cases of onnx.RandomUniform: the order of a directory would choose one.
    folders.sort();
    let answered = folders.iter().find(|folder| has(folder, "kind: derived"));
    let folder = answered.or_else(|| folders.iter().find(|folder| has(folder, "")));
    folder.unwrap().to_str().unwrap().to_owned()
}

/// Writes a starter in place of the last one.
fn write(place: &Place, language: &str, op: &str) {
    let folder = place.file("adapter");
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
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
        .says("answered correctly, one or two of each claim");
    run(&[&["run", "--adapter", command], queries].concat())
        .exits(0)
        .says("all conform: 1 implementation");
}

/// The tests of a language.
macro_rules! starters {
    ($($module:ident: $language:ident, $turn:literal;)*) => {$(
        mod $module {
            #[test]
            fn starters_pass() {
                super::$language.passes();
            }

            #[test]
            fn starters_have_ops() {
                super::$language.has_ops(super::a_tenth($turn));
            }
        }
    )*};
}

starters! {
    python: PYTHON, 0;
    c: C, 1;
    cpp: CPP, 2;
    go: GO, 2;
    javascript: JAVASCRIPT, 3;
}

/// Every op has a starter in every language.
#[test]
#[ignore = "takes minutes"]
fn starters_have_every_op() {
    for language in [PYTHON, C, CPP, GO, JAVASCRIPT] {
        language.has_ops(skeletons());
    }
    has_ops_in_rust(&Place::new(), skeletons());
}

#[test]
fn starters_in_python_are_whole() {
    let whole = |op: &OpName| WHOLE_IN_PYTHON.contains(&op.description().prefix);
    PYTHON.has_ops(skeletons().filter(whole));
}

/// Tries a starter with one piece of it replaced.
fn tried(language: &Language, op: &str, file: &str, [old, new]: [&str; 2]) -> Ran {
    let place = Place::new();
    write(&place, language.name, op);
    let adapter = place.read(&format!("adapter/{file}"));
    assert!(adapter.contains(old));
    place.write(&format!("adapter/{file}"), adapter.replace(old, new));
    let [tool, _] = language.tool;
    place.seedproof(&["smoke", "--adapter", &format!("{tool} adapter/{file}")])
}

/// What cannot be sent is an error of that request, and does not end the adapter.
#[test]
fn kernels_in_python_are_told_what_to_return() {
    if !PYTHON.is_present() {
        return;
    }
    let unwritten = r#"raise Unsupported("the kernel of torch.randperm is not written yet")"#;
    for (returned, said) in [
        (r#"Tensor("i64", [0], b"")"#, "run returned a Tensor, not a dict"),
        ("None", "run returned a NoneType, not a dict"),
        (
            r#"{"output": [1]}"#,
            "the output 'output' is a list, not a Tensor",
        ),
        (
            r#"{"output": Tensor("i64", [1], [1])}"#,
            "the data of 'output' are a list, not bytes",
        ),
    ] {
        let returns = format!("return {returned}");
        tried(&PYTHON, "torch.randperm", "adapter.py", [unwritten, &returns])
            .exits(1)
            .says(said);
    }
}

/// A browser's compute API answers by promises alone, and JavaScript's numbers are typed arrays.
#[test]
fn kernels_in_javascript_may_be_asynchronous() {
    if !JAVASCRIPT.is_present() {
        return;
    }
    let served = "serve(implementation, capabilities, run)";
    let awaited = "serve(implementation, capabilities, async (request) => {
        const { output } = run(request);
        return { output: { ...output, data: new Uint8Array(output.data) } };
    })";
    tried(&JAVASCRIPT, "ru8", "adapter.mjs", [served, awaited])
        .exits(0)
        .says("answered correctly, one or two of each claim");
}

/// How the starter in Rust is run, which builds beside its folder.
const IN_RUST: &str = "../target/debug/adapter";

/// Builds the starter in Rust with the versions that this program is built of, which are at hand: no registry is asked, and
/// nothing is left that could be taken for an absent network.
fn builds_in_rust(place: &Place) {
    let lock = fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.lock")).unwrap();
    place.write("adapter/Cargo.lock", lock);
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--offline", "--target-dir", "../target"]);
    let built = cargo.current_dir(place.file("adapter")).output().unwrap();
    let said = String::from_utf8_lossy(&built.stderr).into_owned();
    assert!(built.status.success() && said.is_empty(), "{said}");
}

#[test]
fn starters_in_rust_pass() {
    let place = Place::new();
    for op in &OPS {
        write(&place, "rust", op.name);
        builds_in_rust(&place);
        passes(&place, IN_RUST, op.few);
    }
    has_ops_in_rust(&place, a_tenth(4));
}

fn has_ops_in_rust(place: &Place, ops: impl Iterator<Item = OpName>) {
    for op in ops {
        write(place, "rust", op.name());
        builds_in_rust(place);
        is_right_but_for_its_kernel(place, op, "rust", IN_RUST);
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
}

/// Whether or not the language's tool is there to build it.
#[test]
fn starter_of_the_usual_op_has_its_kernel_in_every_language() {
    let place = Place::new();
    for (language, adapter) in [
        ("python", "adapter.py"),
        ("c", "adapter.c"),
        ("c++", "adapter.cpp"),
        ("rust", "src/main.rs"),
        ("javascript", "adapter.mjs"),
        ("go", "adapter.go"),
    ] {
        place.seedproof(&["new-adapter", language, language]).exits(0);
        let text = place.read(&format!("{language}/{adapter}"));
        assert!(!text.contains("is not written yet"), "{language}");
    }
}

#[test]
fn starter_leaves_what_is_there() {
    let place = Place::new();
    place.write("full/file", "mine");
    place
        .seedproof(&["new-adapter", "c", "full"])
        .exits(2)
        .complains("full already exists and is not empty");
    assert_eq!(place.read("full/file"), "mine");
    place
        .seedproof(&["new-adapter", "cobol", "new"])
        .exits(2)
        .complains("python");
}

/// The published answers of both generators for a counter and a key of the digits of pi.
const PI: [&str; 2] = ["d16cfe09 94fdcceb 5001e420 24126ea1", "c4923a9c 483df7a0"];

/// Has a program of a language print the words of both generators.
fn draws_pi(language: &Language, file: &str, text: &str) {
    if !language.is_present() {
        return;
    }
    let place = Place::new();
    write(&place, language.name, "tku");
    place.write(&format!("adapter/{file}"), text);
    language.builds(&place);
    let words = language.run.split(' ').collect::<Vec<_>>();
    let mut program = Command::new(words[0]);
    let ran = crate::ran(program.args(&words[1..]).current_dir(place.file("adapter")), b"").exits(0);
    assert_eq!(ran.out.lines().collect::<Vec<_>>(), PI, "{}", ran.err);
}

#[test]
fn generators_have_their_known_answers() {
    draws_pi(
        &PYTHON,
        "adapter.py",
        "from generators import philox, threefry\n\
         print(*('%08x' % x for x in philox(0x0370734413198a2e85a308d3243f6a88, 0x299f31d0a4093822)))\n\
         print(*('%08x' % x for x in threefry(0x85a308d3243f6a88, 0x0370734413198a2e)))\n",
    );
    draws_pi(
        &JAVASCRIPT,
        "adapter.mjs",
        "import { philox, threefry } from './generators.mjs';\n\
         const hex = (words) => console.log(words.map((x) => x.toString(16).padStart(8, '0')).join(' '));\n\
         hex(philox(0x0370734413198a2e85a308d3243f6a88n, 0x299f31d0a4093822n));\n\
         hex(threefry(0x85a308d3243f6a88n, 0x0370734413198a2en));\n",
    );
    draws_pi(
        &GO,
        "adapter.go",
        "package main\nimport \"fmt\"\nfunc main() {\n\
         p := Philox(0x85a308d3243f6a88, 0x0370734413198a2e, 0x299f31d0a4093822)\n\
         t := Threefry(0x85a308d3243f6a88, 0x0370734413198a2e)\n\
         fmt.Printf(\"%08x %08x %08x %08x\\n%08x %08x\\n\", p[0], p[1], p[2], p[3], t[0], t[1])\n}\n",
    );
    let in_c = "#include <stdio.h>\n#include \"generators.h\"\nint main(void) {\nuint32_t p[4], t[2];\n\
                sp_philox(0x85a308d3243f6a88, 0x0370734413198a2e, 0x299f31d0a4093822, p);\n\
                sp_threefry(0x85a308d3243f6a88, 0x0370734413198a2e, t);\n\
                printf(\"%08x %08x %08x %08x\\n%08x %08x\\n\", p[0], p[1], p[2], p[3], t[0], t[1]);\n}\n";
    draws_pi(&C, "adapter.c", in_c);
    draws_pi(&CPP, "adapter.cpp", in_c);
}

#[test]
fn generators_in_rust_have_their_known_answers() {
    let place = Place::new();
    write(&place, "rust", "tku");
    let calls = [
        "philox(0x0370734413198a2e85a308d3243f6a88, 0x299f31d0a4093822)",
        "threefry(0x85a308d3243f6a88, 0x0370734413198a2e)",
    ];
    // One at a time: the module expects that a program draws from one of them.
    for (call, right) in calls.iter().zip(PI) {
        let main = format!(
            "mod generators;\nfn main() {{\n\
             let words = generators::{call}.map(|x| format!(\"{{x:08x}}\"));\n\
             println!(\"{{}}\", words.join(\" \"));\n}}\n"
        );
        place.write("adapter/src/main.rs", main);
        builds_in_rust(&place);
        let ran = crate::ran(&mut Command::new(place.file("target/debug/adapter")), b"").exits(0);
        assert_eq!(ran.out.trim_end(), right);
    }
}

#[test]
fn starters_in_go_are_formatted() {
    if !GO.is_present() {
        return;
    }
    let place = Place::new();
    for op in OpName::ALL {
        write(&place, "go", op.name());
        let mut gofmt = Command::new("gofmt");
        let ran = crate::ran(gofmt.args(["-l", "."]).current_dir(place.file("adapter")), b"").exits(0);
        assert_eq!(ran.out, "", "{op}");
    }
}
