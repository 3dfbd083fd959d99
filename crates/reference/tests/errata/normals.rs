//! Errata of TensorFlow's and PyTorch's normals. Every number is TensorFlow 2.21's or PyTorch 2.15's, on a CPU.

use seedproof_ops::{
    Dtype, ErrorKind, Failure, Limits, PhiloxNormal, RandomStandardNormal, Request, StatelessRandomNormal,
    StatelessTruncatedNormal, Tensor, TorchNormal, TruncatedNormal,
};
use seedproof_reference::{cephes, convert, mt19937, philox};
use seedproof_transcend::{glibc, xla};

use crate::request::answer;

/// TensorFlow's first four normals of the seeds 1 and 2, which are those of key 1 and counter 2 * 2^64.
const FIRST: [u64; 4] = [0xbf85_fcdd, 0x3f56_f6e1, 0x3f9e_2fe3, 0x4004_150f];

/// PyTorch's sixteen normals of seed 42, with `ATEN_CPU_CAPABILITY=default`.
const SIXTEEN: [u64; 16] = [
    0x3ff6_a527,
    0x3fbe_5f54,
    0x3f66_9567,
    0xc006_c0dd,
    0x3f2d_acd5,
    0xbf9e_0592,
    0xbd30_6787,
    0xbfcd_65ba,
    0xbf40_8bff,
    0x3fd3_095a,
    0xbec8_f2f6,
    0xbfb3_a962,
    0xbf3a_566d,
    0xbf0f_36cc,
    0xbf44_d2a1,
    0x3f43_2f9f,
];

fn list(count: u32) -> Tensor {
    Tensor::vector(&[i64::from(count)])
}

fn standard(execution: u32) -> Vec<u64> {
    let request = RandomStandardNormal {
        shape: list(4),
        output_type: Dtype::F32.into(),
        seed: 1,
        seed2: 2,
        execution,
    };
    answer(&Request::RandomStandardNormal(request)).unwrap()
}

fn truncated(count: u32) -> Vec<u64> {
    let request = TruncatedNormal {
        shape: list(count),
        output_type: Dtype::F32.into(),
        seed: 1,
        seed2: 2,
        execution: 0,
    };
    answer(&Request::TruncatedNormal(request)).unwrap()
}

fn stateless(key: u64, shape: &[i64]) -> Vec<u64> {
    let request = StatelessRandomNormal {
        shape: Tensor::vector(shape),
        key: Tensor::vector(&[key]),
        counter: Tensor::vector(&[0_u64, 2]),
        alg: Tensor::scalar(1_i32),
        output_type: Dtype::F32.into(),
    };
    answer(&Request::StatelessRandomNormal(request)).unwrap()
}

fn torch(
    dtype: Dtype,
    count: u64,
    [mean, std]: [f64; 2],
    execution: u32,
) -> Result<Vec<u64>, Option<ErrorKind>> {
    answer(&Request::TorchNormal(TorchNormal {
        mean: Tensor::scalar(mean),
        std: Tensor::scalar(std),
        output_type: dtype.into(),
        output_sizes: vec![count],
        seed: 42,
        execution,
    }))
}

fn keyed(count: u64, [mean, std]: [f64; 2]) -> Vec<u64> {
    let request = PhiloxNormal {
        key: Tensor::vector(&[42_u64, 0]),
        mean: Tensor::scalar(mean),
        std: Tensor::scalar(std),
        output_type: Dtype::F32.into(),
        output_sizes: vec![count],
    };
    answer(&Request::PhiloxNormal(request)).unwrap()
}

fn bits(values: &[f32]) -> Vec<u64> {
    values.iter().map(|value| u64::from(value.to_bits())).collect()
}

#[expect(clippy::cast_possible_truncation, reason = "the rounding is the point")]
fn narrow(value: f64) -> f32 {
    value as f32
}

/// The numbers of TensorFlow's first words.
fn numbers<const N: usize>() -> [f32; N] {
    let mut words = philox::words(1, 2 << 64);
    std::array::from_fn(|_| convert::f32::tensorflow(words.next().unwrap()))
}

/// The radius and the angle of two numbers, by some logarithm.
fn polar(log: fn(f32) -> f32, [u1, u2]: [f32; 2]) -> (f32, f32) {
    (
        (-2.0 * log(u1)).sqrt(),
        narrow(std::f64::consts::TAU * f64::from(u2)),
    )
}

#[test]
fn tfrn_box_muller_libm() {
    assert_eq!(standard(0), FIRST);
    let apart = |log: fn(f32) -> f32| {
        let mut words = philox::words(1, 2 << 64).map(convert::f32::tensorflow);
        (0..1000)
            .filter(|_| {
                let pair = [words.next().unwrap().max(1e-7), words.next().unwrap()];
                polar(log, pair).0.to_bits() != polar(glibc::logf, pair).0.to_bits()
            })
            .count()
    };
    assert!(apart(|x| narrow(libm::log(f64::from(x)))) > 0);
    assert!(apart(xla::log) > apart(|x| narrow(libm::log(f64::from(x)))));
}

#[test]
fn tfrn_box_muller_sine_first() {
    assert_eq!(standard(0), FIRST);
    let (radius, angle) = polar(glibc::logf, numbers());
    assert_eq!(
        bits(&[glibc::sinf(angle) * radius, glibc::cosf(angle) * radius]),
        FIRST[..2]
    );
}

#[test]
fn tfrn_box_muller_angle() {
    let mut differing = 0;
    for word in philox::words(1, 2 << 64).take(1000) {
        let u = convert::f32::tensorflow(word);
        let double = narrow(std::f64::consts::TAU * f64::from(u));
        differing += u32::from(double.to_bits() != (std::f32::consts::TAU * u).to_bits());
    }
    assert!(differing > 100, "{differing}");
    assert_eq!(standard(0), FIRST);
}

#[test]
fn tfrn_seeds_zero() {
    let request = RandomStandardNormal {
        shape: list(4),
        output_type: Dtype::F32.into(),
        seed: 0,
        seed2: 0,
        execution: 0,
    };
    let answer = seedproof_reference::run(&Request::RandomStandardNormal(request), &Limits::default(), 1);
    assert!(matches!(answer, Err(Failure::Unsupported(_))));
}

#[test]
fn tfrn_advance_elements() {
    assert_eq!(standard(1), [0xbff9_b483, 0xc026_f272, 0x3f32_6a93, 0xbddf_1a2b]);
    // One block made the four normals; 1024 blocks were passed.
    let block = philox::block(1, (2 << 64) + 1024).map(convert::f32::tensorflow);
    let (radius, angle) = polar(glibc::logf, [block[0], block[1]]);
    assert_eq!(bits(&[glibc::sinf(angle) * radius]), standard(1)[..1]);
}

#[test]
fn tftn_group_reserved() {
    // The fourth normal is 2.06 and is drawn again; the second group begins 256 blocks on all the same.
    let expected = [
        0xbf85_fcdd,
        0x3f56_f6e1,
        0x3f9e_2fe3,
        0x3e9b_842a,
        0x3ec7_027f,
        0x3f9e_4c57,
        0x3e76_2ae7,
        0xbe20_e9fd,
    ];
    assert_eq!(truncated(8), expected);
    let block = philox::block(1, (2 << 64) + 256).map(convert::f32::tensorflow);
    let (radius, angle) = polar(glibc::logf, [block[0], block[1]]);
    assert_eq!(bits(&[glibc::sinf(angle) * radius]), expected[4..5]);
}

#[test]
fn tftn_bound_strict() {
    // No pair of words that makes exactly 2 is known: the largest of a hundred thousand is below it.
    let largest = truncated(100_000)
        .into_iter()
        .map(|bits| bits & 0x7fff_ffff)
        .max()
        .unwrap();
    assert!(largest < u64::from(2.0_f32.to_bits()));
}

#[test]
fn tfsn_stream_compiled() {
    assert_eq!(stateless(1, &[4]), FIRST);
    // Eagerly the first two elements are a pair in any shape.
    assert_eq!(stateless(1, &[2, 2]), FIRST);
}

#[test]
fn tfst_stream_groups() {
    let request = StatelessTruncatedNormal {
        shape: list(8),
        key: Tensor::vector(&[6_u64]),
        counter: Tensor::vector(&[0_u64, 0]),
        alg: Tensor::scalar(1_i32),
        output_type: Dtype::F32.into(),
    };
    let drawn = answer(&Request::StatelessTruncatedNormal(request)).unwrap();
    assert_eq!(drawn[..4], [0xbf96_e841, 0x3ee2_5c14, 0x3ec7_b0c5, 0xbe87_2482]);
    // The stream goes on with 3f3a9548 where there are no groups.
    assert_eq!(drawn[4..], [0x3f67_6601, 0xbfa5_968e, 0x3e46_f853, 0x3e32_0f38]);
}

#[test]
fn ptn_box_muller_capability() {
    assert_eq!(torch(Dtype::F32, 16, [0.0, 1.0], 0).unwrap(), SIXTEEN);
    let words: Vec<f32> = mt19937::words(42).take(16).map(convert::f32::pytorch).collect();
    let radius = (-2.0 * cephes::log(1.0 - words[0])).sqrt();
    let (_, cosine) = cephes::sincos(std::f32::consts::TAU * words[8]);
    // PyTorch with AVX2.
    assert_eq!(bits(&[radius * cosine]), [0x3ff6_a529]);
}

#[test]
fn ptn_box_muller_complement() {
    let words: Vec<f32> = mt19937::words(42).take(16).map(convert::f32::pytorch).collect();
    let first = |number: f32| {
        let (radius, angle) = polar(glibc::logf, [number, words[8]]);
        bits(&[radius * glibc::cosf(angle)])[0]
    };
    assert_eq!(first(1.0 - words[0]), SIXTEEN[0]);
    assert_ne!(first(words[0]), SIXTEEN[0]);
}

#[test]
fn ptn_scale_fused() {
    let drawn = torch(Dtype::F32, 16, [0.3, 0.1], 0).unwrap();
    assert_eq!(drawn[..4], [0x3efc_4210, 0x3ee5_bfbc, 0x3ec7_b77b, 0x3db7_3071]);
    let scaled = |scale: fn(f32, f32, f32) -> f32| -> Vec<u64> {
        let normals = SIXTEEN.map(|bits| f32::from_bits(u32::try_from(bits).unwrap()));
        bits(&normals.map(|normal| scale(normal, 0.1, 0.3)))
    };
    assert_eq!(scaled(f32::mul_add), drawn);
    assert_ne!(scaled(|normal, std, mean| normal * std + mean), drawn);
}

#[test]
fn ptn_tail_redrawn() {
    let seventeen = torch(Dtype::F32, 17, [0.0, 1.0], 0).unwrap();
    // One element of the sixteen is left.
    assert_eq!(seventeen[..3], [SIXTEEN[0], 0xbe23_6d7b, 0xbefe_aae2]);
    assert_ne!(seventeen[1], SIXTEEN[1]);
}

#[test]
fn ptn_halves_words() {
    let halves = torch(Dtype::F16, 17, [0.0, 1.0], 0).unwrap();
    // f32 draws seventeen words before its tail, and f16 sixteen.
    assert_eq!(halves[..3], [0x3fb5, 0x3e92, 0xb11b]);
    let wide = torch(Dtype::F32, 17, [0.0, 1.0], 0).unwrap();
    let second = f32::from_bits(u32::try_from(wide[1]).unwrap());
    assert_ne!(u64::from(half::f16::from_f32(second).to_bits()), halves[1]);
}

#[test]
fn ptn_halves_type() {
    fn rounded(x: f32) -> f32 {
        half::f16::from_f32(x).to_f32()
    }

    let halves = torch(Dtype::F16, 16, [0.0, 1.0], 0).unwrap();
    let once = SIXTEEN.map(|bits| {
        let normal = f32::from_bits(u32::try_from(bits).unwrap());
        u64::from(half::f16::from_f32(normal).to_bits())
    });
    assert_eq!(halves, once);
    // The other answers: steps rounded to the type, and variables alone.
    let words: Vec<u32> = mt19937::words(42).take(16).collect();
    let [u1, u2] = [words[0], words[8]].map(|word| f32::from(u16::try_from(word & 0x7ff).unwrap()) / 2048.0);
    let first = |step: fn(f32) -> f32| {
        let radius = rounded(step(-2.0 * step(glibc::logf(rounded(1.0 - u1)))).sqrt());
        let angle = rounded(narrow(std::f64::consts::TAU * f64::from(u2)));
        half::f16::from_f32(step(radius * step(glibc::cosf(angle)))).to_bits()
    };
    // PyTorch 2.11 and 1.13.
    assert_eq!([first(rounded), first(|x| x)], [0x3631, 0x3630]);
}

#[test]
fn ptn_cache_owner() {
    let first = torch(Dtype::F32, 3, [0.0, 1.0], 0).unwrap();
    let second = torch(Dtype::F32, 3, [0.0, 1.0], 1).unwrap();
    assert_eq!(first, [0x3eac_62ae, 0x3e03_e69d, 0x3e70_16e7]);
    assert_eq!(second, [0x3e6b_dc6c, 0xbf8f_b9c2, 0xbe3e_ccd8]);
    // Six elements of one call are the same pairs.
    assert_eq!(
        torch(Dtype::F32, 6, [0.0, 1.0], 0).unwrap(),
        [first, second].concat()
    );
}

#[test]
fn ptn_std_nan() {
    for std in [f64::NAN, -1.0, f64::NEG_INFINITY] {
        assert_eq!(torch(Dtype::F32, 3, [0.0, std], 0), Err(Some(ErrorKind::Range)));
    }
    assert_eq!(
        torch(Dtype::F32, 3, [f64::NAN, 1.0], 0).unwrap(),
        [0x7fc0_0000; 3]
    );
}

#[test]
fn tkn_parameters_unchecked() {
    assert_eq!(
        keyed(4, [0.0, -1.0]),
        [0x3f78_5e5c, 0xbe46_ace2, 0x3f9e_28d6, 0xbff6_433a]
    );
}

#[test]
fn tkn_uniform_rounded() {
    let (mut differing, words) = (0, philox::words(42, 0).take(1000));
    for word in words {
        #[expect(clippy::cast_precision_loss, reason = "that the word is rounded is the point")]
        let before = (word as f32).mul_add(1.0 / 4_294_967_296.0, 0.5 / 4_294_967_296.0);
        let after = narrow((f64::from(word) + 0.5) / 4_294_967_296.0);
        differing += u32::from(before.to_bits() != after.to_bits());
    }
    assert!(differing > 0);
    assert_eq!(
        keyed(4, [0.0, 1.0]),
        [0xbf78_5e5c, 0x3e46_ace2, 0xbf9e_28d6, 0x3ff6_433a]
    );
}

#[test]
fn tkn_box_muller_cosine_first() {
    let [word, other, ..] = philox::block(42, 0);
    #[expect(clippy::cast_precision_loss, reason = "that the word is rounded is the point")]
    let [u1, u2] =
        [word, other].map(|word| (word as f32).mul_add(1.0 / 4_294_967_296.0, 0.5 / 4_294_967_296.0));
    let radius = (-2.0 * glibc::logf(u1)).sqrt();
    let angle = std::f32::consts::TAU * u2;
    assert_eq!(
        keyed(2, [0.0, 1.0]),
        bits(&[radius * glibc::cosf(angle), radius * glibc::sinf(angle)])
    );
}

#[test]
fn tkn_scale_fused() {
    let normals: Vec<f32> = keyed(1000, [0.0, 1.0])
        .into_iter()
        .map(|bits| f32::from_bits(u32::try_from(bits).unwrap()))
        .collect();
    let drawn = keyed(1000, [0.3, 0.1]);
    assert_eq!(drawn[..4], [0x3e4f_da42, 0x3ea3_88a5, 0x3e34_ac22, 0x3efc_1ae4]);
    let apart: Vec<f32> = normals.iter().map(|normal| normal * 0.1 + 0.3).collect();
    let fused: Vec<f32> = normals.iter().map(|normal| normal.mul_add(0.1, 0.3)).collect();
    assert_eq!(bits(&apart), drawn);
    assert_ne!(bits(&fused), drawn);
}
