//! Parts of an output that move as a whole.

use super::view::Layout;

/// What an order counts in place of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Part {
    /// The rows of the innermost axis.
    Row,
    /// What stands at one index of the outermost axis.
    Item,
}

/// How far the beginning of one part is from the next in the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Gap {
    /// As many elements as a part has, rounded up to a multiple of this number.
    Multiple(usize),
    /// This number of elements more than a part has, or fewer.
    Plus(isize),
    /// This number of elements. With 0, each part begins at the start of the stream.
    Fixed(usize),
}

impl Gap {
    /// The number of elements, for parts of this size.
    pub(crate) fn of(self, size: usize) -> usize {
        match self {
            Self::Multiple(multiple) => size.next_multiple_of(multiple),
            Self::Plus(more) => size.saturating_add_signed(more),
            Self::Fixed(gap) => gap,
        }
    }
}

impl Part {
    pub(crate) const ALL: [Self; 2] = [Self::Row, Self::Item];

    pub(crate) const fn noun(self) -> &'static str {
        match self {
            Self::Row => "row",
            Self::Item => "item",
        }
    }

    /// The number of elements of a part.
    pub(crate) fn size(self, layout: &Layout) -> usize {
        match self {
            Self::Row => layout.row(),
            Self::Item => {
                let items = layout.dims.first().copied().unwrap_or(layout.count);
                layout.count / items.max(1)
            }
        }
        .max(1)
    }

    /// An output that is one of the parts.
    pub(crate) fn within(self, layout: &Layout) -> Layout {
        let dims = match self {
            Self::Row => &[],
            Self::Item => layout.dims.get(1..).unwrap_or(&[]),
        };
        self::layout(layout, dims, self.size(layout))
    }

    /// An output whose elements are the parts, as a list.
    pub(crate) fn layout(self, layout: &Layout) -> Layout {
        self::layout(layout, &[], layout.count / self.size(layout))
    }
}

/// The layout of a part, or of parts. One begins at any place of a block, so that blocks mean nothing to an order of them.
fn layout(of: &Layout, dims: &[usize], count: usize) -> Layout {
    Layout {
        dtype: of.dtype,
        dims: dims.to_vec(),
        count,
        per_block: 1,
        words: 1,
    }
}
