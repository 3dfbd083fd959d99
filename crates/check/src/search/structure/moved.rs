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
