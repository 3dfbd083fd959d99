//! Errata of cuRAND's host generator. Every number is cuRAND 10.4.5's, on a CPU.
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "roundings are what the questions are about"
)]

use seedproof_ops::{CurandDistribution, CurandPhilox, Dtype, Request, Tensor};
use seedproof_transcend::glibc;

use crate::request::answer;

fn request(distribution: CurandDistribution, dtype: Dtype, num: i128, offset: u64) -> CurandPhilox {
    CurandPhilox {
        distribution: distribution.into(),
        output_type: dtype.into(),
        num,
        seed: 42,
        offset,
        mean: None,
        stddev: None,
    }
}

fn drawn(request: CurandPhilox) -> Vec<u64> {
    answer(&Request::CurandPhilox(request)).unwrap()
}

fn words(num: i128, offset: u64) -> Vec<u32> {
    let bits = drawn(request(CurandDistribution::Bits, Dtype::U32, num, offset));
    bits.into_iter()
        .map(|word| u32::try_from(word).unwrap())
        .collect()
}

fn doubles(num: i128, offset: u64) -> Vec<u64> {
    drawn(request(CurandDistribution::Uniform, Dtype::F64, num, offset))
}

/// Normals of this mean and standard deviation, from an even output on.
fn normals(num: i128, offset: u64, [mean, stddev]: [f32; 2]) -> Vec<f32> {
    let bits = drawn(CurandPhilox {
        mean: Some(Tensor::scalar(mean)),
        stddev: Some(Tensor::scalar(stddev)),
        ..request(CurandDistribution::Normal, Dtype::F32, num, offset)
    });
    let float = |bits: u64| f32::from_bits(u32::try_from(bits).unwrap());
    bits.into_iter().map(float).collect()
}

fn unit(word: u32) -> f32 {
    (f64::from(word as f32) / 2_f64.powi(32) + 0.5_f64.powi(33)) as f32
}

/// A normal's radius, then the factor and the term of its angle.
fn parts(offset: u64) -> (f32, f32, f32) {
    let pair = words(2, offset);
    let step = std::f32::consts::TAU / 4_294_967_296.0;
    let radius = (-2.0 * glibc::logf(unit(pair[0]))).sqrt();
    (radius, pair[1] as f32, step)
}

#[test]
fn cup_offset_end() {
    assert_eq!(
        words(4, u64::MAX - 1),
        [0x9109_fe9c, 0x8cc5_3301, 0x646a_54f6, 0x1e25_daf1]
    );
    assert_eq!(words(2, 0), [0x9cea_f053, 0x77f5_493b]);
}

#[test]
fn cup_parameters_unchecked() {
    let bits: Vec<u32> = normals(4, 0, [0.5, -1.5]).into_iter().map(f32::to_bits).collect();
    assert_eq!(bits, [0x3e55_fcac, 0x3ffa_46c5, 0xc018_b26c, 0x4016_9ea0]);
    // Not cuRAND's: any NaN would do, and the canonical one stands for all of them.
    let odd = f32::from_bits(0x7fe3_bafe);
    assert!(
        normals(2, 0, [0.5, odd])
            .into_iter()
            .all(|x| x.to_bits() == 0x7fc0_0000)
    );
}

#[test]
fn cup_uniform_rounded() {
    let real = 0x3bf1_6678;
    let word = words(1, 80)[0];
    let once = (f64::from(word) / 2_f64.powi(32) + 0.5_f64.powi(33)) as f32;
    assert_eq!(
        drawn(request(CurandDistribution::Uniform, Dtype::F32, 1, 80)),
        [real]
    );
    assert_ne!(u64::from(once.to_bits()), real);
}

#[test]
fn cup_double_words() {
    let [x, y] = [words(2, 0)[0], words(2, 0)[1]].map(u64::from);
    let top = ((x << 32 | y) >> 11) as f64 / 2_f64.powi(53);
    let real = doubles(1, 0)[0];
    assert_eq!(real, 0x3fdd_fd53_7715_e0a7);
    assert!((f64::from_bits(real) - top).abs() > 0.1);
}

#[test]
fn cup_double_skipped() {
    // Four outputs of the last subsequence, then the first of the next turn.
    assert_eq!(
        doubles(5, 262_140),
        [
            0x3fda_0307_a402_9233,
            0x3fdb_fd9f_6566_49b5,
            0x3fee_b99f_cb6f_27ce,
            0x3fcd_e7ff_a1ae_e8ae,
            0x3fd4_ee9a_c6f6_424f
        ]
    );
    // That is the third number of offset 0: the first turn took one block. Where the turns are drawn, they take two.
    assert_eq!(doubles(3, 0)[2], 0x3fd4_ee9a_c6f6_424f);
    let far = doubles(262_150, 262_140);
    assert_eq!(
        far[262_147..],
        [
            0x3fee_495e_ff1d_a0ee,
            0x3fe5_75e1_0fa7_0476,
            0x3fd8_4398_d1fc_aa87
        ]
    );
}

#[test]
fn cup_normal_sine_first() {
    let (radius, word, step) = parts(0);
    let angle = word * step + step / 2.0;
    assert_eq!(normals(1, 0, [0.0, 1.0])[0].to_bits(), 0x3e46_ace2);
    assert_eq!((glibc::sinf(angle) * radius).to_bits(), 0x3e46_ace2);
    assert_ne!((glibc::cosf(angle) * radius).to_bits(), 0x3e46_ace2);
}

#[test]
fn cup_normal_angle_apart() {
    let (radius, word, step) = parts(110);
    let fused = word.mul_add(step, step / 2.0);
    assert_eq!(normals(1, 110, [0.0, 1.0])[0].to_bits(), 0x3dff_1f08);
    assert_ne!((glibc::sinf(fused) * radius).to_bits(), 0x3dff_1f08);
}

#[test]
fn cup_normal_libm() {
    let (_, word, step) = parts(130);
    let angle = f64::from(word * step + step / 2.0);
    let log = f64::from(unit(words(1, 130)[0])).ln() as f32;
    let correct = (angle.sin() as f32) * (-2.0 * log).sqrt();
    assert_eq!(normals(1, 130, [0.0, 1.0])[0].to_bits(), 0x3e6a_2edb);
    assert_ne!(correct.to_bits(), 0x3e6a_2edb);
}

#[test]
fn cup_normal_scale_apart() {
    let normal = normals(1, 16, [0.0, 1.0])[0];
    assert_eq!(normals(1, 16, [0.1, 0.3])[0].to_bits(), 0xbef4_6341);
    assert_ne!(normal.mul_add(0.3, 0.1).to_bits(), 0xbef4_6341);
}
