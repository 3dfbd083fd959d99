//! ONNX's generator that is named, and its generator states.

use super::mistake::mistakes;
use crate::answers::{FirstWord, OnnxData, OnnxDigits, OnnxOffset, OnnxScale, OnnxSeed};

const OFFSET: &str = "put the offset into words 2 and 3 of the counter";

mistakes! {
    clause: "oru.unit", erratum: None, fix: "take the top bits of the word" => {
        "onnx-unit-low-bits": "values are the low bits of a word, not the top ones",
            |r| r.onnx_prng.digits = OnnxDigits::Low;
    }
    clause: "oru.unit.f64", erratum: None, fix: "take the first word for the high half" => {
        "onnx-wide-exchanged": "the two words of an f64 are exchanged",
            |r| r.onnx_prng.wide = FirstWord::Low;
    }
    clause: "oru.counter", erratum: Some("oru.offset.unit"), fix: OFFSET => {
        "onnx-offset-added": "offset is added to the number of the block",
            |r| r.onnx_prng.offset = OnnxOffset::Added;
    }
    clause: "oru.counter", erratum: None, fix: OFFSET => {
        "onnx-offset-ignored": "offset is ignored",
            |r| r.onnx_prng.offset = OnnxOffset::Ignored;
    }
    clause: "oru.seed", erratum: None, fix: "take the two's complement of seed_int64" => {
        "onnx-seed-absolute": "a negative seed_int64 is taken without its sign",
            |r| r.onnx_prng.seed = OnnxSeed::Absolute;
        "onnx-seed-32-bits": "seed_int64 is cut to its low 32 bits",
            |r| r.onnx_prng.seed = OnnxSeed::Low32;
    }
    clause: "oru.scale", erratum: Some("oru.scale.fused"), fix: "round each operation" => {
        "onnx-scale-fused": "product and sum of the scale are fused: rounded once",
            |r| r.onnx_prng.scale = OnnxScale::Fused;
    }
    clause: "oip.words", erratum: None, fix: "put the high half of the seed first" => {
        "onnx-state-exchanged": "the words of a state are exchanged: the low half of the seed comes first",
            |r| r.onnx_prng.state = FirstWord::Low;
    }
    clause: "osp.counter", erratum: None, fix: "put the high half of the number into the first word" => {
        "onnx-split-counter-exchanged": "the halves of the counter of a split are exchanged",
            |r| r.onnx_prng.counter = FirstWord::Low;
    }
    clause: "osp.data", erratum: Some("osp.data.folded"), fix: "take all 64 bits of data" => {
        "onnx-data-32-bits": "data is cut to its low 32 bits",
            |r| r.onnx_prng.data = OnnxData::Low32;
        "onnx-data-sign-extended": "data is cut to its low 32 bits and extended by their sign",
            |r| r.onnx_prng.data = OnnxData::SignExtended;
    }
}
