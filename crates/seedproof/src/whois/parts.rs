//! The search for an array of which only some elements are known, such as those that a printed text shows.

use seedproof_ops::{AttributeValue, Scalar, Shape, Tensor};

use super::answer::{Answer, Draw};
use super::cards::CARDS;
use super::compared::Compared;
use super::evidence::is_certain;
use super::requests::wholes;
use super::scaled::scaled_of;
use super::sought::{Known, Sought};
use super::streams::streams_of_parts;
use super::who::{later_calls_of, readings_of, unless_by_chance};
use crate::catalogue::Catalogue;

/// The most elements of an array that is asked about in parts.
pub const MOST_ELEMENTS: usize = 1 << 24;

/// The most elements of an array that is looked for in streams.
const MOST_IN_STREAMS: usize = 1 << 20;

/// The most elements where none of the first is known, which exclude nearly every candidate before it draws an array whole. Of
/// longer arrays only PyTorch's draws on graphics cards are tried: their ends tell the cards apart.
const MOST_WITHOUT_FIRST: usize = 1 << 14;

/// How near to the beginning of an array an element must be to be among its first ones: behind one row of a usual width that is
/// zero. Each candidate draws all that comes before it.
const NEAR: usize = 1 << 10;

/// The answer for the elements that are known.
pub(super) fn of_parts(known: &Sought, shape: &Shape, places: &[usize], catalogue: &Catalogue) -> Answer {
    let compared = Compared {
        sought: known,
        places: Some(places),
        count: shape.count(),
    };
    let mut best = Answer::none(known);
    let mut attempts = 0;
    for actual in [repeated(known, shape), ordered(known, shape, places)]
        .into_iter()
        .flatten()
    {
        let whole = Sought {
            actual,
            within: None,
            ..known.clone()
        };
        let steps: [fn(&Sought, &Compared<'_>, &Catalogue) -> Answer; 4] =
            [readings_of, later_calls_of, scaled_of, on_cards];
        let is_end = places[0] >= NEAR && shape.count() > MOST_WITHOUT_FIRST;
        for step in &steps[if is_end { 3 } else { 0 }..] {
            let mut answer = step(&whole, &compared, catalogue);
            attempts += answer.attempts;
            // The steps before were attempts too.
            answer.certain &= is_certain(known, 0, &answer.draws, attempts);
            if answer.word() == "named" || best.draws.is_empty() {
                best = answer;
            }
            if best.word() == "named" {
                return Answer { attempts, ..best };
            }
        }
    }
    best = unless_by_chance(best, known, catalogue);
    if shape.count() <= MOST_IN_STREAMS {
        let streams = streams_of_parts(known, places, shape.count());
        // A stream is certain, and what the requests before draw is not.
        if !streams.is_empty() {
            best = Answer {
                streams,
                ..Answer::none(known)
            };
        }
    }
    Answer { attempts, ..best }
}

/// An array that repeats the elements that are known, which suggest the bounds of its draw.
fn repeated(known: &Sought, shape: &Shape) -> Option<Tensor> {
    let dtype = known.actual.dtype();
    let bytes = known.actual.bytes().iter().copied().cycle();
    let bytes: Vec<u8> = bytes.take(shape.count() * dtype.size()).collect();
    Tensor::new(dtype, shape.clone(), bytes).ok()
}

/// An order of the numbers from 0 with the elements that are known, if these may be of one.
fn ordered(known: &Sought, shape: &Shape, places: &[usize]) -> Option<Tensor> {
    let dtype = known.actual.dtype();
    if dtype.is_float() || shape.dims().len() != 1 {
        return None;
    }
    let mut is_free = vec![true; shape.count()];
    let mut numbers = vec![None; shape.count()];
    for (place, scalar) in places.iter().zip(known.actual.scalars()) {
        let number = usize::try_from(scalar.to_i128()).ok()?;
        let free = is_free.get_mut(number).filter(|free| **free)?;
        *free = false;
        numbers[*place] = Some(number);
    }
    let mut others = (0..shape.count()).filter(|number| is_free[*number]);
    let numbers = numbers
        .into_iter()
        .map(|number| number.or_else(|| others.next()))
        .collect::<Option<Vec<usize>>>()?;
    wholes(dtype, shape, numbers)
}

/// What PyTorch draws on each card. A draw that is alike on several is that of the first, with the names of all.
fn on_cards(whole: &Sought, compared: &Compared<'_>, catalogue: &Catalogue) -> Answer {
    let mut best = Answer::none(compared.sought);
    // `normal_` has usual parameters, and the bounds of `uniform_` are doubles whatever its elements are.
    let bound = |value: f64| Known::Input(Tensor::scalar(value));
    let unit = [("from", bound(0.0)), ("to", bound(1.0))];
    for more in [Vec::new(), unit.into()] {
        let mut draws: Vec<Draw> = Vec::new();
        for card in &CARDS {
            let number = |value: u32| Known::Attribute(AttributeValue::Number(value.into()));
            let geometry = [
                ("offset", number(0)),
                ("multiprocessors", number(card.multiprocessors)),
                (
                    "threads_per_multiprocessor",
                    number(card.threads_per_multiprocessor),
                ),
            ];
            let known = geometry.into_iter().chain(more.iter().cloned());
            let dtype = whole.actual.dtype();
            let question = Sought {
                known: known.map(|(name, known)| (name.to_owned(), known)).collect(),
                // No bounds are chosen to fit the elements.
                range: Scalar::from_decimal(dtype, "0").zip(Scalar::from_decimal(dtype, "1")),
                ..whole.clone()
            };
            let answer = readings_of(&question, compared, catalogue);
            best.attempts += answer.attempts;
            best.certain |= answer.certain;
            for draw in answer.draws {
                let is_alike =
                    |other: &&mut Draw| other.request.op() == draw.request.op() && other.names == draw.names;
                match draws
                    .iter_mut()
                    .find(is_alike)
                    .and_then(|other| other.from.as_mut())
                {
                    Some(cards) => cards.push_str(&format!(" and {}", card.name)),
                    None => draws.push(Draw {
                        from: Some(format!("on {}", card.name)),
                        ..draw
                    }),
                }
            }
        }
        best.draws.extend(draws);
    }
    best
}

#[cfg(test)]
mod tests {
    use seedproof_ops::{Limits, Shape, Tensor};

    use crate::catalogue::Catalogue;
    use crate::whois::who_drew_parts;
    use crate::whois::{Answer, Sought};

    /// Numbers of four decimals at these places.
    fn asked(numbers: &[f32], seed: u64, extents: &[u64], places: &[usize]) -> Answer {
        let near = |&x: &f32| [f64::from(x) - 0.5e-4, f64::from(x) + 0.5e-4];
        let known = Sought {
            within: Some(numbers.iter().map(near).collect()),
            ..Sought::new(Tensor::vector(numbers), seed, 0)
        };
        let shape = Shape::new(extents).unwrap();
        who_drew_parts(&known, &shape, places, &Catalogue::new(Limits::default()))
    }

    #[test]
    fn published_draws_on_gpus_are_named_by_their_card() {
        // PyTorch's issue 62467: `torch.randn(1, 3, 128, 128)`, of which `[0, :, 0, 0]` was printed.
        let answer = asked(
            &[1.9983, 0.8704, 2.1127],
            43,
            &[1, 3, 128, 128],
            &[0, 16_384, 32_768],
        );
        assert_eq!(answer.word(), "named", "{answer:?}");
        let cards = answer.draws[0].from.as_deref().unwrap_or_default();
        assert!(cards.starts_with("on a T4 and an RTX 3060"), "{cards}");
        // Issue 158398: `torch.randn(1, 64, 2048)`, the beginnings of the first row and of the last, which depends on the card.
        let numbers = [0.1940, 2.1614, -0.1721, -1.2356, -0.4083, -0.4695];
        let places = [0, 1, 2, 129_024, 129_025, 129_026];
        let answer = asked(&numbers, 42, &[1, 64, 2048], &places);
        let cards: Vec<_> = answer
            .draws
            .iter()
            .filter_map(|draw| draw.from.as_deref())
            .collect();
        assert_eq!((answer.word(), &cards[..]), ("named", &["on an RTX 3060"][..]));
        // Issue 143086: the last three of `torch.randn(1, 9483264)` on an H100.
        let end = [9_483_261, 9_483_262, 9_483_263];
        let answer = asked(&[-0.6970, -0.7780, 0.3267], 1, &[1, 9_483_264], &end);
        let card = answer.draws[0].from.as_deref();
        assert_eq!(card, Some("on an H100 SXM or H200"), "{answer:?}");
        // Those are the elements of no card, or the seed is another.
        let places = [0, 1, 2, 129_023, 129_024, 129_025];
        assert_eq!(asked(&numbers, 42, &[1, 64, 2048], &places).word(), "unknown");
        assert_eq!(asked(&numbers, 41, &[1, 64, 2048], &places).word(), "unknown");
    }

    /// Weights of layers of PyTorch 2.8 and 2.15, of which the first three rows are known as they are printed.
    #[test]
    fn printed_weights_of_layers_are_named() {
        let places = |columns: usize| -> Vec<usize> {
            let ends = [0, 1, 2, columns - 3, columns - 2, columns - 1];
            (0..3)
                .flat_map(|row| ends.map(|end| row * columns + end))
                .collect()
        };
        // `Linear(784, 128)`, whose bounds are the root of 1/784.
        let first = [
            -0.0003, 0.0192, -0.0294, 0.0219, 0.0037, 0.0021, -0.0198, -0.0150, -0.0104, -0.0203, -0.0060,
            -0.0299, -0.0201, 0.0149, -0.0333, -0.0203, 0.0012, 0.0080,
        ];
        // `Linear(256, 64)` after `Linear(784, 256)`.
        let second = [
            0.0455, -0.0142, 0.0416, 0.0335, -0.0613, -0.0522, -0.0536, 0.0371, -0.0489, -0.0181, 0.0212,
            -0.0216, -0.0236, -0.0421, 0.0262, 0.0414, 0.0177, -0.0385,
        ];
        for (numbers, seed, [rows, columns], end) in [
            (first, 0, [128, 784], "in [-0.0357, 0.0357)"),
            (
                second,
                1,
                [64, 256],
                "in [-0.0625, 0.0624); 200960 words are dropped before the first element",
            ),
        ] {
            let places = places(usize::try_from(columns).unwrap());
            let streams = asked(&numbers, seed, &[rows, columns], &places).streams;
            let sentence = &streams.first().expect("it is drawn").sentence;
            assert!(sentence.ends_with(end), "{sentence}");
        }
        // Another seed.
        assert!(asked(&first, 1, &[128, 784], &places(784)).streams.is_empty());
    }

    #[test]
    fn a_few_known_elements_tell_a_permutation_and_chance_is_not_named() {
        // `torch.manual_seed(5); torch.randperm(3000)`.
        let known = Sought::new(Tensor::vector(&[2411_i64, 840, 1609, 224, 1385, 2345]), 5, 0);
        let catalogue = Catalogue::new(Limits::default());
        let shape = Shape::vector(3000);
        let word = |places: &[usize]| who_drew_parts(&known, &shape, places, &catalogue).word();
        assert_eq!(word(&[0, 1, 2, 2997, 2998, 2999]), "named");
        assert_eq!(word(&[0, 1, 2, 2996, 2997, 2998]), "unknown");
        // Places that are not those of the elements.
        for places in [&[0, 1][..], &[0, 1, 2, 3, 4, 3000], &[0, 2, 1, 3, 4, 5], &[]] {
            assert_eq!(word(places), "unknown", "{places:?}");
        }
        // Three numbers of two digits are drawn by chance.
        let few = Sought::new(Tensor::vector(&[3_i64, 41, 17]), 5, 0);
        let answer = who_drew_parts(&few, &Shape::vector(2000), &[0, 1, 2], &catalogue);
        assert_ne!(answer.word(), "named", "{answer:?}");
        // `torch.bernoulli(torch.full((40, 40), 0.5))` of seed 77, whose 36 bits some mistake draws.
        let flips = b"111111010101111000001111011010101101".map(|digit| f32::from(digit - b'0'));
        let ends = |extent: usize| [0, 1, 2, extent - 3, extent - 2, extent - 1];
        let places: Vec<usize> = ends(40)
            .into_iter()
            .flat_map(|row| ends(40).map(|column| 40 * row + column))
            .collect();
        let answer = asked(&flips, 77, &[40, 40], &places);
        assert_eq!((answer.word(), answer.draws.len()), ("unknown", 0));
    }
}
