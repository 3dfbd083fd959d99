//! What PyTorch's `torch.func._random` draws by a key.

use super::mistake::mistakes;
use crate::answers::{
    AtHigh, KeyBounds, KeyHalfSteps, KeyRanges, KeyReduction, KeyScale, KeyUnit, LeftOut, LeftOutHigh,
    MaximumBound, NarrowBits, RangeLimit, WholeRange, WideKeyWords,
};

const DIGITS: &str = "take the low bits of the word, as many as the mantissa has and one more";
const HALF: &str = "round high - low to the type, compute in f32, and round the end";
const LIMIT: &str = "refuse ranges of 32-bit types from 2^28 on, unless they divide 2^32";
const REDUCE: &str = "take the remainder of the whole unsigned word";

mistakes! {
    clause: "tkr.words", erratum: Some("tkr.word-order"), fix: "take the first word for the high half" => {
        "tk-wide-low-first": "the first of two words is the low one",
            |r| r.key_values.wide_order = WideKeyWords::LowFirst;
    }
    clause: "tkr.range", erratum: None, fix: REDUCE => {
        "tk-narrow-high-bits": "integers of 8 and 16 bits are made of the high bits of a word",
            |r| r.key_values.narrow = NarrowBits::High;
    }
    clause: "tku.convert", erratum: None, fix: DIGITS => {
        "tk-unit-high-bits": "the high bits of a word make a float",
            |r| r.key_values.unit = KeyUnit::HighDigits;
        "tk-unit-one-fewer": "a float has one bit less than its mantissa can hold",
            |r| r.key_values.unit = KeyUnit::OneFewer;
    }
    clause: "tku.convert", erratum: Some("tku.convert.halves"), fix: DIGITS => {
        "tk-halves-of-f32": "a 16-bit float is a number of 24 bits that is rounded",
            |r| r.key_values.unit = KeyUnit::HalvesOfF32;
    }
    clause: "tku.range", erratum: Some("tku.range.fused"), fix: "round the product before low is added" => {
        "tk-fused": "product and sum are fused",
            |r| r.key_values.scale = KeyScale::Fused;
    }
    clause: "tku.range", erratum: None, fix: "compute x * (high - low) + low" => {
        "tk-lerp": "the range is low * (1 - x) + high * x",
            |r| r.key_values.scale = KeyScale::Lerp;
    }
    clause: "tku.range.half", erratum: None, fix: HALF => {
        "tk-half-rounded-at-end": "a 16-bit float is rounded at the end alone, and high - low is not",
            |r| r.key_values.half_steps = KeyHalfSteps::End;
        "tk-half-each-operation": "a 16-bit float is rounded after each operation",
            |r| r.key_values.half_steps = KeyHalfSteps::EachOperation;
    }
    clause: "tku.bounds.rounded", erratum: None, fix: "round a bound to f32 and then to the type" => {
        "tk-bounds-rounded-once": "a bound is rounded to a 16-bit type directly",
            |r| r.key_values.bounds = KeyBounds::Once;
    }
    clause: "tku.bounds.any", erratum: Some("tku.range.unchecked"), fix: "answer as the formula does" => {
        "tk-low-above-high-refused": "a low above high is refused",
            |r| r.key_values.ranges = KeyRanges::LowToHigh;
        "tk-infinite-bounds-refused": "bounds that are not finite, or exchanged, are refused",
            |r| r.key_values.ranges = KeyRanges::Finite;
    }
    clause: "tku.range", erratum: Some("tku.range.high-reached"), fix: "keep a result that equals high" => {
        "tk-high-replaced": "a float that is rounded up to high becomes low",
            |r| r.key_values.at_high = AtHigh::Low;
    }
    clause: "tkr.whole", erratum: Some("tkr.whole.raw"), fix: "give the word itself for the whole range" => {
        "tk-whole-range-shifted": "low is added to the word where the range is the whole type",
            |r| r.key_values.whole = WholeRange::LowAdded;
    }
    clause: "tkr.limit", erratum: Some("tkr.bounds.limit"), fix: LIMIT => {
        "tk-limit-powers-refused": "ranges of 32-bit types from 2^28 on are refused, powers of two too",
            |r| r.key_values.limit = RangeLimit::From2p28;
        "tk-limit-one-early": "a range of 2^28 - 1 is refused",
            |r| r.key_values.limit = RangeLimit::From2p28m1;
        "tk-limit-forgotten": "no range of a 32-bit type is refused",
            |r| r.key_values.limit = RangeLimit::Nothing;
    }
    clause: "tkr.range", erratum: None, fix: REDUCE => {
        "tk-remainder-signed": "the remainder is that of a signed word",
            |r| r.key_values.reduction = KeyReduction::Signed;
        "tk-multiply-shift": "the word is multiplied by the range and shifted",
            |r| r.key_values.reduction = KeyReduction::MultiplyShift;
        "tk-cut-before-remainder": "the word is cut to the type's width before the remainder",
            |r| r.key_values.reduction = KeyReduction::CutFirst;
    }
    clause: "tkr.range", erratum: None, fix: "divide by high - low" => {
        "tk-high-inclusive": "high belongs to the range of integers",
            |r| r.key_values.maximum = MaximumBound::Inclusive;
    }
    clause: "tkr.bounds.left-out", erratum: Some("tkr.bounds.omitted"),
    fix: "take the least value of the type" => {
        "tk-left-out-low-zero": "a low that is left out is zero",
            |r| r.key_values.left_out = LeftOut::Zero;
    }
    clause: "tkr.bounds.left-out", erratum: None, fix: "take one past the greatest value of the type" => {
        "tk-left-out-high-excluded": "a high that is left out is the greatest value of the type, which is then excluded",
            |r| r.key_values.left_out_high = LeftOutHigh::Greatest;
    }
}
