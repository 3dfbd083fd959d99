//! Whole numbers that are chosen without replacement, as `random.sample` of Python and `sample` of R choose them.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::integers::Rule;
use super::linear::dropped;
use super::{Search, Told};
use crate::whois::numbers::{as_f64, orders};
use crate::whois::python::is_set;
use crate::whois::seen::Elements;
use crate::whois::source::Source;

/// The words of a stream from one on, of which each number takes those below a bound.
struct Bounded<'a> {
    words: &'a [u32],
    below: Below,
}

/// How a number below a bound is made of a word.
#[derive(Clone, Copy)]
enum Below {
    /// Again until it is below it.
    Again(&'static Rule),
    /// The word times the bound, and its high half: R before 3.6, and its `sample.kind = "Rounding"`.
    Scaled,
}

impl Below {
    /// The ways of a generator, each with the name of its function.
    fn of(source: &Source) -> Vec<(Self, &'static str)> {
        let rule = Rule::of(source).and_then(|rule| Some((Self::Again(rule), rule.chooser?)));
        let scaled = matches!(source, Source::R { .. }).then_some((Self::Scaled, "sample of R before 3.6"));
        rule.into_iter().chain(scaled).collect()
    }

    fn greatest_bound(self) -> u64 {
        match self {
            Self::Again(rule) => rule.greatest_bound(),
            Self::Scaled => u32::MAX.into(),
        }
    }

    fn number(self, word: u32, bound: u64) -> u64 {
        match self {
            Self::Again(rule) => rule.number_below(word, bound),
            Self::Scaled => (u64::from(word) * bound) >> 32,
        }
    }
}

impl Bounded<'_> {
    /// A number below a bound; `None` after the last word.
    fn below(&mut self, bound: u64) -> Option<u64> {
        loop {
            let (&word, rest) = self.words.split_first()?;
            self.words = rest;
            let number = self.below.number(word, bound);
            if number < bound {
                return Some(number);
            }
        }
    }

    /// Whether one call chooses these values from `all` numbers in this order. R and Python exchange each chosen number for the last
    /// one that is left; Python draws one of many again if it was chosen before.
    fn chooses(&mut self, all: u64, is_drawn_again: bool, values: impl Iterator<Item = u64>) -> bool {
        let (mut left, mut moved, mut taken) = (all, HashMap::new(), HashSet::new());
        for value in values {
            let number = if is_drawn_again {
                loop {
                    match self.below(all) {
                        Some(number) if taken.insert(number) => break Some(number),
                        Some(_) => {}
                        None => break None,
                    }
                }
            } else {
                self.below(left).map(|place| {
                    left -= 1;
                    let last = moved.get(&left).copied().unwrap_or(left);
                    moved.insert(place, last).unwrap_or(place)
                })
            };
            if number != Some(value) {
                return false;
            }
        }
        true
    }
}

impl Search<'_> {
    /// Numbers that are chosen without replacement from those that begin with 0 or 1, at these places of a stream. How many there are
    /// is not known, and calls of as many each may follow one another.
    pub(super) fn chosen(&mut self, places: Range<usize>) {
        /// The most bounds beyond the greatest number that are tried. Of ten choices the greatest is seldom below half of all.
        const BOUNDS: u64 = 1 << 8;
        /// The most calls. People paste a few draws of a lottery; each number of calls multiplies the attempts.
        const CALLS: usize = 8;
        let Elements::Wholes(values) = &self.seen.elements else {
            return;
        };
        let n = values.len();
        let Some((&least, &most)) = values.iter().min().zip(values.iter().max()) else {
            return;
        };
        if least < 0 || self.sought.asked.is_some() {
            return;
        }
        let is_choice = |call: &[i128]| call.iter().collect::<HashSet<_>>().len() == call.len();
        let each = (1..=CALLS)
            .filter(|calls| n.is_multiple_of(*calls))
            .map(|calls| n / calls);
        // Two distinct numbers say little, and their order is chance as often as not.
        let each = each.filter(|&each| each > 2 && values.chunks(each).all(is_choice));
        let kinds: Vec<(usize, i128)> = each
            .flat_map(|each| [(each, 0), (each, 1)])
            .filter(|(_, first)| *first <= least)
            .collect();
        let sources = self.sources.clone();
        let ways = sources
            .iter()
            .flat_map(|named| Below::of(&named.source).into_iter().map(move |way| (named, way)));
        for (named, (way, function)) in ways {
            let words = named.source.words(0, places.end + 4 * n + 64, 1);
            for &(each, first) in &kinds {
                let Ok(span) = u64::try_from(most - first + 1) else {
                    continue;
                };
                // R makes greater numbers of two words.
                let bounds = span..=span.saturating_add(span.min(BOUNDS)).min(way.greatest_bound());
                self.attempts +=
                    as_f64(places.len()) * as_f64(usize::try_from(span.min(BOUNDS)).unwrap_or(1) + 1);
                let found = places.clone().find_map(|at| {
                    let chooses = |all: &u64| {
                        let is_drawn_again =
                            matches!(named.source, Source::Python { .. }) && is_set(each, *all);
                        let mut bounded = Bounded {
                            words: &words[at..],
                            below: way,
                        };
                        values.chunks(each).all(|call| {
                            let call = call.iter().filter_map(|value| u64::try_from(value - first).ok());
                            bounded.chooses(*all, is_drawn_again, call)
                        })
                    };
                    // Bounds that draw the same numbers again are not told apart.
                    let mut all = bounds.clone().filter(chooses);
                    let fewest = all.next()?;
                    Some((at, fewest, all.next_back().unwrap_or(fewest)))
                });
                let Some((at, fewest, most)) = found else { continue };
                let of = usize::try_from(fewest).unwrap_or(usize::MAX);
                let bits = as_f64(n / each) * orders(of, each);
                let [fewest, most] = [fewest, most].map(|all| i128::from(all) - 1 + first);
                let to = if fewest == most {
                    fewest.to_string()
                } else {
                    format!("a number from {fewest} to {most}")
                };
                let calls = if each < n {
                    format!(" in each of {} calls", n / each)
                } else {
                    String::new()
                };
                let what = format!(
                    "{each} of the whole numbers from {first} to {to}{calls}, as {function} chooses them"
                );
                self.keep_told(Told {
                    rest: dropped(at, 0),
                    ..Told::of(named, " + chosen", what, bits, 2 + usize::from(at > 0))
                });
                // Where nothing was chosen twice, other numbers may have been drawn of the same words.
                if let Below::Again(rule) = way
                    && let Some(run) =
                        (1..=rule.most).find_map(|bits| rule.run(&words, at, bits, u64::MAX, values))
                {
                    self.keep_run(named, rule, &run, at > 0);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use seedproof_ops::Tensor;

    use super::super::of_stages;
    use crate::whois::sought::Sought;

    fn said(seed: u64, values: &[i64]) -> Option<String> {
        let sought = Sought::new(Tensor::vector(values), seed, 0);
        let found = of_stages(&sought, &[], &[&|search| search.chosen(0..1024)]);
        found.into_iter().next().map(|stream| stream.sentence)
    }

    /// CPython 3.11 and R 4.2.
    #[test]
    fn choices_without_replacement_are_named() {
        let draws: &[(u64, &[i64], &str)] = &[
            (
                7,
                &[41, 19, 50, 83, 6, 9, 68, 12, 46, 74, 7, 64],
                "as random.sample of Python chooses them",
            ),
            // After three numbers of `random.random()`, and from a thousand, where a set is kept.
            (
                5,
                &[
                    965, 861, 757, 667, 944, 542, 29, 860, 476, 794, 255, 664, 53, 922, 160,
                ],
                "6 words are dropped",
            ),
            // The third choice of nine.
            (
                3,
                &[71, 61, 51, 82, 20, 30, 67, 50, 2],
                "9 of the whole numbers from",
            ),
            (
                123,
                &[57, 92, 9, 93, 72, 26, 7, 42, 98, 83],
                "20 words are dropped",
            ),
            (
                7,
                &[
                    10, 19, 7, 2, 15, 20, 6, 8, 13, 3, 12, 16, 14, 18, 11, 17, 4, 9, 5, 1,
                ],
                "to 20, as sample of R",
            ),
            // Two draws of a lottery, after `random.shuffle` of 52 cards.
            (
                2023,
                &[39, 41, 12, 35, 14, 19, 18, 41, 46, 8, 37, 4],
                "6 of the whole numbers from 1 to a number from 48 to 52 in each of 2 calls",
            ),
            (
                123,
                &[31, 79, 51, 14, 67, 42, 50, 43, 97, 25],
                "as sample of R chooses them",
            ),
            // `sample.kind = "Rounding"`, the second after three numbers of `runif`.
            (
                42,
                &[92, 93, 29, 81, 62, 50, 70, 13, 61, 65],
                "as sample of R before 3.6",
            ),
            (
                7,
                &[4, 13, 40, 17, 47, 8, 22, 48, 11, 34, 5, 19],
                "3 words are dropped",
            ),
        ];
        for (seed, values, part) in draws {
            let said = said(*seed, values).unwrap_or_default();
            assert!(said.contains(part), "{part}: {said}");
        }
        let (seed, values, _) = &draws[0];
        assert_eq!(said(seed + 1, values), None);
        let mut changed = values.to_vec();
        changed.swap(3, 4);
        assert_eq!(said(*seed, &changed), None);
        // A choice among nearly all numbers of 64 bits.
        let wide = Tensor::vector(&[u64::MAX - 1, 5, 7, 1 << 63, 99]);
        assert!(of_stages(&Sought::new(wide, 7, 0), &[], &[&|search| search.chosen(0..4)]).is_empty());
    }
}
