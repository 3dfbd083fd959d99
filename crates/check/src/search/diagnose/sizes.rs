//! Sizes of chunks, vectors and launches that wrong outputs show.

use std::collections::BTreeMap;

use crate::model::exchange::FailedCase;
use crate::search::structure::bits_of;

/// The most cases and the most elements that are looked at: a few milliseconds.
const CASES: usize = 256;
const ELEMENTS: usize = 1 << 16;
/// The most sizes. Each is tried as the parameter of a dozen mistakes.
const SIZES: usize = 8;

/// The sizes that most of the cases show. A kernel may be written for any number, and a list of the usual ones lacks most.
pub(crate) fn sizes(cases: &[&FailedCase]) -> Vec<u32> {
    let mut shown: BTreeMap<usize, usize> = BTreeMap::new();
    for case in cases.iter().take(CASES) {
        for size in of(case).into_iter().flatten() {
            *shown.entry(size).or_default() += 1;
        }
    }
    let mut all: Vec<(usize, usize)> = shown.into_iter().collect();
    all.sort_by_key(|&(size, cases)| (std::cmp::Reverse(cases), size));
    let most = all.into_iter().take(SIZES);
    most.filter_map(|(size, _)| u32::try_from(size).ok()).collect()
}

/// The element with which an output goes wrong, where a chunk may begin; the distance at which the first elements of the stream
/// stand in the output, and that of the output's in the stream.
fn of(case: &FailedCase) -> [Option<usize>; 3] {
    let none = [None; 3];
    let Some((expected, actual)) = case.values() else {
        return none;
    };
    let [expected, actual] = [expected, actual].map(|it| &it.output);
    if expected.count() != actual.count() || expected.dtype() != actual.dtype() || actual.count() > ELEMENTS {
        return none;
    }
    let [expected, actual] = [expected, actual].map(|it| bits_of(it, case.nan));
    let first = (0..actual.len()).find(|&i| actual[i] != expected[i]);
    let apart = |of: &[u64], among: &[u64]| {
        // Three elements tell a distance from chance in every type but those of few bits, where most cases decide.
        let mut steps = 2..among.len().div_ceil(3);
        steps.find(|step| (1..4).all(|i| of.get(i) == among.get(i * step)))
    };
    [
        first.filter(|&first| first > 1),
        apart(&expected, &actual),
        apart(&actual, &expected),
    ]
}

#[cfg(test)]
mod tests {
    use seedproof_corpus::CaseId;
    use seedproof_ops::{Alignment, Dtype, NanRule, Response, Tensor};

    use super::*;
    use crate::fixtures::uniform;
    use crate::model::expected::Expected;

    /// The sizes of a case whose element `i` is the stream's element `at(i)`.
    fn shown(count: u32, at: impl Fn(u32) -> u32) -> Vec<u32> {
        let output = |at: &dyn Fn(u32) -> u32| {
            let elements: Vec<u32> = (0..count).map(|i| at(i).wrapping_mul(0x9e37_79b9)).collect();
            Response::of(Tensor::vector(&elements))
        };
        let case = FailedCase {
            case: CaseId::new("a/b/c").unwrap(),
            request: uniform(Alignment::Tensorflow, Dtype::I32, &[count.into()]),
            expected: Expected::Value(output(&|i| i)),
            actual: Ok(output(&at)),
            again: None,
            nan: NanRule::Class,
        };
        sizes(&[&case])
    }

    #[test]
    fn sizes_are_where_an_output_goes_wrong_and_how_far_apart_its_first_elements_are() {
        assert_eq!(shown(100, |i| if i < 37 { i } else { i + 1 }), [37]);
        // 11 blocks of four side by side, stored word by word: both distances are shown.
        assert_eq!(shown(88, |i| i / 44 * 44 + i % 11 * 4 + i % 44 / 11), [4, 11]);
        assert_eq!(shown(100, |i| i + 1), [0; 0]);
        assert_eq!(shown(3, |i| 2 - i), [0; 0]);
    }
}
