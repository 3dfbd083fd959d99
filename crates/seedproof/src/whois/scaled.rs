//! Normals of ops that were multiplied and shifted afterwards: a program passes a deviation to `tf.random.truncated_normal`, and
//! an initializer of Keras computes one, where the op itself draws standard numbers.

use seedproof_ops::{Distribution, Request, Scalar, Tensor};
use seedproof_report::CaseFacts;

use super::answer::Answer;
use super::compared::Compared;
use super::derived::later_requests;
use super::first::{MOST_WHOLE, first, is_short};
use super::numbers::as_f64;
use super::seen::Seen;
use super::sought::Sought;
use super::streams::{Stream, line_over};
use crate::catalogue::{Asked, Catalogue};
use crate::judging::ad_hoc;

/// The readings whose normals, times a number and plus another one, are the array: with the seeds that were asked about, as a
/// later execution, and with seeds that frameworks make of them.
pub(super) fn of_scaled(sought: &Sought, catalogue: &Catalogue) -> Answer {
    scaled_of(sought, &Compared::whole(sought), catalogue)
}

/// [`of_scaled`], of which the elements that are known are compared.
pub(super) fn scaled_of(sought: &Sought, compared: &Compared<'_>, catalogue: &Catalogue) -> Answer {
    let mut answer = Answer::none(sought);
    if !sought.actual.dtype().is_float() || !sought.known.is_empty() {
        return answer;
    }
    let readings = catalogue.asked_readings();
    let seen = Seen::of(compared.sought);
    let mut visit = |mut requests: Vec<Request>, from: Option<&str>| {
        // The seeds after those that draw it would be further attempts at nothing.
        if !answer.streams.is_empty() {
            return;
        }
        requests.retain(|it| {
            matches!(it.distribution(), Some(Distribution::Normal { .. })) && is_short(it, MOST_WHOLE)
        });
        answer.attempts += requests.len() * readings.len();
        let attempts = sought.attempts(as_f64(answer.attempts));
        let begun = first(compared, &requests, &readings, catalogue);
        for (request, begun) in requests.iter().zip(&begun) {
            let over = |it: &Tensor| line_over(&seen, compared.places, &numbers(it));
            let lies = readings
                .iter()
                .zip(begun)
                .filter_map(|(reading, it)| Some((over(it.as_ref()?)?.is_exact, reading)));
            // The normals of a half type are nearly the same in several readings, and those of f32 that were rounded to it: only a
            // reading that has exactly these says more than the streams, which are searched next.
            let is_half = seen.dtype.is_float() && seen.dtype.size() == 2;
            let exact = lies.clone().filter(|(is_exact, _)| *is_exact);
            let near = lies.take(usize::from(!is_half));
            let mut best = None;
            for (_, reading) in exact.chain(near) {
                let found = scaled(&seen, compared, request, reading, from, attempts);
                let is_exact = found.as_ref().is_some_and(|(is_exact, _)| *is_exact);
                if is_exact || best.is_none() && !is_half {
                    best = found;
                }
                if is_exact {
                    break;
                }
            }
            let stream = best.map(|(_, stream)| stream);
            answer.streams.extend(stream);
        }
    };
    visit(sought.requests(), None);
    later_requests(sought, visit);
    answer
}

fn numbers(drawn: &Tensor) -> Vec<f64> {
    drawn.scalars().map(Scalar::to_f64).collect()
}

/// The whole array on a line over a request's normals, and whether it is exactly a multiple of them.
fn scaled(
    seen: &Seen,
    compared: &Compared<'_>,
    request: &Request,
    reading: &Asked<'_>,
    from: Option<&str>,
    attempts: f64,
) -> Option<(bool, Stream)> {
    let drawn = reading.backend.run(request).ok()?.output;
    let over = line_over(seen, compared.places, &numbers(&drawn))?;
    let facts = CaseFacts::of(&ad_hoc(request.clone()));
    let from = from.map_or_else(String::new, |from| format!("; {from}"));
    let name = format!("{} + scaled", reading.name);
    let sentence = format!("{}{}{from}", facts.line(), over.what);
    let stream = Stream::whole(name, sentence, seen.count(), [over.bits, attempts], 2);
    (stream.is_certain() && drawn.count() == compared.count).then_some((over.is_exact, stream))
}

#[cfg(test)]
mod tests {
    use seedproof_ops::{Dtype, Limits, Shape};

    use super::*;
    use crate::whois::tests::NORMALS;
    use crate::whois::{who_drew, who_drew_parts};

    /// `keras.initializers.TruncatedNormal(stddev=0.02, seed=3)((4, 6))` of Keras 3,
    /// `tf.random.truncated_normal((12,), mean=4., stddev=2.)` after `tf.random.set_seed(3)` of TensorFlow 2.21, and the kernel of
    /// a `Dense(4, kernel_initializer='he_normal')` of six inputs after `keras.utils.set_random_seed(5)`.
    #[test]
    fn truncated_normals_with_a_deviation_are_named() {
        let keras = [
            -0.013_431_7_f32,
            0.033_521_01,
            -0.018_884_91,
            0.012_158_78,
            -0.008_381_46,
            -0.009_915_49,
            0.008_205_21,
            0.012_786_07,
        ];
        let eager = [
            2.340_725_4_f32,
            0.346_745_73,
            4.250_387,
            6.354_016_3,
            3.425_610_3,
            2.208_709_7,
            2.803_748_7,
            3.729_706_8,
        ];
        let layer = [
            -0.492_620_08_f32,
            -0.124_280_36,
            -0.888_603_03,
            0.280_740_8,
            -0.427_148_7,
            0.374_913_3,
            0.031_946_56,
            0.169_255_2,
        ];
        let catalogue = Catalogue::new(Limits::default());
        for (seed, numbers, line, from) in [
            (
                3,
                keras,
                ", times 0.02",
                "those of seed=[3, 0] in tf.random.stateless_*",
            ),
            (
                3,
                eager,
                ", times 2, plus 4",
                "call 1 after tf.random.set_seed(3)",
            ),
            (5, layer, ", times 0.65636", "number 1 of those that Keras draws"),
        ] {
            let of = |seed| of_scaled(&Sought::new(Tensor::vector(&numbers), seed, 0), &catalogue);
            let answer = of(seed);
            // The first and the last three of a printed row.
            let places = [0, 1, 2, 5, 6, 7];
            let printed: Vec<f32> = places.iter().map(|&i| numbers[i]).collect();
            let known = Sought::new(Tensor::vector(&printed), seed, 0);
            let parts = who_drew_parts(&known, &Shape::vector(8), &places, &catalogue);
            assert!(parts.streams[0].sentence.contains(line), "{parts:?}");
            let sentence = &answer.streams.first().expect("it is drawn").sentence;
            assert!(sentence.contains(line) && sentence.contains(from), "{sentence}");
            assert!(of(seed + 1).streams.is_empty());
        }
    }

    /// `(torch.randn(32) * 0.0417).bfloat16()` after `torch.manual_seed(42)`: the normals are those of f32, and not nearly those that
    /// PyTorch draws in bf16.
    #[test]
    fn halves_that_were_rounded_are_told_as_drawn_in_f32() {
        let rounded =
            |normal: f32| Scalar::from_decimal(Dtype::Bf16, &(normal * 0.0417).to_string()).unwrap();
        let bytes: Vec<u8> = NORMALS
            .into_iter()
            .flat_map(|normal| rounded(normal).to_le_bytes())
            .collect();
        let array = Tensor::new(Dtype::Bf16, Shape::vector(32), bytes).unwrap();
        let answer = who_drew(&Sought::new(array, 42, 0), &Catalogue::new(Limits::default()));
        let stream = &answer.streams[0];
        assert_eq!(stream.name, "mt19937 + scaled");
        assert!(
            stream
                .sentence
                .contains("torch.randn has them on a CPU, times 0.04"),
            "{stream:?}"
        );
    }
}
