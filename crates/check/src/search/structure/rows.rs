//! Orders of rows, items and groups.

use std::collections::HashMap;

use super::order::{
    Counted, ORDER_BITS, Order, Way, explains, is_in_order, of_shape, prefix, shaped, telling,
};
use super::parts::{Gap, Part};
use super::periodic::read_off;
use super::tiles::Tiles;
use super::view::{Index, Layout, View};

impl Order {
    /// [`Self::position`] in the orders of whole rows, items and groups.
    pub(super) fn position_of_rows(&self, layout: &Layout, i: usize) -> Option<usize> {
        let (n, row) = (layout.count, layout.row());
        let column = i % row;
        Some(match self {
            Self::ReversedAxis(axis) => {
                let Some(place) = layout.dims.len().checked_sub(axis + 1) else {
                    return Some(i);
                };
                let inner = layout.dims[place + 1..].iter().copied();
                // In an array without elements the product of the other extents may overflow.
                let inner = inner.fold(1, usize::saturating_mul);
                let extent = layout.dims[place];
                let at = i / inner % extent;
                i - at * inner + (extent - 1 - at) * inner
            }
            Self::RowsRotated(by) => {
                let back = by.rem_euclid(row.cast_signed()).unsigned_abs();
                i - column + (column + row - back) % row
            }
            Self::RowsSkewed(step) => {
                let turned = (i / row % layout.matrix()[0]).cast_signed() * step;
                let back = turned.rem_euclid(row.cast_signed()).unsigned_abs();
                i - column + (column + row - back) % row
            }
            Self::OddRowsReversed(counted) => {
                let number = match counted {
                    Counted::InOutput => i / row,
                    Counted::InMatrix => i / row % layout.matrix()[0],
                };
                if number % 2 == 1 {
                    i - column + row - 1 - column
                } else {
                    i
                }
            }
            Self::RowsHeld => i - column,
            Self::Pitched(multiple) => {
                let pitch = row.next_multiple_of(*multiple);
                let column = i % pitch;
                (column < row).then_some(i / pitch * row + column)?
            }
            Self::Tiles(..) if layout.dims.len() < 2 => i,
            Self::Tiles(Way::Filled, tiles) => tiles.fill(tiles.form(layout), i),
            Self::Tiles(Way::Stored, tiles) => tiles.read(tiles.form(layout), i)?,
            Self::RowsExchanged => {
                let other = ((i / row) ^ 1) * row + column;
                // The last one of an odd number stays.
                if other < n { other } else { i }
            }
            Self::Apart(part, gap) => {
                let size = part.size(layout);
                (i / size).checked_mul(gap.of(size))?.checked_add(i % size)?
            }
            Self::RowsOfBlocks => (i / row).checked_mul(row.next_multiple_of(layout.per_block))? + column,
            // A list has no items.
            Self::Slabs(axes) if *axes >= layout.dims.len() => i,
            Self::Slabs(axes) => {
                let outer = layout.dims.iter().take(*axes).copied();
                i % (n / outer.fold(1, usize::saturating_mul).max(1)).max(1)
            }
            Self::HeadFirst(group) => match n % group {
                head if i >= head && head > 0 => i + group - head,
                _ => i,
            },
            // All others are those of `position`.
            _ => return None,
        })
    }
}

/// The orders of whole rows or items, and those within each, that explain the whole output. Whatever is an order of elements is
/// looked for.
pub(super) fn of_parts(view: &View, stream: &[u64]) -> Vec<Order> {
    let orders = |part: Part| {
        let size = part.size(&view.layout);
        // Two parts can only be exchanged, which has a name of its own.
        let of = if size > 1 && view.count() >= 3 * size {
            orders_of(part, view, stream)
        } else {
            Vec::new()
        };
        let is_part = size > 1 && view.count() > size;
        let within = if is_part {
            orders_within(part, view, stream)
        } else {
            Vec::new()
        };
        of.into_iter()
            .chain(within)
            .filter(|order| !is_in_order(order, &view.layout))
    };
    parts(&view.layout).flat_map(orders).collect()
}

/// The items of a matrix are its rows.
fn parts(layout: &Layout) -> impl Iterator<Item = Part> {
    let has_items = layout.dims.len() > 2;
    Part::ALL
        .into_iter()
        .filter(move |part| *part == Part::Row || has_items)
}

fn orders_of(part: Part, view: &View, stream: &[u64]) -> Vec<Order> {
    let size = part.size(&view.layout);
    // Parts of equal elements have equal numbers.
    let mut numbers = HashMap::new();
    let mut number = |part| {
        let next = numbers.len();
        *numbers.entry(part).or_insert(next) as u64
    };
    let drawn: Vec<u64> = stream.chunks_exact(size).map(&mut number).collect();
    let actual = view.actual.chunks_exact(size).map(&mut number).collect();
    let parts = View {
        layout: part.layout(&view.layout),
        actual,
        nan: view.nan,
        bits: view.evidence(size),
    };
    let found = any(&parts, &drawn).into_iter();
    found.map(|order| Order::OfParts(part, Box::new(order))).collect()
}

/// The orders of the first part that hold in all of them.
fn orders_within(part: Part, view: &View, stream: &[u64]) -> Vec<Order> {
    let size = part.size(&view.layout);
    // The stream of a mistake may be shorter than the output.
    let Some(drawn) = stream.get(..size) else {
        return Vec::new();
    };
    let first = View {
        layout: part.within(&view.layout),
        actual: view.actual[..size].to_vec(),
        nan: view.nan,
        // All parts are evidence of the order that they share.
        bits: view.evidence(view.count() / size),
    };
    let found = any(&first, drawn).into_iter();
    let found = found.map(|order| Order::Within(part, Box::new(order)));
    found.filter(|order| explains(order, view, stream)).collect()
}

fn any(view: &View, stream: &[u64]) -> Vec<Order> {
    let index = Index::of(stream);
    // Thousands of orders are tried for each part of each output, and none of them has an element that the stream lacks.
    let is_drawn = |i: usize| index.positions(view.actual[i]).next().is_some();
    if view.actual == stream || !telling(view.count()).all(is_drawn) {
        return Vec::new();
    }
    let mut found = shaped(view, &of_shape(&view.layout), stream);
    found.extend(read_off(view, stream, &index));
    found
}

/// The orders whose parts are as far apart as the first two are, in each way in which that may depend on their size.
pub(super) fn apart(view: &View, stream: &[u64], index: &Index) -> Vec<Order> {
    let mut found = Vec::new();
    for part in parts(&view.layout) {
        let size = part.size(&view.layout);
        let Some(&second) = view.actual.get(size).filter(|_| size > 1) else {
            continue;
        };
        let gaps = index.positions(second).take(MAX_PLACES);
        // Parts that begin again at the stream's start have a name of their own.
        let gaps = gaps.filter(|&gap| gap > 0 && gap != size);
        for gap in gaps {
            let more = gap.cast_signed() - size.cast_signed();
            let orders = [Gap::Plus(more), Gap::Fixed(gap)].map(|gap| Order::Apart(part, gap));
            if explains(&orders[0], view, stream) {
                found.extend(orders);
                break;
            }
        }
    }
    found
}

/// The orders of tiles that explain the whole output. Of the usual ones with the same effect the smallest is kept.
pub(super) fn tiles(view: &View, stream: &[u64], index: &Index) -> Vec<Order> {
    let layout = &view.layout;
    if layout.dims.len() < 2 || view.evidence(view.count()) < ORDER_BITS {
        return Vec::new();
    }
    let is_found = |order: &Order| explains(order, view, stream) && !is_in_order(order, layout);
    // These are not among the orders of a shape, because a tile as high as the matrix makes blocks of channels, which is a better
    // name.
    let ways = [Way::Filled, Way::Stored].into_iter();
    let mut usual = ways.flat_map(|way| Tiles::all().map(move |tiles| Order::Tiles(way, tiles)));
    if let Some(order) = usual.find(is_found) {
        return vec![order];
    }
    // Behind the first row of a tile its next one follows in the stream, and behind its last one the next tile: where the first
    // wrong element stands there tells how high a tile is.
    let columns = prefix(&Order::Stream, view, stream);
    if !(2..layout.row()).contains(&columns) {
        return Vec::new();
    }
    let heights = index.positions(view.actual[columns]).filter_map(|at| {
        let is_high = at > columns && at.is_multiple_of(columns);
        is_high.then_some(at / columns)
    });
    let all_rows = layout.count / layout.row();
    let of = |rows: usize| {
        // The rows of a matrix are all rows.
        let forms = [(layout.matrix()[0], false), (all_rows, true)].into_iter();
        forms
            .take(layout.dims.len() - 1)
            .map(move |(all, is_flat)| Tiles {
                rows: if rows >= all { usize::MAX } else { rows },
                columns,
                is_column_major: false,
                is_flat,
                is_whole: false,
            })
    };
    // A tile as high as all rows is one cause for outputs of every height.
    let read = heights.take(MAX_PLACES).flat_map(of);
    read.map(|tiles| Order::Tiles(Way::Filled, tiles))
        .filter(is_found)
        .collect()
}

/// The most places of an element that are looked at. One of few bits stands in many.
const MAX_PLACES: usize = 16;

/// The orders that read over the end of what was stored, and explain all that they do not read there: a buffer with a pitch that
/// is read without it, or the other way round, and strides.
pub(super) fn over_the_end(view: &View, stream: &[u64]) -> Vec<Order> {
    let n = view.count();
    let pitches = (1..=10).map(|exponent| 1 << exponent);
    // A row that is a multiple of the pitch leaves no gap.
    let pitches =
        pitches.filter(|&pitch| view.layout.dims.len() > 1 && !view.layout.row().is_multiple_of(pitch));
    let mut all: Vec<Order> = pitches
        .flat_map(|pitch| {
            [
                Order::Pitched(pitch),
                Order::Apart(Part::Row, Gap::Multiple(pitch)),
            ]
        })
        .collect();
    all.extend([2, 3, 4, 8, 16].map(|advance| Order::Periodic {
        period: 1,
        advance,
        offsets: Vec::new(),
    }));
    all.retain(|order| {
        let (mut moved, mut beyond) = (0, 0);
        let holds = (0..n).all(|i| match order.position(&view.layout, i) {
            Some(at) if at < n => {
                moved += usize::from(at != i);
                stream.get(at) == Some(&view.actual[i])
            }
            _ => {
                beyond += 1;
                true
            }
        });
        holds && beyond > 0 && view.evidence(moved) >= ORDER_BITS
    });
    all
}
