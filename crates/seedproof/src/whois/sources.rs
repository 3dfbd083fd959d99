//! The generators with the seeds that an array may be of: those that were given, those that programs take by themselves, and those that
//! frameworks make of them.

use std::collections::BTreeSet;

use seedproof_report::plural;

use super::derived::{
    eager_op_seeds, estimator_seeds, jax_keys, jax_order, keras_seeds, stateless, stateless_calls,
};
use super::generator::{halves, jax_keys_of_split, jax_split, joined, number};
use super::numbers::written;
use super::sought::Sought;
use super::source::{Named, Source, Whose};

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
            source: Source::mt(low),
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
                    source: Source::philox(key, counter),
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
        jax(false, jax_order(false)),
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
    /// Those of the seed and of the seeds that frameworks make of it, as the columns of a table.
    Columns,
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
        let order = jax_order(is_partitionable);
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
    let mut all: Vec<Named> = jax_keys(seed).iter().map(|it| it.named(seed)).collect();
    all.extend(jax_rows(sought));
    let philox = |[key, counter]: [u64; 2], from: &str, whose: Whose| Named {
        source: Source::philox(key, u128::from(counter) << 64),
        name: "philox4x32-10",
        sentence: format!("Philox4x32-10, where {from}"),
        whose,
    };
    all.extend((1..).zip(eager_op_seeds(seed)).map(|(call, op_seed)| {
        let from = format!(
            "the key is {seed} and the high half of the counter is the op seed of call {call} after tf.random.set_seed({seed})"
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
    // The generators of its `split` count from zero, and have numbers of 64 bits of this one for keys.
    let keys = Source::philox(0, seed.into()).words(0, 2 * CHILDREN as usize, 1);
    for (child, &key) in keys.as_chunks::<2>().0.iter().enumerate() {
        all.push(Named {
            source: Source::philox(joined(key), 0),
            name: "philox4x32-10",
            sentence: format!("tf.random.Generator.from_seed({seed}).split(n)[{child}]"),
            whose: Whose::Given,
        });
    }
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
    for (estimator, seed) in (0..).zip(estimator_seeds(seed)) {
        all.push(Named {
            source: Source::mt(seed),
            name: "mt19937",
            sentence: format!(
                "MT19937, where the seed {seed} is number {estimator} of RandomState({}).randint(2**31 - 1), as ensembles of \
                 scikit-learn draw it for estimator {estimator}",
                sought.seed
            ),
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
