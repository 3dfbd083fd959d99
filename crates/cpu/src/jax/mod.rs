//! JAX's keys, and what they draw; and what ONNX's drafts make of the same words.
//!
//! Source: the docstrings of `jax.random`, its design note on keys (JEP 9263), and measured figures of jax 0.10.

mod key;
mod onnx;
mod permutation;
mod stream;
#[cfg(test)]
mod tests;
mod values;

pub use key::Key;
pub(crate) use onnx::{fill_digits, fill_states};
pub(crate) use permutation::permute;
pub(crate) use stream::Part;
pub use stream::Stream;
use stream::each;
pub use values::{Integers, flags_below};
pub(crate) use values::{fill_bits, fill_flags, fill_floats};
