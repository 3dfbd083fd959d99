//! Graphics cards by the number of threads that PyTorch launches on them, which decides what they draw.

/// A graphics card.
pub(super) struct Card {
    pub(super) multiprocessors: u32,
    pub(super) threads_per_multiprocessor: u32,
    pub(super) name: &'static str,
}

impl Card {
    /// The number of threads that PyTorch launches on the card at most.
    pub(super) fn threads(&self) -> usize {
        usize::try_from(self.multiprocessors * self.threads_per_multiprocessor).unwrap_or(usize::MAX)
    }
}

const fn card(multiprocessors: u32, threads_per_multiprocessor: u32, name: &'static str) -> Card {
    Card {
        multiprocessors,
        threads_per_multiprocessor,
        name,
    }
}

/// The cards that are known. Up to 40,960 elements all draw the same.
pub(super) const CARDS: [Card; 10] = [
    card(40, 1024, "a T4"),
    card(28, 1536, "an RTX 3060"),
    card(58, 1536, "an L4"),
    card(80, 1536, "an A10G"),
    card(84, 1536, "an RTX A6000"),
    card(128, 1536, "an RTX 4090"),
    card(142, 1536, "an L40 or L40S"),
    card(108, 2048, "an A100"),
    card(114, 2048, "an H100 PCIe"),
    card(132, 2048, "an H100 SXM or H200"),
];
