//! Every rule by which a request is refused, one request for each.

use seedproof_ops::{
    Alignment, Attribute, DmlRandomGenerator, Dtype, ErrorKind, FeatureLevel, Multinomial, Named, OpName,
    RandomUniform, Request, Tensor,
};

use super::{Draft, GridFile, Planned, names, tensor};

const RANDOM_UNIFORM: &str = "Requests that RandomUniform-8 refuses. Real plugins divide by an empty range, read a bound of another type as \
bits, or return uninitialised memory; an implementation that answers any of these is as wrong as one that draws other numbers.";
const MULTINOMIAL: &str = "Requests that Multinomial-13 refuses. The document asks for probabilities that are not negative, finite and sum to something, \
and for no more samples than classes; OpenVINO's plugins check none of it and return whatever was in memory.";
const DML: &str = "Descriptions that DirectML refuses, at both feature levels. A caller in the wild passes a state of four words and asks for \
floats, and gets away with it.";

pub(super) fn files() -> Vec<GridFile> {
    let file = |path, comment, op, drafts| GridFile {
        path,
        comment,
        op,
        drafts,
    };
    vec![
        file(
            "random-uniform-8/grid-refusals.yaml",
            RANDOM_UNIFORM,
            OpName::RandomUniform,
            random_uniform(),
        ),
        file(
            "multinomial-13/grid-refusals.yaml",
            MULTINOMIAL,
            OpName::Multinomial,
            multinomial(),
        ),
        file(
            "dml-random-generator/grid-refusals.yaml",
            DML,
            OpName::DmlRandomGenerator,
            dml(),
        ),
    ]
}

fn refused(id: &str, clause: &str, errata: &[&str], kind: ErrorKind, request: Request) -> Draft {
    Draft {
        errata: names(errata),
        expect: Planned::Rejected(kind),
        ..Draft::new(id, &[clause], request)
    }
}

fn attribute<T: Named>(text: &str) -> Attribute<T> {
    Attribute::parse(text)
}

/// Three f32 numbers in the unit range.
fn plain_uniform() -> RandomUniform {
    RandomUniform {
        shape: Tensor::vector(&[3_i64]),
        minval: Tensor::scalar(0.0_f32),
        maxval: Tensor::scalar(1.0_f32),
        output_type: Dtype::F32.into(),
        global_seed: 3,
        op_seed: 4,
        alignment: Alignment::Tensorflow.into(),
        execution: 0,
    }
}

fn random_uniform() -> Vec<Draft> {
    let plain = plain_uniform;
    let one = |topic: &str, clause, kind, request| {
        let id = format!("ru8/tensorflow/f32/refused-{topic}");
        refused(&id, clause, &[], kind, Request::RandomUniform(request))
    };
    let shaped = |shape| RandomUniform { shape, ..plain() };
    let bounded = |minval, maxval| RandomUniform {
        minval,
        maxval,
        ..plain()
    };
    let (zero, unit) = (Tensor::scalar(0.0_f32), Tensor::scalar(1.0_f32));
    let mut drafts = vec![
        one("shape-f32", "ru8.shape.form", ErrorKind::Dtype, shaped(Tensor::vector(&[3.0_f32]))),
        one("shape-u32", "ru8.shape.form", ErrorKind::Dtype, shaped(Tensor::vector(&[3_u32]))),
        one("shape-scalar", "ru8.shape.form", ErrorKind::Shape, shaped(Tensor::scalar(3_i64))),
        one("shape-rank-2", "ru8.shape.form", ErrorKind::Shape, shaped(tensor(Dtype::I64, &[1, 2], &["3", "3"]))),
        one("shape-negative", "ru8.shape.form", ErrorKind::Shape, shaped(Tensor::vector(&[3_i64, -1]))),
        one("shape-negative-i32", "ru8.shape.form", ErrorKind::Shape, shaped(Tensor::vector(&[i32::MIN]))),
        one(
            "shape-negative-twice",
            "ru8.shape.form",
            ErrorKind::Shape,
            shaped(Tensor::vector(&[-3_i64, -1])),
        ),
        one(
            "minval-rank-2",
            "ru8.bounds.form",
            ErrorKind::Shape,
            bounded(tensor(Dtype::F32, &[1, 1], &["0"]), unit.clone()),
        ),
        one(
            "minval-two-elements",
            "ru8.bounds.form",
            ErrorKind::Shape,
            bounded(Tensor::vector(&[0.0_f32, 0.0]), unit.clone()),
        ),
        one(
            "maxval-two-elements",
            "ru8.bounds.form",
            ErrorKind::Shape,
            bounded(zero.clone(), Tensor::vector(&[1.0_f32, 1.0])),
        ),
        one(
            "maxval-no-element",
            "ru8.bounds.form",
            ErrorKind::Shape,
            bounded(zero.clone(), tensor::<&str>(Dtype::F32, &[0], &[])),
        ),
        one("minval-f64", "ru8.bounds.form", ErrorKind::Dtype, bounded(Tensor::scalar(0.0_f64), unit)),
        one("maxval-i32", "ru8.bounds.form", ErrorKind::Dtype, bounded(zero, Tensor::scalar(1_i32))),
        one(
            "output-type-u32",
            "ru8.attributes.output-type",
            ErrorKind::Attribute,
            RandomUniform {
                output_type: Dtype::U32.into(),
                ..bounded(Tensor::scalar(0_u32), Tensor::scalar(1_u32))
            },
        ),
        one(
            "output-type-unknown",
            "ru8.attributes.output-type",
            ErrorKind::Attribute,
            RandomUniform {
                output_type: attribute("f8e4m3"),
                ..plain()
            },
        ),
        one(
            "alignment-unknown",
            "ru8.attributes.alignment",
            ErrorKind::Attribute,
            RandomUniform {
                alignment: attribute("JAX"),
                ..plain()
            },
        ),
        one(
            "alignment-in-lower-case",
            "ru8.attributes.alignment",
            ErrorKind::Attribute,
            RandomUniform {
                alignment: attribute("pytorch"),
                ..plain()
            },
        ),
    ];
    drafts.extend(empty_ranges());
    drafts
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
    const INTEGERS: [(&str, &str, &str); 3] = [("equal", "7", "7"), ("reversed", "9", "-9"), ("one-below", "0", "-1")];
    let mut drafts = Vec::new();
    for &alignment in Alignment::ALL {
        for dtype in [Dtype::F16, Dtype::Bf16, Dtype::F32, Dtype::F64, Dtype::I32, Dtype::I64] {
            let ranges: &[_] = if dtype.is_float() { &FLOATS } else { &INTEGERS };
            for (topic, min, max) in ranges {
                let request = RandomUniform {
                    minval: tensor(dtype, &[], &[min]),
                    maxval: tensor(dtype, &[], &[max]),
                    output_type: dtype.into(),
                    alignment: alignment.into(),
                    ..plain_uniform()
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

/// Two samples of three classes, with replacement.
fn plain_multinomial() -> Multinomial {
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

fn multinomial() -> Vec<Draft> {
    let mut drafts = malformed_multinomial();
    drafts.extend(invalid_probabilities());
    drafts.extend(too_many_samples());
    drafts
}

fn multinomial_draft(topic: &str, clause: &str, kind: ErrorKind, request: Multinomial) -> Draft {
    let errata: &[&str] = match kind {
        ErrorKind::Probabilities | ErrorKind::Samples => &["mn13.validation"],
        _ => &[],
    };
    let id = format!("{}/refused-{topic}", super::multinomial::prefix(&request));
    refused(&id, clause, errata, kind, Request::Multinomial(request))
}

fn malformed_multinomial() -> Vec<Draft> {
    use multinomial_draft as one;
    let plain = plain_multinomial;
    let with_probs = |probs| Multinomial { probs, ..plain() };
    let with_samples = |num_samples| Multinomial { num_samples, ..plain() };
    let with_draws = |draws| Multinomial {
        draws: Some(draws),
        ..plain()
    };
    let with_convert = |text| Multinomial {
        convert_type: attribute(text),
        ..plain()
    };
    let pair = |draws: [&str; 2]| tensor(Dtype::F64, &[1, 2], &draws);
    let (probs, samples, draws) = ("mn13.probs.form", "mn13.num-samples.form", "mn13.draws.given");
    let convert = "mn13.attributes.convert-type";
    let (dtype, shape, range) = (ErrorKind::Dtype, ErrorKind::Shape, ErrorKind::Range);
    vec![
        one("probs-i32", probs, dtype, with_probs(tensor(Dtype::I32, &[1, 3], &["1", "2", "1"]))),
        one("probs-u32", probs, dtype, with_probs(tensor(Dtype::U32, &[1, 3], &["1", "2", "1"]))),
        one("probs-rank-1", probs, shape, with_probs(tensor(Dtype::F32, &[3], &["1", "2", "1"]))),
        one("probs-rank-3", probs, shape, with_probs(tensor(Dtype::F32, &[1, 1, 3], &["1", "2", "1"]))),
        one("probs-scalar", probs, shape, with_probs(tensor(Dtype::F32, &[], &["1"]))),
        one("num-samples-f32", samples, dtype, with_samples(Tensor::scalar(2.0_f32))),
        one("num-samples-u32", samples, dtype, with_samples(Tensor::scalar(2_u32))),
        one("num-samples-two-elements", samples, shape, with_samples(Tensor::vector(&[2_i32, 2]))),
        one("num-samples-rank-2", samples, shape, with_samples(tensor(Dtype::I32, &[1, 1], &["2"]))),
        one("draws-f32", draws, dtype, with_draws(tensor(Dtype::F32, &[1, 2], &["0.5", "0.5"]))),
        one("draws-rank-1", draws, shape, with_draws(tensor(Dtype::F64, &[2], &["0.5", "0.5"]))),
        one("draws-too-few", draws, shape, with_draws(tensor(Dtype::F64, &[1, 1], &["0.5"]))),
        one("draws-transposed", draws, shape, with_draws(tensor(Dtype::F64, &[2, 1], &["0.5", "0.5"]))),
        one("draw-negative", draws, range, with_draws(pair(["0.5", "-5e-324"]))),
        one("draw-above-one", draws, range, with_draws(pair(["1.0000000000000002", "0.5"]))),
        one("draw-nan", draws, range, with_draws(pair(["0.5", "NaN"]))),
        one("convert-type-f32", convert, ErrorKind::Attribute, with_convert("f32")),
        one("convert-type-u32", convert, ErrorKind::Attribute, with_convert("u32")),
        one("convert-type-unknown", convert, ErrorKind::Attribute, with_convert("i16")),
    ]
}

fn invalid_probabilities() -> Vec<Draft> {
    const CASES: [(&str, bool, [&str; 6]); 14] = [
        ("negative", false, ["1", "-0.5", "1", "1", "2", "1"]),
        ("negative-in-the-second-row", false, ["1", "2", "1", "2", "1", "-1"]),
        ("negative-subnormal", false, ["1", "-6e-8", "1", "1", "2", "1"]),
        ("nan", false, ["1", "NaN", "1", "1", "2", "1"]),
        ("infinite", false, ["1", "inf", "1", "1", "2", "1"]),
        ("minus-infinite", false, ["1", "-inf", "1", "1", "2", "1"]),
        ("zero-sum", false, ["0", "0", "0", "1", "2", "1"]),
        ("zero-sum-in-the-second-row", false, ["1", "2", "1", "0", "0", "0"]),
        ("log-nan", true, ["1", "NaN", "1", "1", "2", "1"]),
        ("log-infinite", true, ["1", "inf", "1", "1", "2", "1"]),
        ("log-minus-infinite", true, ["1", "-inf", "1", "1", "2", "1"]),
        ("log-zero-sum", true, ["-1000", "-1000", "-1000", "1", "2", "1"]),
        ("log-infinite-sum", true, ["1", "1000", "1", "1", "2", "1"]),
        ("log-infinite-sum-of-finite", true, ["709.5", "709.5", "709.5", "1", "2", "1"]),
    ];
    let mut drafts = Vec::new();
    for dtype in super::multinomial::TYPES {
        for (topic, log_probs, probs) in CASES {
            // The largest logarithm below the overflow of f64 is one only in the types that have it: f16 and
            // bf16 round 709.5 to 709.5 and to 708, of which three still sum to infinity or to a number.
            if topic.ends_with("of-finite") && dtype == Dtype::Bf16 {
                continue;
            }
            let request = Multinomial {
                probs: tensor(dtype, &[2, 3], &probs),
                log_probs,
                ..plain_multinomial()
            };
            drafts.push(multinomial_draft(
                topic,
                "mn13.probs.valid",
                ErrorKind::Probabilities,
                request,
            ));
        }
    }
    let largest = Multinomial {
        probs: tensor(Dtype::F64, &[1, 2], &["1.7976931348623157e308"; 2]),
        ..plain_multinomial()
    };
    let clause = "mn13.probs.valid";
    drafts.push(multinomial_draft("infinite-sum-of-finite", clause, ErrorKind::Probabilities, largest));
    let no_class = Multinomial {
        probs: tensor::<&str>(Dtype::F32, &[1, 0], &[]),
        ..plain_multinomial()
    };
    drafts.push(multinomial_draft("no-class", clause, ErrorKind::Probabilities, no_class));
    drafts
}

fn too_many_samples() -> Vec<Draft> {
    let count = |num_samples, with_replacement, probs: [&str; 6]| Multinomial {
        probs: tensor(Dtype::F32, &[2, 3], &probs),
        num_samples,
        with_replacement,
        ..plain_multinomial()
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
        multinomial_draft(
            &format!("samples-{topic}"),
            "mn13.num-samples.count",
            ErrorKind::Samples,
            request,
        )
    })
    .into()
}

fn dml() -> Vec<Draft> {
    use ErrorKind::{Attribute as Value, Dtype as Type, Shape as Extent, State};
    use FeatureLevel::{Level3_0 as Old, Level4_0 as New};
    let words = |dims: &[u64]| {
        let count = usize::try_from(dims.iter().product::<u64>()).expect("a state is small");
        tensor(Dtype::U32, dims, &vec!["1"; count])
    };
    let plain = |level: FeatureLevel, input_state, sizes: &[u64]| DmlRandomGenerator {
        input_state,
        output_sizes: sizes.to_vec(),
        generator: attribute("PHILOX_4X32_10"),
        feature_level: level.into(),
        output_state: true,
    };
    let old = |dims: &[u64], sizes: &[u64]| plain(Old, words(dims), sizes);
    let new = |dims: &[u64], sizes: &[u64]| plain(New, words(dims), sizes);
    let (state4, state1): (&[u64], &[u64]) = (&[1, 1, 1, 6], &[6]);
    let ones = |dtype| tensor(dtype, state4, &["1"; 6]);
    let (state, output) = ("dml.state.form", "dml.output.form");
    let (level3, level4) = ("dml.feature-level.3-0", "dml.feature-level.4-0");
    let cases = [
        ("state-f32", Type, state, plain(Old, ones(Dtype::F32), &[1, 1, 1, 4])),
        ("state-i32", Type, state, plain(Old, ones(Dtype::I32), &[1, 1, 1, 4])),
        ("state-f32", Type, state, plain(New, tensor(Dtype::F32, &[6], &["1"; 6]), &[4])),
        ("state-of-four-words", State, state, old(&[1, 1, 1, 4], &[1, 1, 1, 4])),
        ("state-of-five-words", State, state, old(&[1, 1, 1, 5], &[1, 1, 1, 4])),
        ("state-of-seven-words", State, state, old(&[1, 1, 1, 7], &[1, 1, 1, 4])),
        ("state-six-not-last", State, state, old(&[1, 1, 6, 1], &[1, 1, 1, 4])),
        ("state-two-by-three", State, state, old(&[1, 2, 1, 3], &[1, 1, 1, 4])),
        ("state-of-two-states", State, state, old(&[2, 1, 1, 6], &[1, 1, 1, 4])),
        ("state-rank-1", State, level3, old(&[6], &[1, 1, 1, 4])),
        ("state-rank-5", State, level3, old(&[1, 1, 1, 1, 6], &[1, 1, 1, 4])),
        ("output-rank-1", Extent, level3, old(state4, &[4])),
        ("output-rank-3", Extent, level3, old(state4, &[1, 1, 4])),
        ("output-rank-5", Extent, level3, old(state4, &[1, 1, 1, 1, 4])),
        ("output-rank-0", Extent, level3, old(state4, &[])),
        ("output-empty", Extent, output, old(state4, &[1, 1, 1, 0])),
        ("output-empty-in-the-middle", Extent, output, old(state4, &[2, 0, 3, 4])),
        ("state-of-four-words", State, state, new(&[4], &[4])),
        ("state-of-no-words", State, state, new(&[0], &[4])),
        ("state-scalar", State, state, new(&[], &[4])),
        ("state-six-not-last", State, state, new(&[6, 1], &[4])),
        ("state-of-two-states", State, state, new(&[2, 6], &[4])),
        ("state-rank-9", State, level4, new(&[1, 1, 1, 1, 1, 1, 1, 1, 6], &[4])),
        ("output-rank-9", Extent, level4, new(state1, &[1, 1, 1, 1, 1, 1, 1, 1, 4])),
        ("output-rank-0", Extent, level4, new(state1, &[])),
        ("output-empty", Extent, output, new(state1, &[0])),
        ("output-empty-in-the-middle", Extent, output, new(state1, &[3, 0, 5])),
    ];
    let mut drafts: Vec<Draft> = cases
        .into_iter()
        .map(|(topic, kind, clause, request)| {
            let id = format!("dml/feature-level-{}/refused-{topic}", request.feature_level);
            let errata: &[&str] = match topic {
                text if text.starts_with("output-empty") => &["dml.output.zero-size"],
                text if text.starts_with("state-rank") => &["dml.state.rank"],
                _ => &[],
            };
            refused(&id, clause, errata, kind, Request::DmlRandomGenerator(request))
        })
        .collect();
    for (topic, clause, request) in [
        (
            "type-unknown",
            "dml.type",
            DmlRandomGenerator {
                generator: attribute("1"),
                ..old(state4, &[1, 1, 1, 4])
            },
        ),
        (
            "type-of-seven-rounds",
            "dml.type",
            DmlRandomGenerator {
                generator: attribute("PHILOX_4X32_7"),
                ..old(state4, &[1, 1, 1, 4])
            },
        ),
        (
            "feature-level-2-1",
            level3,
            DmlRandomGenerator {
                feature_level: attribute("2.1"),
                ..old(state4, &[1, 1, 1, 4])
            },
        ),
        (
            "feature-level-unknown",
            level4,
            DmlRandomGenerator {
                feature_level: attribute("next"),
                ..new(state1, &[4])
            },
        ),
    ] {
        let id = format!("dml/feature-level-{}/refused-{topic}", request.feature_level);
        drafts.push(refused(&id, clause, &[], Value, Request::DmlRandomGenerator(request)));
    }
    drafts
}
