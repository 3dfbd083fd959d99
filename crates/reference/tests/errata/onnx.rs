//! Errata of ONNX's drafts #8161 and #8420. The numbers of #8420 are those of its node tests; those of #8161 follow from its
//! reference implementation.

use seedproof_ops::{
    Dtype, ErrorKind, Failure, Limits, OnnxBernoulli, OnnxGenerator, OnnxInitPrng, OnnxMultinomial,
    OnnxRandomNormal, OnnxRandomNormalLike, OnnxRandomUniform, OnnxRandomUniformLike, OnnxSplitPrng, Request,
    Shape, Tensor,
};

use crate::request::{answer, refusal};

fn request(dtype: Dtype, bounds: [f32; 2], offset: Option<i64>) -> OnnxRandomUniform {
    OnnxRandomUniform {
        low: Tensor::scalar(bounds[0]),
        high: Tensor::scalar(bounds[1]),
        seed: None,
        offset: offset.map(Tensor::scalar),
        output_type: dtype.into(),
        output_sizes: vec![4],
        generator: Some(OnnxGenerator::Philox4x32_10.into()),
        seed_int64: Some(42),
        execution: 0,
    }
}

fn drawn(dtype: Dtype, bounds: [f32; 2]) -> Vec<u64> {
    answer(&Request::OnnxRandomUniform(request(dtype, bounds, None))).unwrap()
}

#[test]
fn oru_scale_fused() {
    // Fused, elements 1 and 3 are 3db310ea and 3d14de13.
    assert_eq!(
        drawn(Dtype::F32, [-0.1, 0.3]),
        [0x3e14_ab1a, 0x3db3_10e9, 0xbd90_cf00, 0x3d14_de12]
    );
}

#[test]
fn oru_high_reached() {
    // 2047 and 2049 are both 2048 in bf16.
    assert_eq!(drawn(Dtype::Bf16, [2047.0, 2049.0]), [0x4500; 4]);
}

#[test]
fn oru_range_empty() {
    assert_eq!(drawn(Dtype::F32, [1.0, 1.0]), [0x3f80_0000; 4]);
    assert_eq!(drawn(Dtype::F32, [1.0, 0.0])[..2], [0x3ec6_2a20, 0x3f08_0ab7]);
}

#[test]
fn oru_range_nan() {
    assert_eq!(drawn(Dtype::F32, [f32::NAN, 1.0]), [0x7fc0_0000; 4]);
    assert_eq!(drawn(Dtype::F32, [f32::NEG_INFINITY, 1.0]), [0x7fc0_0000; 4]);
    assert_eq!(drawn(Dtype::F32, [0.0, f32::INFINITY]), [0x7f80_0000; 4]);
}

#[test]
fn oru_offset_unit() {
    let other = answer(&Request::OnnxRandomUniform(request(
        Dtype::F32,
        [0.0, 1.0],
        Some(1),
    )));
    // Block 1 of offset 0 begins with 3f7cdb21.
    assert_eq!(
        other,
        Ok(vec![0x3c24_cdc0, 0x3e01_47a4, 0x3e6d_a2c0, 0x3f36_2c40])
    );
}

#[test]
fn oru_shape_scalar() {
    let mut scalar = request(Dtype::F32, [0.0, 1.0], None);
    scalar.output_sizes.clear();
    assert_eq!(
        refusal(&Request::OnnxRandomUniform(scalar)),
        Some(ErrorKind::Shape)
    );
}

#[test]
fn oip_algorithm() {
    let state = |seed: i64| {
        answer(&Request::OnnxInitPrng(OnnxInitPrng {
            seed: Tensor::scalar(seed),
        }))
    };
    assert_eq!(state(0x0123_4567_89ab_cdef), Ok(vec![0x0123_4567, 0x89ab_cdef]));
    assert_eq!(state(-1), Ok(vec![0xffff_ffff, 0xffff_ffff]));
}

fn split(state: [i64; 2], data: Option<&[i64]>) -> Result<Vec<u64>, Option<ErrorKind>> {
    answer(&Request::OnnxSplitPrng(OnnxSplitPrng {
        prng_state: Tensor::vector(&state),
        data: data.map(Tensor::vector),
        num_outputs: 2,
    }))
}

#[test]
fn osp_data_folded() {
    let states = vec![2_814_562_516, 111_458_285, 145_227_835, 1_976_240_827];
    assert_eq!(split([0, 0], Some(&[42, -1])), Ok(states));
}

#[test]
fn osp_state_range() {
    let states = vec![1_797_259_609, 2_579_123_966, 928_981_903, 3_453_687_069];
    assert_eq!(split([0, 0], None), Ok(states));
    assert_eq!(split([1 << 32, 0], None), Err(Some(ErrorKind::Range)));
}

/// The standard defines no value, so that none is right or wrong.
fn is_open(request: &Request) -> bool {
    let answer = seedproof_reference::run(request, &Limits::default(), 0);
    matches!(answer, Err(Failure::Unsupported(_)))
}

fn normal(dtype: Dtype, seed: f32, execution: u32) -> Request {
    Request::OnnxRandomNormal(OnnxRandomNormal {
        mean: Tensor::scalar(0.0_f32),
        scale: Tensor::scalar(1.0_f32),
        seed: Some(Tensor::scalar(seed)),
        output_type: dtype.into(),
        output_sizes: vec![4],
        execution,
    })
}

#[test]
fn orn_seed() {
    assert!(is_open(&normal(Dtype::F32, 7.0, 0)) && is_open(&normal(Dtype::F32, 7.9, 0)));
}

#[test]
fn orn_runs() {
    assert!(is_open(&normal(Dtype::F32, 7.0, 1)));
}

#[test]
fn orn_types() {
    assert!(is_open(&normal(Dtype::F16, 7.0, 0)) && is_open(&normal(Dtype::F64, 7.0, 0)));
}

#[test]
fn oul_seed() {
    assert!(is_open(&Request::OnnxRandomUniformLike(OnnxRandomUniformLike {
        input: Tensor::vector(&[0.0_f32; 4]),
        low: Tensor::scalar(0.0_f32),
        high: Tensor::scalar(1.0_f32),
        seed: Some(Tensor::scalar(7.0_f32)),
        output_type: None,
        execution: 0,
    })));
}

#[test]
fn onl_seed() {
    assert!(is_open(&Request::OnnxRandomNormalLike(OnnxRandomNormalLike {
        input: Tensor::vector(&[0.0_f32; 4]),
        mean: Tensor::scalar(0.0_f32),
        scale: Tensor::scalar(1.0_f32),
        seed: Some(Tensor::scalar(7.0_f32)),
        output_type: None,
        execution: 0,
    })));
}

#[test]
fn obe_complement() {
    assert!(is_open(&Request::OnnxBernoulli(OnnxBernoulli {
        input: Tensor::vector(&[0.9_f32; 4]),
        seed: Some(Tensor::scalar(7.0_f32)),
        output_type: None,
        execution: 0,
    })));
}

#[test]
fn omu_logarithms() {
    assert!(is_open(&Request::OnnxMultinomial(OnnxMultinomial {
        input: Tensor::from_elements(Shape::new(&[1, 2]).unwrap(), &[0.5_f32, 0.5]).unwrap(),
        seed: Some(Tensor::scalar(7.0_f32)),
        output_type: Dtype::I32.into(),
        sample_size: 2,
        execution: 0,
    })));
}
