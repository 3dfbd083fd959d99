//! Names, sentences and fixes for the orders of rows.

use super::order::{Counted, Order};
use super::parts::{Gap, Part};
use crate::model::diagnosis::Cause;

pub(super) const ROW_MAJOR: &str = "fill the output in row-major order, last extent fastest";

/// What sizes are counted in: the name of the number, and the noun.
pub(super) type Unit = [&'static str; 2];

/// An order of rows, or of parts of an output that begin at places of their own: items, a head.
pub(super) fn of(order: &Order, [key, noun]: Unit) -> Cause {
    match order {
        Order::ReversedAxis(0) => Cause::structure(
            "rows-reversed",
            "the elements of each row are in the opposite order",
            ROW_MAJOR,
        ),
        Order::ReversedAxis(axis) => Cause::structure(
            format!("axis-reversed(from the innermost = {axis})"),
            format!("an axis, {axis} from the innermost, is in the opposite order"),
            ROW_MAJOR,
        ),
        Order::RowsRotated(by) => Cause::structure(
            format!("rows-rotated(by = {by})"),
            format!(
                "each row (a list is one row) is rotated by {} places towards its {}",
                by.unsigned_abs(),
                if *by > 0 { "end" } else { "beginning" }
            ),
            ROW_MAJOR,
        ),
        Order::RowsExchanged => Cause::structure(
            "rows-exchanged",
            "rows are exchanged in pairs: the first and the second, the third and the fourth, and so on",
            ROW_MAJOR,
        ),
        Order::RowsSkewed(step) => Cause::structure(
            format!("rows-skewed(by = {step})"),
            format!(
                "row r of each matrix is rotated by r towards its {}",
                if *step > 0 { "end" } else { "beginning" }
            ),
            ROW_MAJOR,
        ),
        Order::OddRowsReversed(Counted::InOutput) => Cause::structure(
            "odd-rows-reversed",
            "every second row is in the opposite order",
            ROW_MAJOR,
        ),
        Order::OddRowsReversed(Counted::InMatrix) => Cause::structure(
            "odd-rows-reversed(in each matrix)",
            "every second row of each matrix is in the opposite order",
            ROW_MAJOR,
        ),
        Order::RowsHeld => Cause::structure(
            "rows-held",
            "each row holds its first element throughout",
            "give each element words of its own",
        ),
        Order::Pitched(multiple) => Cause::structure(
            format!("pitched(to = {multiple})"),
            format!(
                "each row is stored in a multiple of {multiple} elements, and the output is read as if there were no gaps between rows: they stand in it"
            ),
            "read each row from where it is stored",
        ),
        Order::Apart(part, gap) => apart(*part, *gap),
        Order::Slabs(axes) => Cause::structure(
            format!("items-restart(axes = {axes})"),
            format!(
                "each item along the first {} begins again at the stream's first element",
                if *axes == 1 {
                    "axis".to_owned()
                } else {
                    format!("{axes} axes")
                }
            ),
            "go on in the stream from item to item",
        ),
        Order::HeadFirst(group) => Cause::structure(
            format!("head({key} = {group})"),
            format!(
                "the n mod {group} {noun} left over come first; whole groups of {group} follow, from the stream's next multiple of {group} on"
            ),
            "go on in the stream right after the elements that come first, without a step to the next multiple",
        ),
        Order::RowsOfBlocks => Cause::structure(
            "rows-begin-blocks",
            "each row begins with a block of its own, and drops the words left over of its last one",
            "go on in the stream from row to row, without padding",
        ),
        // Nothing is said of the stream's own order, and the parts of an order of blocks have names of their own.
        _ => Cause::structure("", "", ""),
    }
}

/// Parts that begin at places of their own.
fn apart(part: Part, gap: Gap) -> Cause {
    let noun = part.noun();
    let (name, sentence, fix) = match gap {
        Gap::Fixed(0) => (
            "restart".to_owned(),
            format!("each {noun} begins again at the stream's first element"),
            "",
        ),
        Gap::Multiple(multiple) => (
            format!("padded(to = {multiple})"),
            format!(
                "each {noun} takes a multiple of {multiple} elements of the stream, and drops those left over"
            ),
            ", without padding",
        ),
        Gap::Plus(more) => {
            let (count, skipped) = match more.unsigned_abs() {
                1 => ("one element".to_owned(), "is"),
                count => (format!("{count} elements"), "are"),
            };
            let (sign, sentence) = if more < 0 {
                (
                    '-',
                    format!("each {noun} begins with the last {count} of the {noun} before it"),
                )
            } else {
                (
                    '+',
                    format!("{count} of the stream {skipped} skipped after each {noun}"),
                )
            };
            (
                format!("apart({noun} {sign} {})", more.unsigned_abs()),
                sentence,
                "",
            )
        }
        Gap::Fixed(gap) => (
            format!("apart({gap})"),
            format!(
                "each {noun} begins {gap} elements of the stream after the beginning of the {noun} before it"
            ),
            "",
        ),
    };
    Cause::structure(
        format!("{noun}s-{name}"),
        sentence,
        format!("go on in the stream from {noun} to {noun}{fix}"),
    )
}
