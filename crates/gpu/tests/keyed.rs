//! JAX's keys and ONNX's drafts against the CPU backend.

use proptest::prelude::*;
use seedproof_ops::{
    Backend, Dtype, Failure, JaxBernoulli, JaxBits, JaxFoldIn, JaxKey, JaxKeyImpl, JaxPermutation,
    JaxRandint, JaxSplit, JaxUniform, Named as _, OnnxGenerator, OnnxInitPrng, OnnxRandomUniform,
    OnnxSplitPrng, Request, Scalar, Support, Tensor,
};

use crate::agreement::{agree, assert_agree, bounds, gpus};

/// An implementation of JAX's keys, the order, and a key.
fn keys() -> impl Strategy<Value = (JaxKeyImpl, bool, Tensor)> {
    let word = || prop_oneof![1 => Just(0), 1 => Just(u32::MAX), 4 => any::<u32>()];
    let words = proptest::array::uniform4(word());
    (proptest::sample::select(JaxKeyImpl::ALL), any::<bool>(), words).prop_map(
        |(implementation, partitionable, words)| (implementation, partitionable, key(implementation, words)),
    )
}

fn key(implementation: JaxKeyImpl, words: [u32; 4]) -> Tensor {
    let count = usize::try_from(implementation.words()).unwrap();
    Tensor::vector(&words[..count])
}

/// A float type, and numbers of it as bounds.
fn floats() -> impl Strategy<Value = (Dtype, [Tensor; 2])> {
    proptest::sample::select(&[Dtype::F16, Dtype::Bf16, Dtype::F32, Dtype::F64][..]).prop_flat_map(|dtype| {
        let bound = move |bits| Tensor::from_scalar(Scalar::new(dtype, bits));
        bounds(dtype).prop_map(move |bits| (dtype, bits.map(bound)))
    })
}

/// Bounds that are near, far, of 32 bits, beyond a small type or in the wrong order.
fn integer_bounds() -> impl Strategy<Value = [i64; 2]> {
    let near = |least: i64, width: i64| [least, least.wrapping_add(width)];
    prop_oneof![
        any::<[i64; 2]>(),
        (any::<i64>(), any::<u32>()).prop_map(move |(least, width)| near(least, width.into())),
        (any::<i32>(), any::<u32>()).prop_map(move |(least, width)| near(least.into(), width.into())),
        (any::<i16>(), any::<u16>()).prop_map(move |(least, width)| near(least.into(), width.into())),
        (any::<i8>(), 0_u32..63).prop_map(move |(least, width)| near(least.into(), 1 << width)),
        Just([i64::MIN, i64::MAX]),
    ]
}

fn jaxes() -> impl Strategy<Value = Request> {
    let count = || prop_oneof![4 => 0_u64..40, 1 => 40_u64..3000];
    let unsigned = &[Dtype::U8, Dtype::U16, Dtype::U32, Dtype::U64][..];
    let integers: Vec<Dtype> = Dtype::ALL.iter().copied().filter(|it| !it.is_float()).collect();
    prop_oneof![
        (keys(), any::<i64>()).prop_map(|((implementation, ..), seed)| Request::JaxKey(JaxKey {
            implementation: implementation.into(),
            seed: seed.into(),
        })),
        (keys(), 0_u32..2000).prop_map(|((implementation, partitionable, key), num)| {
            Request::JaxSplit(JaxSplit {
                implementation: implementation.into(),
                partitionable,
                num: num.into(),
                key,
            })
        }),
        (keys(), any::<u32>()).prop_map(|((implementation, partitionable, key), data)| {
            Request::JaxFoldIn(JaxFoldIn {
                implementation: implementation.into(),
                partitionable,
                data: data.into(),
                key,
            })
        }),
        (keys(), proptest::sample::select(unsigned), count()).prop_map(
            |((implementation, partitionable, key), dtype, count)| Request::JaxBits(JaxBits {
                implementation: implementation.into(),
                partitionable,
                output_type: dtype.into(),
                output_sizes: vec![count],
                key,
            })
        ),
        (keys(), floats(), count()).prop_map(
            |((implementation, partitionable, key), (dtype, [minval, maxval]), count)| {
                Request::JaxUniform(JaxUniform {
                    implementation: implementation.into(),
                    partitionable,
                    output_type: dtype.into(),
                    output_sizes: vec![count],
                    key,
                    minval,
                    maxval,
                })
            }
        ),
        (
            keys(),
            proptest::sample::select(integers),
            integer_bounds(),
            count()
        )
            .prop_map(
                |((implementation, partitionable, key), dtype, [minval, maxval], count)| {
                    Request::JaxRandint(JaxRandint {
                        implementation: implementation.into(),
                        partitionable,
                        output_type: dtype.into(),
                        output_sizes: vec![count],
                        minval: minval.into(),
                        maxval: maxval.into(),
                        key,
                    })
                }
            ),
        (
            keys(),
            prop_oneof![any::<u32>().prop_map(f32::from_bits), 0.0..1.0_f32],
            count()
        )
            .prop_map(
                |((implementation, partitionable, key), p, count)| Request::JaxBernoulli(JaxBernoulli {
                    implementation: implementation.into(),
                    partitionable,
                    output_sizes: vec![count],
                    key,
                    p: Tensor::scalar(p),
                })
            ),
    ]
}

/// What ONNX's drafts define.
fn onnxes() -> impl Strategy<Value = Request> {
    let uniforms = (
        floats(),
        bounds(Dtype::F32),
        any::<i64>(),
        proptest::option::of(any::<i64>()),
        0_u64..3000,
    )
        .prop_map(|((dtype, _), bounds, seed, offset, count)| {
            let [low, high] = bounds.map(|bits| Tensor::from_scalar(Scalar::new(Dtype::F32, bits)));
            Request::OnnxRandomUniform(OnnxRandomUniform {
                output_type: dtype.into(),
                output_sizes: vec![count],
                generator: Some(OnnxGenerator::Philox4x32_10.into()),
                seed_int64: Some(seed.into()),
                low,
                high,
                seed: None,
                offset: offset.map(Tensor::scalar),
                execution: 0,
            })
        });
    let splits = (
        any::<[u32; 2]>(),
        proptest::collection::vec(any::<i64>(), 1..300),
        any::<bool>(),
    )
        .prop_map(|(words, data, has_data)| {
            Request::OnnxSplitPrng(OnnxSplitPrng {
                num_outputs: i128::try_from(data.len()).unwrap(),
                prng_state: Tensor::vector(&words.map(i64::from)),
                data: has_data.then(|| Tensor::vector(&data)),
            })
        });
    prop_oneof![
        2 => uniforms,
        1 => splits,
        1 => any::<i64>().prop_map(|seed| Request::OnnxInitPrng(OnnxInitPrng { seed: Tensor::scalar(seed) })),
    ]
}

pub(crate) fn jax_agrees_with_the_cpu() {
    agree(jaxes());
}

pub(crate) fn onnx_agrees_with_the_cpu() {
    agree(onnxes());
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
        assert!(matches!(gpu.supports(&request), Support::No(reason) if reason.contains("jax.permutation")));
        assert!(matches!(gpu.run(&request), Err(Failure::Unsupported(_))));
    }
}
