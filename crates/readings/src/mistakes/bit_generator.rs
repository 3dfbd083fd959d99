//! StableHLO's rng_bit_generator.

use super::mistake::mistakes;
use crate::answers::{
    DefaultAlgorithm, DrawCarry, EmptyDraw, FloatOutput, HalfDimension, HighHalf, NarrowBits, PairOrder,
    ScalarWord, StateCarry, StateGrowth, StateRoles, ThirdWord, ThreeFryState, WideWords, WordOrder,
};

const STATE: &str = "take the first word for the key and the others for the counter, its low word first";
const GROW: &str = "add the number of blocks drawn: ceil(words / 4) of PHILOX, and of THREE_FRY one for each pair or 64-bit element";
const HALF: &str = "halve the first even dimension, or the first of the greatest if none is even";
const BESIDE: &str = "lay the two words of a pair beside each other along the halved dimension";
const CARRY: &str = "add the number of the block to key and counter as to one 128-bit number";
const LOWBITS: &str = "give each element of up to 32 bits the low bits of a word of its own";

mistakes! {
    clause: "shlo.algorithm.default", erratum: Some("shlo.algorithm.default"),
    fix: "take PHILOX for DEFAULT" => {
        "shlo-default-three-fry": "DEFAULT is THREE_FRY",
            |r| r.bit_generator.default = DefaultAlgorithm::ThreeFry;
    }
    clause: "shlo.state.words", erratum: Some("shlo.state.words"), fix: STATE => {
        "shlo-counter-before-key": "the state is read and written with its counter before its key",
            |r| r.bit_generator.state_roles = StateRoles::CounterFirst;
        "shlo-counter-words-exchanged": "the third word of a state is the counter's low word",
            |r| r.bit_generator.third_word = ThirdWord::Low;
    }
    clause: "shlo.state.words", erratum: Some("shlo.state.sizes"), fix: STATE => {
        "shlo-third-word-ignored": "the third word of a state is ignored and handed back as it came",
            |r| r.bit_generator.third_word = ThirdWord::Ignored;
    }
    clause: "shlo.state.form", erratum: Some("shlo.state.sizes"),
    fix: "refuse a third word for THREE_FRY" => {
        "shlo-three-fry-third-word-accepted": "THREE_FRY takes a state of three words",
            |r| r.bit_generator.three_fry_state = ThreeFryState::TwoOrThree;
    }
    clause: "shlo.philox.key-in-counter", erratum: Some("shlo.philox.key-in-counter"),
    fix: "put the key into the high half of the counter" => {
        "shlo-key-not-in-counter": "the high half of Philox's counter is zero where the state has one word of counter",
            |r| r.bit_generator.high_half = HighHalf::Zero;
    }
    clause: "shlo.philox.carry", erratum: Some("shlo.philox.carry"), fix: CARRY => {
        "shlo-draw-carry-lost": "a counter of one word that wraps while blocks are drawn carries nothing",
            |r| r.bit_generator.draw_carry = DrawCarry::Lost;
    }
    clause: "shlo.state.carry", erratum: Some("shlo.state.carry"), fix: "copy the key as it came" => {
        "shlo-state-carry-into-key": "the key of the state after the draw grows by the carry of the counter",
            |r| r.bit_generator.state_carry = StateCarry::IntoKey;
    }
    clause: "shlo.state.carry", erratum: Some("shlo.state.carry"),
    fix: "add to a counter of two words as to one 128-bit number" => {
        "shlo-state-carry-lost": "the third word of the state after the draw does not grow by the carry of the second",
            |r| r.bit_generator.state_carry = StateCarry::Nowhere;
    }
    clause: "shlo.state.after", erratum: None, fix: GROW => {
        "shlo-state-whole-blocks": "the state does not count a last block whose words are not all used",
            |r| r.bit_generator.growth = StateGrowth::WholeBlocks;
        "shlo-state-by-elements": "the state grows by the number of elements",
            |r| r.bit_generator.growth = StateGrowth::Elements;
        "shlo-state-by-words": "the state grows by the number of words",
            |r| r.bit_generator.growth = StateGrowth::Words;
        "shlo-state-by-one": "the state grows by one, whatever is drawn",
            |r| r.bit_generator.growth = StateGrowth::One;
        "shlo-state-unchanged": "the state is handed back as it came",
            |r| r.bit_generator.growth = StateGrowth::Nothing;
    }
    clause: "shlo.state.after", erratum: Some("shlo.state.empty"),
    fix: "leave the state alone if there are no elements" => {
        "shlo-empty-draws-a-block": "an output without elements raises the counter by one",
            |r| r.bit_generator.empty = EmptyDraw::OneBlock;
    }
    clause: "shlo.bits.narrow", erratum: Some("shlo.bits.narrow"), fix: LOWBITS => {
        "shlo-narrow-high-bits": "elements of 8 and 16 bits have the high bits of a word",
            |r| r.bit_generator.narrow = NarrowBits::High;
        "shlo-narrow-packed": "a word of Philox makes two elements of 16 bits, or four of 8",
            |r| r.bit_generator.narrow = NarrowBits::Packed;
    }
    clause: "shlo.bits.wide", erratum: None, fix: "make an element of 64 bits of two words" => {
        "shlo-wide-one-word": "an element of 64 bits has one word, and zeros above",
            |r| r.bit_generator.wide_words = WideWords::One;
    }
    clause: "shlo.bits.wide", erratum: Some("shlo.bits.word-order"),
    fix: "put the first word into the low half" => {
        "shlo-wide-high-first": "the first word of an element of 64 bits is its high half",
            |r| r.bit_generator.wide_order = WordOrder::HighFirst;
    }
    clause: "shlo.bits.raw", erratum: Some("shlo.bits.float"),
    fix: "give floats the bits of the unsigned type of their width" => {
        "shlo-float-uniform": "floating-point elements are numbers between 0 and 1",
            |r| r.bit_generator.floats = FloatOutput::Uniform;
    }
    clause: "shlo.threefry.half-shape", erratum: Some("shlo.threefry.half-shape"), fix: HALF => {
        "shlo-half-last-even": "THREE_FRY halves the last even dimension",
            |r| r.bit_generator.half_dimension = HalfDimension::LastEven;
        "shlo-half-first-of-odd": "THREE_FRY halves the first dimension if none is even",
            |r| r.bit_generator.half_dimension = HalfDimension::FirstEvenOrFirst;
        "shlo-half-last-of-greatest": "THREE_FRY halves the last of the greatest dimensions if none is even",
            |r| r.bit_generator.half_dimension = HalfDimension::LastGreatest;
        "shlo-half-greatest": "THREE_FRY halves the greatest dimension, even or not",
            |r| r.bit_generator.half_dimension = HalfDimension::Greatest;
        "shlo-half-first": "THREE_FRY halves the first dimension, even or not",
            |r| r.bit_generator.half_dimension = HalfDimension::First;
        "shlo-half-last": "THREE_FRY halves the last dimension, even or not",
            |r| r.bit_generator.half_dimension = HalfDimension::Last;
    }
    clause: "shlo.threefry.interleaved", erratum: Some("shlo.threefry.half-shape"), fix: BESIDE => {
        "shlo-pairs-concatenated": "the first words of the pairs fill one half of the halved dimension, the second words the other: they are not interleaved",
            |r| r.bit_generator.pair_order = PairOrder::Concatenated;
    }
    clause: "shlo.threefry.half-shape", erratum: Some("shlo.threefry.half-shape"), fix: BESIDE => {
        "shlo-pairs-flat": "the words of THREE_FRY follow one another in row-major order, whatever the shape",
            |r| r.bit_generator.pair_order = PairOrder::Flat;
        "shlo-pairs-flat-halves": "the first words of all pairs fill the first half of the elements and the second words the rest, as JAX's threefry2x32 does",
            |r| r.bit_generator.pair_order = PairOrder::FlatHalves;
    }
    clause: "shlo.threefry.interleaved", erratum: None, fix: BESIDE => {
        "shlo-pairs-reversed": "the second word of each pair comes before the first",
            |r| r.bit_generator.pair_order = PairOrder::Reversed;
    }
    clause: "shlo.threefry.scalar", erratum: Some("shlo.threefry.scalar"),
    fix: "give a scalar the first word" => {
        "shlo-scalar-second-word": "a scalar takes the second word of the pair",
            |r| r.bit_generator.scalar = ScalarWord::Second;
    }
}
