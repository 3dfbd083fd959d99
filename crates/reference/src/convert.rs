//! Words to numbers: a file per element type, a function per formula.
//!
//! Each file has, for TENSORFLOW and for PYTORCH, the formula that makes of one or two words a number in the unit
//! interval (floats) or an unsigned integer, and the formula that brings it into the asked range.
//!
//! Every operation rounds to nearest, ties to even, and none is fused with the next: errata `ru8.range.rounding`
//! and `ru8.range.fused`. The sum may round up to `maxval`: erratum `ru8.range.maxval-reached`. A result that is not
//! a number is the one positive quiet NaN without payload, whatever the machine makes: erratum `ru8.range.infinite`.

pub mod bf16;
pub mod f16;
pub mod f32;
pub mod f64;
pub mod i32;
pub mod i64;
