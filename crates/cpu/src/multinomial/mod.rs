//! Sampling of classes by their weights: running sums, uniform draws, and the search for the class of a draw.
//!
//! The form of a request is checked in `op::multinomial`.

mod draws;
mod guide;
mod sampling;
mod search;
mod shrink;
mod sums;
mod weight;

pub use draws::Draws;
pub(crate) use guide::Guide;
pub(crate) use sampling::Sampling;
pub(crate) use search::{Sums, is_of_sums};
pub(crate) use shrink::Shrinking;
pub(crate) use sums::{MOST_ROWS, Row, rows_together, running_sums, sums_side_by_side, weightless};
pub(crate) use weight::Weight;
