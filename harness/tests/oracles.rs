//! The two oracles agree: on the corpus, on requests by chance, and on every word. They were written apart, so a
//! mistake would have to be made twice.
//!
//! A request that is invalid in several ways is refused for the first of them. Both oracles look in the same order,
//! which is part of what is compared: attributes, then input by input its element type, its form and its values.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use rayon::prelude::*;
use seedproof::ops::{
    Alignment, Attribute, Backend, DmlGenerator, DmlRandomGenerator, Dtype, Failure, FeatureLevel, Limits,
    Multinomial, Named, RandomUniform, Request, Scalar, Shape, Tensor,
};
use seedproof::readings::{Engine, Reading, unit_interval};
use seedproof::reference::{Reference, convert};
use seedproof::vectors::Expectation;

/// What stands for entropy in both, so that also requests with both seeds zero must agree.
const ENTROPY: u64 = 0x0123_4567_89ab_cdef;

/// No request by chance asks for more than this, but by its absurdity.
const LIMITS: Limits = Limits {
    max_output_bytes: 1 << 20,
};

/// An answer as far as it must agree: the value, the kind of a refusal, or that there is none.
#[derive(Debug, PartialEq)]
enum Reply {
    Value(Tensor, Option<Tensor>),
    Rejected(String),
    Unsupported,
    Broken(String),
}

fn reply(backend: &dyn Backend, request: &Request) -> Reply {
    match backend.run(request) {
        Ok(response) => Reply::Value(response.output, response.state),
        Err(Failure::Rejected(error)) => Reply::Rejected(format!("{:?}", error.kind)),
        Err(Failure::Unsupported(_)) => Reply::Unsupported,
        Err(Failure::Broken(fault)) => Reply::Broken(fault.message),
    }
}

fn oracles(limits: Limits) -> (Reference, Engine) {
    (
        Reference::new(limits, || ENTROPY),
        Engine::new(Reading::spec(), limits, || ENTROPY),
    )
}

#[test]
fn oracles_agree_on_the_corpus() {
    let (reference, engine) = oracles(Limits::default());
    let cases: Vec<_> = seedproof::corpus()
        .cases()
        .filter(|case| case.expect != Expectation::Unspecified)
        .collect();
    let apart: Vec<String> = cases
        .into_par_iter()
        .filter(|case| reply(&reference, &case.request) != reply(&engine, &case.request))
        .map(|case| case.id.to_string())
        .collect();
    assert_eq!(apart, [""; 0]);
}

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
    prop::sample::select(&Dtype::ALL[..])
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
    const TYPES: &[Dtype] = &[
        Dtype::F16,
        Dtype::Bf16,
        Dtype::F32,
        Dtype::F64,
        Dtype::I32,
        Dtype::I64,
    ];
    let shape = mostly(prop::sample::select(vec![Dtype::I32, Dtype::I64]), dtype()).prop_flat_map(|dtype| {
        let dims = mostly(
            (0..4_u64).prop_map(|rank| vec![rank]),
            prop::sample::select(vec![vec![], vec![1, 2]]),
        );
        let extents = prop_oneof![30 => integers(dtype, 0, 5), 1 => integers(dtype, -2, 1 << 30)];
        let extents = extents.boxed();
        dims.prop_flat_map(move |dims| tensor(&dims, extents.clone(), dtype))
    });
    attribute(TYPES).prop_flat_map(move |output_type| {
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

/// Runs both oracles on requests from a seed; panics with the seed and the smallest request that they answer apart.
fn by_chance(cases: u32, seed: u8) {
    let (reference, engine) = oracles(LIMITS);
    let config = Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: 20_000,
        ..Config::default()
    };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]));
    let request = prop_oneof![4 => uniform(), 3 => multinomial(), 1 => dml()];
    let values = std::cell::Cell::new(0_u32);
    let outcome = runner.run(&request, |request| {
        let expected = reply(&reference, &request);
        values.set(values.get() + u32::from(matches!(expected, Reply::Value(..))));
        prop_assert_eq!(expected, reply(&engine, &request));
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("seed {seed}: {error}");
    }
    // Requests that are all refused would prove little.
    assert!(
        values.get() > cases / 3,
        "{} of {cases} have a value",
        values.get()
    );
}

#[test]
fn oracles_agree_on_requests_by_chance() {
    by_chance(20_000, 1);
}

#[test]
#[ignore = "slow: a million requests; run it in release"]
fn oracles_agree_on_a_million_requests_by_chance() {
    (2..12_u8).into_par_iter().for_each(|seed| {
        println!("seed {seed}");
        by_chance(100_000, seed);
    });
}

/// Holds the values of the unit interval that both oracles make of words against each other.
fn conversions_agree(words: std::ops::Range<u64>) {
    type Convert = fn(u32) -> u64;
    const CONVERSIONS: [(Alignment, Dtype, Convert); 6] = [
        (Alignment::Tensorflow, Dtype::F16, |x| {
            u64::from(convert::f16::tensorflow(x).to_bits())
        }),
        (Alignment::Tensorflow, Dtype::Bf16, |x| {
            u64::from(convert::bf16::tensorflow(x).to_bits())
        }),
        (Alignment::Tensorflow, Dtype::F32, |x| {
            u64::from(convert::f32::tensorflow(x).to_bits())
        }),
        (Alignment::Pytorch, Dtype::F16, |x| {
            u64::from(convert::f16::pytorch(x).to_bits())
        }),
        (Alignment::Pytorch, Dtype::Bf16, |x| {
            u64::from(convert::bf16::pytorch(x).to_bits())
        }),
        (Alignment::Pytorch, Dtype::F32, |x| {
            u64::from(convert::f32::pytorch(x).to_bits())
        }),
    ];
    const CHUNK: u64 = 1 << 16;
    let spec = Reading::spec();
    let chunks = words.start / CHUNK..words.end / CHUNK;
    chunks.into_par_iter().for_each(|chunk| {
        let words: Vec<u32> = (chunk * CHUNK..(chunk + 1) * CHUNK)
            .map(|word| u32::try_from(word).expect("the range ends at 2^32"))
            .collect();
        for (alignment, dtype, convert) in CONVERSIONS {
            let unit = unit_interval(&spec, alignment, dtype, &words).expect("these are floats");
            let size = dtype.size();
            let expected: Vec<u8> = words
                .iter()
                .flat_map(|&word| convert(word).to_le_bytes().into_iter().take(size))
                .collect();
            assert!(
                unit.bytes() == expected,
                "{alignment} {dtype}: a word from {:08x} on",
                words[0]
            );
        }
    });
}

#[test]
fn oracles_agree_on_the_conversions_of_a_million_words() {
    conversions_agree(0..1 << 19);
    conversions_agree((1 << 32) - (1 << 19)..1 << 32);
}

#[test]
#[ignore = "slow: every word, six conversions; run it in release"]
fn oracles_agree_on_the_conversions_of_every_word() {
    conversions_agree(0..1 << 32);
}
