//! Structures: what happened to a stream on its way to the output, whatever the cause.
//!
//! The actual elements are looked up in a stream, which is the oracle's or that of a mistake. An order is read off from
//! the places where they stand. Elements in no order are a tail, or they were recoded. A structure proves as much as a
//! mistake does, because it reproduces every element of an output.

mod along;
mod axes;
mod form;
mod moved;
mod order;
mod parts;
mod periodic;
mod place;
mod recode;
mod row_words;
mod rows;
mod slices;
mod spans;
mod tail;
mod tail_words;
mod tiles;
mod view;
mod words;

use seedproof_ops::{Backend, NanRule, Request, Scalar};

pub(crate) use form::{Form, form, rounding};
pub(crate) use order::{ORDER_BITS, of_shape};
pub(crate) use place::{Acts, Mask};
pub(crate) use view::{LOOKAHEAD, Layout, View, bits_of, stream};

use crate::model::diagnosis::{Cause, CauseKind};
use along::{Along, Axis, Span};
use order::{Order, explains, prefix, shaped};
use parts::Gap;
use periodic::read_off;
use place::Place;
use recode::Recode;
use slices::Share;
use tail::{Content, Tail, tails};
use view::{Index, PLAIN_BITS};

/// The number of sorts of structure that a report says were tried: twenty-eight orders, five recodings, fifteen places of a
/// tail and nine forms.
pub(crate) const SORTS: usize = 28 + 5 + 15 + 9;

/// What is done to a stream.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Structure {
    order: Order,
    recode: Option<Recode>,
    tail: Option<Tail>,
}

impl Structure {
    /// The index in the stream of element `i` of the output.
    pub(crate) fn position(&self, layout: &Layout, i: usize) -> Option<usize> {
        self.order.position(layout, i)
    }

    const fn of(order: Order) -> Self {
        Self {
            order,
            recode: None,
            tail: None,
        }
    }

    /// The first `count` elements of the output that this structure makes of a backend's stream. An element that the
    /// structure leaves open is `None`, and so is the whole where the backend does not answer.
    pub(crate) fn apply(
        &self,
        backend: &dyn Backend,
        request: &Request,
        layout: &Layout,
        nan: NanRule,
        count: usize,
    ) -> Option<Vec<Option<u64>>> {
        let n = layout.count;
        let overlap = self.tail.as_ref().and_then(|tail| tail.place.overlap(layout));
        let overlap = overlap.unwrap_or(0);
        // A wrong structure may point anywhere in the stream. Elements far beyond the output are left open, so that no
        // candidate makes the backend draw gigabytes.
        let most = n.saturating_mul(4) + LOOKAHEAD;
        // Where a buffer is read over its end, nothing of the stream stands there.
        let is_cut = self.tail.as_ref().is_some_and(|tail| tail.place == Place::Beyond);
        // Elements that are left in order stand within the output, where their places in the order may not.
        let left = self.tail.as_ref().filter(|tail| tail.content == Content::InOrder);
        let is_left =
            |i: &usize| left.is_some_and(|tail| tail.place.start(layout, &self.order, *i).is_some());
        let moved = (0..count).filter(|i| !is_left(i));
        let positions = moved.filter_map(|i| self.order.position(layout, i));
        let farthest = positions.filter(|&at| !is_cut || at < n).max();
        let reach = farthest.map_or(0, |at| at.saturating_add(1 + overlap));
        let reach = reach
            .max(left.map_or(0, |_| count))
            .max(self.tail.as_ref().map_or(0, |tail| tail.reach(n)));
        // The case's own request is preferred to a shorter one: a mistake may depend on the shape, and a prefix is a
        // list.
        let reach = if count == n { reach.max(n) } else { reach };
        let stream = view::stream(backend, request, nan, n, reach.min(most))?;
        // Some streams cannot be drawn past the output. To leave what stands there open would reproduce any output.
        if stream.len() < reach.min(most) {
            return None;
        }
        let at = |i: usize| stream.get(self.order.position(layout, i)?).copied();
        let mut output: Vec<Option<u64>> = (0..count).map(at).collect();
        if let Some(recode) = self.recode {
            for bits in output.iter_mut().flatten() {
                *bits = nan.key(Scalar::new(layout.dtype, recode.apply(*bits, layout.dtype)));
            }
        }
        if let Some(tail) = &self.tail {
            tail.spoil(layout, &self.order, &mut output, &at, &|i| stream.get(i).copied());
        }
        Some(output)
    }

    /// The same order of an output of whole groups, where further elements would be left in order, as a loop over vectors leaves them.
    /// Nothing in this output decides between the two.
    pub(crate) fn left_in_order(&self, layout: &Layout) -> Option<Self> {
        let group = self.order.permuted_group()?;
        let is_undecided = self.tail.is_none() && layout.count.is_multiple_of(group);
        is_undecided.then(|| Self {
            tail: Some(Tail {
                place: Place::Group(group),
                content: Content::InOrder,
            }),
            ..self.clone()
        })
    }

    /// Whether the structure leaves some elements open.
    pub(crate) fn is_noise(&self) -> bool {
        self.tail
            .as_ref()
            .is_some_and(|tail| tail.content == Content::Noise)
    }

    /// Whether it says where elements are wrong and not what they are: some lanes of every vector, all over the output. Memory
    /// that nothing wrote is a tail; words that stand in the same lanes everywhere are made wrong, and nothing says how.
    pub(crate) fn is_place(&self) -> bool {
        let tail = self.tail.as_ref();
        let is_lanes = |place: &Place| match place {
            Place::Lanes { .. } => true,
            Place::Along(along) => matches!(along.span, Span::Lanes { .. }),
            _ => false,
        };
        self.is_noise() && tail.is_some_and(|tail| is_lanes(&tail.place))
    }

    /// The logarithm of the number of usual structures of this kind, which the evidence has to exceed.
    pub(crate) fn prior(&self) -> f64 {
        // Groups, ends and threads have about 64 usual sizes. A boundary, or a pattern of lanes, has about a thousand.
        let tail = match self.tail.as_ref().map(|tail| &tail.place) {
            None | Some(Place::All) => 0.0,
            Some(Place::From(_) | Place::Lanes { .. }) => 10.0,
            // A row's is the usual axis.
            Some(Place::Along(Along { axis, span })) => {
                let axis = if *axis == Axis::Inner(0) { 0.0 } else { 2.0 };
                axis + if matches!(span, Span::Lanes { .. }) {
                    11.0
                } else {
                    6.0
                }
            }
            // Elements are what a kernel counts more often.
            Some(Place::GroupOfWords(_) | Place::OverlapOfWords(_)) => 7.0,
            Some(_) => 6.0,
        };
        let order = order_prior(&self.order);
        // Four bits for the choice among the kinds of structure.
        4.0 + tail + order
    }

    /// Whether its order is a long list of places, for which there may be a simpler explanation.
    pub(crate) fn is_list(&self) -> bool {
        self.order.is_list()
    }

    /// Each part of the structure as a cause: its order, a recoding, a tail.
    pub(crate) fn causes(&self) -> Vec<Cause> {
        words::of(&self.order, self.recode, self.tail.as_ref())
    }

    /// The structure as one cause.
    pub(crate) fn cause(&self) -> Cause {
        Cause {
            kind: CauseKind::Structure,
            ..Cause::joined(&self.causes())
        }
    }
}

fn order_prior(order: &Order) -> f64 {
    match order {
        Order::Stream => 0.0,
        Order::Slices {
            share: Share::Up | Share::Fixed(_),
            ..
        } => 12.0,
        Order::Slices { .. } => 16.0,
        // Of a long list there is often a shorter description.
        order if order.is_list() => 10.0,
        // Sizes are mostly powers of two. Any other period is one of many possible numbers, so it costs more bits.
        Order::Periodic { period, offsets, .. } if offsets.is_empty() && !period.is_power_of_two() => 10.0,
        // Elements are what a kernel counts more often.
        Order::InWords(order) | Order::OfParts(_, order) | Order::Within(_, order) => {
            1.0 + order_prior(order)
        }
        Order::Tiles(..) => 8.0,
        // A place in the stream, which is read off.
        Order::Apart(_, Gap::Plus(_) | Gap::Fixed(1..)) => 10.0,
        _ => 6.0,
    }
}

/// The structures that make the actual output of a backend's stream, the simplest first. Each reproduces every element.
///
/// `beyond` is the number of elements of the stream after the output that are searched too. A stream in which few
/// elements of the output occur is given up after looking them up.
pub(crate) fn structures(
    view: &View,
    backend: &dyn Backend,
    request: &Request,
    beyond: usize,
) -> Vec<Structure> {
    let n = view.count();
    if view.evidence(n) < PLAIN_BITS {
        return Vec::new();
    }
    let Some(stream) = view::stream(backend, request, view.nan, n, n + beyond) else {
        return Vec::new();
    };
    // Recodings come first and are independent of the index: recoded elements do not occur in the stream.
    let mut found = recoded(view, &stream);
    let right = prefix(&Order::Stream, view, &stream);
    let index = Index::of(&stream);
    if right == 0 && !is_familiar(view, &index) {
        return found;
    }
    let usual = of_shape(&view.layout);
    let mut orders = orders(view, &usual, &stream, &index);
    let most = n.saturating_mul(4) + LOOKAHEAD;
    let longer = |count: usize| view::stream(backend, request, view.nan, n, count.min(most));
    let begun = periodic::begun(view, &stream, right, longer);
    // Of small chunks a list of places says the same.
    orders.retain(|order| begun.is_empty() || !order.is_list());
    let with_tails = |order: &Order| {
        let right = prefix(order, view, &stream);
        tails(view, &stream, &index, order, right)
    };
    for order in orders {
        if explains(&order, view, &stream) {
            let in_words = order.in_words(&view.layout);
            found.push(Structure::of(order));
            found.extend(in_words.map(Structure::of));
            continue;
        }
        let tails = with_tails(&order)
            .into_iter()
            .filter(|tail| tail.content != Content::Noise);
        found.extend(tails.map(|tail| Structure {
            tail: Some(tail),
            ..Structure::of(order.clone())
        }));
    }
    // An order that explains every element needs no tail. The exception is a chunk of more than half the output: the
    // part of a second chunk after it may just as well be a tail that repeats the beginning.
    let is_tail = |order: &Order| match order {
        Order::Periodic { period, .. } => *period > n / 2,
        // The same chunks, counted in words.
        Order::InWords(_) => true,
        _ => false,
    };
    let suffices = |it: &Structure| it.order != Order::Stream && it.tail.is_none() && !is_tail(&it.order);
    if found.iter().any(suffices) {
        return found;
    }
    for tail in with_tails(&Order::Stream) {
        // Up to the end of the second chunk a tail is one of many chunks that are as far apart.
        if let (&Place::From(period), Content::Ahead(by @ 1..)) = (&tail.place, tail.content)
            && n <= 2 * period
        {
            found.push(Structure::of(Order::Periodic {
                period,
                advance: period.saturating_add_signed(by),
                offsets: Vec::new(),
            }));
        }
        found.push(Structure {
            tail: Some(tail),
            ..Structure::of(Order::Stream)
        });
    }
    found.extend(begun.into_iter().map(Structure::of));
    found
}

/// The recodings of the stream, in its own order, that make the whole output.
fn recoded(view: &View, stream: &[u64]) -> Vec<Structure> {
    let (n, dtype) = (view.count(), view.layout.dtype);
    let low = Recode::low_bits(&view.actual, dtype);
    let all = Recode::ALL.into_iter().chain(Recode::through(dtype)).chain(low);
    let makes = |recode: &Recode| {
        let recoded = |i: usize| {
            let bits = recode.apply(*stream.get(i)?, dtype);
            Some(view.nan.key(Scalar::new(dtype, bits)))
        };
        // A recoding that changes nothing here (palindromic bytes, no subnormals) is not evidence that it was applied.
        let changes = (0..n).any(|i| stream.get(i).copied() != recoded(i));
        changes && (0..n).all(|i| recoded(i) == Some(view.actual[i]))
    };
    let structure = |recode| Structure {
        recode: Some(recode),
        ..Structure::of(Order::Stream)
    };
    all.filter(makes).map(structure).collect()
}

/// The orders other than the stream's own that explain the whole output, or all but an incomplete last group.
fn orders(view: &View, usual: &[Order], stream: &[u64], index: &Index) -> Vec<Order> {
    let mut found = shaped(view, usual, stream);
    // An order that follows from the shape is a simpler explanation than a list of offsets.
    let is_simple = |order: &Order| !matches!(order, Order::Periodic { offsets, .. } if !offsets.is_empty());
    let read = read_off(view, stream, index);
    let is_only = found.is_empty();
    if is_only {
        let spoiled = spoiled(view, usual, stream);
        found.extend(spoiled.iter().cloned());
        // An order of elements holds of rows as well, where it would only be a longer name.
        found.extend(rows::tiles(view, stream, index));
        found.extend(rows::of_parts(view, stream));
        // An order that was read off explains what stands behind the end too.
        if read.is_empty() {
            let more = rows::over_the_end(view, stream);
            found.extend(more.into_iter().filter(|order| !spoiled.contains(order)));
        }
    }
    found.extend(rows::apart(view, stream, index));
    found.extend(
        read.into_iter()
            .filter(|order| is_simple(order) || is_only && has_moved(view, order)),
    );
    found
}

/// Whether elements of more than one value stand in other places than in the stream. The stream of a mistake may have zeros
/// behind what it fills: without this, rows whose first element is never written were taken for rows that begin there.
fn has_moved(view: &View, order: &Order) -> bool {
    let is_moved = |i: &usize| order.position(&view.layout, *i) != Some(*i);
    let mut moved = (0..view.count()).filter(is_moved).map(|i| view.actual[i]);
    moved
        .next()
        .is_some_and(|first| moved.any(|other| other != first))
}

/// The orders that follow from the shape and that explain an output up to its last half at most, where something else stands.
fn spoiled(view: &View, usual: &[Order], stream: &[u64]) -> Vec<Order> {
    // Of an output few of these fit, and each says the same of it.
    const MOST: usize = 4;
    let mut found = mostly(view, usual, stream, MOST);
    found.retain(|it| {
        let right = prefix(&it.order, view, stream);
        let is_another = |i: usize| it.order.position(&view.layout, i) != Some(i);
        2 * right >= view.count() && view.evidence(right) >= PLAIN_BITS && (0..right).any(is_another)
    });
    found.into_iter().map(|it| it.order).collect()
}

/// The orders, of those that follow from the shape, that explain most elements of an output, but not all.
pub(crate) fn mostly(view: &View, usual: &[Order], stream: &[u64], most: usize) -> Vec<Structure> {
    let n = view.count();
    let stands = |order: &Order, i: usize| {
        let at = order.position(&view.layout, i);
        at.is_some_and(|at| stream.get(at) == Some(&view.actual[i]))
    };
    let found = usual.iter().filter(|order| {
        // Sixteen elements exclude nearly every order. Only the others are compared element by element.
        let few = (0..n).step_by(n.div_ceil(16)).filter(|&i| stands(order, i));
        few.take(6).count() == 6 && {
            let given = (0..n).filter(|&i| stands(order, i)).count();
            given * 2 >= n && given < n
        }
    });
    let found = order::best_named(found.cloned().collect()).into_iter();
    found.take(most).map(Structure::of).collect()
}

/// Whether half of a sample of elements occur in the stream, or all elements are equal. Otherwise no order can be read
/// off, and the search of all orders, which is expensive, is not begun.
fn is_familiar(view: &View, index: &Index) -> bool {
    const ASKED: usize = 16;
    let n = view.count();
    let step = n.div_ceil(ASKED).max(1);
    let asked = (0..n).step_by(step).map(|i| view.actual[i]);
    let (known, all) = asked.fold((0, 0), |(known, all), bits| {
        (
            known + usize::from(index.positions(bits).next().is_some()),
            all + 1,
        )
    });
    known * 2 >= all || view.actual.iter().all(|&bits| bits == view.actual[0])
}

#[cfg(test)]
mod tests;
