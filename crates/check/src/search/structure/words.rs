//! Names, sentences and fixes for structures.

use super::along::listed;
use super::order::{Channel, Order, SHORT, Second, Way};
use super::parts::Part;
use super::recode::Recode;
use super::row_words::{self, ROW_MAJOR, Unit};
use super::slices::{Begin, Runs, Share};
use super::tail::Tail;
use super::tail_words;
use super::tiles::Tiles;

const IN_ORDER: &str = "let element i take the i-th value of the stream, whatever thread writes it";

/// The name, the sentence and the fix of each part of a structure: its order, a recoding, a tail.
pub(super) fn of(
    order: &Order,
    recode: Option<Recode>,
    tail: Option<&Tail>,
) -> Vec<(String, String, String)> {
    let mut parts = match order {
        Order::Stream => Vec::new(),
        Order::Blocks { step, first, within } => blocks(*step, *first, within),
        _ => vec![of_order(order)],
    };
    if let (Some(group), [(name, sentence, _)]) = (tail.and_then(|tail| tail.leaves(order)), &mut parts[..]) {
        name.push_str(" in whole groups");
        *sentence = format!("{sentence}; the elements after the last whole group of {group} are in order");
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
fn blocks(step: usize, first: usize, within: &[usize]) -> Vec<(String, String, String)> {
    let mut parts = Vec::new();
    if (step, first) != (1, 0) {
        let block = affine(step, first);
        parts.push((
            format!("blocks({block})"),
            format!("block i of the output is block {block} of the stream"),
            "raise the counter by one from block to block, beginning with the first".to_owned(),
        ));
    }
    if !within.is_empty() {
        parts.push((
            format!("order-in-block({})", listed(within)),
            format!("the elements of each block come in the order {}", listed(within)),
            "write the words of a block in their order".to_owned(),
        ));
    }
    parts
}

fn of_order(order: &Order) -> (String, String, String) {
    of_order_in(order, ELEMENTS)
}

const ELEMENTS: Unit = ["size", "elements"];

fn of_order_in(order: &Order, unit: Unit) -> (String, String, String) {
    let of = |name: String, sentence: String, fix: &str| (name, sentence, fix.to_owned());
    match order {
        Order::Periodic {
            period,
            advance,
            offsets,
        } => periodic(order, *period, *advance, offsets, unit),
        Order::InWords(order) => of_order_in(order, ["words", "words"]),
        Order::Interleaved(threads, runs) => of(
            format!("interleaved(threads = {threads}{})", evenly(*runs)),
            format!(
                "{threads} threads each draw a run of the stream, and their elements are written in turns"
            ),
            IN_ORDER,
        ),
        Order::Deinterleaved(threads, runs) => of(
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
        Order::Axes(way, axes) => of(
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
            of(
                format!("{}{name}", filled(*way)),
                format!("{} with {axes}", done(*way)),
                ROW_MAJOR,
            )
        }
        Order::ColumnMajor(way) => of(
            format!("{}column-major", filled(*way)),
            format!("{} column by column, the first axis fastest", done(*way)),
            ROW_MAJOR,
        ),
        Order::ColumnMajorItems(way) => of(
            format!("{}column-major-items", filled(*way)),
            format!(
                "{} with all axes but the first in reverse: each item of the batch column by column",
                done(*way)
            ),
            ROW_MAJOR,
        ),
        Order::Channels { way, axis, size } => of(
            format!(
                "{}channels-in-blocks(of = {size}, {})",
                filled(*way),
                channel_name(*axis)
            ),
            format!(
                "{} in blocks of {size} along its {} axis, where that is a multiple of {size}, and handed on as if it were plain",
                done(*way),
                channel_name(*axis)
            ),
            "bring the output from the blocked layout back into row-major order",
        ),
        Order::Reversed => of(
            "reversed".to_owned(),
            "the elements are in the opposite order".to_owned(),
            ROW_MAJOR,
        ),
        Order::Tiles(way, cut) => tiles(*way, *cut),
        Order::HalvesExchanged(second) => of(
            match second {
                Second::Longer => "halves-exchanged".to_owned(),
                Second::Shorter => "halves-exchanged(the longer first)".to_owned(),
            },
            "the second half of the elements comes before the first".to_owned(),
            IN_ORDER,
        ),
        Order::OfParts(part, order) => of_parts(*part, order),
        Order::Within(part, order) => {
            let (name, sentence, fix) = of_order(order);
            let part = part.noun();
            (
                format!("in-{part}s({name})"),
                format!("in each {part}, {sentence}"),
                fix,
            )
        }
        _ => row_words::of(order, unit),
    }
}

/// The last two axes in tiles.
fn tiles(way: Way, tiles: Tiles) -> (String, String, String) {
    let Tiles { columns, .. } = tiles;
    let [rows, of_rows] = match tiles.rows {
        usize::MAX => ["all", "all rows"].map(str::to_owned),
        rows => [rows.to_string(), format!("{rows} rows")],
    };
    let [flat, of_all] = if tiles.is_flat {
        [", of all rows", ", as if the rows of all matrices were one"]
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
    (
        format!("{}tiles({rows} x {columns}{within}{edge}{flat})", filled(way)),
        format!(
            "{} in tiles of {of_rows} and {columns} columns{of_all}{within}{cut}",
            done(way)
        ),
        ROW_MAJOR.to_owned(),
    )
}

/// An order of rows or items: what is said of elements, said of these.
fn of_parts(part: Part, order: &Order) -> (String, String, String) {
    let noun = part.noun();
    let (name, sentence, _) = match order {
        Order::RowsRotated(by) => (
            format!("rotated(by = {by})"),
            format!(
                "the elements are rotated by {} places towards the {}",
                by.unsigned_abs(),
                if *by > 0 { "end" } else { "beginning" }
            ),
            String::new(),
        ),
        _ => of_order(order),
    };
    let mut sentence = sentence.replace("element", noun);
    if !sentence.contains(noun) {
        sentence.push_str(&format!(", in whole {noun}s"));
    }
    if part == Part::Item {
        sentence.push_str("; an item is what stands at one index of the first axis");
    }
    (format!("{noun}s({name})"), sentence, ROW_MAJOR.to_owned())
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

/// An output that threads draw in equal runs.
fn slices(threads: usize, share: Share, begin: Begin) -> (String, String, String) {
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
        Share::Fixed(_) => (String::new(), String::new()),
    };
    let (name, place) = match begin {
        Begin::Start => ("from the start", "at the stream's first element"),
        Begin::BlockBelow => (
            "from the block below",
            "at word 0 of the block in which its first element stands",
        ),
        Begin::BlockAbove => (
            "from the block above",
            "at the whole block after its first element",
        ),
        Begin::BlockFrom => (
            "from its index as a block",
            "at the block whose number is the index of its first element",
        ),
        Begin::BlockOfThread => (
            "from its number as a block",
            "at the block whose number is the thread's",
        ),
        Begin::Nominal => (
            "from equal parts",
            "at the element where it would if no thread had more than n / threads",
        ),
        Begin::BlockBelowNominal => (
            "from the block below equal parts",
            "at word 0 of the block of the element where it would if no thread had more than n / threads",
        ),
    };
    if let Share::Fixed(size) = share {
        let place = place.replace("the thread's", "the chunk's");
        return (
            format!("chunks(size = {size}, {name})"),
            format!("the output is drawn in chunks of {size} elements; each begins {place}"),
            "begin each chunk at the block and at the word of its first element".to_owned(),
        );
    }
    (
        format!("slices(threads = {threads}{shared}, {name})"),
        format!("{threads} threads each draw a run of the output, {part}; each begins {place}"),
        "begin each run at the block and at the word of its first element".to_owned(),
    )
}

/// Chunks in another order than the stream's. The offsets are in elements.
fn chunks(size: usize, advance: usize, offsets: &[usize], [key, noun]: Unit) -> (String, String, String) {
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
                "chunk j of each {count}, of {size} {noun}, begins {advance} q + the j-th of {} {noun} into the stream",
                listed(offsets)
            ),
        )
    };
    (
        name,
        sentence,
        "begin each chunk at the stream's element of its first index".to_owned(),
    )
}

fn periodic(
    of_period: &Order,
    period: usize,
    advance: usize,
    offsets: &[usize],
    [key, noun]: Unit,
) -> (String, String, String) {
    let of = |name: String, sentence: String, fix: &str| (name, sentence, fix.to_owned());
    // The same form describes shifts, strides, repeated elements and permutations of a group. Each has a usual name,
    // and the general formula is left for the rest.
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
            format!("repeated({key} = {period})"),
            format!("the first {period} {noun} are repeated to the end"),
            "advance the counter from block to block, and from thread to thread",
        ),
        (period, advance) if offsets.is_empty() => of(
            format!("chunks({key} = {period}, apart = {advance})"),
            format!("chunk q, of {period} {noun}, begins {advance} q {noun} into the stream"),
            "begin each chunk at the stream's element of its first index",
        ),
        (period, advance) => {
            let is_permutation = of_period.permuted_group().is_some();
            // A long list is that of chunks, if they keep their elements together.
            if is_permutation
                && offsets.len() > SHORT
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
                    "element j of group q, of {period} elements each, is the stream's element {advance} q + the j-th of {}",
                    listed(offsets)
                )
            };
            of(name, sentence, IN_ORDER)
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

fn of_recode(recode: Recode) -> (String, String, String) {
    let (name, sentence, fix) = match recode {
        Recode::Through(dtype) => {
            return (
                format!("through-{dtype}"),
                format!(
                    "each element went through {dtype} when it was finished, and lost what that cannot hold"
                ),
                "store elements as they are computed, in the output's type".to_owned(),
            );
        }
        Recode::LowBits(count) => {
            return (
                format!("low-bits-zero(bits = {count})"),
                format!("the low {count} bits of each element are zero, and the others are right"),
                "convert the words in the output's type, and store all of its bits".to_owned(),
            );
        }
        Recode::Bytes => (
            "bytes-swapped",
            "the bytes of each element are in the opposite order",
            "write elements least significant byte first",
        ),
        Recode::Halves => (
            "word-halves-swapped",
            "the two halves of the bits of each element are exchanged",
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
