//! Tokens that a loop of JAX drew, each from a key of its own.

use std::iter;

use seedproof_ops::{Backend, OpName, Request, Role};

use super::answer::Draw;
use super::derived::{jax_keys, jax_order};
use super::generator::{halves, jax_keys_of_split, jax_split, joined, threefry};
use super::sampled::{Sampled, Way, drawn};

/// A loop that makes a key for each token.
struct Loop {
    /// The keys of the tokens, in their order.
    of_tokens: Vec<[u32; 2]>,
    /// What makes the key of token `i` of the loop's.
    what: String,
    /// Whether they were split in today's order, in which the tokens are drawn then. `None` where nothing is split.
    is_partitionable: Option<bool>,
}

/// The loops that begin with one key, for this many tokens.
fn loops(root: [u32; 2], count: usize, position: i64) -> Vec<Loop> {
    let folded = |from: u32, what: &str| Loop {
        of_tokens: (from..).take(count).map(|i| threefry(root, [0, i])).collect(),
        what: what.to_owned(),
        is_partitionable: None,
    };
    let mut all = vec![
        // Today's split makes the key of the same block as `fold_in`.
        folded(0, "jax.random.fold_in(key, i), or split(key, n)[i]"),
        folded(1, "jax.random.fold_in(key, i + 1)"),
        Loop {
            of_tokens: jax_keys_of_split(root, count, false),
            what: "jax.random.split(key, n)[i] in the original order".to_owned(),
            is_partitionable: Some(false),
        },
    ];
    if let Some(position) = u32::try_from(position).ok().filter(|&position| position > 1) {
        all.push(folded(position, "jax.random.fold_in(key, position)"));
    }
    for (is_partitionable, order) in [true, false].map(|it| (it, jax_order(it))) {
        for (used, pair) in [(1, "key, used"), (0, "used, key")] {
            let splits = iter::successors(Some(jax_split(root, is_partitionable)), |pair| {
                Some(jax_split(pair[1 - used], is_partitionable))
            });
            all.push(Loop {
                of_tokens: splits.map(|pair| pair[used]).take(count).collect(),
                what: format!("`used` of round i of `{pair} = jax.random.split(key)`{order}"),
                is_partitionable: Some(is_partitionable),
            });
        }
    }
    all
}

/// Asks the ops that take a key for one token after the other. The first token excludes most keys. With `others`, keys that
/// programs usually make of the seed's are tried too. The first of the readings is `spec`. The number of attempts comes first.
pub(super) fn of_keys(
    sampled: &Sampled,
    others: bool,
    readings: &[(&str, &dyn Backend)],
) -> (usize, Option<Draw>) {
    let [low, high] = halves(sampled.seed);
    let own = format!("the key is jax.random.key({})", sampled.seed);
    let of_seed = iter::once(([high, low], own));
    let others = if others {
        jax_keys(sampled.seed)
    } else {
        Vec::new()
    };
    let others = others.iter().map(|it| (it.words, it.from(sampled.seed)));
    let mut attempts = 0;
    for (root, from) in of_seed.chain(others) {
        for it in loops(root, sampled.tokens.len(), sampled.position) {
            if let Some((names, request)) = of_loop(sampled, &it, readings, &mut attempts) {
                let from = format!(
                    "token i is drawn with {}, where {from}; the request is that of token 0",
                    it.what
                );
                return (
                    attempts,
                    Some(Draw {
                        names,
                        from: Some(from),
                        request,
                    }),
                );
            }
        }
    }
    (attempts, None)
}

/// The readings that draw all tokens with the keys of a loop, and the request for the first token.
fn of_loop(
    sampled: &Sampled,
    it: &Loop,
    readings: &[(&str, &dyn Backend)],
    attempts: &mut usize,
) -> Option<(Vec<String>, Request)> {
    let takes_key = |op: OpName| {
        let mut inputs = op.description().inputs.iter();
        inputs.any(|info| matches!(info.role, Role::Key { .. }))
    };
    let ways = sampled.ways().into_iter();
    let ways = ways.filter(|way| takes_key(way.op) && way.is_plain());
    let requests = |way: Way, token: usize| {
        let [high, low] = it.of_tokens[token];
        sampled.only(token, joined([low, high])).requests(way, 1)
    };
    let firsts = ways.flat_map(|way| {
        requests(way, 0)
            .into_iter()
            .enumerate()
            .map(move |(i, first)| (way, i, first))
    });
    firsts.into_iter().find_map(|(way, index, first)| {
        let is_alike = match first.variant().as_str() {
            "threefry2x32" => it.is_partitionable != Some(false),
            "threefry2x32-original" => it.is_partitionable != Some(true),
            // Keys of other generators have other words.
            _ => false,
        };
        if !is_alike {
            return None;
        }
        *attempts += 1;
        let is_drawn = |backend: &dyn Backend, token: usize, request: &Request| {
            drawn(backend, request, 1) == Some(vec![sampled.tokens[token]])
        };
        // Readings differ in the last bits of the noise, which hardly ever decide the first token.
        if !is_drawn(readings[0].1, 0, &first) {
            return None;
        }
        let draws = |backend: &dyn Backend| {
            (0..it.of_tokens.len()).all(|token| {
                let request = requests(way, token).into_iter().nth(index);
                request.is_some_and(|it| is_drawn(backend, token, &it))
            })
        };
        let names = readings.iter().filter(|(_, backend)| draws(*backend));
        let names: Vec<String> = names.map(|(name, _)| (*name).to_owned()).collect();
        (!names.is_empty()).then_some((names, first))
    })
}

#[cfg(test)]
mod tests {
    use seedproof_ops::{Limits, Tensor};

    use crate::judging::Catalogue;
    use crate::whois::{Sampled, SampledWith, Samplers, who_sampled};

    const SECOND: [i64; 12] = [24, 9, 27, 25, 37, 27, 24, 33, 9, 25, 25, 21];
    const FIRST: [i64; 12] = [4, 25, 15, 4, 18, 29, 28, 29, 38, 6, 18, 12];
    const FOLDED: [i64; 12] = [11, 13, 29, 9, 29, 9, 36, 34, 9, 6, 36, 11];
    const OF_CHILD: [i64; 12] = [20, 20, 2, 20, 17, 2, 13, 10, 36, 31, 1, 31];
    const SPLIT_BEFORE: [i64; 12] = [24, 19, 20, 38, 2, 36, 6, 18, 11, 2, 36, 21];
    const SECOND_BEFORE: [i64; 12] = [18, 17, 4, 29, 25, 13, 1, 25, 27, 14, 27, 36];

    /// Twelve tokens of one row of logits at the temperature 0.75, each of `jax.random.categorical` of JAX 0.10 with its own key.
    #[test]
    fn tokens_of_loops_of_jax_are_named() {
        let row: Vec<f32> = (0_u16..40).map(|i| f32::from(i * 7 % 16) / 8.0).collect();
        let catalogue = Catalogue::new(Limits::default());
        let of: &[(u64, [i64; 12], &str)] = &[
            (
                2025,
                SECOND,
                "`used` of round i of `key, used = jax.random.split(key)`, where",
            ),
            (
                7,
                FIRST,
                "`used` of round i of `used, key = jax.random.split(key)`, where",
            ),
            (
                99,
                FOLDED,
                "jax.random.fold_in(key, i + 1), where the key is jax.random.key(99)",
            ),
            (
                5,
                OF_CHILD,
                "split(key, n)[i], where the key is jax.random.fold_in(jax.random.key(5), 1)",
            ),
            (
                5,
                SPLIT_BEFORE,
                "jax.random.split(key, n)[i] in the original order",
            ),
            (
                2025,
                SECOND_BEFORE,
                "`used` of round i of `key, used = jax.random.split(key)` in the original order",
            ),
        ];
        for &(seed, tokens, from) in of {
            let with = SampledWith {
                temperature: 0.75,
                seed,
                op_seed: 0,
                position: 0,
            };
            let of = |tokens: &[i64]| {
                let sampled = Sampled::new(&Tensor::vector(tokens), &Tensor::vector(&row), with).unwrap();
                who_sampled(&sampled, Samplers::OfSeeds(1), &catalogue)
            };
            let answer = of(&tokens);
            assert_eq!(answer.word(), "named", "{from}");
            let found = answer.draws[0].from.as_ref().unwrap();
            assert!(found.contains(from), "{found}");
            let other: Vec<i64> = tokens.iter().rev().copied().collect();
            assert_eq!(of(&other).word(), "unknown");
        }
    }
}
