//! Digests of outputs of many chunks are those of the whole output, which nothing holds while they are made.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use half::{bf16, f16};
use seedproof_cpu::until;
use seedproof_ops::{
    Alignment, Ask, Attribute, Backend as _, Digest, Dtype, Element, JaxBernoulli, JaxBits, JaxKeyImpl,
    JaxPermutation, JaxRandint, JaxSplit, JaxUniform, Multinomial, Named as _, OnnxGenerator,
    OnnxRandomUniform, OnnxSplitPrng, PhiloxNormal, PhiloxRandint, PhiloxUniform, RandomStandardNormal,
    RandomUniform, Request, RngAlgorithm, RngBitGenerator, Scalar, Shape, Tensor, TorchNormal, Value, Want,
};

use crate::requests::{backends, digest, dml, matrix, multinomial};

/// Chunks of 65,536 elements, the last of which is short and ends inside a block.
const COUNT: u32 = 3 * 65_536 + 77;

/// Asserts that every level makes a digest of the request without its output, the right one.
fn assert_in_chunks(request: &Request) {
    let whole = backends()[0].run(request).unwrap();
    let expected = Value::Digest(Digest::of(&whole.output), whole.more);
    for cpu in backends() {
        assert!(digest(&cpu, request) == expected, "{} {request:?}", cpu.id());
    }
}

/// Keys of five streams, so that those of 60,001 elements begin inside chunks and blocks.
fn keys() -> Tensor {
    let words = [42, 0, 5, u64::MAX - 1, 150, 1 << 32, 7, 0, u64::MAX, u64::MAX];
    Tensor::from_elements(Shape::new(&[5, 1, 2]).unwrap(), &words).unwrap()
}

#[test]
fn digests_of_one_stream_are_those_of_the_whole() {
    fn assert_uniform<T: Element>(bounds: [T; 2]) {
        let request = RandomUniform::new(Alignment::Tensorflow, &[COUNT.into()], bounds, [150, 10]);
        assert_in_chunks(&Request::RandomUniform(request));
    }
    assert_uniform([f16::NEG_ONE, f16::PI]);
    assert_uniform([bf16::ZERO, bf16::ONE]);
    assert_uniform([0.0_f32, 1.0]);
    assert_uniform([-0.1_f64, 0.3]);
    assert_uniform([-7_i32, 43]);
    assert_uniform([0_i64, 1 << 40]);

    let mut wide = dml();
    wide.output_sizes = vec![1, 1, 1, COUNT.into()];
    assert_in_chunks(&Request::DmlRandomGenerator(wide));
    for output_type in [Dtype::U8, Dtype::U16, Dtype::U32, Dtype::U64] {
        assert_in_chunks(&Request::RngBitGenerator(RngBitGenerator {
            rng_algorithm: RngAlgorithm::Philox.into(),
            output_type: output_type.into(),
            output_sizes: vec![COUNT.into()],
            // The lowest word of the counter wraps in the second chunk.
            initial_state: Tensor::vector(&[7_u64, 0xffff_ffff - 20_000, 1]),
        }));
    }
    for dtype in [Dtype::F16, Dtype::Bf16, Dtype::F32] {
        assert_in_chunks(&Request::RandomStandardNormal(RandomStandardNormal {
            output_type: dtype.into(),
            seed: 7,
            seed2: 8,
            shape: Tensor::vector(&[i64::from(COUNT)]),
            execution: 0,
        }));
    }
}

#[test]
fn digests_of_streams_that_begin_inside_blocks_are_those_of_the_whole() {
    let output_sizes = vec![5, 60_001];
    for dtype in [Dtype::F16, Dtype::Bf16, Dtype::F32, Dtype::F64] {
        assert_in_chunks(&Request::PhiloxUniform(PhiloxUniform {
            output_type: dtype.into(),
            output_sizes: output_sizes.clone(),
            key: keys(),
            low: Tensor::scalar(-0.1_f64),
            high: Tensor::scalar(0.3_f64),
        }));
    }
    for dtype in [Dtype::F16, Dtype::Bf16, Dtype::F32] {
        assert_in_chunks(&Request::PhiloxNormal(PhiloxNormal {
            output_type: dtype.into(),
            output_sizes: output_sizes.clone(),
            key: keys(),
            mean: Tensor::scalar(0.5_f64),
            std: Tensor::scalar(2.0_f64),
        }));
    }
    for dtype in [Dtype::U8, Dtype::I32, Dtype::I64] {
        assert_in_chunks(&Request::PhiloxRandint(PhiloxRandint {
            output_type: dtype.into(),
            output_sizes: output_sizes.clone(),
            low: Some(0),
            high: Some(100),
            key: keys(),
        }));
    }
}

/// Chunks and one element, halves of a whole chunk, whole chunks, and a last chunk that ends inside words and blocks.
const COUNTS: [u64; 4] = [65_537, 2 * 65_536 - 1, 2 * 65_536, 3 * 65_536 + 5];

#[test]
fn digests_of_mt19937_are_those_of_the_whole() {
    fn assert_uniform<T: Element>(count: i64, bounds: [T; 2]) {
        let request = RandomUniform::new(Alignment::Pytorch, &[count], bounds, [150, 10]);
        assert_in_chunks(&Request::RandomUniform(request));
    }
    for count in COUNTS.map(u64::cast_signed) {
        assert_uniform(count, [f16::NEG_ONE, f16::PI]);
        assert_uniform(count, [bf16::ZERO, bf16::ONE]);
        assert_uniform(count, [0.0_f32, 1.0]);
        assert_uniform(count, [-0.1_f64, 0.3]);
        assert_uniform(count, [-7_i32, 43]);
        assert_uniform(count, [0_i64, 43]);
        assert_uniform(count, [0_i64, 1 << 40]);
    }
    // The last sixteen normals begin in the chunk before the last, or in the last one, or are its first.
    for count in [
        65_537,
        65_541,
        65_549,
        65_552,
        65_553,
        2 * 65_536,
        3 * 65_536 + 15,
    ] {
        for dtype in [Dtype::F16, Dtype::Bf16, Dtype::F32] {
            assert_in_chunks(&Request::TorchNormal(TorchNormal {
                output_type: dtype.into(),
                output_sizes: vec![count],
                seed: 7,
                mean: Tensor::scalar(0.5_f64),
                std: Tensor::scalar(2.0_f64),
                execution: 0,
            }));
        }
    }
}

/// Orders that start again within a chunk and after more than one, of halved dimensions that are even and odd.
#[test]
fn digests_of_threefry_pairs_are_those_of_the_whole() {
    let shapes: [&[u64]; 10] = [
        &[65_537],
        &[196_614],
        &[3, 65_537],
        &[131, 501, 3],
        &[131, 503, 1],
        &[501, 131, 3],
        &[7, 4, 9001],
        &[2, 65_536],
        &[2, 100_003],
        &[4, 65_539],
    ];
    for shape in shapes {
        for output_type in [Dtype::U8, Dtype::U16, Dtype::U32, Dtype::U64] {
            assert_in_chunks(&Request::RngBitGenerator(RngBitGenerator {
                rng_algorithm: RngAlgorithm::ThreeFry.into(),
                output_type: output_type.into(),
                output_sizes: shape.to_vec(),
                initial_state: Tensor::vector(&[7_u64, u64::MAX - 5]),
            }));
        }
    }
}

#[test]
fn digests_of_jax_are_those_of_the_whole() {
    for (of, partitionable) in [
        (JaxKeyImpl::Threefry2x32, true),
        (JaxKeyImpl::Threefry2x32, false),
        (JaxKeyImpl::Rbg, true),
    ] {
        let (implementation, count) = (Attribute::Known(of), COUNTS[3]);
        let key = Tensor::vector(&[1_u32, 2, 3, 4][..usize::try_from(of.words()).unwrap()]);
        for output_type in [Dtype::U8, Dtype::U16, Dtype::U32, Dtype::U64] {
            for count in COUNTS {
                assert_in_chunks(&Request::JaxBits(JaxBits {
                    implementation: implementation.clone(),
                    partitionable,
                    output_type: output_type.into(),
                    output_sizes: vec![count],
                    key: key.clone(),
                }));
            }
        }
        for dtype in [Dtype::F16, Dtype::Bf16, Dtype::F32, Dtype::F64] {
            let [minval, maxval] =
                ["-1.5", "1"].map(|bound| Tensor::from_scalar(Scalar::from_decimal(dtype, bound).unwrap()));
            assert_in_chunks(&Request::JaxUniform(JaxUniform {
                implementation: implementation.clone(),
                partitionable,
                output_type: dtype.into(),
                output_sizes: vec![count],
                key: key.clone(),
                minval,
                maxval,
            }));
        }
        for output_type in [Dtype::U8, Dtype::I16, Dtype::I32, Dtype::U64] {
            // The stream of the higher bits counts for the second range alone.
            for maxval in [64, 100] {
                assert_in_chunks(&Request::JaxRandint(JaxRandint {
                    implementation: implementation.clone(),
                    partitionable,
                    output_type: output_type.into(),
                    output_sizes: vec![count],
                    minval: 0,
                    maxval,
                    key: key.clone(),
                }));
            }
        }
        assert_in_chunks(&Request::JaxBernoulli(JaxBernoulli {
            implementation,
            partitionable,
            output_sizes: vec![count],
            key,
            p: Tensor::scalar(0.3_f32),
        }));
    }
    for &of in JaxKeyImpl::ALL {
        for partitionable in [true, false] {
            assert_in_chunks(&Request::JaxSplit(JaxSplit {
                implementation: of.into(),
                partitionable,
                num: COUNTS[3].into(),
                key: Tensor::vector(&[1_u32, 2, 3, 4][..usize::try_from(of.words()).unwrap()]),
            }));
        }
    }
}

#[test]
fn digests_of_onnx_are_those_of_the_whole() {
    for count in COUNTS {
        for dtype in [Dtype::F16, Dtype::Bf16, Dtype::F32, Dtype::F64] {
            assert_in_chunks(&Request::OnnxRandomUniform(OnnxRandomUniform {
                output_type: dtype.into(),
                output_sizes: vec![count],
                generator: Some(OnnxGenerator::Philox4x32_10.into()),
                seed_int64: Some(42),
                low: Tensor::scalar(-0.1_f32),
                high: Tensor::scalar(0.3_f32),
                seed: None,
                offset: None,
                execution: 0,
            }));
        }
        let numbers: Vec<i64> = (0..count.cast_signed()).map(|number| number * -3).collect();
        for data in [None, Some(Tensor::vector(&numbers))] {
            assert_in_chunks(&Request::OnnxSplitPrng(OnnxSplitPrng {
                num_outputs: count.into(),
                prng_state: Tensor::vector(&[1_i64, 2]),
                data,
            }));
        }
    }
}

/// Samples of some classes in rows, of which an odd number of draws comes before most chunks.
fn classes(rows: u64, classes: u64, samples: i64, with_replacement: bool) -> Multinomial {
    let weights: Vec<f64> = (0..rows * classes)
        .map(|i| f64::from(u32::try_from(i * 7 % 11 + 1).unwrap()))
        .collect();
    Multinomial {
        probs: matrix(rows, classes, &weights),
        num_samples: Tensor::scalar(samples),
        with_replacement,
        ..multinomial()
    }
}

#[test]
fn digests_of_multinomial_rows_are_those_of_the_whole() {
    for convert_type in [Dtype::I32, Dtype::I64] {
        for request in [
            classes(1001, 3, 197, true),
            classes(3, 50, 65_535, true),
            classes(1401, 60, 51, false),
        ] {
            let convert_type = convert_type.into();
            assert_in_chunks(&Request::Multinomial(Multinomial {
                convert_type,
                ..request
            }));
        }
    }
    // The last row is wrong.
    let mut request = classes(70_001, 1, 1, true);
    request.probs = matrix(70_001, 1, &[vec![1.0; 70_000], vec![f64::NAN]].concat());
    let request = Request::Multinomial(request);
    for cpu in backends() {
        let answer = cpu.ask(&Ask {
            case: "",
            request: &request,
            want: Want::Digest,
        });
        assert_eq!(answer.result.err(), cpu.run(&request).err());
    }
}

#[test]
fn digests_end_early_once_they_are_stopped() {
    let request = RandomUniform::new(Alignment::Pytorch, &[1 << 29], [0.0_f32, 1.0], [150, 10]);
    let request = Request::RandomUniform(request);
    let stop = Arc::new(AtomicBool::new(true));
    for cpu in backends() {
        let stopped = until(&stop, || digest(&cpu, &request));
        assert!(matches!(stopped, Value::Digest(..)));
    }
}

/// A permutation is sorted as a whole, a long row is summed for all of its samples, and the answer says so by being
/// whole.
#[test]
fn digests_of_what_has_no_parts_are_left_to_the_caller() {
    let order = JaxPermutation {
        implementation: JaxKeyImpl::Rbg.into(),
        partitionable: true,
        n: 65_537,
        key: Tensor::vector(&[1_u32, 2, 3, 4]),
    };
    for request in [
        Request::JaxPermutation(order),
        Request::Multinomial(classes(1, 3, 65_537, true)),
    ] {
        for cpu in backends() {
            assert!(matches!(digest(&cpu, &request), Value::Full(_)));
        }
    }
}
