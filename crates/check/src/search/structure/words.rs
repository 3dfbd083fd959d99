//! Structures in words: a name with its parameters, a sentence, and how to fix it.

use super::order::Order;
use super::recode::Recode;
use super::tail::Tail;
use super::tail_words::{self, listed};

const IN_ORDER: &str = "let element i take the i-th value of the stream, whatever thread writes it";

/// The name, the sentence and the fix of an order, a recoding and a tail together.
pub(super) fn of(order: &Order, recode: Option<Recode>, tail: Option<&Tail>) -> (String, String, String) {
    let parts = [
        (*order != Order::Stream).then(|| of_order(order)),
        recode.map(of_recode),
        tail.map(tail_words::of),
    ];
    let mut joined = (String::new(), String::new(), String::new());
    for (name, sentence, fix) in parts.into_iter().flatten() {
        let between = |text: &str, between: &'static str| if text.is_empty() { "" } else { between };
        joined.0 = format!("{}{}{name}", joined.0, between(&joined.0, " + "));
        joined.1 = format!("{}{}{sentence}", joined.1, between(&joined.1, "; and "));
        joined.2 = format!("{}{}{fix}", joined.2, between(&joined.2, "; and "));
    }
    joined
}

/// The block that block i is.
fn affine(step: usize, first: usize) -> String {
    match (step, first) {
        (0, first) => first.to_string(),
        (1, 0) => "i".to_owned(),
        (1, first) => format!("i + {first}"),
        (step, 0) => format!("{step} i"),
        (step, first) => format!("{step} i + {first}"),
    }
}

fn of_order(order: &Order) -> (String, String, String) {
    let of = |name: String, sentence: String, fix: &str| (name, sentence, fix.to_owned());
    match order {
        Order::Stream => of(String::new(), String::new(), ""),
        Order::Blocks { step, first, within } => {
            let mut names = Vec::new();
            let mut sentences = Vec::new();
            if (*step, *first) != (1, 0) {
                let block = affine(*step, *first);
                names.push(format!("blocks({block})"));
                sentences.push(format!("block i of the output is block {block} of the stream"));
            }
            if !within.is_empty() {
                names.push(format!("order-in-block({})", listed(within)));
                sentences.push(format!(
                    "the elements of each block come in the order {}",
                    listed(within)
                ));
            }
            let fix = if within.is_empty() {
                "raise the counter by one from block to block, beginning with the first"
            } else {
                "write the words of a block in their order"
            };
            of(names.join(" + "), sentences.join(", and "), fix)
        }
        Order::Periodic {
            period,
            advance,
            offsets,
        } => periodic(*period, *advance, offsets),
        Order::Interleaved(threads) => of(
            format!("interleaved(threads = {threads})"),
            format!(
                "{threads} threads each draw a run of the stream, and their elements are written in turns"
            ),
            IN_ORDER,
        ),
        Order::Deinterleaved(threads) => of(
            format!("deinterleaved(threads = {threads})"),
            format!("{threads} threads draw from the stream in turns, and each writes a run of the output"),
            IN_ORDER,
        ),
        Order::Axes(axes) => of(
            format!("axes({})", listed(axes)),
            format!(
                "the elements are stored with the axes in the order {}",
                listed(axes)
            ),
            "fill the output in row-major order, last extent fastest",
        ),
        Order::ColumnMajor => of(
            "column-major".to_owned(),
            "the elements are stored column-major, first extent fastest".to_owned(),
            "fill the output in row-major order, last extent fastest",
        ),
        Order::Reversed => of(
            "reversed".to_owned(),
            "the elements are in the opposite order".to_owned(),
            "fill the output in row-major order, last extent fastest",
        ),
        Order::ReversedAxis(0) => of(
            "rows-reversed".to_owned(),
            "the elements of each row are in the opposite order".to_owned(),
            "fill the output in row-major order, last extent fastest",
        ),
        Order::ReversedAxis(axis) => of(
            format!("axis-reversed(from the innermost = {axis})"),
            format!("an axis, {axis} from the innermost, is in the opposite order"),
            "fill the output in row-major order, last extent fastest",
        ),
        Order::Rows(0) => of(
            "rows-restart".to_owned(),
            "each row begins again at the stream's first element".to_owned(),
            "go on in the stream from row to row",
        ),
        Order::Rows(multiple) => of(
            format!("rows-padded(to = {multiple})"),
            format!(
                "each row takes a multiple of {multiple} elements of the stream, and drops those left over"
            ),
            "go on in the stream from row to row, without padding",
        ),
        Order::RowsOfBlocks => of(
            "rows-begin-blocks".to_owned(),
            "each row begins with a block of its own, and drops the words left over of its last one"
                .to_owned(),
            "go on in the stream from row to row, without padding",
        ),
    }
}

fn periodic(period: usize, advance: usize, offsets: &[usize]) -> (String, String, String) {
    let of = |name: String, sentence: String, fix: &str| (name, sentence, fix.to_owned());
    let base = offsets.iter().copied().min().unwrap_or(0);
    let is_equal = offsets.iter().all(|&offset| offset == base) && !offsets.is_empty();
    match (period, advance) {
        (1, 1) => of(
            format!("shifted(by = {base})"),
            format!("element i is the stream's element i + {base}"),
            "begin with the first block, and with its first word",
        ),
        (1, advance) => of(
            format!("strided({})", affine(advance, base)),
            format!("element i is the stream's element {}", affine(advance, base)),
            "use every word of a block, and each block once",
        ),
        (period, 1) if is_equal => of(
            format!("held(times = {period})"),
            format!("each element of the stream is given {period} times"),
            "give each element words of its own",
        ),
        (period, 0) if offsets.is_empty() => of(
            format!("repeated(size = {period})"),
            format!("the first {period} elements are repeated to the end"),
            "advance the counter from block to block, and from thread to thread",
        ),
        (period, advance) if offsets.is_empty() => of(
            format!("chunks(size = {period}, apart = {advance})"),
            format!(
                "element j of chunk q, of {period} elements each, is the stream's element {advance} q + j"
            ),
            "begin each chunk at the stream's element of its first index",
        ),
        (period, advance) => {
            let mut sorted = offsets.to_vec();
            sorted.sort_unstable();
            let is_permutation = advance == period && sorted.into_iter().eq(0..period);
            let name = if is_permutation {
                format!("order-in-group({})", listed(offsets))
            } else {
                format!("elements({advance} q + {})", listed(offsets))
            };
            let sentence = if is_permutation {
                format!(
                    "the elements of each group of {period} come in the order {}",
                    listed(offsets)
                )
            } else {
                format!(
                    "element j of group q, of {period} elements each, is the stream's element {advance} q + the j-th of {}",
                    listed(offsets)
                )
            };
            of(name, sentence, IN_ORDER)
        }
    }
}

fn of_recode(recode: Recode) -> (String, String, String) {
    let (name, sentence, fix) = match recode {
        Recode::Bytes => (
            "bytes-swapped",
            "the bytes of each element are in the opposite order",
            "write elements least significant byte first",
        ),
        Recode::Halves => (
            "word-halves-swapped",
            "the two 32-bit halves of each element are exchanged",
            "exchange the two words that make an element",
        ),
        Recode::Flushed => (
            "subnormals-flushed",
            "subnormal values are flushed to zero",
            "turn off flush-to-zero and denormals-are-zero around the kernel",
        ),
    };
    (name.to_owned(), sentence.to_owned(), fix.to_owned())
}
