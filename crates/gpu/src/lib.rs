//! The three ops on any device that WebGPU describes, bit for bit the reading `spec`.
//!
//! WGSL promises neither a rounding mode, nor subnormals, nor unfused arithmetic, nor 64-bit integers. So no
//! kernel has a floating-point type: `wgsl/` computes binary32 and binary64 in 32-bit integers, which every
//! device computes alike, and needs no optional feature.
//!
//! [`Gpu`] is a [`Backend`](seedproof_ops::Backend) on one of the [`adapters`] present. What a request may look
//! like is decided by the CPU backend's [`op`](seedproof_cpu::op), as are the bounds' rounding and exponentials;
//! this crate has the kernels, and what takes outputs of any size through devices of limited ones.
#![forbid(unsafe_code)]

mod adapter;
mod backend;
mod device;
mod fill;
mod kernels;
mod multinomial;
mod probe;
mod rule;
mod session;

pub use adapter::{ABSENT, Adapter, adapters, adapters_to_test};
pub use backend::Gpu;
pub use kernels::Kernels;

#[cfg(test)]
mod tests;
