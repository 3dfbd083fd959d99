//! Generators with the keys and seeds from which an array may have been drawn.

use std::collections::BTreeSet;

use seedproof_ops::{Dtype, Limits, NumpyBitGenerator, NumpyIntegers, Request};

use super::generator::{High, halves, jax, joined, philox, threefry};
use super::sought::Sought;
use super::twister::Mt;

/// The seeds that programs use when they were given none.
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
    /// MT19937 as Python's `random.seed` begins it, with the halves of the seed.
    Python {
        seed: u64,
    },
    /// The low and the high half of each number of `numpy.random.default_rng`.
    Numpy {
        seed: u64,
    },
    /// Words that the caller computed.
    Given(Vec<u32>),
}

impl Source {
    /// Philox without a slip.
    pub(super) const fn philox(key: u64, counter: u128) -> Self {
        Self::Philox {
            key,
            counter,
            high: High::Whole,
        }
    }

    /// MT19937 without a slip.
    pub(super) fn mt(seed: u32) -> Self {
        Self::Mt {
            seed,
            mt: Mt::default(),
        }
    }

    /// `count` words from the index `from` on, for elements of `each` words.
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
            Self::Python { seed } => {
                let [low, high] = halves(*seed);
                let list = if high == 0 { &[low][..] } else { &[low, high] };
                Mt::default().words_of_list(list, from + count).split_off(from)
            }
            Self::Numpy { seed } => numpy_words(*seed, from + count).split_off(from),
            Self::Given(words) => words.iter().skip(from).take(count).copied().collect(),
        }
    }

    /// Whether an array may begin at a later place of the stream. JAX draws each array from a key of its own, from the
    /// first word on.
    pub(super) const fn is_sequence(&self) -> bool {
        !matches!(self, Self::Jax { .. })
    }

    /// Whether programs draw much from it before the array that is asked about, as they do from the generators of frameworks.
    pub(super) const fn is_long(&self) -> bool {
        matches!(self, Self::Mt { .. } | Self::Philox { .. } | Self::Given(_))
    }
}

/// The words of elements of one or two words. The first of two words is the high one.
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

/// The halves of NumPy's numbers of 64 bits, which the op of its integers passes on where the range is whole.
fn numpy_words(seed: u64, count: usize) -> Vec<u32> {
    let request = Request::NumpyIntegers(NumpyIntegers {
        bit_generator: NumpyBitGenerator::Pcg64.into(),
        seed: seed.into(),
        output_type: Dtype::U64.into(),
        output_sizes: vec![u64::try_from(count.div_ceil(2)).unwrap_or(u64::MAX)],
        low: 0,
        high: 1 << 64,
        execution: 0,
    });
    let drawn = seedproof_reference::run(&request, &Limits::default(), 0);
    let numbers = drawn.iter().flat_map(|answer| answer.output.scalars());
    let mut words: Vec<u32> = numbers.flat_map(|number| halves(number.bits())).collect();
    words.truncate(count);
    words
}

/// A source with its name and sentence.
#[derive(Clone)]
pub(super) struct Named {
    pub(super) source: Source,
    pub(super) name: &'static str,
    pub(super) sentence: String,
    /// Whether it has the seed that was given. Otherwise it has another one that the program may have taken.
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
        // A program may pass the seed through 32 bits, or order its halves as on a machine of the other byte order.
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
            // Beside TensorFlow's default graph seed, the seed that was given is the op's own.
            let second = if is_own { sought.op_seed } else { sought.seed };
            // TensorFlow and OpenVINO put the second seed into the high half of the counter. Other programs count from
            // zero, or from the number that they were given.
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
            all.push(Named {
                source: Source::Python { seed },
                name: "python",
                sentence: format!("MT19937 after random.seed({seed}) of Python"),
                is_own,
            });
            all.push(Named {
                source: Source::Numpy { seed },
                name: "numpy.random.default_rng",
                sentence: format!("numpy.random.default_rng({seed})"),
                is_own,
            });
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
