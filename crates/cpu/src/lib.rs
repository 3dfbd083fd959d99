//! The three ops at the speed of the machine.
//!
//! [`Cpu`] is a [`Backend`](seedproof_ops::Backend) for each [`Level`] of instructions; [`Plan`] is a generator
//! in its own right that fills a caller's slice without allocation. Every level gives the same bits: the reading
//! `spec`, written from the specifications for this crate alone.
//!
//! Each algorithm is written once for one element at a time and once for vectors of any width; [`Level`] says
//! which vectors there are. Random seeds, files and clocks are deliberately absent: entropy is the caller's.
#![deny(unsafe_code)]

mod backend;
mod bits;
mod bound;
mod divisor;
mod level;
mod memory;
mod mt19937;
mod multinomial;
pub mod op;
mod philox;
mod plan;
mod rule;
mod simd;
mod split;
mod value;

pub use backend::Cpu;
pub use level::{Level, absent};
pub use philox::Philox;
pub use plan::{Generator, Plan, Value};
