//! The keys of PyTorch's `torch.func._random`.

use super::mistake::mistakes;
use crate::answers::{
    BatchFill, DerivedWords, Fold, FoldedBits, KeyRoles, NegativeData, OffsetCarry, OffsetPlace, SeedWidth,
    SplitAxis, SplitStart,
};

const BLOCK: &str = "put the offset and the number of the block, modulo 2^64, into the counter's low half and zero into its high half";
const FOLD: &str = "take the block of the offset and the number, and its words in order: seed low, seed high, offset low, offset high";
const BATCH: &str = "let each key draw from its own first block, fill the trailing extents of 1, and be given again for an extent of 1 before them";

mistakes! {
    clause: "tks.key.form", erratum: None, fix: "take the first word for the seed" => {
        "tk-offset-before-seed": "the first word of a key is the offset",
            |r| r.philox_keys.roles = KeyRoles::OffsetSeed;
    }
    clause: "tks.key.block", erratum: None, fix: BLOCK => {
        "tk-offset-in-high-half": "the offset stands in the counter's high half, as a subsequence of cuRAND does",
            |r| r.philox_keys.offset = OffsetPlace::High;
    }
    clause: "tks.key.block", erratum: Some("tks.key.carry"), fix: BLOCK => {
        "tk-offset-carried": "an offset that wraps carries into the counter's high half",
            |r| r.philox_keys.carry = OffsetCarry::IntoHigh;
    }
    clause: "tkf.fold", erratum: None, fix: FOLD => {
        "tk-fold-in-place": "a folded number takes the place of the offset",
            |r| r.philox_keys.fold = Fold::InPlace;
        "tk-fold-in-high-half": "a folded number stands in the counter's high half",
            |r| r.philox_keys.fold = Fold::HighHalf;
        "tk-fold-mixed": "a folded number is mixed with the offset by exclusive or",
            |r| r.philox_keys.fold = Fold::Mixed;
    }
    clause: "tkf.data", erratum: None, fix: "take the number modulo 2^64" => {
        "tk-fold-32-bits": "only the low 32 bits of a folded number arrive",
            |r| r.philox_keys.folded_bits = FoldedBits::Low32;
    }
    clause: "tkf.data", erratum: Some("tkf.data.negative"), fix: "take the number modulo 2^64" => {
        "tk-fold-negative-refused": "a negative number to fold is refused",
            |r| r.philox_keys.negative = NegativeData::Refused;
    }
    clause: "tkf.fold", erratum: Some("tkf.words"), fix: FOLD => {
        "tk-derived-high-first": "the first word of each half of a derived key is the high one",
            |r| r.philox_keys.derived = DerivedWords::HighFirst;
    }
    clause: "tkf.fold", erratum: None, fix: FOLD => {
        "tk-derived-offset-first": "the first two words of a derived key are its offset",
            |r| r.philox_keys.derived = DerivedWords::OffsetFirst;
    }
    clause: "tks.split.numbers", erratum: None, fix: "count the keys of a split from zero" => {
        "tk-split-from-one": "the first key of a split is number one",
            |r| r.philox_keys.split_start = SplitStart::One;
    }
    clause: "tks.split.form", erratum: None,
    fix: "put the number of splits before the extents of the batch" => {
        "tk-split-after-batch": "the keys of a split lie beside each other for each key of the batch",
            |r| r.philox_keys.split_axis = SplitAxis::AfterBatch;
    }
    clause: "tku.batch.fill", erratum: Some("tku.batch.fill"), fix: BATCH => {
        "tk-batch-one-each": "each key of a batch draws one number, which the extents of 1 repeat",
            |r| r.philox_keys.batch = BatchFill::OneEach;
    }
    clause: "tku.batch.broadcast", erratum: Some("tku.batch.broadcast"), fix: BATCH => {
        "tk-batch-further": "an extent of 1 before a greater one takes a key's further numbers",
            |r| r.philox_keys.batch = BatchFill::Further;
    }
    clause: "tku.batch.fill", erratum: None, fix: BATCH => {
        "tk-batch-first-key": "the first key of a batch draws the whole output",
            |r| r.philox_keys.batch = BatchFill::FirstKey;
        "tk-batch-own-places": "a key of a batch draws its elements at their places in the whole output",
            |r| r.philox_keys.batch = BatchFill::OwnPlaces;
    }
    clause: "tks.key.form", erratum: None, fix: "carry a key as two unsigned 64-bit numbers all the way" => {
        "key-32": "the seed of PyTorch's keys, or the key of TensorFlow's ops, has only its low 32 bits",
            |r| r.stream.key_bits = SeedWidth::Low32;
        "key-sign-extended": "the seed of PyTorch's keys, or the key of TensorFlow's ops, is read as a signed 32-bit number and widened with its sign",
            |r| r.stream.key_bits = SeedWidth::SignExtended32;
        "key-through-f64": "the seed of PyTorch's keys, or the key of TensorFlow's ops, passes through an f64, and what rounds to 2^64 becomes zero",
            |r| r.stream.key_bits = SeedWidth::ThroughF64Wrapped;
        "key-bytes-reversed": "the seed of PyTorch's keys, or the key of TensorFlow's ops, has its eight bytes in reverse",
            |r| r.stream.key_bits = SeedWidth::BytesReversed;
        "key-dropped": "the seed of PyTorch's keys, or the key of TensorFlow's ops, is ignored: it is zero",
            |r| r.stream.key_bits = SeedWidth::Dropped;
        "counter-32": "the offset of PyTorch's keys, or each half of the counter of TensorFlow's ops, has only its low 32 bits",
            |r| r.stream.counter_bits = SeedWidth::Low32;
        "counter-sign-extended": "the offset of PyTorch's keys, or each half of the counter of TensorFlow's ops, is read as a signed 32-bit number and widened with its sign",
            |r| r.stream.counter_bits = SeedWidth::SignExtended32;
        "counter-through-f64": "the offset of PyTorch's keys, or each half of the counter of TensorFlow's ops, passes through an f64, and what rounds to 2^64 becomes zero",
            |r| r.stream.counter_bits = SeedWidth::ThroughF64Wrapped;
        "counter-bytes-reversed": "the offset of PyTorch's keys, or each half of the counter of TensorFlow's ops, has its eight bytes in reverse",
            |r| r.stream.counter_bits = SeedWidth::BytesReversed;
        "counter-dropped": "the offset of PyTorch's keys, or each half of the counter of TensorFlow's ops, is ignored: it is zero",
            |r| r.stream.counter_bits = SeedWidth::Dropped;
    }
}
