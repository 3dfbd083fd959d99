//! Seeded random ops of OpenVINO, DirectML, StableHLO, JAX, ONNX's drafts, TensorFlow and PyTorch on any device that
//! WebGPU describes, bit for bit the reading `spec`.
//!
//! WGSL promises neither a rounding mode, nor subnormals, nor unfused arithmetic, nor 64-bit integers. So no
//! kernel has a floating-point type: `wgsl/` computes binary32 and binary64 in 32-bit integers, which every
//! device computes alike, and needs no optional feature.
//!
//! [`Gpu`] is a [`Backend`](seedproof_ops::Backend) on one of the [`adapters`] present. The CPU backend's
//! [`op`](seedproof_cpu::op) checks requests, rounds bounds and takes exponentials; this crate has the
//! kernels, and splits outputs of any size into buffers that every device can bind.
//!
//! ```
//! use seedproof_gpu::{Gpu, adapters};
//! use seedproof_ops::{Alignment, Attribute, Backend, Dtype, Limits, RandomUniform, Request, Tensor};
//!
//! // Nine f32 in [0, 1) for the seeds 150 and 10, drawn from Philox on each adapter.
//! let request = RandomUniform::new(Alignment::Tensorflow, &[9], [0.0_f32, 1.0], [150, 10]);
//! let request = Request::RandomUniform(request);
//! for adapter in adapters() {
//!     let gpu = Gpu::open(adapter, Limits::default(), || 0)?;
//!     let output = gpu.run(&request).expect("the request is valid").output;
//!     let bits: Vec<u32> = output.elements::<f32>().expect("the output is of f32").map(f32::to_bits).collect();
//!     assert_eq!(bits[..3], [0x3f337cd6, 0x3e9c5ce8, 0x3f7076a8]);
//! }
//! # Ok::<(), String>(())
//! ```
#![forbid(unsafe_code)]

mod adapter;
mod backend;
mod device;
mod draw;
mod fill;
mod hush;
mod kernels;
mod keyed;
mod multinomial;
mod probe;
mod rule;
mod session;
mod stream;

pub use adapter::{ABSENT, Adapter, adapters, adapters_required, adapters_to_test};
pub use backend::Gpu;
pub use kernels::Kernels;

#[cfg(test)]
mod tests;
