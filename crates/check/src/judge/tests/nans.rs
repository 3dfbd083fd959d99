//! NaNs with other bits.

use super::*;
use std::sync::atomic::{AtomicUsize, Ordering};

fn floats(bits: [u32; 3]) -> Tensor {
    Tensor::vector(&bits.map(f32::from_bits))
}

/// A case that expects two NaNs, judged on an output, with a reading whose NaNs are negative.
fn nan_finding(output: Tensor, nan: NanRule) -> Judgement {
    let expected = floats([0x7fc0_0000, 0x3f80_0000, 0x7fc0_0000]);
    let request = uniform(Alignment::Tensorflow, Dtype::F32, &[3]);
    let case = case("ru8/tensorflow/f32/nan", request, bits(expected.clone()));
    let oracle = Fake::giving("reference", expected);
    let x86 = Fake::giving("readings/x86", floats([0xffc0_0000, 0x3f80_0000, 0xffc0_0000]));
    let judges = Judges {
        readings: &[("x86", &x86)],
        nan,
        ..under_spec(&oracle)
    };
    examine(&case, &Fake::giving("fake", output), &judges).unwrap()
}

#[test]
fn judge_notes_a_nan_with_other_bits_and_lets_it_pass() {
    let given = || floats([0xffc0_0000, 0x3f80_0000, 0x7fc0_0001]);
    let judgement = nan_finding(given(), NanRule::Class);
    assert_eq!(judgement.finding.outcome, Outcome::Pass);
    assert_eq!(
        judgement.finding.nans.unwrap().sentence("spec"),
        "2 NaNs have other bits than spec's: ffc00000 for 7fc00000"
    );
    assert!(matches!(judgement.exchange, Some(Exchange::Passed(_))));
    let exact = nan_finding(floats([0x7fc0_0000, 0x3f80_0000, 0x7fc0_0000]), NanRule::Class);
    assert_eq!(exact.finding.nans, None);
    let strict = nan_finding(given(), NanRule::Bits).finding;
    assert_eq!((strict.outcome, strict.nans), (Outcome::Fail, None));
    let as_x86 = nan_finding(floats([0xffc0_0000, 0x3f80_0000, 0xffc0_0000]), NanRule::Bits);
    assert_eq!(other_readings(&as_x86.finding), ["x86"]);
}

#[test]
fn judge_counts_only_what_differs_beside_a_nan() {
    let found = nan_finding(floats([0xffc0_0000, 0, 0xffc0_0000]), NanRule::Class).finding;
    assert_eq!((found.outcome, found.nans), (Outcome::Fail, None));
    assert!(matches!(found.mismatch, Some(Mismatch::Elements(c)) if c.differing == 1 && c.first.index == 1));
    let number_for_nan = nan_finding(floats([0, 0x3f80_0000, 0x7fc0_0000]), NanRule::Class).finding;
    assert_eq!(number_for_nan.outcome, Outcome::Fail);
}

#[test]
fn judge_spells_a_digest_out_for_a_nan() {
    let output = floats([0x7fc0_0000, 0x3f80_0000, 0x7fc0_0000]);
    let request = uniform(Alignment::Tensorflow, Dtype::F32, &[3]);
    let expected = by_digest(OutputDigest::Whole(Digest::whole(&output)));
    let case = case("ru8/tensorflow/f32/nan", request, expected);
    let oracle = Fake::giving("reference", output);
    let found = |output| judge(&case, &Fake::giving("fake", output), &under_spec(&oracle)).unwrap();
    let other = found(floats([0xffc0_0000, 0x3f80_0000, 0x7fc0_0000]));
    assert_eq!(other.outcome, Outcome::Pass);
    assert_eq!(other.nans.map(|nans| nans.count), Some(1));
    assert_eq!(
        found(floats([0xffc0_0000, 0, 0x7fc0_0000])).outcome,
        Outcome::Fail
    );
}

/// A note on NaNs is about an answer that passes.
#[test]
fn judge_notes_no_nan_of_an_answer_that_changes() {
    let asked = AtomicUsize::new(0);
    let changing = Fake::new("fake", move |_| {
        let last = [0x3f80_0000, 0x4000_0000][asked.fetch_add(1, Ordering::Relaxed).min(1)];
        Ok(Response::of(floats([0xffc0_0000, 0x3f80_0000, last])))
    });
    let right = floats([0x7fc0_0000, 0x3f80_0000, 0x3f80_0000]);
    let request = uniform(Alignment::Tensorflow, Dtype::F32, &[3]);
    let case = case("ru8/tensorflow/f32/nan", request, bits(right.clone()));
    let oracle = Fake::giving("reference", right);
    let judges = Judges {
        repeat: 1,
        ..under_spec(&oracle)
    };
    let found = judge(&case, &changing, &judges).unwrap();
    assert_eq!((found.outcome, found.nans), (Outcome::NotRepeatable, None));
    assert_eq!(found.contradiction(), None);
}
