//! DirectML's RandomGenerator.

use super::mistake::mistakes;
use crate::answers::{Increment, KeyAfter, OutputBits, StateLayout, StateShape};

const ORDER: &str = "read four counter words, the least significant first, then the key, low word first";
const CEIL: &str = "raise the counter by ceil(n / 4)";
const KEY: &str = "copy the key as it came";

mistakes! {
    clause: "dml.state.layout", erratum: Some("dml.counter.word-order"), fix: ORDER => {
        "dml-counter-high-first": "the counter's most significant word is read and written first",
            |r| r.dml.state_layout = StateLayout::CounterHighFirst;
    }
    clause: "dml.state.layout", erratum: None, fix: ORDER => {
        "dml-counter-halves-exchanged": "the counter's high half is read and written before its low half",
            |r| r.dml.state_layout = StateLayout::CounterHalvesExchanged;
        "dml-key-high-first": "the key's high word is read first",
            |r| r.dml.state_layout = StateLayout::KeyHighFirst;
        "dml-key-first": "the key is read before the counter",
            |r| r.dml.state_layout = StateLayout::KeyFirst;
    }
    clause: "dml.state.layout", erratum: None,
    fix: "read and write words in the machine's own byte order" => {
        "dml-state-bytes-reversed": "the four bytes of each word of the state are read and written in reverse",
            |r| r.dml.state_layout = StateLayout::BytesReversed;
    }
    clause: "dml.state.output", erratum: None, fix: CEIL => {
        "dml-state-not-advanced": "the state comes out as it came in",
            |r| r.dml.increment = Increment::Nothing;
    }
    clause: "dml.counter.increment", erratum: None, fix: CEIL => {
        "dml-advanced-by-n": "the counter is raised by n, not by ceil(n / 4)",
            |r| r.dml.increment = Increment::Elements;
        "dml-advanced-by-one": "the counter is raised by one for a run",
            |r| r.dml.increment = Increment::One;
    }
    clause: "dml.output.tail-discarded", erratum: Some("dml.output.tail"), fix: CEIL => {
        "leftover-words-reused": "the counter is raised by floor(n / 4), so that the next run draws the last block again",
            |r| r.dml.increment = Increment::FloorQuarter;
    }
    clause: "dml.counter.increment", erratum: Some("dml.counter.example"), fix: CEIL => {
        "dml-counter-lowered": "the counter falls, as the documents' example has it",
            |r| r.dml.increment = Increment::Lowered;
    }
    clause: "dml.state.key-unchanged", erratum: None, fix: KEY => {
        "dml-key-raised": "the key of the last round is written into the state",
            |r| r.dml.key_after = KeyAfter::Raised;
        "dml-key-advanced": "the key grows by one with each run",
            |r| r.dml.key_after = KeyAfter::Incremented;
    }
    clause: "dml.state.output", erratum: Some("dml.state.same-sizes"),
    fix: "give the state the sizes of the input state" => {
        "dml-state-rank-4": "the state comes out with four dimensions, whatever it came in with",
            |r| r.dml.state_shape = StateShape::Rank4;
    }
    clause: "dml.output.bits", erratum: None, fix: "hand out all 32 bits" => {
        "dml-31-bits": "words lose their last bit",
            |r| r.dml.output_bits = OutputBits::High31;
    }
}
