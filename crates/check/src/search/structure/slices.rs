//! Runs of the output that threads draw, and where in the stream each begins.

/// The lengths of the runs that threads draw or write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Runs {
    Alike,
    Even,
}

/// How many elements of an output each of some threads writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Share {
    /// An equal part, rounded up; the last thread writes the rest.
    Up,
    /// The same, rounded up further to whole groups of this size, as of a vector or a line of a cache.
    Groups(usize),
    /// An equal part, rounded down, and each of the first threads one element of what is left.
    Even,
    /// This number of elements, however many there are.
    Fixed(usize),
}

/// The run of a thread.
pub(crate) struct Run {
    pub(crate) thread: usize,
    /// The index in the output of its first element.
    pub(crate) from: usize,
    /// The same, if no part had been enlarged: what a kernel computes that forgets to enlarge it here too.
    nominal: usize,
}

impl Share {
    pub(crate) const ALL: [Self; 7] = [
        Self::Up,
        Self::Even,
        Self::Groups(4),
        Self::Groups(8),
        Self::Groups(16),
        Self::Groups(32),
        Self::Groups(64),
    ];

    /// The elements of most threads.
    pub(crate) const fn length(self, n: usize, threads: usize) -> usize {
        match self {
            Self::Up => n.div_ceil(threads),
            Self::Groups(size) => n.div_ceil(threads).next_multiple_of(size),
            Self::Even => n / threads,
            Self::Fixed(size) => size,
        }
    }

    /// The run in which element `i` of `n` is.
    pub(crate) fn run(self, n: usize, threads: usize, i: usize) -> Run {
        let length = self.length(n, threads);
        let (longer, part) = match self {
            Self::Even => (n % threads, n / threads),
            Self::Up | Self::Groups(_) => (0, n.div_ceil(threads)),
            Self::Fixed(size) => (0, size),
        };
        // With fewer elements than threads the first threads have one element each, and the others none.
        let thread = if i < longer * (length + 1) {
            i / (length + 1)
        } else {
            (i - longer) / length.max(1)
        };
        let from = thread * length + thread.min(longer);
        let nominal = thread * part;
        Run {
            thread,
            from,
            nominal,
        }
    }
}

/// Where in the stream the run of a thread begins. `from` is the index of its first element in the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Begin {
    /// At the start of the stream: every thread has the same counter.
    Start,
    /// At the beginning of the block in which `from` lies: the counter is right, and the word within the block is not.
    BlockBelow,
    /// At the next block boundary after `from`.
    BlockAbove,
    /// At the block whose number is `from`: elements were taken for blocks.
    BlockFrom,
    /// At the block whose number is the thread's.
    BlockOfThread,
    /// At the element where the run would begin in the output if no thread had more than its part.
    Nominal,
    /// At the beginning of the block in which that element lies.
    BlockBelowNominal,
}

impl Begin {
    pub(crate) const ALL: [Self; 7] = [
        Self::Start,
        Self::BlockBelow,
        Self::BlockAbove,
        Self::BlockFrom,
        Self::BlockOfThread,
        Self::Nominal,
        Self::BlockBelowNominal,
    ];

    pub(crate) fn at(self, run: &Run, per_block: usize) -> Option<usize> {
        let &Run {
            thread,
            from,
            nominal,
        } = run;
        match self {
            Self::Start => Some(0),
            Self::BlockBelow => Some(from - from % per_block),
            Self::BlockAbove => Some(from.next_multiple_of(per_block)),
            Self::BlockFrom => from.checked_mul(per_block),
            Self::BlockOfThread => thread.checked_mul(per_block),
            Self::Nominal => Some(nominal),
            Self::BlockBelowNominal => Some(nominal - nominal % per_block),
        }
    }
}
