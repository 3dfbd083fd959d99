//! Orders of axes: every one of a few axes, and those that kernels make whatever the rank.

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

    /// The order of this number of axes. Of fewer than three it changes none.
    pub(super) fn axes(self, rank: usize) -> Vec<usize> {
        let mut axes: Vec<usize> = (0..rank).collect();
        match self {
            _ if rank < 3 => {}
            Self::SecondToEnd => axes[1..].rotate_left(1),
            Self::EndToSecond => axes[1..].rotate_right(1),
            Self::FirstTwoExchanged => axes.swap(0, 1),
            Self::LastTwoExchanged => axes.swap(rank - 2, rank - 1),
        }
        axes
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
