//! DirectML RandomGenerator: the tensor constraints of both feature levels.

use seedproof_ops::ErrorKind::{Attribute as Value, Dtype as Type, Shape as Extent, State};
use seedproof_ops::{Attribute, DmlRandomGenerator, Dtype, ErrorKind, FeatureLevel, Request, Tensor};

use super::refused::refused;
use crate::grid::draft::Draft;
use crate::grid::draft::tensor;

const STATE: &str = "dml.state.form";
const OUTPUT: &str = "dml.output.form";
const LEVEL_3: &str = "dml.feature-level.3-0";
const LEVEL_4: &str = "dml.feature-level.4-0";

/// The dimensions of state and output that feature level 3.0 accepts.
const STATE_3: &[u64] = &[1, 1, 1, 6];
const OUTPUT_3: &[u64] = &[1, 1, 1, 4];

/// A refused description: topic, kind, clause, the state's dimensions and the output's.
type Row = (
    &'static str,
    ErrorKind,
    &'static str,
    &'static [u64],
    &'static [u64],
);

const AT_LEVEL_3: &[Row] = &[
    ("state-of-four-words", State, STATE, &[1, 1, 1, 4], OUTPUT_3),
    ("state-of-five-words", State, STATE, &[1, 1, 1, 5], OUTPUT_3),
    ("state-of-seven-words", State, STATE, &[1, 1, 1, 7], OUTPUT_3),
    ("state-six-not-last", State, STATE, &[1, 1, 6, 1], OUTPUT_3),
    ("state-two-by-three", State, STATE, &[1, 2, 1, 3], OUTPUT_3),
    ("state-of-two-states", State, STATE, &[2, 1, 1, 6], OUTPUT_3),
    ("state-rank-1", State, LEVEL_3, &[6], OUTPUT_3),
    ("state-rank-5", State, LEVEL_3, &[1, 1, 1, 1, 6], OUTPUT_3),
    ("output-rank-0", Extent, LEVEL_3, STATE_3, &[]),
    ("output-rank-1", Extent, LEVEL_3, STATE_3, &[4]),
    ("output-rank-3", Extent, LEVEL_3, STATE_3, &[1, 1, 4]),
    ("output-rank-5", Extent, LEVEL_3, STATE_3, &[1, 1, 1, 1, 4]),
    ("output-empty", Extent, OUTPUT, STATE_3, &[1, 1, 1, 0]),
    (
        "output-empty-in-the-middle",
        Extent,
        OUTPUT,
        STATE_3,
        &[2, 0, 3, 4],
    ),
];

const AT_LEVEL_4: &[Row] = &[
    ("state-of-four-words", State, STATE, &[4], &[4]),
    ("state-of-no-words", State, STATE, &[0], &[4]),
    ("state-scalar", State, STATE, &[], &[4]),
    ("state-six-not-last", State, STATE, &[6, 1], &[4]),
    ("state-of-two-states", State, STATE, &[2, 6], &[4]),
    ("state-rank-9", State, LEVEL_4, &[1, 1, 1, 1, 1, 1, 1, 1, 6], &[4]),
    ("output-rank-0", Extent, LEVEL_4, &[6], &[]),
    (
        "output-rank-9",
        Extent,
        LEVEL_4,
        &[6],
        &[1, 1, 1, 1, 1, 1, 1, 1, 4],
    ),
    ("output-empty", Extent, OUTPUT, &[6], &[0]),
    ("output-empty-in-the-middle", Extent, OUTPUT, &[6], &[3, 0, 5]),
];

pub(super) fn drafts() -> Vec<Draft> {
    let mut drafts = Vec::new();
    for (level, rows) in [
        (FeatureLevel::Level3_0, AT_LEVEL_3),
        (FeatureLevel::Level4_0, AT_LEVEL_4),
    ] {
        drafts.extend(rows.iter().map(|&(topic, kind, clause, state, sizes)| {
            draft(
                topic,
                clause,
                kind,
                request(level, ones(Dtype::U32, state), sizes),
            )
        }));
    }
    drafts.extend(state_types());
    drafts.extend(attributes());
    drafts
}

fn request(level: FeatureLevel, input_state: Tensor, sizes: &[u64]) -> DmlRandomGenerator {
    DmlRandomGenerator {
        input_state,
        output_sizes: sizes.to_vec(),
        generator: Attribute::parse("PHILOX_4X32_10"),
        feature_level: level.into(),
        output_state: true,
    }
}

/// A state of ones.
fn ones(dtype: Dtype, dims: &[u64]) -> Tensor {
    let count = usize::try_from(dims.iter().product::<u64>()).expect("a state is small");
    tensor(dtype, dims, &vec!["1"; count])
}

fn draft(topic: &str, clause: &str, kind: ErrorKind, request: DmlRandomGenerator) -> Draft {
    let errata: &[&str] = match topic {
        text if text.starts_with("output-empty") => &["dml.output.zero-size"],
        text if text.starts_with("state-rank") => &["dml.state.rank"],
        _ => &[],
    };
    let id = format!("dml/feature-level-{}/refused-{topic}", request.feature_level);
    refused(&id, clause, errata, kind, Request::DmlRandomGenerator(request))
}

fn state_types() -> Vec<Draft> {
    let typed = |dtype| request(FeatureLevel::Level3_0, ones(dtype, STATE_3), OUTPUT_3);
    let floats = request(FeatureLevel::Level4_0, ones(Dtype::F32, &[6]), &[4]);
    [
        ("state-f32", typed(Dtype::F32)),
        ("state-i32", typed(Dtype::I32)),
        ("state-f32", floats),
    ]
    .map(|(topic, request)| draft(topic, STATE, Type, request))
    .into()
}

fn attributes() -> Vec<Draft> {
    let plain = || request(FeatureLevel::Level3_0, ones(Dtype::U32, STATE_3), OUTPUT_3);
    let typed = |text| DmlRandomGenerator {
        generator: Attribute::parse(text),
        ..plain()
    };
    let level = |text| DmlRandomGenerator {
        feature_level: Attribute::parse(text),
        ..plain()
    };
    [
        ("type-unknown", "dml.type", typed("1")),
        ("type-of-seven-rounds", "dml.type", typed("PHILOX_4X32_7")),
        ("feature-level-too-low", LEVEL_3, level("2.1")),
        ("feature-level-unknown", LEVEL_4, level("next")),
    ]
    .map(|(topic, clause, request)| draft(topic, clause, Value, request))
    .into()
}
