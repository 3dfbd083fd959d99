//! Orders: rules that map each element of an output to an element of the stream.

use super::moved::{Moved, permutations};
use super::parts::{Gap, Part};
use super::slices::{Begin, Runs, Share};
use super::tiles::Tiles;
use super::view::{Layout, View};

/// The bits of agreement that exclude a coincidence in an order or in a mask, beyond those from which parameters were read off.
pub(crate) const ORDER_BITS: f64 = 32.0;

/// The most places in a list that a reader takes in at a glance: the elements of four Philox blocks.
const SHORT: usize = 16;

/// The most threads that are tried for an interleaved output.
const THREADS: usize = 1 << 16;

/// A rule that maps each element of an output to an element of the stream.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Order {
    /// Element i is the stream's element i.
    Stream,
    /// Block i of the output is block `first + step i` of the stream. If `within` is not empty, it is the order of the
    /// elements of a block.
    Blocks {
        step: usize,
        first: usize,
        within: Vec<usize>,
    },
    /// Element `period q + j` is the stream's element `advance q + offsets[j]`. If `offsets` is empty, they are 0, 1,
    /// 2, ….
    Periodic {
        period: usize,
        advance: usize,
        offsets: Vec<usize>,
    },
    /// This number of threads each draw a run of the stream, and write to the output in turns. The runs are of one length, which
    /// reaches behind the output, or as even as they can be.
    Interleaved(usize, Runs),
    /// This number of threads draw in turns, and each writes a run of the output.
    Deinterleaved(usize, Runs),
    /// The same order of a `Periodic` without offsets, of `Chunks` or of `HeadFirst`, counted in the generator's words, of which a double
    /// takes two: a tile of 512 words is one of 256 doubles.
    InWords(Box<Self>),
    /// Chunk `period q + j` of `size` elements begins at the stream's element `advance q + offsets[j]`.
    Chunks {
        size: usize,
        advance: usize,
        offsets: Vec<usize>,
    },
    /// `threads` threads each write a run of the output. `begin` says where in the stream each run begins.
    Slices {
        threads: usize,
        share: Share,
        begin: Begin,
    },
    /// The axes are stored, or filled, in this order.
    Axes(Way, Vec<usize>),
    /// As [`Self::Axes`], of outputs of any number of axes: a permutation of four axes says nothing of an output of five.
    AxesMoved(Way, Moved),
    /// The first axis is stored, or filled, innermost.
    ColumnMajor(Way),
    /// The same of all axes but the first, which stays outermost: column-major items of a batch.
    ColumnMajorItems(Way),
    /// An axis is stored, or filled, in blocks of `size` channels, which are innermost. Where `size` does not divide
    /// the extent of the axis, the order is the usual one.
    Channels { way: Way, axis: Channel, size: usize },
    /// The last element is first.
    Reversed,
    /// The elements along this axis, counted from the innermost, are reversed.
    ReversedAxis(usize),
    /// The elements of each row of the innermost axis are rotated by this number of places, to its end or its beginning. A number
    /// that is longer than a row goes round.
    RowsRotated(isize),
    /// Rows side by side are exchanged: the first and the second, the third and the fourth.
    RowsExchanged,
    /// Row r of each matrix is rotated by r places, to its end or, with -1, to its beginning: a diagonal storage.
    RowsSkewed(isize),
    /// Every second row is in the opposite order.
    OddRowsReversed(Counted),
    /// Each row holds its first element alone.
    RowsHeld,
    /// The output is stored with rows that take a multiple of this number of elements, and is read without the rest of each.
    /// That rest is no part of the stream.
    Pitched(usize),
    /// The second half of the output comes first, which is the shorter or the longer one of an odd number.
    HalvesExchanged(Second),
    /// The last two axes are stored, or filled, tile by tile.
    Tiles(Way, Tiles),
    /// The same order of whole rows or items.
    OfParts(Part, Box<Self>),
    /// The same order within each row or item.
    Within(Part, Box<Self>),
    /// Each row or item begins at a place of its own in the stream.
    Apart(Part, Gap),
    /// Each row of the innermost axis begins with a block.
    RowsOfBlocks,
    /// Each slice along this number of outermost axes begins at the start of the stream.
    Slabs(usize),
    /// The elements left over of whole groups of this number come first, and the groups begin behind a whole one of the stream.
    HeadFirst(usize),
}

/// Where rows are counted from the first one on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Counted {
    InOutput,
    InMatrix,
}

/// The second half of an odd number of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Second {
    Longer,
    Shorter,
}

/// The two directions of a permutation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Way {
    /// The stream is written to memory in its own order, and the memory is then read in another one.
    Stored,
    /// The stream is written to memory in another order, and the memory is then read in the usual one.
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

impl Order {
    /// An order that is counted in elements, counted in words. `None` where it is the same, or is not one of
    /// sizes alone.
    pub(super) fn in_words(&self, layout: &Layout) -> Option<Self> {
        let words = layout.words;
        let order = match self {
            _ if words == 1 => return None,
            Self::Periodic {
                period,
                advance,
                offsets,
            } if offsets.is_empty() => Self::Periodic {
                period: period.checked_mul(words)?,
                advance: advance.checked_mul(words)?,
                offsets: Vec::new(),
            },
            Self::HeadFirst(group) => Self::HeadFirst(group.checked_mul(words)?),
            Self::Chunks {
                size,
                advance,
                offsets,
            } => Self::Chunks {
                size: size.checked_mul(words)?,
                advance: advance.checked_mul(words)?,
                offsets: offsets
                    .iter()
                    .map(|it| it.checked_mul(words))
                    .collect::<Option<_>>()?,
            },
            _ => return None,
        };
        Some(Self::InWords(Box::new(order)))
    }

    /// Whether it is a long list of places, for which there may be a simpler description.
    pub(super) fn is_list(&self) -> bool {
        matches!(self, Self::Periodic { offsets, .. } if offsets.len() > SHORT)
    }

    /// The size of the groups whose elements it permutes, where it does nothing else.
    pub(super) fn permuted_group(&self) -> Option<usize> {
        let (period, advance, offsets) = match self {
            Self::Periodic {
                period,
                advance,
                offsets,
            } => (period, advance, offsets),
            Self::Blocks {
                step: 1,
                first: 0,
                within,
            } if !within.is_empty() => return Some(within.len()),
            _ => return None,
        };
        let mut sorted = offsets.clone();
        sorted.sort_unstable();
        (advance == period && sorted.into_iter().eq(0..*period)).then_some(*period)
    }

    /// The index in the stream of element `i` of the output; `None` where the order does not apply to an output of this
    /// layout, or the index overflows.
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
            Self::InWords(order) => {
                let words = layout.words;
                let counted = Layout {
                    count: n.checked_mul(words)?,
                    dims: Vec::new(),
                    ..*layout
                };
                let at = order.position(&counted, i.checked_mul(words)?)?;
                (at % words == 0).then_some(at / words)?
            }
            Self::Interleaved(threads, Runs::Even) => {
                let thread = i % threads;
                thread * (n / threads) + thread.min(n % threads) + i / threads
            }
            Self::Interleaved(threads, Runs::Alike) => (i % threads) * n.div_ceil(*threads) + i / threads,
            Self::Deinterleaved(threads, Runs::Even) => {
                let run = Share::Even.run(n, *threads, i);
                (i - run.from) * threads + run.thread
            }
            Self::Deinterleaved(threads, Runs::Alike) => {
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
            Self::Slices {
                threads,
                share,
                begin,
            } => {
                let run = share.run(n, *threads, i);
                begin.at(&run, layout.per_block)? + (i - run.from)
            }
            Self::Stream => i,
            Self::Reversed => n - 1 - i,
            // Where the longer half is the second one, it begins after the shorter one.
            Self::HalvesExchanged(Second::Longer) => (i + n / 2) % n,
            Self::HalvesExchanged(Second::Shorter) => (i + n.div_ceil(2)) % n,
            Self::OfParts(part, order) => {
                let size = part.size(layout);
                order
                    .position(&part.layout(layout), i / size)?
                    .checked_mul(size)?
                    + i % size
            }
            Self::Within(part, order) => {
                let within = part.within(layout);
                let (from, column) = (i - i % within.count, i % within.count);
                match order.permuted_group() {
                    // An incomplete last group is in order.
                    Some(group) if column >= within.count - within.count % group => i,
                    _ => {
                        let at = order.position(&within, column)?;
                        // Behind its end stands another part, which no order within a part explains.
                        (at < within.count).then_some(from + at)?
                    }
                }
            }
            _ => {
                return self
                    .position_of_axes(layout, i)
                    .or_else(|| self.position_of_rows(layout, i));
            }
        })
    }
}

/// The number of leading elements that an order explains.
pub(crate) fn prefix(order: &Order, view: &View, stream: &[u64]) -> usize {
    (0..view.count())
        .find(|&i| !is_at(order, view, stream, i))
        .unwrap_or(view.count())
}

/// Whether an order explains the whole output.
pub(crate) fn explains(order: &Order, view: &View, stream: &[u64]) -> bool {
    let n = view.count();
    telling(n).all(|i| is_at(order, view, stream, i)) && prefix(order, view, stream) == n
}

/// Elements that exclude most orders: where an output is right at its beginning, these are too, and differ further on.
pub(crate) fn telling(count: usize) -> impl Iterator<Item = usize> {
    let places = [count.saturating_sub(1), count / 2, count / 4 * 3];
    places.into_iter().filter(move |&i| i < count)
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

/// The orders that follow from the shape, which are `usual`, or from the number of elements and that explain the whole output.
pub(crate) fn shaped(view: &View, usual: &[Order], stream: &[u64]) -> Vec<Order> {
    let (n, layout) = (view.count(), &view.layout);
    if view.evidence(n) < ORDER_BITS {
        return Vec::new();
    }
    let groups = [4, 8, 16, 32, 64].into_iter().filter(|&group| group < n);
    let others = groups.map(Order::HeadFirst).chain(rotation(view, stream));
    let halves = [Second::Longer, Second::Shorter].map(Order::HalvesExchanged);
    let threads = (2..=64).chain([96, 128, 256, 512, 1024]);
    // Runs whose length is a power of two are chunks of fixed size, whatever the number of elements. Runs of about a
    // block fit too many outputs.
    let is_telling = |(share, threads): &(Share, usize)| {
        let run = share.length(n, *threads);
        let is_own = *share == Share::Up || run != Share::Up.length(n, *threads);
        is_own && run >= 2 * layout.per_block.max(4) && !run.is_power_of_two()
    };
    // The usual share first: of those with the same effect the first is kept.
    let shares = Share::ALL
        .into_iter()
        .flat_map(|share| threads.clone().map(move |threads| (share, threads)));
    let slices = shares.filter(is_telling).flat_map(|(share, threads)| {
        Begin::ALL.map(|begin| Order::Slices {
            threads,
            share,
            begin,
        })
    });
    // One thread changes nothing, and neither do as many threads as elements.
    let threads = 2..n.min(THREADS);
    let threads = threads.flat_map(|threads| {
        // Runs are even in any case where the last one is of the same length, or one shorter.
        let is_same = [0, threads - 1].contains(&(n % threads));
        [Runs::Alike, Runs::Even]
            .into_iter()
            .filter(move |runs| *runs == Runs::Alike || !is_same)
            .flat_map(move |runs| {
                [
                    Order::Interleaved(threads, runs),
                    Order::Deinterleaved(threads, runs),
                ]
            })
    });
    let holds = |order: &Order| explains(order, view, stream);
    let usual = usual.iter().filter(|order| holds(order)).cloned();
    let others = others.chain(halves).chain(slices).chain(threads).filter(holds);
    let mut found: Vec<Order> = Vec::new();
    for order in usual.chain(others) {
        // The first order of each kind is kept. Later ones of that kind have the same effect on this output.
        let known = |known: &Order| std::mem::discriminant(known) == std::mem::discriminant(&order);
        if !found.iter().any(known) && !is_in_order(&order, layout) {
            found.push(order);
        }
    }
    best_named(found)
}

/// These orders of one output without those that have a better name: column-major is one of the orders of axes.
pub(super) fn best_named(mut orders: Vec<Order>) -> Vec<Order> {
    let is_column_major = |order: &Order| matches!(order, Order::ColumnMajor(_) | Order::ColumnMajorItems(_));
    if orders.iter().any(is_column_major) {
        orders.retain(|order| !matches!(order, Order::Axes(..) | Order::AxesMoved(..)));
    }
    if orders.iter().any(|order| matches!(order, Order::AxesMoved(..))) {
        orders.retain(|order| !matches!(order, Order::Axes(..)));
    }
    orders
}

/// The orders that follow from a shape alone.
pub(crate) fn of_shape(layout: &Layout) -> Vec<Order> {
    // Axes of extent 1 do not change the order of elements, so that such an output is a list.
    let rank = layout.dims.iter().filter(|&&extent| extent > 1).count();
    let mut all = vec![Order::Reversed];
    if rank > 1 {
        all.extend([Way::Stored, Way::Filled].map(Order::ColumnMajor));
        all.extend((0..layout.dims.len()).map(Order::ReversedAxis));
        // Slabs of all axes but the last are rows.
        all.extend((1..layout.dims.len() - 1).map(Order::Slabs));
        // Of three axes these are two that are exchanged, which is the better name.
        if layout.dims.len() > 3 {
            all.extend([Way::Stored, Way::Filled].map(Order::ColumnMajorItems));
        }
        all.extend([Order::RowsExchanged, Order::RowsHeld, Order::RowsOfBlocks]);
        all.extend([Counted::InOutput, Counted::InMatrix].map(Order::OddRowsReversed));
        all.extend([1, -1].map(Order::RowsSkewed));
        let halves = [Second::Longer, Second::Shorter].map(Order::HalvesExchanged);
        all.extend(halves.map(|order| Order::Within(Part::Row, Box::new(order))));
        all.push(Order::OfParts(Part::Item, Box::new(Order::Reversed)));
        all.push(Order::Apart(Part::Row, Gap::Fixed(0)));
        let multiples = (1..=10).map(|exponent| Gap::Multiple(1 << exponent));
        all.extend(multiples.clone().map(|gap| Order::Apart(Part::Row, gap)));
        if layout.dims.len() > 2 {
            all.extend(multiples.map(|gap| Order::Apart(Part::Item, gap)));
        }
        for way in [Way::Stored, Way::Filled] {
            // Of three axes they are one permutation, or hardly a name for it.
            if layout.dims.len() > 3 {
                all.extend(Moved::ALL.map(|moved| Order::AxesMoved(way, moved)));
            }
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

/// Rows that are rotated, by the place in the stream's first row of the first element: no number of places is usual, so that
/// none is tried in vain.
fn rotation(view: &View, stream: &[u64]) -> Option<Order> {
    let row = view.layout.row();
    let back = (1..row).find(|&i| stream.get(i) == view.actual.first())?;
    let [back, forth] = [back, row - back].map(usize::cast_signed);
    Some(Order::RowsRotated(if back < forth { -back } else { forth }))
}

pub(super) fn is_in_order(order: &Order, layout: &Layout) -> bool {
    (0..layout.count).all(|i| order.position(layout, i) == Some(i))
}
