//! Small requests of the stateless ops, chosen so that each wrong answer shows in one of them.

use seedproof_ops::{
    Dtype, JaxBernoulli, JaxBits, JaxCategorical, JaxFoldIn, JaxGumbel, JaxKey, JaxKeyImpl, JaxNormal,
    JaxPermutation, JaxRandint, JaxSplit, JaxUniform, OnnxGenerator, OnnxInitPrng, OnnxRandomUniform,
    OnnxSplitPrng, PhiloxKeyFoldIn, PhiloxKeySplit, PhiloxRandint, PhiloxUniform, Request, RngAlgorithm,
    RngBitGenerator, Shape, StatelessRandomGetKeyCounter, StatelessRandomUniform,
    StatelessRandomUniformFullInt, StatelessRandomUniformInt, Tensor,
};

pub(crate) fn requests() -> Vec<Request> {
    let mut all = bit_generators();
    all.extend(stateless());
    all.extend(philox_keys());
    all.extend(jax());
    all.extend(jax_noise());
    all.extend(onnx());
    all
}

/// A request for bits of an output type.
fn bits(algorithm: RngAlgorithm, dtype: Dtype, sizes: &[u64], state: &[u64]) -> Request {
    Request::RngBitGenerator(RngBitGenerator {
        initial_state: Tensor::vector(state),
        rng_algorithm: algorithm.into(),
        output_type: dtype.into(),
        output_sizes: sizes.to_vec(),
    })
}

fn bit_generators() -> Vec<Request> {
    use RngAlgorithm::{Default, Philox, ThreeFry};
    let state = [0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210];
    let wraps = [7, u64::MAX];
    let three = [7, u64::MAX, 5];
    let mut all = vec![
        bits(Default, Dtype::U32, &[9], &state),
        bits(Philox, Dtype::U32, &[9], &wraps),
        bits(Philox, Dtype::U32, &[9], &three),
        bits(Philox, Dtype::U64, &[5], &state),
        bits(Philox, Dtype::F64, &[5], &state),
        bits(Philox, Dtype::U8, &[9], &state),
        bits(Philox, Dtype::U32, &[0], &state),
        bits(ThreeFry, Dtype::U32, &[9], &[3, 0xffff_ffff]),
        bits(ThreeFry, Dtype::U64, &[3], &state),
        bits(ThreeFry, Dtype::U32, &[4], &three),
    ];
    let shapes: [&[u64]; 8] = [&[], &[9], &[3, 4], &[4, 2], &[3, 5], &[3, 3], &[2, 5], &[6, 4, 3]];
    all.extend(shapes.map(|sizes| bits(ThreeFry, Dtype::U16, sizes, &state)));
    all
}

fn stateless() -> Vec<Request> {
    let key = Tensor::vector(&[0x0123_4567_89ab_cdef_u64]);
    let counter = Tensor::vector(&[5_u64, 9]);
    let full = |dtype: Dtype, counts: &[i64], counter: Tensor, alg: i32| {
        Request::StatelessRandomUniformFullInt(StatelessRandomUniformFullInt {
            shape: Tensor::vector(counts),
            key: key.clone(),
            counter,
            alg: Tensor::scalar(alg),
            output_type: dtype.into(),
        })
    };
    let range = |counts: &[i64], bounds: [i32; 2]| {
        Request::StatelessRandomUniformInt(StatelessRandomUniformInt {
            shape: Tensor::vector(counts),
            key: key.clone(),
            counter: counter.clone(),
            alg: Tensor::scalar(1_i32),
            minval: Tensor::scalar(bounds[0]),
            maxval: Tensor::scalar(bounds[1]),
            output_type: Dtype::I32.into(),
        })
    };
    let seeded = |seed| Request::StatelessRandomGetKeyCounter(StatelessRandomGetKeyCounter { seed });
    let floats = |dtype: Dtype| {
        Request::StatelessRandomUniform(StatelessRandomUniform {
            shape: Tensor::vector(&[9_i64]),
            key: key.clone(),
            counter: counter.clone(),
            alg: Tensor::scalar(1_i32),
            output_type: dtype.into(),
        })
    };
    vec![
        full(Dtype::I32, &[9], counter.clone(), 1),
        full(Dtype::U64, &[9], counter.clone(), 3),
        full(Dtype::U32, &[9], counter.clone(), 2),
        full(Dtype::U32, &[0], counter.clone(), 2),
        full(Dtype::U32, &[9], Tensor::vector(&[5_u64, 9, 7]), 1),
        range(&[9], [-5, 50]),
        range(&[9], [5, 5]),
        range(&[9], [7, 5]),
        floats(Dtype::F32),
        floats(Dtype::F64),
        seeded(Tensor::vector(&[-7_i32, 9])),
        seeded(Tensor::vector(&[1_i64 << 40, 9])),
    ]
}

fn philox_keys() -> Vec<Request> {
    let keys = |dims: &[u64]| {
        let shape = Shape::new(dims).unwrap();
        let words: Vec<u64> = (2_u64..)
            .map(|i| (u64::MAX / 7).wrapping_mul(i))
            .take(shape.count())
            .collect();
        Tensor::from_elements(shape, &words).unwrap()
    };
    let (key, wraps) = (keys(&[2]), Tensor::vector(&[7_u64, u64::MAX]));
    let fold = |key: &Tensor, data: i128| {
        Request::PhiloxKeyFoldIn(PhiloxKeyFoldIn {
            key: key.clone(),
            data,
        })
    };
    let uniform = |key: &Tensor, dtype: Dtype, sizes: &[u64], [low, high]: [f64; 2]| {
        Request::PhiloxUniform(PhiloxUniform {
            key: key.clone(),
            low: Tensor::scalar(low),
            high: Tensor::scalar(high),
            output_type: dtype.into(),
            output_sizes: sizes.to_vec(),
        })
    };
    let randint = |key: &Tensor, dtype: Dtype, sizes: &[u64], low: Option<i128>, high: Option<i128>| {
        Request::PhiloxRandint(PhiloxRandint {
            key: key.clone(),
            output_type: dtype.into(),
            output_sizes: sizes.to_vec(),
            low,
            high,
        })
    };
    let split = |key: Tensor| Request::PhiloxKeySplit(PhiloxKeySplit { key, num_splits: 3 });
    let mut all = vec![split(key.clone()), split(keys(&[2, 2]))];
    all.extend([0, 5, -1, (1 << 40) + 1].map(|data| fold(&key, data)));
    all.push(fold(&wraps, 3));
    for dtype in [Dtype::F16, Dtype::Bf16, Dtype::F32, Dtype::F64] {
        let ranges = [
            [-0.1, 0.3],
            [100.0, 101.0],
            [2047.0, 2049.0],
            [2.0, 1.0],
            [1.000_488_281_250_1, 1.5],
        ];
        all.extend(ranges.map(|range| uniform(&key, dtype, &[33], range)));
        all.push(uniform(&key, dtype, &[9], [0.0, f64::INFINITY]));
        all.push(uniform(&key, dtype, &[9], [0.0, f64::from(f32::MIN_POSITIVE)]));
    }
    for dims in [&[3, 1, 2][..], &[1, 3, 2], &[2, 3, 2]] {
        all.push(uniform(
            &keys(dims),
            Dtype::F32,
            &[if dims[0] == 2 { 2 } else { 3 }, 3],
            [0.0, 1.0],
        ));
    }
    all.push(uniform(&keys(&[1, 3, 2]), Dtype::F32, &[2, 3], [0.0, 1.0]));
    for dtype in [Dtype::U8, Dtype::I32, Dtype::U64] {
        all.push(randint(&key, dtype, &[33], Some(3), Some(103)));
        all.push(randint(&key, dtype, &[33], None, None));
        all.push(randint(&key, dtype, &[33], None, Some(90)));
    }
    for size in [(1 << 28) - 1, 1 << 28, (1 << 28) + 1] {
        all.push(randint(&key, Dtype::I32, &[9], Some(0), Some(size)));
    }
    all
}

fn jax_noise() -> Vec<Request> {
    let kind = JaxKeyImpl::Threefry2x32;
    let mut all = Vec::new();
    for dtype in [Dtype::F32, Dtype::F16, Dtype::Bf16] {
        all.push(Request::JaxNormal(JaxNormal {
            key: Tensor::vector(&[0_u32, 42]),
            implementation: kind.into(),
            partitionable: true,
            output_type: dtype.into(),
            output_sizes: vec![2000],
        }));
    }
    // The first number for the key of the seed 780,233 is zero.
    for (seed, count) in [(42, 500), (780_233, 1)] {
        all.push(Request::JaxGumbel(JaxGumbel {
            key: Tensor::vector(&[0_u32, seed]),
            implementation: kind.into(),
            partitionable: true,
            output_type: Dtype::F32.into(),
            output_sizes: vec![count],
        }));
    }
    let logits: Vec<f32> = (0_u8..60).map(|class| f32::from(class % 7)).collect();
    all.push(Request::JaxCategorical(JaxCategorical {
        key: Tensor::vector(&[0_u32, 42]),
        logits: Tensor::from_elements(Shape::new(&[12, 5]).unwrap(), &logits).unwrap(),
        implementation: kind.into(),
        partitionable: true,
    }));
    all
}

fn jax() -> Vec<Request> {
    const IMPLS: [JaxKeyImpl; 3] = [JaxKeyImpl::Threefry2x32, JaxKeyImpl::Rbg, JaxKeyImpl::UnsafeRbg];
    let key = |kind: JaxKeyImpl| match kind {
        JaxKeyImpl::Threefry2x32 => Tensor::vector(&[7_u32, 42]),
        JaxKeyImpl::Rbg | JaxKeyImpl::UnsafeRbg => Tensor::vector(&[7_u32, 42, 9, 43]),
    };
    let mut all = Vec::new();
    for kind in IMPLS {
        for partitionable in [false, true] {
            all.extend([(5 << 32) + 7, -9].map(|seed| {
                Request::JaxKey(JaxKey {
                    implementation: kind.into(),
                    seed,
                })
            }));
            all.push(Request::JaxSplit(JaxSplit {
                key: key(kind),
                implementation: kind.into(),
                partitionable,
                num: 3,
            }));
            all.push(Request::JaxFoldIn(JaxFoldIn {
                key: key(kind),
                implementation: kind.into(),
                partitionable,
                data: 9,
            }));
            all.extend([Dtype::U8, Dtype::U32, Dtype::U64].map(|dtype| {
                Request::JaxBits(JaxBits {
                    key: key(kind),
                    implementation: kind.into(),
                    partitionable,
                    output_type: dtype.into(),
                    output_sizes: vec![9],
                })
            }));
            all.extend(
                [
                    (Dtype::I32, 0, 1000),
                    (Dtype::I16, -5, 1 << 32),
                    (Dtype::U8, 0, 256),
                    // No f32 is minval, and no i32 is maxval.
                    (Dtype::I32, (1 << 24) + 1, 3 << 30),
                ]
                .map(|(dtype, minval, maxval)| {
                    Request::JaxRandint(JaxRandint {
                        key: key(kind),
                        implementation: kind.into(),
                        partitionable,
                        output_type: dtype.into(),
                        output_sizes: vec![9],
                        minval,
                        maxval,
                    })
                }),
            );
        }
    }
    let kind = JaxKeyImpl::Threefry2x32;
    for bounds in [[-0.1_f32, 0.3], [2.0, 1.0]] {
        let [minval, maxval] = bounds.map(Tensor::scalar);
        all.push(Request::JaxUniform(JaxUniform {
            key: key(kind),
            minval,
            maxval,
            implementation: kind.into(),
            partitionable: true,
            output_type: Dtype::F32.into(),
            output_sizes: vec![64],
        }));
    }
    let [minval, maxval] = [half::bf16::ZERO, half::bf16::ONE].map(Tensor::scalar);
    all.push(Request::JaxUniform(JaxUniform {
        key: key(kind),
        minval,
        maxval,
        implementation: kind.into(),
        partitionable: true,
        output_type: Dtype::Bf16.into(),
        output_sizes: vec![9],
    }));
    // The first number for the key of the seed 42 is 3efa3824, which no p but itself tells from the comparison with it.
    for p in [0.3, f32::from_bits(0x3efa_3824)] {
        all.push(Request::JaxBernoulli(JaxBernoulli {
            key: Tensor::vector(&[0_u32, 42]),
            p: Tensor::scalar(p),
            implementation: kind.into(),
            partitionable: true,
            output_sizes: vec![33],
        }));
    }
    // 1,626 is the least length of two rounds, and 100,000 one with two equal draws in the last round of the seed 42.
    for n in [9, 1626, 100_000] {
        all.push(Request::JaxPermutation(JaxPermutation {
            key: Tensor::vector(&[0_u32, 42]),
            implementation: kind.into(),
            partitionable: true,
            n,
        }));
    }
    all
}

fn onnx() -> Vec<Request> {
    let uniform = |dtype: Dtype, seed: i64, offset: Option<i64>| {
        Request::OnnxRandomUniform(OnnxRandomUniform {
            low: Tensor::scalar(-0.1_f32),
            high: Tensor::scalar(0.3_f32),
            seed: None,
            offset: offset.map(Tensor::scalar),
            output_type: dtype.into(),
            output_sizes: vec![33],
            generator: Some(OnnxGenerator::Philox4x32_10.into()),
            seed_int64: Some(seed.into()),
            execution: 0,
        })
    };
    let split = |data: Option<&[i64]>| {
        Request::OnnxSplitPrng(OnnxSplitPrng {
            prng_state: Tensor::vector(&[7_i64, 42]),
            data: data.map(Tensor::vector),
            num_outputs: 3,
        })
    };
    let state = |seed: i64| {
        Request::OnnxInitPrng(OnnxInitPrng {
            seed: Tensor::scalar(seed),
        })
    };
    vec![
        uniform(Dtype::F32, 42, Some(3)),
        uniform(Dtype::F64, -42, None),
        uniform(Dtype::Bf16, -1, Some(-1)),
        state((5 << 32) + 7),
        state(-7),
        split(None),
        split(Some(&[-1, 1 << 32, 0xffff_ffff])),
    ]
}
