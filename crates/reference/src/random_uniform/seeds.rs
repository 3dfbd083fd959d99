//! The two seeds of the OpenVINO ops.

use crate::philox;

/// The seeds of one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seeds {
    /// Philox's key; the seed of MT19937.
    pub global_seed: u64,
    /// Philox's counter.
    pub op_seed: u64,
}

impl Seeds {
    /// Whether both are zero, which asks for another sequence each time.
    ///
    /// Erratum `ru8.seeds.zero-allowed`: one zero is an ordinary seed.
    pub const fn are_zero(self) -> bool {
        self.global_seed == 0 && self.op_seed == 0
    }

    /// `[ru8.seeds.both-zero]`, `[mn13.seeds.both-zero]`: if both are zero, `global_seed` is `entropy`.
    ///
    /// Erratum `ru8.seeds.both-zero-pytorch`: under PYTORCH too, though `op_seed` has no other effect there.
    #[must_use]
    pub const fn or_entropy(self, entropy: u64) -> Self {
        if self.are_zero() {
            Self {
                global_seed: entropy,
                ..self
            }
        } else {
            self
        }
    }

    /// `[ru8.seeds.key-counter]`: `key = global_seed`, `counter = op_seed`, and *n* counts the blocks from 0.
    ///
    /// Erratum `ru8.state.executions`: where *n* begins in a second execution, the document does not say.
    pub fn philox_words(self) -> impl Iterator<Item = u32> {
        let key = self.global_seed;
        let counter = u128::from(self.op_seed) << 64;
        philox::words(key, counter)
    }
}
