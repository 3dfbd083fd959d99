//! The counter, and which element takes which word.

use super::mistake::mistakes;
use crate::answers::{Carry, FirstBlock, Layout, Placement, Wrap};

const IN_ORDER: &str = "derive block and word from the flat element index alone: element i of a one-word type is word i mod 4 of block i / 4";

mistakes! {
    clause: "ru8.seeds.key-counter", erratum: None,
    fix: "put the block index into the low 64 bits and op_seed into the high 64 bits" => {
        "block-above-op-seed": "the counter's halves are exchanged: the block index stands in the high half, op_seed or what a state has there in the low half",
            |r| r.stream.placement = Placement::BlockHigh;
        "block-added-to-op-seed": "the block index is added to op_seed in the low half of the counter",
            |r| r.stream.placement = Placement::Added;
    }
    clause: "dml.counter.carry", erratum: None, fix: "add to the counter as one 128-bit number" => {
        "carry-lost-32": "the carry out of the counter's first word is lost",
            |r| r.stream.carry = Carry::LostAt32;
        "carry-lost-64": "the carry out of the counter's low 64 bits is lost",
            |r| r.stream.carry = Carry::LostAt64;
        "carry-lost-96": "the carry into the counter's last word is lost",
            |r| r.stream.carry = Carry::LostAt96;
    }
    clause: "dml.counter.carry", erratum: Some("dml.counter.wrap"), fix: "let the 128-bit addition wrap" => {
        "counter-sticks": "the counter stays at its largest value when it should wrap to zero",
            |r| r.stream.wrap = Wrap::Sticks;
    }
    clause: "ru8.philox.block", erratum: None,
    fix: "make the first block of the counter as it is, and raise it afterwards" => {
        "pre-increment": "the counter is raised before the first block",
            |r| r.stream.first_block = FirstBlock::Next;
    }
    clause: "ru8.philox.block", erratum: None, fix: IN_ORDER => {
        "stride-4": "four blocks are computed side by side and stored word by word",
            |r| r.stream.layout = Layout::Lanes(4);
        "lanes": "the blocks of a vector are stored word by word without transposing them back",
            |r| r.stream.layout = Layout::Lanes(8);
        "by-thread": "the blocks of a warp are stored word by word, a thread's elements a warp apart",
            |r| r.stream.layout = Layout::Lanes(32);
        "grid-stride": "every thread has a subsequence of its own and strides over the output, so that the values depend on the launch",
            |r| r.stream.layout = Layout::GridStride(256);
        "workgroup": "every workgroup has a subsequence of its own",
            |r| r.stream.layout = Layout::Workgroup(256);
    }
    clause: "ru8.philox.block", erratum: None, fix: "begin each chunk at the block of its first element" => {
        "chunk-restart": "every chunk of the output begins again at the first block",
            |r| r.stream.layout = Layout::ChunkRestart(1024);
    }
    clause: "ru8.philox.block", erratum: None, fix: "begin the tail at the block of its first element" => {
        "tail-restart": "the elements after the last whole vector begin again at the first block",
            |r| r.stream.layout = Layout::TailRestart(8);
    }
    clause: "ru8.philox.block", erratum: None,
    fix: "take the first words of the last block and drop the others" => {
        "tail-from-end": "the elements of a last partial block take its last words",
            |r| r.stream.layout = Layout::TailFromEnd;
    }
    clause: "ru8.philox.block", erratum: None, fix: IN_ORDER => {
        "element-per-block": "every element has a block of its own, whose other words are dropped",
            |r| r.stream.layout = Layout::ElementPerBlock;
    }
    clause: "ru8.philox.block", erratum: None, fix: "make two elements of a block's four words" => {
        "pair-per-block": "an element of two words has a block of its own, whose other two words are dropped",
            |r| r.stream.layout = Layout::PairPerBlock;
    }
    clause: "ru8.philox.block", erratum: None, fix: IN_ORDER => {
        "planar": "the first words of all blocks come out before the second words",
            |r| r.stream.layout = Layout::Planar;
    }
    clause: "ru8.philox.block", erratum: None, fix: "take neighbouring words: 0 and 1, then 2 and 3" => {
        "interleaved-pairs": "an element of two words takes words 0 and 2, or 1 and 3",
            |r| r.stream.layout = Layout::InterleavedPairs;
    }
}
