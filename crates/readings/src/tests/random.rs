//! Requests by chance.

use half::f16;
use proptest::prelude::*;
use seedproof_ops::Alignment::{Pytorch, Tensorflow};
use seedproof_ops::{Backend, Dtype, Limits, Multinomial, RandomUniform, Request, Scalar, Shape, Tensor};

use super::first;
use crate::requests::{generated, uniform};
use crate::{Engine, MISTAKES, Reading, named, with};

fn any_bits(dtype: Dtype) -> impl Strategy<Value = Scalar> {
    any::<u64>().prop_map(move |bits| Scalar::new(dtype, bits))
}

fn any_uniform() -> impl Strategy<Value = Request> {
    let dtype = prop::sample::select(&RandomUniform::TYPES[..]);
    let seed = prop_oneof![any::<u64>(), 0..3_u64];
    dtype.prop_flat_map(move |dtype| {
        let alignment = prop_oneof![Just(Tensorflow), Just(Pytorch)];
        (
            any_bits(dtype),
            any_bits(dtype),
            0..40_i64,
            seed.clone(),
            seed.clone(),
            alignment,
        )
            .prop_map(|(minval, maxval, count, global_seed, op_seed, alignment)| {
                let seeds = [global_seed, op_seed];
                Request::RandomUniform(RandomUniform::new(alignment, &[count], [minval, maxval], seeds))
            })
    })
}

fn any_multinomial() -> impl Strategy<Value = Request> {
    let flags = (any::<bool>(), any::<bool>());
    (
        0..3_usize,
        0..6_usize,
        -1..8_i64,
        prop::collection::vec(any::<u16>(), 18),
        flags,
    )
        .prop_map(|(batch, classes, samples, bits, (with_replacement, log_probs))| {
            let dims = [batch, classes].map(|extent| u64::try_from(extent).unwrap());
            let probs: Vec<f16> = bits
                .into_iter()
                .map(f16::from_bits)
                .take(batch * classes)
                .collect();
            Request::Multinomial(Multinomial {
                with_replacement,
                log_probs,
                ..generated(
                    Tensor::from_elements(Shape::new(&dims).unwrap(), &probs).unwrap(),
                    samples,
                )
            })
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever the request and the reading: no panic, and the same answer again.
    #[test]
    fn readings_answer_alike_twice(request in prop_oneof![any_uniform(), any_multinomial()], pick in any::<prop::sample::Index>()) {
        let named = named();
        let reading = match pick.index(named.len() + MISTAKES.len()) {
            at if at < named.len() => named[at].clone(),
            at => with(&Reading::spec(), &[&MISTAKES[at - named.len()]]),
        };
        let engine = Engine::new(reading, Limits::default(), || 7);
        prop_assert_eq!(engine.run(&request), engine.run(&request));
    }

    /// A prefix of a longer draw is the shorter draw.
    #[test]
    fn spec_draws_a_prefix(seeds in any::<[u64; 2]>(), count in 0..50_i64) {
        for (alignment, dtype, bounds) in [
            (Tensorflow, Dtype::F64, ["0000000000000000", "3ff0000000000000"]),
            (Pytorch, Dtype::I32, ["-5", "2000000000"]),
        ] {
            let shorter = first("spec", &uniform(alignment, dtype, count, bounds, seeds), 50);
            let longer = first("spec", &uniform(alignment, dtype, 60, bounds, seeds), usize::try_from(count).unwrap());
            prop_assert_eq!(shorter, longer);
        }
    }
}
