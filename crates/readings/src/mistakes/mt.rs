//! The Mersenne Twister, and PYTORCH alignment's conversions.

use super::mistake::mistakes;
use crate::answers::{
    IntegerWords, MtF64, MtFirst, MtHalf, MtOpSeed, MtSeedHigh, MtSeeding, MtUnit, Temper, Twist, TwistWrap,
    WordOrder,
};

const SEED: &str = "fill the state with 1812433253 * (s ^ s >> 30) + i from the low 32 bits of global_seed";
const TWIST: &str = "renew word i in place, in order: state[(i + 397) mod 624], the upper bit of word i, the lower 31 of word i + 1 and its last bit";
const TEMPER: &str = "temper with shifts 11, 7, 15, 18 and masks 9d2c5680, efc60000";
const DIGITS: &str = "multiply the low 24 bits (53, 11, 8) by 2^-24 (2^-53, 2^-11, 2^-8)";
const RULE: &str = "draw one word for an i64 whose bounds are both at most 2^32-1, else two";

mistakes! {
    clause: "ru8.mt.seed", erratum: Some("ru8.mt.seed-precedence"), fix: SEED => {
        "mt-seed-precedence": "the seeding formula is computed by C's precedence: 1812433253 * s ^ ((s >> 30) + i)",
            |r| r.mt.seeding = MtSeeding::Precedence;
    }
    clause: "ru8.mt.seed", erratum: None, fix: SEED => {
        "mt-init-by-array": "the state is filled by init_by_array of one word, as MKL and CPython do",
            |r| r.mt.seeding = MtSeeding::InitByArray;
        "mt-seed-index-forgotten": "the index is not added when the state is filled",
            |r| r.mt.seeding = MtSeeding::IndexForgotten;
        "mt-seed-69069": "the state is filled by 69069 * s, the initialisation of 1998",
            |r| r.mt.seeding = MtSeeding::Knuth1998;
        "mt-seed-scrambled": "the state is filled by 69069 * s + 1 after fifty steps of it, as R's set.seed does",
            |r| r.mt.seeding = MtSeeding::ScrambledR;
    }
    clause: "ru8.mt.seed", erratum: None, fix: "seed std::mt19937 with the number itself" => {
        "mt-seed-seq": "the generator is seeded through std::seed_seq",
            |r| r.mt.seeding = MtSeeding::SeedSeq;
    }
    clause: "ru8.mt.seed", erratum: Some("ru8.seeds.high-half"), fix: "ignore the high half" => {
        "mt-seed-folded": "the high half of global_seed is mixed into the low half",
            |r| r.mt.seed_high = MtSeedHigh::Folded;
    }
    clause: "ru8.mt.op-seed-ignored", erratum: None, fix: "ignore op_seed under PYTORCH alignment" => {
        "mt-op-seed-added": "op_seed is added to global_seed",
            |r| r.mt.op_seed = MtOpSeed::Added;
        "mt-op-seed-skips": "op_seed says how many words are skipped",
            |r| r.mt.op_seed = MtOpSeed::Skipped;
    }
    clause: "ru8.mt.twist", erratum: None,
    fix: "let the first element take the first word that the seeded generator gives" => {
        "mt-first-word-dropped": "the first word is dropped",
            |r| r.mt.first = MtFirst::Dropped(1);
    }
    clause: "ru8.mt.twist", erratum: Some("ru8.mt.twist-wrap"), fix: TWIST => {
        "mt-wrap-623": "the middle word wraps round at 623: wrong from output 227 on",
            |r| r.mt.twist_wrap = TwistWrap::At623;
    }
    clause: "ru8.mt.twist", erratum: None, fix: TWIST => {
        "mt-twist-from-copy": "all words are renewed from a copy of the old ones: wrong from output 227 on",
            |r| r.mt.twist = Twist::FromCopy;
    }
    clause: "ru8.mt.twist", erratum: None, fix: "renew the state before the first output" => {
        "mt-untwisted": "the seeded words themselves are the first outputs",
            |r| r.mt.twist = Twist::AfterFirst;
    }
    clause: "ru8.mt.twist", erratum: None, fix: TWIST => {
        "mt-twist-masks-exchanged": "the lower bits of word i are joined to the upper bit of word i + 1",
            |r| r.mt.twist = Twist::MasksExchanged;
        "mt-twist-parity": "the last bit of word i decides whether 9908b0df is mixed in",
            |r| r.mt.twist = Twist::ParityOfCurrent;
    }
    clause: "ru8.mt.temper", erratum: None, fix: TEMPER => {
        "mt-not-tempered": "the words come out untempered",
            |r| r.mt.temper = Temper::Omitted;
        "mt-temper-masks-exchanged": "the two masks of the tempering are exchanged",
            |r| r.mt.temper = Temper::MasksExchanged;
        "mt-temper-shifts-exchanged": "the shifts 11 and 18 of the tempering are exchanged",
            |r| r.mt.temper = Temper::ShiftsExchanged;
        "mt-temper-last-forgotten": "the last step of the tempering is left out",
            |r| r.mt.temper = Temper::LastOmitted;
    }
    clause: "ru8.mt.convert.f32", erratum: None, fix: DIGITS => {
        "mt-high-digits": "the value is made of the high 24 bits (53, 11, 8)",
            |r| r.mt_convert.unit = MtUnit::HighDigits;
        "mt-mask-23": "the value is made of the low 23 bits (52, 10, 7): one too few",
            |r| r.mt_convert.unit = MtUnit::OneFewer;
    }
    clause: "ru8.mt.convert.f32", erratum: Some("ru8.mt.mask-precedence"), fix: DIGITS => {
        "mt-mask-precedence": "the mask is 1 << (digits - 1), a single bit: all values are 0 or 1/2",
            |r| r.mt_convert.unit = MtUnit::MaskPrecedence;
    }
    clause: "ru8.mt.convert.f32", erratum: None, fix: DIGITS => {
        "mt-inclusive": "the low bits are divided by 2^24 - 1 (2^53 - 1, …), so that 1 is reached",
            |r| r.mt_convert.unit = MtUnit::Inclusive;
        "mt-two-to-minus-32": "the whole word is multiplied by 2^-32",
            |r| r.mt_convert.unit = MtUnit::TwoToMinus32;
    }
    clause: "ru8.mt.convert.f64", erratum: Some("ru8.mt.f64-word-order"),
    fix: "make the first word the high half" => {
        "mt-f64-words-swapped": "the first word is the low half of an f64's bits",
            |r| r.mt_convert.f64 = MtF64::FirstLow;
    }
    clause: "ru8.mt.convert.f64", erratum: None, fix: "take the low 53 bits of a * 2^32 + b" => {
        "mt-f64-5-6": "an f64 is (a >> 5, b >> 6), as NumPy and CPython make it",
            |r| r.mt_convert.f64 = MtF64::Shift5And6;
    }
    clause: "ru8.mt.convert.f64", erratum: Some("ru8.mt.f64-uses-x"),
    fix: "take the low 53 bits of both words" => {
        "mt-f64-first-word": "an f64 is the first word times 2^-53, as the text has it",
            |r| r.mt_convert.f64 = MtF64::FirstAlone;
    }
    clause: "ru8.mt.convert.f16", erratum: Some("ru8.frameworks.torch-halves"),
    fix: "take the low 11 bits for f16 and the low 8 for bf16" => {
        "mt-half-from-24-bits": "f16 and bf16 are rounded from 24 bits",
            |r| r.mt_convert.half = MtHalf::RoundedF32;
    }
    clause: "ru8.mt.convert.i64", erratum: Some("ru8.mt.i64-one-word-rule"), fix: RULE => {
        "mt-i64-two-words": "an i64 always takes two words",
            |r| r.mt_integer.words = IntegerWords::I64;
        "mt-i64-one-word": "an i64 always takes one word",
            |r| r.mt_integer.words = IntegerWords::Never;
        "mt-i64-from-bound": "an i64 with a bound of exactly 2^32-1 takes two words",
            |r| r.mt_integer.words = IntegerWords::I64FromBounds;
        "mt-i64-range-2p32": "the range, not the bounds, decides on two words, from 2^32 on, as in PyTorch up to 2.6",
            |r| r.mt_integer.words = IntegerWords::RangeFrom2p32;
        "mt-integer-range-2p28": "a range from 2^28 on takes two words, i32 too, as in PyTorch from 2.7",
            |r| r.mt_integer.words = IntegerWords::RangeFrom2p28;
    }
    clause: "ru8.mt.convert.i64", erratum: Some("ru8.mt.i64-two-words"),
    fix: "make the first word the high half" => {
        "mt-i64-words-swapped": "the first of two words is the low half of an i64",
            |r| r.mt_integer.order = WordOrder::LowFirst;
    }
}
