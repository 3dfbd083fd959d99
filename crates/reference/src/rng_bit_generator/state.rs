//! The state: a key, and a counter in one or two words.

/// Which generator draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Generator {
    Philox,
    ThreeFry,
}

/// `[shlo.state.words]`: the key, then the counter, its low word first.
///
/// Erratum `shlo.state.words`.
#[derive(Clone, Copy, Debug)]
pub(super) enum State {
    /// Of either generator.
    Two {
        generator: Generator,
        key: u64,
        counter: u64,
    },
    /// Of Philox.
    Three { key: u64, low: u64, high: u64 },
}

impl State {
    pub(super) const fn generator(self) -> Generator {
        match self {
            Self::Two { generator, .. } => generator,
            Self::Three { .. } => Generator::Philox,
        }
    }

    pub(super) const fn key(self) -> u64 {
        match self {
            Self::Two { key, .. } | Self::Three { key, .. } => key,
        }
    }

    /// The counter of Philox's block i. `[shlo.philox.key-in-counter]`: a state of two words has its key for the high
    /// half. `[shlo.philox.carry]`: i is added as to one 128-bit number.
    ///
    /// Errata `shlo.philox.key-in-counter` and `shlo.philox.carry`.
    pub(super) fn philox_counter(self, i: usize) -> u128 {
        let (high, low) = match self {
            Self::Two { key, counter, .. } => (key, counter),
            Self::Three { low, high, .. } => (high, low),
        };
        (u128::from(high) << 64 | u128::from(low)).wrapping_add(u128::from(wide(i)))
    }

    /// `[shlo.threefry.counter]`: the counter of block i, modulo 2^64.
    pub(super) fn threefry_counter(self, i: usize) -> u64 {
        match self {
            Self::Two { counter, .. } | Self::Three { low: counter, .. } => counter.wrapping_add(wide(i)),
        }
    }

    /// `[shlo.state.after]`: the counter grows by the number of blocks drawn, none of an output without elements. The
    /// key stays. `[shlo.state.carry]`: what a counter of one word carries is lost.
    ///
    /// Errata `shlo.state.carry` and `shlo.state.empty`.
    pub(super) fn after(self, blocks: usize) -> Vec<u64> {
        match self {
            Self::Two { key, counter, .. } => vec![key, counter.wrapping_add(wide(blocks))],
            Self::Three { key, low, .. } => {
                let counter = self.philox_counter(blocks).to_le_bytes();
                let high = counter
                    .iter()
                    .skip(8)
                    .rev()
                    .fold(0, |high, &byte| high << 8 | u64::from(byte));
                vec![key, low.wrapping_add(wide(blocks)), high]
            }
        }
    }
}

fn wide(blocks: usize) -> u64 {
    u64::try_from(blocks).expect("a machine counts in 64 bits at most")
}
