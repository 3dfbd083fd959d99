//! Places: sets of indices at which an output goes wrong, as a rule with few parameters.

use super::along::{Along, Axis, Span, end, listed};
use super::order::Order;
use super::spans::{LANES, few_lanes, spans};
use super::view::Layout;
use crate::model::diagnosis::Cause;

/// The most elements at one end of an output that are named by their number, as in "the last 3". A longer end is a tail
/// of some group, which has a name that holds for other sizes too.
pub(super) const EDGE: usize = 64;

/// Where an output goes wrong.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Place {
    /// Everywhere.
    All,
    /// After the last complete group of this number of elements.
    Group(usize),
    /// In a span of an axis.
    Along(Along),
    /// In a figure of each matrix of the last two axes.
    Figure(Figure),
    /// Where an order leads behind the output: a buffer of its size has nothing there.
    Beyond,
    /// From this element on.
    From(usize),
    /// At the beginning, for this number of elements.
    First(usize),
    /// At the end, for this number of elements.
    Last(usize),
    /// In the last group of this number of elements, which is incomplete and stored so that it ends with the output.
    Overlap(usize),
    /// The elements whose index has one of these remainders.
    Lanes { period: usize, lanes: Vec<usize> },
    /// [`Self::Group`] with a size in words: a kernel that stores four words at a time stores four elements of f32 and two of f64.
    GroupOfWords(usize),
    /// [`Self::Overlap`] with a size in words.
    OverlapOfWords(usize),
}

/// A part of a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Figure {
    Diagonal,
    AboveDiagonal,
    BelowDiagonal,
    /// The first and the last row, and the first and the last column.
    Border,
}

impl Figure {
    pub(super) const ALL: [Self; 4] = [
        Self::Diagonal,
        Self::AboveDiagonal,
        Self::BelowDiagonal,
        Self::Border,
    ];

    fn has(self, [rows, columns]: [usize; 2], i: usize) -> bool {
        let (row, column) = (i / columns % rows, i % columns);
        match self {
            Self::Diagonal => row == column,
            Self::AboveDiagonal => column > row,
            Self::BelowDiagonal => column < row,
            Self::Border => row == 0 || row + 1 == rows || column == 0 || column + 1 == columns,
        }
    }

    /// A name, and a place in each matrix.
    pub(super) const fn words(self) -> [&'static str; 2] {
        match self {
            Self::Diagonal => ["diagonal", "on the diagonal"],
            Self::AboveDiagonal => ["above-diagonal", "above the diagonal"],
            Self::BelowDiagonal => ["below-diagonal", "below the diagonal"],
            Self::Border => ["border", "in the first and the last row and column"],
        }
    }
}

impl Place {
    /// The same place counted in words, where elements take several and it is a place of a group.
    pub(super) fn in_words(&self, layout: &Layout) -> Option<Self> {
        let words = |group: usize| group.checked_mul(layout.words).filter(|_| layout.words > 1);
        match *self {
            Self::Group(group) => words(group).map(Self::GroupOfWords),
            Self::Overlap(group) => words(group).map(Self::OverlapOfWords),
            _ => None,
        }
    }

    /// A place of a group of words as one of elements. There is none where an element lies in two groups.
    fn in_elements(&self, layout: &Layout) -> Option<Self> {
        let elements = |words: usize| words.is_multiple_of(layout.words).then(|| words / layout.words);
        match *self {
            Self::GroupOfWords(words) => elements(words).map(Self::Group),
            Self::OverlapOfWords(words) => elements(words).map(Self::Overlap),
            _ => None,
        }
    }

    /// The number of elements of a group that is stored so that it ends with the output.
    pub(super) fn overlap(&self, layout: &Layout) -> Option<usize> {
        match self {
            Self::Overlap(group) => Some(*group),
            Self::OverlapOfWords(_) => self.in_elements(layout)?.overlap(layout),
            _ => None,
        }
    }

    /// If element `i` is in this place, the index of the first element of its tail; otherwise `None`.
    pub(super) fn start(&self, layout: &Layout, order: &Order, i: usize) -> Option<usize> {
        let n = layout.count;
        match self {
            Self::All => Some(0),
            Self::Group(group) => {
                let from = n - n % group;
                (i >= from).then_some(from)
            }
            Self::Along(along) => along.start(layout, i),
            Self::Figure(figure) => (layout.dims.len() > 1 && figure.has(layout.matrix(), i)).then_some(i),
            Self::Beyond => order.position(layout, i).is_none_or(|at| at >= n).then_some(i),
            Self::From(from) => (i >= *from).then_some(*from),
            Self::First(count) => (i < *count).then_some(0),
            Self::Last(count) => (i + count >= n).then_some(n.saturating_sub(*count)),
            Self::Overlap(group) => {
                let from = n.checked_sub(*group).filter(|_| !n.is_multiple_of(*group))?;
                (i >= from).then_some(from)
            }
            Self::Lanes { period, lanes } => lanes.contains(&(i % period)).then_some(i),
            Self::GroupOfWords(_) | Self::OverlapOfWords(_) => {
                self.in_elements(layout)?.start(layout, order, i)
            }
        }
    }

    /// Whether the tail that begins at element `from` is all of a row, or of another line along the axis of the place.
    pub(super) fn is_whole_line(&self, layout: &Layout, from: usize) -> bool {
        match self {
            Self::Along(along) if !matches!(along.span, Span::Begins(_) | Span::Lanes { .. }) => along
                .axis
                .extent(layout)
                .is_some_and(|[extent, inner]| (from / inner).is_multiple_of(extent)),
            _ => false,
        }
    }

    /// The number of elements from one index to the next along the axis of the place.
    pub(super) fn step(&self, layout: &Layout) -> usize {
        match self {
            Self::Along(along) => along.axis.extent(layout).map_or(1, |[_, inner]| inner),
            _ => 1,
        }
    }
}

/// The places of an output's shape in which a mistake may act whatever elements show it.
fn of_shape(layout: &Layout) -> Vec<Place> {
    // The usual sizes of vectors and of blocks of channels come first, on every axis: where few elements tell, more places fit than are
    // tried, and the last ones are left out.
    let groups = [4, 8, 16, 2, 32, 64].into_iter();
    let axes = Axis::all(layout);
    let of_axes = groups.flat_map(|group| axes.iter().map(move |&axis| (axis, Span::Group(group))));
    let mut all: Vec<Place> = of_axes
        .map(|(axis, span)| Place::Along(Along { axis, span }))
        .collect();
    if layout.dims.len() > 1 {
        all.extend(Figure::ALL.map(Place::Figure));
    }
    all
}

/// The elements in which a mistake acts: those of a place, or all others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mask {
    place: Place,
    is_outside: bool,
}

/// Whether a mistake acts in an element, as far as the element shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Acts {
    Yes,
    No,
    /// The mistake does not change the element.
    Either,
}

impl Mask {
    /// A mistake that acts only in this part of the output, as a cause.
    pub(crate) fn acting(&self, mistake: &Cause) -> Cause {
        let (name, sentence) = self.words();
        Cause {
            name: format!("{} {name}", mistake.name),
            sentence: format!("{}, {sentence}", mistake.sentence),
            ..mistake.clone()
        }
    }

    /// Whether the mistake acts in element `i`.
    pub(crate) fn holds(&self, layout: &Layout, i: usize) -> bool {
        self.place.start(layout, &Order::Stream, i).is_some() != self.is_outside
    }

    /// The simplest masks that agree with what is known of each element. There is none where the mistake acts nowhere. One
    /// that acts everywhere may be one of what is left over on an axis that is shorter than a group.
    pub(crate) fn read_off(layout: &Layout, acts: &[Acts]) -> Vec<Self> {
        let places = |is: Acts| {
            acts.iter()
                .enumerate()
                .filter(move |(_, it)| **it == is)
                .map(|(i, _)| i)
        };
        let (Some(first), Some(last)) = (places(Acts::Yes).next(), places(Acts::Yes).next_back()) else {
            return Vec::new();
        };
        let (Some(first_not), Some(last_not)) = (places(Acts::No).next(), places(Acts::No).next_back())
        else {
            return Self::whole(layout);
        };
        let n = acts.len();
        let mut all: Vec<Self> = Vec::new();
        let of = |place, is_outside| Self { place, is_outside };
        let agrees = |mask: &Self| {
            acts.iter().enumerate().all(|(i, acts)| match acts {
                Acts::Yes => mask.holds(layout, i),
                Acts::No => !mask.holds(layout, i),
                Acts::Either => true,
            })
        };
        for (is_outside, begins, ends) in [(false, first, last_not), (true, first_not, last)] {
            // The boundary lies anywhere between the last element of one part and the first of the other. The mistake
            // changes nothing in the elements between these two.
            if ends >= begins {
                continue;
            }
            let powers = (1..=10).map(|exponent| 1 << exponent);
            // Vectors and workgroups are powers of two. Other sizes fit many boundaries by chance, and count only where
            // no power of two fits.
            let others = (3..=64).filter(|group: &usize| !group.is_power_of_two());
            let fits = |group: &usize| {
                let from = n - n % group;
                ends < from && from <= begins && from > 0
            };
            let mut found: Vec<usize> = powers.filter(fits).collect();
            if found.is_empty() {
                found.extend(others.filter(fits).take(4));
            }
            // Several sizes may fit one output. The cover keeps the one that also fits outputs of other lengths.
            all.extend(found.into_iter().map(|group| of(Place::Group(group), is_outside)));
            if n - begins <= EDGE.min(n / 2) {
                all.push(of(Place::Last(n - begins), is_outside));
            }
            if begins <= EDGE.min(n / 2) || (ends + 1..=begins).any(usize::is_power_of_two) {
                let from = (ends + 1..=begins).find(|from| from.is_power_of_two());
                all.push(of(Place::From(from.unwrap_or(begins)), is_outside));
            }
        }
        for place in of_shape(layout) {
            all.extend([of(place.clone(), false), of(place, true)]);
        }
        for (is, is_outside) in [(Acts::Yes, false), (Acts::No, true)] {
            let its: Vec<usize> = places(is).collect();
            let mask = |along: &Along| of(Place::Along(along.clone()), is_outside);
            // The elements that show nothing may be of either part, so that a span need not be full of those that do.
            for along in spans(layout, &its, |along, _| agrees(&mask(along))) {
                let mask = mask(&along);
                if !all.contains(&mask) {
                    all.push(mask);
                }
            }
        }
        for period in 2..=LANES.min(n / 3) {
            if let Some(lanes) = few_lanes(places(Acts::Yes), period) {
                all.push(of(Place::Lanes { period, lanes }, false));
            }
        }
        let mut lanes = 0;
        all.retain(|mask| {
            let fits = agrees(mask);
            let is_lanes = matches!(mask.place, Place::Lanes { .. });
            lanes += usize::from(fits && is_lanes);
            // Every multiple of the shortest period agrees as well, and says less.
            fits && (!is_lanes || lanes == 1)
        });
        all
    }

    /// The masks of an incomplete group along an axis that all elements are in. An axis of one index has too many of them to tell.
    fn whole(layout: &Layout) -> Vec<Self> {
        let is_whole = |place: &Place| match place {
            Place::Along(Along {
                axis,
                span: Span::Group(group),
            }) => axis
                .extent(layout)
                .is_some_and(|[extent, _]| (2..*group).contains(&extent)),
            _ => false,
        };
        let all = of_shape(layout).into_iter().filter(is_whole);
        let of = |place| Self {
            place,
            is_outside: false,
        };
        // What is left over of a list is the tail of the output, which larger ones show.
        all.filter(|_| layout.dims.len() > 1).map(of).collect()
    }

    /// The logarithm of the number of usual masks of this sort, which the evidence has to exceed.
    pub(crate) const fn prior(&self) -> f64 {
        match self.place {
            // 64 sizes and ends are usual, and about a thousand boundaries or patterns of lanes.
            Place::Lanes { .. } | Place::From(_) => 10.0,
            // And as many spans of some axes.
            Place::Along(_) => 8.0,
            _ => 6.0,
        }
    }

    /// The mask as the end of a name, and as the end of a sentence.
    pub(crate) fn words(&self) -> (String, String) {
        let (name, place) = match &self.place {
            Place::Group(group) => (
                format!("tail(group = {group})"),
                format!("after the last whole group of {group} elements"),
            ),
            Place::Along(along) => (along.name(None), along.place()),
            Place::Figure(figure) => {
                let [name, place] = figure.words();
                (name.to_owned(), format!("{place} of each matrix"))
            }
            Place::From(from) => (format!("tail(from = {from})"), format!("from element {from} on")),
            Place::Last(count) => (format!("last({count})"), format!("in {}", end("last", *count))),
            Place::Lanes { period, lanes } => {
                let lanes = listed(lanes);
                (
                    format!("lanes({lanes} of {period})"),
                    format!("in the elements at {lanes} of each {period}"),
                )
            }
            Place::All
            | Place::Beyond
            | Place::First(_)
            | Place::Overlap(_)
            | Place::GroupOfWords(_)
            | Place::OverlapOfWords(_) => unreachable!("no mask is read off with such a place"),
        };
        match (&self.place, self.is_outside) {
            (_, false) => (format!("in {name}"), format!("only {place}")),
            (Place::Group(group), true) => (
                format!("in body(group = {group})"),
                format!("only up to the last whole group of {group} elements"),
            ),
            (Place::From(from), true) => (format!("up to {from}"), format!("only before element {from}")),
            (_, true) => (format!("not in {name}"), format!("but not {place}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use seedproof_ops::{Dtype, Shape, Tensor};

    type IsIn = fn([usize; 4]) -> bool;

    fn masks_of(dims: &[u64], acts: impl Fn(usize) -> Acts) -> Vec<String> {
        let shape = Shape::new(dims).unwrap();
        let acts: Vec<Acts> = (0..shape.count()).map(acts).collect();
        let layout = Layout::plain(&Tensor::new(Dtype::U8, shape, vec![0; acts.len()]).unwrap());
        let found = Mask::read_off(&layout, &acts).into_iter();
        found.map(|mask| mask.words().0).collect()
    }

    fn masks(n: u64, acts: impl Fn(usize) -> Acts) -> Vec<String> {
        masks_of(&[n], acts)
    }

    #[test]
    fn masks_are_read_off_where_a_mistake_is_seen_to_act() {
        let when = |is: bool| if is { Acts::Yes } else { Acts::No };
        let tail = masks(45, |i| when(i >= 40));
        assert!(tail.contains(&"in tail(group = 8)".to_owned()), "{tail:?}");
        let body = masks(45, |i| when(i < 40));
        assert!(body.contains(&"in body(group = 8)".to_owned()), "{body:?}");
        // The first element behind the body shows nothing: a group of 4 or 8 would do.
        let open = masks(43, |i| if i == 40 { Acts::Either } else { when(i > 40) });
        assert!(open.contains(&"in tail(group = 8)".to_owned()), "{open:?}");
        assert_eq!(masks(45, |i| when(i % 8 == 3)), ["in lanes(3 of 8)"]);
        assert!(masks(45, |_| Acts::Yes).is_empty());
        assert!(masks(45, |i| when(i * i % 7 == 2 || i == 30)).is_empty());
    }

    #[test]
    fn masks_follow_the_axes_of_an_output() {
        let when = |is: bool| if is { Acts::Yes } else { Acts::No };
        // Two items of six channels of four rows of twenty.
        let found = |is: IsIn| {
            let at = |i: usize| [i / 480, i / 80 % 6, i / 20 % 4, i % 20];
            masks_of(&[2, 6, 4, 20], |i| when(is(at(i))))
        };
        let all: [(&str, IsIn); 9] = [
            ("in tail-of-channels(group = 4)", |[_, c, ..]| c >= 4),
            ("not in tail-of-channels(group = 4)", |[_, c, ..]| c < 4),
            ("in lanes-of-channels(1 of 2)", |[_, c, ..]| c % 2 == 1),
            ("in last-of-axis-1(1)", |[_, _, row, _]| row == 3),
            ("in rows-from(16)", |[.., column]| column >= 16),
            ("not in first-of-rows(1)", |[.., column]| column > 0),
            // The columns 3, 7, 11, ..., which are odd, too.
            ("in lanes-of-rows(3 of 4)", |[.., column]| column % 4 == 3),
            ("in diagonal", |[_, _, row, column]| row == column),
            ("not in border", |[_, _, row, column]| {
                (1..3).contains(&row) && (1..19).contains(&column)
            }),
        ];
        for (name, is) in all {
            let found = found(is);
            assert!(found.iter().any(|it| it == name), "{name}: {found:?}");
        }
    }

    #[test]
    fn mistake_of_what_is_left_over_may_act_in_all_of_a_short_axis() {
        let found = masks_of(&[3, 5], |_| Acts::Yes);
        assert!(
            found.contains(&"in tail-of-axis-1(group = 4)".to_owned()),
            "{found:?}"
        );
        assert!(
            found.contains(&"in tail-of-rows(group = 8)".to_owned()),
            "{found:?}"
        );
        // A row of five elements has a whole group of four.
        assert!(
            !found.contains(&"in tail-of-rows(group = 4)".to_owned()),
            "{found:?}"
        );
        assert!(masks_of(&[3, 5], |_| Acts::No).is_empty());
    }
}
