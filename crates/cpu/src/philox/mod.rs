//! Philox4x32-10: a block of four words for each value of a 128-bit counter.
//!
//! Source: Salmon, Moraes, Dror and Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3" (SC11).

mod block;
mod vectors;

pub(crate) use block::{M0, M1, ROUNDS, W0, W1};
pub use block::{Philox, PhiloxKey};
