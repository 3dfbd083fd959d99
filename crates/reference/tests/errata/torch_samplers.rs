//! Errata of PyTorch's samplers. The numbers are those of PyTorch 2.15.0 on a CPU.

use half::bf16;
use seedproof_ops::{
    Dtype, ErrorKind, Failure, Limits, Request, Tensor, TorchBernoulli, TorchBernoulliInPlace, TorchDropout,
    TorchExponential, TorchMultinomial, TorchRandperm,
};

use crate::request::{answer, refusal};

fn bernoulli(p: Tensor, execution: u32) -> Request {
    Request::TorchBernoulli(TorchBernoulli {
        p,
        seed: 42,
        execution,
    })
}

#[test]
fn tbe_p_range() {
    for p in [1.5_f32, -0.5, f32::NAN] {
        let refused = refusal(&bernoulli(Tensor::vector(&[p]), 0));
        assert_eq!(refused, Some(ErrorKind::Range), "{p}");
    }
}

#[test]
fn tbe_digits() {
    // The first words of the seed 42 are 3f61dc66, 3f6a3db3 as f32, and 0.058 as one f64.
    let one = 1.0_f32.to_bits();
    assert_eq!(answer(&bernoulli(Tensor::vector(&[0.5_f32]), 0)), Ok(vec![0]));
    assert_eq!(
        answer(&bernoulli(Tensor::vector(&[0.5_f64]), 0)),
        Ok(vec![1.0_f64.to_bits()])
    );
    assert_eq!(
        answer(&bernoulli(Tensor::vector(&[0.9_f32]), 0)),
        Ok(vec![one.into()])
    );
}

#[test]
fn tbe_less_strict() {
    let equal = f32::from_bits(0x3f61_dc66);
    assert_eq!(answer(&bernoulli(Tensor::vector(&[equal]), 0)), Ok(vec![0]));
    let one = u64::from(1.0_f32.to_bits());
    assert_eq!(
        answer(&bernoulli(Tensor::vector(&[equal.next_up()]), 0)),
        Ok(vec![one])
    );
}

#[test]
fn tbi_digits() {
    let drawn = |p: f64| {
        answer(&Request::TorchBernoulliInPlace(TorchBernoulliInPlace {
            p: Tensor::scalar(p),
            output_type: Dtype::U8.into(),
            output_sizes: vec![1],
            seed: 42,
            execution: 0,
        }))
    };
    // The number is 0.058 of two words, not 0.88 of one.
    assert_eq!(drawn(0.05), Ok(vec![0]));
    assert_eq!(drawn(0.06), Ok(vec![1]));
}

fn dropout(input: Tensor, p: f64, execution: u32) -> Vec<u64> {
    answer(&Request::TorchDropout(TorchDropout {
        input,
        p: Tensor::scalar(p),
        seed: 42,
        execution,
    }))
    .unwrap()
}

#[test]
fn tdo_ends() {
    let all = dropout(Tensor::vector(&[1.0_f32, -1.0, f32::INFINITY]), 1.0, 0);
    assert_eq!(all, [0, 0x8000_0000, 0x7fc0_0000]);
}

#[test]
fn tdo_ends_draws() {
    // Nothing is drawn, so that no call is too late.
    let input = || Tensor::vector(&[1.5_f32; 3]);
    assert_eq!(dropout(input(), 0.0, u32::MAX), dropout(input(), 0.0, 0));
}

#[test]
fn tdo_scale_order() {
    let input = bf16::from_f32(1.023_437_5);
    let scaled = dropout(Tensor::vector(&[input; 8]), 0.1, 0);
    // 1 / 0.9 is 1.109375 in bf16.
    let rounded = bf16::from_f32(input.to_f32() * 1.109_375).to_bits();
    let late = bf16::from_f32(input.to_f32() / 0.9).to_bits();
    assert!(scaled.contains(&rounded.into()) && !scaled.contains(&late.into()));
}

#[test]
fn tdo_nan() {
    let input = Tensor::vector(&[f32::INFINITY; 16]);
    let infinity = u64::from(f32::INFINITY.to_bits());
    let output = dropout(input, 0.5, 0);
    assert!(output.iter().all(|&bits| bits == infinity || bits == 0x7fc0_0000));
    assert!(output.contains(&0x7fc0_0000));
}

fn permutation(n: i128) -> Request {
    Request::TorchRandperm(TorchRandperm {
        output_type: Dtype::I64.into(),
        n,
        seed: 42,
        execution: 0,
    })
}

fn is_unsupported(request: &Request) -> bool {
    let answer = seedproof_reference::run(request, &Limits::default(), 0);
    matches!(answer, Err(Failure::Unsupported(_)))
}

#[test]
fn tpe_long() {
    assert!(is_unsupported(&permutation(214_748_364)));
}

#[test]
fn tpe_bias() {
    // The first word of the seed 42 is 1608637542, which leaves 2 of 10.
    assert_eq!(answer(&permutation(10)).unwrap()[0], 2);
}

fn exponential(dtype: Dtype) -> Request {
    Request::TorchExponential(TorchExponential {
        lambd: Tensor::scalar(1.0_f64),
        output_type: dtype.into(),
        output_sizes: vec![1],
        seed: 42,
        execution: 0,
    })
}

#[test]
fn tex_logarithm() {
    assert!(is_unsupported(&exponential(Dtype::F64)));
    assert!(answer(&exponential(Dtype::F32)).is_ok());
}

#[test]
fn tex_complement() {
    // Of the first number, 0.0581545, the logarithm is -2.84, and that of its complement -0.0599.
    let bits = answer(&exponential(Dtype::F32)).unwrap()[0];
    let number = f32::from_bits(u32::try_from(bits).unwrap());
    assert!((0.0599..0.06).contains(&number), "{number}");
}

fn multinomial(weights: Tensor, num_samples: i128, replacement: bool) -> Request {
    Request::TorchMultinomial(TorchMultinomial {
        weights,
        num_samples,
        replacement,
        seed: 42,
        execution: 0,
    })
}

#[test]
fn tmu_one() {
    let weights = || Tensor::vector(&[1.0_f32, 2.0, 3.0, 4.0]);
    let one = answer(&multinomial(weights(), 1, true));
    assert_eq!(one, answer(&multinomial(weights(), 1, false)));
    // The exponentials 0.060, 0.065, 0.132 and 0.054 let class 3 win; by the search the first number selects class 0.
    let several = answer(&multinomial(weights(), 2, true)).unwrap();
    assert_eq!((several[0], one), (0, Ok(vec![3])));
}

#[test]
fn tmu_race_ties() {
    // Two zeros are equal whatever is drawn.
    let weights = Tensor::vector(&[0.0_f32, 1.0, 0.0]);
    assert!(is_unsupported(&multinomial(weights.clone(), 2, false)));
    assert_eq!(answer(&multinomial(weights, 1, false)), Ok(vec![1]));
}

#[test]
fn tmu_bound() {
    let number = f64::from_bits(0x3fad_c66c_bea3_db30);
    let weights = Tensor::vector(&[number, 1.0 - number]);
    assert_eq!(answer(&multinomial(weights, 2, true)).unwrap()[0], 0);
}

#[test]
fn tmu_sums_type() {
    // In bf16 the sum would stay at 256 of 3,000 ones.
    let drawn = answer(&multinomial(Tensor::vector(&[bf16::ONE; 3000]), 20, true)).unwrap();
    assert!(drawn.iter().any(|&class| class > 1000));
}
