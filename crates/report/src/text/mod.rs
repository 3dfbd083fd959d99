//! A run as text for a terminal: one failure, or the summary. Colour is a [`Palette`]; the plain one has none.

mod difference;
mod failure;
mod palette;
mod scalar;
mod summary;

#[cfg(feature = "documents")]
pub(crate) use failure::rerun;
pub use failure::{Failure, failure};
pub use palette::Palette;
#[cfg(feature = "documents")]
pub(crate) use scalar::{at_most, distance, low_bits, other_output, place, value, words};
pub use summary::{summary, tried};
