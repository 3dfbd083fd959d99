//! Arrays of which some elements were set to zero after they were drawn: the row of a padding token, a triangle, pruned weights.

use seedproof_ops::{Scalar, Shape};
use seedproof_report::CaseFacts;

use super::answer::{Answer, Draw};
use super::numbers::{EVIDENCE, as_f64, is_same};
use super::parts::of_parts;
use super::sought::Sought;
use super::streams::Stream;
use crate::catalogue::Catalogue;
use crate::judging::ad_hoc;

/// The readings and the streams that draw the elements that are not zero, of those at these places of an array.
pub(super) fn zeroed(known: &Sought, shape: &Shape, places: &[usize], catalogue: &Catalogue) -> Answer {
    let none = Answer::none(known);
    if !known.actual.dtype().is_float() {
        return none;
    }
    let numbers: Vec<f64> = known.actual.scalars().map(Scalar::to_f64).collect();
    let (others, zeros): (Vec<usize>, Vec<usize>) = (0..numbers.len()).partition(|&i| numbers[i] != 0.0);
    let all: Vec<usize> = zeros.iter().map(|&i| places[i]).collect();
    let zeros = all.len();
    // Some mistake draws any constant, and flags are no numbers beside zeros.
    let is_constant = others.iter().all(|&i| is_same(numbers[i], numbers[others[0]]));
    if zeros == 0 || is_constant {
        return none;
    }
    let Some(other) = known.gather(&others) else {
        return none;
    };
    let places: Vec<usize> = others.iter().map(|&i| places[i]).collect();
    let mut answer = of_parts(&other, shape, &places, catalogue);
    let is_named = answer.word() == "named";
    let mut streams = std::mem::take(&mut answer.streams);
    // A draw is named if it has more bits than these. How many more is not kept.
    let bits = EVIDENCE + as_f64(answer.attempts).log2();
    streams.extend(answer.draws.iter().map(|draw| drawn(draw, bits, answer.attempts)));
    let what = match (all.first(), all.last()) {
        (Some(place), _) if zeros == 1 => format!("element {place} is zero"),
        (Some(first), Some(last)) if last - first + 1 == zeros => {
            format!("elements {first} to {last} are zero")
        }
        _ => format!("the {zeros} others are zero"),
    };
    for stream in &mut streams {
        stream.sentence.push_str(&format!("; {what}"));
        (stream.elements, stream.of) = (places.len(), known.actual.count());
    }
    // The array is not what is drawn, so that the answer is the nearest.
    Answer {
        streams: if is_named { streams } else { Vec::new() },
        attempts: answer.attempts,
        ..none
    }
}

/// A draw of most elements, as a stream.
fn drawn(draw: &Draw, bits: f64, attempts: usize) -> Stream {
    let from = draw
        .from
        .as_ref()
        .map_or_else(String::new, |from| format!("; {from}"));
    let sentence = CaseFacts::of(&ad_hoc(draw.request.clone())).line() + &from;
    Stream::whole(draw.names.join(", "), sentence, 0, [bits, as_f64(attempts)], 1)
}

#[cfg(test)]
mod tests {
    use seedproof_ops::{Limits, Tensor};

    use super::*;
    use crate::whois::sampled::rounded;
    use crate::whois::tests::NORMALS;
    use crate::whois::{who_drew, who_drew_parts};

    fn asked(numbers: &[f32]) -> Answer {
        let actual = Tensor::from_elements(Shape::new(&[8, 4]).unwrap(), numbers).unwrap();
        who_drew(&Sought::new(actual, 42, 0), &Catalogue::new(Limits::default()))
    }

    #[test]
    fn zeros_since_the_draw_are_left_out() {
        let padded: Vec<f32> = (0..32)
            .map(|i| if i / 4 == 2 { 0.0 } else { NORMALS[i] })
            .collect();
        let answer = asked(&padded);
        assert_eq!(answer.word(), "nearest", "{answer:?}");
        let stream = &answer.streams[0];
        assert_eq!((stream.elements, stream.of), (28, 32));
        assert_eq!(
            stream.sentence,
            "normal_ f32 [8,4], seeds 42; elements 8 to 11 are zero"
        );
        // The weights of a layer behind a triangle.
        let triangle: Vec<f32> = (0..32)
            .map(|i| if i % 4 > i / 4 { 0.0 } else { 0.02 * NORMALS[i] })
            .collect();
        let answer = asked(&triangle);
        let sentence = &answer.streams[0].sentence;
        assert!(
            sentence.contains("times 0.02") && sentence.ends_with("; the 6 others are zero"),
            "{sentence}"
        );
        // The same after another seed.
        let answer = who_drew(
            &Sought {
                seed: 43,
                ..Sought::new(Tensor::vector(&padded), 42, 0)
            },
            &Catalogue::new(Limits::default()),
        );
        assert!(answer.streams.is_empty());
    }

    /// Noise behind a triangle, half of it, and flags: what is left is noise, too.
    #[test]
    fn noise_with_zeros_is_not_named() {
        let catalogue = Catalogue::new(Limits::default());
        for seed in 0..4 {
            let units: Vec<f32> = (1_u32..=49)
                .map(|i| rounded((f64::from(i * i + 977 * seed) * 0.618_033_988).fract()))
                .collect();
            let triangle = |i: usize| if i % 7 > i / 7 { 0.0 } else { units[i] };
            let half = |i: usize| (units[i] - 0.5).max(0.0);
            let flag = |i: usize| if units[i] < 0.5 { 0.0 } else { 2.0 };
            for element in [&triangle as &dyn Fn(usize) -> f32, &half, &flag] {
                let elements: Vec<f32> = (0..49).map(element).collect();
                let array = Tensor::from_elements(Shape::new(&[7, 7]).unwrap(), &elements).unwrap();
                let answer = who_drew(&Sought::new(array, seed.into(), 0), &catalogue);
                assert!(answer.draws.is_empty() && answer.streams.is_empty(), "{answer:?}");
            }
        }
    }

    #[test]
    fn zeros_of_a_printed_array_are_left_out() {
        // The first and the last rows of `torch.randn(8, 4)`, of which row 0 was set to zero.
        let places: Vec<usize> = (0..12).chain(20..32).collect();
        let numbers: Vec<f32> = places
            .iter()
            .map(|&i| if i < 4 { 0.0 } else { NORMALS[i] })
            .collect();
        let known = Sought::new(Tensor::vector(&numbers), 42, 0);
        let shape = Shape::new(&[8, 4]).unwrap();
        let answer = who_drew_parts(&known, &shape, &places, &Catalogue::new(Limits::default()));
        let ends = |it: &Stream| it.sentence.ends_with("; elements 0 to 3 are zero");
        assert!(answer.streams.first().is_some_and(ends), "{answer:?}");
        let zeros = Sought::new(Tensor::vector(&[0.0_f32; 24]), 42, 0);
        let answer = who_drew_parts(&zeros, &shape, &places, &Catalogue::new(Limits::default()));
        assert!(answer.streams.is_empty());
    }
}
