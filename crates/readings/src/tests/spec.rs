//! The reading `spec` against the documents.

use seedproof_ops::Alignment::{Pytorch, Tensorflow};
use seedproof_ops::{
    Attribute, Backend, Dtype, ErrorKind, Failure, Multinomial, RandomUniform, Request, Tensor,
};

use super::{UNIT, decimals, engine, first};
use crate::requests::{draws, uniform};
use crate::unit_interval;

#[test]
fn spec_gives_the_document_s_examples() {
    let one = uniform(Tensorflow, Dtype::F32, 9, UNIT, [150, 10]);
    assert_eq!(
        decimals("spec", &one),
        [
            "0.7011236",
            "0.30539632",
            "0.93931055",
            "0.9456035",
            "0.11694777",
            "0.50770056",
            "0.5197197",
            "0.22727466",
            "0.991374"
        ]
    );
    let two = uniform(
        Tensorflow,
        Dtype::F64,
        4,
        ["4000000000000000", "4024000000000000"],
        [80, 100],
    );
    let rounded: Vec<String> = decimals("spec", &two)
        .iter()
        .map(|text| format!("{:.8}", text.parse::<f64>().unwrap()))
        .collect();
    assert_eq!(rounded, ["5.65927959", "4.23122376", "2.67008206", "2.36423758"]);
    let three = uniform(Tensorflow, Dtype::I32, 6, ["50", "100"], [80, 100]);
    assert_eq!(decimals("spec", &three), ["65", "70", "56", "59", "82", "92"]);
}

#[test]
fn spec_refuses_outputs_of_every_other_element_type() {
    use Dtype::{Bf16, F16, F32, F64, I32, I64};
    let allowed = [F16, Bf16, F32, F64, I32, I64];
    for &dtype in Dtype::ALL.iter().filter(|dtype| !allowed.contains(dtype)) {
        for alignment in [Tensorflow, Pytorch] {
            let Err(Failure::Rejected(error)) =
                engine("spec").run(&uniform(alignment, dtype, 9, ["0", "1"], [1, 2]))
            else {
                panic!("{dtype} is accepted");
            };
            assert_eq!(error.kind, Some(ErrorKind::Attribute), "{dtype}");
        }
    }
}

/// The document prints wrong numbers for PYTORCH alignment; these are drawn by PyTorch and OpenVINO.
#[test]
fn spec_gives_what_the_frameworks_draw_for_the_pytorch_examples() {
    let one = uniform(Pytorch, Dtype::F32, 3, UNIT, [150, 0]);
    let two = uniform(
        Pytorch,
        Dtype::F64,
        2,
        ["4000000000000000", "4024000000000000"],
        [80, 0],
    );
    let three = uniform(Pytorch, Dtype::I32, 6, ["50", "100"], [80, 0]);
    for name in ["spec", "openvino-core-2026.4", "torch-1.13", "torch-2.12-nofma"] {
        assert_eq!(decimals(name, &one), ["0.59748673", "0.544582", "0.04074067"]);
        assert_eq!(decimals(name, &two), ["9.067076401353173", "5.073877446908415"]);
        assert_eq!(decimals(name, &three), ["77", "58", "62", "69", "60", "94"]);
    }
}

fn refused(request: &Request) -> Option<ErrorKind> {
    match engine("spec").run(request) {
        Err(Failure::Rejected(error)) => error.kind,
        _ => None,
    }
}

#[test]
fn spec_refuses_in_the_order_of_the_checks() {
    let Request::RandomUniform(right) = uniform(Tensorflow, Dtype::F32, 3, UNIT, [1, 2]) else {
        unreachable!("it was just made");
    };
    let refused = |change: &dyn Fn(&mut RandomUniform)| {
        let mut request = right.clone();
        change(&mut request);
        refused(&Request::RandomUniform(request))
    };
    let range = |r: &mut RandomUniform| r.maxval = r.minval.clone();
    let shape = |r: &mut RandomUniform| r.shape = Tensor::vector(&[-1_i64]);
    let dtype = |r: &mut RandomUniform| r.shape = Tensor::vector(&[-1.0_f32]);
    let attribute = |r: &mut RandomUniform| r.alignment = Attribute::parse("JAX");
    assert_eq!(refused(&|_| ()), None);
    assert_eq!(refused(&range), Some(ErrorKind::Range));
    assert_eq!(
        refused(&|r| {
            range(r);
            shape(r);
        }),
        Some(ErrorKind::Shape)
    );
    assert_eq!(
        refused(&|r| {
            range(r);
            dtype(r);
        }),
        Some(ErrorKind::Dtype)
    );
    assert_eq!(
        refused(&|r| {
            range(r);
            dtype(r);
            attribute(r);
        }),
        Some(ErrorKind::Attribute)
    );
    // An invalid request is refused even where it would be a second execution.
    assert_eq!(
        refused(&|r| {
            range(r);
            r.execution = 1;
        }),
        Some(ErrorKind::Range)
    );
}

#[test]
fn spec_refuses_probabilities_before_samples() {
    let kind = |request: Multinomial| refused(&Request::Multinomial(request));
    assert_eq!(
        kind(draws(&[&[1.0, -1.0]], &[&[0.5]])),
        Some(ErrorKind::Probabilities)
    );
    assert_eq!(
        kind(draws(&[&[1.0, 0.0]], &[&[0.5, 0.5]])),
        Some(ErrorKind::Samples)
    );
    assert_eq!(
        kind(draws(&[&[1.0, f64::NAN]], &[&[0.5, 0.5, 0.5]])),
        Some(ErrorKind::Probabilities)
    );
    assert_eq!(
        kind(draws(&[&[1.0, 1.0]], &[&[f64::NAN, 0.5]])),
        Some(ErrorKind::Range)
    );
    assert_eq!(
        kind(draws(&[&[1.0, 1.0]], &[&[0.5], &[0.5]])),
        Some(ErrorKind::Shape)
    );
}

#[test]
fn spec_samples_the_document_s_multinomial_examples() {
    let classes = |request: Multinomial| first("spec", &Request::Multinomial(request), 20);
    let one = Multinomial {
        with_replacement: true,
        ..draws(&[&[0.1, 0.5, 0.4]], &[&[0.2, 0.4, 0.6, 0.8, 1.0]])
    };
    assert_eq!(classes(one), "1 1 1 2 2");
    // The document's result, 1 2, contradicts its own walk through the example.
    assert_eq!(classes(draws(&[&[0.1, 0.5, 0.4]], &[&[0.3, 0.2]])), "1 0");
}

#[test]
fn spec_unit_interval_is_the_stage_of_that_name() {
    for alignment in [Tensorflow, Pytorch] {
        for dtype in [Dtype::F16, Dtype::Bf16, Dtype::F32, Dtype::F64] {
            let one = match dtype {
                Dtype::F16 => "3c00",
                Dtype::Bf16 => "3f80",
                Dtype::F32 => "3f800000",
                _ => "3ff0000000000000",
            };
            let zero = "0".repeat(one.len());
            let request = uniform(alignment, dtype, 9, [&zero, one], [150, 10]);
            let engine = engine("spec");
            let stages = engine.stages(&request).unwrap();
            let unit = unit_interval(engine.reading(), alignment, dtype, &stages.words);
            assert_eq!(unit, stages.unit);
            assert_eq!(unit, Some(stages.scaled));
        }
    }
    assert_eq!(
        unit_interval(&crate::Reading::spec(), Tensorflow, Dtype::I32, &[1]),
        None
    );
}
