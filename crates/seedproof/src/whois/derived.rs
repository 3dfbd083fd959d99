//! The seeds that frameworks make of the one that a user knows.

use seedproof_ops::{Limits, Request, StatelessRandomGetKeyCounter, Tensor};

use super::generator::{halves, jax_split, joined, threefry};
use super::python::Random;
use super::sought::Sought;
use super::twister::Mt;

/// The seed that TensorFlow takes where a graph has none.
const GRAPH_SEED: u64 = 87_654_321;
/// The last execution that is tried.
const EXECUTIONS: u32 = 3;
/// The number of calls after `tf.random.set_seed` that are tried. Each costs as much as a seed of its own, and what people
/// bring is the output of the first ones.
const CALLS: usize = 4;

/// Seeds to try in place of those that were asked about.
pub(super) struct Derived {
    pub(super) seeds: [u64; 2],
    /// The last execution to try with them.
    pub(super) last: u32,
    /// How they follow from the given seed.
    pub(super) from: Option<String>,
    /// Whether they are a key of JAX, of which no other framework draws.
    pub(super) is_jax: bool,
}

/// The seeds to try after those that were asked about. People bring the output of a second call, of an op that was given
/// only one of its seeds, and of a key that was split.
pub(super) fn derived(sought: &Sought) -> Vec<Derived> {
    let plain = |seeds| Derived {
        seeds,
        last: EXECUTIONS,
        from: None,
        is_jax: false,
    };
    let Sought { seed, op_seed, .. } = *sought;
    let mut all = vec![plain([seed, op_seed]), plain([GRAPH_SEED, seed])];
    if op_seed == 0 {
        let eager = (1..).zip(eager_op_seeds(seed));
        all.extend(eager.map(|(call, op_seed)| Derived {
            seeds: [seed, op_seed],
            last: 0,
            is_jax: false,
            from: Some(format!(
                "{op_seed} is the op seed of call {call} after tf.random.set_seed({seed}) in eager mode"
            )),
        }));
    }
    all.extend(stateless([seed, op_seed]).map(|(seeds, from)| Derived {
        seeds,
        last: 0,
        from: Some(from),
        is_jax: false,
    }));
    all.extend(jax_keys(seed).into_iter().map(|it| Derived {
        seeds: [it.key, 0],
        last: 0,
        from: Some(it.from),
        is_jax: true,
    }));
    all
}

/// The op seeds of the first calls in eager mode after `tf.random.set_seed`, where an op is given none of its own:
/// `randint(0, 2**31 - 1)` of Python's `random.Random(seed)`. In a graph an op's seed is its number instead.
///
/// Source: `_internal_operation_seed` in TensorFlow's `python/eager/context.py`, and `_randbelow` of CPython.
pub(super) fn eager_op_seeds(seed: u64) -> impl Iterator<Item = u64> {
    Random::new(seed, CALLS).numbers(1 << 31).take(CALLS)
}

/// The seeds that layers and initializers of Keras draw after `keras.utils.set_random_seed`, where they are given none of
/// their own: `randint(1, 10**9)` of Python's `random`.
///
/// Source: `make_default_seed` in Keras' `src/random/seed_generator.py`.
pub(super) fn keras_seeds(seed: u64) -> impl Iterator<Item = u64> {
    const LAYERS: usize = 16;
    let numbers = Random::new(seed, LAYERS).numbers(1_000_000_000);
    numbers.map(|number| number + 1).take(LAYERS)
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
        "key {key} and counter {high} are those of seed=[{seed}, {op_seed}] in tf.random.stateless_*"
    );
    if op_seed == 0 {
        from.push_str(", which initializers of Keras have too");
    }
    Some(([key, high], from))
}

/// A key that programs derive from another in JAX.
pub(super) struct JaxKey {
    pub(super) key: u64,
    /// How it is made, in a sentence.
    pub(super) from: String,
    /// Whether the program draws in today's order.
    pub(super) is_partitionable: bool,
}

/// The keys that programs derive from a seed's key.
pub(super) fn jax_keys(seed: u64) -> Vec<JaxKey> {
    /// The children of the seed's key that are tried: batches, layers and devices are that many.
    const CHILDREN: u32 = 16;
    /// The splits of a loop that keeps the first key and uses the second.
    const SPLITS: usize = 8;
    let [low, high] = halves(seed);
    let wide = |[high, low]: [u32; 2]| joined([low, high]);
    let child = |j| JaxKey {
        // Both functions make the key of the same block.
        key: wide(threefry([high, low], [0, j])),
        from: format!(
            "the key is jax.random.split(jax.random.key({seed}), n)[{j}], and jax.random.fold_in(jax.random.key({seed}), {j})"
        ),
        is_partitionable: true,
    };
    let mut all: Vec<JaxKey> = (0..CHILDREN).map(child).collect();
    if high != 0 {
        all.push(JaxKey {
            key: wide([0, low]),
            from: format!(
                "the key is jax.random.key({seed}) without x64, which keeps the low 32 bits of a seed"
            ),
            is_partitionable: true,
        });
    }
    for (is_partitionable, order) in [(true, ""), (false, " in the original order")] {
        let mut parent = [high, low];
        for depth in 1..=SPLITS {
            let [kept, used] = jax_split(parent, is_partitionable);
            for (place, key) in [wide(kept), wide(used)].into_iter().enumerate() {
                let from = match depth {
                    1 => format!("the key is jax.random.split(jax.random.key({seed}))[{place}]{order}"),
                    _ => format!(
                        "the key is number {place} of split {depth} from jax.random.key({seed}) on, each of the first key of \
                         the one before{order}"
                    ),
                };
                if !all.iter().any(|other| other.key == key) {
                    all.push(JaxKey {
                        key,
                        from,
                        is_partitionable,
                    });
                }
            }
            parent = kept;
        }
    }
    all
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
            "the seed is number {i} of those of 63 bits after torch.manual_seed({seed}), as a shuffled DataLoader draws it in \
             epoch {}",
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
}
