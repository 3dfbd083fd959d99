//! The places of elements whose axes are stored, or filled, in another order.

use super::order::{Channel, Order, Way};
use super::view::Layout;

impl Order {
    /// [`Self::position`] in the orders of axes.
    pub(super) fn position_of_axes(&self, layout: &Layout, i: usize) -> Option<usize> {
        Some(match self {
            // An order of axes that was found in one case says nothing of outputs of another rank.
            Self::Axes(way, axes) if axes.len() == layout.dims.len() => {
                permuted(*way, &layout.dims, axes.iter().copied(), i)
            }
            Self::AxesMoved(way, moved) => {
                let rank = layout.dims.len();
                permuted(
                    *way,
                    &layout.dims,
                    (0..rank).map(|place| moved.axis(rank, place)),
                    i,
                )
            }
            Self::Axes(..) => i,
            Self::ColumnMajor(way) => permuted(*way, &layout.dims, (0..layout.dims.len()).rev(), i),
            Self::ColumnMajorItems(way) => {
                let rank = layout.dims.len();
                permuted(*way, &layout.dims, (0..rank.min(1)).chain((1..rank).rev()), i)
            }
            Self::Channels { way, axis, size } => channels(&layout.dims, *axis, *size)
                .map_or(i, |(dims, axes)| permuted(*way, &dims, axes.into_iter(), i)),
            // All others are those of `position`.
            _ => return None,
        })
    }
}

/// The index in the stream of element `i`, if the axes of these extents are stored, or filled, in the order `axes`. The
/// coordinates of the element are computed in one order of the axes and converted back to an index in the other.
fn permuted(way: Way, dims: &[usize], axes: impl DoubleEndedIterator<Item = usize>, i: usize) -> usize {
    let extent = |&extent: &usize| extent.max(1);
    // A run compares millions of elements with hundreds of orders each: lists of coordinates took most of its time.
    let (mut index, mut inner) = (0, 1);
    for axis in axes.rev() {
        let usual: usize = dims[axis + 1..].iter().map(extent).product();
        let (from, to) = match way {
            Way::Stored => (inner, usual),
            Way::Filled => (usual, inner),
        };
        index += i / from % extent(&dims[axis]) * to;
        inner *= extent(&dims[axis]);
    }
    index
}

/// Three extents, and their order in memory: what is outside the blocks of `size` and the blocks themselves, or the other way
/// round, and the elements of a block among what is inside it. `None` where the axis is not a whole number of blocks, or a single
/// one.
fn channels(dims: &[usize], axis: Channel, size: usize) -> Option<([usize; 3], [usize; 3])> {
    let place = match axis {
        Channel::Second if dims.len() > 2 => 1,
        Channel::Last => dims.len().checked_sub(1)?,
        Channel::Second => return None,
    };
    let blocks = dims[place] / size;
    if blocks * size != dims[place] || blocks == 1 {
        return None;
    }
    let outer: usize = dims[..place].iter().product();
    Some(match axis {
        Channel::Second => ([outer * blocks, size, dims[2..].iter().product()], [0, 2, 1]),
        Channel::Last => ([outer, blocks, size], [1, 0, 2]),
    })
}
