//! Tokens that a number of the unit interval chooses among the shares of the vocabulary: `numpy.random.choice(n, p=…)`,
//! `random.choices`, `std::discrete_distribution`.

use seedproof_ops::{Dtype, Tensor};

use super::conversion::{Conversion, units};
use super::numbers::{EVIDENCE, as_f64};
use super::sampled::Sampled;
use super::sought::Sought;
use super::source::Named;
use super::sources::sources;
use super::streams::{Stream, dropped};

/// The words before the first token: those of some hundred draws.
const WORDS: usize = 1 << 10;

/// How far a sum of shares in f32 may be from the one that is computed here.
const TOLERANCE: f64 = 1e-6;

/// The order in which the shares are summed up.
#[derive(Clone, Copy)]
enum Order {
    Vocabulary,
    /// As R and servers that keep the most likely tokens have it.
    MostLikelyFirst,
}

impl Order {
    const ALL: [Self; 2] = [Self::Vocabulary, Self::MostLikelyFirst];

    const fn what(self) -> &'static str {
        match self {
            Self::Vocabulary => "",
            Self::MostLikelyFirst => ", the most likely tokens first,",
        }
    }

    /// The least and the greatest number that chooses a token.
    fn ends(self, shares: &[f64], token: usize) -> [f64; 2] {
        let own = shares[token];
        let is_before = |&(place, share): &(usize, &f64)| match self {
            Self::Vocabulary => place < token,
            Self::MostLikelyFirst => *share > own || *share >= own && place < token,
        };
        let before: f64 = shares.iter().enumerate().filter(is_before).map(|it| it.1).sum();
        [before - TOLERANCE, before + own + TOLERANCE]
    }
}

/// The stream whose numbers choose the tokens, of the generators that the seed begins, and the number of attempts. With `later`,
/// others may have been drawn before. `seeds` is the number of seeds of which this is one.
pub(super) fn of_shares(sampled: &Sampled, later: bool, seeds: f64) -> (usize, Option<Stream>) {
    // One row of probabilities at a time: those of a thousand tokens of a large vocabulary take a gigabyte.
    let of_token = |(place, &token): (usize, &u64)| {
        let shares = sampled.shares(place);
        let token = usize::try_from(token).expect("a token is a place in a row");
        Order::ALL.map(|order| order.ends(&shares, token))
    };
    let all: Vec<[[f64; 2]; 2]> = sampled.tokens.iter().enumerate().map(of_token).collect();
    let nothing = Sought::new(Tensor::vector::<f64>(&[]), sampled.seed, sampled.op_seed);
    let mut sources = sources(&nothing, &[]);
    sources.retain(Named::is_own);
    let reach = if later { WORDS } else { 1 };
    let (mut attempts, mut found): (usize, Option<Stream>) = (0, None);
    for (i, order) in Order::ALL.into_iter().enumerate() {
        let ends: Vec<[f64; 2]> = all.iter().map(|ends| ends[i]).collect();
        let bits: f64 = ends.iter().map(|[low, high]| -(high - low).min(1.0).log2()).sum();
        for named in &sources {
            for conversion in units(Dtype::F32) {
                let reach = named.reach(reach);
                attempts += reach;
                let Some(place) = chosen(&ends, named, conversion, reach) else {
                    continue;
                };
                // Of conversions that differ in their last bits the one that is usual with a generator is told.
                let is_usual = conversion.is_usual_with(named.name);
                if let Some(known) = found.as_mut().filter(|_| !is_usual) {
                    known.ties += 1;
                    continue;
                }
                found = Some(Stream {
                    name: format!("{} + shares", named.name),
                    sentence: format!(
                        "{}: {}; each token is the first whose cumulative probability{} exceeds the number{}",
                        named.sentence,
                        conversion.what,
                        order.what(),
                        dropped(place, 0),
                    ),
                    elements: ends.len(),
                    of: ends.len(),
                    is_followed: true,
                    ties: found.map_or(0, |known| known.ties + 1),
                    bits,
                    attempts: 0.0,
                    parameters: 1,
                });
            }
        }
    }
    let needed = EVIDENCE + (as_f64(attempts) * seeds).log2();
    let found = found.filter(|it| it.bits > needed).map(|stream| Stream {
        attempts: as_f64(attempts) * seeds,
        ..stream
    });
    (attempts, found)
}

/// The first place before the word `reach` from which the numbers lie between the ends.
fn chosen(ends: &[[f64; 2]], named: &Named, conversion: &Conversion, reach: usize) -> Option<usize> {
    let each = conversion.words;
    let words = named.source.words(0, reach + ends.len() * each, each);
    (0..reach).find(|&place| {
        let numbers = words[place..]
            .chunks_exact(each)
            .map(|words| conversion.unit(words));
        let mut pairs = ends.iter().zip(numbers);
        pairs.len() == ends.len() && pairs.all(|([low, high], number)| (low..high).contains(&&number))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::whois::SampledWith;

    fn asked(tokens: &[i64], logits: &[f32], seed: u64, later: bool) -> Option<Stream> {
        let with = SampledWith {
            temperature: 1.0,
            seed,
            op_seed: 0,
            position: 0,
        };
        let sampled = Sampled::new(&Tensor::vector(tokens), &Tensor::vector(logits), with).unwrap();
        of_shares(&sampled, later, 1.0).1
    }

    /// NumPy 2.4, CPython 3.11, libstdc++ 12 and R 4.2, with weights `exp((37 i % 23) / 8)` of 24 classes.
    #[test]
    fn tokens_of_shares_are_named_with_their_generator() {
        let logits: Vec<f32> = (0..24_u8).map(|i| f32::from(i) * 37.0 % 23.0 / 8.0).collect();
        let numpy = [13, 8, 5, 3, 18, 11, 4, 20, 8, 11, 8, 16, 13, 14, 8, 8];
        let generator = [18, 18, 13, 8, 2, 9, 11, 1, 1, 23, 16, 6, 11, 22, 21, 19];
        let python = [15, 18, 18, 21, 18, 21, 1, 12, 21, 16, 21, 3, 12, 7, 13, 13];
        let library = [2, 18, 9, 22, 3, 11, 9, 13, 22, 18, 16, 18, 7, 18, 3, 6];
        let r = [13, 1, 7, 8, 18, 1, 16, 9, 15, 18, 8, 16, 8, 11, 8, 13];
        for (tokens, parts) in [
            // After `rand(7)`.
            (
                numpy,
                &["which is NumPy's RandomState", "14 words are dropped"][..],
            ),
            (generator, &["numpy.random.default_rng(5)"]),
            (python, &["random.seed(5) of Python", "RandomState"]),
            (library, &["MT19937 seeded by 5"]),
            (r, &["set.seed(5) of R", "the most likely tokens first"]),
        ] {
            let found = asked(&tokens, &logits, 5, true).expect(parts[0]);
            for part in parts {
                assert!(found.sentence.contains(part), "{part}: {found:?}");
            }
            assert_eq!(asked(&tokens, &logits, 6, true), None);
        }
        // Without what was drawn before it.
        assert_eq!(asked(&numpy, &logits, 5, false), None);
        // A vocabulary of one token, or too few tokens, say nothing.
        assert_eq!(asked(&[0; 9], &[1.0], 5, true), None);
        assert_eq!(asked(&generator[..4], &logits, 5, true), None);
    }
}
