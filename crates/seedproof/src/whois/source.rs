//! Generators with their keys, and the words that they draw.

use super::generator::{High, halves, jax, jax_beginning, jax_pairs_beginning, numpy, philox, threefry};
use super::python;
use super::twister::Mt;

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
    /// The words of another source as it draws them for numbers of two words. JAX draws others for these.
    Pairs(Box<Self>),
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
            Self::Pairs(of) => of.words(from, count, 2),
            Self::Given(words) => words.iter().skip(from).take(count).copied().collect(),
        }
    }

    /// The words of the first `few` of the `n` numbers of an array, where each word depends on how many there are.
    pub(super) fn beginning(&self, n: usize, few: usize) -> Option<Vec<u32>> {
        let (source, beginning): (_, fn([u32; 2], usize, usize) -> _) = match self {
            Self::Pairs(of) => (&**of, jax_pairs_beginning),
            own => (own, jax_beginning),
        };
        let Self::Jax {
            key,
            is_partitionable: false,
        } = source
        else {
            return None;
        };
        let [low, high] = halves(*key);
        Some(beginning([high, low], n, few))
    }

    /// Whether a part of the stream is the same however long the whole is, so that an array may begin at a later place: a slice
    /// of what JAX draws from a key, too. In JAX's older order, each word depends on the number of words.
    pub(super) const fn is_sequence(&self) -> bool {
        match self {
            Self::JaxRows { .. } => false,
            Self::Jax { is_partitionable, .. } => *is_partitionable,
            Self::Pairs(of) => of.is_sequence(),
            _ => true,
        }
    }

    /// The words that each number must have, where the others are left out.
    pub(super) const fn each(&self) -> Option<usize> {
        match self {
            Self::Every { each, .. } => Some(*each),
            Self::Pairs(_) => Some(2),
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
        (_, false) => jax_pairs_beginning(key, count / 2, count / 2),
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
        !matches!(
            self.source,
            Source::Jax { .. } | Source::JaxRows { .. } | Source::Pairs(_)
        )
    }

    /// The same source, drawn for numbers of two words.
    pub(super) fn in_pairs(&self) -> Self {
        Self {
            source: Source::Pairs(Box::new(self.source.clone())),
            ..self.clone()
        }
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
