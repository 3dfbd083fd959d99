//! Words to numbers: a file per element type, a function per formula.
//!
//! Each file has, for TENSORFLOW and for PYTORCH, the formula that turns one or two words into a number of
//! the unit interval (floats) or an unsigned integer, and the formula that scales it to the requested range.
//!
//! Every operation rounds to nearest, ties to even.

pub mod bf16;
pub mod f16;
pub mod f32;
pub mod f64;
pub mod i32;
pub mod i64;
