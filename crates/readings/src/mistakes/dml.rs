//! DirectML's RandomGenerator.

use super::mistake::Mistake;
use crate::answers::{Increment, KeyAfter, OutputBits, StateLayout, StateShape};

const ORDER: &str = "read four counter words, the least significant first, then the key, low word first";
const CEIL: &str = "raise the counter by ceil(n / 4)";
const KEY: &str = "copy the key as it came";

pub(super) const MISTAKES: &[Mistake] = &[
    Mistake {
        id: "dml-counter-high-first",
        clause: "dml.state.layout",
        erratum: Some("dml.counter.word-order"),
        sentence: "the counter's most significant word is read and written first",
        fix: ORDER,
        apply: |r| r.dml.state_layout = StateLayout::CounterHighFirst,
    },
    Mistake {
        id: "dml-counter-halves-exchanged",
        clause: "dml.state.layout",
        erratum: None,
        sentence: "the counter's high half is read and written before its low half",
        fix: ORDER,
        apply: |r| r.dml.state_layout = StateLayout::CounterHalvesExchanged,
    },
    Mistake {
        id: "dml-key-high-first",
        clause: "dml.state.layout",
        erratum: None,
        sentence: "the key's high word is read first",
        fix: ORDER,
        apply: |r| r.dml.state_layout = StateLayout::KeyHighFirst,
    },
    Mistake {
        id: "dml-key-first",
        clause: "dml.state.layout",
        erratum: None,
        sentence: "the key is read before the counter",
        fix: ORDER,
        apply: |r| r.dml.state_layout = StateLayout::KeyFirst,
    },
    Mistake {
        id: "dml-state-bytes-reversed",
        clause: "dml.state.layout",
        erratum: None,
        sentence: "the four bytes of each word of the state are read and written in reverse",
        fix: "read and write words in the machine's own byte order",
        apply: |r| r.dml.state_layout = StateLayout::BytesReversed,
    },
    Mistake {
        id: "dml-state-not-advanced",
        clause: "dml.state.output",
        erratum: None,
        sentence: "the state comes out as it came in",
        fix: CEIL,
        apply: |r| r.dml.increment = Increment::Nothing,
    },
    Mistake {
        id: "dml-advanced-by-n",
        clause: "dml.counter.increment",
        erratum: None,
        sentence: "the counter is raised by n, not by ceil(n / 4)",
        fix: CEIL,
        apply: |r| r.dml.increment = Increment::Elements,
    },
    Mistake {
        id: "dml-advanced-by-one",
        clause: "dml.counter.increment",
        erratum: None,
        sentence: "the counter is raised by one for a run",
        fix: CEIL,
        apply: |r| r.dml.increment = Increment::One,
    },
    Mistake {
        id: "leftover-words-reused",
        clause: "dml.output.tail-discarded",
        erratum: Some("dml.output.tail"),
        sentence: "the counter is raised by floor(n / 4), so that the next run draws the last block again",
        fix: CEIL,
        apply: |r| r.dml.increment = Increment::FloorQuarter,
    },
    Mistake {
        id: "dml-counter-lowered",
        clause: "dml.counter.increment",
        erratum: Some("dml.counter.example"),
        sentence: "the counter falls, as the documents' example has it",
        fix: CEIL,
        apply: |r| r.dml.increment = Increment::Lowered,
    },
    Mistake {
        id: "dml-key-raised",
        clause: "dml.state.key-unchanged",
        erratum: None,
        sentence: "the key of the last round is written into the state",
        fix: KEY,
        apply: |r| r.dml.key_after = KeyAfter::Raised,
    },
    Mistake {
        id: "dml-key-advanced",
        clause: "dml.state.key-unchanged",
        erratum: None,
        sentence: "the key grows by one with each run",
        fix: KEY,
        apply: |r| r.dml.key_after = KeyAfter::Incremented,
    },
    Mistake {
        id: "dml-state-rank-4",
        clause: "dml.state.output",
        erratum: Some("dml.state.same-sizes"),
        sentence: "the state comes out with four dimensions, whatever it came in with",
        fix: "give the state the sizes of the input state",
        apply: |r| r.dml.state_shape = StateShape::Rank4,
    },
    Mistake {
        id: "dml-31-bits",
        clause: "dml.output.bits",
        erratum: None,
        sentence: "words lose their last bit",
        fix: "hand out all 32 bits",
        apply: |r| r.dml.output_bits = OutputBits::High31,
    },
];
