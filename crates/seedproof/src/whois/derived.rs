//! The seeds that frameworks make of the one that a user knows.

use seedproof_ops::{JaxKeyImpl, JaxSplit, Request, Scalar, StatelessRandomGetKeyCounter, Tensor};

use super::sought::Sought;
use super::twister::Mt;
use crate::judging::Bank;

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
    /// What makes them of the seed that was asked about.
    pub(super) from: Option<String>,
}

/// The seeds to try after those that were asked about. People bring the output of a second call, of an op that was given
/// only one of its seeds, and of a key that was split.
pub(super) fn derived(sought: &Sought, bank: &Bank) -> Vec<Derived> {
    let plain = |seeds| Derived {
        seeds,
        last: EXECUTIONS,
        from: None,
    };
    let Sought { seed, op_seed, .. } = *sought;
    let mut all = vec![plain([seed, op_seed]), plain([GRAPH_SEED, seed])];
    if op_seed == 0 {
        let eager = (1..).zip(eager_op_seeds(seed));
        all.extend(eager.map(|(call, op_seed)| Derived {
            seeds: [seed, op_seed],
            last: 0,
            from: Some(format!(
                "{op_seed} is the op seed of call {call} after tf.random.set_seed({seed}) in eager mode"
            )),
        }));
    }
    all.extend(stateless(seed, op_seed, bank));
    all.extend(
        [true, false]
            .into_iter()
            .flat_map(|order| splits(seed, order, bank)),
    );
    all
}

/// The op seeds of the first calls in eager mode after `tf.random.set_seed`, where an op is given none of its own:
/// `randint(0, 2**31 - 1)` of Python's `random.Random(seed)`. In a graph an op's seed is its number instead.
///
/// Source: `_internal_operation_seed` in TensorFlow's `python/eager/context.py`, and `_randbelow` of CPython.
fn eager_op_seeds(seed: u64) -> impl Iterator<Item = u64> {
    let halves = [seed, seed >> 32].map(|half| u32::try_from(half & 0xffff_ffff).unwrap_or(0));
    let list = if halves[1] == 0 { &halves[..1] } else { &halves };
    // Python draws a word from 2^31 on again, so that some eight words make four seeds. That 64 words make fewer than four has
    // a probability below 2^-40.
    let words = Mt::default().words_of_list(list, 16 * CALLS);
    let below = words.into_iter().filter(|word| word >> 31 == 0);
    below.take(CALLS).map(u64::from)
}

/// The key and the counter that `tf.random.stateless_uniform(seed=[seed, op_seed])` and its like begin with, and Keras'
/// initializers with `[seed, 0]`.
fn stateless(seed: u64, op_seed: u64, bank: &Bank) -> Option<Derived> {
    let request = StatelessRandomGetKeyCounter {
        seed: Tensor::vector(&[seed.cast_signed(), op_seed.cast_signed()]),
    };
    let answer = bank
        .spec()
        .run(&Request::StatelessRandomGetKeyCounter(request))
        .ok()?;
    let key = answer.output.get(0)?.bits();
    let high = answer.more.first()?.get(1)?.bits();
    let mut from = format!(
        "key {key} and counter {high} are those of seed=[{seed}, {op_seed}] in tf.random.stateless_*"
    );
    if op_seed == 0 {
        from.push_str(", which initializers of Keras have too");
    }
    Some(Derived {
        seeds: [key, high],
        last: 0,
        from: Some(from),
    })
}

/// The two keys of `jax.random.split(jax.random.key(seed))`.
fn splits(seed: u64, partitionable: bool, bank: &Bank) -> Vec<Derived> {
    let words = [seed >> 32, seed & 0xffff_ffff].map(|half| u32::try_from(half).unwrap_or(0));
    let request = JaxSplit {
        implementation: JaxKeyImpl::Threefry2x32.into(),
        partitionable,
        num: 2,
        key: Tensor::vector(&words),
    };
    let Ok(answer) = bank.spec().run(&Request::JaxSplit(request)) else {
        return Vec::new();
    };
    let words: Vec<u64> = answer.output.scalars().map(Scalar::bits).collect();
    let order = if partitionable {
        ""
    } else {
        " in the original order"
    };
    let key = |(place, pair): (usize, &[u64; 2])| Derived {
        seeds: [pair[0] << 32 | pair[1], 0],
        last: 0,
        from: Some(format!(
            "the key is jax.random.split(jax.random.key({seed}))[{place}]{order}"
        )),
    };
    words.as_chunks().0.iter().enumerate().map(key).collect()
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
