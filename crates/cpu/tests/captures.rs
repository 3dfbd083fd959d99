//! Figures that shipped implementations gave, and known answers of the generators.

use seedproof_cpu::{Generator, Level, Philox, Plan, Value};
use seedproof_ops::{Dtype, ErrorKind, Failure, FeatureLevel, Multinomial, Request, Shape, Tensor};

use crate::requests::{bits, dml, matrix, multinomial, run, state};

/// The first elements of a stream, on every level.
fn assert_begins<T: Value>(generator: Generator, minval: T, maxval: T, expected: &[u64]) {
    for level in Level::detect() {
        let mut out = vec![minval; 64 + expected.len()];
        Plan::new(level, generator, minval, maxval)
            .unwrap()
            .fill(&mut out);
        let actual = bits(&Tensor::vector(&out[..expected.len()]));
        assert_eq!(actual, expected, "{} {}", level.name(), T::DTYPE);
    }
}

fn tensorflow(global_seed: u64, op_seed: u64) -> Generator {
    Generator::Philox(Philox {
        key: global_seed,
        counter: u128::from(op_seed) << 64,
    })
}

/// Integers as their bits.
fn i64s(elements: &[i64]) -> Vec<u64> {
    bits(&Tensor::vector(elements))
}

#[test]
fn captures_of_openvino_tensorflow_alignment() {
    assert_begins(
        tensorflow(1_099_511_627_777, 2_199_023_255_555),
        1e-5_f32,
        3e-5,
        &[0x372a_bec8, 0x3798_01c9, 0x37c0_a08e],
    );
    assert_begins(
        tensorflow(4978, 5164),
        -3.3_f64,
        100.7,
        &[
            0x404d_480f_efde_3fd9,
            0x4057_123f_f925_e1c4,
            0x3ff0_5b9b_8ac7_6ef4,
            0x404c_7ab5_4543_ee99,
        ],
    );
    let i32s = bits(&Tensor::vector(&[-1_092_612_640, 150_610_800, 159_046_559]));
    assert_begins(tensorflow(755, 951), i32::MIN, i32::MAX, &i32s);
    assert_begins(
        tensorflow(150, 10),
        4_294_967_296_i64,
        4_294_967_301,
        &i64s(&[4_294_967_296, 4_294_967_297, 4_294_967_298, 4_294_967_296]),
    );
}

#[test]
fn captures_of_openvino_pytorch_alignment() {
    let seeded = |seed| Generator::Mt19937 { seed };
    assert_begins(
        seeded(755),
        half::f16::ZERO,
        half::f16::from_bits(1),
        &[0, 0, 0, 0, 1],
    );
    assert_begins(
        seeded(u32::MAX),
        -1.0_f32,
        1.0,
        &[0x3f7c_d346, 0x3e12_0910, 0x3e0f_6060, 0xbf66_a772],
    );
    assert_begins(
        seeded(80),
        1.0_f64,
        2.0,
        &[
            0x3ffe_2257_d68c_4a5e,
            0x3ff6_25d3_43c4_c46a,
            0x3ffb_1105_13da_9d99,
            0x3ff5_6c01_e622_ceeb,
        ],
    );
    let i32s = bits(&Tensor::vector(&[-2_147_483_647, -2_147_483_647, -2_147_483_645]));
    assert_begins(seeded(12345), i32::MIN, i32::MIN + 7, &i32s);
    assert_begins(
        seeded(42),
        0_i64,
        4_294_967_297,
        &i64s(&[1_812_488_525, 999_526_835, 204_857_309]),
    );
}

#[test]
fn captures_of_tensorflow_round_after_each_operation() {
    let f16 = half::f16::from_f32;
    let bf16 = half::bf16::from_f32;
    let philox = tensorflow(80, 100);
    assert_begins(
        philox,
        f16(-0.1),
        f16(0.3),
        &[0x2b0c, 0x33d3, 0x306d, 0xa5b4, 0x32a5, 0x2768],
    );
    assert_begins(
        philox,
        bf16(-0.1),
        bf16(0.3),
        &[0xbd73, 0x3e84, 0x3e54, 0x3df9, 0xbd1a, 0x3e06],
    );
}

#[test]
fn captures_of_torch_round_once() {
    let f16 = half::f16::from_f32;
    let bf16 = half::bf16::from_f32;
    let generator = Generator::Mt19937 { seed: 80 };
    assert_begins(
        generator,
        f16(2047.0),
        f16(2049.0),
        &[0x6800, 0x6800, 0x67ff, 0x67ff, 0x67ff, 0x67ff],
    );
    let generator = Generator::Mt19937 { seed: 0 };
    assert_begins(
        generator,
        bf16(2.0),
        bf16(10.0),
        &[0x40ec, 0x405e, 0x40b5, 0x4100],
    );
}

#[test]
fn captures_of_multinomial_template() {
    let given = |probs: Tensor, samples: i32, seeds: [u64; 2]| Multinomial {
        probs,
        num_samples: Tensor::scalar(samples),
        global_seed: seeds[0],
        op_seed: seeds[1],
        ..multinomial()
    };
    let assert_drawn = |request: Multinomial, expected: &[i32]| {
        let response = run(&Request::Multinomial(request)).unwrap();
        let drawn: Vec<i32> = response.output.elements().unwrap().collect();
        assert_eq!(drawn, expected);
    };
    assert_drawn(
        given(matrix(1, 3, &[0.1, 0.5, 0.4]), 5, [234, 148]),
        &[1, 2, 2, 2, 1],
    );
    assert_drawn(
        Multinomial {
            with_replacement: false,
            ..given(matrix(2, 3, &[0.1, 0.5, 0.4, 0.1, 0.5, 0.4]), 2, [234, 148])
        },
        &[1, 2, 2, 1],
    );
    let logarithms = [
        0x3fde_7bd5_7872_6500,
        0xc008_255f_c8cf_775c,
        0x4007_0e32_851b_dda4,
        0x4009_bbfe_48ca_123a,
        0xc009_37fb_a583_2798,
        0x3fd3_3d45_3d3c_e910,
        0xbfd7_c28d_8fe0_2ee0,
        0xbff2_5e90_39aa_48fc,
    ];
    assert_drawn(
        Multinomial {
            with_replacement: false,
            log_probs: true,
            ..given(matrix(1, 8, &logarithms.map(f64::from_bits)), 8, [1, 0])
        },
        &[3, 2, 5, 0, 6, 7, 1, 4],
    );
}

/// The input state as hexadecimal digits, the state after, and the first block.
type Answer = ([u32; 6], [u32; 6], [u32; 4]);

#[test]
fn captures_of_philox_known_answers() {
    let answers: [Answer; 3] = [
        (
            [0; 6],
            [1, 0, 0, 0, 0, 0],
            [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8],
        ),
        (
            [u32::MAX; 6],
            [0, 0, 0, 0, u32::MAX, u32::MAX],
            [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd],
        ),
        (
            [
                0x243f_6a88,
                0x85a3_08d3,
                0x1319_8a2e,
                0x0370_7344,
                0xa409_3822,
                0x299f_31d0,
            ],
            [
                0x243f_6a89,
                0x85a3_08d3,
                0x1319_8a2e,
                0x0370_7344,
                0xa409_3822,
                0x299f_31d0,
            ],
            [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1],
        ),
    ];
    for (before, after, words) in answers {
        // The third word's block counts though its last word is dropped.
        for count in [3, 4] {
            let mut request = dml();
            request.input_state = state(before);
            request.output_sizes = vec![1, 1, 1, count];
            let response = run(&Request::DmlRandomGenerator(request)).unwrap();
            let drawn: Vec<u32> = response.output.elements().unwrap().collect();
            assert_eq!(drawn, words[..drawn.len()]);
            assert_eq!(response.more, [state(after)]);
        }
    }
}

#[test]
fn captures_of_ten_thousandth_words() {
    for level in Level::detect() {
        let mut words = vec![0; 10_000];
        level.fill_words(
            Philox {
                key: 20_111_115,
                counter: 0,
            },
            &mut words,
        );
        assert_eq!(words[9999], 1_955_073_260, "philox {}", level.name());

        let mut values = vec![0_i64; 10_000];
        let generator = Generator::Mt19937 { seed: 5489 };
        Plan::new(level, generator, 0, i64::from(u32::MAX))
            .unwrap()
            .fill(&mut values);
        assert_eq!(values[9999], 4_123_659_995, "mt19937 {}", level.name());
    }
}

#[test]
fn captures_of_refused_states() {
    let refused = |sizes: &[u64], level: FeatureLevel, output: &[u64]| {
        let mut request = dml();
        let words: u64 = sizes.iter().product();
        request.input_state = Tensor::new(
            Dtype::U32,
            Shape::new(sizes).unwrap(),
            vec![0; usize::try_from(4 * words).unwrap()],
        )
        .unwrap();
        request.feature_level = level.into();
        request.output_sizes = output.to_vec();
        match run(&Request::DmlRandomGenerator(request)) {
            Ok(_) => None,
            Err(Failure::Rejected(error)) => error.kind,
            Err(other) => panic!("{other}"),
        }
    };
    let (old, new) = (FeatureLevel::Level3_0, FeatureLevel::Level4_0);
    assert_eq!(refused(&[1, 1, 1, 6], old, &[1, 1, 1, 4]), None);
    assert_eq!(refused(&[6], new, &[4]), None);
    assert_eq!(refused(&[1, 1, 6], new, &[1, 1, 1, 1, 1, 1, 1, 4]), None);
    assert_eq!(refused(&[6], old, &[1, 1, 1, 4]), Some(ErrorKind::State));
    assert_eq!(refused(&[1, 1, 6, 1], new, &[4]), Some(ErrorKind::State));
    assert_eq!(refused(&[1, 1, 2, 6], new, &[4]), Some(ErrorKind::State));
    assert_eq!(
        refused(&[1, 1, 1, 1, 1, 1, 1, 1, 6], new, &[4]),
        Some(ErrorKind::State)
    );
    assert_eq!(refused(&[1, 1, 1, 6], old, &[4]), Some(ErrorKind::Shape));
    assert_eq!(refused(&[6], new, &[2, 0]), Some(ErrorKind::Shape));
    assert_eq!(refused(&[6], new, &[]), Some(ErrorKind::Shape));
}
