//! A Seedproof adapter. Replace `words` with your generator, or `draw` with your operator, and say in `main` what it has.
//!
//! Try it: cargo build --release && seedproof smoke --adapter target/release/adapter
//! Run it: seedproof run --adapter target/release/adapter

mod generators;
mod seedproof_adapter;

use generators::philox;
use seedproof_adapter::{serve, Failure, Outputs, Request, Tensor};
use serde_json::json;
use std::hash::{BuildHasher, RandomState};

fn main() -> std::io::Result<()> {
    let implementation = json!({"name": "my-implementation", "version": "0.1", "language": "rust"});
    // What is not named is not restricted. What is announced must be answered.
    // Restrict what your kernel restricts: attributes by values ("op_seed": ["0"]), inputs by types or by values
    // ("minval": {"values": ["0"]}), and the output by its rank ("rank": {"min": 1, "max": 4}).
    let capabilities = json!([{"op": "openvino.RandomUniform-8", "alignment": ["TENSORFLOW"], "output_type": ["f32"]}]);
    serve(implementation, capabilities, run)
}

/// Yours: the words of the seeds' stream, without end.
fn words(global_seed: u64, op_seed: u64) -> impl Iterator<Item = u32> {
    let counter = u128::from(op_seed) << 64;
    (0..).flat_map(move |index| philox(counter.wrapping_add(index), global_seed))
}

/// Yours: numbers in `[minval, maxval)`, each operation rounded to f32.
fn draw(global_seed: u64, op_seed: u64, minval: f32, maxval: f32) -> impl Iterator<Item = f32> {
    let unit = |word: u32| f32::from_bits(0x3F800000 | (word & 0x7FFFFF)) - 1.0;
    words(global_seed, op_seed).map(move |word| unit(word) * (maxval - minval) + minval)
}

/// The output's extents, or a refusal.
fn extents(shape: &Tensor) -> Result<Vec<u64>, Failure> {
    let dims: Vec<i64> = match shape.dtype.as_str() {
        "i32" => shape.data.chunks_exact(4).map(|dim| i32::from_le_bytes(dim.try_into().unwrap()).into()).collect(),
        "i64" => shape.data.chunks_exact(8).map(|dim| i64::from_le_bytes(dim.try_into().unwrap())).collect(),
        _ => return Err(Failure::Rejected("dtype", "shape must be i32 or i64".into())),
    };
    if shape.shape.len() != 1 {
        return Err(Failure::Rejected("shape", "shape must have one dimension".into()));
    }
    let extent = |dim| u64::try_from(dim).map_err(|_| Failure::Rejected("shape", "an extent is negative".into()));
    dims.into_iter().map(extent).collect()
}

/// A bound, or a refusal.
fn bound(tensor: &Tensor) -> Result<f32, Failure> {
    if tensor.dtype != "f32" {
        return Err(Failure::Rejected("dtype", "the bounds must have the output's type".into()));
    }
    match (tensor.shape.as_slice(), tensor.data.as_slice().try_into()) {
        ([] | [1], Ok(bytes)) => Ok(f32::from_le_bytes(bytes)),
        _ => Err(Failure::Rejected("shape", "a bound must have the shape [] or [1]".into())),
    }
}

fn run(request: &Request) -> Result<Outputs, Failure> {
    let shape = extents(&request.input("shape")?)?;
    let (minval, maxval) = (bound(&request.input("minval")?)?, bound(&request.input("maxval")?)?);
    if !(minval < maxval) {
        return Err(Failure::Rejected("range", "minval must be less than maxval".into()));
    }
    let (mut global_seed, op_seed) = (request.seed("global_seed"), request.seed("op_seed"));
    if global_seed == 0 && op_seed == 0 {
        global_seed = RandomState::new().hash_one(()); // any numbers, and others each time
    }
    let count = shape.iter().product::<u64>() as usize;
    let data = draw(global_seed, op_seed, minval, maxval).take(count).flat_map(f32::to_le_bytes).collect();
    Ok(vec![("output", Tensor { dtype: "f32".to_owned(), shape, data })])
}
