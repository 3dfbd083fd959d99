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
    /// Chunk `period q + j` of `size` elements begins at the stream's element `advance q + offsets[j]`.
    Chunks {
        size: usize,
        advance: usize,
        offsets: Vec<usize>,
    },
    /// So many threads each draw an equal run of the output, rounded up, the last what is left; each begins in the
    /// stream where this says. The length of a run follows from the number of elements.
    Slices { threads: usize, begin: Begin },
    /// The axes are stored, or filled, in this order.
    Axes(Way, Vec<usize>),
    /// The first axis is stored, or filled, innermost.
    ColumnMajor(Way),
    /// An axis is stored, or filled, in blocks of this number of channels, which are innermost, where its extent is a multiple.
    Channels { way: Way, axis: Channel, size: usize },
    /// The last element is first.
    Reversed,
    /// The elements along this axis, counted from the innermost, are reversed.
    ReversedAxis(usize),
    /// Each row of the innermost axis begins at a multiple of so many elements of the stream; 0 for its beginning.
    Rows(usize),
    /// Each row of the innermost axis begins with a block.
    RowsOfBlocks,
}

/// The two directions of a permutation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Way {
    /// The stream is right in memory that is then read in another order.
    Stored,
    /// The stream is written along another order into memory that is right.
    Filled,
}

/// The axis that is split into blocks of channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Channel {
    /// The second axis, as in nChw16c.
    Second,
    /// The last axis, its blocks outermost.
    Last,
}

/// Where in the stream the run of a thread begins, of `from` elements before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Begin {
    /// At its beginning.
    Start,
    /// At the whole block below `from`.
    BlockBelow,
    /// At the whole block above `from`.
    BlockAbove,
    /// At block `from`.
    BlockFrom,
    /// At the block of the thread's number.
    BlockOfThread,
}

impl Begin {
    pub(crate) const ALL: [Self; 5] = [
        Self::Start,
        Self::BlockBelow,
        Self::BlockAbove,
        Self::BlockFrom,
        Self::BlockOfThread,
    ];

    fn at(self, thread: usize, from: usize, per_block: usize) -> Option<usize> {
        match self {
            Self::Start => Some(0),
            Self::BlockBelow => Some(from - from % per_block),
            Self::BlockAbove => Some(from.next_multiple_of(per_block)),
            Self::BlockFrom => from.checked_mul(per_block),
            Self::BlockOfThread => thread.checked_mul(per_block),
        }
    }
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
            Self::Chunks {
                size,
                advance,
                offsets,
            } => {
                let chunk = i / size;
                let (q, j) = (chunk / offsets.len(), chunk % offsets.len());
                advance.checked_mul(q)?.checked_add(offsets[j])? + i % size
            }
            Self::Slices { threads, begin } => {
                let run = n.div_ceil(*threads).max(1);
                begin.at(i / run, i / run * run, layout.per_block)? + i % run
            }
            Self::Axes(way, axes) if axes.len() == layout.dims.len() => permuted(*way, &layout.dims, axes, i),
            Self::Stream | Self::Axes(..) => i,
            Self::ColumnMajor(way) => {
                let axes: Vec<usize> = (0..layout.dims.len()).rev().collect();
                permuted(*way, &layout.dims, &axes, i)
            }
            Self::Channels { way, axis, size } => {
                let (dims, axes) = channels(&layout.dims, *axis, *size)?;
                permuted(*way, &dims, &axes, i)
            }
            Self::Reversed => n - 1 - i,
            Self::ReversedAxis(axis) => {
                let Some(place) = layout.dims.len().checked_sub(axis + 1) else {
                    return Some(i);
                };
                let inner = layout.dims[place + 1..].iter().copied();
                // Of an array without elements the extents may be as large as they like.
                let inner = inner.fold(1, usize::saturating_mul);
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

/// The place in the stream of element `i`, if the axes of these extents are stored, or filled, in the order `axes`: its
/// coordinates along one order, counted along the other.
fn permuted(way: Way, dims: &[usize], axes: &[usize], i: usize) -> usize {
    let straight: Vec<usize> = (0..dims.len()).collect();
    let (from, to) = match way {
        Way::Stored => (axes, &straight[..]),
        Way::Filled => (&straight[..], axes),
    };
    let mut rest = i;
    let mut coordinates = vec![0; dims.len()];
    for &axis in from.iter().rev() {
        let extent = dims.get(axis).copied().unwrap_or(1).max(1);
        coordinates[axis] = rest % extent;
        rest /= extent;
    }
    to.iter()
        .fold(0, |index, &axis| index * dims[axis] + coordinates[axis])
}

/// The extents with this axis split into blocks of `size`, and the order of axes in which those stand in memory; the extents as
/// they are where the axis has no whole number of blocks, or one.
fn channels(dims: &[usize], axis: Channel, size: usize) -> Option<(Vec<usize>, Vec<usize>)> {
    let place = match axis {
        Channel::Second if dims.len() > 2 => 1,
        Channel::Last if !dims.is_empty() => dims.len() - 1,
        _ => return Some((dims.to_vec(), (0..dims.len()).collect())),
    };
    let extent = *dims.get(place)?;
    if extent % size != 0 || extent == size {
        return Some((dims.to_vec(), (0..dims.len()).collect()));
    }
    let mut split = dims.to_vec();
    split.splice(place..=place, [extent / size, size]);
    let mut axes: Vec<usize> = (0..split.len()).filter(|&it| it != place + 1).collect();
    if axis == Channel::Last {
        axes.retain(|&it| it != place);
        axes.insert(0, place);
    }
    axes.push(place + 1);
    Some((split, axes))
}

/// Number of leading elements that an order gives.
pub(crate) fn prefix(order: &Order, view: &View, stream: &[u64]) -> usize {
    (0..view.count())
        .find(|&i| !is_at(order, view, stream, i))
        .unwrap_or(view.count())
}

/// Whether an order reproduces all elements from `first` on.
pub(crate) fn is_right_from(first: usize, order: &Order, view: &View, stream: &[u64]) -> bool {
    (first..view.count()).all(|i| is_at(order, view, stream, i))
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
    let mut all = of_shape(layout);
    // Runs of a power of two are chunks, whatever the number of elements, and runs of a block or so anything.
    let is_telling = |threads: &usize| {
        let run = n.div_ceil(*threads);
        run >= 2 * layout.per_block.max(4) && !run.is_power_of_two()
    };
    let slices = (2..=64).chain([96, 128, 256, 512, 1024]).filter(is_telling);
    all.extend(slices.flat_map(|threads| Begin::ALL.map(|begin| Order::Slices { threads, begin })));
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
    if found.iter().any(|order| matches!(order, Order::ColumnMajor(_))) {
        found.retain(|order| !matches!(order, Order::Axes(..)));
    }
    found
}

/// The orders that follow from a shape alone.
pub(crate) fn of_shape(layout: &Layout) -> Vec<Order> {
    let rank = layout.dims.iter().filter(|&&extent| extent > 1).count();
    let mut all = vec![Order::Reversed];
    if rank > 1 {
        all.extend([Way::Stored, Way::Filled].map(Order::ColumnMajor));
        all.extend((0..layout.dims.len()).map(Order::ReversedAxis));
        all.push(Order::RowsOfBlocks);
        all.push(Order::Rows(0));
        all.extend((1..=10).map(|exponent| Order::Rows(1 << exponent)));
        for way in [Way::Stored, Way::Filled] {
            let axes = permutations(layout.dims.len()).into_iter();
            all.extend(axes.map(|axes| Order::Axes(way, axes)));
            for (axis, size) in [Channel::Second, Channel::Last]
                .into_iter()
                .flat_map(|axis| [4, 8, 16, 32, 64].map(|size| (axis, size)))
            {
                all.push(Order::Channels { way, axis, size });
            }
        }
    }
    all
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
