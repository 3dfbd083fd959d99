//! The keys of PyTorch's `torch.func._random`.

use super::mistake::Mistake;
use crate::answers::{
    BatchFill, DerivedWords, Fold, FoldedBits, KeyRoles, NegativeData, OffsetCarry, OffsetPlace, SplitAxis,
    SplitStart,
};

const BLOCK: &str = "put the offset and the number of the block, modulo 2^64, into the counter's low half and zero into its high half";
const FOLD: &str = "take the block of the offset and the number, and its words in order: seed low, seed high, offset low, offset high";
const BATCH: &str = "let each key draw from its own first block, fill the trailing extents of 1, and be given again for an extent of 1 before them";

pub(super) const MISTAKES: &[Mistake] = &[
    Mistake {
        id: "tk-offset-before-seed",
        clause: "tks.key.form",
        erratum: None,
        sentence: "the first word of a key is the offset",
        fix: "take the first word for the seed",
        apply: |r| r.philox_keys.roles = KeyRoles::OffsetSeed,
    },
    Mistake {
        id: "tk-offset-in-high-half",
        clause: "tks.key.block",
        erratum: None,
        sentence: "the offset stands in the counter's high half, as a subsequence of cuRAND does",
        fix: BLOCK,
        apply: |r| r.philox_keys.offset = OffsetPlace::High,
    },
    Mistake {
        id: "tk-offset-carried",
        clause: "tks.key.block",
        erratum: Some("tks.key.carry"),
        sentence: "an offset that wraps carries into the counter's high half",
        fix: BLOCK,
        apply: |r| r.philox_keys.carry = OffsetCarry::IntoHigh,
    },
    Mistake {
        id: "tk-fold-in-place",
        clause: "tkf.fold",
        erratum: None,
        sentence: "a folded number takes the place of the offset",
        fix: FOLD,
        apply: |r| r.philox_keys.fold = Fold::InPlace,
    },
    Mistake {
        id: "tk-fold-in-high-half",
        clause: "tkf.fold",
        erratum: None,
        sentence: "a folded number stands in the counter's high half",
        fix: FOLD,
        apply: |r| r.philox_keys.fold = Fold::HighHalf,
    },
    Mistake {
        id: "tk-fold-mixed",
        clause: "tkf.fold",
        erratum: None,
        sentence: "a folded number is mixed with the offset by exclusive or",
        fix: FOLD,
        apply: |r| r.philox_keys.fold = Fold::Mixed,
    },
    Mistake {
        id: "tk-fold-32-bits",
        clause: "tkf.data",
        erratum: None,
        sentence: "only the low 32 bits of a folded number arrive",
        fix: "take the number modulo 2^64",
        apply: |r| r.philox_keys.folded_bits = FoldedBits::Low32,
    },
    Mistake {
        id: "tk-fold-negative-refused",
        clause: "tkf.data",
        erratum: Some("tkf.data.negative"),
        sentence: "a negative number to fold is refused",
        fix: "take the number modulo 2^64",
        apply: |r| r.philox_keys.negative = NegativeData::Refused,
    },
    Mistake {
        id: "tk-derived-high-first",
        clause: "tkf.fold",
        erratum: Some("tkf.words"),
        sentence: "the first word of each half of a derived key is the high one",
        fix: FOLD,
        apply: |r| r.philox_keys.derived = DerivedWords::HighFirst,
    },
    Mistake {
        id: "tk-derived-offset-first",
        clause: "tkf.fold",
        erratum: None,
        sentence: "the first two words of a derived key are its offset",
        fix: FOLD,
        apply: |r| r.philox_keys.derived = DerivedWords::OffsetFirst,
    },
    Mistake {
        id: "tk-split-from-one",
        clause: "tks.split.numbers",
        erratum: None,
        sentence: "the first key of a split is number one",
        fix: "count the keys of a split from zero",
        apply: |r| r.philox_keys.split_start = SplitStart::One,
    },
    Mistake {
        id: "tk-split-after-batch",
        clause: "tks.split.form",
        erratum: None,
        sentence: "the keys of a split lie beside each other for each key of the batch",
        fix: "put the number of splits before the extents of the batch",
        apply: |r| r.philox_keys.split_axis = SplitAxis::AfterBatch,
    },
    Mistake {
        id: "tk-batch-one-each",
        clause: "tku.batch.fill",
        erratum: Some("tku.batch.fill"),
        sentence: "each key of a batch draws one number, which the extents of 1 repeat",
        fix: BATCH,
        apply: |r| r.philox_keys.batch = BatchFill::OneEach,
    },
    Mistake {
        id: "tk-batch-further",
        clause: "tku.batch.broadcast",
        erratum: Some("tku.batch.broadcast"),
        sentence: "an extent of 1 before a greater one takes a key's further numbers",
        fix: BATCH,
        apply: |r| r.philox_keys.batch = BatchFill::Further,
    },
    Mistake {
        id: "tk-batch-first-key",
        clause: "tku.batch.fill",
        erratum: None,
        sentence: "the first key of a batch draws the whole output",
        fix: BATCH,
        apply: |r| r.philox_keys.batch = BatchFill::FirstKey,
    },
    Mistake {
        id: "tk-batch-own-places",
        clause: "tku.batch.fill",
        erratum: None,
        sentence: "a key of a batch draws its elements at their places in the whole output",
        fix: BATCH,
        apply: |r| r.philox_keys.batch = BatchFill::OwnPlaces,
    },
];
