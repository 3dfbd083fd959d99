//! TensorFlow's stateless ops.

use super::mistake::mistakes;
use crate::answers::{
    AutoAlgorithm, CounterLength, CounterUse, EmptyRange, FullBits, FullWords, NothingToDraw, Scrambled,
    SeedBits, SeedOrder, ThreeFryAlgorithm, WordOrder,
};

const COUNTER: &str = "take the counter's first number for its low half and the second for its high half";
const SEED: &str = "take all 64 bits of each number, a narrow one with its sign";
const SCRAMBLE: &str =
    "make the key of the block's first two words, and the counter's high half of its last two";

mistakes! {
    clause: "tfsu.key.form", erratum: None, fix: "put the low half of the key into the first key word" => {
        "tfs-key-halves-exchanged": "the high half of the key is the first key word",
            |r| r.stateless.key_order = WordOrder::HighFirst;
    }
    clause: "tfsu.counter.form", erratum: None, fix: COUNTER => {
        "tfs-counter-halves-exchanged": "the counter's first number is its high half",
            |r| r.stateless.counter_order = WordOrder::HighFirst;
        "tfs-counter-high-ignored": "the counter's second number is ignored",
            |r| r.stateless.counter = CounterUse::LowAlone;
    }
    clause: "tfsu.stream", erratum: None, fix: COUNTER => {
        "tfs-counter-ignored": "every stream begins with the counter zero",
            |r| r.stateless.counter = CounterUse::Neither;
    }
    clause: "tfsu.counter.form", erratum: Some("tfsu.counter.length"),
    fix: "ignore what follows the counter's second number" => {
        "tfs-counter-longer-refused": "a counter of more than two numbers is refused",
            |r| r.stateless.counter_length = CounterLength::TwoAlone;
    }
    clause: "tfsu.algorithm", erratum: Some("tfsu.algorithm.three-fry"),
    fix: "refuse ThreeFry, unless it is XLA that is followed" => {
        "tfs-three-fry-drawn": "ThreeFry draws as XLA does",
            |r| r.stateless.three_fry = ThreeFryAlgorithm::Drawn;
    }
    clause: "tfsu.algorithm", erratum: Some("tfsu.algorithm.auto"), fix: "take Philox for 3" => {
        "tfs-auto-refused": "the algorithm 3, which leaves the choice to the device, is refused",
            |r| r.stateless.auto = AutoAlgorithm::Refused;
    }
    clause: "tfsu.empty", erratum: Some("tfsu.empty.unchecked"),
    fix: "give an empty output without a look at algorithm and range" => {
        "tfs-empty-looked-at": "algorithm and range are checked where there is nothing to draw",
            |r| r.stateless.empty_output = NothingToDraw::Both;
    }
    clause: "tfsi.bounds.less", erratum: Some("tfsi.range.empty"), fix: "refuse such a range" => {
        "tfs-empty-range-wraps": "a range whose minval is not less than its maxval wraps",
            |r| r.stateless.empty_range = EmptyRange::Wraps;
        "tfs-empty-range-minimum": "a range whose minval is not less than its maxval gives minval",
            |r| r.stateless.empty_range = EmptyRange::Minimum;
    }
    clause: "tfsf.bits", erratum: None, fix: "give all bits of the word" => {
        "tfs-full-without-sign": "an integer of all bits never is negative: its highest bit is cleared",
            |r| r.stateless.full_bits = FullBits::WithoutSign;
    }
    clause: "tfsf.bits", erratum: None, fix: "make a 64-bit integer of two words" => {
        "tfs-full-one-word": "a 64-bit integer of all bits takes one word",
            |r| r.stateless.full_words = FullWords::One;
    }
    clause: "tfsf.bits", erratum: Some("tfsf.word-order"), fix: "put the first word into the low half" => {
        "tfs-full-high-first": "the first word of a 64-bit integer of all bits is its high half",
            |r| r.stateless.full_order = WordOrder::HighFirst;
    }
    clause: "tfkc.seed.extended", erratum: Some("tfkc.seed.width"), fix: SEED => {
        "tfkc-seed-32": "only the low 32 bits of the seed's numbers arrive, as in XLA",
            |r| r.stateless.seed_bits = SeedBits::Low32;
        "tfkc-seed-zero-extended": "a narrow number of a seed is extended by zeros",
            |r| r.stateless.seed_bits = SeedBits::ZeroExtended;
    }
    clause: "tfkc.scramble.counter", erratum: None, fix: "put the seed's first number into the low half" => {
        "tfkc-seeds-exchanged": "the seed's first number is the high half of the block's counter",
            |r| r.stateless.seed_order = SeedOrder::SecondLow;
    }
    clause: "tfkc.key", erratum: None, fix: SCRAMBLE => {
        "tfkc-key-from-last-words": "the last two words of the block are the key",
            |r| r.stateless.scrambled = Scrambled::HighThenKey;
    }
    clause: "tfkc.counter", erratum: None, fix: SCRAMBLE => {
        "tfkc-counter-in-low-half": "the last two words of the block are the counter's low half",
            |r| r.stateless.scrambled = Scrambled::KeyThenLow;
    }
}
