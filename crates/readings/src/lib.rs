//! The ops once more, as data: what ships, and classic mistakes.
//!
//! A [`Reading`] is one answer to every question that the documents leave open or answer wrongly. [`Engine`]
//! answers requests by a reading. Under `spec` it is a second oracle, written from the documents apart from the
//! first; under the other [`named`] readings it does what a real implementation does; with a mistake made to it
//! it does what a programmer's slip would do.
#![forbid(unsafe_code)]

pub mod answers;
mod engine;
mod mistakes;
mod named;
mod reading;
#[cfg(test)]
mod requests;
mod round;
#[cfg(test)]
mod tests;

pub use engine::{Engine, unit_interval};
pub use mistakes::{Family, MISTAKES, Mistake, families, family, find_mistake, with};
pub use named::{find, named};
pub use reading::{Answered, Reading, questions};
