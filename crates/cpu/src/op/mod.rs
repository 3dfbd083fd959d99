//! The ops: which requests they refuse, and which draws they make of the others.
//!
//! The module is public for backends with kernels of their own, which need only compute a checked draw.

mod bit_generator;
pub mod bounds;
pub mod dispatch;
mod dml;
pub mod draw;
mod jax;
pub mod keyed;
pub mod multinomial;
mod normals;
mod onnx;
mod philox_keys;
mod random_uniform;
mod stateless;

use std::fmt::Display;

use seedproof_ops::{Attribute, Digest, Dtype, ErrorKind, Failure, Named, Scalar, Shape, Tensor, standard};

use crate::{memory, split, stop};

fn refuse<T>(kind: ErrorKind, message: impl Into<String>) -> Result<T, Failure> {
    Err(Failure::rejected(kind, message))
}

/// The value of an attribute that is one of `allowed`.
fn known<T: Named + Copy + PartialEq + Display>(
    name: &str,
    attribute: &Attribute<T>,
    allowed: &[T],
) -> Result<T, Failure> {
    attribute
        .known()
        .filter(|value| allowed.contains(value))
        .ok_or_else(|| {
            let names: Vec<&str> = allowed.iter().map(|value| value.name()).collect();
            Failure::rejected(
                ErrorKind::Attribute,
                format!("{name} is `{attribute}`: expected one of {}", names.join(", ")),
            )
        })
}

/// The elements of a tensor of u64.
fn u64s(tensor: &Tensor) -> Vec<u64> {
    tensor.scalars().map(Scalar::bits).collect()
}

/// The element of a tensor that has one.
fn scalar(tensor: &Tensor) -> Scalar {
    tensor.get(0).expect("the shape was checked to be []")
}

/// The extents in a tensor.
fn extents(name: &str, list: &Tensor) -> Result<Vec<u64>, Failure> {
    check_dtype(name, list, &[Dtype::I32, Dtype::I64])?;
    check_rank(name, list, 1)?;
    let extent = |scalar: Scalar| {
        let extent = scalar.to_i64();
        u64::try_from(extent).map_err(|_| {
            Failure::rejected(
                ErrorKind::Shape,
                format!("{name} has the negative extent {extent}"),
            )
        })
    };
    list.scalars().map(extent).collect()
}

/// Refuses a tensor whose element type is not in `allowed`.
fn check_dtype(name: &str, tensor: &Tensor, allowed: &[Dtype]) -> Result<(), Failure> {
    if allowed.contains(&tensor.dtype()) {
        return Ok(());
    }
    let names: Vec<&str> = allowed.iter().map(|dtype| dtype.name()).collect();
    let message = format!(
        "{name} has the element type {}, not {}",
        tensor.dtype(),
        names.join(" or ")
    );
    refuse(ErrorKind::Dtype, message)
}

/// Refuses a tensor that is neither of shape `[]` nor `[1]`.
fn check_scalar(name: &str, tensor: &Tensor) -> Result<(), Failure> {
    match tensor.shape().dims() {
        [] | [1] => Ok(()),
        _ => refuse(
            ErrorKind::Shape,
            format!("{name} has the shape {}, not [] or [1]", tensor.shape()),
        ),
    }
}

/// Refuses a tensor of another shape.
fn check_shape(name: &str, tensor: &Tensor, dims: &[usize]) -> Result<(), Failure> {
    if tensor.shape().dims() == dims {
        return Ok(());
    }
    let message = format!("{name} has the shape {}, not {dims:?}", tensor.shape());
    refuse(ErrorKind::Shape, message)
}

/// Refuses a tensor of another rank.
fn check_rank(name: &str, tensor: &Tensor, rank: usize) -> Result<(), Failure> {
    if tensor.shape().rank() == rank {
        return Ok(());
    }
    let message = format!("{name} has the shape {}, not one of rank {rank}", tensor.shape());
    refuse(ErrorKind::Shape, message)
}

/// Refuses later executions of an op instance, which the specification does not define.
fn check_execution(execution: u32) -> Result<(), Failure> {
    if execution == 0 {
        return Ok(());
    }
    Err(Failure::Unsupported(format!(
        "execution {execution} of one op instance: only the first, 0, is specified"
    )))
}

/// `global_seed`, or entropy if both seeds are zero.
fn effective_seed(global_seed: u64, op_seed: u64, entropy: &dyn Fn() -> u64) -> u64 {
    if global_seed == 0 && op_seed == 0 {
        entropy()
    } else {
        global_seed
    }
}

/// The bytes of an output of `count` elements, to be overwritten.
///
/// # Errors
/// [`Failure::Broken`] if there is no memory for it.
fn output_bytes(dtype: Dtype, count: usize) -> Result<Vec<u8>, Failure> {
    memory::output(count * dtype.size())
}

/// # Panics
/// Unless a caller's memory has the bytes of an output of `count` elements.
fn assert_length(out: &[u8], dtype: Dtype, count: usize) {
    assert_eq!(out.len(), count * dtype.size(), "the bytes of an output");
}

/// The digest of an output of many chunks, of which each thread holds one at a time. `fill` writes the elements from one
/// on; `None` if it fails, and for an output of one chunk.
fn digest(
    dtype: Dtype,
    shape: &Shape,
    fill: impl Fn(usize, &mut [u8]) -> Option<()> + Sync,
) -> Option<Digest> {
    let count = shape.count();
    if count <= Digest::CHUNK {
        return None;
    }
    let mut chunks = vec![[0; 32]; count.div_ceil(Digest::CHUNK)];
    let drawn = split::try_for_each(count, &mut chunks, 1, |index, digest| {
        let first = index * Digest::CHUNK;
        let mut out = vec![0; (count - first).min(Digest::CHUNK) * dtype.size()];
        standard(|| fill(first, &mut out))?;
        digest[0] = Digest::of_chunk(&out);
        Some(())
    });
    // What was stopped has no meaning, and must not be drawn as a whole instead.
    if drawn.is_none() && !stop::is_set() {
        return None;
    }
    let shape = shape.clone();
    Some(Digest { dtype, shape, chunks })
}
