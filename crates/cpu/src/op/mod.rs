//! The ops: what they refuse, and what they ask of the kernels.
//!
//! Public for another backend that has kernels of its own: checked requests say what to compute.

pub mod dml;
pub mod multinomial;
pub mod random_uniform;

use seedproof_ops::{Dtype, ErrorKind, Failure, Tensor};

use crate::memory;

/// Refuses a tensor whose element type is none of `allowed`.
fn check_dtype(name: &str, tensor: &Tensor, allowed: &[Dtype]) -> Result<(), Failure> {
    if allowed.contains(&tensor.dtype()) {
        return Ok(());
    }
    let names: Vec<&str> = allowed.iter().map(|dtype| dtype.name()).collect();
    Err(Failure::rejected(
        ErrorKind::Dtype,
        format!(
            "{name} has the element type {}, not {}",
            tensor.dtype(),
            names.join(" or ")
        ),
    ))
}

/// Refuses a tensor that is neither of shape `[]` nor `[1]`.
fn check_scalar(name: &str, tensor: &Tensor) -> Result<(), Failure> {
    match tensor.shape().dims() {
        [] | [1] => Ok(()),
        _ => Err(Failure::rejected(
            ErrorKind::Shape,
            format!("{name} has the shape {}, not [] or [1]", tensor.shape()),
        )),
    }
}

/// Refuses a tensor of another rank.
fn check_rank(name: &str, tensor: &Tensor, rank: usize) -> Result<(), Failure> {
    if tensor.shape().rank() == rank {
        return Ok(());
    }
    Err(Failure::rejected(
        ErrorKind::Shape,
        format!("{name} has the shape {}, not one of rank {rank}", tensor.shape()),
    ))
}

/// Says that only the first execution of an op instance is specified.
fn check_execution(execution: u32) -> Result<(), Failure> {
    if execution == 0 {
        return Ok(());
    }
    Err(Failure::Unsupported(format!(
        "execution {execution} of one op instance: only the first, 0, is specified"
    )))
}

/// `global_seed`, or entropy where both seeds are zero.
fn effective_seed(global_seed: u64, op_seed: u64, entropy: &dyn Fn() -> u64) -> u64 {
    if global_seed == 0 && op_seed == 0 {
        entropy()
    } else {
        global_seed
    }
}

/// The bytes of an output of `count` elements, to be overwritten.
fn output_bytes(dtype: Dtype, count: usize) -> Vec<u8> {
    memory::output(count * dtype.size())
}

/// # Panics
/// Unless a caller's memory has the bytes of an output of `count` elements.
fn assert_length(out: &[u8], dtype: Dtype, count: usize) {
    assert_eq!(out.len(), count * dtype.size(), "the bytes of an output");
}
