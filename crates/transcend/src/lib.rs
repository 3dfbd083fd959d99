//! The single-precision logarithms, sines and cosines that frameworks draw normals with, bit for bit, and a logarithm of f64.
//!
//! Each framework draws a normal by one fixed sequence of operations on at most 2^32 inputs. Two right normals of one
//! seed differ because their `log` and `sin` are different sequences, none of which is correctly rounded.
//!
//! * [`glibc`]: `logf`, `sinf` and `cosf` of the GNU C library.
//! * [`xla`]: `log`, `log1p` and `erf_inv` as XLA compiles them for a CPU.
//! * [`cuda`]: `logf`, `log1pf`, `sin.approx.f32` and `cos.approx.f32` of NVIDIA's GPUs.
//! * [`log`]: what `log` of the GNU C library can return for an f64, which is one number but for few inputs.
//! * [`proof`]: on which inputs each sequence is proved, in blocks of 2^20.
//!
//! Both oracles call these functions, although they share no other code: each function was compared with the real one
//! on every input of its proof, so that a second version of it would add nothing. `tests/digests` holds SHA-256 digests of
//! the results of the real functions, and a test here compares them with ours on any machine. The sequences of Cephes, which
//! PyTorch alone uses, are not public functions that could be called, and are therefore written separately in each oracle.
//!
//! ```
//! use seedproof_transcend::glibc;
//!
//! // Correct rounding gives 0xbf4e89af.
//! assert_eq!(glibc::logf(457.0 / 1024.0).to_bits(), 0xbf4e_89b0);
//! assert_eq!(glibc::sinf(1.0).to_bits(), 0x3f57_6aa4);
//! ```
#![forbid(unsafe_code)]

pub mod cuda;
pub mod glibc;
pub mod log;
pub mod proof;
pub mod xla;
