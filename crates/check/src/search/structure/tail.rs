//! Tails: outputs that are right except in some place, and what stands there instead.

use seedproof_ops::{Dtype, NanRule, Scalar};

use super::along::{Axis, Span};
use super::order::Order;
use super::place::{EDGE, Figure, Place};
use super::spans::{LANES, LARGEST_GROUP, few_lanes, groups, spans};
use super::view::{Index, Layout, View};

/// What stands in the place of the right elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Content {
    Zero,
    Nan,
    /// This byte, repeated: memory that an allocator filled and nothing overwrote.
    Byte(u8),
    /// One value with these bits.
    Value(u64),
    /// The elements this number of places before, once more: a buffer that was not refilled.
    Stale(usize),
    /// The elements this number of indices before along the axis of the place, once more.
    StaleIndex(usize),
    /// The stream's first element: an index out of bounds that was clamped to 0.
    FirstElement,
    /// The stream from its beginning.
    Again,
    /// In an overlap, the elements that follow in the stream.
    Next,
    /// In an overlap, the elements of the last complete group once more.
    Previous,
    /// In an overlap, the elements from the beginning of the block on in which its first one stands.
    BlockBelow,
    /// The right elements in the opposite order.
    Reversed,
    /// The stream's elements this number ahead of the right ones, or behind them where it is negative.
    Ahead(isize),
    /// The stream from `from / by` on, if the tail begins at element `from`: a counter that was advanced once for a
    /// vector of several blocks.
    Slower(usize),
    /// The stream from `from * by` on: a counter that was advanced several times for each block.
    Faster(usize),
    /// The elements in the stream's own order, after others that are in another one.
    InOrder,
    /// Elements that do not occur in the stream.
    Noise,
}

/// A place and what stands there.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Tail {
    pub(crate) place: Place,
    pub(crate) content: Content,
}

impl Tail {
    /// The size of the groups that the order permutes, where this tail leaves the elements after the last whole one in order.
    pub(super) fn leaves(&self, order: &Order) -> Option<usize> {
        let period = order.permuted_group()?;
        (self.place == Place::Group(period) && self.content == Content::InOrder).then_some(period)
    }

    /// How far into the stream the tail of an output of `n` elements may reach.
    pub(crate) fn reach(&self, n: usize) -> usize {
        match self.content {
            Content::Ahead(by) => n.saturating_add_signed(by),
            Content::Faster(by) => n.saturating_mul(by),
            _ => 0,
        }
    }

    /// Puts this tail into the output `given`, with `None` for an element that is left open. `at` is the stream in the
    /// order of the output, `own` the stream in its own order, in which a tail that is the stream's was found.
    pub(crate) fn spoil(
        &self,
        layout: &Layout,
        order: &Order,
        given: &mut [Option<u64>],
        at: &dyn Fn(usize) -> Option<u64>,
        own: &dyn Fn(usize) -> Option<u64>,
    ) {
        for i in 0..given.len() {
            let Some(from) = self.place.start(layout, order, i) else {
                continue;
            };
            given[i] = match self.content {
                Content::Zero => Some(0),
                Content::Nan => Some(NanRule::Class.key(Scalar::new(layout.dtype, u64::MAX))),
                Content::Byte(byte) => Some(repeated(byte, layout.dtype)),
                Content::Value(bits) => Some(bits),
                // An output that is all tail repeats what was in memory before it, which is not known. The lanes of a pattern are
                // tails of one element each, and the first of them may have none before it.
                Content::Stale(_)
                    if from == 0 && !matches!(self.place, Place::Lanes { .. } | Place::Along(_)) =>
                {
                    None
                }
                // So does a row that is all tail.
                Content::Stale(_) | Content::StaleIndex(_) if self.place.is_whole_line(layout, from) => None,
                // A smaller output may have no element that far back. It must then be right: if it counted as open, a
                // tail of one case would explain all small cases.
                Content::Stale(back) if back > from => given[i],
                Content::Stale(back) => given[i - back],
                Content::StaleIndex(back) => i
                    .checked_sub(back * self.place.step(layout))
                    .and_then(|before| given[before]),
                Content::FirstElement => own(0),
                Content::Again => own(i - from),
                Content::Next => {
                    let group = self.place.overlap(layout);
                    group.and_then(|group| at(i + group - layout.count % group))
                }
                Content::Previous => {
                    let group = self.place.overlap(layout);
                    group.and_then(|group| at(i.checked_sub(layout.count % group)?))
                }
                Content::BlockBelow => at(from / layout.per_block * layout.per_block + (i - from)),
                Content::Reversed => {
                    let end = match self.place {
                        Place::First(count) => count.min(layout.count),
                        _ => layout.count,
                    };
                    at(from + end - 1 - i)
                }
                Content::Ahead(by) => i.checked_add_signed(by).and_then(own),
                Content::Slower(by) => own(from / by + (i - from)),
                Content::Faster(by) => from.checked_mul(by).and_then(|begin| own(begin + (i - from))),
                Content::InOrder => own(i),
                Content::Noise => None,
            };
        }
    }
}

fn repeated(byte: u8, dtype: Dtype) -> u64 {
    Scalar::new(dtype, u64::from_le_bytes([byte; 8])).bits()
}

/// Classifies a value that is repeated over a tail.
fn fill(bits: u64, dtype: Dtype) -> Content {
    let [low, ..] = bits.to_le_bytes();
    if bits == 0 {
        Content::Zero
    } else if Scalar::new(dtype, bits).is_nan() {
        Content::Nan
    } else if repeated(low, dtype) == bits {
        Content::Byte(low)
    } else {
        Content::Value(bits)
    }
}

/// The tails that make an output in this order the actual one. The first `right` elements are in the order.
pub(crate) fn tails(view: &View, stream: &[u64], index: &Index, order: &Order, right: usize) -> Vec<Tail> {
    let n = view.count();
    let tail = |place, content| Tail { place, content };
    let in_order = |i: usize| {
        order
            .position(&view.layout, i)
            .and_then(|at| stream.get(at).copied())
    };
    // An element of a tail may be right by chance, as a small integer often is.
    let is_dense = |wrong: usize, all: usize| wrong * 10 >= all * 8;
    if right == 0 {
        let wrong = |i: &usize| in_order(*i) != Some(view.actual[*i]);
        let head = n - (0..n).rev().take_while(|i| !wrong(i)).count();
        let is_head = head <= EDGE.min(n / 2) && is_dense((0..head).filter(wrong).count(), head);
        let (place, count) = if is_head {
            (Place::First(head), head)
        } else {
            (Place::All, n)
        };
        let its: Vec<usize> = (0..count).collect();
        let mut contents = contents(view, stream, order, &its, 0);
        if is_head && contents.is_empty() {
            contents.push(Content::Noise);
        }
        let found = contents.into_iter();
        let mut found: Vec<Tail> = found.map(|content| tail(place.clone(), content)).collect();
        let wrong: Vec<usize> = (0..n).filter(wrong).collect();
        let places = of_shape(view, order, &wrong, is_dense).into_iter();
        found.extend(places.flat_map(|place| in_place(view, stream, index, order, place)));
        return found;
    }
    let mut found = Vec::new();
    let rest = n - right;
    // The first elements of a group may stay in place, so that the tail is not seen where it begins.
    let whole = order.permuted_group().filter(|group| {
        let begins = n - n % group;
        right > begins && (begins..n).all(|i| stream.get(i) == Some(&view.actual[i]))
    });
    found.extend(whole.map(|group| tail(Place::Group(group), Content::InOrder)));
    // A group that is stored so as to end with the output overwrites elements of the group before it. There is no
    // overlap where the groups divide the output.
    if rest > 1 && !n.is_multiple_of(rest) {
        let holds =
            |shifted: &dyn Fn(usize) -> Option<u64>| (right..n).all(|i| shifted(i) == Some(view.actual[i]));
        if holds(&|i| in_order(i + rest - n % rest)) {
            found.push(tail(Place::Overlap(rest), Content::Next));
        }
        if holds(&|i| in_order(i.checked_sub(n % rest)?)) {
            found.push(tail(Place::Overlap(rest), Content::Previous));
        }
        let per_block = view.layout.per_block;
        if holds(&|i| in_order(right / per_block * per_block + (i - right))) {
            found.push(tail(Place::Overlap(rest), Content::BlockBelow));
        }
    }
    let wrong: Vec<usize> = (right..n)
        .filter(|&i| in_order(i) != Some(view.actual[i]))
        .collect();
    let mut places = Vec::new();
    if is_dense(wrong.len(), rest) {
        places.push((Place::From(right), right));
        if rest <= EDGE.min(n / 2) {
            places.push((Place::Last(rest), right));
        }
        places.extend(
            groups(right, rest)
                .into_iter()
                .map(|group| (Place::Group(group), right)),
        );
    }
    places.extend(of_shape(view, order, &wrong, is_dense));
    places.extend(lanes(view, right, &wrong, is_dense));
    let of_places = places
        .into_iter()
        .flat_map(|place| in_place(view, stream, index, order, place));
    found.extend(of_places);
    let in_words = |it: &Tail| Some(tail(it.place.in_words(&view.layout)?, it.content));
    let in_words: Vec<Tail> = found.iter().filter_map(in_words).collect();
    found.extend(in_words);
    found
}

/// What stands in a place, of which the first tail begins at element `from`.
fn in_place(
    view: &View,
    stream: &[u64],
    index: &Index,
    order: &Order,
    (place, from): (Place, usize),
) -> Vec<Tail> {
    let is_tail = |i: &usize| place.start(&view.layout, order, *i).is_some();
    let its: Vec<usize> = (0..view.count()).filter(is_tail).collect();
    // The first element of the place may be right by chance, or because there is none before it.
    let from = match (&place, its.first()) {
        (Place::Along(_), Some(&first)) if first > 0 => first,
        _ => from,
    };
    let mut contents = contents(view, stream, order, &its, from);
    // "Right up to element 37, then noise" describes every output that goes wrong at some element. A large power of two is a
    // boundary that work is split at.
    let is_told = !matches!(place, Place::From(from) if from < LARGEST_GROUP || !from.is_power_of_two());
    let strange = its
        .iter()
        .filter(|&&i| index.positions(view.actual[i]).next().is_none())
        .count();
    let is_strange = match &place {
        // Of an axis, many elements are in a place, and those of an order that is not known are no noise.
        Place::Along(along)
            if along.axis == Axis::Inner(0) && !matches!(along.span, Span::From(_) | Span::Lanes { .. }) =>
        {
            strange > 0
        }
        Place::Along(_) | Place::Figure(_) => 10 * strange >= 8 * its.len(),
        _ => strange > 0,
    };
    if contents.is_empty() && is_told && is_strange {
        contents.push(Content::Noise);
    }
    let step = place.step(&view.layout);
    if step > 1 {
        let holds = |back: &usize| {
            let back = back * step;
            its.iter()
                .all(|&i| i >= back && view.actual[i] == view.actual[i - back])
        };
        contents.extend((1..=EDGE).find(holds).map(Content::StaleIndex));
    }
    let tail = |content| Tail {
        place: place.clone(),
        content,
    };
    contents.into_iter().map(tail).collect()
}

/// The places that follow from the shape, where they alone are wrong, each with the first of them that is.
fn of_shape(
    view: &View,
    order: &Order,
    wrong: &[usize],
    is_dense: impl Fn(usize, usize) -> bool,
) -> Vec<(Place, usize)> {
    let n = view.count();
    let Some(&first) = wrong.first() else {
        return Vec::new();
    };
    let is_stream = *order == Order::Stream;
    let mut all = Vec::new();
    if matches!(
        order,
        Order::Pitched(_) | Order::Apart(..) | Order::Periodic { period: 1, .. }
    ) {
        all.push(Place::Beyond);
    }
    if is_stream && view.layout.dims.len() > 1 {
        all.extend(Figure::ALL.map(Place::Figure));
    }
    all.retain(|place| {
        let is_in = |i: &usize| place.start(&view.layout, order, *i).is_some();
        wrong.iter().all(is_in) && is_dense(wrong.len(), (0..n).filter(is_in).count())
    });
    let along = spans(&view.layout, wrong, |_, all| is_dense(wrong.len(), all)).into_iter();
    let along = along.filter(|it| is_stream || it.axis == Axis::Inner(0));
    let all = along.map(Place::Along).chain(all);
    all.map(|place| (place, first)).collect()
}

/// The lanes of the shortest period that contain every wrong element and hardly any right one.
fn lanes(
    view: &View,
    right: usize,
    wrong: &[usize],
    is_dense: impl Fn(usize, usize) -> bool,
) -> Option<(Place, usize)> {
    let n = view.count();
    (2..=LANES.min(n / 3)).find_map(|period| {
        let lanes = few_lanes(wrong.iter().copied(), period)?;
        let in_lane = |&lane: &usize| n / period + usize::from(lane < n % period);
        let all = lanes.iter().map(in_lane).sum();
        let is_pattern = is_dense(wrong.len(), all);
        is_pattern.then_some((Place::Lanes { period, lanes }, right))
    })
}

/// Tails that continue at another place of the stream: a few blocks away, or at a multiple or a fraction of their first
/// index.
fn moved(view: &View, stream: &[u64], its: &[usize]) -> Vec<Content> {
    // A counter that is advanced once or twice too often, or not often enough. With more distances a tail of a few
    // elements would fit one of them by chance.
    const BLOCKS: isize = 2;
    let from = its[0];
    let begins = |begin: usize| {
        let holds = |&i: &usize| stream.get(begin + (i - from)) == Some(&view.actual[i]);
        begin != from && its.iter().all(holds)
    };
    let block = isize::try_from(view.layout.per_block).unwrap_or(1);
    let ahead = (-BLOCKS..=BLOCKS).map(|blocks| blocks * block);
    let ahead = ahead
        .filter(|&by| from.checked_add_signed(by).is_some_and(begins))
        .map(Content::Ahead);
    let factors = [2, 3, 4, 8, 16, 32, 64];
    let slower = factors
        .into_iter()
        .filter(|by| begins(from / by))
        .map(Content::Slower);
    let faster = factors
        .into_iter()
        .filter(|by| begins(from * by))
        .map(Content::Faster);
    ahead.chain(slower).chain(faster).collect()
}

/// What stands in these elements. The first tail among them begins at element `from`.
fn contents(view: &View, stream: &[u64], order: &Order, its: &[usize], from: usize) -> Vec<Content> {
    let value = |i: usize| view.actual[i];
    let Some(&first) = its.first() else {
        return Vec::new();
    };
    let mut found = Vec::new();
    if *order != Order::Stream && its.iter().all(|&i| stream.get(i) == Some(&value(i))) {
        found.push(Content::InOrder);
    }
    let is_nan = |i: usize| Scalar::new(view.layout.dtype, value(i)).is_nan();
    if its.iter().all(|&i| value(i) == value(first)) || its.iter().all(|&i| is_nan(i)) {
        // In an output of few values any element equals the first one.
        let is_first =
            from > 0 && its.len() > 1 && stream.first() == Some(&value(first)) && view.bits >= 16.0;
        let fill = if is_first {
            Content::FirstElement
        } else {
            fill(value(first), view.layout.dtype)
        };
        // A single element always has a single value. It says something only if it is a zero or a NaN.
        if its.len() > 1 || matches!(fill, Content::Zero | Content::Nan) {
            found.push(fill);
        }
    }
    // A single element of few bits equals one before it by chance.
    if from > 0 && (its.len() > 1 || view.bits >= 16.0) {
        let again = |&i: &usize| stream.get(i - first) == Some(&value(i));
        if from == first && its.iter().all(again) {
            found.push(Content::Again);
        }
        let backs = (1..=from.min(LARGEST_GROUP))
            // An element that has none so far before it is right.
            .filter(|back| its.iter().all(|&i| i < *back || value(i) == value(i - back)));
        // Where the output repeats itself, many distances fit one case. Two leave the choice to the other cases.
        found.extend(backs.take(2).map(Content::Stale));
    }
    let (last, is_run) = (
        its[its.len() - 1],
        its.len() > 1 && its.windows(2).all(|pair| pair[1] == pair[0] + 1),
    );
    if is_run && found.is_empty() && *order == Order::Stream {
        let reversed = |&i: &usize| stream.get(first + last - i) == Some(&value(i));
        let is_end = last + 1 == view.count() || first == 0;
        if is_end && its.len() < view.count() && its.iter().all(reversed) {
            found.push(Content::Reversed);
        }
    }
    let is_fill = |content: &Content| !matches!(content, Content::Stale(_));
    if from == first && first > 0 && its.len() > 1 && !found.iter().any(is_fill) {
        let stale = !found.is_empty();
        // Elements that already stand in the output are called stale rather than behind.
        let is_new = |content: &Content| !(stale && matches!(content, Content::Ahead(_)));
        found.extend(moved(view, stream, its).into_iter().filter(is_new));
    }
    found
}
