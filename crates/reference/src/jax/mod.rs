//! JAX's `jax.random`: keys that are values, and what is drawn by them.
//!
//! The functions have docstrings, and a design note on keys (JEP 9263); neither has formulas. What decides is what JAX 0.10
//! answers on a CPU, compiled, with `jax_enable_x64`.

pub mod bernoulli;
pub mod bits;
pub mod categorical;
pub mod fold_in;
pub mod gumbel;
pub mod key;
mod keys;
pub mod normal;
pub mod permutation;
pub mod randint;
pub mod split;
pub mod uniform;
