//! Small requests of samplers, chosen so that each wrong answer shows in one of them.

use seedproof_ops::{
    Dtype, InductorRandint, Request, SglangMultinomialWithSeed, SglangMurmurHash32, Shape, Tensor,
    TritonRand, TritonRandint, VllmGumbelSample, VllmMurmur3Uniform,
};

pub(crate) fn requests() -> Vec<Request> {
    let mut all = servers();
    all.extend(triton());
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
    ]
}
