//! DirectML's RandomGenerator.

use super::{Mistake, mistake};
use crate::answers::{Increment, KeyAfter, OutputBits, StateLayout, StateShape};

const ORDER: &str = "read four counter words, the least significant first, then the key, low word first";
const CEIL: &str = "raise the counter by ceil(n / 4)";
const KEY: &str = "copy the key as it came";

pub(super) const MISTAKES: &[Mistake] = &[
    mistake(
        "dml-counter-high-first",
        "dml.state.layout",
        "dml.counter.word-order",
        "the counter's most significant word is read and written first",
        ORDER,
        |r| r.dml.state_layout = StateLayout::CounterHighFirst,
    ),
    mistake(
        "dml-key-high-first",
        "dml.state.layout",
        "",
        "the key's high word is read first",
        ORDER,
        |r| r.dml.state_layout = StateLayout::KeyHighFirst,
    ),
    mistake(
        "dml-key-first",
        "dml.state.layout",
        "",
        "the key is read before the counter",
        ORDER,
        |r| r.dml.state_layout = StateLayout::KeyFirst,
    ),
    mistake(
        "dml-state-not-advanced",
        "dml.state.output",
        "",
        "the state comes out as it came in",
        CEIL,
        |r| r.dml.increment = Increment::Nothing,
    ),
    mistake(
        "dml-advanced-by-n",
        "dml.counter.increment",
        "",
        "the counter is raised by n, not by ceil(n / 4)",
        CEIL,
        |r| r.dml.increment = Increment::Elements,
    ),
    mistake(
        "dml-advanced-by-one",
        "dml.counter.increment",
        "",
        "the counter is raised by one for a run",
        CEIL,
        |r| r.dml.increment = Increment::One,
    ),
    mistake(
        "leftover-words-reused",
        "dml.output.tail-discarded",
        "dml.output.tail",
        "the counter is raised by floor(n / 4), so that the next run draws the last block again",
        CEIL,
        |r| r.dml.increment = Increment::FloorQuarter,
    ),
    mistake(
        "dml-counter-lowered",
        "dml.counter.increment",
        "dml.counter.example",
        "the counter falls, as the documents' example has it",
        CEIL,
        |r| r.dml.increment = Increment::Lowered,
    ),
    mistake(
        "dml-key-raised",
        "dml.state.key-unchanged",
        "",
        "the key of the last round is written into the state",
        KEY,
        |r| r.dml.key_after = KeyAfter::Raised,
    ),
    mistake(
        "dml-key-advanced",
        "dml.state.key-unchanged",
        "",
        "the key grows by one with each run",
        KEY,
        |r| r.dml.key_after = KeyAfter::Incremented,
    ),
    mistake(
        "dml-state-rank-4",
        "dml.state.output",
        "dml.state.same-sizes",
        "the state comes out with four dimensions, whatever it came in with",
        "give the state the sizes of the input state",
        |r| r.dml.state_shape = StateShape::Rank4,
    ),
    mistake(
        "dml-31-bits",
        "dml.output.bits",
        "",
        "words lose their last bit",
        "hand out all 32 bits",
        |r| r.dml.output_bits = OutputBits::High31,
    ),
];
