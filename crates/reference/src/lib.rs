//! The oracle: the reading `spec` of OpenVINO RandomUniform-8 and Multinomial-13 and of DirectML's
//! RandomGenerator, literally.
//!
//! Every formula of the documents is one function here, in the documents' names and order, and says which clause
//! it is: `[ru8.philox.mul]`. Where the text is wrong, or leaves a choice, the line that departs from it names the
//! erratum that says why. [`spec`] holds the clauses and the errata themselves.
//!
//! * [`philox`], [`mt19937`]: the two generators, as endless streams of words.
//! * [`convert`]: words to numbers, a file per element type.
//! * [`random_uniform`], [`multinomial`], [`dml_random_generator`]: the ops. Each checks a request once and keeps
//!   the proof in a `Plan`, which then only draws.
//! * [`Reference`], [`run`] and [`stages`]: the ops as a backend.
//!
//! Deliberately absent: every other reading, speed beyond a plain loop, files, clocks, and a source of entropy
//! (the caller passes it).
#![forbid(unsafe_code)]

mod backend;
pub mod convert;
pub mod dml_random_generator;
mod fill;
pub mod mt19937;
pub mod multinomial;
pub mod philox;
pub mod random_uniform;
pub mod spec;
mod validate;

pub use backend::{Reference, run, stages};
