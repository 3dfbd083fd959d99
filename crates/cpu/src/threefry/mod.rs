//! Threefry2x32-20: a block of two words for each value of a 64-bit counter.
//!
//! Source: Salmon, Moraes, Dror and Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3" (SC11).

mod block;
mod counted;
mod pairs;
mod vectors;

pub use block::Threefry;
pub(crate) use counted::{Counted, Mixed, fill_apart};
pub use pairs::Pairs;
pub(crate) use vectors::instructions;
