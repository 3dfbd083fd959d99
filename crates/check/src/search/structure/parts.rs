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
        Layout {
            dtype: layout.dtype,
            dims: dims.to_vec(),
            count: self.size(layout),
            per_block: 1,
            words: 1,
        }
    }

    /// An output whose elements are the parts, as a list.
    pub(crate) fn layout(self, layout: &Layout) -> Layout {
        Layout {
            dtype: layout.dtype,
            dims: Vec::new(),
            count: layout.count / self.size(layout),
            per_block: 1,
            words: 1,
        }
    }
}
