//! Digests of outputs of many chunks are those of the whole output, which nothing holds while they are made.

use half::{bf16, f16};
use seedproof_ops::{
    Alignment, Dtype, Element, PhiloxNormal, PhiloxRandint, PhiloxUniform, RandomStandardNormal,
    RandomUniform, Request, RngAlgorithm, RngBitGenerator, Shape, Tensor, Value,
};

use crate::requests::{backends, digest, dml, run};

/// Chunks of 65,536 elements, the last of which is short and ends inside a block.
const COUNT: u32 = 3 * 65_536 + 77;

/// Asserts that every level makes a digest of the request without its output, the right one.
fn assert_in_chunks(request: &Request) {
    run(request).unwrap();
    for cpu in backends() {
        assert!(matches!(digest(&cpu, request), Value::Digest(..)), "{request:?}");
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

/// MT19937 has no entrance at a chunk, and the answer says so by being whole.
#[test]
fn digests_of_other_generators_are_left_to_the_caller() {
    let request = RandomUniform::new(Alignment::Pytorch, &[COUNT.into()], [0.0_f32, 1.0], [150, 10]);
    let request = Request::RandomUniform(request);
    for cpu in backends() {
        assert!(matches!(digest(&cpu, &request), Value::Full(_)));
    }
}
