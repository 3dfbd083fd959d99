//! Errata of PyTorch's draws on CUDA. The numbers are those of PyTorch 2.11.0 with CUDA 13.0 on an H200.

use seedproof_ops::{
    Dtype, ErrorKind, Request, Tensor, TorchCudaBernoulli, TorchCudaNormal, TorchCudaRandom, TorchCudaUniform,
};
use seedproof_transcend::glibc;

use crate::request::{answer, refusal};

const H200: (i128, i128) = (132, 2048);

#[test]
fn tcu_fma() {
    let request = Request::TorchCudaUniform(TorchCudaUniform {
        output_type: Dtype::F32.into(),
        output_sizes: vec![3],
        seed: 42,
        offset: 0,
        multiprocessors: H200.0,
        threads_per_multiprocessor: H200.1,
        from: Tensor::scalar(-0.1_f64),
        to: Tensor::scalar(0.3_f64),
    });
    // Rounded twice, the third is 3d732936.
    let (u, range, from) = (f32::from_bits(0x3ecb_fce1), 0.3_f32 - -0.1, -0.1_f32);
    assert_eq!((u * range + from).to_bits(), 0x3d73_2936);
    assert_eq!(answer(&request), Ok(vec![0x3e14_ab1a, 0xbdc4_8f4f, 0x3d73_2937]));
}

fn random(dtype: Dtype, from: Option<i128>, to: Option<i128>) -> Request {
    Request::TorchCudaRandom(TorchCudaRandom {
        output_type: dtype.into(),
        output_sizes: vec![3],
        seed: 42,
        offset: 0,
        multiprocessors: H200.0,
        threads_per_multiprocessor: H200.1,
        from,
        to,
    })
}

#[test]
fn tcr_limit() {
    // Of one word, 9ceaf053, the first would be 0ceaf053.
    let drawn = answer(&random(Dtype::I32, Some(0), Some(1 << 28)));
    assert_eq!(drawn, Ok(vec![0x07f5_493b, 0x0051_e913, 0x052e_5866]));
    let narrow = answer(&random(Dtype::I32, Some(0), Some((1 << 28) - 1)));
    assert_eq!(narrow.map(|them| them[0]), Ok(0x9cea_f053 % ((1 << 28) - 1)));
}

#[test]
fn tcr_from_alone() {
    // Of five numbers of i8 one word is enough: 9ceaf053 mod 5 is 2.
    let drawn = answer(&random(Dtype::I8, Some(123), None)).map(|them| them[0]);
    assert_eq!(drawn, Ok(123 + 0x9cea_f053 % 5));
    // All of i64 are the words as they are, and not the remainder with the least number added.
    let all = answer(&random(Dtype::I64, Some(i64::MIN.into()), None)).map(|them| them[0]);
    assert_eq!(all, Ok(0x9cea_f053_77f5_493b));
    let past = random(Dtype::I64, Some(0), Some(1 << 63));
    assert_eq!(refusal(&past), Some(ErrorKind::Range));
}

#[test]
fn tcb_one() {
    // A word of ffffffe4, which is 2^32 as an f32, is the number 1.
    let request = |offset| {
        Request::TorchCudaBernoulli(TorchCudaBernoulli {
            output_type: Dtype::U8.into(),
            output_sizes: vec![1],
            seed: 1,
            offset,
            multiprocessors: H200.0,
            threads_per_multiprocessor: H200.1,
            p: Tensor::scalar(1.0_f64),
        })
    };
    assert_eq!(answer(&request(109_568_476)), Ok(vec![0]));
    assert_eq!(answer(&request(109_568_480)), Ok(vec![1]));
}

#[test]
fn tcn_functions() {
    let request = Request::TorchCudaNormal(TorchCudaNormal {
        output_type: Dtype::F32.into(),
        output_sizes: vec![3],
        seed: 0,
        offset: 0,
        multiprocessors: H200.0,
        threads_per_multiprocessor: H200.1,
        mean: Tensor::scalar(0.0_f64),
        std: Tensor::scalar(1.0_f64),
    });
    assert_eq!(answer(&request), Ok(vec![0xbf6c_b6ad, 0xbed9_c6b8, 0xc029_34c5]));
    // The sine of an angle near pi, where the GPU's is absolute and the C library's relative.
    let angle = 3.125_f32;
    assert_ne!(
        seedproof_transcend::cuda::sin_approx(angle).to_bits(),
        glibc::sinf(angle).to_bits()
    );
}
