//! Every relation and every observation, made and found again.

use super::*;
use crate::fixtures::{Fake, uniform, uniform_between};
use crate::{Expected, Form};
use seedproof_ops::{Alignment, Dtype, Request, Response, Shape, Stages, Tensor};
use seedproof_vectors::CaseId;

fn stream(i: usize) -> u32 {
    let mut z = (as_u64(i) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    u32::try_from((z ^ (z >> 31)) >> 32).unwrap()
}

fn i32s(count: usize, value: impl Fn(usize) -> u32) -> Tensor {
    let values: Vec<i32> = (0..count).map(|i| value(i).cast_signed()).collect();
    Tensor::vector(&values)
}

fn wide_request(count: usize) -> Request {
    let bounds = ("-2147483648", "2147483647");
    uniform_between(Dtype::I32, i64::try_from(count).unwrap(), bounds)
}

fn failed(request: Request, expected: Tensor, actual: Tensor) -> FailedCase {
    FailedCase {
        case: CaseId::new("ru8/toy/x").unwrap(),
        request,
        expected: Expected::Value(Response::of(expected)),
        actual: Ok(Response::of(actual)),
        nan: seedproof_ops::NanRule::Class,
    }
}

/// The names of what is found in one case, those that explain it in full first.
fn found(case: &FailedCase) -> (Vec<String>, Vec<String>) {
    let oracle = Fake::new("oracle", |request| {
        let count = Form::requested(request).unwrap().shape.count();
        Ok(Response::of(i32s(count, stream)))
    });
    let (full, partly): (Vec<_>, Vec<_>) = structures(&[case], Some(&oracle))
        .into_iter()
        .partition(crate::rank::is_full);
    let names = |all: Vec<Explanation>| {
        all.into_iter()
            .map(|explanation| explanation.cause.name)
            .collect()
    };
    (names(full), names(partly))
}

/// What is found when element i of n is `value(i)`.
fn full_of(n: usize, value: impl Fn(usize) -> u32) -> Vec<String> {
    found(&failed(wide_request(n), i32s(n, stream), i32s(n, value))).0
}

#[test]
fn structure_finds_each_relation() {
    let n = 48;
    assert_eq!(full_of(n, |_| 0), ["all-zero"]);
    assert_eq!(full_of(n, |_| 0xdead_beef), ["constant(value = -559038737)"]);
    assert_eq!(full_of(n, |i| stream(i).swap_bytes()), ["bytes-swapped"]);
    assert_eq!(full_of(n, |i| stream(i + 1)), ["shifted(k = 1)"]);
    assert_eq!(full_of(n, |i| stream(i + 4 * 17)), ["shifted(k = 68)"]);
    assert_eq!(
        full_of(n, |i| stream(i - i % 4 + 3 - i % 4)),
        ["reversed-in-group(n = 4)"]
    );
    assert_eq!(
        full_of(n, |i| stream(i - i % 4 + (i + 1) % 4)),
        ["rotated-in-group(n = 4, by = 1)"]
    );
    assert_eq!(full_of(n, |i| stream(i % 12)), ["repeated(n = 12)"]);
    assert_eq!(full_of(n, |i| stream(2 * i)), ["strided(n = 2)"]);
    assert_eq!(full_of(n, |i| stream(i / 3)), ["held(n = 3)"]);
    assert_eq!(full_of(n, |i| stream(n - 1 - i)), ["reversed"]);
    assert_eq!(
        full_of(n, |i| stream((i % 6) * 8 + i / 6)),
        ["deinterleaved(n = 8)", "interleaved(n = 6)"]
    );
    assert_eq!(
        full_of(n, |i| if i < 40 { stream(i) } else { 0xcdcd_cdcd }),
        ["unwritten-tail(from = 40, value = -842150451)"]
    );
}

#[test]
fn structure_finds_threads_that_draw_beyond_the_output() {
    // Seven threads, 50 elements: the runs are of eight, and the last reaches past the end.
    // For this count, writing runs of seven in turns of eight comes to the same.
    assert_eq!(
        full_of(50, |i| stream((i % 7) * 8 + i / 7)),
        ["deinterleaved(n = 8)", "interleaved(n = 7)"]
    );
}

#[test]
fn structure_finds_nothing_in_other_words() {
    let case = failed(wide_request(48), i32s(48, stream), i32s(48, |i| stream(i) ^ 0x55));
    assert_eq!(found(&case), (vec![], vec![]));
}

#[test]
fn structure_needs_more_than_a_coincidence() {
    // Two coins: shifted, reversed and constant all at once, and none of it means anything.
    let request = uniform_between(Dtype::I32, 2, ("0", "2"));
    let case = failed(request, Tensor::vector(&[0, 1]), Tensor::vector(&[1, 1]));
    assert_eq!(found(&case), (vec![], vec![]));
}

#[test]
fn structure_finds_column_major_order() {
    let shape = Shape::new(&[6, 8]).unwrap();
    let of = |value: &dyn Fn(usize) -> u32| {
        let flat: Vec<i32> = (0..48).map(|i| value(i).cast_signed()).collect();
        Tensor::from_elements(shape.clone(), &flat).unwrap()
    };
    let Request::RandomUniform(mut op) = wide_request(48) else {
        unreachable!()
    };
    op.shape = Tensor::vector(&[6_i64, 8]);
    let actual = of(&|i| stream(i % 8 * 6 + i / 8));
    let case = failed(Request::RandomUniform(op), of(&stream), actual);
    assert!(found(&case).0.contains(&"transposed".to_owned()));
}

#[test]
fn structure_finds_swapped_halves_and_flushed_subnormals() {
    let bounds = ("-9223372036854775808", "9223372036854775807");
    let request = uniform_between(Dtype::I64, 9, bounds);
    let values: Vec<i64> = (0..9)
        .map(|i| (u64::from(stream(i)) << 32 | 7).cast_signed())
        .collect();
    let swapped: Vec<i64> = values.iter().map(|value| value.rotate_left(32)).collect();
    let case = failed(request, Tensor::vector(&values), Tensor::vector(&swapped));
    assert_eq!(found(&case).0, ["word-halves-swapped"]);

    let request = uniform_between(Dtype::F32, 9, ("0", "1"));
    let values: Vec<f32> = (1..10)
        .map(|i: u16| {
            if i.is_multiple_of(3) {
                -1e-40
            } else {
                f32::from(i) * 0.05
            }
        })
        .collect();
    let flushed: Vec<f32> = values
        .iter()
        .map(|&value| if value < 0.0 { -0.0 } else { value })
        .collect();
    let case = failed(request, Tensor::vector(&values), Tensor::vector(&flushed));
    assert_eq!(found(&case).0, ["subnormals-flushed"]);
}

#[test]
fn structure_sees_bits_of_another_type() {
    let values: Vec<half::f16> = (0..9)
        .map(|i: u8| half::f16::from_f32(f32::from(i) / 9.0))
        .collect();
    let wrong: Vec<half::f16> = values
        .iter()
        .map(|value| half::f16::from_bits(half::bf16::from_f32(value.to_f32()).to_bits()))
        .collect();
    let request = uniform(Alignment::Tensorflow, Dtype::F16, &[9]);
    let case = failed(request, Tensor::vector(&values), Tensor::vector(&wrong));
    assert_eq!(found(&case).0, ["bits-of-another-type(bf16)"]);
}

#[test]
fn structure_sees_a_wrong_form() {
    let right = i32s(8, stream);
    let short = failed(wide_request(8), right.clone(), i32s(6, stream));
    assert_eq!(found(&short).0, ["wrong-element-count"]);
    let flat = Tensor::from_elements(
        Shape::new(&[2, 4]).unwrap(),
        &right.elements::<i32>().unwrap().collect::<Vec<_>>(),
    );
    let shape = failed(wide_request(8), right.clone(), flat.unwrap());
    assert_eq!(found(&shape).0, ["wrong-shape"]);
    let dtype = Tensor::new(Dtype::U32, right.shape().clone(), right.bytes().to_vec()).unwrap();
    assert_eq!(
        found(&failed(wide_request(8), right, dtype)).0,
        ["wrong-type(u32)"]
    );
}

#[test]
fn structure_describes_what_it_cannot_give() {
    let n = 48;
    let partly =
        |value: &dyn Fn(usize) -> u32| found(&failed(wide_request(n), i32s(n, stream), i32s(n, value)));
    let every_fourth = partly(&|i| if i % 4 == 1 { stream(i) } else { stream(i) ^ 1 });
    assert_eq!(
        every_fourth,
        (vec![], vec!["every-mth-right(m = 4, first = 1)".to_owned()])
    );
    let prefix = partly(&|i| if i < 20 { stream(i) } else { !stream(i) });
    assert_eq!(prefix, (vec![], vec!["prefix-right(n = 20)".to_owned()]));
    let permuted = partly(&|i| stream(i * 5 % n));
    assert!(permuted.1.contains(&"permuted".to_owned()), "{permuted:?}");
}

#[test]
fn structure_describes_a_rounding() {
    let request = uniform_between(Dtype::F32, 9, ("2", "7"));
    let values: Vec<f32> = (0..9).map(|i: u16| 2.0 + f32::from(i) * 0.31).collect();
    let near: Vec<f32> = values
        .iter()
        .map(|value| f32::from_bits(value.to_bits() + 1))
        .collect();
    let case = failed(request, Tensor::vector(&values), Tensor::vector(&near));
    assert_eq!(found(&case).1, ["rounding(ulps = 1)"]);
}

#[test]
fn structure_joins_parameters_that_vary() {
    let case = |from: usize| {
        let value = |i| if i < from { stream(i) } else { 0x1111_1111 };
        failed(wide_request(48), i32s(48, stream), i32s(48, value))
    };
    let (a, b) = (case(8), case(40));
    let all = structures(&[&a, &b], None);
    let joined = all
        .iter()
        .find(|explanation| explanation.cause.name == "unwritten-tail(varies)")
        .expect("both cases have a tail");
    assert_eq!((joined.evidence.cases, joined.evidence.elements), (2, 96));
}

#[test]
fn structure_names_the_place_where_an_output_goes_wrong() {
    let sentence = |n: usize, from: usize, words_per_block: usize| {
        let oracle = Fake::giving("oracle", i32s(0, stream)).showing(move |_| {
            Some(Stages {
                words: vec![stream(0)],
                words_per_element: 1,
                words_per_block,
                unit: None,
                scaled: i32s(1, stream),
            })
        });
        let wrong = i32s(n, |i| if i < from { stream(i) } else { !stream(i) });
        let case = failed(wide_request(n), i32s(n, stream), wrong);
        structures(&[&case], Some(&oracle))
            .into_iter()
            .find(|explanation| explanation.cause.name.starts_with("prefix-right"))
            .unwrap()
            .cause
            .sentence
    };
    assert!(sentence(50, 20, 4).contains("block 5"));
    assert!(sentence(100, 64, 4).contains("power of two"));
    assert!(sentence(1300, 1248, 1).contains("2 times 624"));
}
