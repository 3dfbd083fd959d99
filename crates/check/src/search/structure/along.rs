//! Places along an axis: what a loop over rows, channels or items leaves out, in terms of the axis and not of the output.

use super::view::Layout;

/// An axis of outputs of any rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Axis {
    /// Counted from the innermost: 0 is a row.
    Inner(usize),
    /// The first, which is often the batch. A list has none.
    First,
    /// The second of three or more, which is often that of the channels.
    Second,
    /// All rows of the innermost axis, as one list.
    AllRows,
}

/// A set of indices along an axis.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Span {
    /// After the last complete group of this number.
    Group(usize),
    /// This number at the beginning.
    Begins(usize),
    /// This number at the end.
    Ends(usize),
    /// From this index on: the axis is longer than what is computed of it.
    From(usize),
    /// The indices with one of these remainders.
    Lanes { period: usize, lanes: Vec<usize> },
}

/// The elements whose index along an axis is in a span.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Along {
    pub(crate) axis: Axis,
    pub(crate) span: Span,
}

impl Axis {
    /// The axes of an output, each in every way in which outputs of other ranks may have it. A row comes first.
    pub(crate) fn all(layout: &Layout) -> Vec<Self> {
        let rank = layout.dims.len();
        let mut all: Vec<Self> = (0..rank.max(1)).map(Self::Inner).collect();
        all.extend([Self::First, Self::AllRows].into_iter().filter(|_| rank > 1));
        all.extend((rank > 2).then_some(Self::Second));
        all
    }

    /// The extent, and the number of elements that stand at each index; `None` where the output has no such axis.
    pub(crate) fn extent(self, layout: &Layout) -> Option<[usize; 2]> {
        let dims = &layout.dims;
        let place = match self {
            Self::Inner(0) => return Some([layout.row(), 1]),
            Self::Inner(axis) => dims.len().checked_sub(axis + 1)?,
            Self::AllRows if dims.len() > 1 => return Some([layout.count / layout.row(), layout.row()]),
            Self::First if dims.len() > 1 => 0,
            Self::Second if dims.len() > 2 => 1,
            Self::First | Self::Second | Self::AllRows => return None,
        };
        let inner = dims[place + 1..].iter().copied().fold(1, usize::saturating_mul);
        Some([dims[place].max(1), inner.max(1)])
    }

    /// The end of a name, and the beginning of a sentence.
    fn words(self) -> [String; 2] {
        let [name, subject] = match self {
            Self::Inner(0) => ["rows", "each row"],
            Self::Inner(axis) => {
                return [
                    format!("axis-{axis}"),
                    format!("axis {axis} (0 is the innermost)"),
                ];
            }
            Self::First => ["items", "the first axis"],
            Self::Second => ["channels", "the second axis"],
            Self::AllRows => ["all-rows", "the list of all rows"],
        };
        [name, subject].map(str::to_owned)
    }
}

impl Along {
    /// If element `i` is in this place, the index of the first element of its tail; otherwise `None`.
    pub(crate) fn start(&self, layout: &Layout, i: usize) -> Option<usize> {
        let [extent, inner] = self.axis.extent(layout)?;
        let at = i / inner % extent;
        let block = i - i % (extent * inner);
        let from = match &self.span {
            Span::Group(group) => extent - extent % group,
            Span::Begins(count) => return (at < *count).then_some(block),
            Span::Ends(count) => extent.saturating_sub(*count),
            Span::From(from) => *from,
            Span::Lanes { period, lanes } => return lanes.contains(&(at % period)).then_some(i),
        };
        (at >= from).then_some(block + from * inner)
    }

    /// The name of what stands there, or of the place alone.
    pub(crate) fn name(&self, what: Option<&str>) -> String {
        let [of, _] = self.axis.words();
        let what = what.map_or_else(String::new, |what| format!(", {what}"));
        match &self.span {
            Span::Group(group) => format!("tail-of-{of}(group = {group}{what})"),
            Span::Begins(count) => format!("first-of-{of}({count}{what})"),
            Span::Ends(count) => format!("last-of-{of}({count}{what})"),
            Span::From(from) => format!("{of}-from({from}{what})"),
            Span::Lanes { period, lanes } => format!("lanes-of-{of}({} of {period}{what})", listed(lanes)),
        }
    }

    /// A sentence about elements of which something holds.
    pub(crate) fn sentence(&self, holds: &str) -> String {
        let [_, subject] = self.axis.words();
        match &self.span {
            Span::Group(group) => {
                format!(
                    "{subject} is right up to its last whole group of {group}; the elements after it {holds}"
                )
            }
            Span::Begins(count) => {
                format!("{subject} is right from element {count} on; the elements before it {holds}")
            }
            Span::Ends(count) => {
                format!("{subject} is right up to {count} before its end; the elements from there on {holds}")
            }
            Span::From(from) => {
                format!("{subject} is right up to element {from}; the elements from there on {holds}")
            }
            Span::Lanes { period, lanes } => format!(
                "along {subject}, of each {period} elements those at {} {holds}; the others are right",
                listed(lanes)
            ),
        }
    }

    /// The place at the end of a sentence.
    pub(crate) fn place(&self) -> String {
        let [_, of] = self.axis.words();
        match &self.span {
            Span::Group(group) => format!("after the last whole group of {group} elements of {of}"),
            Span::Begins(count) => format!("in {} of {of}", end("first", *count)),
            Span::Ends(count) => format!("in {} of {of}", end("last", *count)),
            Span::From(from) => format!("in {of} from element {from} on"),
            Span::Lanes { period, lanes } => {
                format!("in the elements at {} of each {period} of {of}", listed(lanes))
            }
        }
    }
}

/// The elements at one end: `the last element`, `the first 3 elements`.
pub(super) fn end(which: &str, count: usize) -> String {
    match count {
        1 => format!("the {which} element"),
        _ => format!("the {which} {count} elements"),
    }
}

/// Numbers with spaces between them.
pub(super) fn listed(numbers: &[usize]) -> String {
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    numbers.join(" ")
}
