//! PyTorch's uniform by key: every type, ranges in which rounding decides, batches of keys, and what is refused.

use seedproof_ops::{Dtype, ErrorKind, OpName, PhiloxUniform, Request, Tensor};

use super::draft::{Draft, GridFile, Planned, names, tensor, without_repeats};
use super::philox_draws::{BATCHES, MISFITS, SHARED, SIZES};
use super::philox_keys::{KEYS, NO_KEYS, keys, ones, spelled};

const UNIFORM: &str = "\
Ranges in which product and sum are rounded, halves that reach high, bounds that are exchanged, infinite or NaN, and
batches of keys, whose extents of 1 fill what follows and repeat what stands before.";

/// The generated file.
pub(super) fn file() -> GridFile {
    GridFile::new(
        OpName::PhiloxUniform,
        "torch-philox-uniform/grid.yaml",
        UNIFORM,
        without_repeats(uniforms()),
    )
}

fn uniform(
    topic: &str,
    dtype: Dtype,
    sizes: &[u64],
    key: Tensor,
    bounds: [&str; 2],
    errata: &[&str],
) -> Draft {
    let [low, high] = bounds.map(|bound| tensor(Dtype::F64, &[], &[bound]));
    let request = PhiloxUniform {
        key,
        low,
        high,
        output_type: dtype.into(),
        output_sizes: sizes.to_vec(),
    };
    let own: &[&str] = match dtype {
        Dtype::F64 => &["tku.convert.f64", "tku.range"],
        Dtype::F32 => &["tku.convert", "tku.range", "tku.bounds.rounded"],
        _ => &["tku.convert", "tku.range.half", "tku.bounds.rounded"],
    };
    let bounds = ["tku.bounds.form", "tku.bounds.any"];
    let clauses = [&SHARED[..], own, &bounds].concat();
    Draft {
        errata: names(errata),
        ..Draft::new(
            &format!("tku/{dtype}/{topic}"),
            &clauses,
            Request::PhiloxUniform(request),
        )
    }
}

fn uniforms() -> Vec<Draft> {
    const FLOATS: [Dtype; 4] = [Dtype::F16, Dtype::Bf16, Dtype::F32, Dtype::F64];
    const FUSED: &[&str] = &["tku.range.fused"];
    const REACHED: &[&str] = &["tku.range.high-reached"];
    const UNCHECKED: &[&str] = &["tku.range.unchecked"];
    const RANGES: [(&str, [&str; 2], &[&str]); 24] = [
        ("unit", ["0", "1"], &["tku.convert.halves"]),
        ("signed", ["-1", "1"], &["tku.convert.halves"]),
        ("awkward", ["-0.1", "0.3"], FUSED),
        ("wide-awkward", ["-7.7", "13.9"], FUSED),
        ("thousand", ["-1000", "1000"], FUSED),
        ("hundred", ["100", "101"], REACHED),
        ("two-thousand", ["2047", "2049"], REACHED),
        ("one-step-of-f64", ["1", "1.0000000000000002"], REACHED),
        ("one-step-of-f32", ["16777216", "16777219"], REACHED),
        ("tie-of-f16", ["1.00048828125011", "1.75"], &[]),
        ("tie-of-bf16", ["1.0039062500001", "1.75"], &[]),
        ("equal", ["3", "3"], UNCHECKED),
        ("exchanged", ["2", "1"], UNCHECKED),
        ("exchanged-wide", ["100", "-100"], UNCHECKED),
        ("tiny", ["0", "1e-40"], &[]),
        ("tiny-f64", ["1e-310", "3e-310"], &[]),
        ("greatest-f16", ["-65504", "65504"], &[]),
        ("past-f16", ["0", "65520"], &[]),
        ("past-f32", ["0", "1e300"], UNCHECKED),
        ("infinite", ["0", "inf"], UNCHECKED),
        ("both-infinite", ["-inf", "inf"], UNCHECKED),
        ("nan", ["NaN", "1"], UNCHECKED),
        ("zero-signs", ["-0", "0"], UNCHECKED),
        ("third", ["0.3333333333333333", "1e4"], FUSED),
    ];
    let mut drafts = Vec::new();
    for (i, dtype) in FLOATS.into_iter().enumerate() {
        for (j, (topic, bounds, errata)) in RANGES.into_iter().enumerate() {
            let key = Tensor::vector(&KEYS[(i + j) % KEYS.len()]);
            drafts.push(uniform(
                &format!("range-{topic}"),
                dtype,
                &[33],
                key,
                bounds,
                errata,
            ));
        }
        for (j, sizes) in SIZES.into_iter().enumerate() {
            let key = Tensor::vector(&KEYS[(i + 2 * j) % KEYS.len()]);
            let topic = format!("shape-{}", spelled(sizes));
            let order: &[&str] = if dtype == Dtype::F64 {
                &["tku.convert.word-order"]
            } else {
                &[]
            };
            drafts.push(uniform(&topic, dtype, sizes, key, ["-2", "5"], order));
        }
        for (j, (batch, sizes)) in BATCHES.into_iter().enumerate() {
            let topic = format!("batch-{}-for-{}", spelled(batch), spelled(sizes));
            let errata = ["tku.batch.fill", "tku.batch.broadcast"];
            if j % 2 == i % 2 || dtype == Dtype::F32 {
                drafts.push(uniform(&topic, dtype, sizes, keys(batch), ["0", "1"], &errata));
            }
        }
    }
    drafts.push(uniform("long", Dtype::F32, &[1000], keys(&[]), ["0", "1"], &[]));
    drafts.push(uniform("long", Dtype::F64, &[1000], keys(&[]), ["0", "1"], &[]));
    let refused = |kind, draft: Draft| Draft {
        expect: Planned::Rejected(kind),
        errata: Vec::new(),
        ..draft
    };
    for (batch, sizes) in MISFITS {
        let topic = format!("refused-batch-{}-for-{}", spelled(batch), spelled(sizes));
        let draft = uniform(&topic, Dtype::F32, sizes, keys(batch), ["0", "1"], &[]);
        drafts.push(refused(ErrorKind::Shape, draft));
    }
    for (topic, dtype, dims, kind) in NO_KEYS {
        let draft = uniform(
            &format!("refused-{topic}"),
            Dtype::F32,
            &[3],
            ones(dtype, dims),
            ["0", "1"],
            &[],
        );
        drafts.push(refused(kind, draft));
    }
    drafts
}
