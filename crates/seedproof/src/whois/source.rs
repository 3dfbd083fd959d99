//! Generators with the keys and seeds that an array may be drawn from.

use std::collections::BTreeSet;

use super::generator::{High, halves, jax, joined, philox, threefry};
use super::sought::Sought;
use super::twister::Mt;

/// Seeds that programs have when they were given none.
const DEFAULTS: [(u64, &str); 3] = [
    (5489, "the default seed of std::mt19937"),
    (
        67_280_421_310_721,
        "PyTorch's default seed, so that the seed was never applied",
    ),
    (
        87_654_321,
        "the graph seed that TensorFlow takes where there is none",
    ),
];

/// A generator with its key.
#[derive(Clone)]
pub(super) enum Source {
    Philox {
        key: u64,
        counter: u128,
        high: High,
    },
    Mt {
        seed: u32,
        mt: Mt,
    },
    Jax {
        key: u64,
        is_partitionable: bool,
    },
    /// Words that are known.
    Given(Vec<u32>),
}

impl Source {
    /// The right blocks of a key from a counter on.
    pub(super) const fn philox(key: u64, counter: u128) -> Self {
        Self::Philox {
            key,
            counter,
            high: High::Whole,
        }
    }

    /// The right words of a seed.
    pub(super) fn mt(seed: u32) -> Self {
        Self::Mt {
            seed,
            mt: Mt::default(),
        }
    }

    /// `count` words from a place on, of an array of so many elements.
    pub(super) fn words(&self, from: usize, count: usize, each: usize) -> Vec<u32> {
        match self {
            Self::Philox { key, counter, high } => {
                let first = from / 4;
                let blocks = (first..).take((from + count).div_ceil(4) - first);
                let at = |block: usize| counter.wrapping_add(u128::try_from(block).unwrap_or(0));
                let words: Vec<u32> = blocks.flat_map(|block| philox(*high, *key, at(block))).collect();
                words[from - 4 * first..].iter().take(count).copied().collect()
            }
            Self::Mt { seed, mt } => mt.words(*seed, from + count).split_off(from),
            Self::Jax {
                key,
                is_partitionable,
            } => {
                let [low, high] = halves(*key);
                jax_words([high, low], *is_partitionable, from + count, each).split_off(from)
            }
            Self::Given(words) => words.iter().skip(from).take(count).copied().collect(),
        }
    }

    /// Whether a place further on in it means anything.
    pub(super) const fn is_sequence(&self) -> bool {
        !matches!(self, Self::Jax { .. })
    }
}

/// The words of elements of one word or of two each, of which the first is the high one.
fn jax_words(key: [u32; 2], is_partitionable: bool, count: usize, each: usize) -> Vec<u32> {
    match (each, is_partitionable) {
        (1, _) => jax(key, is_partitionable, count),
        (_, true) => {
            let blocks = (0..).take(count.div_ceil(2)).flat_map(|i| threefry(key, [0, i]));
            blocks.take(count).collect()
        }
        (_, false) => {
            let words = jax(key, false, count);
            let (high, low) = words.split_at(count / 2);
            high.iter()
                .zip(low)
                .flat_map(|(&high, &low)| [high, low])
                .collect()
        }
    }
}

/// A source and what is said of it.
#[derive(Clone)]
pub(super) struct Named {
    pub(super) source: Source,
    pub(super) name: &'static str,
    pub(super) sentence: String,
    /// Whether it is of the seed that was given, and not of another that a program may have taken.
    pub(super) is_own: bool,
}

/// The streams of the seeds that are known, and of those that a program may have taken.
pub(super) fn sources(sought: &Sought, given: &[Vec<u32>]) -> Vec<Named> {
    let mut all = Vec::new();
    for words in given {
        all.push(Named {
            source: Source::Given(words.clone()),
            name: "conversion",
            sentence: "the words of the request".to_owned(),
            is_own: true,
        });
    }
    let own = (sought.seed, "");
    let others = DEFAULTS.into_iter().filter(|(seed, _)| *seed != sought.seed);
    for (seed, whose) in std::iter::once(own).chain(others) {
        let is_own = whose.is_empty();
        let note = if is_own {
            String::new()
        } else {
            format!(", {whose}")
        };
        let [low, high] = halves(seed);
        let cut = if high == 0 {
            ""
        } else {
            ", of which the low 32 bits are taken"
        };
        all.push(Named {
            source: Source::Mt {
                seed: low,
                mt: Mt::default(),
            },
            name: "mt19937",
            sentence: format!("MT19937 seeded by {seed}{cut}{note}"),
            is_own,
        });
        let mut keys = vec![(seed, String::new())];
        if is_own && high != 0 {
            keys.push((u64::from(low), ", the low half of the seed".to_owned()));
            keys.push((u64::from(high), ", the high half of the seed".to_owned()));
            keys.push((
                joined([high, low]),
                ", the halves of the seed exchanged".to_owned(),
            ));
        }
        for (key, what) in keys {
            // A default graph seed stands beside the op's own.
            let second = if is_own { sought.op_seed } else { sought.seed };
            let mut counters = BTreeSet::from([u128::from(second) << 64]);
            if is_own && what.is_empty() {
                counters.extend([0, u128::from(second)]);
            }
            for counter in counters {
                let of = if counter == 0 {
                    String::new()
                } else {
                    format!(", counter {counter:#x}")
                };
                all.push(Named {
                    source: Source::Philox {
                        key,
                        counter,
                        high: High::Whole,
                    },
                    name: "philox4x32-10",
                    sentence: format!("Philox4x32-10 of key {key:#x}{what}{of}{note}"),
                    is_own: is_own && what.is_empty(),
                });
            }
        }
        if is_own {
            for (is_partitionable, order) in [
                (true, ""),
                (false, ", in the order before jax_threefry_partitionable"),
            ] {
                all.push(Named {
                    source: Source::Jax {
                        key: seed,
                        is_partitionable,
                    },
                    name: "jax.random",
                    sentence: format!("jax.random with key({seed}){order}"),
                    is_own,
                });
            }
        }
    }
    all
}
