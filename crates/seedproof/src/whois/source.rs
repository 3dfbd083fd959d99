//! Generators with the keys and seeds from which an array may have been drawn.

use std::collections::BTreeSet;

use seedproof_report::plural;

use super::derived::{eager_op_seeds, jax_keys, keras_seeds, stateless, stateless_calls};
use super::generator::{
    High, halves, jax, jax_keys_of_split, jax_split, joined, number, numpy, philox, threefry,
};
use super::numbers::written;
use super::python;
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
    /// Rows of this many words, each drawn from a key of its own, as `jax.vmap` draws them.
    JaxRows {
        keys: Vec<[u32; 2]>,
        row: usize,
        is_partitionable: bool,
    },
    /// MT19937 as Python's `random.seed` begins it, with the halves of the seed.
    Python {
        seed: u64,
    },
    /// MT19937 as R's `set.seed` begins it, with the low half of the seed.
    R {
        seed: u32,
    },
    /// The low and the high half of each number of `numpy.random.default_rng` with these words of entropy.
    Numpy {
        entropy: Vec<u32>,
    },
    /// The first words of the blocks of Philox, one for each element of `tl.rand`.
    Triton {
        key: u64,
    },
    /// `each` words of every `step` of another source, from the word `first` on: a program draws several numbers for each item,
    /// and the array has one of them.
    Every {
        of: Box<Self>,
        first: usize,
        step: usize,
        each: usize,
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
            Self::JaxRows {
                keys,
                row,
                is_partitionable,
            } => {
                let rows = keys
                    .iter()
                    .flat_map(|&key| jax_words(key, *is_partitionable, row * each, each));
                rows.skip(from).take(count).collect()
            }
            Self::Python { seed } => python::words(*seed, from + count).split_off(from),
            Self::R { seed } => Mt::default().words_of_r(*seed, from + count).split_off(from),
            Self::Numpy { entropy } => numpy(entropy, from + count).split_off(from),
            Self::Triton { key } => {
                let at = |block: usize| u128::try_from(block).unwrap_or(0);
                let blocks = (from..).take(count);
                blocks.map(|i| philox(High::Whole, *key, at(i))[0]).collect()
            }
            Self::Every {
                of,
                first,
                step,
                each,
            } => {
                let all = (from + count).div_ceil(*each);
                let words = of.words(*first, all * step, 1);
                let chosen = words.chunks(*step).flat_map(|item| item.iter().take(*each));
                chosen.skip(from).take(count).copied().collect()
            }
            Self::Given(words) => words.iter().skip(from).take(count).copied().collect(),
        }
    }

    /// Whether a part of the stream is the same however long the whole is, so that an array may begin at a later place: a slice
    /// of what JAX draws from a key, too. In JAX's older order, each word depends on the number of words.
    pub(super) const fn is_sequence(&self) -> bool {
        !matches!(
            self,
            Self::JaxRows { .. }
                | Self::Jax {
                    is_partitionable: false,
                    ..
                }
        )
    }

    /// The words that each number must have, where the others are left out.
    pub(super) const fn each(&self) -> Option<usize> {
        match self {
            Self::Every { each, .. } => Some(*each),
            _ => None,
        }
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

/// A source with its name and sentence.
#[derive(Clone)]
pub(super) struct Named {
    pub(super) source: Source,
    pub(super) name: &'static str,
    pub(super) sentence: String,
    pub(super) whose: Whose,
}

/// The owner of a source's seed. It decides how much may have been drawn from the source before the array.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Whose {
    /// The seed that was given.
    Given,
    /// Another one that the program may have taken.
    Other,
    /// A seed that a framework makes for one array, or for a few.
    Array,
}

impl Named {
    /// Whether it has the seed that was given.
    pub(super) fn is_own(&self) -> bool {
        self.whose == Whose::Given
    }

    /// Whether every search looks for an array at later places of the stream. Programs go on with a generator, and take one
    /// array from a key of JAX: of those, only slices of what the given key draws are looked for.
    pub(super) const fn is_sequence(&self) -> bool {
        !matches!(self.source, Source::Jax { .. } | Source::JaxRows { .. })
    }

    /// The number of words before which an array is looked for, of at most `reach`.
    pub(super) fn reach(&self, reach: usize) -> usize {
        /// Nobody knows how much was drawn before from the seeds that programs take by themselves.
        const OTHERS: usize = 1 << 12;
        match self.whose {
            _ if !self.is_sequence() => 1,
            Whose::Given => reach,
            Whose::Other => OTHERS.min(reach),
            Whose::Array => 1,
        }
    }
}

/// The streams of the seeds that are known, and of those that a program may have taken.
pub(super) fn sources(sought: &Sought, given: &[Vec<u32>]) -> Vec<Named> {
    let mut all = Vec::new();
    for words in given {
        all.push(Named {
            source: Source::Given(words.clone()),
            name: "conversion",
            sentence: "the words of the request".to_owned(),
            whose: Whose::Given,
        });
    }
    let own = (sought.seed, "");
    let others = DEFAULTS.into_iter().filter(|(seed, _)| *seed != sought.seed);
    for (seed, default) in std::iter::once(own).chain(others) {
        let is_own = default.is_empty();
        let (whose, note) = if is_own {
            (Whose::Given, String::new())
        } else {
            (Whose::Other, format!(", {default}"))
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
            sentence: format!("MT19937 seeded by {}{cut}{note}", written(seed)),
            whose,
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
                    whose: if what.is_empty() { whose } else { Whose::Other },
                });
            }
        }
        if is_own {
            all.extend(of_languages(seed));
        }
    }
    all
}

/// The generators that only the given seed begins.
fn of_languages(seed: u64) -> Vec<Named> {
    let typed = written(seed);
    let named = |source: Source, name: &'static str, sentence: String| Named {
        source,
        name,
        sentence,
        whose: Whose::Given,
    };
    let numpy = Source::Numpy {
        entropy: number(seed),
    };
    let r = Source::R {
        seed: halves(seed)[0],
    };
    let jax = |is_partitionable, order: &str| {
        let source = Source::Jax {
            key: seed,
            is_partitionable,
        };
        named(
            source,
            "jax.random",
            format!("jax.random with key({typed}){order}"),
        )
    };
    vec![
        named(
            Source::Python { seed },
            "python",
            format!("MT19937 after random.seed({typed}) of Python"),
        ),
        named(r, "r", format!("MT19937 after set.seed({typed}) of R")),
        named(
            numpy,
            "numpy.random.default_rng",
            format!("numpy.random.default_rng({typed})"),
        ),
        named(
            Source::Triton { key: seed },
            "triton",
            format!("the first words of the blocks of Philox4x32-10 of key {typed}, as Triton takes them"),
        ),
        jax(true, ""),
        jax(false, ", in the order before jax_threefry_partitionable"),
    ]
}

/// One number of each item, where a program draws several for each.
pub(super) fn of_items(own: &[Named]) -> Vec<Named> {
    /// The most words of an item.
    const STEPS: usize = 8;
    let of = |named: &Named| {
        // A number of 64 bits is two of these words.
        let unit = match named.source {
            Source::Mt { .. } | Source::Python { .. } | Source::R { .. } => 1,
            Source::Numpy { .. } => 2,
            _ => return Vec::new(),
        };
        let mut all = Vec::new();
        // Few digits of a number of two words are those of a number of one of them, so that it comes first.
        for each in (unit..=2).rev() {
            for step in (each + unit..=STEPS * unit).step_by(unit) {
                let firsts = (0..step).step_by(unit);
                let (usual, other): (Vec<usize>, _) = firsts.partition(|first| first % each == 0);
                all.extend(usual.into_iter().chain(other).map(|first| (first, step, each)));
            }
        }
        let every = |(first, step, each)| {
            let words = plural(each, ["word", "words"]);
            let sentence = format!(
                "{each} {words} of every {step}, from word {first} on, of {}",
                named.sentence
            );
            Named {
                source: Source::Every {
                    of: Box::new(named.source.clone()),
                    first,
                    step,
                    each,
                },
                sentence,
                ..named.clone()
            }
        };
        all.into_iter().map(every).collect::<Vec<_>>()
    };
    own.iter().filter(|named| named.is_own()).flat_map(of).collect()
}

/// The streams in which standard numbers are looked for.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Among {
    /// Those of the seed itself.
    Own,
    /// Those of the seed, of usual seeds, and of the seeds that frameworks make of it.
    All,
    /// The seed's stream of PyTorch on a CPU, as the layers of a network take it.
    Layers,
}

/// A batch, each item of which JAX draws from a key of its own: those of a split, or those that the item's number is folded in.
fn jax_rows(sought: &Sought) -> Vec<Named> {
    /// The most rows. Each has a key, and a batch is seldom larger.
    const MOST: usize = 1 << 12;
    let dims = sought.actual.shape().dims();
    let rows = dims.first().copied().unwrap_or(0);
    if dims.len() < 2 || !(2..=MOST).contains(&rows) {
        return Vec::new();
    }
    let row = sought.actual.count() / rows;
    let [low, high] = halves(sought.seed);
    let key = format!("jax.random.key({})", written(sought.seed));
    let roots = [
        ([high, low], key.clone()),
        (
            jax_split([high, low], true)[1],
            format!("jax.random.split({key})[1]"),
        ),
    ];
    let of = |(root, key): ([u32; 2], String), is_partitionable: bool| {
        let order = if is_partitionable {
            ""
        } else {
            " in the original order"
        };
        Named {
            source: Source::JaxRows {
                keys: jax_keys_of_split(root, rows, is_partitionable),
                row,
                is_partitionable,
            },
            name: "jax.random",
            sentence: format!(
                "jax.random, where the key of item i is jax.random.split({key}, {rows})[i]{order}"
            ),
            whose: Whose::Array,
        }
    };
    let all = roots.into_iter().map(|root| of(root, true));
    all.chain([of(([high, low], key), false)]).collect()
}

/// The generators with keys and seeds that frameworks make of the one that was given: JAX's split keys, TensorFlow's op
/// seeds and generators, Keras' layers, and NumPy's lists and children.
pub(super) fn derived_sources(sought: &Sought) -> Vec<Named> {
    /// The ranks, workers and children that are tried.
    const CHILDREN: u32 = 8;
    let Sought { seed, op_seed, .. } = *sought;
    let mut all: Vec<Named> = jax_keys(seed)
        .into_iter()
        .map(|it| Named {
            source: Source::Jax {
                key: it.key(),
                is_partitionable: it.is_partitionable,
            },
            name: "jax.random",
            sentence: format!("jax.random, where {}", it.from(seed)),
            whose: Whose::Given,
        })
        .collect();
    all.extend(jax_rows(sought));
    let philox = |[key, counter]: [u64; 2], from: &str, whose: Whose| Named {
        source: Source::philox(key, u128::from(counter) << 64),
        name: "philox4x32-10",
        sentence: format!("Philox4x32-10, where {from}"),
        whose,
    };
    all.extend((1..).zip(eager_op_seeds(seed)).map(|(call, op_seed)| {
        let from = format!(
            "the key is {seed} and the counter the op seed of call {call} after tf.random.set_seed({seed})"
        );
        philox([seed, op_seed], &from, Whose::Given)
    }));
    all.extend(stateless_calls([seed, op_seed]).map(|(seeds, from)| philox(seeds, &from, Whose::Given)));
    // TensorFlow's generator has the seed in its counter, and no key.
    all.push(Named {
        source: Source::philox(0, seed.into()),
        name: "philox4x32-10",
        sentence: format!("tf.random.Generator.from_seed({seed})"),
        whose: Whose::Given,
    });
    // Each backend of Keras makes a generator of the seed of a layer in its own way.
    for (layer, from) in keras_seeds(seed) {
        all.extend(stateless([layer, 0]).map(|(seeds, _)| philox(seeds, &from, Whose::Array)));
        let [low, _] = halves(layer);
        all.push(Named {
            source: Source::Jax {
                key: joined([0, low]),
                is_partitionable: true,
            },
            name: "jax.random",
            sentence: format!("jax.random, where {from}"),
            whose: Whose::Array,
        });
        all.push(Named {
            source: Source::mt(low),
            name: "mt19937",
            sentence: format!("MT19937, where {from}"),
            whose: Whose::Array,
        });
    }
    let mut numpy = |entropy: Vec<u32>, sentence: String| {
        all.push(Named {
            source: Source::Numpy { entropy },
            name: "numpy.random.default_rng",
            sentence,
            whose: Whose::Other,
        });
    };
    for other in (0..CHILDREN.into()).chain((op_seed >= CHILDREN.into()).then_some(op_seed)) {
        for [first, second] in [[seed, other], [other, seed]] {
            numpy(
                [number(first), number(second)].concat(),
                format!("numpy.random.default_rng([{first}, {second}])"),
            );
        }
    }
    for child in 0..CHILDREN {
        let mut entropy = number(seed);
        // The key of a child follows a whole pool of entropy.
        entropy.resize(4, 0);
        entropy.push(child);
        numpy(
            entropy,
            format!(
                "numpy.random.default_rng of child {child} of SeedSequence({seed}).spawn(n), and of default_rng({seed}).spawn(n)"
            ),
        );
    }
    all
}
