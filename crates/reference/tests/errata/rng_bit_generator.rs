//! Errata of StableHLO's rng_bit_generator. Every number is XLA's, on a CPU.

use seedproof_ops::{Dtype, ErrorKind, Failure, Limits, Request, RngAlgorithm, RngBitGenerator, Tensor};

use RngAlgorithm::{Default, Philox, ThreeFry};

fn answer(
    algorithm: RngAlgorithm,
    dtype: Dtype,
    sizes: &[u64],
    state: Tensor,
) -> Result<(Vec<u64>, Vec<u64>), Option<ErrorKind>> {
    let request = Request::RngBitGenerator(RngBitGenerator {
        initial_state: state,
        rng_algorithm: algorithm.into(),
        output_type: dtype.into(),
        output_sizes: sizes.to_vec(),
    });
    match seedproof_reference::run(&request, &Limits::default(), 0) {
        Ok(response) => Ok((
            response
                .output
                .scalars()
                .map(seedproof_ops::Scalar::bits)
                .collect(),
            response.more[0].elements().unwrap().collect(),
        )),
        Err(Failure::Rejected(error)) => Err(error.kind),
        Err(failure) => panic!("{failure}"),
    }
}

fn draw(algorithm: RngAlgorithm, dtype: Dtype, sizes: &[u64], state: &[u64]) -> (Vec<u64>, Vec<u64>) {
    answer(algorithm, dtype, sizes, Tensor::vector(state)).unwrap()
}

const PHILOX_OF_1_2: [u64; 4] = [0x7d34_a749, 0xa9b8_bbe8, 0x7ba4_23d7, 0x2fb3_24d9];

#[test]
fn shlo_algorithm_default() {
    assert_eq!(
        draw(Default, Dtype::U32, &[4], &[1, 2]),
        (PHILOX_OF_1_2.to_vec(), vec![1, 3])
    );
}

/// The example of the text.
#[test]
fn shlo_state_words() {
    let (words, state) = draw(ThreeFry, Dtype::U64, &[2, 2], &[1, 2]);
    assert_eq!(
        words,
        [
            9236835810183407956,
            16087790271692313299,
            18212823393184779219,
            2658481902456610144
        ]
    );
    assert_eq!(state, [1, 6]);
}

#[test]
fn shlo_state_sizes() {
    let refused = |algorithm, state: &[u64]| answer(algorithm, Dtype::U32, &[4], Tensor::vector(state)).err();
    for state in [&[1][..], &[1, 2, 3, 4]] {
        assert_eq!(refused(Philox, state), Some(Some(ErrorKind::State)));
    }
    assert_eq!(refused(ThreeFry, &[1, 2, 3]), Some(Some(ErrorKind::State)));
    assert_eq!(refused(Philox, &[1, 2, 3]), None);
}

#[test]
fn shlo_state_type() {
    for state in [Tensor::vector(&[1_u32; 4]), Tensor::vector(&[1_i64, 2])] {
        assert_eq!(
            answer(Philox, Dtype::U32, &[4], state).err(),
            Some(Some(ErrorKind::Dtype))
        );
    }
}

#[test]
fn shlo_state_carry() {
    assert_eq!(draw(Philox, Dtype::U32, &[8], &[7, u64::MAX]).1, [7, 1]);
    assert_eq!(draw(Philox, Dtype::U32, &[4], &[7, u64::MAX, 5]).1, [7, 0, 6]);
}

#[test]
fn shlo_state_empty() {
    assert_eq!(draw(Philox, Dtype::U32, &[0, 3], &[1, 2]), (vec![], vec![1, 2]));
    assert_eq!(draw(ThreeFry, Dtype::U32, &[3, 0], &[1, 2]), (vec![], vec![1, 2]));
}

#[test]
fn shlo_philox_key_in_counter() {
    assert_eq!(draw(Philox, Dtype::U32, &[4], &[1, 2]).0, PHILOX_OF_1_2);
    assert_eq!(draw(Philox, Dtype::U32, &[4], &[1, 2, 1]).0, PHILOX_OF_1_2);
    assert_ne!(draw(Philox, Dtype::U32, &[4], &[1, 2, 0]).0, PHILOX_OF_1_2);
}

#[test]
fn shlo_philox_carry() {
    let (words, _) = draw(Philox, Dtype::U32, &[8], &[7, u64::MAX]);
    assert_eq!(words[4..], [0xa222_1dce, 0x1d55_ad4c, 0x0da7_336f, 0x46b5_5614]);
    assert_ne!(words[4..], draw(Philox, Dtype::U32, &[4], &[7, 0]).0);
}

#[test]
fn shlo_threefry_half_shape() {
    let (even, _) = draw(ThreeFry, Dtype::U32, &[3, 2], &[1, 2]);
    assert_eq!(
        even,
        [
            0x0296_e954,
            0x802f_d53b,
            0xed34_92d3,
            0xdf43_5003,
            0x63b4_0bd3,
            0xfcc0_f261
        ]
    );
    let (odd, state) = draw(ThreeFry, Dtype::U32, &[3, 3], &[1, 2]);
    assert_eq!(odd[..3], [0x0296_e954, 0xed34_92d3, 0x63b4_0bd3]);
    assert_eq!(odd[3..6], [0x802f_d53b, 0xdf43_5003, 0xfcc0_f261]);
    assert_eq!(odd[6..], [0x7dbb_1d60, 0x9718_c0ad, 0xaafe_5a17]);
    assert_eq!(state, [1, 8]);
}

#[test]
fn shlo_threefry_scalar() {
    assert_eq!(
        draw(ThreeFry, Dtype::U32, &[], &[1, 2]),
        (vec![0x0296_e954], vec![1, 3])
    );
}

#[test]
fn shlo_bits_narrow() {
    assert_eq!(
        draw(Philox, Dtype::U8, &[4], &[1, 2]),
        (vec![0x49, 0xe8, 0xd7, 0xd9], vec![1, 3])
    );
}

#[test]
fn shlo_bits_word_order() {
    let (words, _) = draw(Philox, Dtype::U64, &[2], &[1, 2]);
    assert_eq!(words, [0xa9b8_bbe8_7d34_a749, 0x2fb3_24d9_7ba4_23d7]);
}

#[test]
fn shlo_bits_float() {
    assert_eq!(
        draw(Philox, Dtype::F16, &[4], &[1, 2]).0,
        [0xa749, 0xbbe8, 0x23d7, 0x24d9]
    );
}
