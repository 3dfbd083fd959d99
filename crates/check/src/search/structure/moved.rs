//! Orders of axes: every one of a few axes, and those that kernels make whatever the rank.

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

/// A change of the order of axes that kernels make whatever their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Moved {
    /// NHWC where NCHW is meant.
    SecondToEnd,
    EndToSecond,
    FirstTwoExchanged,
    LastTwoExchanged,
}

impl Moved {
    pub(super) const ALL: [Self; 4] = [
        Self::SecondToEnd,
        Self::EndToSecond,
        Self::FirstTwoExchanged,
        Self::LastTwoExchanged,
    ];

    /// The axis at this place, of this number of axes. Of fewer than three it changes none.
    pub(super) const fn axis(self, rank: usize, place: usize) -> usize {
        let last = rank.saturating_sub(1);
        match (self, place) {
            _ if rank < 3 => place,
            (Self::SecondToEnd, 1..) => {
                if place == last {
                    1
                } else {
                    place + 1
                }
            }
            (Self::EndToSecond, 1) => last,
            (Self::EndToSecond, 2..) => place - 1,
            (Self::FirstTwoExchanged, 0 | 1) => 1 - place,
            (Self::LastTwoExchanged, _) if place + 1 >= last => 2 * last - 1 - place,
            _ => place,
        }
    }

    /// A name, and what follows "with".
    pub(super) const fn words(self) -> [&'static str; 2] {
        match self {
            Self::SecondToEnd => ["axis-1-last", "axis 1 as the last one (channels last)"],
            Self::EndToSecond => [
                "last-axis-second",
                "the last axis as the second one (channels first)",
            ],
            Self::FirstTwoExchanged => ["first-axes-exchanged", "the first two axes exchanged"],
            Self::LastTwoExchanged => ["last-axes-exchanged", "the last two axes exchanged"],
        }
    }
}

/// Every permutation of up to five axes except the identity, which is generated first.
pub(super) fn permutations(rank: usize) -> Vec<Vec<usize>> {
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
    // Six axes have 720 permutations, each of which is compared with every output.
    if rank <= 5 {
        extend(rank, &mut Vec::new(), &mut all);
    }
    all.into_iter().skip(1).collect()
}
