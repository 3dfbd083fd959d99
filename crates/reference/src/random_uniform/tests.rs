use half::{bf16, f16};
use proptest::prelude::*;
use seedproof_ops::{
    Alignment, Attribute, Dtype, Element, ErrorKind, Failure, Limits, RandomUniform, Request, Shape, Tensor,
};

use crate::backend::{run, stages};

/// A request for a list of `count` elements.
fn request<T: Element>(alignment: Alignment, seeds: (u64, u64), count: i64, range: (T, T)) -> RandomUniform {
    RandomUniform::new(alignment, &[count], <[T; 2]>::from(range), seeds.into())
}

fn output(request: RandomUniform) -> Tensor {
    run(&Request::RandomUniform(request), &Limits::default(), 1)
        .unwrap()
        .output
}

fn draw<T: Element>(alignment: Alignment, seeds: (u64, u64), count: i64, range: (T, T)) -> Vec<T> {
    output(request(alignment, seeds, count, range))
        .elements()
        .unwrap()
        .collect()
}

fn kind(request: RandomUniform) -> Option<ErrorKind> {
    match run(&Request::RandomUniform(request), &Limits::default(), 1) {
        Err(Failure::Rejected(error)) => error.kind,
        _ => None,
    }
}

fn unit(count: i64) -> RandomUniform {
    request(Alignment::Tensorflow, (150, 10), count, (0.0_f32, 1.0))
}

#[test]
fn ru8_tensorflow_examples_are_the_printed_ones() {
    let decimals: Vec<String> = draw(Alignment::Tensorflow, (150, 10), 9, (0.0_f32, 1.0))
        .iter()
        .map(f32::to_string)
        .collect();
    let printed =
        "0.7011236 0.30539632 0.93931055 0.9456035 0.11694777 0.50770056 0.5197197 0.22727466 0.991374";
    assert_eq!(decimals.join(" "), printed);

    let decimals: Vec<String> = draw(Alignment::Tensorflow, (80, 100), 4, (2.0_f64, 10.0))
        .iter()
        .map(|value| format!("{value:.8}"))
        .collect();
    assert_eq!(decimals.join(" "), "5.65927959 4.23122376 2.67008206 2.36423758");

    let drawn = draw(Alignment::Tensorflow, (80, 100), 6, (50_i32, 100));
    assert_eq!(drawn, [65, 70, 56, 59, 82, 92]);
}

#[test]
fn ru8_pytorch_examples_are_what_pytorch_draws() {
    let decimals: Vec<String> = draw(Alignment::Pytorch, (150, 1), 9, (0.0_f32, 1.0))
        .iter()
        .map(|value| format!("{value:.8}"))
        .collect();
    let drawn =
        "0.59748673 0.54458201 0.04074067 0.58105618 0.67971706 0.39076531 0.17516160 0.36466956 0.70758903";
    assert_eq!(decimals.join(" "), drawn);

    let bits: Vec<u64> = draw(Alignment::Pytorch, (80, 1), 4, (2.0_f64, 10.0))
        .iter()
        .map(|value| value.to_bits())
        .collect();
    let drawn = [
        9.067076401353173_f64,
        5.073877446908415,
        7.533241863666989,
        4.710951987980897,
    ];
    assert_eq!(bits, drawn.map(f64::to_bits));

    let drawn = draw(Alignment::Pytorch, (80, 1), 6, (50_i32, 100));
    assert_eq!(drawn, [77, 58, 62, 69, 60, 94]);
}

#[test]
fn ru8_ir_example_begins_as_openvino_draws_it() {
    let drawn = draw(Alignment::Tensorflow, (234, 148), 60, (0.0_f32, 1.0));
    let first: Vec<String> = drawn[..4].iter().map(|value| format!("{value:.8}")).collect();
    assert_eq!(first.join(" "), "0.06793284 0.64850259 0.21358573 0.24642491");
}

#[test]
fn ru8_shape_may_have_any_rank_and_zero_extents() {
    for dims in [vec![], vec![0], vec![2, 0, 3], vec![1; 8], vec![2, 3, 2]] {
        for shape in [
            Tensor::vector(&dims),
            Tensor::vector(
                &dims
                    .iter()
                    .map(|&dim| i32::try_from(dim).unwrap())
                    .collect::<Vec<_>>(),
            ),
        ] {
            let tensor = output(RandomUniform { shape, ..unit(0) });
            let expected: Vec<usize> = dims
                .iter()
                .map(|&dim: &i64| usize::try_from(dim).unwrap())
                .collect();
            assert_eq!(tensor.shape().dims(), expected);
        }
    }
}

#[test]
fn ru8_shape_changes_no_value() {
    let list = output(unit(24));
    let shape = Tensor::vector(&[2_i64, 3, 4]);
    let tensor = output(RandomUniform { shape, ..unit(0) });
    assert_eq!(list.bytes(), tensor.bytes());
}

#[test]
fn ru8_refuses_unknown_and_forbidden_attributes() {
    use Dtype::{Bf16, F16, F32, F64, I32, I64};
    let allowed = [F16, Bf16, F32, F64, I32, I64];
    let forbidden = Dtype::ALL.iter().filter(|dtype| !allowed.contains(dtype));
    for output_type in forbidden
        .map(|&dtype| dtype.into())
        .chain([Attribute::parse("f8")])
    {
        let request = RandomUniform {
            output_type,
            ..unit(1)
        };
        assert_eq!(kind(request), Some(ErrorKind::Attribute));
    }
    let alignment = Attribute::parse("JAX");
    let request = RandomUniform { alignment, ..unit(1) };
    assert_eq!(kind(request), Some(ErrorKind::Attribute));
}

/// A tensor of shape `[1, 1]`.
fn square<T: Element>(element: T) -> Tensor {
    Tensor::from_elements(Shape::new(&[1, 1]).unwrap(), &[element]).unwrap()
}

#[test]
fn ru8_refuses_malformed_shapes() {
    for (expected, shape) in [
        (ErrorKind::Dtype, Tensor::vector(&[1.0_f32])),
        (ErrorKind::Dtype, Tensor::vector(&[1_u32])),
        (ErrorKind::Shape, Tensor::scalar(1_i64)),
        (ErrorKind::Shape, square(1_i64)),
        (ErrorKind::Shape, Tensor::vector(&[2_i64, -1])),
        (ErrorKind::Shape, Tensor::vector(&[0_i32, i32::MIN])),
    ] {
        let request = RandomUniform { shape, ..unit(1) };
        assert_eq!(kind(request.clone()), Some(expected), "{request:?}");
    }
}

#[test]
fn ru8_refuses_malformed_bounds() {
    for (expected, bound) in [
        (ErrorKind::Dtype, Tensor::scalar(0.5_f64)),
        (ErrorKind::Dtype, Tensor::scalar(0_i32)),
        (ErrorKind::Shape, Tensor::vector(&[0.5_f32, 0.5])),
        (ErrorKind::Shape, Tensor::vector(&[0.0_f32; 0])),
        (ErrorKind::Shape, square(0.5_f32)),
        (ErrorKind::Range, Tensor::scalar(f32::NAN)),
    ] {
        let (minval, maxval) = (bound.clone(), bound);
        assert_eq!(kind(RandomUniform { minval, ..unit(1) }), Some(expected));
        assert_eq!(kind(RandomUniform { maxval, ..unit(1) }), Some(expected));
    }
    let minval = Tensor::vector(&[0.0_f32]);
    assert_eq!(output(RandomUniform { minval, ..unit(1) }), output(unit(1)));
}

#[test]
fn ru8_refuses_equal_and_swapped_bounds_of_every_type() {
    fn check<T: Element>(low: T, high: T) {
        for alignment in [Alignment::Tensorflow, Alignment::Pytorch] {
            for range in [(low, low), (high, low)] {
                assert_eq!(kind(request(alignment, (1, 1), 0, range)), Some(ErrorKind::Range));
            }
            assert_eq!(kind(request(alignment, (1, 1), 0, (low, high))), None);
        }
    }
    check(f16::NEG_INFINITY, f16::INFINITY);
    check(bf16::NEG_INFINITY, bf16::INFINITY);
    check(f32::NEG_INFINITY, f32::INFINITY);
    check(f64::NEG_INFINITY, f64::INFINITY);
    check(i32::MIN, i32::MAX);
    check(i64::MIN, i64::MAX);
}

#[test]
fn ru8_stages_lead_from_words_to_output() {
    let request = request(Alignment::Pytorch, (80, 1), 3, (2.0_f64, 10.0));
    let stages = stages(&Request::RandomUniform(request.clone()), &Limits::default()).unwrap();
    let words: Vec<u32> = crate::mt19937::words(80).take(6).collect();
    assert_eq!((stages.words_per_element, stages.words), (2, words.clone()));
    let unit: Vec<f64> = words
        .chunks(2)
        .map(|pair| crate::convert::f64::pytorch(pair[0], pair[1]))
        .collect();
    assert_eq!(stages.unit, Some(Tensor::vector(&unit)));
    assert_eq!(stages.scaled, output(request));
}

#[test]
fn ru8_stages_of_integers_have_no_unit_interval() {
    let of = |request| stages(&Request::RandomUniform(request), &Limits::default());
    let wide = of(request(Alignment::Pytorch, (80, 1), 3, (0, 1_i64 << 32))).unwrap();
    assert_eq!(
        (wide.words.len(), wide.words_per_element, wide.unit),
        (6, 2, None)
    );
    let narrow = of(request(Alignment::Pytorch, (80, 1), 3, (0, (1_i64 << 32) - 1))).unwrap();
    assert_eq!((narrow.words.len(), narrow.words_per_element), (3, 1));
    assert!(of(request(Alignment::Pytorch, (0, 0), 3, (0_i32, 9))).is_none());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// The range from 0 to 1 draws the unit interval: scaling to it changes no value.
    #[test]
    fn ru8_unit_range_changes_no_value(x: u32, y: u32) {
        use crate::convert;
        let (zero, one) = (f16::ZERO, f16::ONE);
        for value in [convert::f16::tensorflow(x), convert::f16::pytorch(x)] {
            prop_assert_eq!(convert::f16::in_range(value, zero, one).to_bits(), value.to_bits());
            prop_assert_eq!(convert::f16::in_range_pytorch(value, zero, one).to_bits(), value.to_bits());
        }
        let (zero, one) = (bf16::ZERO, bf16::ONE);
        for value in [convert::bf16::tensorflow(x), convert::bf16::pytorch(x)] {
            prop_assert_eq!(convert::bf16::in_range(value, zero, one).to_bits(), value.to_bits());
            prop_assert_eq!(convert::bf16::in_range_pytorch(value, zero, one).to_bits(), value.to_bits());
        }
        for value in [convert::f32::tensorflow(x), convert::f32::pytorch(x)] {
            prop_assert_eq!(convert::f32::in_range(value, 0.0, 1.0).to_bits(), value.to_bits());
        }
        for value in [convert::f64::tensorflow(x, y), convert::f64::pytorch(x, y)] {
            prop_assert_eq!(convert::f64::in_range(value, 0.0, 1.0).to_bits(), value.to_bits());
        }
    }

    /// A shorter output is the beginning of a longer one, and integers stay in range.
    #[test]
    fn ru8_integers_stay_in_range(global: u64, op: u64, a: i64, b: i64, count in 0_i64..9) {
        prop_assume!(a != b && (global, op) != (0, 0));
        let range = (a.min(b), a.max(b));
        for alignment in [Alignment::Tensorflow, Alignment::Pytorch] {
            let drawn = draw(alignment, (global, op), count, range);
            prop_assert!(drawn.iter().all(|&value| range.0 <= value && value < range.1));
            let longer = draw(alignment, (global, op), count + 3, range);
            prop_assert_eq!(&longer[..drawn.len()], &drawn[..]);
        }
    }
}
