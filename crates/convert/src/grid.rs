//! The derived part of the corpus: models that were not run, whose draws at both ends follow from the readings. It
//! covers seeds, bounds and hints far beyond what captures can, and shows any change of a reading as a diff.

use std::collections::BTreeMap;

use crate::case::Capture;
use crate::rules::rule;
use crate::side::Side;
use crate::source::{Framework, Hint, Path, Source, Target, Value};
use crate::text::{derived, name};

/// The executions of each model, as many as captures have.
const EXECUTIONS: u32 = 3;

/// The instruction sets with which the hint f16 computes in f16.
const PROCESSOR: [&str; 4] = ["avx2", "avx512f", "avx512_bf16", "avx512_fp16"];

// One zero beside one seed, since two zeros mean a random seed. Seeds just over 2^31 and 2^32 and negative ones, since
// LiteRT keeps the low 32 bits as a signed number and TensorFlow's functions reduce modulo 2^31 - 1.
const SEEDS: [(i64, i64); 8] = [
    (7, 9),
    (0, 1),
    (1, 0),
    (2_147_483_653, 9),
    (9, 2_147_483_648),
    (4_294_967_301, 8_589_934_598),
    (-7, -9),
    (i64::MIN, i64::MAX),
];

// Bounds that are exact in every type beside some that are not, a large offset, and a small range.
const FLOATS: [(f64, f64); 6] = [
    (0.0, 1.0),
    (-1.0, 1.0),
    (0.1, 0.7),
    (-3.3, 100.7),
    (100.0, 101.0),
    (0.0, 3.0e-5),
];

// A range of 2^31 - 1, of 2^31 and of more, at which OpenVINO's kernel takes the difference as a negative i32. Bounds
// beyond i32, which its plugin clips; the last pair has nothing left after that.
const INTEGERS: [(i64, i64); 8] = [
    (-5, 6),
    (0, 2_147_483_647),
    (-1, 2_147_483_647),
    (-2, 2_147_483_647),
    (-2_147_483_648, 2_147_483_647),
    (0, 1_099_511_627_776),
    (-1_099_511_627_776, 1_099_511_627_776),
    (2_147_483_648, 2_147_483_657),
];

/// The files of the derived models: their names in the folder of conversions, and their texts.
pub fn grid() -> Vec<(String, String)> {
    [
        ("grid-tensorflow.yaml", tensorflow()),
        ("grid-onnx.yaml", onnx()),
        ("grid-torch.yaml", torch()),
    ]
    .map(|(name, sources)| (name.to_owned(), derived(&PROCESSOR, &models(sources))))
    .into()
}

fn models(sources: Vec<(Source, Path)>) -> Vec<Capture> {
    sources
        .into_iter()
        .map(|(source, path)| model(source, path))
        .collect()
}

/// A model with the draws of both ends, as far as they are modelled.
fn model(source: Source, path: Path) -> Capture {
    let parameters: Vec<String> = source
        .parameters
        .values()
        .map(|value| value.to_string().replace([' ', '[', ']'], ""))
        .collect();
    let id = format!(
        "derived/{}/{}/{}/{}/{}/{}/{}",
        name(&source.framework),
        source.op,
        source.kind,
        parameters.join(":"),
        name(&path.target),
        path.mode,
        name(&path.hint)
    );
    let rule = rule(&source, &path);
    let draws = |side: Option<&Side>| {
        let drawn = |execution| side?.draw(source.extents(), execution);
        (0..EXECUTIONS).map_while(drawn).collect()
    };
    let from = draws(rule.as_ref().and_then(|rule| rule.source.as_ref().ok()));
    let to = draws(
        rule.as_ref()
            .and_then(|rule| rule.target.as_ref().ok()?.side.as_ref()),
    );
    Capture {
        id,
        graph: Vec::new(),
        refused: None,
        source_draws: from,
        restarted: None,
        target_draws: to,
        recompiled: None,
        reconverted: None,
        errata: Vec::new(),
        verdicts: Vec::new(),
        source,
        path,
    }
}

fn source(framework: Framework, op: &str, kind: &str, count: u64, parameters: &[(&str, Value)]) -> Source {
    let parameters: BTreeMap<String, Value> = parameters
        .iter()
        .map(|(name, value)| ((*name).to_owned(), value.clone()))
        .collect();
    Source {
        framework,
        op: op.to_owned(),
        kind: kind.to_owned(),
        shape: Some(vec![count]),
        parameters,
    }
}

fn path(target: Target, mode: &str, hint: Hint) -> Path {
    Path {
        target,
        mode: mode.to_owned(),
        hint,
    }
}

fn integer(number: i64) -> Value {
    Value::Integer(number)
}

/// TensorFlow's uniform kernels and functions: every range with every type.
fn tensorflow() -> Vec<(Source, Path)> {
    let mut all = Vec::new();
    // Seeds and hints take turns. All combinations would be thousands of models, and these parts
    // do not influence each other.
    let mut turn = 0;
    let mut next = || {
        turn += 1;
        let (first, second) = SEEDS[turn % SEEDS.len()];
        let hint = [Hint::F32, Hint::F16, Hint::Default, Hint::Bf16][turn % 4];
        (integer(first), integer(second), hint)
    };
    for kind in ["f16", "f32", "f64"] {
        for _ in 0..SEEDS.len() {
            let (first, second, hint) = next();
            let raw = source(
                Framework::Tensorflow,
                "RandomUniform",
                kind,
                8,
                &[("seed", first), ("seed2", second)],
            );
            all.push((raw.clone(), path(Target::Openvino, "function", hint)));
            all.push((
                raw,
                path(Target::Litert, "from_concrete_functions", Hint::Default),
            ));
        }
        for (low, high) in FLOATS {
            for target in [Target::Openvino, Target::Litert] {
                let (first, second, hint) = next();
                let bounds = [
                    ("low", Value::Real(low)),
                    ("high", Value::Real(high)),
                    ("seed", second),
                    ("global_seed", first),
                ];
                let scaled = source(Framework::Tensorflow, "tf.random.uniform", kind, 8, &bounds);
                let hint = if target == Target::Openvino {
                    hint
                } else {
                    Hint::Default
                };
                all.push((scaled, path(target, "function", hint)));
            }
        }
        for rate in [0.1, 0.25, 0.3, 0.5, 0.9] {
            for target in [Target::Openvino, Target::Litert] {
                let (first, _, hint) = next();
                let dropout = source(
                    Framework::Tensorflow,
                    "tf.nn.dropout",
                    kind,
                    32,
                    &[("rate", Value::Real(rate)), ("seed", first)],
                );
                let hint = if target == Target::Openvino {
                    hint
                } else {
                    Hint::Default
                };
                all.push((dropout, path(target, "function", hint)));
            }
        }
    }
    for kind in ["i32", "i64"] {
        for (low, high) in INTEGERS {
            if kind == "i32" && (i32::try_from(low).is_err() || i32::try_from(high).is_err()) {
                continue;
            }
            for _ in 0..4 {
                let (first, second, hint) = next();
                let bounds = [
                    ("low", integer(low)),
                    ("high", integer(high)),
                    ("seed", first),
                    ("seed2", second),
                ];
                let raw = source(Framework::Tensorflow, "RandomUniformInt", kind, 8, &bounds);
                all.push((raw, path(Target::Openvino, "function", hint)));
            }
        }
    }
    all
}

/// ONNX's uniform op, on both runtimes.
fn onnx() -> Vec<(Source, Path)> {
    let mut all = Vec::new();
    // ONNX Runtime takes the integer part and OpenVINO the bits of the float, so 7.0 and 7.5 are one seed in one and
    // two in the other. The largest seeds and -1 test the conversion to 32 bits.
    let seeds = [
        1.0,
        7.0,
        7.5,
        8.0,
        65_536.0,
        2_147_483_648.0,
        4_294_966_784.0,
        -1.0,
    ];
    for kind in ["f32", "f64"] {
        for seed in seeds {
            for (low, high) in FLOATS {
                #[expect(clippy::cast_possible_truncation, reason = "ONNX's attributes are f32")]
                let single = |value: f64| Value::Real((value as f32).into());
                let parameters = [
                    ("seed", single(seed)),
                    ("low", single(low)),
                    ("high", single(high)),
                ];
                let uniform = source(Framework::Onnxruntime, "RandomUniform", kind, 8, &parameters);
                if kind == "f32" {
                    all.push((uniform.clone(), path(Target::Openvino, "opset-15", Hint::F32)));
                }
                let uniform = Source {
                    framework: Framework::Onnx,
                    ..uniform
                };
                all.push((uniform, path(Target::Onnxruntime, "opset-15", Hint::Default)));
            }
        }
    }
    all
}

/// The only op of PyTorch whose seed arrives in OpenVINO.
fn torch() -> Vec<(Source, Path)> {
    let mut all = Vec::new();
    for kind in ["f16", "f32", "f64"] {
        for seed in [1, 5, 4_294_967_301, i64::MAX] {
            for p in [0.05, 0.25, 0.5, 0.9] {
                let parameters = [("generator_seed", integer(seed)), ("p", Value::Real(p))];
                let bernoulli = source(Framework::Torch, "torch.bernoulli", kind, 32, &parameters);
                let hint = if kind == "f16" { Hint::F16 } else { Hint::F32 };
                all.push((bernoulli, path(Target::Openvino, "trace", hint)));
            }
        }
    }
    all
}
