//! What each made-up implementation answers.

use std::iter::repeat_n;

use seedproof_check::{
    Comparison, Element, Finding, Form, Mismatch, Outcome, Stage, StageResult, StageValues,
};
use seedproof_ops::{BackendId, Dtype, Request, Scalar, Shape};
use seedproof_vectors::Case;

use super::cases::scalar;
use super::{FALLS, FORM, FUSED, SWAPPED, TAIL, TORCH};

/// A finding that the judge could have made.
fn finding(
    case: &Case,
    backend: &str,
    outcome: Outcome,
    message: &str,
    mismatch: Option<Mismatch>,
) -> Finding {
    Finding {
        case: case.id.clone(),
        backend: BackendId::new(backend),
        outcome,
        readings: Vec::new(),
        message: message.to_owned(),
        mismatch,
        stderr: String::new(),
    }
}

fn dtype(case: &Case) -> Dtype {
    match &case.request {
        Request::RandomUniform(request) => request.output_type.known().expect("known"),
        Request::Multinomial(_) => Dtype::I64,
        Request::DmlRandomGenerator(_) => Dtype::U32,
    }
}

fn element(dtype: Dtype, index: usize) -> Element {
    let expected = scalar(dtype, if dtype.is_float() { -1 } else { 40 }).bits();
    Element {
        index,
        coordinates: Shape::new(&[3, 2, 4]).expect("small").coordinates(index),
        block: Some((index as u64 / 4, (index % 4).try_into().expect("small"))),
        expected: Scalar::new(dtype, expected + 0x56),
        actual: Scalar::new(dtype, expected + 0x57),
        ulps: Some(1),
    }
}

fn stage_values(case: &Case, unit: u64) -> StageValues {
    let dtype = dtype(case);
    StageValues {
        words: vec![0xdead_beef, 7],
        unit: dtype.is_float().then(|| Scalar::new(dtype, unit)),
    }
}

fn differ(case: &Case, strip: &[u32], stages: &[(Stage, bool)]) -> Mismatch {
    let first = strip.iter().position(|&n| n > 0).expect("something differs");
    Mismatch::Elements(Comparison {
        total: strip.len(),
        differing: strip.iter().filter(|&&n| n > 0).count(),
        first: element(dtype(case), first),
        max_ulps: Some(3),
        strip: strip.to_vec(),
        stages: stages
            .iter()
            .map(|&(stage, equal)| StageResult { stage, equal })
            .collect(),
        expected_stages: (!stages.is_empty()).then(|| stage_values(case, 0x3b00)),
        actual_stages: (stages.len() == 3).then(|| stage_values(case, 0x3b01)),
    })
}

/// What the implementation of this name answers in the made-up world.
pub(super) fn judged(case: &Case, backend: &str) -> Finding {
    let id = case.id.as_str();
    let pass = finding(case, backend, Outcome::Pass, "", None);
    let uniform = id.starts_with("ru8/");
    match backend {
        FUSED if uniform && id.contains("range") && dtype(case).is_float() => {
            let strip: Vec<u32> = (0..24)
                .map(|i| u32::from([2, 3, 7, 11, 13, 17, 19].contains(&i)))
                .collect();
            let stages = [
                (Stage::Words, true),
                (Stage::UnitInterval, true),
                (Stage::Scale, false),
            ];
            let mismatch = differ(case, &strip, &stages);
            finding(
                case,
                backend,
                Outcome::Fail,
                "7 of 24 elements differ",
                Some(mismatch),
            )
        }
        SWAPPED if uniform && id.contains("tensorflow") => {
            let strip: Vec<u32> = [0, 1, 1, 1].into_iter().cycle().take(24).collect();
            let stages = [
                (Stage::Words, false),
                (Stage::UnitInterval, false),
                (Stage::Scale, false),
            ];
            let mismatch = differ(case, &strip, &stages);
            finding(
                case,
                backend,
                Outcome::Fail,
                "18 of 24 elements differ",
                Some(mismatch),
            )
        }
        TORCH if uniform && id.contains("range") => {
            let strip: Vec<u32> = repeat_n(0, 23).chain([1]).collect();
            let mismatch = differ(case, &strip, &[]);
            let outcome = Outcome::OtherReading;
            let mut finding = finding(case, backend, outcome, "1 of 24 elements differ", Some(mismatch));
            finding.readings.push("torch-2.12".to_owned());
            finding
        }
        FORM => wrong_form(case, backend, pass),
        FALLS => falls_over(case, backend, pass),
        TAIL if id.contains("large") => {
            let mismatch = Mismatch::Chunks {
                differing: (3..33).collect(),
                total: 33,
                first: Some(element(Dtype::U32, 2_097_150)),
            };
            finding(
                case,
                backend,
                Outcome::Fail,
                "30 of 33 chunks differ",
                Some(mismatch),
            )
        }
        TAIL if id.contains("carry") => {
            let words = |words: [u64; 6]| words.map(|w| Scalar::new(Dtype::U32, w)).to_vec();
            let mismatch = Mismatch::Output {
                name: "output_state".to_owned(),
                expected: words([5, 1, 0, 0, 1, 2]),
                actual: words([5, 0, 0, 0, 1, 2]),
            };
            finding(case, backend, Outcome::Fail, "the state differs", Some(mismatch))
        }
        TAIL if id.contains("tail-of-block") => {
            let strip: Vec<u32> = repeat_n(0, 20).chain(repeat_n(1, 4)).collect();
            let mismatch = differ(case, &strip, &[]);
            finding(
                case,
                backend,
                Outcome::Fail,
                "4 of 24 elements differ",
                Some(mismatch),
            )
        }
        TAIL if id.contains("both-zero") => {
            let mismatch = Mismatch::Statistics {
                message: "two runs gave the same 24 elements".to_owned(),
            };
            finding(case, backend, Outcome::Fail, "two runs are equal", Some(mismatch))
        }
        _ => pass,
    }
}

fn wrong_form(case: &Case, backend: &str, pass: Finding) -> Finding {
    let id = case.id.as_str();
    if id.contains("bf16/") {
        let message = "bf16 is not in this build";
        return finding(case, backend, Outcome::Unsupported, message, None);
    }
    if id.contains("f64/seeds") {
        let mismatch = Mismatch::Form {
            expected: Form {
                dtype: Dtype::F64,
                shape: Shape::new(&[3, 2, 4]).expect("small"),
            },
            actual: Form {
                dtype: Dtype::F32,
                shape: Shape::new(&[24]).expect("small"),
            },
        };
        return finding(case, backend, Outcome::Fail, "another form", Some(mismatch));
    }
    if id.contains("i64/range-wide") {
        let message = "refused: maxval 500 is not allowed (range), a value was due";
        return finding(case, backend, Outcome::Rejects, message, None);
    }
    if id.contains("probs-negative") {
        let message = "a value, where a rejection (probabilities) was due";
        return finding(case, backend, Outcome::Fail, message, None);
    }
    if id.contains("i32/") {
        let message = "claimed, then: no kernel for i32";
        return finding(case, backend, Outcome::ClaimBroken, message, None);
    }
    pass
}

fn falls_over(case: &Case, backend: &str, pass: Finding) -> Finding {
    let (outcome, message, stderr) = match case.id.as_str() {
        id if id.contains("f16/range-negative") => (
            Outcome::Crash,
            "its process ended with signal 11",
            "thread 'main' panicked at src/kernel.rs:41:9:\nindex out of bounds: the len is 24\n",
        ),
        id if id.contains("f32/range-wide") => (
            Outcome::OrderDependentCrash,
            "its process ended with status 3; asked alone, it answered",
            "",
        ),
        id if id.contains("f64/range-wide") => (Outcome::Timeout, "no answer in 10 s", ""),
        id if id.contains("f32/spec-example-1") => (
            Outcome::ProtocolError,
            "the answer is no frame: expected 4 bytes of length, got `{\"id\"`",
            "debug: answering\n",
        ),
        id if id.contains("i32/seeds-high") => (Outcome::Error, "out of memory", ""),
        id if id.contains("i64/seeds-high") => (Outcome::Infrastructure, "the pipe broke", ""),
        id if id.contains("dml/") => (Outcome::NotRun, "three restarts came before", ""),
        _ => return pass,
    };
    let mut finding = finding(case, backend, outcome, message, None);
    stderr.clone_into(&mut finding.stderr);
    finding
}
