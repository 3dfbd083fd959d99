//! Small requests of normals, chosen so that each wrong answer shows in one of them.

use seedproof_ops::{
    Dtype, LitertRandomStandardNormal, LitertRandomUniform, PhiloxNormal, RandomStandardNormal, Request,
    StatelessRandomNormal, Tensor, TorchNormal, TruncatedNormal,
};

pub(crate) fn requests() -> Vec<Request> {
    let mut all = tensorflow();
    all.extend(litert());
    all.extend(torch());
    all
}

fn tensorflow() -> Vec<Request> {
    let seeded = |execution| {
        Request::RandomStandardNormal(RandomStandardNormal {
            shape: Tensor::vector(&[35_i64]),
            output_type: Dtype::F32.into(),
            seed: 7,
            seed2: 9,
            execution,
        })
    };
    let truncated = TruncatedNormal {
        shape: Tensor::vector(&[160_i64]),
        output_type: Dtype::F32.into(),
        seed: 7,
        seed2: 9,
        execution: 0,
    };
    // A word of this block has low bits of zero, whose logarithm is infinite where nothing clamps it.
    let zero = StatelessRandomNormal {
        shape: Tensor::vector(&[4_i64]),
        key: Tensor::vector(&[7_u64]),
        counter: Tensor::vector(&[23_978_081_u64, 0]),
        alg: Tensor::scalar(1_i32),
        output_type: Dtype::F32.into(),
    };
    vec![
        seeded(0),
        seeded(1),
        Request::TruncatedNormal(truncated),
        Request::StatelessRandomNormal(zero),
    ]
}

fn litert() -> Vec<Request> {
    // Each seed is negative in its low half, and has a high half that does not count.
    let [seed, seed2] = [(5 << 32) + 0x8000_0007, 0xffff_fff0];
    let shape = || Tensor::vector(&[35_i32]);
    let all = [0, 1].map(|execution| {
        [
            Request::LitertRandomUniform(LitertRandomUniform {
                shape: shape(),
                seed,
                seed2,
                execution,
            }),
            Request::LitertRandomStandardNormal(LitertRandomStandardNormal {
                shape: shape(),
                seed,
                seed2,
                execution,
            }),
        ]
    });
    all.into_iter().flatten().collect()
}

fn torch() -> Vec<Request> {
    let parameters = [Tensor::scalar(0.3_f64), Tensor::scalar(1.7_f64)];
    let normal = |dtype: Dtype, count, execution| {
        let [mean, std] = parameters.clone();
        Request::TorchNormal(TorchNormal {
            mean,
            std,
            output_type: dtype.into(),
            output_sizes: vec![count],
            seed: 42,
            execution,
        })
    };
    let [mean, std] = parameters.clone();
    let keyed = PhiloxNormal {
        // The first word of the seed 75,465 is 334, of which half a step is seen.
        key: Tensor::vector(&[75_465_u64, 0]),
        mean,
        std,
        output_type: Dtype::F32.into(),
        output_sizes: vec![2000],
    };
    vec![
        normal(Dtype::F32, 5, 1),
        normal(Dtype::F32, 15, 0),
        normal(Dtype::F32, 500, 0),
        normal(Dtype::F32, 35, 1),
        normal(Dtype::Bf16, 35, 0),
        Request::PhiloxNormal(keyed),
    ]
}
