//! Two outputs, bit by bit.
//!
//! There is no tolerance here, not for a NaN's payload either: whoever is allowed other bits is a reading.

use seedproof_ops::{Request, Response, Scalar, Tensor};

use crate::locate::block_and_word;
use crate::ulp::ulps;
use crate::{Comparison, Element, Form, Mismatch};

/// Runs of elements in a mismatch strip, at most.
const STRIP: usize = 256;

/// How an answer differs from the expected one, or `None` if every bit is as expected.
///
/// Form first, then elements, then the state. An expected answer without a state says nothing about states.
pub fn compare(request: &Request, expected: &Response, actual: &Response) -> Option<Mismatch> {
    compare_outputs(request, &expected.output, &actual.output)
        .or_else(|| compare_states(expected.more.first(), actual.more.first()))
}

/// How an output differs from the expected one: in form, or in elements.
pub fn compare_outputs(request: &Request, expected: &Tensor, actual: &Tensor) -> Option<Mismatch> {
    if (expected.dtype(), expected.shape()) != (actual.dtype(), actual.shape()) {
        return Some(Mismatch::Form {
            expected: Form::of(expected),
            actual: Form::of(actual),
        });
    }
    if expected.bytes() == actual.bytes() {
        return None;
    }
    let total = expected.count();
    let mut strip = vec![0; total.min(STRIP)];
    let mut first = None;
    let mut differing = 0;
    let mut max_ulps = None;
    for (index, (expected, actual)) in expected.scalars().zip(actual.scalars()).enumerate() {
        if expected == actual {
            continue;
        }
        first.get_or_insert((index, expected, actual));
        differing += 1;
        max_ulps = max_ulps.max(ulps(expected, actual));
        strip[run_of(index, total)] += 1;
    }
    let (index, first_expected, first_actual) = first?;
    Some(Mismatch::Elements(Comparison {
        total,
        differing,
        first: element(
            request,
            expected.shape().coordinates(index),
            index,
            first_expected,
            first_actual,
        ),
        max_ulps,
        strip,
        stages: Vec::new(),
        expected_stages: None,
        actual_stages: None,
    }))
}

/// The run of the strip that an element belongs to.
const fn run_of(index: usize, total: usize) -> usize {
    if total <= STRIP {
        return index;
    }
    // Whole runs first, so that the product cannot overflow: the output fits in memory, 256 times it need not.
    let (whole, rest) = (total / STRIP, total % STRIP);
    let long = (whole + 1) * rest;
    if index < long {
        index / (whole + 1)
    } else {
        rest + (index - long) / whole
    }
}

/// An element that differs, located.
pub(crate) fn element(
    request: &Request,
    coordinates: Vec<usize>,
    index: usize,
    expected: Scalar,
    actual: Scalar,
) -> Element {
    Element {
        index,
        coordinates,
        block: block_and_word(request, index),
        expected,
        actual,
        ulps: ulps(expected, actual),
    }
}

/// How a state differs from the expected one, where one is expected.
pub(crate) fn compare_states(expected: Option<&Tensor>, actual: Option<&Tensor>) -> Option<Mismatch> {
    let expected = expected?;
    if actual == Some(expected) {
        return None;
    }
    Some(Mismatch::State {
        expected: expected.scalars().collect(),
        actual: actual.map(|state| state.scalars().collect()).unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{dml, uniform};
    use seedproof_ops::{Alignment, Dtype, Shape};

    fn f32s(values: &[u32]) -> Tensor {
        let values: Vec<f32> = values.iter().map(|&bits| f32::from_bits(bits)).collect();
        Tensor::from_elements(Shape::new(&[2, 3]).unwrap(), &values).unwrap()
    }

    fn comparison(expected: &[u32], actual: &[u32]) -> Option<Comparison> {
        let request = uniform(Alignment::Tensorflow, Dtype::F32, &[2, 3]);
        match compare_outputs(&request, &f32s(expected), &f32s(actual)) {
            Some(Mismatch::Elements(comparison)) => Some(comparison),
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
        assert_eq!(found.first.block, Some((1, 0)));
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
    fn compare_tells_forms_apart() {
        let request = uniform(Alignment::Tensorflow, Dtype::F32, &[2, 3]);
        let expected = f32s(&[0; 6]);
        let flat = Tensor::vector(&[0.0_f32; 6]);
        let integers = Tensor::from_elements(Shape::new(&[2, 3]).unwrap(), &[0_i32; 6]).unwrap();
        for actual in [flat, integers] {
            let found = compare_outputs(&request, &expected, &actual);
            assert!(matches!(found, Some(Mismatch::Form { .. })), "{found:?}");
        }
    }

    #[test]
    fn compare_strip_has_256_equal_runs() {
        let request = uniform(Alignment::Tensorflow, Dtype::I32, &[1000]);
        let expected = Tensor::vector(&vec![0_i32; 1000]);
        let actual = Tensor::vector(&vec![1_i32; 1000]);
        let Some(Mismatch::Elements(found)) = compare_outputs(&request, &expected, &actual) else {
            panic!("nothing was found");
        };
        assert_eq!(found.strip.len(), 256);
        assert_eq!(found.strip.iter().sum::<u32>(), 1000);
        assert!(found.strip.iter().all(|&run| run == 3 || run == 4));
        assert_eq!(run_of(usize::MAX - 1, usize::MAX), 255);
    }

    #[test]
    fn compare_sees_a_wrong_or_missing_state() {
        let request = dml(&[1, 1, 1, 2]);
        let with = |state: Option<&[u32]>| Response {
            output: Tensor::vector(&[1_u32, 2]),
            more: state.map(Tensor::vector).into_iter().collect(),
        };
        let expected = with(Some(&[1, 0, 0, 0, 5, 6]));
        assert_eq!(
            compare(&request, &expected, &with(Some(&[1, 0, 0, 0, 5, 6]))),
            None
        );
        assert_eq!(compare(&request, &with(None), &expected), None);
        let wrong = compare(&request, &expected, &with(Some(&[0, 0, 0, 0, 5, 6])));
        assert!(matches!(wrong, Some(Mismatch::State { actual, .. }) if actual.len() == 6));
        let missing = compare(&request, &expected, &with(None));
        assert!(matches!(missing, Some(Mismatch::State { actual, .. }) if actual.is_empty()));
    }
}
