//! Seeded random ops of OpenVINO, DirectML, StableHLO, JAX, TensorFlow and PyTorch at the speed of the machine.
//!
//! [`Cpu`] is a [`Backend`](seedproof_ops::Backend) for each [`Level`] of instructions. [`Plan`] is a generator for
//! other programs, which fills a caller's slice without allocation. Every level draws the same bits: the reading
//! `spec`, written from the specifications for this crate alone.
//!
//! ```
//! use seedproof_cpu::{Cpu, Level};
//! use seedproof_ops::{Alignment, Attribute, Backend, Dtype, Limits, RandomUniform, Request, Tensor};
//!
//! // Nine f32 in [0, 1) for the seeds 150 and 10, drawn from Philox.
//! let request = RandomUniform::new(Alignment::Tensorflow, &[9], [0.0_f32, 1.0], [150, 10]);
//! let request = Request::RandomUniform(request);
//! let cpu = Cpu::new(Level::best(), Limits::default(), || 0);
//! let output = cpu.run(&request).expect("the request is valid").output;
//! let bits: Vec<u32> = output.elements::<f32>().expect("the output is of f32").map(f32::to_bits).collect();
//! assert_eq!(bits[..3], [0x3f337cd6, 0x3e9c5ce8, 0x3f7076a8]);
//! ```
//!
//! Without tensors, a [`Plan`] fills the caller's slice, and [`Words`] iterates over the words of the generator:
//!
//! ```
//! use seedproof_cpu::{Generator, Level, Plan};
//! use seedproof_ops::Alignment;
//!
//! let generator = Generator::from_seeds(Alignment::Pytorch, 150, 0);
//! let plan = Plan::new(Level::best(), generator, -1.0_f32, 1.0)?;
//! let mut noise = vec![0.0; 1000];
//! plan.fill(&mut noise);
//! assert!(noise.iter().all(|x| (-1.0..1.0).contains(x)));
//! assert_eq!(generator.words().next(), Some(3902338276));
//! # Ok::<(), seedproof_ops::OpError>(())
//! ```
//!
//! The feature `ndarray` fills views of any layout (`Plan::fill_array`), and `rand_core` makes
//! [`Words`] a `rand_core::Rng`.
//!
//! Each algorithm is written twice: for one element at a time, and for vectors of any width; [`Level`] lists the
//! widths. Random seeds, files and clocks are deliberately absent: the caller provides entropy.
#![deny(unsafe_code)]
#![cfg_attr(
    not(target_arch = "x86_64"),
    expect(
        dead_code,
        reason = "the kernels of vectors, whose only levels are those of x86-64"
    )
)]

mod backend;
mod bits;
mod bound;
mod convert;
mod divisor;
mod fill;
pub mod first;
mod glibc;
mod jax;
mod level;
mod memory;
mod mt19937;
mod multinomial;
mod normals;
pub mod op;
mod philox;
mod plan;
mod rule;
mod simd;
mod split;
mod stop;
mod threefry;
mod value;
mod words;

pub use backend::Cpu;
pub use level::{Level, absent};
pub use philox::{Philox, PhiloxKey};
pub use plan::{Generator, Plan, Value};
pub use stop::until;
pub use threefry::{Pairs, Threefry};
pub use words::Words;
