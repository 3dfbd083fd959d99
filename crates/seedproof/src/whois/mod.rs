//! Who drew an array: the readings that give it from a seed.
//!
//! An array and a seed do not make a request. Every op is asked in every way that its description allows
//! ([`Sought::requests`]), each reading answers, and what gives every element is named. Agreement counts for more than the
//! logarithm of the number of attempts, or it is no evidence: an array of few bits has no certain answer.

mod answer;
mod bounds;
mod elements;
mod evidence;
mod nearest;
mod requests;
mod search;
mod sought;
#[cfg(test)]
mod tests;
mod who;

pub use answer::{Answer, Draw, Near};
pub use search::{Searched, search};
pub use sought::{Known, Sought};
pub use who::who_drew;
