//! The block function.

use super::mistake::mistakes;
use crate::answers::{
    Halves, KeyRaise, KeyWords, Mixing, MulHigh, Multipliers, Product, ResultOrder, Rounds, Weyl,
};

mistakes! {
    clause: "ru8.philox.rounds", erratum: None, fix: "run 10 rounds" => {
        "rounds-7": "a block takes 7 rounds",
            |r| r.philox.rounds = Rounds(7);
        "rounds-9": "a block takes 9 rounds: the loop ends one early",
            |r| r.philox.rounds = Rounds(9);
        "rounds-11": "a block takes 11 rounds: the loop ends one late",
            |r| r.philox.rounds = Rounds(11);
    }
    clause: "ru8.philox.mul", erratum: None,
    fix: "multiply the low word of n by d2511f53 and the low word of the counter by cd9e8d57" => {
        "multipliers-exchanged": "the two multipliers are exchanged",
            |r| r.philox.multipliers = Multipliers::Exchanged;
        "multiplier-2x32": "both words are multiplied by the multiplier of Philox2x32",
            |r| r.philox.multipliers = Multipliers::Philox2x32;
    }
    clause: "ru8.philox.mul", erratum: None,
    fix: "widen both factors as unsigned numbers before multiplying" => {
        "mulhi-signed": "the high half of a product is that of signed numbers",
            |r| r.philox.mul_high = MulHigh::Signed;
    }
    clause: "ru8.philox.mul", erratum: None, fix: "widen both factors to 64 bits before multiplying" => {
        "mulhi-narrow": "the product is cut to 32 bits before its high half is taken, which is then zero",
            |r| r.philox.mul_high = MulHigh::Narrow;
    }
    clause: "ru8.philox.round", erratum: None,
    fix: "mix the high half into the low word, and let the low half become the high word" => {
        "product-halves-exchanged": "the low half of a product is mixed and the high half handed on",
            |r| r.philox.product = Product::LowMixed;
    }
    clause: "ru8.philox.round", erratum: Some("ru8.philox.halves-cross"),
    fix: "let the halves cross: n takes the counter's product, the counter takes that of n" => {
        "halves-straight": "n is renewed from its own product and the counter from its own, as the text has it",
            |r| r.philox.halves = Halves::Straight;
    }
    clause: "ru8.philox.round", erratum: Some("ru8.philox.key-words"),
    fix: "mix the low key word into n and the high key word into the counter" => {
        "key-words-exchanged": "the low word of the key goes into the counter, the high word into n",
            |r| r.philox.key_words = KeyWords::LowIntoCounter;
    }
    clause: "ru8.philox.round", erratum: None, fix: "use exclusive or for the key" => {
        "key-added": "the key is added where it should be mixed by exclusive or",
            |r| r.philox.mixing = Mixing::KeyAdded;
    }
    clause: "ru8.philox.round", erratum: None, fix: "mix the key words in by exclusive or" => {
        "key-forgotten": "the key takes no part in a round",
            |r| r.philox.mixing = Mixing::KeyForgotten;
    }
    clause: "ru8.philox.round", erratum: None, fix: "mix the high word in by exclusive or" => {
        "neighbour-forgotten": "the high word of a pair takes no part in a round",
            |r| r.philox.mixing = Mixing::NeighbourForgotten;
    }
    clause: "ru8.philox.key-raise", erratum: Some("ru8.philox.weyl-constants"),
    fix: "raise the low key word by 9e3779b9 and the high one by bb67ae85" => {
        "weyl-exchanged": "the low key word is raised by bb67ae85 and the high one by 9e3779b9",
            |r| r.philox.weyl = Weyl::Exchanged;
    }
    clause: "ru8.philox.key-raise", erratum: None, fix: "raise the high key word by bb67ae85" => {
        "weyl-golden-twice": "both key words are raised by 9e3779b9",
            |r| r.philox.weyl = Weyl::GoldenTwice;
    }
    clause: "ru8.philox.key-raise", erratum: None, fix: "let the first round see the key as it is" => {
        "key-raised-first": "the key is raised before the first round",
            |r| r.philox.key_raise = KeyRaise::BeforeRound;
    }
    clause: "ru8.philox.key-raise", erratum: None, fix: "raise the key after each round" => {
        "key-never-raised": "every round sees the same key",
            |r| r.philox.key_raise = KeyRaise::Never;
    }
    clause: "ru8.philox.key-raise", erratum: None, fix: "raise the high key word by bb67ae85 as well" => {
        "key-low-word-only": "only the low key word is raised",
            |r| r.philox.key_raise = KeyRaise::LowWordOnly;
    }
    clause: "ru8.philox.key-raise", erratum: None, fix: "add the constants" => {
        "key-multiplied": "the key is multiplied by its constants, not raised by them",
            |r| r.philox.key_raise = KeyRaise::Multiplied;
    }
    clause: "ru8.philox.result-order", erratum: Some("ru8.philox.result-order"),
    fix: "hand out n low, n high, counter low, counter high" => {
        "words-high-first": "the words of a pair come out high before low, as the text has it",
            |r| r.philox.result_order = ResultOrder::HighFirst;
    }
    clause: "ru8.philox.result-order", erratum: None,
    fix: "hand out n low, n high, counter low, counter high" => {
        "words-reversed": "the words of a block come out last to first",
            |r| r.philox.result_order = ResultOrder::Reversed;
        "words-rotated": "the words of a block come out from the second on, the first one last",
            |r| r.philox.result_order = ResultOrder::Rotated;
        "words-counter-first": "the counter's words come out before those of n",
            |r| r.philox.result_order = ResultOrder::CounterFirst;
        "words-middle-exchanged": "the second and the third word of a block come out exchanged: the low words before the high ones",
            |r| r.philox.result_order = ResultOrder::Permuted(1324);
    }
}
