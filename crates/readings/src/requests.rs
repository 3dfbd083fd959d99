//! Small requests for tests: random ones of every op, and the few in which a mistake shows that hardly any other request shows.

use half::bf16;
use seedproof_ops::requests::requests_of;
use seedproof_ops::{
    Alignment, DmlGenerator, DmlRandomGenerator, Dtype, FeatureLevel, JaxCategorical, JaxFoldIn, JaxGumbel,
    JaxKeyImpl, Multinomial, Named as _, OnnxSplitPrng, OpName, PhiloxKeySplit, PhiloxRandint, PhiloxUniform,
    RandomUniform, Request, RngAlgorithm, RngBitGenerator, Scalar, SglangMultinomialWithSeed, Shape,
    StatelessMultinomial, StatelessRandomNormal, Tensor, TorchBernoulli, TorchBernoulliInPlace,
    TorchCudaBernoulli, TorchCudaUniform, TorchDropout, TorchMultinomial, VllmGumbelSample,
};

/// A RandomUniform request; bounds are literals.
pub(crate) fn uniform(
    alignment: Alignment,
    dtype: Dtype,
    count: i64,
    bounds: [&str; 2],
    seeds: [u64; 2],
) -> Request {
    let bounds = bounds.map(|text| Scalar::from_literal(dtype, text).unwrap());
    Request::RandomUniform(RandomUniform::new(alignment, &[count], bounds, seeds))
}

/// A Multinomial request without replacement, with f64 probabilities and given draws.
pub(crate) fn draws(rows: &[&[f64]], draws: &[&[f64]]) -> Multinomial {
    Multinomial {
        draws: Some(matrix(draws)),
        ..generated(matrix(rows), i64::try_from(draws[0].len()).unwrap())
    }
}

fn matrix(rows: &[&[f64]]) -> Tensor {
    let dims = [rows.len(), rows[0].len()].map(|extent| u64::try_from(extent).unwrap());
    Tensor::from_elements(Shape::new(&dims).unwrap(), &rows.concat()).unwrap()
}

/// A Multinomial request without replacement that draws for itself.
pub(crate) fn generated(probs: Tensor, samples: i64) -> Multinomial {
    Multinomial {
        probs,
        num_samples: Tensor::scalar(samples),
        draws: None,
        convert_type: Dtype::I64.into(),
        with_replacement: false,
        log_probs: false,
        global_seed: 234,
        op_seed: 148,
        execution: 0,
    }
}

pub(crate) fn dml(level: FeatureLevel, sizes: &[u64], dims: &[u64], state: [u32; 6]) -> Request {
    Request::DmlRandomGenerator(DmlRandomGenerator {
        input_state: Tensor::from_elements(Shape::new(dims).unwrap(), &state).unwrap(),
        output_sizes: sizes.to_vec(),
        generator: DmlGenerator::Philox4x32_10.into(),
        feature_level: level.into(),
        output_state: true,
    })
}

/// Up to `each` random requests of each op.
pub(crate) fn random(each: usize) -> Vec<Request> {
    let of_op = |&op: &OpName| {
        let mut random = fastrand::Rng::with_seed(1);
        requests_of(op, each, &mut || random.u64(..))
    };
    OpName::ALL.iter().flat_map(of_op).collect()
}

/// Mistakes that random requests do not show, and the request that shows them.
pub(crate) type Rare = (&'static [&'static str], Request);

/// For each mistake that [`random`] ones of 960 an op do not show, a request.
pub(crate) fn rare() -> Vec<Rare> {
    let mut all = uniforms();
    all.extend(multinomials());
    all.extend(normals());
    all.extend(masks());
    all.extend(samplers());
    all.extend(jax());
    all.extend(cards());
    all
}

fn uniforms() -> Vec<Rare> {
    let keys = |dims: &[u64]| {
        let words = (2_u64..).map(|i| (u64::MAX / 7).wrapping_mul(i));
        let shape = Shape::new(dims).unwrap();
        let words: Vec<u64> = words.take(shape.count()).collect();
        Tensor::from_elements(shape, &words).unwrap()
    };
    let bits = |algorithm: RngAlgorithm, dtype: Dtype, sizes: &[u64], state: &[u64]| {
        Request::RngBitGenerator(RngBitGenerator {
            initial_state: Tensor::vector(state),
            rng_algorithm: algorithm.into(),
            output_type: dtype.into(),
            output_sizes: sizes.to_vec(),
        })
    };
    let keyed = |key: Tensor, dtype: Dtype, sizes: &[u64], [low, high]: [f64; 2]| {
        Request::PhiloxUniform(PhiloxUniform {
            key,
            low: Tensor::scalar(low),
            high: Tensor::scalar(high),
            output_type: dtype.into(),
            output_sizes: sizes.to_vec(),
        })
    };
    vec![
        // A range of subnormals.
        (
            &["f16-doubled"],
            uniform(Alignment::Tensorflow, Dtype::F16, 1100, ["0000", "01ff"], [7, 9]),
        ),
        (
            &[
                "shlo-counter-words-exchanged",
                "shlo-counter-words-written-exchanged",
                "shlo-third-word-ignored",
                "shlo-state-carry-lost",
            ],
            bits(RngAlgorithm::Philox, Dtype::U32, &[9], &[7, u64::MAX, 5]),
        ),
        (
            &["shlo-three-fry-third-word-accepted"],
            bits(RngAlgorithm::ThreeFry, Dtype::U32, &[4], &[7, u64::MAX, 5]),
        ),
        (
            &["shlo-half-last-of-greatest"],
            bits(RngAlgorithm::ThreeFry, Dtype::U16, &[5, 5], &[7, 9]),
        ),
        // Two axes are odd, and the greater is not the first.
        (
            &["shlo-half-first-of-odd"],
            bits(RngAlgorithm::ThreeFry, Dtype::U16, &[3, 5], &[7, 9]),
        ),
        // Random keys are one key, in a list of lists or not.
        (
            &[
                "tk-batch-further",
                "tk-batch-first-key",
                "tk-batch-first-key-again",
                "tk-batch-own-places",
                "tk-batch-in-turn",
                "tk-keys-overlap",
            ],
            keyed(keys(&[1, 3, 2]), Dtype::F32, &[3, 3], [0.0, 1.0]),
        ),
        (
            &["tks-numbered-through", "tk-derived-from-first-key"],
            Request::PhiloxKeySplit(PhiloxKeySplit {
                key: keys(&[2, 2]),
                num_splits: 3,
            }),
        ),
        (
            &["tk-half-rounded-at-end"],
            keyed(keys(&[2]), Dtype::F16, &[33], [-0.1, 0.3]),
        ),
        // A bound that lies beside the middle of two numbers of f16 by less than f32 keeps.
        (
            &["tk-bounds-rounded-once"],
            keyed(keys(&[2]), Dtype::F16, &[33], [1.000_488_281_250_1, 1.5]),
        ),
        (
            &["tk-limit-one-early"],
            Request::PhiloxRandint(PhiloxRandint {
                key: keys(&[2]),
                output_type: Dtype::I32.into(),
                output_sizes: vec![9],
                low: Some(0),
                high: Some((1 << 28) - 1),
            }),
        ),
        (
            &[
                "onnx-data-32-bits",
                "onnx-data-sign-extended",
                "onnx-data-ignored",
            ],
            Request::OnnxSplitPrng(OnnxSplitPrng {
                prng_state: Tensor::vector(&[7_i64, 42]),
                data: Some(Tensor::vector(&[-1, 1 << 32, 0xffff_ffff_i64])),
                num_outputs: 3,
            }),
        ),
    ]
}

fn multinomials() -> Vec<Rare> {
    let replaced = |request: Multinomial| Multinomial {
        with_replacement: true,
        ..request
    };
    let tiny = f64::powi(2.0, -60);
    let all: [(&'static [&'static str], Multinomial); 5] = [
        // Draws that equal a share.
        (
            &["mn-below", "mn-draw-of-one-refused"],
            replaced(draws(&[&[1.0, 2.0, 1.0]], &[&[0.25, 0.3, 0.75, 0.0, 1.0]])),
        ),
        (
            &["mn-reciprocal", "mn-total-raised", "mn-draws-rounded"],
            replaced(draws(&[&[5.0, 44.0]], &[&[5.0 / 49.0]])),
        ),
        (&["mn-zero-class"], replaced(draws(&[&[0.0, 1.0]], &[&[0.0]]))),
        (&["mn-duplicates"], draws(&[&[2.0, 1.0, 1.0]], &[&[0.0, 0.0]])),
        // What is left of the shares is lost beside 1.
        (&["mn-past-the-end"], draws(&[&[1.0, tiny]], &[&[0.5, 0.5]])),
    ];
    all.map(|(mistakes, request)| (mistakes, Request::Multinomial(request)))
        .into()
}

fn normals() -> Vec<Rare> {
    // A word of this block has low bits of zero, whose logarithm is infinite where nothing clamps it.
    let zero = StatelessRandomNormal {
        shape: Tensor::vector(&[4_i64]),
        key: Tensor::vector(&[7_u64]),
        counter: Tensor::vector(&[23_978_081_u64, 0]),
        alg: Tensor::scalar(1_i32),
        output_type: Dtype::F32.into(),
    };
    vec![(
        &[
            "normal-unclamped",
            "normal-clamped-at-least-f32",
            "normal-clamped-at-epsilon",
        ],
        Request::StatelessRandomNormal(zero),
    )]
}

fn floats(rows: u64, numbers: &[f32]) -> Tensor {
    let columns = u64::try_from(numbers.len()).unwrap() / rows;
    Tensor::from_elements(Shape::new(&[rows, columns]).unwrap(), numbers).unwrap()
}

fn masks() -> Vec<Rare> {
    vec![
        // The first numbers of the seeds equal the probabilities, or lie between one and the nearest f32.
        (
            &["mask-or-equal"],
            Request::TorchBernoulli(TorchBernoulli {
                p: Tensor::vector(&[f32::from_bits(0x3f61_dc66), 0.5, 0.25, 0.75]),
                seed: 42,
                execution: 0,
            }),
        ),
        // Of a negative number.
        (
            &["dropout-of-all-is-zero"],
            Request::TorchDropout(TorchDropout {
                input: Tensor::vector(&[-1.0_f32, 1.0]),
                p: Tensor::scalar(1.0_f64),
                seed: 42,
                execution: 0,
            }),
        ),
        (
            &["mask-p-in-f32"],
            Request::TorchBernoulliInPlace(TorchBernoulliInPlace {
                output_type: Dtype::F32.into(),
                output_sizes: vec![2],
                seed: 2,
                execution: 0,
                p: Tensor::scalar(f64::from_bits(0x3fed_5ca8_2f61_8a17)),
            }),
        ),
    ]
}

/// What is drawn by keys of JAX.
fn jax() -> Vec<Rare> {
    vec![
        (
            &["jax-fold-in-signed"],
            Request::JaxFoldIn(JaxFoldIn {
                key: Tensor::vector(&[0_u32, 7]),
                implementation: JaxKeyImpl::Threefry2x32.into(),
                partitionable: true,
                data: u32::MAX.into(),
            }),
        ),
        (
            &["jax-categorical-noise-by-class", "jax-categorical-one-row"],
            Request::JaxCategorical(JaxCategorical {
                key: Tensor::vector(&[0_u32, 7]),
                implementation: JaxKeyImpl::Threefry2x32.into(),
                partitionable: true,
                logits: Tensor::from_elements(Shape::new(&[8, 4]).unwrap(), &[0.0_f32; 32]).unwrap(),
            }),
        ),
    ]
}

fn samplers() -> Vec<Rare> {
    let torch = |weights: Tensor, num_samples: i128, replacement: bool| {
        Request::TorchMultinomial(TorchMultinomial {
            weights,
            num_samples,
            replacement,
            seed: 42,
            execution: 0,
        })
    };
    let sglang = |logprobs: Tensor, seed: &[i64], positions: &[i64]| {
        Request::SglangMultinomialWithSeed(SglangMultinomialWithSeed {
            logprobs,
            seed: Tensor::vector(seed),
            positions: Tensor::vector(positions),
        })
    };
    let stateless = |logits: Tensor, samples: i32| {
        Request::StatelessMultinomial(StatelessMultinomial {
            output_type: Dtype::I32.into(),
            logits,
            num_samples: Tensor::scalar(samples),
            seed: Tensor::vector(&[5_i64, 6]),
        })
    };
    let falling: Vec<f32> = (1_i16..40).map(|class| 1.0 / f32::from(class)).collect();
    let first = f64::from_bits(0x3fad_c66c_bea3_db30);
    // Token 1208 has the greatest hash of this seed and position.
    let mut greatest = vec![-30.0_f32; 1300];
    greatest[5] = -0.01;
    let near = [0xb22e_d047, 0xbf5b_68ff, 0xb1e4_11dd, 0xbe0d_9b54].map(f32::from_bits);
    let narrow = |class: i16| {
        if class == 0 {
            0.5
        } else {
            -f32::from(class * 7 % 41) / 100.0 - 0.6
        }
    };
    let narrow: Vec<bf16> = (0..40).map(|class| bf16::from_f32(narrow(class))).collect();
    let narrow = Tensor::from_elements(Shape::new(&[1, 40]).unwrap(), &narrow).unwrap();
    vec![
        // The first number for the key of the seed 780,233 is zero.
        (
            &["jax-gumbel-from-zero"],
            Request::JaxGumbel(JaxGumbel {
                key: Tensor::vector(&[0_u32, 780_233]),
                implementation: JaxKeyImpl::Threefry2x32.into(),
                partitionable: true,
                output_type: Dtype::F32.into(),
                output_sizes: vec![1],
            }),
        ),
        (
            &["multinomial-sample-by-sample", "multinomial-numbers-repeat"],
            torch(
                Tensor::from_elements(Shape::new(&[2, 2]).unwrap(), &[0.5_f32, 0.5, 0.5, 0.5]).unwrap(),
                16,
                true,
            ),
        ),
        (
            &["multinomial-noise-shared"],
            torch(floats(3, &falling), 5, false),
        ),
        // The first number of the seed 42 is the first weight here; below, it lies between a quotient of weights and the nearest f32.
        (
            &["multinomial-upper-bound"],
            torch(Tensor::vector(&[first, 1.0 - first]), 2, true),
        ),
        (
            &["multinomial-sums-f64", "multinomial-sums-whole"],
            torch(Tensor::vector(&[523_391.0_f32, 8_476_620.0]), 2, true),
        ),
        (
            &["log-of-one-unclamped"],
            sglang(floats(1, &greatest), &[7847], &[12345]),
        ),
        // Here and in the logits of vLLM a last bit decides.
        (
            &["hash-divided-by-2p32", "race-logarithm-f32"],
            sglang(
                floats(2, &near),
                &[255_912_412_820, 968_733_530_525],
                &[948_124, 966_663],
            ),
        ),
        (&["logits-in-f16"], vllm()),
        (
            &["categorical-lower-bound", "categorical-none-last"],
            stateless(floats(1, &[f32::NEG_INFINITY, f32::NAN]), 1),
        ),
        (&["categorical-difference-narrow"], stateless(narrow, 600)),
    ]
}

fn vllm() -> Request {
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
    Request::VllmGumbelSample(VllmGumbelSample {
        logits: floats(3, &logits.map(f32::from_bits)),
        temperature: Tensor::vector(&[1.0_f32; 3]),
        seed: Tensor::vector(&[570_148_380_583_i64, 936_661_233_168, 369_117_066_551]),
        pos: Tensor::vector(&[1_010_162_i64, 401_631, 932_695]),
        use_fp64: false,
        is_drafting: false,
    })
}

/// Of graphics cards.
fn cards() -> Vec<Rare> {
    vec![
        // Of 384 threads, blocks of 256 leave a third out.
        (
            &["cuda-blocks-of-128"],
            Request::TorchCudaUniform(TorchCudaUniform {
                output_type: Dtype::F32.into(),
                output_sizes: vec![1100],
                seed: (5 << 32) + 7,
                offset: 8,
                multiprocessors: 1,
                threads_per_multiprocessor: 384,
                from: Tensor::scalar(-0.1_f64),
                to: Tensor::scalar(0.3_f64),
            }),
        ),
        // A number equals the probability.
        (
            &["cuda-one-at-most"],
            Request::TorchCudaBernoulli(TorchCudaBernoulli {
                output_type: Dtype::F32.into(),
                output_sizes: vec![5],
                seed: 0,
                offset: 0,
                multiprocessors: 132,
                threads_per_multiprocessor: 2048,
                p: Tensor::scalar(f64::from_bits(0x3fd9_89fa_4000_0000)),
            }),
        ),
    ]
}
