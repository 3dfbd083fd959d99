//! Words and outputs in memory.

use super::mistake::mistakes;
use crate::answers::{Axes, WordForm};

const WORDS: &str = "take the 32 bits of a word as the generator gives them";
const ROW_MAJOR: &str =
    "store element i of the stream at row-major index i of the output, the last axis fastest";

mistakes! {
    clause: "ru8.philox.result-order", erratum: None, fix: WORDS => {
        "word-bytes-reversed": "the four bytes of each word are in reverse before anything is made of it",
            |r| r.memory.words = WordForm::BytesReversed;
        "word-halves-exchanged": "the 16-bit halves of each word are exchanged before anything is made of it",
            |r| r.memory.words = WordForm::HalvesExchanged;
        "word-bits-reversed": "the bits of each word are in reverse before anything is made of it",
            |r| r.memory.words = WordForm::BitsReversed;
        "word-inverted": "every bit of a word is inverted before anything is made of it",
            |r| r.memory.words = WordForm::Inverted;
        "word-shifted": "each word is shifted right by 8 bits before anything is made of it, as for a float of 24 digits",
            |r| r.memory.words = WordForm::Shifted(8);
    }
    clause: "ru8.philox.result-order", erratum: None,
    fix: "see that the kernel runs, and that the words are written before they are converted" => {
        "word-zero": "the words of which elements are made are zero",
            |r| r.memory.words = WordForm::Zero;
    }
    clause: "ru8.output.form", erratum: None, fix: ROW_MAJOR => {
        "column-major": "the output is stored column by column, the first axis fastest",
            |r| r.memory.axes = Axes::Reversed;
        "channels-last": "an output of four axes is stored with the second one fastest: NHWC where the shape says NCHW",
            |r| r.memory.axes = Axes::Permuted(1342);
        "channels-first": "an output of four axes is stored with the last one second: NCHW where the shape says NHWC",
            |r| r.memory.axes = Axes::Permuted(1423);
        "rows-and-columns-exchanged": "an output of two axes is stored transposed",
            |r| r.memory.axes = Axes::Permuted(21);
        "last-axes-exchanged": "an output of three axes is stored with the last two exchanged",
            |r| r.memory.axes = Axes::Permuted(132);
    }
}
