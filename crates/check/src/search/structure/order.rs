//! Orders: which element of the stream each element of an output is.

use super::view::{Layout, View};

/// Bits of agreement, beyond those that the parameters were read from, that exclude a coincidence.
pub(crate) const CERTAIN: f64 = 32.0;

/// The most threads that are tried.
const THREADS: usize = 1 << 16;

/// Which element of the stream each element of an output is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Order {
    /// Element i is the stream's element i.
    Stream,
    /// Block i of the output is block `first + step i`; its elements come in the order `within`, if that is not empty.
    Blocks {
        step: usize,
        first: usize,
        within: Vec<usize>,
    },
    /// Element `period q + j` is the stream's element `advance q + offsets[j]`; `offsets` is empty for 0, 1, 2, ….
    Periodic {
        period: usize,
        advance: usize,
        offsets: Vec<usize>,
    },
    /// So many threads each draw a run of the stream, and write in turns.
    Interleaved(usize),
    /// So many threads draw in turns, and each writes a run of the output.
    Deinterleaved(usize),
    /// The axes are stored in this order.
    Axes(Vec<usize>),
    /// The first axis is stored innermost.
    ColumnMajor,
    /// The last element is first.
    Reversed,
    /// The elements along this axis, counted from the innermost, are reversed.
    ReversedAxis(usize),
    /// Each row of the innermost axis begins at a multiple of so many elements of the stream; 0 for its beginning.
    Rows(usize),
    /// Each row of the innermost axis begins with a block.
    RowsOfBlocks,
}

impl Order {
    /// The position in the stream of element `i`; `None` where this order says nothing of such an output.
    pub(crate) fn position(&self, layout: &Layout, i: usize) -> Option<usize> {
        let n = layout.count;
        Some(match self {
            Self::Blocks { step, first, within } => {
                let (block, j) = (i / layout.per_block, i % layout.per_block);
                let j = if within.is_empty() { j } else { *within.get(j)? };
                first
                    .checked_add(step.checked_mul(block)?)?
                    .checked_mul(layout.per_block)?
                    + j
            }
            Self::Periodic {
                period,
                advance,
                offsets,
            } => {
                let (q, j) = (i / period, i % period);
                let offset = if offsets.is_empty() { j } else { *offsets.get(j)? };
                advance.checked_mul(q)?.checked_add(offset)?
            }
            Self::Interleaved(threads) => (i % threads) * n.div_ceil(*threads) + i / threads,
            Self::Deinterleaved(threads) => {
                let run = n.div_ceil(*threads);
                (i % run) * threads + i / run
            }
            Self::Axes(axes) if axes.len() == layout.dims.len() => stored(layout, axes, i),
            Self::Stream | Self::Axes(_) => i,
            Self::ColumnMajor => {
                let axes: Vec<usize> = (0..layout.dims.len()).rev().collect();
                stored(layout, &axes, i)
            }
            Self::Reversed => n - 1 - i,
            Self::ReversedAxis(axis) => {
                let Some(place) = layout.dims.len().checked_sub(axis + 1) else {
                    return Some(i);
                };
                let inner: usize = layout.dims[place + 1..].iter().product();
                let extent = layout.dims[place];
                let at = i / inner % extent;
                i - at * inner + (extent - 1 - at) * inner
            }
            Self::Rows(multiple) => {
                let row = layout.row();
                let stride = if *multiple == 0 {
                    0
                } else {
                    row.next_multiple_of(*multiple)
                };
                (i / row).checked_mul(stride)? + i % row
            }
            Self::RowsOfBlocks => {
                let row = layout.row();
                (i / row).checked_mul(row.next_multiple_of(layout.per_block))? + i % row
            }
        })
    }
}

/// The row-major position of element `i` of an output whose axes are stored in the order `axes`.
fn stored(layout: &Layout, axes: &[usize], i: usize) -> usize {
    let mut rest = i;
    let mut coordinates = vec![0; axes.len()];
    for &axis in axes.iter().rev() {
        let extent = layout.dims.get(axis).copied().unwrap_or(1).max(1);
        coordinates[axis] = rest % extent;
        rest /= extent;
    }
    coordinates
        .iter()
        .zip(&layout.dims)
        .fold(0, |index, (coordinate, extent)| index * extent + coordinate)
}

/// Number of leading elements that an order gives.
pub(crate) fn prefix(order: &Order, view: &View, stream: &[u64]) -> usize {
    (0..view.count())
        .find(|&i| !is_at(order, view, stream, i))
        .unwrap_or(view.count())
}

fn is_at(order: &Order, view: &View, stream: &[u64], i: usize) -> bool {
    order
        .position(&view.layout, i)
        .is_some_and(|at| stream.get(at) == Some(&view.actual[i]))
}

/// The orders that follow from the shape or the number of elements.
pub(crate) fn shaped(view: &View, stream: &[u64]) -> Vec<Order> {
    let (n, layout) = (view.count(), &view.layout);
    if view.evidence(n) < CERTAIN {
        return Vec::new();
    }
    let rank = layout.dims.iter().filter(|&&extent| extent > 1).count();
    let mut all = vec![Order::Reversed];
    if rank > 1 {
        all.push(Order::ColumnMajor);
        all.extend((0..layout.dims.len()).map(Order::ReversedAxis));
        all.push(Order::RowsOfBlocks);
        all.push(Order::Rows(0));
        all.extend((1..=10).map(|exponent| Order::Rows(1 << exponent)));
        all.extend(permutations(layout.dims.len()).into_iter().map(Order::Axes));
    }
    // As many threads as elements, or one, change nothing. The two are inverses of each other.
    let threads = 2..n.min(THREADS);
    let threads = threads.flat_map(|threads| [Order::Interleaved(threads), Order::Deinterleaved(threads)]);
    let mut found: Vec<Order> = Vec::new();
    for order in all.into_iter().chain(threads) {
        let holds = prefix(&order, view, stream) == n;
        // The first of each sort: the orders that follow come to the same in this case.
        let known = |known: &Order| std::mem::discriminant(known) == std::mem::discriminant(&order);
        if holds && !found.iter().any(known) && !is_in_order(&order, layout) {
            found.push(order);
        }
    }
    if found.contains(&Order::ColumnMajor) {
        found.retain(|order| !matches!(order, Order::Axes(_)));
    }
    found
}

fn is_in_order(order: &Order, layout: &Layout) -> bool {
    (0..layout.count).all(|i| order.position(layout, i) == Some(i))
}

/// All orders of so many axes but the usual one; none of more than five.
fn permutations(rank: usize) -> Vec<Vec<usize>> {
    fn extend(rank: usize, prefix: &mut Vec<usize>, all: &mut Vec<Vec<usize>>) {
        if prefix.len() == rank {
            all.push(prefix.clone());
        }
        for axis in 0..rank {
            if !prefix.contains(&axis) {
                prefix.push(axis);
                extend(rank, prefix, all);
                prefix.pop();
            }
        }
    }
    let mut all = Vec::new();
    if rank <= 5 {
        extend(rank, &mut Vec::new(), &mut all);
    }
    all.into_iter().skip(1).collect()
}
