//! Words and outputs in memory.

use super::mistake::Mistake;
use crate::answers::{Axes, WordForm};

const WORDS: &str = "take the 32 bits of a word as the generator gives them";
const ROW_MAJOR: &str =
    "store element i of the stream at row-major index i of the output, the last axis fastest";

pub(super) const MISTAKES: &[Mistake] = &[
    Mistake {
        id: "word-bytes-reversed",
        clause: "ru8.philox.result-order",
        erratum: None,
        sentence: "the four bytes of each word are in reverse before anything is made of it",
        fix: WORDS,
        apply: |r| r.memory.words = WordForm::BytesReversed,
    },
    Mistake {
        id: "word-halves-exchanged",
        clause: "ru8.philox.result-order",
        erratum: None,
        sentence: "the 16-bit halves of each word are exchanged before anything is made of it",
        fix: WORDS,
        apply: |r| r.memory.words = WordForm::HalvesExchanged,
    },
    Mistake {
        id: "column-major",
        clause: "ru8.output.form",
        erratum: None,
        sentence: "the output is stored column by column, the first axis fastest",
        fix: ROW_MAJOR,
        apply: |r| r.memory.axes = Axes::Reversed,
    },
    Mistake {
        id: "channels-last",
        clause: "ru8.output.form",
        erratum: None,
        sentence: "an output of four axes is stored with the second one fastest: NHWC where the shape says NCHW",
        fix: ROW_MAJOR,
        apply: |r| r.memory.axes = Axes::Permuted(1342),
    },
    Mistake {
        id: "channels-first",
        clause: "ru8.output.form",
        erratum: None,
        sentence: "an output of four axes is stored with the last one second: NCHW where the shape says NHWC",
        fix: ROW_MAJOR,
        apply: |r| r.memory.axes = Axes::Permuted(1423),
    },
    Mistake {
        id: "rows-and-columns-exchanged",
        clause: "ru8.output.form",
        erratum: None,
        sentence: "an output of two axes is stored transposed",
        fix: ROW_MAJOR,
        apply: |r| r.memory.axes = Axes::Permuted(21),
    },
    Mistake {
        id: "last-axes-exchanged",
        clause: "ru8.output.form",
        erratum: None,
        sentence: "an output of three axes is stored with the last two exchanged",
        fix: ROW_MAJOR,
        apply: |r| r.memory.axes = Axes::Permuted(132),
    },
];
