//! The corpus from a folder, what is wrong with it, and `seedproof gen`.

use std::fs;
use std::path::Path;

use crate::{Place, Ran};

/// A corpus of two cases.
pub(crate) const TWO: &str = r#"# Two cases.
schema: 2
op: directml.RandomGenerator
clauses: [dml.output.bits]
provenance: { kind: derived, reading: spec, revision: 1 }
cases:
  - id: dml/feature-level-4.0/one
    attrs: { type: PHILOX_4X32_10, feature_level: "4.0", output_sizes: [1], output_state: false }
    inputs: { input_state: { dtype: u32, shape: [6], bits: [0, 0, 0, 0, 0, 0] } }
    expect:
      bits: [1713891541]
  - id: dml/feature-level-4.0/two
    attrs: { type: PHILOX_4X32_10, feature_level: "4.0", output_sizes: [1], output_state: false }
    inputs: { input_state: { dtype: u32, shape: [6], bits: [1, 0, 0, 0, 0, 0] } }
    expect:
      bits: [4175744164]
"#;

/// A file of a corpus may lead to what never ends.
#[cfg(unix)]
#[test]
fn corpus_of_other_than_plain_files_is_refused() {
    let place = Place::new();
    std::fs::create_dir(place.file("cz")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", place.file("cz/a.yaml")).unwrap();
    place
        .seedproof(&["list", "--corpus", "cz"])
        .exits(3)
        .complains("failed to read cz/a.yaml: it is not a plain file; put one in its place, or remove it");
}

/// Its cases would be left out of every run without a word.
#[test]
fn corpus_has_no_file_of_cases_that_is_not_read() {
    for name in ["more.yml", "MORE.YAML", "more.Yaml"] {
        let place = Place::new();
        place.corpus("own", TWO);
        place.write(&format!("own/{name}"), TWO);
        for args in [["corpus", "lint"].as_slice(), &["run"], &["gen", "--check"]] {
            place
                .seedproof(&[args, &["--corpus", "own"]].concat())
                .exits(3)
                .complains(&format!("{name}: the name of a file of cases ends with `.yaml`"));
        }
    }
}

#[cfg(unix)]
#[test]
fn corpus_has_no_linked_folder_that_is_not_read() {
    let place = Place::new();
    place.corpus("own", TWO);
    place.corpus("other", TWO);
    std::os::unix::fs::symlink("../other", place.file("own/more")).unwrap();
    place
        .seedproof(&["corpus", "lint", "--corpus", "own"])
        .exits(3)
        .complains("own/more: a link to a folder is not followed");
}

/// Every backend would draw other bits, and the case would fail with all of them.
#[test]
fn corpus_has_no_bits_of_what_is_drawn_from_entropy() {
    let place = Place::new();
    let yaml = |global_seed: u32, expect: &str| {
        format!(
            r"# Entropy.
schema: 2
op: openvino.RandomUniform-8
clauses: [ru8.seeds.both-zero]
provenance: {{ kind: derived, reading: spec, revision: 1 }}
cases:
  - id: ru8/tensorflow/i32/one
    attrs: {{ output_type: i32, global_seed: {global_seed}, op_seed: 0, alignment: TENSORFLOW }}
    inputs:
      shape: {{ dtype: i64, shape: [1], bits: [4] }}
      minval: {{ dtype: i32, shape: [], bits: [0] }}
      maxval: {{ dtype: i32, shape: [], bits: [1000] }}
    expect: {{ {expect} }}
"
        )
    };
    let fault = "failed to expect bits of what is drawn from entropy";
    let lint = || place.seedproof(&["corpus", "lint", "--corpus", "own"]);
    place.corpus("own", &yaml(0, "bits: [1, 2, 3, 4]"));
    lint().exits(4).says(fault);
    place.corpus("own", &yaml(7, "bits: [1, 2, 3, 4]"));
    lint().never_says(fault);
    place.corpus("own", &yaml(0, "by: statistics"));
    lint().never_says(fault);
}

#[test]
fn corpus_in_a_folder_takes_the_place_of_the_one_built_in() {
    let place = Place::new();
    place.corpus("own", TWO);
    let listed = place.seedproof(&["list", "--corpus", "own"]).exits(0);
    assert_eq!(
        listed.out,
        "dml/feature-level-4.0/one\ndml/feature-level-4.0/two\n"
    );
    place
        .seedproof(&["run", "--corpus", "own", "--backend", "reference"])
        .exits(0)
        .says("all conform: 1 implementation, 2");
    place.corpus("wrong", &TWO.replace("4175744164", "4175744165"));
    place
        .seedproof(&["run", "--corpus", "wrong", "--backend", "reference"])
        .exits(1)
        .says("expected 4175744165   actual 4175744164")
        .says("rerun: seedproof run --backend reference --corpus wrong dml/feature-level-4.0/two");
    place
        .seedproof(&["corpus", "lint", "--corpus", "absent"])
        .exits(3)
        .complains("failed to read absent");
    fs::create_dir(place.file("empty")).unwrap();
    place
        .seedproof(&["list", "--corpus", "empty"])
        .exits(3)
        .complains("expected .yaml files");
}

fn broken(from: &str, to: &str) -> Ran {
    assert!(TWO.contains(from), "{from}");
    let place = Place::new();
    place.corpus("broken", &TWO.replacen(from, to, 1));
    place.seedproof(&["list", "--corpus", "broken"]).exits(4)
}

#[test]
fn corpus_faults_name_file_line_column_and_what_was_expected() {
    broken("revision: 1", "revison: 1").complains(
        "cases.yaml:5:54: failed to use `revison` in `provenance`: expected only kind, reading, revision",
    );
    broken("4.0/two", "4.0/one").complains("cases.yaml:12:9: failed to use the id `dml/feature-level-4.0/one` a second time, after line 7: expected");
    broken("[1713891541]", "[1713891541, 1]")
        .complains("cases.yaml:11:13: failed to read 2 elements as u32 [1]: expected 1");
    broken("dml.output.bits", "dml.output.bots")
        .complains("cases.yaml:4:11: failed to find the clause `dml.output.bots`: expected");
    broken("schema: 2", "schema: 1").complains("cases.yaml:2:9: failed to read schema 1: expected 2");
    broken("bits: [0,", "bits: [-1,").complains("cases.yaml:9:");
    broken("schema: 2", "schema: [").complains("cases.yaml:");
}

#[test]
fn corpus_decimals_must_be_those_of_the_bits() {
    let place = Place::new();
    let yaml = r#"# One case.
schema: 2
op: openvino.RandomUniform-8
clauses: [ru8.range.float]
provenance: { kind: derived, reading: spec, revision: 1 }
cases:
  - id: ru8/tensorflow/f32/one
    attrs: { output_type: f32, global_seed: 150, op_seed: 10, alignment: TENSORFLOW }
    inputs: { shape: [1], minval: "00000000", maxval: "3f800000" } # 0, 2
    expect:
      bits: ["3f337cd6"] # 0.7011236
"#;
    place.corpus("broken", yaml);
    place
        .seedproof(&["corpus", "lint", "--corpus", "broken"])
        .exits(4)
        .complains("cases.yaml:9:")
        .complains("match the comment `2` with the bits 3f800000: expected 1");
    place.corpus("mended", &yaml.replace("# 0, 2", "# 0, 1"));
    place
        .seedproof(&["run", "--corpus", "mended", "--backend", "reference"])
        .exits(0);
}

#[test]
fn gen_fills_in_a_corpus_of_ones_own_and_nothing_else() {
    let place = Place::new();
    place.corpus("mine", &TWO.replace("4175744164", "0"));
    place
        .seedproof(&["corpus", "lint", "--corpus", "mine"])
        .exits(4)
        .says("cases.yaml:12:5: failed to match the expectation of `dml/feature-level-4.0/two` with what `spec` answers");
    place
        .seedproof(&["gen", "--corpus", "mine", "--check"])
        .exits(4)
        .says("would change mine/cases.yaml");
    place
        .seedproof(&["gen", "--corpus", "mine"])
        .exits(0)
        .says("wrote mine/cases.yaml\n1 files, 1 wrote\n");
    assert!(place.read("mine/cases.yaml").contains("4175744164"));
    place.seedproof(&["gen", "--corpus", "mine", "--check"]).exits(0);
    place
        .seedproof(&["corpus", "lint", "--corpus", "mine"])
        .exits(0)
        .says("2 cases, 0 faults");
    let made: Vec<_> = fs::read_dir(place.path())
        .unwrap()
        .chain(fs::read_dir(place.file("mine")).unwrap())
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(made, ["mine", "cases.yaml"], "no schema, no report");
    place
        .seedproof(&["gen", "--corpus", "mine", "--root", "."])
        .exits(2)
        .complains("cannot be used with");
}

#[test]
fn corpus_in_a_checkout_is_its_vectors() {
    let place = Place::new();
    place.corpus("vectors", &TWO.replace("4175744164", "0"));
    place
        .seedproof(&["corpus", "lint"])
        .exits(0)
        .says("cases, 0 faults in the built-in corpus\n");
    place.write("reports/goldens.txt", "");
    place
        .seedproof(&["corpus", "lint"])
        .exits(4)
        .says("failed to match the expectation of `dml/feature-level-4.0/two`")
        .says("2 cases, 1 fault in vectors\n");
    place.seedproof(&["corpus", "cover"]).exits(4);
    let in_vectors = place.seedproof(&["corpus", "stats"]).exits(0).out;
    let named = place.seedproof(&["corpus", "stats", "--corpus", "vectors"]);
    assert_eq!(named.out, in_vectors);
    place.corpus("mine", TWO);
    place
        .seedproof(&["corpus", "lint", "--corpus", "mine"])
        .exits(0)
        .says("2 cases, 0 faults in mine\n");
}

#[test]
fn corpus_may_stand_before_a_subcommand_and_nothing_else_may() {
    let place = Place::new();
    place.corpus("own", TWO);
    place
        .seedproof(&["--corpus", "own", "list"])
        .exits(0)
        .says("dml/feature-level-4.0/one\ndml/feature-level-4.0/two\n");
    place
        .seedproof(&["--corpus", "own", "corpus", "lint"])
        .exits(0)
        .says("2 cases, 0 faults");
    place
        .seedproof(&["--corpus", "own", "run", "--backend", "reference"])
        .exits(0)
        .says("all conform: 1 implementation, 2");
    place
        .seedproof(&["--corpus", "own", "export", "json", "out"])
        .exits(0)
        .says("exported 2 cases to out");
    for stray in [["--backend", "reference", "list"], ["--jobs", "2", "backends"]] {
        let ran = place.seedproof(&stray).exits(2);
        ran.complains(&format!("put {} <", stray[0]))
            .complains(&format!("> after `{}`", stray[2]));
    }
    for (arguments, reason) in [
        (
            &["--corpus", "own", "backends"][..],
            "`backends` does not take --corpus",
        ),
        (
            &["--corpus", "own", "list", "--corpus", "own"],
            "--corpus is given twice",
        ),
        (&["backends", "--corpus", "own"], "unexpected argument '--corpus'"),
    ] {
        place.seedproof(arguments).exits(2).complains(reason);
    }
    place
        .seedproof(&["dml/*", "list"])
        .exits(2)
        .complains("put [QUERY]... after `list`");
    place
        .seedproof(&["--corpus", "own", "--backend", "reference", "dml/*"])
        .exits(0)
        .says("all conform: 1 implementation, 2");
}

#[test]
fn draft_takes_an_op_by_its_name_and_by_its_prefix() {
    let place = Place::new();
    place.corpus("own", TWO);
    let draft = |op: &str| place.seedproof(&["corpus", "draft", op, "--corpus", "own"]);
    let named = draft("tensorflow.StatelessRandomGetKeyCounter").exits(0);
    assert_eq!(draft("tfkc").exits(0).out, named.out);
    named.says("- id: tfkc/i32/extents-1\n");
    draft("tfck")
        .exits(2)
        .complains("unknown op; did you mean `tfkc`?");
}

#[test]
fn corpus_that_is_built_in_is_clean_and_covers_every_clause() {
    let place = Place::new();
    place
        .seedproof(&["corpus", "lint"])
        .exits(0)
        .says("cases, 0 faults");
    place.seedproof(&["corpus", "stats"]).exits(0).says("by op");
    place
        .seedproof(&["corpus", "cover"])
        .exits(0)
        .says("ru8.philox.round");
}

#[test]
fn corpus_that_covers_little_lets_mistakes_survive() {
    let place = Place::new();
    place.corpus("few", TWO);
    place.seedproof(&["corpus", "cover", "--corpus", "few"]).exits(4);
    place
        .seedproof(&["corpus", "mutants", "--corpus", "few"])
        .exits(4)
        .says("SURVIVES");
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[test]
fn gen_finds_a_changed_digit_and_repairs_it() {
    let place = Place::new();
    // The ops of one document, since `gen` runs every mistake over every case that it finds.
    copy(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/tensorflow-truncated-normal"),
        &place.file("vectors/tensorflow-truncated-normal"),
    );
    let name = "vectors/tensorflow-truncated-normal/derived.yaml";
    let clean = place.read(name);
    let digit = clean.find("bits: [\"").expect("the file has bits") + "bits: [\"".len();
    let mut changed = clean.clone();
    let other = if &changed[digit..=digit] == "0" { "1" } else { "0" };
    changed.replace_range(digit..=digit, other);
    // The decimals beside it would give the change away already when it is read.
    let line_end = digit + changed[digit..].find('\n').unwrap();
    if let Some(comment) = changed[digit..line_end].find(" # ") {
        changed.replace_range(digit + comment..line_end, "");
    }
    place.write(name, &changed);
    place
        .seedproof(&["gen", "--check"])
        .exits(4)
        .says(&format!("would change {name}"));
    assert_eq!(place.read(name), changed, "a check writes nothing");
    // A log of changes has to tell of this one.
    place.write("reports/goldens.txt", "0123456789ab the first that are counted\n");
    place
        .seedproof(&["gen"])
        .exits(0)
        .says(&format!("wrote {name}"))
        .says(" 1 case, all f32, at most ");
    // That what is generated is what is committed, and changes nothing a second time, is for `generated.rs`. Here the
    // other ops are missing, and with them cases that catch mistakes.
    let bits = |text: &str| {
        let lines = text.lines().filter(|line| line.contains("bits: ["));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(bits(&place.read(name)), bits(&clean));
}
