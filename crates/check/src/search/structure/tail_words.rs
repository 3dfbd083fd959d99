//! Names, sentences and fixes for tails.

use super::along::{Span, listed};
use super::place::Place;
use super::tail::{Content, Tail};
use crate::model::diagnosis::Cause;

const RUNS: &str =
    "see that the kernel runs, that it writes the buffer that is read back, and that its counter advances";

/// A name of what stands in a tail, and the end of a sentence about it.
fn content(content: Content) -> (String, String) {
    let what = match content {
        Content::Zero => "zero".to_owned(),
        Content::Nan => "NaN".to_owned(),
        Content::Byte(byte) => format!("bytes of {byte:02x}"),
        Content::Value(bits) => format!("bits {bits:x}"),
        Content::Stale(back) => format!("stale by {back}"),
        Content::StaleIndex(1) => "stale by an index".to_owned(),
        Content::StaleIndex(back) => format!("stale by {back} indices"),
        Content::FirstElement => "the first element".to_owned(),
        Content::Again => "the stream again".to_owned(),
        Content::Next => "the next elements".to_owned(),
        Content::Previous => "the previous elements".to_owned(),
        Content::BlockBelow => "from the block below".to_owned(),
        Content::Reversed => "reversed".to_owned(),
        Content::Ahead(by) => format!("ahead by {by}"),
        Content::Slower(by) => format!("from / {by}"),
        Content::Faster(by) => format!("from * {by}"),
        Content::InOrder => "in order".to_owned(),
        Content::Noise => "noise".to_owned(),
    };
    let holds = match content {
        Content::Zero => "are zero".to_owned(),
        Content::Nan => "are NaN".to_owned(),
        Content::Byte(byte) => format!("consist of bytes {byte:02x}, as memory does that nothing wrote"),
        Content::Value(bits) => format!("all have the bits {bits:x}"),
        Content::Stale(back) => format!("hold the elements {back} before them once more"),
        Content::StaleIndex(1) => "hold what stands one index before them once more".to_owned(),
        Content::StaleIndex(back) => format!("hold what stands {back} indices before them once more"),
        Content::FirstElement => "all hold the stream's first element".to_owned(),
        Content::Again => "begin again at the stream's first element".to_owned(),
        Content::Next => "are the stream's next ones".to_owned(),
        Content::Previous => "are the stream's previous ones".to_owned(),
        Content::BlockBelow => "begin with a whole block".to_owned(),
        Content::Reversed => "are in the opposite order".to_owned(),
        Content::Ahead(by) if by < 0 => format!("are the stream's elements {} behind", -by),
        Content::Ahead(by) => format!("are the stream's elements {by} ahead"),
        Content::Slower(by) => format!("are the stream's from 1 / {by} of their first index on"),
        Content::Faster(by) => format!("are the stream's from {by} times their first index on"),
        Content::InOrder => "are in the stream's order".to_owned(),
        Content::Noise => "are not from this stream".to_owned(),
    };
    (what, holds)
}

/// A tail as a cause.
pub(super) fn of(tail: &Tail) -> Cause {
    let (what, holds) = content(tail.content);
    let cover = cover(tail.content);
    match &tail.place {
        Place::All if tail.content == Content::Zero => {
            Cause::structure("all-zero", "every element is zero", RUNS)
        }
        Place::All => Cause::structure(
            format!("constant({what})"),
            format!("all elements {}", holds.trim_start_matches("all ")),
            RUNS,
        ),
        Place::Group(group) => Cause::structure(
            format!("tail(group = {group}, {what})"),
            format!("right up to the last whole group of {group}; the elements after it {holds}"),
            cover,
        ),
        Place::GroupOfWords(words) => Cause::structure(
            format!("tail(words = {words}, {what})"),
            format!("right up to the last whole group of {words} words; the elements after it {holds}"),
            cover,
        ),
        Place::Overlap(group) => of_overlap("group", *group, ["", " elements"], tail.content),
        Place::OverlapOfWords(words) => of_overlap("words", *words, [" words"; 2], tail.content),
        Place::Along(along) => Cause::structure(
            along.name(Some(&what)),
            along.sentence(&holds),
            match along.span {
                Span::Group(_) | Span::Lanes { .. } => cover,
                _ => {
                    "see that the loop over this axis begins with its first element and ends with its last one"
                }
            },
        ),
        Place::Figure(figure) => {
            let [name, place] = figure.words();
            Cause::structure(
                format!("{name}({what})"),
                format!("the elements {place} of each matrix {holds}; the others are right"),
                "see which rows and columns the kernel computes, and what is stored over them",
            )
        }
        Place::Beyond => Cause::structure(
            format!("beyond({what})"),
            format!("the elements that are read where nothing of the stream was stored {holds}"),
            "see the pitch and the stride by which the buffer is written and read",
        ),
        Place::From(from) => Cause::structure(
            format!("tail(from = {from}, {what})"),
            format!(
                "right up to element {from}{}; the elements from there on {holds}",
                landmark(*from)
            ),
            cover,
        ),
        Place::First(count) => Cause::structure(
            format!("first({count}, {what})"),
            format!("right from element {count} on; the elements before it {holds}"),
            "see where the first elements are stored, and what is stored over them",
        ),
        Place::Last(count) => Cause::structure(
            format!("last({count}, {what})"),
            format!("right up to {count} before the end; the elements from there on {holds}"),
            "see whether the last element is within the bound of the loop, and of the launch",
        ),
        Place::Lanes { period, lanes } => Cause::structure(
            format!("lanes({} of {period}, {what})", listed(lanes)),
            format!(
                "of each {period} elements, those at {} {holds}; the others are right",
                listed(lanes)
            ),
            "see that every lane of a vector is computed and stored",
        ),
    }
}

const fn cover(content: Content) -> &'static str {
    match content {
        Content::InOrder => "see that vectors and the rest after them store their elements in one order",
        Content::Reversed => "store these elements in their order",
        // They were drawn and written, from another place of the stream.
        Content::Again | Content::Ahead(_) | Content::Slower(_) | Content::Faster(_) => {
            "begin these elements at the block and at the word of the first of them"
        }
        _ => "see that the launch covers every element, the last partial group too",
    }
}

/// The last group, where it is stored so that it ends with the output. `key` names its size, and in a sentence its unit follows
/// the number: at the first place only where a group has more than a number.
fn of_overlap(key: &str, group: usize, [unit, elements]: [&str; 2], found: Content) -> Cause {
    match found {
        Content::Previous => Cause::structure(
            format!("tail-overlaps({key} = {group}, the group before)"),
            format!(
                "the last {group}{elements} are those of the last whole group of {group}, stored at the end of the output"
            ),
            "draw the elements that the last group has, and store them at their own places",
        ),
        Content::BlockBelow => Cause::structure(
            format!("tail-overlaps({key} = {group}, from the block below)"),
            format!(
                "the last {group}{elements} are drawn together, from word 0 of the block in which the first of them stands"
            ),
            "begin the last group at the word of its first element",
        ),
        _ => Cause::structure(
            format!("tail-overlaps({key} = {group})"),
            format!(
                "the last group of {group}{unit} is stored so that it ends with the output, over elements that were right"
            ),
            "store only the elements of the last group that the output has",
        ),
    }
}

/// A remark about a number of elements that is probably not a coincidence.
fn landmark(from: usize) -> String {
    if from >= 32 && from.is_power_of_two() {
        " (a power of two)".to_owned()
    } else if from > 0 && from.is_multiple_of(624) {
        format!(
            " ({} times 624, the size of a Mersenne Twister's state)",
            from / 624
        )
    } else {
        String::new()
    }
}
