//! Sampling of classes by their weights: running sums, uniform draws, and the search for the class of a draw.
//!
//! The form of a request is checked in `op::multinomial`.

mod draws;
mod guide;
mod sampling;
mod shrink;
mod sums;
mod table;
mod weight;

pub use draws::Draws;
pub(crate) use sampling::Sampling;
pub(crate) use shrink::Shrinking;
pub(crate) use sums::{ROWS, Row, running_sums, sums_side_by_side, weightless};
pub(crate) use table::Table;
pub(crate) use weight::Weight;
