//! The seeds that frameworks make of the one that a user knows.

use std::iter;

use seedproof_ops::{Alignment, Limits, Request, Role, StatelessRandomGetKeyCounter, Tensor};

use super::flax;
use super::generator::{halves, jax_split, joined, threefry};
use super::numbers::written;
use super::python::Random;
use super::requests::Suggested;
use super::sought::Sought;
use super::source::{Named, Source, Whose};
use super::twister::Mt;

/// The seed that TensorFlow takes where a graph has none.
const GRAPH_SEED: u64 = 87_654_321;
/// The last execution that is tried.
const EXECUTIONS: u32 = 3;
/// The number of calls after `tf.random.set_seed` that are tried. Each costs as much as a seed of its own, and what people
/// bring is the output of the first ones.
const CALLS: usize = 4;

/// Seeds to try in place of those that were asked about.
struct Derived {
    seeds: [u64; 2],
    /// The last execution to try with them.
    last: u32,
    /// How they follow from the given seed.
    from: Option<String>,
    /// Whether an op takes them.
    is_taken: fn(&Request) -> bool,
}

/// Visits the requests of later executions, and those with the seeds that frameworks make of the ones that were asked about, each
/// with what made its seeds. People bring the output of a second call, of an op that was given only one of its seeds, and of a
/// key that was split.
pub(super) fn later_requests(sought: &Sought, mut visit: impl FnMut(Vec<Request>, Option<&str>)) {
    // A copy of the array, and a look at each of its elements, for each of some dozens of seeds would take most of the time.
    let (suggested, mut other) = (Suggested::of(&sought.actual), sought.clone());
    for Derived {
        seeds: [seed, op_seed],
        last,
        from,
        is_taken,
    } in derived(sought)
    {
        for execution in 0..=last {
            if (seed, op_seed, execution) == (sought.seed, sought.op_seed, sought.execution) {
                continue;
            }
            other.seed = seed;
            other.op_seed = op_seed;
            other.execution = execution;
            let mut requests = other.requests_within(&suggested);
            requests.retain(is_taken);
            visit(requests, from.as_deref());
        }
    }
}

fn derived(sought: &Sought) -> Vec<Derived> {
    let of = |seeds, from| Derived {
        seeds,
        last: 0,
        from: Some(from),
        is_taken: is_of_tensorflow,
    };
    let plain = |seeds, is_taken| Derived {
        seeds,
        last: EXECUTIONS,
        from: None,
        is_taken,
    };
    let Sought { seed, op_seed, .. } = *sought;
    let mut all = vec![
        plain([seed, op_seed], |_| true),
        plain([GRAPH_SEED, seed], is_of_tensorflow),
    ];
    if op_seed == 0 {
        all.extend((1..).zip(eager_op_seeds(seed)).map(|(call, op_seed)| {
            let from = format!(
                "{op_seed} is the op seed of call {call} after tf.random.set_seed({seed}) in eager mode"
            );
            of([seed, op_seed], from)
        }));
    }
    all.extend(stateless_calls([seed, op_seed]).map(|(seeds, from)| of(seeds, from)));
    // Keras draws the weights of layers, which are floats.
    if sought.actual.dtype().is_float() {
        let seeds = keras_seeds(seed).filter_map(|(layer, from)| Some(of(stateless([layer, 0])?.0, from)));
        all.extend(seeds);
    }
    all.extend(jax_keys(seed).into_iter().map(|it| Derived {
        is_taken: has_key,
        ..of([it.key(), 0], it.from(seed))
    }));
    all
}

/// Whether TensorFlow's seeds may reach an op: one of its own, or of OpenVINO or LiteRT, which run its models. On the ops of other
/// frameworks they would be attempts at what no program does, a quarter of all.
fn is_of_tensorflow(request: &Request) -> bool {
    let op = request.op().to_string();
    match request {
        Request::RandomUniform(it) => it.alignment.known() == Some(Alignment::Tensorflow),
        Request::Multinomial(_) => true,
        _ => ["tensorflow.", "litert."].iter().any(|of| op.starts_with(of)),
    }
}

/// Whether an op takes a key as an input, as those of JAX do.
fn has_key(request: &Request) -> bool {
    let mut inputs = request.inputs().into_iter();
    inputs.any(|(info, _)| matches!(info.role, Role::Key { .. }))
}

/// The op seeds of the first calls in eager mode after `tf.random.set_seed`, where an op is given none of its own:
/// `randint(0, 2**31 - 1)` of Python's `random.Random(seed)`. In a graph an op's seed is its number instead.
///
/// Source: `_internal_operation_seed` in TensorFlow's `python/eager/context.py`, and `_randbelow` of CPython.
pub(super) fn eager_op_seeds(seed: u64) -> impl Iterator<Item = u64> {
    Random::new(seed, CALLS).numbers(1 << 31).take(CALLS)
}

/// The seeds that layers and initializers of Keras draw after `keras.utils.set_random_seed`, where they are given none of
/// their own: `randint(1, 10**9)` of Python's `random`. Each has a sentence that says so.
///
/// Source: `make_default_seed` in Keras' `src/random/seed_generator.py`.
pub(super) fn keras_seeds(seed: u64) -> impl Iterator<Item = (u64, String)> {
    const LAYERS: usize = 16;
    let numbers = Random::new(seed, LAYERS).numbers(1_000_000_000);
    let of = move |(place, number)| {
        let layer = number + 1;
        let from = format!(
            "the seed {layer} is number {place} of those that Keras draws after keras.utils.set_random_seed({seed})"
        );
        (layer, from)
    };
    (1..).zip(numbers).map(of).take(LAYERS)
}

/// The key and the high half of the counter that `tf.random.stateless_uniform(seed=[seed, op_seed])` and its like begin with,
/// and Keras' initializers with `[seed, 0]`, and a sentence that says so.
pub(super) fn stateless([seed, op_seed]: [u64; 2]) -> Option<([u64; 2], String)> {
    let request = Request::StatelessRandomGetKeyCounter(StatelessRandomGetKeyCounter {
        seed: Tensor::vector(&[seed.cast_signed(), op_seed.cast_signed()]),
    });
    let answer = seedproof_reference::run(&request, &Limits::default(), 0).ok()?;
    let key = answer.output.get(0)?.bits();
    let high = answer.more.first()?.get(1)?.bits();
    let mut from = format!(
        "key {key}, and {high} in the high half of the counter, are those of seed=[{seed}, {op_seed}] in tf.random.stateless_*"
    );
    if op_seed == 0 {
        from.push_str(", which initializers of Keras have too");
    }
    Some(([key, high], from))
}

/// [`stateless`] of the seeds that were asked about, and of those that are as likely: the two in the other order, or those of later
/// calls of a layer of Keras, whose seed generator counts them.
pub(super) fn stateless_calls([seed, op_seed]: [u64; 2]) -> impl Iterator<Item = ([u64; 2], String)> {
    const CALLS: u64 = 4;
    let calls = if op_seed == 0 { CALLS } else { 0 };
    let later = (1..calls).map(move |call| {
        let what = format!(
            ", which is call {} of a layer of Keras with seed={seed}",
            call + 1
        );
        ([seed, call], what)
    });
    let exchanged = (op_seed != 0).then(|| ([op_seed, seed], ", the two seeds exchanged".to_owned()));
    let all = iter::once(([seed, op_seed], String::new()))
        .chain(exchanged)
        .chain(later);
    all.filter_map(|(pair, what)| stateless(pair).map(|(seeds, from)| (seeds, from + &what)))
}

/// The order in which JAX draws, in a sentence: today's is not mentioned.
pub(super) const fn jax_order(is_partitionable: bool) -> &'static str {
    if is_partitionable {
        ""
    } else {
        " in the original order"
    }
}

/// A key that programs make of a seed's in JAX.
pub(super) struct JaxKey {
    /// The high half comes first.
    pub(super) words: [u32; 2],
    made: Made,
    /// Whether the program draws in today's order.
    pub(super) is_partitionable: bool,
}

/// How a key is made of that of a seed.
enum Made {
    Child(u32),
    /// Two numbers are folded in, one after the other: an epoch and a step, a layer and a head.
    Grandchild(u32, u32),
    /// The high half of the seed is lost.
    Narrow,
    /// A module of Flax, and the number of its call of `make_rng`.
    Module(String, u8),
    /// The number of a split, and the place of the key in it. Each splits the first key of the one before.
    Split(u32, usize),
}

impl JaxKey {
    pub(super) fn key(&self) -> u64 {
        let [high, low] = self.words;
        joined([low, high])
    }

    /// What `jax.random` draws from it.
    pub(super) fn named(&self, seed: u64) -> Named {
        Named {
            source: Source::Jax {
                key: self.key(),
                is_partitionable: self.is_partitionable,
            },
            name: "jax.random",
            sentence: format!("jax.random, where {}", self.from(seed)),
            whose: Whose::Given,
        }
    }

    /// How it is made, in a sentence.
    pub(super) fn from(&self, seed: u64) -> String {
        let key = format!("jax.random.key({})", written(seed));
        let order = jax_order(self.is_partitionable);
        // Both functions make the key of the same block.
        let folded = |key: &str, j| format!("jax.random.fold_in({key}, {j})");
        match self.made {
            Made::Child(j) => format!("the key is {}, or split({key}, n)[{j}]", folded(&key, j)),
            Made::Grandchild(i, j) => format!(
                "the key is {}, where split(key, n)[i] and fold_in(key, i) are the same key",
                folded(&folded(&key, i), j)
            ),
            Made::Module(ref module, count) => {
                format!(
                    "the key is that of call {count} of make_rng of Flax in {module}, which folds names into {key}"
                )
            }
            Made::Narrow => format!("the key is {key} without x64, which keeps the low 32 bits of a seed"),
            Made::Split(1, place) => format!("the key is jax.random.split({key})[{place}]{order}"),
            Made::Split(depth, place) => {
                let which = ["key", "used"][place];
                format!(
                    "the key is `{which}` after {depth} rounds of `key, used = jax.random.split(key)`, from {key} on{order}"
                )
            }
        }
    }
}

fn children(parent: [u32; 2], count: u32, made: impl Fn(u32) -> Made) -> impl Iterator<Item = JaxKey> {
    (0..count).map(move |j| JaxKey {
        words: threefry(parent, [0, j]),
        made: made(j),
        is_partitionable: true,
    })
}

/// The keys of a loop that keeps the first key of each split and uses the second.
fn splits(root: [u32; 2], count: u32, is_partitionable: bool) -> impl Iterator<Item = JaxKey> {
    let first = jax_split(root, is_partitionable);
    let all = iter::successors(Some(first), move |[kept, _]| {
        Some(jax_split(*kept, is_partitionable))
    });
    (1..=count).zip(all).flat_map(move |(depth, keys)| {
        keys.into_iter().enumerate().map(move |(place, words)| JaxKey {
            words,
            made: Made::Split(depth, place),
            is_partitionable,
        })
    })
}

/// The keys that programs are most likely to make of a seed's: batches, layers and devices are a few, and so are the splits of
/// most programs.
pub(super) fn jax_keys(seed: u64) -> Vec<JaxKey> {
    const CHILDREN: u32 = 16;
    const SPLITS: u32 = 8;
    let [low, high] = halves(seed);
    let mut all: Vec<JaxKey> = children([high, low], CHILDREN, Made::Child).collect();
    all.extend((high != 0).then_some(JaxKey {
        words: [0, low],
        made: Made::Narrow,
        is_partitionable: true,
    }));
    for is_partitionable in [true, false] {
        for key in splits([high, low], SPLITS, is_partitionable) {
            if !all.iter().any(|other| other.words == key.words) {
                all.push(key);
            }
        }
    }
    all
}

/// Many more of these keys, too many to ask each of every op: the steps of a loop are folded in, and a loop splits a key for
/// each of them, and Flax folds in hashes of the names of modules. With `in_original`, splits in the original order too.
pub(super) fn far_jax_keys(seed: u64, array: &str, in_original: bool) -> Vec<JaxKey> {
    const CHILDREN: u32 = 1 << 16;
    const BOTH: u32 = 64;
    // A step of a training loop is folded in, and its key then split among a few uses.
    const STEPS: u32 = 1 << 12;
    const FEW: u32 = 8;
    const SPLITS: u32 = 1 << 10;
    // A module of Flax makes a key for each of its parameters, of which the first is usually drawn and the others are zeros.
    const CALLS: u8 = 3;
    let [low, high] = halves(seed);
    let root = [high, low];
    let mut all: Vec<JaxKey> = children(root, CHILDREN, Made::Child).collect();
    for i in 0..STEPS {
        let parent = threefry(root, [0, i]);
        let count = if i < BOTH { BOTH } else { FEW };
        all.extend(children(parent, count, |j| Made::Grandchild(i, j)));
    }
    for module in flax::modules(array) {
        let name = if module.is_empty() {
            "a module without a name".to_owned()
        } else {
            format!("`{}`", module.join("/"))
        };
        all.extend((1..=CALLS).map(|count| JaxKey {
            words: threefry(root, [0, flax::folded(&module, count)]),
            made: Made::Module(name.clone(), count),
            is_partitionable: true,
        }));
    }
    all.extend(splits(root, SPLITS, true));
    if in_original {
        all.extend(splits(root, SPLITS, false));
    }
    all
}

/// The seeds of the estimators of an ensemble with this `random_state`.
///
/// Source: `_set_random_states` in scikit-learn's `ensemble/_base.py`, and `buffered_bounded_masked_uint32` in NumPy's
/// `random/src/distributions/distributions.c`, which draws again one word in 2^30.
pub(super) fn estimator_seeds(seed: u64) -> impl Iterator<Item = u32> {
    const ESTIMATORS: usize = 4;
    let words = Mt::default().words(halves(seed)[0], 2 * ESTIMATORS).into_iter();
    let numbers = words.map(|word| word & (u32::MAX >> 1));
    numbers.filter(|&number| number < u32::MAX >> 1).take(ESTIMATORS)
}

/// The seeds that a shuffled `DataLoader` of PyTorch takes after `torch.manual_seed`, epoch after epoch. Each epoch draws two
/// numbers of 63 bits, the second of which seeds `torch.randperm`.
///
/// Source: `RandomSampler.__iter__` and `_BaseDataLoaderIter.__init__` in `torch/utils/data`.
pub(super) fn loader_seeds(seed: u64) -> Vec<(u64, String)> {
    const EPOCHS: usize = 4;
    let words = Mt::default().words(halves(seed)[0], 4 * EPOCHS);
    let (pairs, _) = words.as_chunks::<2>();
    let numbers = pairs.iter().enumerate().map(|(i, &[high, low])| {
        let what = format!(
            "the seed is the number of 63 bits that is drawn as number {i}, from 0, after torch.manual_seed({seed}); a shuffled \
             DataLoader draws it in epoch {}",
            i / 2
        );
        (joined([low, high]) & (u64::MAX >> 1), what)
    });
    numbers.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `random.Random(seed)` of CPython 3.11, twice with a seed of more than 32 bits.
    #[test]
    fn eager_op_seeds_are_those_of_python() {
        let first = |seed| eager_op_seeds(seed).take(2).collect::<Vec<_>>();
        assert_eq!(first(42), [478_163_327, 107_420_369]);
        assert_eq!(first((1 << 40) + 5), [1_153_647_273, 117_802_120]);
    }

    /// `RandomState(0).randint(2**31 - 1)` and the third number of `RandomState(17)`, of NumPy 2.4.
    #[test]
    fn estimators_have_the_seeds_of_random_state() {
        assert_eq!(estimator_seeds(0).next(), Some(209_652_396));
        assert_eq!(estimator_seeds(17).nth(2), Some(131_369_103));
    }
}
