//! JAX's keys and ONNX's drafts against the CPU backend.

use seedproof_ops::{
    Backend, Dtype, Failure, JaxBits, JaxKeyImpl, JaxPermutation, JaxRandint, JaxSplit, OnnxGenerator,
    OnnxRandomUniform, OnnxSplitPrng, Request, Support, Tensor,
};

use crate::agreement::{assert_agree, gpus};

fn key(implementation: JaxKeyImpl, words: [u32; 4]) -> Tensor {
    let count = usize::try_from(implementation.words()).unwrap();
    Tensor::vector(&words[..count])
}

/// Random requests mostly leave out the generator or the seed, without which the draft leaves the values open.
pub(crate) fn onnx_uniforms_agree_with_the_cpu() {
    let mut random = fastrand::Rng::with_seed(1);
    for number in 0..200 {
        let dtype = [Dtype::F16, Dtype::Bf16, Dtype::F32, Dtype::F64][number % 4];
        let bound = random.f32() * 8.0 - 4.0;
        let request = Request::OnnxRandomUniform(OnnxRandomUniform {
            output_type: dtype.into(),
            output_sizes: vec![random.u64(..3000)],
            generator: Some(OnnxGenerator::Philox4x32_10.into()),
            seed_int64: Some(random.i64(..).into()),
            low: Tensor::scalar(bound),
            high: Tensor::scalar(bound + random.f32()),
            seed: None,
            offset: random.bool().then(|| Tensor::scalar(random.i64(..))),
            execution: 0,
        });
        for gpu in gpus() {
            assert_agree(&gpu, &request);
        }
    }
}

/// A random list of numbers mostly has another length than the outputs.
pub(crate) fn onnx_splits_by_data_agree_with_the_cpu() {
    let mut random = fastrand::Rng::with_seed(1);
    for count in [1, 2, 63, 64, 65, 299] {
        let data: Vec<i64> = (0..count).map(|_| random.i64(..)).collect();
        let request = Request::OnnxSplitPrng(OnnxSplitPrng {
            num_outputs: count.into(),
            prng_state: Tensor::vector(&[random.u32(..), random.u32(..)].map(i64::from)),
            data: Some(Tensor::vector(&data)),
        });
        for gpu in gpus() {
            assert_agree(&gpu, &request);
        }
    }
}

/// Outputs that take more than one chunk, so that each kind of count is carried.
pub(crate) fn jax_of_several_chunks_agrees_with_the_cpu() {
    let words = [1, 2, 3, 4];
    let bits = |implementation, partitionable, dtype: Dtype, count| {
        Request::JaxBits(JaxBits {
            implementation: JaxKeyImpl::into(implementation),
            partitionable,
            output_type: dtype.into(),
            output_sizes: vec![count],
            key: key(implementation, words),
        })
    };
    let requests = [
        bits(JaxKeyImpl::Threefry2x32, true, Dtype::U32, (1 << 24) + 5),
        bits(JaxKeyImpl::Threefry2x32, true, Dtype::U64, (1 << 23) + 5),
        bits(JaxKeyImpl::Threefry2x32, false, Dtype::U8, (1 << 24) + 7),
        bits(JaxKeyImpl::Threefry2x32, false, Dtype::U64, (1 << 23) + 5),
        Request::JaxSplit(JaxSplit {
            implementation: JaxKeyImpl::UnsafeRbg.into(),
            partitionable: true,
            num: (1 << 22) + 3,
            key: key(JaxKeyImpl::UnsafeRbg, words),
        }),
        Request::JaxRandint(JaxRandint {
            implementation: JaxKeyImpl::Threefry2x32.into(),
            partitionable: false,
            output_type: Dtype::I32.into(),
            output_sizes: vec![(1 << 24) + 9],
            minval: -7,
            maxval: 1_000_000,
            key: key(JaxKeyImpl::Threefry2x32, words),
        }),
        Request::OnnxSplitPrng(OnnxSplitPrng {
            num_outputs: (1 << 22) + 3,
            prng_state: Tensor::vector(&[1_i64, 2]),
            data: Some(Tensor::vector(&(0..(1 << 22) + 3).collect::<Vec<i64>>())),
        }),
    ];
    for gpu in gpus().into_iter().take(1) {
        for request in &requests {
            assert_agree(&gpu, request);
        }
    }
}

pub(crate) fn jax_permutations_are_unsupported() {
    let request = Request::JaxPermutation(JaxPermutation {
        implementation: JaxKeyImpl::Rbg.into(),
        partitionable: true,
        n: 7,
        key: key(JaxKeyImpl::Rbg, [1, 2, 3, 4]),
    });
    for gpu in gpus() {
        assert!(
            matches!(gpu.supports(&request), Support::Unsupported(reason) if reason.contains("jax.permutation"))
        );
        assert!(matches!(gpu.run(&request), Err(Failure::Unsupported(_))));
    }
}
