//! Names, sentences and fixes for structures.

use super::along::listed;
use super::order::{Channel, Order, Second, Way};
use super::parts::Part;
use super::recode::Recode;
use super::row_words::{self, ROW_MAJOR, Unit};
use super::slices::{Begin, Runs, Share};
use super::tail::Tail;
use super::tail_words;
use super::tiles::Tiles;
use crate::model::diagnosis::Cause;

const IN_ORDER: &str = "let element i take the i-th value of the stream, whatever thread writes it";

/// Each part of a structure as a cause: its order, a recoding, a tail.
pub(super) fn of(order: &Order, recode: Option<Recode>, tail: Option<&Tail>) -> Vec<Cause> {
    let mut parts = match order {
        Order::Stream => Vec::new(),
        Order::Blocks { step, first, within } => blocks(*step, *first, within),
        _ => vec![of_order(order)],
    };
    if let (Some(group), [cause]) = (tail.and_then(|tail| tail.leaves(order)), &mut parts[..]) {
        cause.name += " in whole groups";
        cause.sentence += &format!("; the elements after the last whole group of {group} are in order");
        return parts;
    }
    parts.extend(recode.map(of_recode));
    parts.extend(tail.map(tail_words::of));
    parts
}

/// The formula of the stream's block that block i of the output is.
fn affine(step: usize, first: usize) -> String {
    match (step, first) {
        (0, first) => first.to_string(),
        (1, 0) => "i".to_owned(),
        (1, first) => format!("i + {first}"),
        (step, 0) => format!("{step} i"),
        (step, first) => format!("{step} i + {first}"),
    }
}

/// The order of blocks, and that of the elements in each.
fn blocks(step: usize, first: usize, within: &[usize]) -> Vec<Cause> {
    let mut parts = Vec::new();
    if (step, first) != (1, 0) {
        let block = affine(step, first);
        parts.push(Cause::structure(
            format!("blocks({block})"),
            format!("block i of the output is block {block} of the stream"),
            "raise the counter by one from block to block, beginning with the first",
        ));
    }
    if !within.is_empty() {
        parts.push(Cause::structure(
            format!("order-in-block({})", listed(within)),
            format!("the elements of each block come in the order {}", listed(within)),
            "write the words of a block in their order",
        ));
    }
    parts
}

fn of_order(order: &Order) -> Cause {
    of_order_in(order, ELEMENTS)
}

const ELEMENTS: Unit = ["size", "elements"];

fn of_order_in(order: &Order, unit: Unit) -> Cause {
    match order {
        Order::Periodic {
            period,
            advance,
            offsets,
        } => periodic(order, *period, *advance, offsets, unit),
        Order::InWords(order) => of_order_in(order, ["words", "words"]),
        Order::Interleaved(threads, runs) => Cause::structure(
            format!("interleaved(threads = {threads}{})", evenly(*runs)),
            format!(
                "{threads} threads each draw a run of the stream, and their elements are written in turns"
            ),
            IN_ORDER,
        ),
        Order::Deinterleaved(threads, runs) => Cause::structure(
            format!("deinterleaved(threads = {threads}{})", evenly(*runs)),
            format!("{threads} threads draw from the stream in turns, and each writes a run of the output"),
            IN_ORDER,
        ),
        Order::Chunks {
            size,
            advance,
            offsets,
        } => chunks(*size, *advance, offsets, unit),
        Order::Slices {
            threads,
            share,
            begin,
        } => slices(*threads, *share, *begin),
        Order::Axes(way, axes) => Cause::structure(
            format!("{}axes({})", filled(*way), listed(axes)),
            format!(
                "{} with the axes in the order {}{}",
                done(*way),
                listed(axes),
                named_axes(axes)
            ),
            ROW_MAJOR,
        ),
        Order::AxesMoved(way, moved) => {
            let [name, axes] = moved.words();
            Cause::structure(
                format!("{}{name}", filled(*way)),
                format!("{} with {axes}", done(*way)),
                ROW_MAJOR,
            )
        }
        Order::ColumnMajor(way) => Cause::structure(
            format!("{}column-major", filled(*way)),
            format!("{} column by column, the first axis fastest", done(*way)),
            ROW_MAJOR,
        ),
        Order::ColumnMajorItems(way) => Cause::structure(
            format!("{}column-major-items", filled(*way)),
            format!(
                "{} with all axes but the first in reverse order: each item of the batch column by column",
                done(*way)
            ),
            ROW_MAJOR,
        ),
        Order::Channels { way, axis, size } => channels(*way, *axis, *size),
        Order::Reversed => Cause::structure("reversed", "the elements are in the opposite order", ROW_MAJOR),
        Order::Tiles(way, cut) => tiles(*way, *cut),
        Order::HalvesExchanged(second) => Cause::structure(
            match second {
                Second::Longer => "halves-exchanged",
                Second::Shorter => "halves-exchanged(the shorter first)",
            },
            "the second half of the elements comes before the first",
            IN_ORDER,
        ),
        Order::OfParts(part, order) => of_parts(*part, order),
        Order::Within(part, order) => {
            let (within, part) = (of_order(order), part.noun());
            // The order is one of the part's own elements: said of the stream, it would be wrong of every part but the first.
            let sentence = within
                .sentence
                .replace("the stream's", &format!("the {part}'s"))
                .replace("of the stream", &format!("of the {part}"))
                .replace("the block whose", "the element whose");
            Cause {
                name: format!("in-{part}s({})", within.name),
                sentence: format!("in each {part}, {sentence}"),
                ..within
            }
        }
        _ => row_words::of(order, unit),
    }
}

/// The last two axes in tiles.
fn tiles(way: Way, tiles: Tiles) -> Cause {
    let Tiles { columns, .. } = tiles;
    let [rows, of_rows] = match tiles.rows {
        usize::MAX => ["all", "all rows"].map(str::to_owned),
        rows => [rows.to_string(), format!("{rows} rows")],
    };
    let [flat, of_all] = if tiles.is_flat {
        [
            ", of all rows",
            ", as if the rows of all matrices made up one matrix",
        ]
    } else {
        ["", ""]
    };
    let within = if tiles.is_column_major {
        ", column-major"
    } else {
        ""
    };
    let (edge, cut) = if tiles.is_whole {
        (", whole", ", and drops what lies over the edge")
    } else {
        ("", "")
    };
    Cause::structure(
        format!("{}tiles({rows} x {columns}{within}{edge}{flat})", filled(way)),
        format!(
            "{} in tiles of {of_rows} and {columns} columns{of_all}{within}{cut}",
            done(way)
        ),
        ROW_MAJOR,
    )
}

/// An order of rows or items: what is said of elements, said of these.
fn of_parts(part: Part, order: &Order) -> Cause {
    let noun = part.noun();
    let Cause { name, sentence, .. } = match order {
        Order::RowsRotated(by) => Cause::structure(
            format!("rotated(by = {by})"),
            format!(
                "the elements are rotated by {} places towards the {}",
                by.unsigned_abs(),
                if *by > 0 { "end" } else { "beginning" }
            ),
            "",
        ),
        _ => of_order(order),
    };
    // A part has no blocks within it, so that what begins at a block begins at a whole part.
    let mut sentence = sentence
        .replace("the block whose", &format!("the {noun} whose"))
        .replace("element", noun);
    if !sentence.contains(noun) {
        sentence.push_str(&format!(", in whole {noun}s"));
    }
    if part == Part::Item {
        sentence.push_str("; an item is what stands at one index of the first axis");
    }
    let fix = format!("let {noun} i take the i-th {noun} of the stream, whatever thread writes it");
    Cause::structure(format!("{noun}s({name})"), sentence, fix)
}

/// What was stored in blocks has to be brought back; what was filled in blocks is in row-major order already, and to bring that back
/// would permute it once more.
fn channels(way: Way, axis: Channel, size: usize) -> Cause {
    Cause::structure(
        format!(
            "{}channels-in-blocks(of = {size}, {})",
            filled(way),
            channel_name(axis)
        ),
        format!(
            "{} in blocks of {size} channels of the {} axis, where its extent is a multiple of {size}: {}",
            done(way),
            channel_name(axis),
            match axis {
                Channel::Second => "the channels of a block are innermost",
                Channel::Last => "the first block of all rows comes before the second",
            }
        ),
        match way {
            Way::Stored => "bring the output from the blocked layout back into row-major order",
            Way::Filled => ROW_MAJOR,
        },
    )
}

const fn evenly(runs: Runs) -> &'static str {
    match runs {
        Runs::Alike => "",
        Runs::Even => ", evenly",
    }
}

const fn filled(way: Way) -> &'static str {
    match way {
        Way::Stored => "",
        Way::Filled => "filled-",
    }
}

const fn done(way: Way) -> &'static str {
    match way {
        Way::Stored => "the elements are stored",
        Way::Filled => "the stream fills the output",
    }
}

/// The common name of a permutation of four axes, where it has one.
fn named_axes(axes: &[usize]) -> &'static str {
    match axes {
        [0, 2, 3, 1] => ": NHWC where the shape says NCHW",
        [0, 3, 1, 2] => ": NCHW where the shape says NHWC",
        _ => "",
    }
}

const fn channel_name(axis: Channel) -> &'static str {
    match axis {
        Channel::Second => "second",
        Channel::Last => "last",
    }
}

/// An output that threads draw in equal runs, or that is drawn in chunks of one size.
fn slices(threads: usize, share: Share, begin: Begin) -> Cause {
    // What a program computes that multiplies one length by the number of the thread, although the lengths differ.
    let rounded = if share == Share::Even { "down" } else { "up" };
    let part =
        format!("the element whose index is the thread's number times n / {threads}, rounded {rounded}");
    let [nominal, below_nominal] = ["at", "at word 0 of the block of"].map(|at| format!("{at} {part}"));
    let (name, place) = match begin {
        Begin::Start => ("from the start", "at the stream's first element"),
        Begin::BlockBelow => (
            "from the block below",
            "at word 0 of the block in which its first element stands",
        ),
        Begin::BlockAbove => (
            "from the block above",
            "at the first block that begins at its first element or after it",
        ),
        Begin::BlockFrom => (
            "from its index as a block",
            "at the block whose number is the index of its first element",
        ),
        Begin::BlockOfThread => (
            "from its number as a block",
            match share {
                Share::Fixed(_) => "at the block whose number is the chunk's",
                _ => "at the block whose number is the thread's",
            },
        ),
        Begin::Nominal => ("from equal parts", nominal.as_str()),
        Begin::BlockBelowNominal => ("from the block below equal parts", below_nominal.as_str()),
    };
    let (shared, part) = match share {
        Share::Up => (String::new(), format!("n / {threads} elements rounded up")),
        Share::Groups(size) => (
            format!(", in groups of {size}"),
            format!("n / {threads} elements rounded up to a multiple of {size}"),
        ),
        Share::Even => (
            ", evenly".to_owned(),
            format!("n / {threads} elements, and the first n mod {threads} threads one more"),
        ),
        Share::Fixed(size) => {
            return Cause::structure(
                format!("chunks(size = {size}, {name})"),
                format!("the output is drawn in chunks of {size} elements; each begins {place}"),
                "begin each chunk at the block and at the word of its first element",
            );
        }
    };
    Cause::structure(
        format!("slices(threads = {threads}{shared}, {name})"),
        format!("{threads} threads each draw a run of the output, {part}; each begins {place}"),
        "begin each run at the block and at the word of its first element",
    )
}

/// Chunks in another order than the stream's. The offsets are in elements.
fn chunks(size: usize, advance: usize, offsets: &[usize], [key, noun]: Unit) -> Cause {
    let count = offsets.len();
    // Where every offset is a whole number of chunks, the sentence can count chunks, which are far smaller numbers.
    let is_whole = offsets.iter().all(|offset| offset % size == 0) && advance == count * size;
    let places: Vec<usize> = offsets.iter().map(|offset| offset / size).collect();
    let mut sorted = places.clone();
    sorted.sort_unstable();
    let (name, sentence) = if is_whole && places.iter().all(|&place| place == 0) {
        (
            format!("chunks-held({key} = {size}, times = {count})"),
            format!("of each {count} chunks of {size} {noun}, all repeat the first"),
        )
    } else if is_whole && sorted.into_iter().eq(0..count) {
        (
            format!("order-of-chunks({key} = {size}, {})", listed(&places)),
            format!(
                "the chunks of {size} {noun} come in the order {} in each group of {count}",
                listed(&places)
            ),
        )
    } else {
        (
            format!("chunks({key} = {size}, at {advance} q + {})", listed(offsets)),
            format!(
                "of each group of {count} chunks of {size} {noun}, chunk j of group q begins {advance} q + o {noun} into the stream, where o \
                 is {} for j = 0, 1, …",
                listed(offsets)
            ),
        )
    };
    Cause::structure(
        name,
        sentence,
        "begin each chunk at the stream's element that has the index of its first element",
    )
}

fn periodic(of_period: &Order, period: usize, advance: usize, offsets: &[usize], [key, noun]: Unit) -> Cause {
    // The same form describes shifts, strides, repeated elements and permutations of a group. Each has a usual name,
    // and the general formula is left for the rest.
    let base = offsets.iter().copied().min().unwrap_or(0);
    let is_equal = offsets.iter().all(|&offset| offset == base) && !offsets.is_empty();
    match (period, advance) {
        (1, 1) => Cause::structure(
            format!("shifted(by = {base})"),
            format!("element i is the stream's element i + {base}"),
            "begin with the first block, and with its first word",
        ),
        (1, advance) => Cause::structure(
            format!("strided({})", affine(advance, base)),
            format!("element i is the stream's element {}", affine(advance, base)),
            "use every word of a block, and each block once",
        ),
        (period, 1) if is_equal => Cause::structure(
            format!("held(times = {period})"),
            match base {
                0 => format!("each element of the stream is given {period} times"),
                _ => format!("each element of the stream from element {base} on is given {period} times"),
            },
            "give each element words of its own",
        ),
        (period, 0) if offsets.is_empty() => Cause::structure(
            format!("repeated({key} = {period})"),
            format!("the first {period} {noun} are repeated to the end"),
            "advance the counter from block to block, and from thread to thread",
        ),
        (period, advance) if offsets.is_empty() => Cause::structure(
            format!("chunks({key} = {period}, apart = {advance})"),
            format!("chunk q, of {period} {noun}, begins {advance} q {noun} into the stream"),
            "begin each chunk at the stream's element that has the index of its first element",
        ),
        (period, advance) => {
            let is_permutation = of_period.permuted_group().is_some();
            // A long list is that of chunks, if they keep their elements together.
            if is_permutation
                && of_period.is_list()
                && let Some(size) = chunk_of(offsets)
            {
                let starts: Vec<usize> = offsets.iter().copied().step_by(size).collect();
                return chunks(size, advance, &starts, [key, noun]);
            }
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
                    "element j of group q, of {period} elements each, is the stream's element {advance} q + o, where o is {} for j = 0, 1, …",
                    listed(offsets)
                )
            };
            Cause::structure(name, sentence, IN_ORDER)
        }
    }
}

/// The size of the largest chunks that this order of elements moves as a whole; `None` if none is larger than an element.
fn chunk_of(offsets: &[usize]) -> Option<usize> {
    let is_chunk = |chunk: &[usize]| {
        chunk[0].is_multiple_of(chunk.len()) && chunk.iter().copied().eq(chunk[0]..chunk[0] + chunk.len())
    };
    let mut sizes = (2..=offsets.len() / 2)
        .rev()
        .filter(|size| offsets.len().is_multiple_of(*size));
    sizes.find(|&size| offsets.chunks(size).all(is_chunk))
}

fn of_recode(recode: Recode) -> Cause {
    match recode {
        Recode::Through(dtype) => Cause::structure(
            format!("through-{dtype}"),
            format!("each element went through {dtype} when it was finished, and lost what that cannot hold"),
            "store elements as they are computed, in the output's type",
        ),
        Recode::LowBits(count) => Cause::structure(
            format!("low-bits-zero(bits = {count})"),
            format!("the low {count} bits of each element are zero, and the others are right"),
            "convert the words in the output's type, and store all of its bits",
        ),
        Recode::Bytes => Cause::structure(
            "bytes-swapped",
            "the bytes of each element are in the opposite order",
            "write elements least significant byte first",
        ),
        Recode::Halves => Cause::structure(
            "word-halves-swapped",
            "the two halves of the bits of each element are exchanged",
            "store the two halves of each element in the other order",
        ),
        Recode::Flushed => Cause::structure(
            "subnormals-flushed",
            "subnormal values are flushed to zero",
            "turn off flush-to-zero and denormals-are-zero around the kernel",
        ),
    }
}
