//! Multinomial-13: what the document asks for and nobody checks, and the forms of the inputs.

use seedproof_ops::{Attribute, Dtype, ErrorKind, Multinomial, Request, Tensor};

use super::refused::refused;
use crate::grid::draft::Draft;
use crate::grid::draft::tensor;
use crate::grid::multinomial::{TYPES, prefix};

pub(super) fn drafts() -> Vec<Draft> {
    let mut drafts = inputs();
    drafts.extend(draws());
    drafts.extend(convert_types());
    drafts.extend(invalid_probabilities());
    drafts.extend(too_many_samples());
    drafts
}

/// Two samples of three classes, with replacement.
fn plain() -> Multinomial {
    Multinomial {
        probs: tensor(Dtype::F32, &[1, 3], &["1", "2", "1"]),
        num_samples: Tensor::scalar(2_i32),
        draws: None,
        convert_type: Dtype::I32.into(),
        with_replacement: true,
        log_probs: false,
        global_seed: 3,
        op_seed: 4,
        execution: 0,
    }
}

fn draft(topic: &str, clause: &str, kind: ErrorKind, request: Multinomial) -> Draft {
    let errata: &[&str] = match kind {
        ErrorKind::Probabilities | ErrorKind::Samples => &["mn13.validation"],
        _ => &[],
    };
    let id = format!("{}/refused-{topic}", prefix(&request));
    refused(&id, clause, errata, kind, Request::Multinomial(request))
}

fn inputs() -> Vec<Draft> {
    let probs = |dtype, dims: &[u64], decimals: &[&str]| Multinomial {
        probs: tensor(dtype, dims, decimals),
        ..plain()
    };
    let samples = |num_samples| Multinomial {
        num_samples,
        ..plain()
    };
    let weights = ["1", "2", "1"];
    let (form, count) = ("mn13.probs.form", "mn13.num-samples.form");
    let (dtype, shape) = (ErrorKind::Dtype, ErrorKind::Shape);
    [
        ("probs-i32", form, dtype, probs(Dtype::I32, &[1, 3], &weights)),
        ("probs-u32", form, dtype, probs(Dtype::U32, &[1, 3], &weights)),
        ("probs-rank-1", form, shape, probs(Dtype::F32, &[3], &weights)),
        (
            "probs-rank-3",
            form,
            shape,
            probs(Dtype::F32, &[1, 1, 3], &weights),
        ),
        (
            "probs-without-a-class",
            form,
            shape,
            probs(Dtype::F32, &[1, 0], &[]),
        ),
        ("probs-scalar", form, shape, probs(Dtype::F32, &[], &["1"])),
        ("num-samples-f32", count, dtype, samples(Tensor::scalar(2.0_f32))),
        ("num-samples-u32", count, dtype, samples(Tensor::scalar(2_u32))),
        (
            "num-samples-two-elements",
            count,
            shape,
            samples(Tensor::vector(&[2_i32, 2])),
        ),
        (
            "num-samples-rank-2",
            count,
            shape,
            samples(tensor(Dtype::I32, &[1, 1], &["2"])),
        ),
    ]
    .map(|(topic, clause, kind, request)| draft(topic, clause, kind, request))
    .into()
}

fn draws() -> Vec<Draft> {
    let (dtype, shape, range) = (ErrorKind::Dtype, ErrorKind::Shape, ErrorKind::Range);
    let pair = |decimals: [&str; 2]| tensor(Dtype::F64, &[1, 2], &decimals);
    let halves = ["0.5", "0.5"];
    [
        ("draws-f32", dtype, tensor(Dtype::F32, &[1, 2], &halves)),
        ("draws-rank-1", shape, tensor(Dtype::F64, &[2], &halves)),
        ("draws-too-few", shape, tensor(Dtype::F64, &[1, 1], &["0.5"])),
        ("draws-transposed", shape, tensor(Dtype::F64, &[2, 1], &halves)),
        ("draw-negative", range, pair(["0.5", "-5e-324"])),
        ("draw-above-one", range, pair(["1.0000000000000002", "0.5"])),
        ("draw-nan", range, pair(["0.5", "NaN"])),
        ("draw-infinite", range, pair(["inf", "0.5"])),
    ]
    .map(|(topic, kind, draws)| {
        let request = Multinomial {
            draws: Some(draws),
            ..plain()
        };
        draft(topic, "mn13.draws.given", kind, request)
    })
    .into()
}

fn convert_types() -> Vec<Draft> {
    [("f32", "f32"), ("u32", "u32"), ("unknown", "i16")]
        .map(|(topic, text)| {
            let request = Multinomial {
                convert_type: Attribute::parse(text),
                ..plain()
            };
            let clause = "mn13.attributes.convert-type";
            draft(
                &format!("convert-type-{topic}"),
                clause,
                ErrorKind::Attribute,
                request,
            )
        })
        .into()
}

fn invalid_probabilities() -> Vec<Draft> {
    const CASES: [(&str, bool, [&str; 6]); 14] = [
        ("negative", false, ["1", "-0.5", "1", "1", "2", "1"]),
        (
            "negative-in-the-second-row",
            false,
            ["1", "2", "1", "2", "1", "-1"],
        ),
        ("negative-subnormal", false, ["1", "-6e-8", "1", "1", "2", "1"]),
        ("nan", false, ["1", "NaN", "1", "1", "2", "1"]),
        ("infinite", false, ["1", "inf", "1", "1", "2", "1"]),
        ("minus-infinite", false, ["1", "-inf", "1", "1", "2", "1"]),
        ("zero-sum", false, ["0", "0", "0", "1", "2", "1"]),
        (
            "zero-sum-in-the-second-row",
            false,
            ["1", "2", "1", "0", "0", "0"],
        ),
        ("log-nan", true, ["1", "NaN", "1", "1", "2", "1"]),
        ("log-infinite", true, ["1", "inf", "1", "1", "2", "1"]),
        ("log-minus-infinite", true, ["1", "-inf", "1", "1", "2", "1"]),
        ("log-zero-sum", true, ["-1000", "-1000", "-1000", "1", "2", "1"]),
        ("log-infinite-sum", true, ["1", "1000", "1", "1", "2", "1"]),
        (
            "log-infinite-sum-of-finite",
            true,
            ["709.5", "709.5", "709.5", "1", "2", "1"],
        ),
    ];
    let mut drafts = Vec::new();
    for dtype in TYPES {
        for (topic, log_probs, probs) in CASES {
            // bf16 has no 709.5; what it rounds that to has a finite sum.
            if topic.ends_with("of-finite") && dtype == Dtype::Bf16 {
                continue;
            }
            let request = Multinomial {
                probs: tensor(dtype, &[2, 3], &probs),
                log_probs,
                ..plain()
            };
            drafts.push(draft(
                topic,
                "mn13.probs.valid",
                ErrorKind::Probabilities,
                request,
            ));
        }
    }
    let largest = Multinomial {
        probs: tensor(Dtype::F64, &[1, 2], &["1.7976931348623157e308"; 2]),
        ..plain()
    };
    let clause = "mn13.probs.valid";
    drafts.push(draft(
        "infinite-sum-of-finite",
        clause,
        ErrorKind::Probabilities,
        largest,
    ));
    drafts
}

fn too_many_samples() -> Vec<Draft> {
    let count = |num_samples, with_replacement, probs: [&str; 6]| Multinomial {
        probs: tensor(Dtype::F32, &[2, 3], &probs),
        num_samples,
        with_replacement,
        ..plain()
    };
    let full = ["1", "2", "1", "2", "1", "1"];
    let gap = ["1", "2", "1", "2", "0", "1"];
    let int = |n: i32| Tensor::scalar(n);
    [
        ("negative", count(int(-1), true, full)),
        ("negative-i64", count(Tensor::scalar(i64::MIN), true, full)),
        ("negative-without-replacement", count(int(-1), false, full)),
        ("one-too-many", count(int(4), false, full)),
        ("one-too-many-for-the-non-zero", count(int(3), false, gap)),
        ("far-too-many", count(Tensor::scalar(1_i64 << 62), false, full)),
    ]
    .map(|(topic, request)| {
        draft(
            &format!("samples-{topic}"),
            "mn13.num-samples.count",
            ErrorKind::Samples,
            request,
        )
    })
    .into()
}
