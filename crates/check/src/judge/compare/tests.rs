//! Two values, element by element.

mod digests;

use super::*;
use crate::fixtures::dml;
use seedproof_ops::Shape;

fn f32s(values: &[u32]) -> Tensor {
    let values: Vec<f32> = values.iter().map(|&bits| f32::from_bits(bits)).collect();
    Tensor::from_elements(Shape::new(&[2, 3]).unwrap(), &values).unwrap()
}

fn comparison(expected: &[u32], actual: &[u32]) -> Option<Comparison> {
    match compare_outputs(&f32s(expected), &f32s(actual), NanRule::Bits) {
        Some(Mismatch::Elements(comparison)) => Some(*comparison),
        None => None,
        other => panic!("{other:?}"),
    }
}

#[test]
fn compare_of_equal_bits_finds_nothing() {
    assert_eq!(comparison(&[1, 2, 3, 4, 5, 6], &[1, 2, 3, 4, 5, 6]), None);
    assert_eq!(comparison(&[0x7fc0_0001; 6], &[0x7fc0_0001; 6]), None);
}

#[test]
fn compare_locates_the_first_of_several() {
    let found = comparison(&[0, 1, 2, 3, 4, 5], &[0, 1, 2, 3, 7, 4]).unwrap();
    assert_eq!((found.total, found.differing), (6, 2));
    assert_eq!(found.first.index, 4);
    assert_eq!(found.first.coordinates, [1, 1]);
    assert_eq!(found.first.ulps, Some(3));
    assert_eq!(found.first.actual.bits(), 7);
    assert_eq!(found.max_ulps, Some(3));
    assert_eq!(found.strip, [0, 0, 0, 0, 1, 1]);
}

#[test]
fn compare_tells_zeros_and_nan_payloads_apart() {
    let zero = comparison(&[0; 6], &[0, 0, 0x8000_0000, 0, 0, 0]).unwrap();
    assert_eq!((zero.differing, zero.first.ulps), (1, Some(0)));
    let nan = comparison(&[0x7fc0_0000; 6], &[0x7fc0_0001; 6]).unwrap();
    assert_eq!((nan.differing, nan.first.ulps, nan.max_ulps), (6, None, None));
}

#[test]
fn compare_takes_a_nan_for_any_other_of_its_class() {
    let (expected, actual) = (f32s(&[0x7fc0_0000; 6]), f32s(&[0xffc0_0001; 6]));
    assert_eq!(compare_outputs(&expected, &actual, NanRule::Class), None);
    let actual = f32s(&[0xffc0_0001, 0xffc0_0001, 0x7f80_0000, 0x7fc0_0000, 0, 0x7fc0_0000]);
    let Some(Mismatch::Elements(found)) = compare_outputs(&expected, &actual, NanRule::Class) else {
        panic!("nothing was found");
    };
    assert_eq!((found.differing, found.first.index), (2, 2));
}

#[test]
fn compare_tells_forms_apart() {
    let expected = f32s(&[0; 6]);
    let flat = Tensor::vector(&[0.0_f32; 6]);
    let integers = Tensor::from_elements(Shape::new(&[2, 3]).unwrap(), &[0_i32; 6]).unwrap();
    for actual in [flat, integers] {
        let found = compare_outputs(&expected, &actual, NanRule::Class);
        assert!(matches!(found, Some(Mismatch::Form { .. })), "{found:?}");
    }
}

#[test]
fn compare_strip_has_256_equal_runs() {
    let expected = Tensor::vector(&vec![0_i32; 1000]);
    let actual = Tensor::vector(&vec![1_i32; 1000]);
    let Some(Mismatch::Elements(found)) = compare_outputs(&expected, &actual, NanRule::Class) else {
        panic!("nothing was found");
    };
    assert_eq!(found.strip.len(), 256);
    assert_eq!(found.strip.iter().sum::<u32>(), 1000);
    assert!(found.strip.iter().all(|&run| run == 3 || run == 4));
    assert_eq!(strip_cell(usize::MAX - 1, usize::MAX), 255);
}

#[test]
fn compare_sees_a_wrong_or_missing_further_output() {
    let request = dml(&[1, 1, 1, 2]);
    let with = |state: Option<&[u32]>| Response {
        output: Tensor::vector(&[1_u32, 2]),
        more: state.map(Tensor::vector).into_iter().collect(),
    };
    let expected = with(Some(&[1, 0, 0, 0, 5, 6]));
    assert_eq!(
        compare(
            &request,
            &expected,
            &with(Some(&[1, 0, 0, 0, 5, 6])),
            NanRule::Class
        ),
        None
    );
    assert_eq!(compare(&request, &with(None), &expected, NanRule::Class), None);
    for (more, count) in [(Some(&[0, 0, 0, 0, 5, 6][..]), 6), (None, 0)] {
        let found = compare(&request, &expected, &with(more), NanRule::Class);
        let Some(Mismatch::Output { name, actual, .. }) = found else {
            panic!("{found:?}");
        };
        assert_eq!((name.as_str(), actual.len()), ("output_state", count));
    }
}
