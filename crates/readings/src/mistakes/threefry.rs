//! Threefry2x32.

use super::mistake::mistakes;
use crate::answers::{Injection, Parity, Rotations, RoundMix, ThreefryCarry, ThreefryRounds, WordOrder};

const LOW: &str = "put the low half of a 64-bit number into the first word";
const INJECT: &str = "add the next two key words and the number of the injection before the first round and after every fourth";

mistakes! {
    clause: "shlo.threefry.rounds", erratum: None, fix: "run 20 rounds" => {
        "threefry-rounds-13": "a block of Threefry takes 13 rounds, the fewest that pass the tests of its authors",
            |r| r.threefry.rounds = ThreefryRounds(13);
        "threefry-rounds-19": "a block of Threefry takes 19 rounds: the loop ends one early",
            |r| r.threefry.rounds = ThreefryRounds(19);
    }
    clause: "shlo.threefry.key", erratum: None, fix: "mix 1bd11bda into the third key word" => {
        "threefry-parity-forgotten": "the third key word of Threefry is the other two without the constant",
            |r| r.threefry.parity = Parity::Nothing;
        "threefry-parity-skein-1-0": "the third key word of Threefry has the constant of the first version of Skein",
            |r| r.threefry.parity = Parity::Skein1_0;
    }
    clause: "shlo.threefry.rotations", erratum: None,
    fix: "rotate by 13, 15, 26, 6, then by 17, 29, 16, 24" => {
        "threefry-rotations-exchanged": "the rotations of the second four rounds come first",
            |r| r.threefry.rotations = Rotations::Exchanged;
        "threefry-rotations-first-four": "every group of rounds rotates as the first does",
            |r| r.threefry.rotations = Rotations::FirstFour;
    }
    clause: "shlo.threefry.round", erratum: None, fix: "rotate to the left" => {
        "threefry-rotates-right": "the words of Threefry rotate to the right",
            |r| r.threefry.rotations = Rotations::Right;
    }
    clause: "shlo.threefry.round", erratum: None, fix: "rotate the second word, then mix it with the sum" => {
        "threefry-mixed-first": "a round of Threefry mixes before it rotates",
            |r| r.threefry.mix = RoundMix::MixedFirst;
    }
    clause: "shlo.threefry.inject", erratum: None, fix: INJECT => {
        "threefry-injection-uncounted": "the key is injected without the number of the injection",
            |r| r.threefry.injection = Injection::Uncounted;
        "threefry-injection-not-before": "the key is not added before the first round",
            |r| r.threefry.injection = Injection::NotBefore;
        "threefry-injection-not-after": "the key is not added after the last round",
            |r| r.threefry.injection = Injection::NotAfter;
        "threefry-injection-unrotated": "the same two key words are added each time",
            |r| r.threefry.injection = Injection::Unrotated;
    }
    clause: "shlo.threefry.key", erratum: None, fix: LOW => {
        "threefry-key-halves-exchanged": "the high half of the key is Threefry's first key word",
            |r| r.threefry.key_order = WordOrder::HighFirst;
    }
    clause: "shlo.threefry.counter", erratum: None, fix: LOW => {
        "threefry-counter-halves-exchanged": "the high half of the counter is Threefry's first word",
            |r| r.threefry.counter_order = WordOrder::HighFirst;
    }
    clause: "shlo.threefry.counter", erratum: None, fix: "add to the counter as one 64-bit number" => {
        "threefry-carry-lost-32": "the carry out of the first word of Threefry's counter is lost",
            |r| r.threefry.carry = ThreefryCarry::LostAt32;
    }
}
