//! The first elements that differ, each with the place where its actual value stands in the expected stream.
//!
//! This shows a kernel that writes right values to wrong places: its values are found elsewhere in the stream.

use std::collections::HashMap;

use seedproof_ops::{Backend, Request, Scalar, Stages, Tensor};

use crate::model::chance::chance;
use crate::model::comparison::{Differences, Places};
use crate::model::exchange::{as_u64, ask};
use crate::model::stage::{Stage, StageResult, StageValues, first_difference};
use crate::model::statistics::float;

/// The most elements that are listed.
const MAX_LISTED: usize = 64;
/// The most places that are listed for an element.
const MAX_PLACES: usize = 4;
/// The most elements of the stream that the oracle draws to look for the places, the output included. A larger output
/// is searched alone.
const MAX_SEARCHED: usize = 1 << 14;

impl Differences {
    /// The rows of the table, as far as all columns go: index, expected element, actual element.
    ///
    /// ```
    /// use seedproof_check::Differences;
    /// use seedproof_ops::{Dtype, Scalar};
    ///
    /// let word = |bits| Scalar::new(Dtype::U32, bits);
    /// let differences = Differences {
    ///     indices: vec![7],
    ///     expected: vec![word(1)],
    ///     actual: vec![word(2)],
    ///     ..Differences::default()
    /// };
    /// assert_eq!(differences.rows().next(), Some((7, word(1), word(2))));
    /// ```
    pub fn rows(&self) -> impl Iterator<Item = (usize, Scalar, Scalar)> + '_ {
        let both = self.expected.iter().zip(&self.actual);
        let rows = self.indices.iter().zip(both);
        rows.map(|(&index, (&expected, &actual))| (index, expected, actual))
    }

    /// Adds an element, unless [`MAX_LISTED`] are there.
    pub(crate) fn push(&mut self, index: usize, expected: Scalar, actual: Scalar) {
        if self.indices.len() < MAX_LISTED {
            self.indices.push(index);
            self.expected.push(expected);
            self.actual.push(actual);
        }
    }

    /// Sets the first stage in which each element differs. It follows from the implementation's own stages, or else
    /// from what was inferred of all elements together.
    pub(crate) fn set_stages(&mut self, expected: &Stages, actual: Option<&Stages>, of_all: &[StageResult]) {
        // An inferred stage is known for the output as a whole: where words differ, it is not known in which elements.
        let words = of_all.iter().find(|result| result.stage == Stage::Words);
        let of_all = words
            .filter(|words| words.equal)
            .and_then(|_| first_difference(of_all));
        let stage = |index: usize| match actual {
            Some(actual) => {
                let [expected, actual] = [expected, actual].map(|stages| StageValues::of(stages, index));
                Some(if expected.words != actual.words {
                    Stage::Words
                } else if expected.unit != actual.unit {
                    Stage::UnitInterval
                } else {
                    Stage::Scale
                })
            }
            None => of_all,
        };
        let stages: Vec<Option<Stage>> = self.indices.iter().map(|&index| stage(index)).collect();
        if stages.iter().any(Option::is_some) {
            self.stages = stages;
        }
    }

    /// Looks the actual elements up in the expected stream, unless their words are known to be right.
    pub(crate) fn search(&mut self, oracle: &dyn Backend, request: &Request, expected: &Tensor) {
        // An element whose words are right stands in its place, so that it is found elsewhere by chance alone.
        if self.stages.iter().flatten().any(|&stage| stage != Stage::Words) {
            return;
        }
        let stream = longer(oracle, request, expected);
        let stream = stream.as_ref().unwrap_or(expected);
        let (count, length) = (expected.count().max(1), stream.count());
        let per_element = chance(request, count) / float(count);
        // An element of b bits recurs by chance in a stream of 2^b elements, and then its place proves nothing.
        if float(length).log2() >= per_element {
            return;
        }
        let mut places: HashMap<u64, Vec<usize>> = HashMap::new();
        for element in &self.actual {
            places.entry(element.bits()).or_default();
        }
        for (index, element) in stream.scalars().enumerate() {
            if let Some(places) = places.get_mut(&element.bits())
                && places.len() < MAX_PLACES
            {
                places.push(index);
            }
        }
        let found = self.actual.iter().map(|element| places[&element.bits()].clone());
        self.found = Some(Places {
            searched: length,
            places: found.collect(),
        });
    }
}

/// The expected output, extended by part of the stream that follows it. `None` if a longer request draws a different
/// stream, or if the output would be too long.
fn longer(oracle: &dyn Backend, request: &Request, expected: &Tensor) -> Option<Tensor> {
    let count = expected.count();
    let longer = count.saturating_mul(9).saturating_add(64).min(MAX_SEARCHED);
    if longer <= count {
        return None;
    }
    let request = request.prefix(as_u64(longer))?;
    let stream = ask(oracle, &request)?.ok()?.output;
    // The words of JAX's older order depend on how many are drawn, so that a longer output need not begin with this
    // one.
    let begins = stream.dtype() == expected.dtype() && stream.bytes().starts_with(expected.bytes());
    begins.then_some(stream)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{Fake, uniform};
    use seedproof_ops::{Alignment, Dtype, Response};

    /// Numbers that do not recur, as a stream of f32.
    fn stream(count: usize) -> Vec<f32> {
        (0..count)
            .map(|i| f32::from_bits(0x3f00_0000 + 7 * u32::try_from(i).unwrap()))
            .collect()
    }

    fn oracle() -> Fake {
        Fake::new("oracle", |request| {
            let (_, dims) = request.output_form().unwrap();
            let count = dims.iter().product::<u64>();
            Ok(Response::of(Tensor::vector(&stream(
                usize::try_from(count).unwrap(),
            ))))
        })
    }

    fn differences(expected: &Tensor, actual: &Tensor) -> Differences {
        let mut made = Differences::default();
        for (index, (expected, actual)) in expected.scalars().zip(actual.scalars()).enumerate() {
            if expected != actual {
                made.push(index, expected, actual);
            }
        }
        made
    }

    fn found(count: usize, actual: &[f32]) -> Option<Places> {
        let request = uniform(
            Alignment::Tensorflow,
            Dtype::F32,
            &[i64::try_from(count).unwrap()],
        );
        let expected = Tensor::vector(&stream(count));
        let mut made = differences(&expected, &Tensor::vector(actual));
        made.search(&oracle(), &request, &expected);
        made.found
    }

    #[test]
    fn differences_are_found_elsewhere_in_the_stream() {
        let all = stream(100);
        let actual = [all[1], all[0], all[2], 0.25, all[63]];
        let found = found(5, &actual).unwrap();
        assert_eq!(found.searched, 5 * 9 + 64);
        assert_eq!(found.places, [vec![1], vec![0], vec![], vec![63]]);
    }

    #[test]
    fn differences_are_not_searched_for_in_a_stream_that_begins_otherwise() {
        let request = uniform(Alignment::Tensorflow, Dtype::F32, &[5]);
        assert!(longer(&oracle(), &request, &Tensor::vector(&stream(5))).is_some());
        assert_eq!(
            longer(&oracle(), &request, &Tensor::vector(&stream(6)[1..])),
            None
        );
        let bits = Tensor::vector(&stream(5).iter().map(|it| it.to_bits()).collect::<Vec<u32>>());
        assert_eq!(longer(&oracle(), &request, &bits), None);
    }

    #[test]
    fn differences_are_searched_for_in_a_bounded_stream() {
        let count = 1 << 15;
        let mut actual = stream(count);
        actual.rotate_left(1);
        let found = found(count, &actual).unwrap();
        assert_eq!((found.searched, found.places.len()), (count, 64));
        assert_eq!(found.places[63], [64]);
    }

    #[test]
    fn differences_that_recur_by_chance_are_not_searched_for() {
        // A value in [0, 1000) recurs among 600 more often than not.
        let request = uniform(Alignment::Tensorflow, Dtype::I32, &[600]);
        let (expected, actual) = (Tensor::vector(&[1_i32; 600]), Tensor::vector(&[2_i32; 600]));
        let mut made = differences(&expected, &actual);
        made.search(&oracle(), &request, &expected);
        assert_eq!(made.found, None);
    }

    #[test]
    fn differences_of_right_words_are_not_searched_for() {
        let request = uniform(Alignment::Tensorflow, Dtype::F32, &[2]);
        let expected = Tensor::vector(&stream(2));
        let mut made = differences(&expected, &Tensor::vector(&[0.5_f32, 0.25]));
        made.stages = vec![Some(Stage::UnitInterval)];
        made.search(&oracle(), &request, &expected);
        assert_eq!(made.found, None);
    }

    #[test]
    fn differences_have_a_stage_each_where_the_implementation_shows_them() {
        let stages = |words: [u32; 3], unit: [f32; 3]| Stages {
            unit: Some(Tensor::vector(&unit)),
            ..Stages::of_philox(words.into(), 1, Tensor::vector(&unit))
        };
        let expected = stages([1, 2, 3], [0.0, 0.25, 0.5]);
        let actual = stages([9, 2, 3], [0.75, 0.125, 0.5]);
        let mut made = Differences::default();
        for index in 0..3 {
            made.push(index, Scalar::new(Dtype::F32, 0), Scalar::new(Dtype::F32, 1));
        }
        made.set_stages(&expected, Some(&actual), &[]);
        let all = [Stage::Words, Stage::UnitInterval, Stage::Scale].map(Some);
        assert_eq!(made.stages, all);
        made.stages.clear();
        made.set_stages(&expected, None, &[]);
        assert_eq!(made.stages, []);
    }
}
