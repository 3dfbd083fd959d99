//! Periodic orders. They are read off from the places where the actual elements stand in the stream. Where the bits of
//! an element occur at several places, small parameters are tried instead.

use super::order::{ORDER_BITS, Order, explains, is_right_from, prefix};
use super::slices::{Begin, Share};
use super::view::{Index, Layout, View};

/// The longest period for which a list of offsets is read off: the elements of 16 Philox blocks.
const LONGEST: usize = 64;

/// The periodic order of the shortest period, and one whose period is the number of leading elements that are right. If
/// no more than [`LONGEST`] elements are right, the second one must repeat the beginning: any other continuation is a
/// tail.
pub(crate) fn read_off(view: &View, stream: &[u64], index: &Index) -> Vec<Order> {
    let n = view.count();
    let layout = &view.layout;
    let mut found = Vec::new();
    for period in 1..=LONGEST.min(n / 2) {
        let Some(order) = periodic(view, stream, index, period) else {
            continue;
        };
        // Every multiple of a period is a period too, so that the shortest one says everything.
        found.push(in_blocks(order, layout));
        break;
    }
    let mut again = None;
    let right = prefix(&Order::Stream, view, stream);
    if right > LONGEST.min(n / 2) && view.evidence(n - right) >= ORDER_BITS {
        let farthest = if right > LONGEST { usize::MAX } else { 0 };
        let orders = index
            .positions(view.actual[right])
            .filter(|&advance| advance <= farthest)
            .map(|advance| Order::Periodic {
                period: right,
                advance,
                offsets: Vec::new(),
            });
        // All of these orders agree with the stream before `right`. An output of few values has thousands of such
        // orders, and comparing it from its start for each of them took minutes.
        again = orders
            .filter(|order| is_right_from(right, order, view, stream))
            .min();
    }
    // Chunks at equal distances were found above. Their halves would be found here, as a list of places.
    if found.is_empty() && again.is_none() {
        found.extend(chunks(view, stream, index));
    }
    found.extend(again);
    found
}

/// The orders of chunks as long as the output is right, each of which begins at another block than it should. `longer` makes a
/// longer stream, for chunks that lie far apart.
pub(super) fn begun(
    view: &View,
    stream: &[u64],
    right: usize,
    longer: impl Fn(usize) -> Option<Vec<u64>>,
) -> Vec<Order> {
    let (n, per_block) = (view.count(), view.layout.per_block);
    if right < SHORTEST || n - right < SHORTEST || per_block == 1 || view.evidence(n - right) < ORDER_BITS {
        return Vec::new();
    }
    // The first elements of a chunk may be right by chance.
    let least = if view.bits < 16.0 { right - 2 } else { right };
    let of = |begin: Begin| {
        (least..=right).rev().map(move |size| Order::Slices {
            threads: 0,
            share: Share::Fixed(size),
            begin,
        })
    };
    let near = [Begin::BlockBelow, Begin::BlockAbove, Begin::BlockOfThread]
        .into_iter()
        .flat_map(of);
    let mut found: Vec<Order> = near.filter(|order| explains(order, view, stream)).collect();
    if found.is_empty() && right >= LONG {
        // The number of a chunk's first element was taken for that of its block.
        let far = longer(per_block.saturating_mul(n)).unwrap_or_default();
        let apart = (least..=right).rev().map(|period| Order::Periodic {
            period,
            advance: period.saturating_mul(per_block),
            offsets: Vec::new(),
        });
        found.extend(apart.filter(|order| explains(order, view, &far)));
    }
    found
}

/// The least size of a chunk that begins at another block, and the fewest elements behind the first one that show it.
const SHORTEST: usize = 16;
/// The least size of a chunk whose block is looked for in a stream that is several times as long as the output.
const LONG: usize = 256;

/// The most chunks whose order is read off.
const CHUNKS: usize = 8;

/// Permuted chunks whose size is a power of two from 32 elements to a tile of 65,536. Returns the largest size that
/// reproduces the whole output. The places of the first chunks, and the distance to the next ones, are read off from
/// the first element of each chunk.
fn chunks(view: &View, stream: &[u64], index: &Index) -> Option<Order> {
    let n = view.count();
    let sizes = (5..=16).rev().map(|exponent| 1_usize << exponent);
    sizes
        .flat_map(|size| (2..=CHUNKS).map(move |count| (size, count)))
        .filter(|(size, count)| size * count < n)
        .find_map(|(size, count)| {
            let offsets: Option<Vec<usize>> = (0..count)
                .map(|j| {
                    index
                        .only(view.actual[j * size])
                        .or_else(|| index.positions(view.actual[j * size]).next())
                })
                .collect();
            let next = index.only(view.actual[count * size])?;
            let offsets = offsets?;
            let order = Order::Chunks {
                size,
                advance: next.checked_sub(offsets[0])?,
                offsets,
            };
            // Chunks at equal distances need no list.
            let place = |j: usize| order.position(&view.layout, j * size);
            let is_even =
                (1..=count).all(|j| place(j).zip(place(1)).is_some_and(|(at, step)| at == j * step));
            // Chunks that follow each other are one.
            let are_joined = (1..count).all(|j| {
                place(j)
                    .zip(place(j - 1))
                    .is_some_and(|(at, before)| at == before + size)
            });
            (!is_even && !are_joined && explains(&order, view, stream)).then_some(order)
        })
}

/// The order of this period, if there is one that explains all complete periods and is not the stream's own.
#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn periodic(view: &View, stream: &[u64], index: &Index, period: usize) -> Option<Order> {
    let whole = view.count() - view.count() % period;
    // Each offset and the advance are read off, and each is a choice among all places of the stream.
    let read = (period + 1) as f64 * (stream.len() as f64).log2();
    if view.evidence(whole) < ORDER_BITS + read {
        return None;
    }
    advances(view, stream, index, period)
        .into_iter()
        .find_map(|advance| {
            let holds = |from: usize, j: usize| {
                (0..whole / period).all(|q| {
                    let at = advance.checked_mul(q).and_then(|ahead| ahead.checked_add(from));
                    at.is_some_and(|at| stream.get(at) == Some(&view.actual[q * period + j]))
                })
            };
            // Where the bits of an element occur at several places, its own place comes first.
            let places = |j: usize| std::iter::once(j).chain(index.positions(view.actual[j]));
            let offsets: Option<Vec<usize>> = (0..period)
                .map(|j| places(j).find(|&from| holds(from, j)))
                .collect();
            let offsets = offsets?;
            let is_straight = offsets.iter().copied().eq(0..period);
            if is_straight && advance == period {
                return None;
            }
            Some(Order::Periodic {
                period,
                advance,
                offsets: if is_straight { Vec::new() } else { offsets },
            })
        })
}

/// The distances in the stream that two elements may have which are a period apart in the output.
fn advances(view: &View, stream: &[u64], index: &Index, period: usize) -> Vec<usize> {
    // Two elements whose bits occur once determine the distance. Otherwise the usual distances are tried, and those at which the
    // elements of the second period stand side by side.
    let places = index.only(view.actual[0]).zip(index.only(view.actual[period]));
    if let Some((first, next)) = places {
        return next.checked_sub(first).into_iter().collect();
    }
    let per_block = view.layout.per_block;
    let mut all = vec![
        period,
        0,
        1,
        2 * period,
        per_block * period,
        per_block,
        2,
        3,
        4,
        3 * period,
    ];
    all.extend([8 * period, 16 * period]);
    let second = &view.actual[period..(2 * period).min(view.count())];
    if view.evidence(second.len()) >= ORDER_BITS {
        let stands = |at: &usize| stream.get(*at..at + second.len()) == Some(second);
        all.extend(index.positions(second[0]).filter(stands).take(CHUNKS));
    }
    let mut seen = Vec::new();
    all.retain(|advance| {
        let new = !seen.contains(advance);
        seen.push(*advance);
        new
    });
    all
}

/// The same order in terms of blocks, if it does not split them.
fn in_blocks(order: Order, layout: &Layout) -> Order {
    let Order::Periodic {
        period,
        advance,
        offsets,
    } = &order
    else {
        return order;
    };
    let per_block = layout.per_block;
    let (first, is_shift) = match (&offsets[..], period) {
        ([first], 1) if *advance == 1 => (*first, true),
        ([first, ..], _) => (*first, false),
        ([], _) => (0, false),
    };
    if per_block == 1 || first == 0 && is_shift {
        return order;
    }
    if is_shift && first % per_block == 0 {
        return Order::Blocks {
            step: 1,
            first: first / per_block,
            within: Vec::new(),
        };
    }
    // A period shorter than a block, such as exchanged pairs, is an order of the elements in a block.
    if !per_block.is_multiple_of(*period) {
        return order;
    }
    let repeat = per_block / period;
    let all: Option<Vec<usize>> = (0..per_block).map(|i| order.position(layout, i)).collect();
    let Some(all) = all else { return order };
    let base = all.iter().copied().min().unwrap_or(0);
    let begin = base - base % per_block;
    let within: Vec<usize> = all.iter().map(|at| at - begin).collect();
    let mut sorted = within.clone();
    sorted.sort_unstable();
    if !sorted.into_iter().eq(0..per_block) || !(advance * repeat).is_multiple_of(per_block) {
        return order;
    }
    let is_straight = within.iter().copied().eq(0..per_block);
    Order::Blocks {
        step: advance * repeat / per_block,
        first: begin / per_block,
        within: if is_straight { Vec::new() } else { within },
    }
}
