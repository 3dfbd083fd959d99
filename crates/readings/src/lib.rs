//! The ops once more, parameterised by a reading: implementations that ship, and classic mistakes.
//!
//! A [`Reading`] is one answer to every question that the documents leave open or answer wrongly. [`Engine`]
//! answers requests by a reading. Under `spec` it is a second oracle, written from the documents apart from
//! the first; under the other [`named`] readings it draws the bits of a real implementation; with a
//! [`Mistake`] made to the reading it draws the bits of a program with that mistake.
//!
//! ```
//! use seedproof_ops::{Alignment, Attribute, Backend, Dtype, Limits, RandomUniform, Request, Tensor};
//! use seedproof_readings::{Engine, find, find_mistake, with};
//!
//! // Nine f32 in [0, 1) for the seeds 150 and 10, drawn from Philox: by the book, and with a round too few.
//! let request = RandomUniform::new(Alignment::Tensorflow, &[9], [0.0_f32, 1.0], [150, 10]);
//! let request = Request::RandomUniform(request);
//! let spec = find("spec").expect("every reading has a name");
//! let nine_rounds = with(&spec, &[find_mistake("rounds-9").expect("a listed mistake")]);
//! let draw = |reading| {
//!     let engine = Engine::new(reading, Limits::default(), || 0);
//!     engine.run(&request).expect("the request is valid").output
//! };
//! let right = draw(spec);
//! let bits: Vec<u32> = right.elements::<f32>().expect("the output is of f32").map(f32::to_bits).collect();
//! assert_eq!(bits[..3], [0x3f337cd6, 0x3e9c5ce8, 0x3f7076a8]);
//! assert_ne!(draw(nine_rounds), right);
//! ```
#![forbid(unsafe_code)]

pub mod answers;
pub mod cephes;
mod data;
mod engine;
mod mistake;
mod mistakes;
mod named;
mod noted;
mod reading;
#[cfg(test)]
mod requests;
mod round;
#[cfg(test)]
mod tests;

pub use data::{Data, DataError, parse_data};
pub use engine::{Engine, unit_interval};
pub use mistake::Mistake;
pub use mistakes::{Family, MISTAKES, MISTAKES_OF_READINGS, Parameter, families, family, find_mistake, with};
pub use named::{find, named};
pub use noted::{Noted, Subjects};
pub use reading::{Answered, Reading, choices, questions};
