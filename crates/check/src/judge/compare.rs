//! Two outputs, element by element.
//!
//! There is no tolerance, since one unit in the last place is the size of the faults that are sought: a fused
//! multiplication, another logarithm. The only choice is which NaNs count as the same element ([`NanRule`]).

use seedproof_ops::{NanRule, Request, Response, Scalar, Tensor};

use crate::model::comparison::Differences;
use crate::model::comparison::{Comparison, Element};
use crate::model::finding::{Form, Mismatch};
use crate::model::ulp::ulps;

/// The most elements of a further output that a finding lists. The states and counters of all ops have fewer; an answer
/// of the wrong form may have any number.
const LISTED: usize = 64;

/// The most cells of a mismatch strip ([`Comparison::strip`]).
pub const STRIP: usize = 256;

/// How an answer differs from the expected one, or `None` if every element is as expected.
///
/// The first output is compared by its form and then by its elements. The further outputs follow only if it is right,
/// because a finding has one mismatch.
pub(crate) fn compare(
    request: &Request,
    expected: &Response,
    actual: &Response,
    nan: NanRule,
) -> Option<Mismatch> {
    compare_outputs(&expected.output, &actual.output, nan)
        .or_else(|| compare_more(request, &expected.more, &actual.more, nan))
}

fn compare_outputs(expected: &Tensor, actual: &Tensor, nan: NanRule) -> Option<Mismatch> {
    if (expected.dtype(), expected.shape()) != (actual.dtype(), actual.shape()) {
        return Some(Mismatch::Form {
            expected: Form::of(expected),
            actual: Form::of(actual),
        });
    }
    // Equal bytes are equal under every rule for NaNs.
    if expected.bytes() == actual.bytes() {
        return None;
    }
    let total = expected.count();
    let mut strip = vec![0; total.min(STRIP)];
    let mut first = None;
    let mut differing = 0;
    let mut max_ulps = None;
    let mut differences = Differences::default();
    for (index, (expected, actual)) in expected.scalars().zip(actual.scalars()).enumerate() {
        if nan.same_element(expected, actual) {
            continue;
        }
        first.get_or_insert((index, expected, actual));
        differing += 1;
        differences.push(index, expected, actual);
        max_ulps = max_ulps.max(ulps(expected, actual));
        strip[strip_cell(index, total)] += 1;
    }
    // Where the rule for NaNs has excused every difference, there is no first one.
    let (index, first_expected, first_actual) = first?;
    Some(Mismatch::Elements(Box::new(Comparison {
        total,
        differing,
        first: element(
            expected.shape().coordinates(index),
            index,
            first_expected,
            first_actual,
        ),
        max_ulps,
        strip,
        differences,
        stages: Vec::new(),
        expected_stages: None,
        actual_stages: None,
    })))
}

/// The cell of a strip to which element `index` of `total` belongs. Cells are runs of elements whose lengths differ by
/// one at most, the longer ones first.
///
/// ```
/// use seedproof_check::{STRIP, strip_cell};
///
/// assert_eq!(strip_cell(9, 10), 9, "a small output has a cell for each element");
/// assert_eq!(strip_cell(999, 1000), STRIP - 1);
/// ```
pub const fn strip_cell(index: usize, total: usize) -> usize {
    if total <= STRIP {
        return index;
    }
    // Divided first, since 256 times the size of an output may overflow.
    let (whole, rest) = (total / STRIP, total % STRIP);
    let long = (whole + 1) * rest;
    if index < long {
        index / (whole + 1)
    } else {
        rest + (index - long) / whole
    }
}

/// An element that differs. Its block is filled in later ([`crate::judge::locate`]), because a comparison does not know
/// the generator.
pub(crate) fn element(coordinates: Vec<usize>, index: usize, expected: Scalar, actual: Scalar) -> Element {
    Element {
        index,
        coordinates,
        block: None,
        expected,
        actual,
        ulps: ulps(expected, actual),
    }
}

/// The first further output that differs from the expected one.
pub(crate) fn compare_more(
    request: &Request,
    expected: &[Tensor],
    actual: &[Tensor],
    nan: NanRule,
) -> Option<Mismatch> {
    let is_right = |index: usize| {
        let actual = actual.get(index);
        actual.is_some_and(|actual| nan.same(&expected[index], actual))
    };
    let index = (0..expected.len()).find(|&index| !is_right(index))?;
    let outputs = request.outputs();
    Some(Mismatch::Output {
        name: outputs.get(index + 1).map_or("", |info| info.name).to_owned(),
        expected: expected[index].scalars().take(LISTED).collect(),
        actual: actual
            .get(index)
            .map_or_else(Vec::new, |output| output.scalars().take(LISTED).collect()),
    })
}

#[cfg(test)]
mod tests {
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
}
