//! Small requests of samplers, chosen so that each wrong answer shows in one of them.

use half::bf16;
use seedproof_ops::{
    CurandDistribution, CurandPhilox, Dtype, InductorMode, InductorRandint, InductorRandom, Named as _,
    NumpyBitGenerator, NumpyIntegers, NumpyPermutation, NumpyRandom, RandomShuffle, RandomStatePermutation,
    RandomStateRand, RandomStateRandint, RandomStateRandn, Request, SglangMultinomialWithSeed,
    SglangMurmurHash32, Shape, StatelessMultinomial, StatelessShuffle, Tensor, TensorflowMultinomial,
    TorchBernoulli, TorchBernoulliInPlace, TorchCudaBernoulli, TorchCudaNormal, TorchCudaRandom,
    TorchCudaUniform, TorchDropout, TorchExponential, TorchMultinomial, TorchRandperm, TritonRand,
    TritonRandint, VllmGumbelSample, VllmMurmur3Uniform,
};

pub(crate) fn requests() -> Vec<Request> {
    let mut all = servers();
    all.extend(triton());
    all.extend(torch());
    all.extend(curand());
    all.extend(torch_cuda());
    all.extend(near());
    all.extend(numpy());
    all.extend(random_state());
    all.extend(tensorflow());
    all
}

fn matrix(rows: u64, numbers: &[f32]) -> Tensor {
    let columns = u64::try_from(numbers.len()).unwrap() / rows;
    Tensor::from_elements(Shape::new(&[rows, columns]).unwrap(), numbers).unwrap()
}

fn servers() -> Vec<Request> {
    let uniform = |dtype: Dtype| {
        Request::VllmMurmur3Uniform(VllmMurmur3Uniform {
            seed: Tensor::scalar((5_i64 << 32) + 7),
            pos: Tensor::scalar(42_i64),
            output_type: dtype.into(),
            num: 9,
        })
    };
    let logits: Vec<f32> = (0_i16..64).map(|token| f32::from(token % 7) - 3.0).collect();
    let sample = |use_fp64: bool, is_drafting: bool| {
        Request::VllmGumbelSample(VllmGumbelSample {
            logits: matrix(4, &logits),
            temperature: Tensor::vector(&[0.0_f32, 0.5, 1.0, 3.0]),
            seed: Tensor::vector(&[1_i64, (5 << 32) + 7, -1, 3]),
            pos: Tensor::vector(&[1_i64, 2, 3, 4]),
            use_fp64,
            is_drafting,
        })
    };
    // Token 1208 has the greatest hash of this seed and position.
    let mut logprobs = vec![-30.0_f32; 1300];
    logprobs[5] = -0.01;
    vec![
        uniform(Dtype::F32),
        uniform(Dtype::F64),
        sample(false, false),
        sample(true, false),
        sample(false, true),
        Request::SglangMurmurHash32(SglangMurmurHash32 {
            seed: Tensor::vector(&[(5_u64 << 32) + 7, u64::MAX]),
            positions: Tensor::vector(&[42_i64, -1]),
            num_cols: 5,
        }),
        Request::SglangMultinomialWithSeed(SglangMultinomialWithSeed {
            logprobs: matrix(1, &logprobs),
            seed: Tensor::vector(&[7847_i64]),
            positions: Tensor::vector(&[12345_i64]),
        }),
    ]
}

fn triton() -> Vec<Request> {
    let inductor = |mode: InductorMode| {
        Request::InductorRandom(InductorRandom {
            mode: mode.into(),
            seed: Tensor::scalar((5_i64 << 32) + 7),
            output_sizes: vec![200],
        })
    };
    let offset = || Tensor::scalar((1_i64 << 32) - 3);
    vec![
        Request::TritonRand(TritonRand {
            seed: Tensor::scalar((5_i64 << 32) + 7),
            offset: offset(),
            num: 9,
        }),
        Request::TritonRandint(TritonRandint {
            seed: Tensor::scalar(-7_i64),
            offset: offset(),
            num: 9,
        }),
        Request::InductorRandint(InductorRandint {
            seed: Tensor::scalar((5_i64 << 32) + 7),
            output_sizes: vec![9],
            low: -3,
            high: 1 << 40,
        }),
        inductor(InductorMode::Rand),
        inductor(InductorMode::Randn),
    ]
}

fn curand() -> Vec<Request> {
    let draw = |distribution: CurandDistribution, dtype: Dtype, offset, parameters: Option<[f32; 2]>| {
        let [mean, stddev] = [0, 1].map(|at| parameters.map(|it| Tensor::scalar(it[at])));
        Request::CurandPhilox(CurandPhilox {
            distribution: distribution.into(),
            output_type: dtype.into(),
            num: 1500,
            seed: 42,
            offset,
            mean,
            stddev,
        })
    };
    vec![
        draw(CurandDistribution::Bits, Dtype::U32, 262_141, None),
        draw(CurandDistribution::Uniform, Dtype::F32, 3, None),
        // Past the last subsequence, where turns that the offset skips have taken one block.
        draw(CurandDistribution::Uniform, Dtype::F64, 262_141, None),
        draw(CurandDistribution::Normal, Dtype::F32, 7, Some([0.1, 0.3])),
    ]
}

fn torch() -> Vec<Request> {
    let multinomial = |weights: Tensor, num_samples: i128, replacement: bool| {
        Request::TorchMultinomial(TorchMultinomial {
            weights,
            num_samples,
            replacement,
            seed: 42,
            execution: 0,
        })
    };
    let falling: Vec<f32> = (1_i16..40).map(|class| 1.0 / f32::from(class)).collect();
    // In f32 the sum of 2^24 and 1 is 2^24.
    let wide = [16_777_216.0_f32, 1.0, 1.0, 16_777_216.0];
    let dropout = |input: Tensor, p: f64| {
        Request::TorchDropout(TorchDropout {
            input,
            p: Tensor::scalar(p),
            seed: 42,
            execution: 1,
        })
    };
    let halves: Vec<bf16> = (1_i16..100).map(|x| bf16::from_f32(f32::from(x) / 7.0)).collect();
    vec![
        // The first number of the seed 42 equals the first probability.
        Request::TorchBernoulli(TorchBernoulli {
            p: Tensor::vector(&[f32::from_bits(0x3f61_dc66), 0.5, 0.25, 0.75]),
            seed: 42,
            execution: 0,
        }),
        Request::TorchExponential(TorchExponential {
            lambd: Tensor::scalar(0.1),
            output_type: Dtype::F16.into(),
            output_sizes: vec![17],
            seed: 42,
            execution: 0,
        }),
        Request::TorchBernoulliInPlace(TorchBernoulliInPlace {
            p: Tensor::scalar(0.3),
            output_type: Dtype::U8.into(),
            output_sizes: vec![64],
            seed: 42,
            execution: 1,
        }),
        dropout(matrix(1, &falling), 0.25),
        dropout(Tensor::vector(&halves), 0.1),
        Request::TorchRandperm(TorchRandperm {
            output_type: Dtype::I64.into(),
            n: 17,
            seed: 42,
            execution: 1,
        }),
        Request::TorchExponential(TorchExponential {
            lambd: Tensor::scalar(1.5),
            output_type: Dtype::F32.into(),
            output_sizes: vec![17],
            seed: 42,
            execution: 0,
        }),
        multinomial(matrix(3, &falling), 5, false),
        multinomial(matrix(3, &falling), 1, true),
        multinomial(matrix(1, &falling), 50, true),
        multinomial(matrix(1, &wide), 20, true),
        // In f32 the sum of 3,000 tenths is far enough from 300 for some samples.
        multinomial(matrix(1, &[0.1; 3000]), 300, true),
        // The first number of the seed 42 is the first weight here; below, it lies between a quotient of weights and the nearest f32.
        multinomial(
            Tensor::vector(&[
                f64::from_bits(0x3fad_c66c_bea3_db30),
                1.0 - f64::from_bits(0x3fad_c66c_bea3_db30),
            ]),
            2,
            true,
        ),
        multinomial(Tensor::vector(&[523_391.0_f32, 8_476_620.0]), 2, true),
    ]
}

/// Of two laps on a card of one multiprocessor, and at an offset.
/// Requests in which a last bit decides, or an offset past 32 bits.
fn near() -> Vec<Request> {
    let scalar = |bits: u64| Tensor::scalar(f64::from_bits(bits));
    let logprobs = [0xb22e_d047, 0xbf5b_68ff, 0xb1e4_11dd, 0xbe0d_9b54].map(f32::from_bits);
    let logits = [
        0x4080_bed1,
        0x408c_663f,
        0x4065_e7a9,
        0x4103_457b,
        0x410c_8403,
        0x4063_0562,
        0x40a5_7da5,
        0x40d5_45e2,
        0x402f_44e5,
    ];
    vec![
        Request::SglangMultinomialWithSeed(SglangMultinomialWithSeed {
            logprobs: matrix(2, &logprobs),
            seed: Tensor::vector(&[255_912_412_820_i64, 968_733_530_525]),
            positions: Tensor::vector(&[948_124_i64, 966_663]),
        }),
        Request::VllmGumbelSample(VllmGumbelSample {
            logits: matrix(3, &logits.map(f32::from_bits)),
            temperature: Tensor::vector(&[1.0_f32; 3]),
            seed: Tensor::vector(&[570_148_380_583_i64, 936_661_233_168, 369_117_066_551]),
            pos: Tensor::vector(&[1_010_162_i64, 401_631, 932_695]),
            use_fp64: false,
            is_drafting: false,
        }),
        Request::TorchBernoulliInPlace(TorchBernoulliInPlace {
            output_type: Dtype::F32.into(),
            output_sizes: vec![2],
            seed: 2,
            execution: 0,
            p: scalar(0x3fed_5ca8_2f61_8a17),
        }),
        Request::TorchCudaBernoulli(TorchCudaBernoulli {
            output_type: Dtype::F32.into(),
            output_sizes: vec![5],
            seed: 0,
            offset: 0,
            multiprocessors: 132,
            threads_per_multiprocessor: 2048,
            p: scalar(0x3fd9_89fa_4000_0000),
        }),
        Request::TorchCudaUniform(TorchCudaUniform {
            output_type: Dtype::F32.into(),
            output_sizes: vec![5],
            seed: 0,
            offset: 1 << 34,
            multiprocessors: 132,
            threads_per_multiprocessor: 2048,
            from: Tensor::scalar(0.0_f64),
            to: Tensor::scalar(1.0_f64),
        }),
        Request::CurandPhilox(CurandPhilox {
            distribution: CurandDistribution::Bits.into(),
            output_type: Dtype::U32.into(),
            num: 9,
            seed: 42,
            offset: 1 << 40,
            mean: None,
            stddev: None,
        }),
    ]
}

fn torch_cuda() -> Vec<Request> {
    let uniform = |dtype: Dtype, threads: i128| {
        Request::TorchCudaUniform(TorchCudaUniform {
            output_type: dtype.into(),
            output_sizes: vec![1100],
            seed: (5 << 32) + 7,
            offset: 8,
            multiprocessors: 1,
            threads_per_multiprocessor: threads,
            from: Tensor::scalar(-0.1_f64),
            to: Tensor::scalar(0.3_f64),
        })
    };
    let random = |to: Option<i128>| {
        Request::TorchCudaRandom(TorchCudaRandom {
            output_type: Dtype::I64.into(),
            output_sizes: vec![300],
            seed: 11,
            offset: 0,
            multiprocessors: 1,
            threads_per_multiprocessor: 256,
            from: None,
            to,
        })
    };
    vec![
        uniform(Dtype::F32, 256),
        uniform(Dtype::Bf16, 256),
        uniform(Dtype::F64, 256),
        uniform(Dtype::F32, 1536),
        // Of 384 threads, blocks of 256 leave a third out.
        uniform(Dtype::F32, 384),
        random(None),
        random(Some(90)),
        random(Some(1 << 30)),
        random(Some(1 << 40)),
        Request::TorchCudaBernoulli(TorchCudaBernoulli {
            output_type: Dtype::U8.into(),
            output_sizes: vec![300],
            seed: 11,
            offset: 4,
            multiprocessors: 1,
            threads_per_multiprocessor: 256,
            p: Tensor::scalar(0.3_f64),
        }),
        Request::TorchCudaNormal(TorchCudaNormal {
            output_type: Dtype::F32.into(),
            output_sizes: vec![600],
            seed: 42,
            offset: 0,
            multiprocessors: 1,
            threads_per_multiprocessor: 256,
            mean: Tensor::scalar(0.5_f64),
            std: Tensor::scalar(0.7_f64),
        }),
    ]
}

/// Of three quarters of all draws a quarter is rejected.
const RANGES: [(Dtype, i128, i128); 8] = [
    (Dtype::U8, 0, 256),
    (Dtype::I8, -96, 96),
    (Dtype::U16, 0, 1 << 15),
    (Dtype::I16, -24_576, 24_576),
    (Dtype::U32, 0, 3 << 30),
    (Dtype::I64, -3, 100),
    (Dtype::U64, 0, 3 << 62),
    (Dtype::I32, 5, 6),
];

/// In a second call, which begins in the middle of a word.
fn numpy() -> Vec<Request> {
    let mut all = Vec::new();
    for &kind in NumpyBitGenerator::ALL {
        // The words that MT19937 draws first tell how its state is made.
        for (dtype, execution) in [(Dtype::F32, 0), (Dtype::F32, 1), (Dtype::F64, 1)] {
            all.push(Request::NumpyRandom(NumpyRandom {
                bit_generator: kind.into(),
                // Its first word has its upper bit clear, which MT19937 sets.
                seed: (7 << 64) + 40,
                output_type: dtype.into(),
                output_sizes: vec![9],
                execution,
            }));
        }
        all.push(Request::NumpyPermutation(NumpyPermutation {
            bit_generator: kind.into(),
            seed: 42,
            n: 17,
            execution: 1,
        }));
    }
    let pcg = RANGES.map(|range| (NumpyBitGenerator::Pcg64, range));
    // Only integers of 64 bits take words of 64 from a generator of 32.
    let twister = [(NumpyBitGenerator::Mt19937, (Dtype::U64, 0, 3 << 62))];
    for (kind, (dtype, low, high)) in pcg.into_iter().chain(twister) {
        all.push(Request::NumpyIntegers(NumpyIntegers {
            bit_generator: kind.into(),
            seed: 42,
            output_type: dtype.into(),
            output_sizes: vec![21],
            low,
            high,
            execution: 1,
        }));
    }
    all
}

/// In a second call too, which begins with the other normal of a pair, and seeded by a number and by lists.
fn random_state() -> Vec<Request> {
    let mut all = Vec::new();
    for (seed, seed_words) in [(42, None), (42, Some(1)), ((7 << 64) + 42, Some(5))] {
        for execution in [0, 1] {
            all.push(Request::RandomStateRand(RandomStateRand {
                seed,
                seed_words,
                output_sizes: vec![9],
                execution,
            }));
            all.push(Request::RandomStateRandn(RandomStateRandn {
                seed,
                seed_words,
                output_sizes: vec![33],
                execution,
            }));
        }
        all.push(Request::RandomStatePermutation(RandomStatePermutation {
            seed,
            seed_words,
            n: 17,
            execution: 1,
        }));
    }
    for (dtype, low, high) in RANGES {
        all.push(Request::RandomStateRandint(RandomStateRandint {
            seed: 42,
            seed_words: None,
            output_type: dtype.into(),
            output_sizes: vec![21],
            low,
            high,
            execution: 1,
        }));
    }
    all
}

/// Rows of several elements, and rows of logits, in a second call where there are calls.
fn tensorflow() -> Vec<Request> {
    let numbers: Vec<f32> = (0_i16..34).map(f32::from).collect();
    let logits: Vec<f32> = (0_i16..21).map(|class| f32::from(class % 5) - 2.0).collect();
    let narrow: Vec<bf16> = (0_i16..40)
        .map(|class| {
            bf16::from_f32(if class == 0 {
                0.5
            } else {
                -f32::from(class * 7 % 41) / 100.0 - 0.6
            })
        })
        .collect();
    let narrow = Tensor::from_elements(Shape::new(&[1, 40]).unwrap(), &narrow).unwrap();
    let stateless = |logits: Tensor, samples: i32| {
        Request::StatelessMultinomial(StatelessMultinomial {
            output_type: Dtype::I32.into(),
            logits,
            num_samples: Tensor::scalar(samples),
            seed: Tensor::vector(&[5_i64, 6]),
        })
    };
    vec![
        Request::RandomShuffle(RandomShuffle {
            value: matrix(17, &numbers),
            seed: 7,
            seed2: 42,
            execution: 1,
        }),
        Request::StatelessShuffle(StatelessShuffle {
            value: matrix(17, &numbers),
            key: Tensor::vector(&[7_u64]),
            counter: Tensor::vector(&[u64::MAX, 42]),
            alg: Tensor::scalar(3_i32),
        }),
        Request::TensorflowMultinomial(TensorflowMultinomial {
            output_type: Dtype::I64.into(),
            logits: matrix(3, &logits),
            num_samples: Tensor::scalar(5_i32),
            seed: 7,
            seed2: 42,
            execution: 1,
        }),
        stateless(matrix(1, &[f32::NEG_INFINITY, f32::NAN]), 1),
        // Exponentials of these overflow unless the greatest is subtracted.
        stateless(matrix(1, &[1000.0, 999.0, 998.5]), 4),
        stateless(narrow, 600),
    ]
}
