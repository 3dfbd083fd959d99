//! TensorFlow's stateless ops.

use super::mistake::Mistake;
use crate::answers::{
    AutoAlgorithm, CounterLength, CounterUse, EmptyRange, FullBits, FullWords, NothingToDraw, Scrambled,
    SeedBits, SeedOrder, ThreeFryAlgorithm, WordOrder,
};

const COUNTER: &str = "take the counter's first number for its low half and the second for its high half";
const SEED: &str = "take all 64 bits of each number, a narrow one with its sign";
const SCRAMBLE: &str =
    "make the key of the block's first two words, and the counter's high half of its last two";

pub(super) const MISTAKES: &[Mistake] = &[
    Mistake {
        id: "tfs-key-halves-exchanged",
        clause: "tfsu.key.form",
        erratum: None,
        sentence: "the high half of the key is the first key word",
        fix: "put the low half of the key into the first key word",
        apply: |r| r.stateless.key_order = WordOrder::HighFirst,
    },
    Mistake {
        id: "tfs-counter-halves-exchanged",
        clause: "tfsu.counter.form",
        erratum: None,
        sentence: "the counter's first number is its high half",
        fix: COUNTER,
        apply: |r| r.stateless.counter_order = WordOrder::HighFirst,
    },
    Mistake {
        id: "tfs-counter-high-ignored",
        clause: "tfsu.counter.form",
        erratum: None,
        sentence: "the counter's second number is ignored",
        fix: COUNTER,
        apply: |r| r.stateless.counter = CounterUse::LowAlone,
    },
    Mistake {
        id: "tfs-counter-ignored",
        clause: "tfsu.stream",
        erratum: None,
        sentence: "every stream begins with the counter zero",
        fix: COUNTER,
        apply: |r| r.stateless.counter = CounterUse::Neither,
    },
    Mistake {
        id: "tfs-counter-longer-refused",
        clause: "tfsu.counter.form",
        erratum: Some("tfsu.counter.length"),
        sentence: "a counter of more than two numbers is refused",
        fix: "ignore what follows the counter's second number",
        apply: |r| r.stateless.counter_length = CounterLength::TwoAlone,
    },
    Mistake {
        id: "tfs-three-fry-drawn",
        clause: "tfsu.algorithm",
        erratum: Some("tfsu.algorithm.three-fry"),
        sentence: "ThreeFry draws as XLA does",
        fix: "refuse ThreeFry, unless it is XLA that is followed",
        apply: |r| r.stateless.three_fry = ThreeFryAlgorithm::Drawn,
    },
    Mistake {
        id: "tfs-auto-refused",
        clause: "tfsu.algorithm",
        erratum: Some("tfsu.algorithm.auto"),
        sentence: "the algorithm 3, which leaves the choice to the device, is refused",
        fix: "take Philox for 3",
        apply: |r| r.stateless.auto = AutoAlgorithm::Refused,
    },
    Mistake {
        id: "tfs-empty-looked-at",
        clause: "tfsu.empty",
        erratum: Some("tfsu.empty.unchecked"),
        sentence: "algorithm and range are checked where there is nothing to draw",
        fix: "give an empty output without a look at algorithm and range",
        apply: |r| r.stateless.empty_output = NothingToDraw::Both,
    },
    Mistake {
        id: "tfs-empty-range-wraps",
        clause: "tfsi.bounds.less",
        erratum: Some("tfsi.range.empty"),
        sentence: "a range whose minval is not less than its maxval wraps",
        fix: "refuse such a range",
        apply: |r| r.stateless.empty_range = EmptyRange::Wraps,
    },
    Mistake {
        id: "tfs-empty-range-minimum",
        clause: "tfsi.bounds.less",
        erratum: Some("tfsi.range.empty"),
        sentence: "a range whose minval is not less than its maxval gives minval",
        fix: "refuse such a range",
        apply: |r| r.stateless.empty_range = EmptyRange::Minimum,
    },
    Mistake {
        id: "tfs-full-without-sign",
        clause: "tfsf.bits",
        erratum: None,
        sentence: "an integer of all bits never is negative: its highest bit is cleared",
        fix: "give all bits of the word",
        apply: |r| r.stateless.full_bits = FullBits::WithoutSign,
    },
    Mistake {
        id: "tfs-full-one-word",
        clause: "tfsf.bits",
        erratum: None,
        sentence: "a 64-bit integer of all bits takes one word",
        fix: "make a 64-bit integer of two words",
        apply: |r| r.stateless.full_words = FullWords::One,
    },
    Mistake {
        id: "tfs-full-high-first",
        clause: "tfsf.bits",
        erratum: Some("tfsf.word-order"),
        sentence: "the first word of a 64-bit integer of all bits is its high half",
        fix: "put the first word into the low half",
        apply: |r| r.stateless.full_order = WordOrder::HighFirst,
    },
    Mistake {
        id: "tfkc-seed-32",
        clause: "tfkc.seed.extended",
        erratum: Some("tfkc.seed.width"),
        sentence: "only the low 32 bits of the seed's numbers arrive, as in XLA",
        fix: SEED,
        apply: |r| r.stateless.seed_bits = SeedBits::Low32,
    },
    Mistake {
        id: "tfkc-seed-zero-extended",
        clause: "tfkc.seed.extended",
        erratum: Some("tfkc.seed.width"),
        sentence: "a narrow number of a seed is extended by zeros",
        fix: SEED,
        apply: |r| r.stateless.seed_bits = SeedBits::ZeroExtended,
    },
    Mistake {
        id: "tfkc-seeds-exchanged",
        clause: "tfkc.scramble.counter",
        erratum: None,
        sentence: "the seed's first number is the high half of the block's counter",
        fix: "put the seed's first number into the low half",
        apply: |r| r.stateless.seed_order = SeedOrder::SecondLow,
    },
    Mistake {
        id: "tfkc-key-from-last-words",
        clause: "tfkc.key",
        erratum: None,
        sentence: "the last two words of the block are the key",
        fix: SCRAMBLE,
        apply: |r| r.stateless.scrambled = Scrambled::HighThenKey,
    },
    Mistake {
        id: "tfkc-counter-in-low-half",
        clause: "tfkc.counter",
        erratum: None,
        sentence: "the last two words of the block are the counter's low half",
        fix: SCRAMBLE,
        apply: |r| r.stateless.scrambled = Scrambled::KeyThenLow,
    },
];
