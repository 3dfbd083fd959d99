//! PyTorch's samplers, and how searches and shuffles select.

use super::mistake::mistakes;
use crate::answers::{
    Bound, KeptScale, KeptWith, LogarithmOf, MaskDigits, OneSample, RaceOrder, RowNoise, ShuffleFrom,
    ShuffleRange, SumsIn, SumsOver, TorchSuccess,
};

const LESS: &str = "take one where the number is less than p";

mistakes! {
    clause: "tbi.less", erratum: Some("tbi.digits"), fix: "compare numbers of 53 bits, of two words each" => {
        "mask-one-word": "numbers that a scalar probability is compared with have 24 bits of one word",
            |r| r.torch_masks.digits = MaskDigits::Narrow;
    }
    clause: "tbe.less", erratum: Some("tbe.less.strict"), fix: LESS => {
        "mask-or-equal": "an element is one also where the number equals the probability",
            |r| r.torch_masks.success = TorchSuccess::LessOrEqual;
    }
    clause: "tbe.less", erratum: None, fix: LESS => {
        "mask-complement": "the comparison is turned round: ones have the probability 1 - p",
            |r| r.torch_masks.success = TorchSuccess::Greater;
    }
    clause: "tdo.keep", erratum: None, fix: "keep an element with the probability 1 - p" => {
        "dropout-keeps-with-p": "an element is kept with the probability p, with which it should be dropped",
            |r| r.torch_masks.kept = KeptWith::P;
    }
    clause: "tdo.scale", erratum: None, fix: "multiply what is kept by 1 / (1 - p)" => {
        "dropout-scaled-by-p": "what is kept is multiplied by 1 / p, not by 1 / (1 - p)",
            |r| r.torch_masks.scale = KeptScale::OverP;
    }
    clause: "tdo.scale", erratum: Some("tdo.scale.order"), fix: "round the scale to the type before the product" => {
        "dropout-divided-late": "what is kept is divided by 1 - p after the product with the mask",
            |r| r.torch_masks.scale = KeptScale::Divided;
    }
    clause: "tex.value", erratum: Some("tex.complement"), fix: "take the logarithm of 1 - u" => {
        "exponential-of-u": "an exponential is the logarithm of u, not of 1 - u",
            |r| r.torch_masks.logarithm = LogarithmOf::Itself;
    }
    clause: "tmu.race", erratum: Some("tmu.one"), fix: "draw one sample by the race" => {
        "multinomial-one-searched": "one sample with replacement is looked for in the sums",
            |r| r.selection.one = OneSample::Search;
    }
    clause: "tmu.race", erratum: None, fix: "take the greatest quotient first" => {
        "multinomial-ascending": "samples without replacement come in ascending order of their scores",
            |r| r.selection.order = RaceOrder::Least;
    }
    clause: "tmu.race", erratum: None, fix: "draw numbers for every row" => {
        "multinomial-noise-shared": "all rows have the noise of the first",
            |r| r.selection.noise = RowNoise::Shared;
    }
    clause: "tmu.sums", erratum: Some("tmu.sums.type"), fix: "sum up in f32" => {
        "multinomial-sums-f64": "sums of weights are f64 where they should be f32",
            |r| r.selection.sums = SumsIn::F64;
    }
    clause: "tmu.sums", erratum: None, fix: "divide the sums by the last" => {
        "multinomial-sums-whole": "sums are not divided by the last, and numbers are multiplied by it",
            |r| r.selection.over = SumsOver::Nothing;
    }
    clause: "tmu.search", erratum: Some("tmu.bound"), fix: "take the first sum that is not less than the number" => {
        "multinomial-upper-bound": "a sample is the first class whose sum is greater than the number, not the first whose is not less",
            |r| r.selection.bound = Bound::Upper;
    }
    clause: "tpe.shuffle", erratum: None, fix: "exchange from the first place on" => {
        "shuffle-from-the-end": "the shuffle begins at the last place",
            |r| r.selection.from = ShuffleFrom::End;
    }
    clause: "tpe.shuffle", erratum: Some("tpe.bias"), fix: "take the word modulo the places that are left" => {
        "shuffle-modulo-all": "the word is taken modulo all places, not modulo those that are left",
            |r| r.selection.range = ShuffleRange::All;
    }
}
