//! A small corpus in tables, and what lint says of an untidy one.

use seedproof_author::{cover, lint, stats};
use seedproof_corpus::{Corpus, Expectation};
use seedproof_ops::{Backend, BackendId, Failure, Limits, Request, Response, Support};
use seedproof_reference::Reference;

#[path = "../../corpus/tests/small/mod.rs"]
mod small;

use small::*;

/// An oracle that answers what a corpus expects.
struct Written<'a>(&'a Corpus, BackendId);

impl Backend for Written<'_> {
    fn id(&self) -> &BackendId {
        &self.1
    }

    fn supports(&self, _: &Request) -> Support {
        Support::Supported
    }

    fn run(&self, request: &Request) -> Result<Response, Failure> {
        let case = self.0.cases().find(|case| case.request == *request);
        match case.map(|case| &case.expect) {
            Some(Expectation::Bits(bits)) => Ok(Response::of(bits.output.clone())),
            _ => Err(Failure::error("nothing is written")),
        }
    }
}

/// What lint says of a corpus by an oracle that answers as the corpus `written` expects.
fn faults(corpus: &Corpus, written: &Corpus) -> Vec<String> {
    let oracle = Written(written, BackendId::new("written"));
    lint(corpus, &oracle).iter().map(ToString::to_string).collect()
}

#[test]
fn lint_names_what_is_untidy() {
    assert_eq!(faults(&small(), &small()), [""; 0]);
    let untidy = file(&[
        case("ru8/pytorch/i32/a", DERIVED, 1),
        case("ru8/tensorflow/i32/b", DERIVED, 1),
        case("ru8/tensorflow/i32/c", DERIVED, 2).replace("[fused-scale]", "[b, a]"),
        case("ru8/tensorflow/i32/d", DERIVED, 3)
            .replace("shape: [2]", "shape: [65]")
            .replace("[5, 5]", &format!("[{}]", ["5"; 65].join(", ")))
            .replace("[6, 6]", &format!("[{}]", ["6"; 65].join(", "))),
    ])
    .replace("# Why.\n", "")
    .replace("[ru8.convert.i32]", "[ru8.range.float, ru8.convert.i32]");
    let corpus = corpus(&[("a.yaml", untidy)]).unwrap();
    assert_eq!(
        faults(&corpus, &corpus),
        [
            "a.yaml:1:1: failed to find why this file exists: expected a comment at its beginning",
            "a.yaml:1:1: failed to list clauses in order: expected `ru8.convert.i32` before `ru8.range.float`",
            "a.yaml:5:5: failed to match the id `ru8/pytorch/i32/a` with its request: expected \
             ru8/tensorflow/i32/topic",
            "a.yaml:15:5: failed to find what `ru8/tensorflow/i32/b` asks that `ru8/pytorch/i32/a` does not: \
             expected one case for a request and a source",
            "a.yaml:25:5: failed to list flags in order: expected `a` before `b`",
            "a.yaml:35:5: failed to write out 65 elements: expected a digest over 64",
        ]
    );
}

#[test]
fn lint_refuses_placeholders() {
    let right = corpus(&[("a.yaml", file(&[case("ru8/tensorflow/i32/a", DERIVED, 1)]))]).unwrap();
    let text = file(&[case("ru8/tensorflow/i32/a", DERIVED, 1).replace("[5, 5]", "[0, 0]")]);
    let placeholder = corpus(&[("a.yaml", text)]).unwrap();
    assert_eq!(
        faults(&placeholder, &right),
        [
            "a.yaml:6:5: failed to match the expectation of `ru8/tensorflow/i32/a` with what `spec` answers: `seedproof \
             gen` computes it"
        ]
    );
}

#[test]
fn lint_refuses_statistics_of_what_seeds_determine() {
    let text = |seeds: &str| {
        let seeded = case("ru8/tensorflow/i32/a", DERIVED, 1).replace("bits: [5, 5]", "by: statistics");
        file(&[seeded.replace("global_seed: 1, op_seed: 2", seeds)])
    };
    let read = |seeds: &str| corpus(&[("a.yaml", text(seeds))]).unwrap();
    let fault =
        "a.yaml:6:5: failed to judge by statistics what seeds determine: expected seeds that are all zero";
    for (seeds, expected) in [
        ("global_seed: 1, op_seed: 2", true),
        ("global_seed: 0, op_seed: 2", true),
        ("global_seed: 0, op_seed: 0", false),
    ] {
        let corpus = read(seeds);
        assert_eq!(
            faults(&corpus, &corpus).contains(&fault.to_owned()),
            expected,
            "{seeds}"
        );
    }
}

/// No implementation can be right where the oracle always answers the same.
#[test]
fn lint_refuses_statistics_of_given_draws_and_of_refusals() {
    let unseeded = case("ru8/tensorflow/i32/a", DERIVED, 0).replace("op_seed: 2", "op_seed: 0");
    let unseeded = unseeded.replace("bits: [5, 5]", "by: statistics");
    let refused = file(&[unseeded.replace("maxval: 9", "maxval: 0")]);
    let multinomial = |draws: &str| {
        let text = unseeded
            .replace("ru8/tensorflow/i32/a", "mn13/replacement/f32/a")
            .replace(
                "output_type: i32, ",
                "convert_type: i32, with_replacement: true, log_probs: false, ",
            )
            .replace(", alignment: TENSORFLOW", "")
            .replace(
                "shape: [2], minval: 0, maxval: 9",
                &format!("probs: {{ dtype: f32, shape: [1, 2], bits: [\"3f000000\", \"3f000000\"] }}, num_samples: 2{draws}"),
            )
            .replace("\n    readings:\n      tensorflow-2.21: { bits: [6, 6] }", "");
        file(&[text]).replace("openvino.RandomUniform-8", "openvino.Multinomial-13")
    };
    let oracle = Reference::new(Limits::default(), || 1);
    let said = |text: String| -> Vec<String> {
        let corpus = corpus(&[("a.yaml", text)]).unwrap_or_else(|errors| panic!("{errors}"));
        lint(&corpus, &oracle).iter().map(ToString::to_string).collect()
    };
    assert_eq!(said(file(std::slice::from_ref(&unseeded))), [""; 0]);
    assert_eq!(
        said(refused),
        ["a.yaml:6:5: failed to judge by statistics what is refused: expected `rejected: range`"]
    );
    assert_eq!(said(multinomial("")), [""; 0]);
    assert_eq!(
        said(multinomial(
            ", draws: { dtype: f64, shape: [1, 2], bits: [\"3fd0000000000000\", \"3fe8000000000000\"] }"
        )),
        [
            "a.yaml:6:5: failed to judge by statistics what given draws determine: expected a request without them"
        ]
    );
}

#[test]
fn stats_count_every_case_in_every_table() {
    assert_eq!(
        stats(&small()),
        "3 cases in 2 files\n\n\
         by op\n     3  openvino.RandomUniform-8\n\n\
         by variant\n     3  TENSORFLOW\n\n\
         by element type\n     3  i32\n\n\
         by provenance\n     2  capture of openvino\n     1  derived\n\n\
         by expectation\n     3  bits\n\n\
         by elements\n     3  2 to 16\n"
    );
}

#[test]
fn cover_tells_code_and_cases_of_each_clause() {
    let source = "//! `[ru8.note]`\n\n/// `[ru8.convert.i32]`: the conversion.\n#[inline]\npub const fn i32_of(word: u32) \
                  -> i32 {\n    // [ru8.range.float] is not documentation.\n    0\n}\n";
    let cover = cover(&small(), &known(), &[("convert.rs", source)]);
    let uncovered: Vec<&str> = cover.uncovered().map(|clause| clause.id.as_str()).collect();
    assert_eq!(uncovered, ["ru8.range.float"]);
    assert_eq!(
        cover.to_string(),
        "must: 1 of 2 clauses have a case\n\
         should: 0 of 0 clauses have a case\n\
         informative: 0 of 1 clauses have a case\n\
         errata: 1 of 2 have a case\n\n\
         must-clauses without a case\n    ru8.range.float\n\n\
         errata without a case\n    ru8.range.rounding\n\n\
         clauses\n\
         ru8.convert.i32 (must)\n    convert.rs: i32_of\n    3 cases, such as ru8/tensorflow/i32/a\n\
         ru8.note (informative)\n    convert.rs: the module\n    no case\n\
         ru8.range.float (must)\n    no code cites it\n    no case\n\n\
         errata\n\
         ru8.range.fused\n    3 cases, such as ru8/tensorflow/i32/a\n\
         ru8.range.rounding\n    no case\n"
    );
}
