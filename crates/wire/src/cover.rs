//! What a backend answers, found by asking it about a small request of every form.

use std::collections::BTreeSet;

use seedproof_ops::{
    Alignment, Backend, DmlGenerator, DmlRandomGenerator, Dtype, FeatureLevel, Multinomial, Named, OpName,
    RandomUniform, Request, Scalar, Shape, Support, Tensor,
};
use serde_json::Value;

use crate::capabilities::{Capabilities, Capability, Feature};

const FLOATS: [Dtype; 4] = [Dtype::F16, Dtype::Bf16, Dtype::F32, Dtype::F64];
const INTEGERS: [Dtype; 2] = [Dtype::I32, Dtype::I64];
const UNIFORM: [Dtype; 6] = [
    Dtype::F16,
    Dtype::Bf16,
    Dtype::F32,
    Dtype::F64,
    Dtype::I32,
    Dtype::I64,
];

impl Capabilities {
    /// What a backend claims of each attribute value and input type, and of the extras; `digest` and `window`
    /// always, since a server makes them out of the whole output. An op of which it claims nothing is left out.
    pub fn of(backend: &dyn Backend) -> Self {
        let ask = |plain: Request, extras: &[(Feature, Request)]| {
            (backend.supports(&plain) == Support::Yes).then(|| {
                let claimed = |(_, request): &&(Feature, Request)| backend.supports(request) == Support::Yes;
                let extras = extras.iter().filter(claimed).map(|&(feature, _)| feature);
                [Feature::Digest, Feature::Window]
                    .into_iter()
                    .chain(extras)
                    .collect()
            })
        };
        let uniform = |at: &[usize]| {
            let request = random_uniform(Alignment::ALL[at[0]], UNIFORM[at[1]], INTEGERS[at[2]]);
            let again = Request::RandomUniform(RandomUniform {
                execution: 1,
                ..request.clone()
            });
            ask(Request::RandomUniform(request), &[(Feature::Execution, again)])
        };
        let multinomial = |at: &[usize]| {
            let request = multinomial(
                INTEGERS[at[0]],
                FLAGS[at[1]],
                FLAGS[at[2]],
                FLOATS[at[3]],
                INTEGERS[at[4]],
            );
            let again = Multinomial {
                execution: 1,
                ..request.clone()
            };
            let shape = Shape::new(&[1, 1]).expect("one element");
            let draws = Tensor::from_elements(shape, &[0.5_f64]).expect("one element");
            let given = Multinomial {
                draws: Some(draws),
                ..request.clone()
            };
            ask(
                Request::Multinomial(request),
                &[
                    (Feature::Execution, Request::Multinomial(again)),
                    (Feature::Draws, Request::Multinomial(given)),
                ],
            )
        };
        let generator = |at: &[usize]| {
            let request = dml(FeatureLevel::ALL[at[0]]);
            let with_state = DmlRandomGenerator {
                output_state: true,
                ..request.clone()
            };
            ask(
                Request::DmlRandomGenerator(request),
                &[(Feature::OutputState, Request::DmlRandomGenerator(with_state))],
            )
        };
        let flags: Vec<Value> = FLAGS.map(Value::from).into();
        let mut list = Vec::new();
        let axes = [
            ("alignment", texts(Alignment::ALL)),
            ("output_type", texts(&UNIFORM)),
            ("shape", texts(&INTEGERS)),
        ];
        list.extend(capabilities(OpName::RandomUniform, &axes, &uniform));
        let axes = [
            ("convert_type", texts(&INTEGERS)),
            ("with_replacement", flags.clone()),
            ("log_probs", flags),
            ("probs", texts(&FLOATS)),
            ("num_samples", texts(&INTEGERS)),
        ];
        list.extend(capabilities(OpName::Multinomial, &axes, &multinomial));
        let axes = [("feature_level", texts(FeatureLevel::ALL))];
        list.extend(capabilities(OpName::DmlRandomGenerator, &axes, &generator));
        Self::new(list)
    }
}

const FLAGS: [bool; 2] = [false, true];

fn texts<T: Named>(values: &[T]) -> Vec<Value> {
    values.iter().map(|value| value.name().into()).collect()
}

/// An attribute or input, and its values.
type Axis = (&'static str, Vec<Value>);

/// The extras at one point of the axes, or `None` where nothing is claimed.
type Claim<'a> = &'a dyn Fn(&[usize]) -> Option<BTreeSet<Feature>>;

fn capabilities(op: OpName, axes: &[Axis], claim: Claim<'_>) -> Vec<Capability> {
    cover(axes, &mut Vec::new(), claim)
        .into_iter()
        .map(|(chosen, features)| {
            let all = Capability::new(op, features);
            chosen
                .into_iter()
                .fold(all, |capability, (key, values)| capability.only(key, values))
        })
        .collect()
}

/// Some values of some axes, and the extras that hold for all of them.
type Region = (Vec<Axis>, BTreeSet<Feature>);

/// The points at which something is claimed, as few regions: along each axis, values beyond which the same holds
/// are put together, and an axis whose values are all alike is not named.
fn cover(axes: &[Axis], at: &mut Vec<usize>, claim: Claim<'_>) -> Vec<Region> {
    let Some(((key, values), deeper)) = axes.split_first() else {
        return claim(at)
            .map(|features| (Vec::new(), features))
            .into_iter()
            .collect();
    };
    let mut groups: Vec<(Vec<Region>, Vec<Value>)> = Vec::new();
    for (index, value) in values.iter().enumerate() {
        at.push(index);
        let beyond = cover(deeper, at, claim);
        at.pop();
        match groups.iter_mut().find(|(regions, _)| *regions == beyond) {
            Some((_, alike)) => alike.push(value.clone()),
            None => groups.push((beyond, vec![value.clone()])),
        }
    }
    let named = groups.len() > 1;
    let mut regions = Vec::new();
    for (beyond, alike) in groups {
        for (mut chosen, features) in beyond {
            if named {
                chosen.insert(0, (*key, alike.clone()));
            }
            regions.push((chosen, features));
        }
    }
    regions
}

fn random_uniform(alignment: Alignment, output_type: Dtype, shape: Dtype) -> RandomUniform {
    RandomUniform {
        shape: integer(shape, Shape::vector(1)),
        minval: Tensor::from_scalar(Scalar::new(output_type, 0)),
        maxval: one(output_type),
        output_type: output_type.into(),
        global_seed: 1,
        op_seed: 1,
        alignment: alignment.into(),
        execution: 0,
    }
}

fn multinomial(
    convert_type: Dtype,
    with_replacement: bool,
    log_probs: bool,
    probs: Dtype,
    samples: Dtype,
) -> Multinomial {
    let shape = Shape::new(&[1, 1]).expect("one element");
    let probs = Tensor::new(probs, shape, one(probs).into_bytes()).expect("one element");
    Multinomial {
        probs,
        num_samples: integer(samples, Shape::scalar()),
        draws: None,
        convert_type: convert_type.into(),
        with_replacement,
        log_probs,
        global_seed: 1,
        op_seed: 1,
        execution: 0,
    }
}

fn dml(level: FeatureLevel) -> DmlRandomGenerator {
    let shape = Shape::new(&[1, 1, 1, 6]).expect("six elements");
    DmlRandomGenerator {
        input_state: Tensor::from_elements(shape, &[0_u32; 6]).expect("six elements"),
        output_sizes: vec![1, 1, 1, 1],
        generator: DmlGenerator::Philox4x32_10.into(),
        feature_level: level.into(),
        output_state: false,
    }
}

/// The number one, of shape `[]`.
fn one(dtype: Dtype) -> Tensor {
    let bits = match dtype {
        Dtype::F16 => 0x3c00,
        Dtype::Bf16 => 0x3f80,
        Dtype::F32 => 0x3f80_0000,
        Dtype::F64 => 0x3ff0_0000_0000_0000,
        _ => 1,
    };
    Tensor::from_scalar(Scalar::new(dtype, bits))
}

/// The integer one, of a shape with one element.
fn integer(dtype: Dtype, shape: Shape) -> Tensor {
    Tensor::new(dtype, shape, one(dtype).into_bytes()).expect("one element")
}
