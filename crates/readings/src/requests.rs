//! Small requests for tests, chosen so that each wrong answer shows in one of them.

use half::{bf16, f16};
use seedproof_ops::{
    Alignment, DmlGenerator, DmlRandomGenerator, Dtype, FeatureLevel, Multinomial, RandomUniform, Request,
    Scalar, Shape, Tensor,
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

pub(crate) fn requests() -> Vec<Request> {
    let mut all = uniforms();
    all.extend(multinomials().into_iter().map(Request::Multinomial));
    all.extend(generators());
    all.extend(crate::stateless_requests::requests());
    all.extend(crate::normal_requests::requests());
    all.extend(crate::sampler_requests::requests());
    all
}

fn uniforms() -> Vec<Request> {
    let ranges: &[(Dtype, [&str; 2])] = &[
        (Dtype::F16, ["0000", "3c00"]),
        (Dtype::F16, ["be00", "bc00"]),
        (Dtype::F16, ["c29a", "5649"]),
        (Dtype::F16, ["0000", "01ff"]),
        (Dtype::Bf16, ["0000", "3f80"]),
        (Dtype::Bf16, ["c2c8", "437a"]),
        (Dtype::Bf16, ["3f80", "4000"]),
        (Dtype::F32, ["00000000", "3f800000"]),
        (Dtype::F32, ["bdcccccd", "3e99999a"]),
        (Dtype::F32, ["4b7ffffe", "4b800001"]),
        (Dtype::F32, ["00000000", "00400000"]),
        (Dtype::F32, ["ff800000", "7f800000"]),
        (Dtype::F32, ["3f800000", "3f800000"]),
        (Dtype::F32, ["7fc00000", "3f800000"]),
        (Dtype::F64, ["0000000000000000", "3ff0000000000000"]),
        (Dtype::F64, ["c059000000000000", "406f400000000000"]),
        (Dtype::F64, ["bfb999999999999a", "3fd3333333333333"]),
        (Dtype::I32, ["50", "100"]),
        (Dtype::I32, ["-2147483648", "2147483647"]),
        (Dtype::I32, ["0", "268435456"]),
        (Dtype::I32, ["-1500000000", "1500000000"]),
        (Dtype::I64, ["50", "100"]),
        (Dtype::I64, ["0", "4294967295"]),
        (Dtype::I64, ["-1099511627776", "4294967294"]),
        (Dtype::I64, ["-9223372036854775808", "9223372036854775807"]),
    ];
    let seeds = [
        [150, 10],
        [(3 << 32) + 80, (5 << 32) + 100],
        [u64::MAX - 6, u64::MAX - 9],
        [(1 << 53) + 1, 16777217],
        [0, 5],
        [0, 0],
    ];
    let mut all = Vec::new();
    for alignment in [Alignment::Tensorflow, Alignment::Pytorch] {
        for &(dtype, bounds) in ranges {
            all.extend(seeds.map(|seeds| uniform(alignment, dtype, 35, bounds, seeds)));
            all.push(uniform(alignment, dtype, 1100, bounds, [7, 9]));
        }
    }
    let Request::RandomUniform(mut form) = uniform(
        Alignment::Tensorflow,
        Dtype::F32,
        3,
        ["00000000", "3f800000"],
        [1, 2],
    ) else {
        unreachable!("it was just made");
    };
    form.minval = Tensor::vector(&[0.0_f32]);
    all.push(Request::RandomUniform(form.clone()));
    form.shape = Tensor::vector(&[3_i32]);
    form.minval = Tensor::scalar(0.0_f32);
    all.push(Request::RandomUniform(form));
    all
}

fn multinomials() -> Vec<Multinomial> {
    let tiny = f64::powi(2.0, -60);
    let replaced = |request: Multinomial| Multinomial {
        with_replacement: true,
        ..request
    };
    let logs = |request: Multinomial| Multinomial {
        log_probs: true,
        ..request
    };
    let f16s = [0.1_f32, 0.2, 0.3].map(f16::from_f32);
    let bf16s = [0.1_f32, 0.2, 0.3, 0.5, 0.7, 0.9].map(bf16::from_f32);
    vec![
        replaced(draws(&[&[1.0, 2.0, 1.0]], &[&[0.25, 0.3, 0.75, 0.0, 1.0]])),
        replaced(draws(&[&[0.0, 1.0]], &[&[0.0]])),
        // The exponentials are 0.9047 and 0.4970, and 0.90625 and 0.49609 once they are rounded to bf16.
        Multinomial {
            probs: Tensor::from_elements(
                Shape::new(&[1, 2]).unwrap(),
                &[-0.1_f32, -0.7].map(bf16::from_f32),
            )
            .unwrap(),
            ..logs(replaced(draws(&[&[1.0, 2.0]], &[&[0.6458]])))
        },
        replaced(draws(&[&[0.1, 0.9]], &[&[0.1000000001]])),
        replaced(draws(&[&[5.0, 44.0]], &[&[5.0 / 49.0]])),
        replaced(draws(&[&[3.0, 46.0]], &[&[3.0 / 49.0]])),
        draws(&[&[2.0, 1.0, 1.0]], &[&[0.4, 0.6]]),
        draws(&[&[2.0, 1.0, 1.0]], &[&[0.0, 0.0]]),
        draws(&[&[0.0, 1.0]], &[&[0.5, 0.5]]),
        draws(&[&[1.0, tiny]], &[&[0.5, 0.5]]),
        draws(&[&[1.0, 1.0]], &[&[0.5, 0.5, 0.5]]),
        draws(&[&[-1.0, 2.0]], &[&[0.5]]),
        draws(&[&[0.0, 0.0]], &[&[0.5]]),
        draws(&[&[1.0, 1.0]], &[&[1.5]]),
        logs(draws(&[&[800.0, 1.0]], &[&[0.5]])),
        replaced(logs(draws(&[&[0.0, 1.0]], &[&[0.3]]))),
        replaced(logs(draws(&[&[1.0, 2.0]], &[&[0.3]]))),
        replaced(Multinomial {
            probs: Tensor::from_elements(Shape::new(&[1, 2]).unwrap(), &[f16::ONE, f16::from_f32(2.0)])
                .unwrap(),
            ..draws(&[&[0.0, 0.0]], &[&[0.3333]])
        }),
        // Sums of f16 go on by steps of 1/2 past 512, and lose a tenth.
        replaced(generated(matrix(&[[0.1; 6000].as_slice()]), 20)),
        generated(matrix(&[[4.0, 3.0, 2.0, 1.0, 5.0, 6.0].as_slice(); 3]), 5),
        generated(
            Tensor::from_elements(Shape::new(&[1, 3]).unwrap(), &f16s).unwrap(),
            3,
        ),
        replaced(generated(
            Tensor::from_elements(Shape::new(&[2, 3]).unwrap(), &bf16s).unwrap(),
            33,
        )),
    ]
}

fn generators() -> Vec<Request> {
    let states = [
        [1, 2, 3, 4, 5, 6],
        [u32::MAX, 0, 7, 9, 5, 6],
        [u32::MAX, u32::MAX, 7, 9, 5, 6],
        [u32::MAX, u32::MAX, u32::MAX, 9, 5, 6],
        [u32::MAX, u32::MAX, u32::MAX, u32::MAX, u32::MAX, 6],
    ];
    let mut all: Vec<Request> = states
        .into_iter()
        .map(|state| dml(FeatureLevel::Level3_0, &[1, 1, 3, 3], &[1, 1, 1, 6], state))
        .collect();
    all.push(dml(FeatureLevel::Level4_0, &[9], &[6], states[0]));
    all.push(dml(FeatureLevel::Level4_0, &[2, 3, 5, 4], &[6], states[0]));
    all.push(dml(FeatureLevel::Level4_0, &[5, 2, 7], &[6], states[0]));
    // Two blocks or tiles of the largest size that a mistake has: with one tile, rows stand where they belong.
    all.push(dml(FeatureLevel::Level4_0, &[1, 32, 2], &[6], states[0]));
    all.push(dml(FeatureLevel::Level4_0, &[2, 32], &[6], states[0]));
    all.push(dml(
        FeatureLevel::Level3_0,
        &[1, 0, 3, 3],
        &[1, 1, 1, 6],
        states[0],
    ));
    all
}
