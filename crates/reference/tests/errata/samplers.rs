//! Errata of the samplers of servers and of compilers. The numbers are those of the real kernels.

use seedproof_ops::{
    Dtype, ErrorKind, Failure, InductorMode, InductorRandint, InductorRandom, Limits, Request,
    SglangMultinomialWithSeed, SglangMurmurHash32, Shape, Tensor, TritonRand, TritonRandint,
    VllmGumbelSample, VllmMurmur3Uniform,
};

use seedproof_reference::philox;
use seedproof_transcend::glibc;

use crate::request::{answer, refusal};

fn uniform(dtype: Dtype, seed: i64, pos: i64, num: i128) -> Vec<u64> {
    let request = VllmMurmur3Uniform {
        seed: Tensor::scalar(seed),
        pos: Tensor::scalar(pos),
        output_type: dtype.into(),
        num,
    };
    answer(&Request::VllmMurmur3Uniform(request)).unwrap()
}

#[test]
fn vmu_one() {
    // The greatest hash is that of token 1208.
    assert_eq!(uniform(Dtype::F32, 7847, 12345, 1209)[1208], 0x3f80_0000);
    assert!(uniform(Dtype::F64, 7847, 12345, 1209)[1208] < 1.0_f64.to_bits());
}

#[test]
fn vmu_digits() {
    // 24 bits and one half end in half a unit of 2^-24, which most numbers do not.
    let unit = |bits: &u64| f32::from_bits(u32::try_from(*bits).unwrap()) * 33_554_432.0;
    let drawn = uniform(Dtype::F32, 7, 42, 64);
    assert!(drawn.iter().map(unit).any(|halves| halves.fract() != 0.0));
}

fn matrix(numbers: &[f32]) -> Tensor {
    let shape = Shape::new(&[1, u64::try_from(numbers.len()).unwrap()]).unwrap();
    Tensor::from_elements(shape, numbers).unwrap()
}

fn sample(logits: &[f32], temperature: f32) -> Request {
    Request::VllmGumbelSample(VllmGumbelSample {
        logits: matrix(logits),
        temperature: Tensor::vector(&[temperature]),
        seed: Tensor::vector(&[7_i64]),
        pos: Tensor::vector(&[42_i64]),
        use_fp64: false,
        is_drafting: false,
    })
}

fn is_unsupported(request: &Request) -> bool {
    let answer = seedproof_reference::run(request, &Limits::default(), 0);
    matches!(answer, Err(Failure::Unsupported(_)))
}

/// A row in which tokens 0 and 1 have scores of `between` ulps of 2^-20 apart.
fn close(noise: [f32; 2], between: f32) -> [f32; 2] {
    [0.0, noise[0] - noise[1] + between * 2_f32.powi(-20)]
}

#[test]
fn vgs_logarithm() {
    let noise = uniform(Dtype::F32, 7, 42, 2)
        .into_iter()
        .map(|bits| -(-(1.0 - f64::from(f32::from_bits(u32::try_from(bits).unwrap()))).ln()).ln());
    let noise: Vec<f64> = noise.collect();
    #[expect(clippy::cast_possible_truncation, reason = "an f32 is near enough")]
    let noise = [noise[0] as f32, noise[1] as f32];
    assert!(is_unsupported(&sample(&close(noise, 0.0), 1.0)));
    assert_eq!(answer(&sample(&close(noise, -100.0), 1.0)), Ok(vec![0]));
    assert_eq!(answer(&sample(&close(noise, 100.0), 1.0)), Ok(vec![1]));
}

#[test]
fn vgs_temperature_range() {
    for temperature in [-1.0, f32::INFINITY, f32::NAN] {
        let refused = sample(&[1.0, 2.0], temperature);
        assert_eq!(refusal(&refused), Some(ErrorKind::Range), "{temperature}");
    }
    assert_eq!(answer(&sample(&[1.0, 2.0], -0.0)), Ok(vec![1]));
}

#[test]
fn vgs_nan() {
    assert!(is_unsupported(&sample(&[1.0, f32::NAN], 0.0)));
}

fn hashed(seed: u64, position: i64) -> Vec<u64> {
    let request = SglangMurmurHash32 {
        seed: Tensor::vector(&[seed]),
        positions: Tensor::vector(&[position]),
        num_cols: 2,
    };
    answer(&Request::SglangMurmurHash32(request)).unwrap()
}

#[test]
fn smh_seed_width() {
    assert_ne!(hashed(7, 42), hashed((1 << 32) + 7, 42));
}

#[test]
fn smh_position_width() {
    assert_eq!(hashed(7, 42), hashed(7, (1 << 32) + 42));
}

fn seeded(logprobs: &[f32]) -> Request {
    Request::SglangMultinomialWithSeed(SglangMultinomialWithSeed {
        logprobs: matrix(logprobs),
        seed: Tensor::vector(&[7847_i64]),
        positions: Tensor::vector(&[12345_i64]),
    })
}

#[test]
fn sms_clamp_one() {
    let mut logprobs = vec![-30.0_f32; 1300];
    logprobs[5] = -0.01;
    assert_eq!(answer(&seeded(&logprobs)), Ok(vec![5]));
    // Where all are equally probable, the greatest hash does win.
    assert_eq!(answer(&seeded(&[-7.0; 1300])), Ok(vec![1208]));
}

#[test]
fn sms_logarithm() {
    // The noise of two tokens of different hashes is never equal, and that of a token is added to an equal number.
    assert!(answer(&seeded(&[-1.0, -1.0])).is_ok());
    assert_eq!(answer(&seeded(&[f32::NEG_INFINITY; 2])), Ok(vec![0]));
}

#[test]
fn sms_nan() {
    assert!(is_unsupported(&seeded(&[-1.0, f32::NAN])));
}

fn words(offset: i64) -> Vec<u64> {
    let request = TritonRandint {
        seed: Tensor::scalar(5_i64),
        offset: Tensor::scalar(offset),
        num: 2,
    };
    answer(&Request::TritonRandint(request)).unwrap()
}

#[test]
fn tri_offset_width() {
    assert_ne!(words(3), words((1 << 32) + 3));
}

#[test]
fn tri_words() {
    // The second element has a block of its own.
    assert_eq!(words(3)[1], words(4)[0]);
}

#[test]
fn trr_constant() {
    let request = TritonRand {
        seed: Tensor::scalar(5_i64),
        offset: Tensor::scalar(3_i64),
        num: 2,
    };
    let drawn = answer(&Request::TritonRand(request)).unwrap();
    for (number, word) in drawn.into_iter().zip(words(3)) {
        let word = u32::try_from(word).unwrap().cast_signed();
        let exact = f64::from(word.max(-1 - word)) / f64::from(1_u32 << 31);
        // Each is the f32 below the one that the exact power of two makes.
        let number = f64::from(f32::from_bits(u32::try_from(number).unwrap()));
        assert!(
            number < exact && exact - number < exact / f64::from(1 << 23),
            "{number} {exact}"
        );
    }
}

#[test]
fn idr_seed_width() {
    let drawn = |seed: i64| {
        let request = InductorRandint {
            seed: Tensor::scalar(seed),
            output_sizes: vec![3],
            low: 0,
            high: 1 << 40,
        };
        answer(&Request::InductorRandint(request)).unwrap()
    };
    assert_eq!(drawn(7), drawn((5 << 32) + 7));
}

fn compiled(mode: InductorMode, seed: i64, count: u64) -> Vec<u64> {
    let request = InductorRandom {
        mode: mode.into(),
        seed: Tensor::scalar(seed),
        output_sizes: vec![count],
    };
    answer(&Request::InductorRandom(request)).unwrap()
}

#[test]
fn idn_seed_width() {
    let real = [0x3f68_c0f3, 0x3f50_5d1c, 0x3c47_11df, 0x3f47_c82b];
    assert_eq!(compiled(InductorMode::Rand, 7, 4), real);
    assert_eq!(compiled(InductorMode::Rand, (5 << 32) + 7, 4), real);
}

#[test]
fn idn_uniform_top_bit() {
    let mut folded = 0;
    for (i, real) in (0..).zip(compiled(InductorMode::Rand, 7, 16)) {
        let word = philox::block(7, i)[0];
        let is_set = word >> 31 == 1;
        let unit = f64::from(if is_set { !word } else { word }) / 2_f64.powi(31);
        let real = f64::from(f32::from_bits(u32::try_from(real).unwrap()));
        assert_eq!((unit - real).abs() > 1e-6, is_set);
        folded += u32::from(is_set);
    }
    assert!(folded > 0);
}

/// The two numbers of which PyTorch makes the first normals of seed 7, and those.
fn normals_of_seven() -> impl Iterator<Item = ([f32; 2], f32)> {
    const REAL: [u32; 6] = [
        0xc00c_303d,
        0xbfc5_befa,
        0x3e1f_3680,
        0xbfde_e082,
        0x3fa7_20e6,
        0xbf34_3173,
    ];
    let drawn = compiled(InductorMode::Randn, 7, 400);
    assert_eq!(drawn[..6], REAL.map(u64::from));
    (0..).zip(drawn).map(|(i, real)| {
        let [x, y, ..] = philox::block(7, i);
        #[expect(clippy::cast_precision_loss, reason = "the kernel rounds there")]
        let number = |word: u32| 1.0 - (word & 0x7fff_ffff) as f32 * f32::from_bits(0x2fff_ffff);
        (
            [number(x), number(y)],
            f32::from_bits(u32::try_from(real).unwrap()),
        )
    })
}

#[test]
fn idn_normal_double() {
    let single = |[u, v]: [f32; 2]| (-2.0 * glibc::logf(u)).sqrt() * glibc::cosf(std::f32::consts::TAU * v);
    assert!(normals_of_seven().any(|(numbers, real)| single(numbers).to_bits() != real.to_bits()));
}

#[test]
fn idn_normal_libm() {
    #[expect(clippy::cast_possible_truncation, reason = "the rounding at the end")]
    let double = |[u, v]: [f32; 2]| {
        let radius = (-2.0 * f64::from(u).ln()).sqrt();
        (radius * (std::f64::consts::TAU * f64::from(v)).cos()) as f32
    };
    assert!(normals_of_seven().any(|(numbers, real)| double(numbers).to_bits() != real.to_bits()));
}
