//! Whole numbers of a range that are made by other rules than a remainder: those of `jax.random`, and those of programs that
//! draw again until a number is below a bound.

use std::collections::BTreeSet;

use super::linear::dropped;
use super::{NEAR, Search, Told};
use crate::whois::conversion::{Scale, Way};
use crate::whois::derived::jax_order;
use crate::whois::generator::{halves, jax, jax_split};
use crate::whois::numbers::as_f64;
use crate::whois::seen::{Drawn, Elements};
use crate::whois::source::{Named, Source};
use crate::whois::sources::derived_sources;

/// How a program makes a number of `bits` bits of a word, of which it takes those below a bound.
pub(super) struct Rule {
    /// The name of its function.
    function: &'static str,
    /// The name of the function that chooses without replacement by these numbers.
    pub(super) chooser: Option<&'static str>,
    number: fn(word: u32, bits: u32) -> u32,
    /// The most bits of a number.
    pub(super) most: u32,
    /// Whether the bound itself has as many bits as a number, so that a bound of 8 takes four. Otherwise the greatest number
    /// below it has.
    is_of_bound: bool,
}

/// `_randbelow` of `random.randint`, `randrange` and `choice`.
///
/// Source: `_randbelow_with_getrandbits` in CPython's `Lib/random.py`.
const PYTHON: Rule = Rule {
    function: "random.randrange of Python",
    chooser: Some("random.sample of Python"),
    number: |word, bits| word >> (32 - bits),
    most: 32,
    is_of_bound: true,
};

/// Source: `buffered_bounded_masked_uint32` in NumPy's `random/src/distributions/distributions.c`.
const NUMPY: Rule = Rule {
    function: "numpy.random.randint",
    chooser: None,
    number: |word, bits| word & (u32::MAX >> (32 - bits)),
    // Whole words of which some are refused are told as such.
    most: 31,
    is_of_bound: false,
};

/// `sample` with replacement, since R 3.6.
///
/// Source: `R_unif_index` in R's `src/main/RNG.c`.
const R: Rule = Rule {
    function: "sample of R",
    chooser: Some("sample of R"),
    number: |word, bits| word >> 16 & (u32::MAX >> (32 - bits)),
    most: 16,
    is_of_bound: false,
};

impl Rule {
    pub(super) fn of(source: &Source) -> Option<&'static Self> {
        match source {
            Source::Python { .. } => Some(&PYTHON),
            Source::Mt { .. } => Some(&NUMPY),
            Source::R { .. } => Some(&R),
            _ => None,
        }
    }

    /// The greatest bound of numbers of one word.
    pub(super) fn greatest_bound(&self) -> u64 {
        (1 << self.most) - u64::from(self.is_of_bound)
    }

    /// The number that is made of a word for a bound. It is drawn again if it is not below the bound.
    pub(super) fn number_below(&self, word: u32, bound: u64) -> u64 {
        let greatest = if self.is_of_bound { bound } else { bound - 1 };
        match u64::BITS - greatest.leading_zeros() {
            0 => 0,
            bits => (self.number)(word, bits).into(),
        }
    }

    /// The bounds that take numbers of these bits: the least and the greatest one.
    fn bounds(&self, bits: u32) -> [u64; 2] {
        let least = 1_u64 << (bits - 1);
        if self.is_of_bound {
            [least, 2 * least - 1]
        } else {
            [least + 1, 2 * least]
        }
    }
}

/// Numbers that a rule draws.
pub(super) struct Run {
    least: i128,
    /// The least and the greatest bound that draw them.
    bounds: [u64; 2],
    /// The word with the first number.
    word: usize,
}

impl Rule {
    /// Whether these words from `at` on draw the elements, where the first of them is taken. `skipped` is the least number
    /// before, of those that were drawn again.
    pub(super) fn run(
        &self,
        words: &[u32],
        at: usize,
        bits: u32,
        skipped: u64,
        values: &[i128],
    ) -> Option<Run> {
        let number = |word: u32| u64::from((self.number)(word, bits));
        let [mut least_bound, mut most_bound] = self.bounds(bits);
        most_bound = most_bound.min(skipped);
        let least = values[0] - i128::from(number(words[at]));
        let mut left = values.iter();
        let mut next = left.next();
        for &word in &words[at..] {
            let Some(&value) = next else { break };
            let number = number(word);
            if least + i128::from(number) == value {
                least_bound = least_bound.max(number + 1);
                next = left.next();
            } else {
                most_bound = most_bound.min(number);
            }
            if least_bound > most_bound {
                return None;
            }
        }
        next.is_none().then_some(Run {
            least,
            bounds: [least_bound, most_bound],
            word: at,
        })
    }
}

impl Search<'_> {
    /// Whole numbers of programs that draw again until a number is below a bound: at the beginning of a stream or, with
    /// `is_later`, after other draws. Neither bound needs to be known: the first element tells the lower one, and what was
    /// drawn again limits the upper one.
    pub(super) fn drawn_again(&mut self, is_later: bool) {
        /// The words before the first number that may have been drawn again, where at most every second one is.
        const AGAIN: usize = 32;
        let Elements::Wholes(values) = &self.seen.elements else {
            return;
        };
        if values.is_empty() || self.sought.asked.is_some() {
            return;
        }
        let n = values.len();
        let mut sources = self.sources.clone();
        if !is_later {
            sources.extend(derived_sources(self.sought));
        }
        for named in sources {
            let Some(rule) = Rule::of(&named.source) else {
                continue;
            };
            let places = if is_later { 1..named.reach(NEAR) } else { 0..AGAIN };
            // A number takes two words on average, and four times as many hardly ever.
            let words = named.source.words(0, places.end + 4 * n + 64, 1);
            for bits in 1..=rule.most {
                self.attempts += as_f64(places.len());
                let mut again = u64::MAX;
                let run = places.clone().find_map(|at| {
                    let run = rule.run(&words, at, bits, again, values);
                    if !is_later {
                        again = again.min((rule.number)(words[at], bits).into());
                    }
                    run
                });
                if let Some(run) = run {
                    self.keep_run(&named, rule, &run, is_later);
                }
            }
        }
    }

    pub(super) fn keep_run(&mut self, named: &Named, rule: &Rule, run: &Run, is_later: bool) {
        let [least, most] = run.bounds.map(|bound| run.least + i128::from(bound) - 1);
        let to = if least == most {
            least.to_string()
        } else {
            format!("a number from {least} to {most}")
        };
        #[expect(clippy::cast_precision_loss, reason = "a bound of at most 32 bits")]
        let each = self.seen.bits(run.bounds[0] as f64, 32.0);
        // The first element tells the lower bound, and another one the upper.
        let bits = each * as_f64(self.seen.count().saturating_sub(2));
        let later = if is_later {
            dropped(run.word, 0)
        } else {
            String::new()
        };
        let what = format!(
            "whole numbers from {} to {to}, as {} draws them",
            run.least, rule.function
        );
        self.keep_told(Told {
            rest: later,
            ..Told::of(named, " + drawn again", what, bits, 2 + usize::from(is_later))
        });
    }

    /// `jax.random.randint`, which splits its key and draws two words for each element.
    pub(super) fn jax_integers(&mut self) {
        let [low, high] = halves(self.sought.seed);
        let of = format!(" with key({})", self.sought.seed);
        let ranges = self.ranges();
        for is_partitionable in [true, false] {
            self.integers_of([high, low], is_partitionable, &ranges, &|| of.clone());
        }
    }

    /// The lower bounds and the sizes of the ranges that the elements suggest.
    pub(super) fn ranges(&self) -> BTreeSet<(i128, u32)> {
        let of = |way: &Way| match way.scale {
            Scale::Remainder { low, range } => Some((low, u32::try_from(range).ok()?)),
            _ => None,
        };
        self.ways.iter().filter_map(of).collect()
    }

    /// The whole numbers of `jax.random.randint` with a key, which `of` names.
    pub(super) fn integers_of(
        &mut self,
        key: [u32; 2],
        is_partitionable: bool,
        ranges: &BTreeSet<(i128, u32)>,
        of: &dyn Fn() -> String,
    ) {
        if !ranges.is_empty() {
            let n = self.seen.count();
            let keys = jax_split(key, is_partitionable);
            let drawn = |count: usize| keys.map(|key| jax(key, is_partitionable, count));
            // In the order before the partitionable one, every word depends on their number, so that all are drawn.
            let short = drawn(if is_partitionable { n.min(8) } else { n });
            for &(least, span) in ranges {
                self.attempts += 1.0;
                // JAX computes 2^32 modulo the range in words of 32 bits: the square of 2^16 modulo the range. Above
                // 2^16 that wraps to zero, and the upper word does not count.
                let factor = 65_536 % span;
                let factor = factor.wrapping_mul(factor) % span;
                let value = |upper: u32, lower: u32| {
                    let sum = (upper % span).wrapping_mul(factor).wrapping_add(lower % span);
                    Drawn::Whole(least + i128::from(sum % span))
                };
                let gives = |[upper, lower]: &[Vec<u32>; 2]| {
                    let mut pairs = upper.iter().zip(lower).enumerate();
                    pairs.all(|(i, (&upper, &lower))| self.seen.is(i, value(upper, lower)))
                };
                if !gives(&short) || is_partitionable && !gives(&drawn(n)) {
                    continue;
                }
                let order = jax_order(is_partitionable);
                let source = format!(
                    "jax.random.randint{} in [{least}, {}){order}",
                    of(),
                    least + i128::from(span)
                );
                let bits = self.seen.bits(f64::from(span), 32.0) * as_f64(n);
                self.keep_told(Told {
                    name: "jax.random.randint".to_owned(),
                    source,
                    what: String::new(),
                    rest: String::new(),
                    is_usual: false,
                    bits,
                    parameters: 0,
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use seedproof_ops::Tensor;

    use crate::whois::streams::of_stages;
    use crate::whois::{Sought, Stream};

    fn named(numbers: &[i64], seed: u64) -> Option<Stream> {
        let sought = Sought::new(Tensor::vector(numbers), seed, 0);
        let found = of_stages(
            &sought,
            &[],
            &[&|search| search.drawn_again(false), &|search| {
                search.drawn_again(true);
            }],
        );
        found.into_iter().next()
    }

    /// Seeds, numbers, and the end of the sentence that names them.
    type Drawn = (u64, &'static [i64], &'static str);

    const DRAWN: [Drawn; 4] = [
        // `random.randint(1, 100)` of CPython 3.11, twenty times.
        (
            42,
            &[
                82, 15, 4, 95, 36, 32, 29, 18, 95, 14, 87, 95, 70, 12, 76, 55, 5, 4, 12, 28,
            ],
            "from 1 to a number from 95 to 114, as random.randrange of Python draws them",
        ),
        // `random.randint(-50, 50)` after ten calls of `random.random()`.
        (
            3,
            &[
                41, 10, 19, 20, 10, 0, 31, -31, -21, 31, -31, 16, -1, 44, -49, 35, 49, -42, -30, 47, 25, -45,
                -12, 49, -47,
            ],
            "as random.randrange of Python draws them; 21 words are dropped before the first element",
        ),
        // `numpy.random.randint(18, 65, 25)` of NumPy 2.4 after `numpy.random.randn(3)`.
        (
            4,
            &[
                57, 63, 48, 58, 54, 62, 56, 60, 21, 18, 39, 39, 27, 56, 56, 20, 64, 48, 26, 20, 41, 50, 58,
                60, 63,
            ],
            "from 18 to a number from 64 to 66, as numpy.random.randint draws them; 12 words are dropped before the \
             first element",
        ),
        // `set.seed(123); sample(1:100, 20, replace = TRUE)` of R, as tutorials print it.
        (
            123,
            &[
                31, 79, 51, 14, 67, 42, 50, 43, 14, 25, 90, 91, 69, 91, 57, 92, 9, 93, 99, 72,
            ],
            "from 1 to a number from 99 to 100, as sample of R draws them",
        ),
    ];

    #[test]
    fn numbers_below_a_bound_are_named_without_it() {
        for (seed, numbers, end) in DRAWN {
            let sentence = named(numbers, seed).expect("they are drawn").sentence;
            assert!(sentence.ends_with(end), "{sentence}");
            // Another seed, and one number that is off by one.
            assert_eq!(named(numbers, seed + 1), None);
            let mut changed = numbers.to_vec();
            changed[numbers.len() / 2] += 1;
            assert_eq!(named(&changed, seed), None);
        }
        assert_eq!(named(&[], 42), None);
        // Numbers of one digit are drawn by chance.
        assert_eq!(named(&[3, 3, 10, 2, 6], 123), None);
    }
}
