//! Errata of PyTorch's torch.func._random. Every number is PyTorch 2.15's, on a CPU.

use seedproof_ops::{
    Dtype, ErrorKind, PhiloxKeyFoldIn, PhiloxKeySplit, PhiloxRandint, PhiloxUniform, Request, Shape, Tensor,
};

use crate::request::answer;

fn fold(key: [u64; 2], data: i128) -> Result<Vec<u64>, Option<ErrorKind>> {
    let key = Tensor::vector(&key);
    answer(&Request::PhiloxKeyFoldIn(PhiloxKeyFoldIn { key, data }))
}

fn uniform(key: Tensor, dtype: Dtype, sizes: &[u64], [low, high]: [f64; 2]) -> Vec<u64> {
    let request = PhiloxUniform {
        key,
        low: Tensor::scalar(low),
        high: Tensor::scalar(high),
        output_type: dtype.into(),
        output_sizes: sizes.to_vec(),
    };
    answer(&Request::PhiloxUniform(request)).unwrap()
}

fn randint(dtype: Dtype, low: Option<i128>, high: Option<i128>) -> Result<Vec<u64>, Option<ErrorKind>> {
    answer(&Request::PhiloxRandint(PhiloxRandint {
        key: key(),
        output_type: dtype.into(),
        output_sizes: vec![3],
        low,
        high,
    }))
}

fn key() -> Tensor {
    Tensor::vector(&[42_u64, 0])
}

fn batch(dims: &[u64]) -> Tensor {
    Tensor::from_elements(Shape::new(dims).unwrap(), &[42_u64, 0, 43, 0, 44, 0]).unwrap()
}

#[test]
fn tks_key_carry() {
    let key = Tensor::vector(&[42_u64, u64::MAX]);
    let keys = answer(&Request::PhiloxKeySplit(PhiloxKeySplit { key, num_splits: 2 })).unwrap();
    assert_eq!(keys[2..], fold([42, 0], 0).unwrap());
}

#[test]
fn tkf_data_negative() {
    assert_eq!(fold([42, 7], -1), fold([42, 7], i128::from(u64::MAX)));
    assert_eq!(fold([42, 7], 1 << 64), Err(Some(ErrorKind::Attribute)));
    assert_eq!(fold([42, 7], -(1 << 63) - 1), Err(Some(ErrorKind::Attribute)));
}

#[test]
fn tkf_words() {
    assert_eq!(
        fold([42, 0], 0).unwrap(),
        [0x77f5_493b_9cea_f053, 0x5742_b3d7_12bf_50ad]
    );
}

/// Fused, elements 3, 4, 5 and 7 would be others.
#[test]
fn tku_range_fused() {
    assert_eq!(
        uniform(key(), Dtype::F32, &[8], [-0.1, 0.3]),
        [
            0x3e88_c043,
            0x3e91_0763,
            0x3e4b_b448,
            0x3b8a_5e30,
            0x3e78_350c,
            0x3e43_e196,
            0x3dfd_ee2d,
            0x3cb3_8c8c
        ]
    );
}

#[test]
fn tku_range_high_reached() {
    let drawn = uniform(key(), Dtype::Bf16, &[8], [2047.0, 2049.0]);
    assert_eq!(
        drawn,
        [0x4500, 0x4500, 0x4500, 0x4500, 0x4500, 0x4500, 0x4500, 0x4500]
    );
}

#[test]
fn tku_range_unchecked() {
    assert_eq!(uniform(key(), Dtype::F32, &[2], [3.0, 3.0]), [0x4040_0000; 2]);
    assert_eq!(
        uniform(key(), Dtype::F32, &[2], [2.0, 1.0]),
        [0x3f8a_87d6, 0x3f85_5b62]
    );
    assert_eq!(uniform(key(), Dtype::F32, &[1], [0.0, 1e300]), [0x7f80_0000]);
}

#[test]
fn tku_convert_word_order() {
    assert_eq!(
        uniform(key(), Dtype::F64, &[2], [0.0, 1.0]),
        [0x3fd5_e0a6_efea_9276, 0x3fef_50ad_5742_b3d7]
    );
}

#[test]
fn tku_convert_halves() {
    assert_eq!(
        uniform(key(), Dtype::F16, &[3], [0.0, 1.0]),
        [0x2930, 0x30ec, 0x2d68]
    );
}

/// Three keys make three different rows.
#[test]
fn tku_batch_fill() {
    let rows = uniform(batch(&[3, 1, 2]), Dtype::F32, &[3, 2], [0.0, 1.0]);
    assert_eq!(
        rows,
        [
            0x3f6a_f053,
            0x3f75_493b,
            0x3ef7_5dd8,
            0x3f6f_8377,
            0x3e8e_10a0,
            0x3e79_5a58
        ]
    );
}

/// Three keys make three columns, and each row is the same.
#[test]
fn tku_batch_broadcast() {
    let rows = uniform(batch(&[1, 3, 2]), Dtype::F32, &[2, 3], [0.0, 1.0]);
    assert_eq!(rows[..3], rows[3..]);
    assert_eq!(rows[..3], [0x3f6a_f053, 0x3ef7_5dd8, 0x3e8e_10a0]);
}

#[test]
fn tkr_bounds_limit() {
    let refused = |dtype, span| randint(dtype, Some(0), Some(span)).err();
    assert_eq!(refused(Dtype::U32, (1 << 28) - 1), None);
    for power in 28..=32 {
        assert_eq!(refused(Dtype::U32, 1 << power), None);
    }
    assert_eq!(refused(Dtype::U32, (1 << 28) + 1), Some(Some(ErrorKind::Range)));
    assert_eq!(refused(Dtype::U64, (1 << 28) + 1), None);
}

#[test]
fn tkr_bounds_omitted() {
    let least = i128::from(i8::MIN);
    assert_eq!(
        randint(Dtype::I8, None, Some(5)),
        randint(Dtype::I8, Some(least), Some(5))
    );
    assert_eq!(randint(Dtype::I8, None, Some(5)).unwrap(), [0xce, 0xb9, 0xca]);
}

#[test]
fn tkr_whole_raw() {
    let whole = randint(Dtype::I8, None, None).unwrap();
    assert_eq!(whole, [0x53, 0x3b, 0xad]);
    assert_eq!(randint(Dtype::U8, None, None).unwrap(), whole);
}

#[test]
fn tkr_word_order() {
    assert_eq!(randint(Dtype::U64, None, None).unwrap()[0], 0x9cea_f053_77f5_493b);
}
