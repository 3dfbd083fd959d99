//! Errata of TensorFlow's three stateless ops. Every number is TensorFlow 2.21's, run eagerly on a CPU.

use seedproof_ops::{
    Dtype, ErrorKind, Request, StatelessRandomUniform, StatelessRandomUniformFullInt,
    StatelessRandomUniformInt, Tensor,
};

use crate::request::answer;

fn floats(dtype: Dtype) -> Vec<u64> {
    answer(&Request::StatelessRandomUniform(StatelessRandomUniform {
        shape: Tensor::vector(&[2_i64]),
        key: Tensor::vector(&[1_u64]),
        counter: Tensor::vector(&[2_u64, 3]),
        alg: Tensor::scalar(1_i32),
        output_type: dtype.into(),
    }))
    .unwrap()
}

fn full(dtype: Dtype, count: i64, counter: &[u64], alg: i32) -> Result<Vec<u64>, Option<ErrorKind>> {
    answer(&Request::StatelessRandomUniformFullInt(
        StatelessRandomUniformFullInt {
            shape: Tensor::vector(&[count]),
            key: Tensor::vector(&[1_u64]),
            counter: Tensor::vector(counter),
            alg: Tensor::scalar(alg),
            output_type: dtype.into(),
        },
    ))
}

fn range(dtype: Dtype, [minval, maxval]: [Tensor; 2]) -> Result<Vec<u64>, Option<ErrorKind>> {
    answer(&Request::StatelessRandomUniformInt(StatelessRandomUniformInt {
        shape: Tensor::vector(&[3_i64]),
        key: Tensor::vector(&[1_u64]),
        counter: Tensor::vector(&[2_u64, 3]),
        alg: Tensor::scalar(1_i32),
        minval,
        maxval,
        output_type: dtype.into(),
    }))
}

const WORDS: [u64; 2] = [0xf045_e74a, 0x5176_30e6];

#[test]
fn tfsu_convert_bits() {
    assert_eq!(floats(Dtype::F16), [0x3a94, 0x3330]);
    assert_eq!(floats(Dtype::Bf16), [0x3f14, 0x3f4c]);
    assert_eq!(floats(Dtype::F32), [0x3f0b_ce94, 0x3f6c_61cc]);
    assert_eq!(floats(Dtype::F64), [0x3fd7_9d29_45d8_c398, 0x3fe5_e80b_6bcb_352c]);
}

#[test]
fn tfsu_algorithm_three_fry() {
    assert_eq!(full(Dtype::U32, 2, &[2, 3], 2), Err(Some(ErrorKind::Attribute)));
}

#[test]
fn tfsu_algorithm_auto() {
    assert_eq!(full(Dtype::U32, 2, &[2, 3], 3), Ok(WORDS.to_vec()));
}

#[test]
fn tfsu_empty_unchecked() {
    for alg in [0, 2, -1] {
        assert_eq!(full(Dtype::U32, 0, &[2, 3], alg), Ok(Vec::new()));
        assert_eq!(full(Dtype::U32, 2, &[2, 3], alg), Err(Some(ErrorKind::Attribute)));
    }
}

#[test]
fn tfsu_counter_length() {
    assert_eq!(full(Dtype::U32, 2, &[2, 3, 9], 1), Ok(WORDS.to_vec()));
    assert_eq!(full(Dtype::U32, 2, &[2], 1), Err(Some(ErrorKind::Shape)));
}

#[test]
fn tfsi_range_empty() {
    for maxval in [5, 4] {
        let bounds = [Tensor::scalar(5_i32), Tensor::scalar(maxval)];
        assert_eq!(range(Dtype::I32, bounds), Err(Some(ErrorKind::Range)));
    }
}

/// Those of u32 are XLA's.
#[test]
fn tfsi_range_unsigned() {
    let numbers = Ok(vec![0x4f, 0x39, 0x15]);
    assert_eq!(range(Dtype::I32, [5_i32, 100].map(Tensor::scalar)), numbers);
    assert_eq!(range(Dtype::U32, [5_u32, 100].map(Tensor::scalar)), numbers);
}

#[test]
fn tfsf_word_order() {
    assert_eq!(
        full(Dtype::U64, 2, &[2, 3], 1),
        Ok(vec![0x5176_30e6_f045_e74a, 0xb5e5_9a96_1d8a_f405])
    );
}
