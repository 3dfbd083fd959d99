//! Errata of Multinomial-13.

use half::f16;
use seedproof_ops::{Attribute, Dtype, ErrorKind, Multinomial, Request, Shape, Tensor};
use seedproof_reference::{convert, philox};

use crate::request::{classes, multinomial, refusal};

const PROBS: [f64; 3] = [0.1, 0.5, 0.4];

fn normalized(weights: &[f64]) -> Vec<f64> {
    let mut sum = 0.0;
    let sums: Vec<f64> = weights
        .iter()
        .map(|w| {
            sum += w;
            sum
        })
        .collect();
    sums.iter().map(|c| c / sum).collect()
}

fn first(c: &[f64], holds: impl Fn(f64) -> bool) -> Option<usize> {
    c.iter().position(|&c| holds(c))
}

/// The document's example 1.
#[test]
fn mn13_select_comparison() {
    let draws = [0.2, 0.4, 0.6, 0.8, 1.0];
    let printed = [1, 1, 1, 2, 2];
    assert_eq!(classes(multinomial(&PROBS, &draws)), printed);
    let c = normalized(&PROBS);
    assert_eq!(draws.map(|u| first(&c, |c| c <= u)), [Some(0); 5]);
    assert_eq!(
        draws.map(|u| first(&c, |c| c > u)),
        [Some(1), Some(1), Some(2), Some(2), None]
    );
}

#[test]
fn mn13_select_zero_draw() {
    let probs = [0.0, 0.5, 0.5];
    assert_eq!(first(&normalized(&probs), |c| 0.0 <= c), Some(0));
    assert_eq!(classes(multinomial(&probs, &[0.0])), [1]);
}

/// After class 0 the last value is 0 and the function NaN, in which nothing is found.
#[test]
fn mn13_select_no_match() {
    let probs = [1.0, 1e-300, 1e-300];
    let without = Multinomial {
        with_replacement: false,
        ..multinomial(&probs, &[0.5, 0.5])
    };
    let c: Vec<f64> = normalized(&probs).iter().map(|c| (c - 1.0) / 0.0).collect();
    assert_eq!(first(&c, |c| 0.5 <= c), None);
    assert_eq!(classes(without), [0, 2]);
}

/// What the words of RandomUniform-8 become in f32 and in f64.
#[test]
fn mn13_draws_type() {
    let probs: Vec<f64> = [1.0; 64].to_vec();
    let generated = Multinomial {
        draws: None,
        num_samples: Tensor::scalar(32_i64),
        ..multinomial(&probs, &[])
    };
    let words: Vec<u32> = philox::words(1, 1 << 64).take(64).collect();
    let of_f64: Vec<f64> = words
        .chunks(2)
        .map(|pair| convert::f64::tensorflow(pair[0], pair[1]))
        .collect();
    let of_f32: Vec<f64> = words[..32]
        .iter()
        .map(|&x| f64::from(convert::f32::tensorflow(x)))
        .collect();
    assert_eq!(classes(generated.clone()), classes(multinomial(&probs, &of_f64)));
    assert_ne!(classes(generated), classes(multinomial(&probs, &of_f32)));
    // A given number may be 1; a generated one never is.
    assert_eq!(classes(multinomial(&PROBS, &[1.0])), [2]);
    assert!(convert::f64::tensorflow(u32::MAX, u32::MAX) < 1.0);
}

/// The first IR example with f64 probabilities: the template reference, and the OpenVINO CPU plugin.
#[test]
fn mn13_draws_generator() {
    let request = Multinomial {
        draws: None,
        num_samples: Tensor::scalar(5_i64),
        global_seed: 234,
        op_seed: 148,
        ..multinomial(&PROBS, &[])
    };
    let (template_reference, cpu_plugin) = ([1, 2, 2, 2, 1], [1, 1, 2, 1, 2]);
    assert_eq!(classes(request), template_reference);
    assert_ne!(template_reference, cpu_plugin);
}

fn third_example() -> Multinomial {
    Multinomial {
        with_replacement: false,
        ..multinomial(&PROBS, &[0.3, 0.2])
    }
}

#[test]
fn mn13_examples_third_result() {
    let (walk_through, printed) = ([1, 0], [1, 2]);
    assert_eq!(classes(third_example()), walk_through);
    assert_ne!(walk_through, printed);
    let after_class_1 = [0.2, 0.2, 1.0];
    assert_eq!(first(&after_class_1, |c| 0.2 <= c), Some(0));
}

#[test]
fn mn13_examples_second_row() {
    let row = Multinomial {
        log_probs: true,
        ..multinomial(&[50.0_f64, 1.0, 21.0], &[0.9, 1.0])
    };
    assert_eq!(classes(row), [0, 2]);
    let c = normalized(&[50.0_f64.exp(), 1.0_f64.exp(), 21.0_f64.exp()]);
    assert!((0.9999999999997..0.9999999999998).contains(&c[0]), "{}", c[0]);
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the other answer is the rounding to f32"
    )]
    let narrow: Vec<f32> = c.iter().map(|&c| c as f32).collect();
    assert_eq!(narrow.iter().position(|&c| 1.0 <= c), Some(0), "what is printed");
}

#[test]
fn mn13_examples_ir() {
    let with = |convert_type| Multinomial {
        convert_type,
        ..multinomial(&PROBS, &[0.5])
    };
    let kind = |convert_type| refusal(&Request::Multinomial(with(convert_type)));
    assert_eq!(kind(Dtype::F32.into()), Some(ErrorKind::Attribute));
    assert_eq!(kind(Attribute::parse("i32")), None);
}

#[test]
fn mn13_examples_decimals() {
    assert_eq!(
        format!("{:.2} {:.2}", 2.0_f64.exp(), (-1.0_f64).exp()),
        "7.39 0.37"
    );
    let cut = |x: f64| (x * 100.0).floor() / 100.0;
    assert_eq!(
        format!("{} {}", cut(2.0_f64.exp()), cut((-1.0_f64).exp())),
        "7.38 0.36",
        "what is printed"
    );
}

/// All numbers are exact or far from the steps. The first two samples are classes 0 and 1.
#[test]
fn mn13_replacement_which_probability() {
    let probs = [0.5, 0.125, 0.125, 0.25];
    let without = Multinomial {
        with_replacement: false,
        ..multinomial(&probs, &[0.5, 0.2, 0.4])
    };
    assert_eq!(classes(without), [0, 1, 3]);

    let after_class_0 = [0.0, 0.25, 0.5, 1.0];
    let after_class_1 = |p: f64| {
        let last: f64 = after_class_0[3] - p;
        [0.0, (0.25 - p) / last, (0.5 - p) / last, 1.0]
    };
    let (current, original) = (0.25, 0.125);
    assert_eq!(
        first(&after_class_1(current)[2..], |c| 0.4 <= c),
        Some(1),
        "class 3"
    );
    assert_eq!(
        first(&after_class_1(original)[2..], |c| 0.4 <= c),
        Some(0),
        "class 2"
    );
    // The original probability leaves class 1 something, against the text's own purpose.
    assert!(after_class_1(original)[1] > after_class_1(original)[0]);
}

/// The two answers have the same bits, as long as the last value is a number over zero.
#[test]
fn mn13_replacement_divisor() {
    let weights: Vec<f64> = philox::words(5, 5).take(40).map(f64::from).collect();
    for k in [0, 7, 20, 38] {
        let c = normalized(&weights);
        let p = if k == 0 { c[0] } else { c[k] - c[k - 1] };
        let last = c[39] - p;
        assert_eq!(last.to_bits(), (1.0 - p).to_bits());
    }
}

#[test]
fn mn13_validation() {
    let kind = |probs: &[f64]| refusal(&Request::Multinomial(multinomial(probs, &[0.5])));
    for probs in [[-1.0, 2.0], [f64::NAN, 1.0], [f64::INFINITY, 1.0], [0.0, 0.0]] {
        assert_eq!(kind(&probs), Some(ErrorKind::Probabilities), "{probs:?}");
    }
    // What the formulas would give for a sum of zero: no class at all.
    assert_eq!(first(&normalized(&[0.0, 0.0]), |c| 0.5 <= c), None);

    let too_many = Multinomial {
        with_replacement: false,
        ..multinomial(&[0.5, 0.5], &[0.1, 0.2, 0.3])
    };
    assert_eq!(refusal(&Request::Multinomial(too_many)), Some(ErrorKind::Samples));
    let no_probability = Multinomial {
        log_probs: true,
        ..multinomial(&[f64::NEG_INFINITY, 0.0], &[0.5])
    };
    assert_eq!(
        refusal(&Request::Multinomial(no_probability)),
        Some(ErrorKind::Probabilities)
    );
}

#[test]
fn mn13_convert_type_generator() {
    let with = |convert_type: Dtype| {
        let request = Multinomial {
            convert_type: convert_type.into(),
            draws: None,
            num_samples: Tensor::scalar(50_i64),
            ..multinomial(&PROBS, &[])
        };
        let limits = seedproof_ops::Limits::default();
        seedproof_reference::run(&Request::Multinomial(request), &limits, 1)
            .unwrap()
            .output
    };
    let narrow: Vec<i64> = with(Dtype::I32)
        .elements::<i32>()
        .unwrap()
        .map(i64::from)
        .collect();
    let wide: Vec<i64> = with(Dtype::I64).elements().unwrap().collect();
    assert_eq!(narrow, wide);
    assert_eq!(with(Dtype::I32).shape(), &Shape::new(&[1, 50]).unwrap());
}

#[test]
fn mn13_cdf_type() {
    let probs = [2048.0, 1.0, 1.0].map(f16::from_f32);
    assert_eq!(classes(multinomial(&probs, &[0.9995])), [1]);
    let sum_in_f16 = f16::from_f32(f16::from_f32(2048.0 + 1.0).to_f32() + 1.0);
    assert_eq!(
        sum_in_f16.to_f32().to_string(),
        "2048",
        "class 0 would have all of it"
    );

    // Examples 1 and 3 have numbers on a step, which the widening of f32 moves.
    let narrow = [0.1_f32, 0.5, 0.4];
    assert_eq!(classes(multinomial(&narrow, &[0.6])), [2]);
    assert_eq!(classes(multinomial(&PROBS, &[0.6])), [1]);
}

/// The draw lies between the distribution functions of two numbers for e^-1.75 that are neighbours.
#[test]
fn mn13_log_probs_exp() {
    let logarithms = [-1.75, 0.0];
    let nearest = f64::from_bits(0x3fc6_3e39_7e02_2073);
    assert_eq!(libm::exp(-1.75).to_bits(), nearest.to_bits() - 1);
    let draws = [0.148_047_198_031_689_5_f64];
    assert_eq!(normalized(&[nearest, 1.0])[0].to_bits(), draws[0].to_bits());
    let logged = Multinomial {
        log_probs: true,
        ..multinomial(&logarithms, &draws)
    };
    assert_eq!(classes(logged), [1]);
    assert_eq!(classes(multinomial(&[nearest, 1.0], &draws)), [0]);
}
