//! `seedproof list`, `show`, `explain`, `errata` and `backends`.

use seedproof::judging::Catalogue;
use seedproof_check::{Exchange, Outcome};
use seedproof_corpus::{Case, Expectation};
use seedproof_ops::{Backend, Limits, Response};

use crate::{EXAMPLE, Place};

#[test]
fn list_prints_an_id_a_line() {
    let place = Place::new();
    let listed = place.seedproof(&["list", EXAMPLE, "dml/*spec*"]).exits(0);
    assert!(listed.out.lines().count() >= 2, "queries are a union");
    assert!(
        listed
            .out
            .lines()
            .all(|line| seedproof::corpus().get(line).is_some()),
        "{}",
        listed.out
    );
    let halves = place.seedproof(&["list", "dtype:f16"]).exits(0).out;
    assert!(halves.lines().any(|line| line.starts_with("ru8/pytorch/f16/")));
    assert!(!halves.contains("ru8/pytorch/f32/"));
}

#[test]
fn show_prints_words_unit_interval_and_value() {
    Place::new()
        .seedproof(&["show", EXAMPLE])
        .exits(0)
        .says("RandomUniform-8 TENSORFLOW f32 [3,3], seeds 150/10, range [0.0, 1.0)")
        .says("element  words               unit interval                          value")
        .says("value                                  block.word\n")
        .says("0  e059be6b            3f337cd6 0.7011236                     3f337cd6 0.7011236")
        .says("clause      ru8.philox.round:");
    Place::new()
        .seedproof(&["show", EXAMPLE, "--elements", "2"])
        .exits(0)
        .says("7 more: --elements N shows them");
}

#[test]
fn show_prints_what_other_ops_have() {
    let place = Place::new();
    let first = |query: &str| {
        place
            .seedproof(&["list", query])
            .exits(0)
            .out
            .lines()
            .next()
            .unwrap()
            .to_owned()
    };
    let state = first("dml/feature-level-4.0/jax-*");
    place
        .seedproof(&["show", &state])
        .exits(0)
        .says("DirectML RandomGenerator feature level 4.0 u32")
        .says("element");
    let multinomial = first("mn13/replacement/f64/spec-example-1");
    place
        .seedproof(&["show", "tfkc/i64/tensorflow-0-0"])
        .exits(0)
        .says("value                                  block.word counter\n")
        .says("dd5b9083 df7a3ef6")
        .says(" counter  0 18388005586443337812");
    place
        .seedproof(&["show", &multinomial])
        .exits(0)
        .says("Multinomial-13")
        .says("probs       f64")
        .says("\n element  value\n       0  1\n       1  1\n");
    let refused = first("ru8/tensorflow/f32/refused-*");
    place
        .seedproof(&["show", &refused])
        .exits(0)
        .says("expects     a rejection")
        .says("rejected");
    place
        .seedproof(&["show", "no/such"])
        .exits(2)
        .complains("there is no case `no/such`; `seedproof list` prints the ids");
}

fn bits(case: &Case) -> Vec<u8> {
    let Expectation::Bits(bits) = &case.expect else {
        panic!("{} has no bits", case.id)
    };
    bits.output.bytes().to_vec()
}

fn hex(bytes: &[u8]) -> String {
    let pairs: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    pairs.join(" ")
}

/// A `.npy` file of f32 values in row-major order.
pub(crate) fn npy(shape: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}");
    let mut file = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    file.extend(format!("{header:<117}\n").as_bytes());
    file.extend(data);
    file
}

#[test]
fn explain_takes_a_dump_in_three_forms() {
    let place = Place::new();
    let right = bits(seedproof::corpus().get(EXAMPLE).unwrap());
    place.write("raw.bin", &right);
    place.write("hex.txt", hex(&right));
    place.write("array.npy", npy("(3, 3)", &right));
    for file in ["raw.bin", "hex.txt", "array.npy"] {
        place
            .seedproof(&["explain", EXAMPLE, "--actual", file])
            .exits(0)
            .says("pass");
    }
    let mut wrong = right.clone();
    wrong[4] ^= 1;
    place.write("wrong.npy", npy("(3, 3)", &wrong));
    place
        .seedproof(&["explain", EXAMPLE, "--actual", "wrong.npy"])
        .exits(1)
        .says("1 of 9 elements differs; the first at [0,1] (flat 1: block 0, word 1)")
        .says("expected 3e9c5ce8 (0.305396318)   actual 3e9c5ce9");
}

#[test]
fn explain_reads_standard_input_and_further_outputs() {
    let place = Place::new();
    let right = bits(seedproof::corpus().get(EXAMPLE).unwrap());
    let words = right.as_chunks::<4>().0.iter();
    let words: Vec<String> = words
        .map(|&word| format!("{:08x}", u32::from_le_bytes(word)))
        .collect();
    place
        .seedproof_reading(&["explain", EXAMPLE, "--actual", "-"], words.join(" "))
        .exits(0)
        .complains("note: standard input: read as words in hexadecimal");
    let text = "0.7011236 0.30539632 0.93931055 0.9456035 0.11694777 0.50770056 0.5197197 0.22727466 0.99137";
    place
        .seedproof_reading(&["explain", EXAMPLE, "--actual", "-"], text)
        .exits(0)
        .complains("elements count as equal if they would be printed alike");
    let case = seedproof::corpus()
        .cases()
        .find(|case| matches!(&case.expect, Expectation::Bits(bits) if !bits.more.is_empty()))
        .unwrap();
    let Expectation::Bits(both) = &case.expect else {
        unreachable!("it was chosen so")
    };
    let name = case.request.outputs()[1].name;
    place.write("out.bin", both.output.bytes());
    let ran = ["explain", case.id.as_str(), "--actual", "out.bin"];
    place
        .seedproof(&ran)
        .exits(0)
        .complains(&format!("{name} is not judged: there is no out.{name}.bin"));
    let mut wrong = both.more[0].bytes().to_vec();
    wrong[0] ^= 1;
    place.write(&format!("out.{name}.bin"), wrong);
    place.seedproof(&ran).exits(1).says(name);
}

#[test]
fn explain_judges_no_random_output() {
    let random = seedproof::corpus()
        .cases()
        .find(|case| case.expect == Expectation::Statistical)
        .unwrap();
    Place::new()
        .seedproof_reading(&["explain", random.id.as_str(), "--actual", "-"], "0")
        .exits(2)
        .complains("its output is random");
}

#[test]
fn explain_takes_any_nan_unless_strict() {
    const CASE: &str = "ru8/tensorflow/f32/range-infinite";
    let place = Place::new();
    let negative = 0xffc0_0000_u32.to_le_bytes().repeat(33);
    place.write("dump.bin", negative);
    place
        .seedproof(&["explain", CASE, "--actual", "dump.bin"])
        .exits(0)
        .says("pass")
        .says("33 NaNs have other bits than spec's: ffc00000 for 7fc00000");
    place
        .seedproof(&["explain", CASE, "--actual", "dump.bin", "--strict-nan"])
        .exits(1)
        .says("expected 7fc00000 (NaN)   actual ffc00000 (NaN)");
}

#[test]
fn explain_says_what_is_wrong_with_a_dump() {
    let place = Place::new();
    place.write("short.bin", [0xff; 35]);
    place
        .seedproof(&["explain", EXAMPLE, "--actual", "short.bin"])
        .exits(2)
        .complains("failed to read short.bin: expected 36 bytes for f32 [3,3], found 35; the file is neither text nor .npy");
    place.write("columns.npy", npy("(9, 1)", &[0; 36]));
    place
        .seedproof(&["explain", EXAMPLE, "--actual", "columns.npy"])
        .exits(2)
        .complains("expected [3,3]");
    place
        .seedproof(&["explain", EXAMPLE, "--actual", "absent"])
        .exits(3)
        .complains("failed to read absent");
    // Of a request that is refused for a type, an output would still have a form.
    let refused = seedproof::corpus()
        .cases()
        .find(|case| case.id.as_str().contains("refused-shape") && case.request.output_forms().is_none())
        .unwrap();
    place
        .seedproof(&["explain", refused.id.as_str(), "--actual", "short.bin"])
        .exits(2)
        .complains("it must be refused");
}

#[test]
fn same_says_how_arrays_differ_that_it_does_not_compare() {
    let place = Place::new();
    place.write("row.npy", npy("(3,)", &[0; 12]));
    place.write("column.npy", npy("(3, 1)", &[0; 12]));
    place
        .seedproof(&["same", "row.npy", "column.npy"])
        .exits(2)
        .complains("row.npy is f32 [3], column.npy is f32 [3, 1]");
}

#[test]
fn same_says_where_nans_differ() {
    let place = Place::new();
    place.write("one.npy", npy("(1,)", &0x7fc0_0000_u32.to_le_bytes()));
    place.write("other.npy", npy("(1,)", &0xffc0_0123_u32.to_le_bytes()));
    let same = ["same", "one.npy", "other.npy"];
    place
        .seedproof(&same)
        .exits(0)
        .says("the same values: 1 element; the bits of 1 NaN differ")
        .never_says("the same bits");
    place.seedproof(&[&same[..], &["--strict-nan"]].concat()).exits(1);
}

#[test]
fn explain_without_a_dump_tells_the_case() {
    Place::new()
        .seedproof(&["explain", EXAMPLE])
        .exits(0)
        .says("expects     9 f32 elements, bit for bit")
        .says("erratum");
}

/// A case that a fused scale gets wrong as nothing else does, with what it gives.
fn fused(catalogue: &Catalogue) -> (&'static Case, Response) {
    let (_, engine) = catalogue
        .mistakes()
        .find(|(mistake, _)| mistake.id == "fused-scale")
        .unwrap();
    let gives = |engine: &dyn Backend, case: &Case| engine.run(&case.request).ok();
    let found = seedproof::corpus()
        .cases()
        .filter(|case| matches!(case.expect, Expectation::Bits(_)) && case.id.as_str().starts_with("ru8/"))
        .filter_map(|case| Some((case, gives(engine, case)?)))
        .filter(|(case, wrong)| gives(catalogue.reference(), case).is_some_and(|right| right != *wrong))
        .find(|(case, wrong)| {
            let same = |other: &dyn Backend| gives(other, case).as_ref() == Some(wrong);
            let rivals = catalogue
                .mistakes()
                .filter(|(mistake, other)| mistake.id != "fused-scale" && same(*other));
            rivals.count() == 0 && !catalogue.others().iter().any(|(_, other)| same(*other))
        });
    found.expect("the corpus tells a fused scale from all else")
}

#[test]
fn explain_names_the_mistake_that_was_made() {
    let catalogue = Catalogue::new(Limits::default());
    let (case, wrong) = fused(&catalogue);
    let place = Place::new();
    place.write("dump.bin", wrong.output.bytes());
    place
        .seedproof(&["explain", case.id.as_str(), "--actual", "dump.bin"])
        .exits(1)
        .says("explained by  fused-scale:")
        .says("fix:");
}

#[test]
fn caught_panics_are_findings_only() {
    struct Panics(seedproof_ops::BackendId);
    impl Backend for Panics {
        fn id(&self) -> &seedproof_ops::BackendId {
            &self.0
        }
        fn supports(&self, _: &seedproof_ops::Request) -> seedproof_ops::Support {
            panic!("in supports")
        }
        fn run(&self, _: &seedproof_ops::Request) -> Result<Response, seedproof_ops::Failure> {
            panic!("in run")
        }
        fn ask(&self, _: &seedproof_ops::Ask<'_>) -> seedproof_ops::Answer {
            panic!("in ask")
        }
    }
    seedproof::judging::quiet_panics();
    let catalogue = Catalogue::new(Limits::default());
    let backend = Panics(seedproof_ops::BackendId::new("panics"));
    let digested = seedproof::corpus()
        .cases()
        .find(|case| matches!(case.expect, Expectation::Digest(_)))
        .unwrap();
    for case in [seedproof::corpus().get(EXAMPLE).unwrap(), digested] {
        let judgement = seedproof::judging::judge_case(case, &backend, &catalogue, None).unwrap();
        assert_eq!(judgement.finding.outcome, Outcome::Error);
        assert!(
            judgement.finding.message.starts_with("the backend panicked: in "),
            "{}",
            judgement.finding.message
        );
        assert!(!matches!(judgement.exchange, Some(Exchange::Passed(_))));
    }
}

#[test]
fn errata_are_printed_one_all_or_as_markdown() {
    let place = Place::new();
    place
        .seedproof(&["errata", "ru8.philox.halves-cross"])
        .exits(0)
        .says("\n  -> cross: ")
        .says("\n     straight: ")
        .says("evidence:")
        .never_says("dml.");
    place
        .seedproof(&["errata", "dml.*"])
        .exits(0)
        .says("dml.counter.example")
        .never_says("ru8.");
    place
        .seedproof(&["errata", "tf-f64"])
        .exits(0)
        .says("proposal: Draw f64 in f64")
        .says("import numpy");
    place
        .seedproof(&["errata", "--markdown"])
        .exits(0)
        .says("# Errata")
        .says("**(adopted)**");
}

#[test]
fn backends_lists_what_can_be_named() {
    Place::new()
        .seedproof(&["backends"])
        .exits(0)
        .says("reference ")
        .says("  Seedproof's literal reference ")
        .says("\ncpu/scalar\n")
        .says("readings/torch-2.12 ");
}

#[test]
fn clause_prints_its_text_errata_and_cases() {
    let place = Place::new();
    place
        .seedproof(&["clause", "ru8.philox.round"])
        .exits(0)
        .says("ru8.philox.round\n  ")
        .says("erratum ru8.philox.")
        .says("`seedproof list clause:ru8.philox.round` prints them");
    let all = place.seedproof(&["clause", "RU8.Philox.*"]).exits(0).out;
    assert!(
        all.lines().filter(|line| line.starts_with("ru8.philox.")).count() > 3,
        "{all}"
    );
    place
        .seedproof(&["clause", "ru8.philox.rond"])
        .exits(5)
        .complains("there is no clause `ru8.philox.rond`; did you mean `ru8.philox.round`?");
}

#[test]
fn names_without_a_hit_are_answered_with_the_nearest() {
    let place = Place::new();
    for (args, nearest) in [
        (&["errata", "halfs-cross"][..], "ru8.philox.halves-cross"),
        (&["errata", "RU8.phylox.halves-cross"], "ru8.philox.halves-cross"),
        (&["list", "clause:ru8.philox.rond"], "clause:ru8.philox.round"),
        (&["list", "ru8/tensorflow/f32/spec-exmaple-1"], EXAMPLE),
        (
            &["run", "file:known-answer/philox.yaml"],
            "file:known-answers/philox.yaml",
        ),
    ] {
        let meant = format!("did you mean `{nearest}`?");
        place.seedproof(args).exits(5).complains(&meant);
    }
    place
        .seedproof(&["show", "ru8/tensorflow/f32/spec-example1"])
        .exits(2)
        .complains("did you mean `ru8/tensorflow/f32/spec-example-1`?");
    let none = place.seedproof(&["list", "quaternion"]).exits(5);
    assert!(!none.err.contains("did you mean"), "{}", none.err);
    place
        .seedproof(&["errata", "RU8.PHILOX.*"])
        .exits(0)
        .says("ru8.philox.halves-cross");
}
