//! TENSORFLOW: words to values of the unit interval, and the types of both alignments.

use super::mistake::mistakes;
use crate::answers::{F64Words, HalfUnit, IntegerWords, PhiloxUnit, RunsAs, WordOrder};

const LOW_MANTISSA: &str = "put the low mantissa bits of the word below the exponent of 1.0 and subtract 1";
const OWN_TYPE: &str = "compute in the output's own type, bounds and all";

mistakes! {
    clause: "ru8.convert.f32", erratum: None, fix: LOW_MANTISSA => {
        "high-bits": "the mantissa is taken from the high bits of the word",
            |r| r.philox_convert.unit = PhiloxUnit::HighMantissa;
        "one-not-subtracted": "the 1 is not subtracted: values lie in [1, 2)",
            |r| r.philox_convert.unit = PhiloxUnit::NotSubtracted;
    }
    clause: "ru8.convert.f32", erratum: Some("ru8.convert.missing-bit-cast"), fix: LOW_MANTISSA => {
        "no-bit-cast": "exponent and mantissa are converted as a number, not taken as bits",
            |r| r.philox_convert.unit = PhiloxUnit::NoBitCast;
    }
    clause: "ru8.convert.f32", erratum: None, fix: LOW_MANTISSA => {
        "low-24-bits": "the low 24 bits (53, 11, 8) times a power of two make the value, as under PYTORCH alignment",
            |r| r.philox_convert.unit = PhiloxUnit::LowDigits;
        "high-24-bits": "the high 24 bits (53, 11, 8) times a power of two make the value",
            |r| r.philox_convert.unit = PhiloxUnit::HighDigits;
        "two-to-minus-32": "the whole word is multiplied by 2^-32, and may round to 1",
            |r| r.philox_convert.unit = PhiloxUnit::TwoToMinus32;
        "two-to-minus-31": "31 bits of the word are multiplied by 2^-31, and may round to 1",
            |r| r.philox_convert.unit = PhiloxUnit::TwoToMinus31;
        "midpoint": "the whole word and a half is multiplied by 2^-32, as cuRAND does",
            |r| r.philox_convert.unit = PhiloxUnit::Midpoint;
        "complement": "the value is taken from 1: values lie in (0, 1]",
            |r| r.philox_convert.unit = PhiloxUnit::Complement;
    }
    clause: "ru8.convert.f16", erratum: None, fix: "make an f16 of the low 10 bits of its word" => {
        "f16-from-f32": "an f16 is the f32 value, rounded",
            |r| r.philox_convert.f16 = HalfUnit::RoundedF32;
    }
    clause: "ru8.convert.bf16", erratum: Some("ru8.convert.bf16-missing"),
    fix: "make a bf16 of the low 7 bits of its word" => {
        "bf16-from-f32": "a bf16 is the f32 value, rounded",
            |r| r.philox_convert.bf16 = HalfUnit::RoundedF32;
        "bf16-cut-from-f32": "a bf16 is the high half of the f32 value",
            |r| r.philox_convert.bf16 = HalfUnit::TruncatedF32;
    }
    clause: "ru8.convert.f64", erratum: None,
    fix: "take the high 20 bits from the first word and the low 32 from the second" => {
        "f64-words-swapped": "the first word makes the low half of an f64's mantissa",
            |r| r.philox_convert.f64_words = F64Words::FirstLow;
    }
    clause: "ru8.convert.f64", erratum: None, fix: "make an f64 of two words, two elements of a block" => {
        "f64-one-word": "an f64 is the f32 value of one word, widened",
            |r| r.philox_convert.f64_words = F64Words::OneWord;
        "f64-second-word-unused": "an f64 is the f32 value of the first of its two words, widened",
            |r| r.philox_convert.f64_words = F64Words::FirstAlone;
    }
    clause: "ru8.convert.i64", erratum: Some("ru8.convert.i64-words"),
    fix: "make an i64 of two words, two elements of a block" => {
        "i64-one-word": "an i64 is made of one word, as the text has it",
            |r| r.philox_integer.words = IntegerWords::Never;
    }
    clause: "ru8.convert.i64", erratum: Some("ru8.convert.i64-words"),
    fix: "make the first word the low half" => {
        "i64-words-swapped": "the first word is the high half of an i64",
            |r| r.philox_integer.order = WordOrder::HighFirst;
    }
    clause: "ru8.convert.f16", erratum: None, fix: OWN_TYPE => {
        "f16-in-f32": "f16 is computed in f32 and converted at the end",
            |r| r.types.f16 = RunsAs::Narrow;
    }
    clause: "ru8.convert.bf16", erratum: None, fix: OWN_TYPE => {
        "bf16-in-f32": "bf16 is computed in f32 and converted at the end",
            |r| r.types.bf16 = RunsAs::Narrow;
    }
    clause: "ru8.convert.f64", erratum: None, fix: OWN_TYPE => {
        "f64-in-f32": "f64 is computed in f32 and widened at the end",
            |r| r.types.f64 = RunsAs::Narrow;
    }
    clause: "ru8.convert.i64", erratum: None, fix: OWN_TYPE => {
        "i64-in-i32": "i64 is computed in i32, its bounds cut to that type, and widened at the end",
            |r| r.types.i64 = RunsAs::Narrow;
    }
}
