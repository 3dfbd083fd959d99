//! RandomUniform-8: what each input and each attribute may not be.

use seedproof_ops::{Alignment, Attribute, Dtype, ErrorKind, Named, RandomUniform, Request, Tensor};

use super::refused::refused;
use crate::grid::draft::Draft;
use crate::grid::draft::tensor;

pub(super) fn drafts() -> Vec<Draft> {
    let mut drafts = shapes();
    drafts.extend(bounds());
    drafts.extend(attributes());
    drafts.extend(empty_ranges());
    drafts
}

/// Three f32 numbers in the unit range.
fn plain() -> RandomUniform {
    RandomUniform::new(Alignment::Tensorflow, &[3], [0.0_f32, 1.0], [3, 4])
}

fn draft(topic: &str, clause: &str, kind: ErrorKind, request: RandomUniform) -> Draft {
    let id = format!("ru8/tensorflow/{}/refused-{topic}", request.output_type);
    refused(&id, clause, &[], kind, Request::RandomUniform(request))
}

fn shapes() -> Vec<Draft> {
    [
        ("f32", ErrorKind::Dtype, Tensor::vector(&[3.0_f32])),
        ("u32", ErrorKind::Dtype, Tensor::vector(&[3_u32])),
        ("scalar", ErrorKind::Shape, Tensor::scalar(3_i64)),
        (
            "rank-2",
            ErrorKind::Shape,
            tensor(Dtype::I64, &[1, 2], &["3", "3"]),
        ),
        ("negative", ErrorKind::Shape, Tensor::vector(&[3_i64, -1])),
        ("negative-i32", ErrorKind::Shape, Tensor::vector(&[i32::MIN])),
        ("negative-twice", ErrorKind::Shape, Tensor::vector(&[-3_i64, -1])),
        (
            "negative-beside-zero",
            ErrorKind::Shape,
            Tensor::vector(&[0_i64, -1]),
        ),
    ]
    .map(|(topic, kind, shape)| {
        let request = RandomUniform { shape, ..plain() };
        draft(&format!("shape-{topic}"), "ru8.shape.form", kind, request)
    })
    .into()
}

fn bounds() -> Vec<Draft> {
    let (zero, one) = (Tensor::scalar(0.0_f32), Tensor::scalar(1.0_f32));
    let none = tensor::<&str>(Dtype::F32, &[0], &[]);
    let two = Tensor::vector(&[0.0_f32, 0.0]);
    let rank_2 = tensor(Dtype::F32, &[1, 1], &["0"]);
    [
        ("minval-rank-2", ErrorKind::Shape, rank_2, one.clone()),
        ("minval-two-elements", ErrorKind::Shape, two, one.clone()),
        (
            "maxval-two-elements",
            ErrorKind::Shape,
            zero.clone(),
            Tensor::vector(&[1.0_f32, 1.0]),
        ),
        ("maxval-no-element", ErrorKind::Shape, zero.clone(), none),
        ("minval-f64", ErrorKind::Dtype, Tensor::scalar(0.0_f64), one),
        ("maxval-i32", ErrorKind::Dtype, zero, Tensor::scalar(1_i32)),
    ]
    .map(|(topic, kind, minval, maxval)| {
        let request = RandomUniform {
            minval,
            maxval,
            ..plain()
        };
        draft(topic, "ru8.bounds.form", kind, request)
    })
    .into()
}

fn attributes() -> Vec<Draft> {
    let words = RandomUniform {
        output_type: Dtype::U32.into(),
        minval: Tensor::scalar(0_u32),
        maxval: Tensor::scalar(1_u32),
        ..plain()
    };
    let unknown = RandomUniform {
        output_type: Attribute::parse("f8e4m3"),
        ..plain()
    };
    let aligned = |text| RandomUniform {
        alignment: Attribute::parse(text),
        ..plain()
    };
    let (output_type, alignment) = ("ru8.attributes.output-type", "ru8.attributes.alignment");
    [
        ("output-type-u32", output_type, words),
        ("output-type-unknown", output_type, unknown),
        ("alignment-unknown", alignment, aligned("JAX")),
        ("alignment-in-lower-case", alignment, aligned("pytorch")),
    ]
    .map(|(topic, clause, request)| draft(topic, clause, ErrorKind::Attribute, request))
    .into()
}

/// Bounds that enclose nothing, in every type and both alignments.
fn empty_ranges() -> Vec<Draft> {
    const FLOATS: [(&str, &str, &str); 6] = [
        ("equal", "2", "2"),
        ("reversed", "2", "1"),
        ("zeros-of-both-signs", "-0", "0"),
        ("minval-nan", "NaN", "1"),
        ("maxval-nan", "0", "NaN"),
        ("infinities-equal", "inf", "inf"),
    ];
    const INTEGERS: [(&str, &str, &str); 3] = [
        ("equal", "7", "7"),
        ("reversed", "9", "-9"),
        ("one-below", "0", "-1"),
    ];
    let mut drafts = Vec::new();
    for &alignment in Alignment::ALL {
        for dtype in RandomUniform::TYPES {
            let ranges: &[_] = if dtype.is_float() { &FLOATS } else { &INTEGERS };
            for (topic, min, max) in ranges {
                let request = RandomUniform {
                    minval: tensor(dtype, &[], &[min]),
                    maxval: tensor(dtype, &[], &[max]),
                    output_type: dtype.into(),
                    alignment: alignment.into(),
                    ..plain()
                };
                let id = format!(
                    "ru8/{}/{dtype}/refused-bounds-{topic}",
                    alignment.to_string().to_lowercase()
                );
                let errata = &["ru8.bounds.enforced"];
                let request = Request::RandomUniform(request);
                drafts.push(refused(&id, "ru8.bounds.less", errata, ErrorKind::Range, request));
            }
        }
    }
    drafts
}
