//! Requests by chance: valid ones mostly, at every edge often, and invalid in every way now and then.

use proptest::prelude::*;
use seedproof_ops::{
    Alignment, Attribute, DmlGenerator, DmlRandomGenerator, Dtype, FeatureLevel, Multinomial, Named,
    RandomUniform, Request, Scalar, Shape, Tensor,
};

/// Requests for all three ops, of few elements.
pub(crate) fn requests() -> impl Strategy<Value = Request> {
    prop_oneof![4 => uniform(), 3 => multinomial(), 1 => dml()]
}

/// Valid requests of up to 70,000 elements, for whatever is made in groups, lanes or chunks. Where the op has a
/// counter to begin at, it is mostly within a few blocks of where a word of it wraps.
pub(crate) fn long_requests() -> impl Strategy<Value = Request> {
    let count = prop_oneof![0..300_i64, 16_000..17_000_i64, 65_000..70_000_i64];
    let dtype = prop::sample::select(UNIFORM_TYPES);
    let alignment = prop::sample::select(Alignment::ALL);
    let uniform = (count, dtype, alignment, seed(), seed()).prop_flat_map(
        |(count, dtype, alignment, global_seed, op_seed)| {
            (bits(dtype), bits(dtype)).prop_map(move |(a, b)| {
                let [minval, maxval] = ordered(single_of(a), single_of(b), true);
                Request::RandomUniform(RandomUniform {
                    shape: Tensor::vector(&[count]),
                    minval,
                    maxval,
                    output_type: dtype.into(),
                    global_seed,
                    op_seed,
                    alignment: alignment.into(),
                    execution: 0,
                })
            })
        },
    );
    let counter = (
        prop::sample::select(vec![0, 32, 64, 96, 128]),
        0..20_000_u128,
        any::<u128>(),
    )
        .prop_map(|(wraps, before, above)| match wraps {
            0 => above,
            128 => 0_u128.wrapping_sub(before),
            bits => (above << bits).wrapping_sub(before),
        });
    let dml = (counter, any::<u64>(), 1..70_000_u64, any::<bool>()).prop_map(
        |(counter, key, count, output_state)| {
            let bytes = [counter.to_le_bytes().to_vec(), key.to_le_bytes().to_vec()].concat();
            let shape = Shape::new(&[1, 1, 1, 6]).expect("six elements");
            Request::DmlRandomGenerator(DmlRandomGenerator {
                input_state: Tensor::new(Dtype::U32, shape, bytes).expect("six words"),
                output_sizes: vec![1, 1, 1, count],
                generator: DmlGenerator::ALL[0].into(),
                feature_level: FeatureLevel::ALL[0].into(),
                output_state,
            })
        },
    );
    prop_oneof![3 => uniform, 1 => dml]
}

/// A scalar as a tensor.
fn single_of(scalar: Scalar) -> Tensor {
    let bytes = scalar.bits().to_le_bytes()[..scalar.dtype().size()].to_vec();
    let shape = Shape::new(&[]).expect("one element");
    Tensor::new(scalar.dtype(), shape, bytes).expect("one element")
}

/// The types that RandomUniform-8 makes.
const UNIFORM_TYPES: &[Dtype] = &[
    Dtype::F16,
    Dtype::Bf16,
    Dtype::F32,
    Dtype::F64,
    Dtype::I32,
    Dtype::I64,
];

/// Bits of any scalar, and often those at an edge: zeros, infinities, NaN, subnormals, one ulp from one, extremes.
fn bits(dtype: Dtype) -> impl Strategy<Value = Scalar> {
    let edges: Vec<u64> = match dtype {
        Dtype::F16 => vec![
            0, 0x8000, 1, 0x3ff, 0x400, 0x3bff, 0x3c00, 0x3c01, 0x7bff, 0x7c00, 0xfc00, 0x7e00, 0xfe01,
        ],
        Dtype::Bf16 => vec![
            0, 0x8000, 1, 0x7f, 0x80, 0x3f7f, 0x3f80, 0x3f81, 0x7f7f, 0x7f80, 0xff80, 0x7fc0, 0xffc1,
        ],
        Dtype::F32 => [
            0,
            1 << 31,
            1,
            0x7f_ffff,
            0x3f7f_ffff,
            0x3f80_0000,
            0x3f80_0001,
            0x7f7f_ffff,
            0x7f80_0000,
            0xff80_0000,
            0x7fc0_0001,
        ]
        .to_vec(),
        Dtype::F64 => [
            0.0,
            -0.0,
            f64::from_bits(1),
            0.5,
            1.0,
            1.0 + f64::EPSILON,
            f64::MAX,
            f64::INFINITY,
            f64::NAN,
        ]
        .into_iter()
        .map(f64::to_bits)
        .collect(),
        _ => vec![
            0,
            1,
            u64::MAX,
            1 << 31,
            (1 << 31) - 1,
            1 << 32,
            (1 << 32) - 1,
            1 << 63,
            (1 << 63) - 1,
        ],
    };
    prop_oneof![3 => any::<u64>(), 2 => prop::sample::select(edges)]
        .prop_map(move |bits| Scalar::new(dtype, bits))
}

fn dtype() -> impl Strategy<Value = Dtype> {
    prop::sample::select(Dtype::ALL)
}

fn seed() -> impl Strategy<Value = u64> {
    prop_oneof![
        any::<u64>(),
        prop::sample::select(vec![0, 1, 0xffff_ffff, 1 << 32, (1 << 53) + 1, 1 << 63, u64::MAX]),
    ]
}

/// Mostly `usual`, now and then something else.
fn mostly<T: std::fmt::Debug + Clone>(
    usual: impl Strategy<Value = T> + 'static,
    other: impl Strategy<Value = T> + 'static,
) -> BoxedStrategy<T> {
    prop_oneof![24 => usual, 1 => other].boxed()
}

fn attribute<T: Named + std::fmt::Debug + Send + Sync>(allowed: &'static [T]) -> BoxedStrategy<Attribute<T>> {
    mostly(
        prop::sample::select(allowed).prop_map(Attribute::Known),
        prop_oneof![
            prop::sample::select(<T as Named>::ALL).prop_map(Attribute::Known),
            Just(Attribute::Unknown("odd".to_owned())),
        ],
    )
}

/// A tensor of these extents.
fn tensor(
    dims: &[u64],
    scalars: impl Strategy<Value = Scalar> + Clone + 'static,
    dtype: Dtype,
) -> BoxedStrategy<Tensor> {
    let shape = Shape::new(dims).expect("few elements");
    prop::collection::vec(scalars, shape.count())
        .prop_map(move |scalars| {
            let size = dtype.size();
            let bytes = scalars
                .iter()
                .flat_map(|scalar| scalar.bits().to_le_bytes()[..size].to_vec())
                .collect();
            Tensor::new(dtype, shape.clone(), bytes).expect("as many as the shape has")
        })
        .boxed()
}

/// A tensor of one element, mostly as the ops want it.
fn single(dtype: Dtype, scalars: impl Strategy<Value = Scalar> + Clone + 'static) -> BoxedStrategy<Tensor> {
    let dims = mostly(
        prop_oneof![Just(vec![]), Just(vec![1])],
        prop::sample::select(vec![vec![0], vec![2], vec![1, 1]]),
    );
    dims.prop_flat_map(move |dims| tensor(&dims, scalars.clone(), dtype))
        .boxed()
}

fn integers(dtype: Dtype, from: i64, to: i64) -> impl Strategy<Value = Scalar> + Clone {
    (from..=to).prop_map(move |number| Scalar::new(dtype, number.cast_unsigned()))
}

fn uniform() -> impl Strategy<Value = Request> {
    let shape = mostly(prop::sample::select(vec![Dtype::I32, Dtype::I64]), dtype()).prop_flat_map(|dtype| {
        let dims = mostly(
            (0..4_u64).prop_map(|rank| vec![rank]),
            prop::sample::select(vec![vec![], vec![1, 2]]),
        );
        let extents = prop_oneof![30 => integers(dtype, 0, 5), 1 => integers(dtype, -2, 1 << 30)];
        let extents = extents.boxed();
        dims.prop_flat_map(move |dims| tensor(&dims, extents.clone(), dtype))
    });
    attribute(UNIFORM_TYPES).prop_flat_map(move |output_type| {
        let bound = || {
            mostly(Just(output_type.known().unwrap_or(Dtype::F32)), dtype())
                .prop_flat_map(|dtype| single(dtype, bits(dtype).boxed()))
        };
        let execution = prop_oneof![20 => Just(0_u32), 1 => 1..3_u32];
        (
            shape.clone().boxed(),
            bound(),
            bound(),
            attribute(Alignment::ALL),
            seed(),
            seed(),
            execution,
        )
            .prop_map(move |(shape, a, b, alignment, global_seed, op_seed, execution)| {
                // Bounds by chance are a range half the time; in order they mostly are one.
                let [minval, maxval] = ordered(a, b, global_seed % 8 != 0);
                Request::RandomUniform(RandomUniform {
                    shape,
                    minval,
                    maxval,
                    output_type: output_type.clone(),
                    global_seed,
                    op_seed,
                    alignment,
                    execution,
                })
            })
    })
}

fn ordered(a: Tensor, b: Tensor, order: bool) -> [Tensor; 2] {
    let swap = match (a.get(0), b.get(0)) {
        (Some(a), Some(b)) if a.dtype().is_float() => a.to_f64() > b.to_f64(),
        (Some(a), Some(b)) => a.to_i64() > b.to_i64(),
        _ => false,
    };
    if order && swap { [b, a] } else { [a, b] }
}

fn multinomial() -> impl Strategy<Value = Request> {
    const FLOATS: &[Dtype] = &[Dtype::F16, Dtype::Bf16, Dtype::F32, Dtype::F64];
    let form = (
        mostly(prop::sample::select(FLOATS), dtype()),
        mostly(
            (0..4_u64, 0..7_u64).prop_map(|(rows, classes)| vec![rows, classes]),
            prop::sample::select(vec![vec![], vec![3], vec![1, 2, 2]]),
        ),
        mostly(prop::sample::select(vec![Dtype::I32, Dtype::I64]), dtype()),
        any::<(bool, bool)>(),
        prop_oneof![6 => 0..5_i64, 1 => -1..9_i64],
        0..4_u8,
    );
    form.prop_flat_map(|(probs_type, dims, count_type, (with_replacement, log_probs), samples, draws)| {
        // Weights that are mostly valid: those of small positive numbers, of any bits, or with zeros between.
        let plain = (0..2000_u16).prop_map(move |number| of_f32(probs_type, f32::from(number / 2) / 64.0));
        let weights = prop_oneof![40 => plain, 1 => bits(probs_type)].boxed();
        let rows = dims.first().copied().unwrap_or(1);
        let draw = prop_oneof![40 => (0..=1024_u16).prop_map(|number| f64::from(number) / 1024.0), 20 => 0.0..=1.0_f64, 1 => any::<f64>()]
            .prop_map(|draw| Scalar::new(Dtype::F64, draw.to_bits()))
            .boxed();
        let right = vec![rows, samples.max(0).cast_unsigned()];
        let draws = if draws == 0 {
            mostly(Just(right), Just(vec![1, 2])).prop_flat_map(move |dims| tensor(&dims, draw.clone(), Dtype::F64)).prop_map(Some).boxed()
        } else {
            Just(None).boxed()
        };
        let execution = prop_oneof![20 => Just(0_u32), 1 => 1..3_u32];
        (
            tensor(&dims, weights, probs_type),
            single(count_type, Just(Scalar::new(count_type, samples.cast_unsigned()))),
            draws,
            attribute(&[Dtype::I32, Dtype::I64]),
            seed(),
            seed(),
            execution,
        )
            .prop_map(move |(probs, num_samples, draws, convert_type, global_seed, op_seed, execution)| {
                Request::Multinomial(Multinomial {
                    probs,
                    num_samples,
                    draws,
                    convert_type,
                    with_replacement,
                    log_probs,
                    global_seed,
                    op_seed,
                    execution,
                })
            })
    })
}

/// A number in a type, cut to its precision; of integers, the whole part.
fn of_f32(dtype: Dtype, number: f32) -> Scalar {
    let bits = match dtype {
        Dtype::F16 => u64::from(half::f16::from_f32(number).to_bits()),
        Dtype::Bf16 => u64::from(half::bf16::from_f32(number).to_bits()),
        Dtype::F64 => f64::from(number).to_bits(),
        _ => u64::from(number.to_bits()),
    };
    Scalar::new(dtype, bits)
}

fn dml() -> impl Strategy<Value = Request> {
    let state = (
        mostly(Just(Dtype::U32), dtype()),
        prop::sample::select(vec![1, 4, 4, 4, 8, 9_usize]),
        mostly(Just(6_u64), 0..8_u64),
    )
        .prop_flat_map(|(dtype, rank, last)| {
            let mut dims = vec![1; rank];
            dims[rank - 1] = last;
            let word = prop_oneof![any::<u32>(), Just(u32::MAX), Just(u32::MAX - 1), Just(0)]
                .prop_map(move |word| Scalar::new(dtype, u64::from(word)));
            tensor(&dims, word.boxed(), dtype)
        });
    let sizes = prop::sample::select(vec![1, 4, 4, 4, 8, 9, 0_usize]).prop_flat_map(|rank| {
        prop::collection::vec(mostly(1..4_u64, prop_oneof![Just(0), Just(1 << 40)]), rank)
    });
    (
        state,
        sizes,
        attribute(DmlGenerator::ALL),
        attribute(FeatureLevel::ALL),
        any::<bool>(),
    )
        .prop_map(
            |(input_state, output_sizes, generator, feature_level, output_state)| {
                Request::DmlRandomGenerator(DmlRandomGenerator {
                    input_state,
                    output_sizes,
                    generator,
                    feature_level,
                    output_state,
                })
            },
        )
}
