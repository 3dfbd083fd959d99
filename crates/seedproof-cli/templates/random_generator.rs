//! A Seedproof adapter. Replace `words` with your implementation, and say in `main` what it has.
//!
//! Try it: cargo build --release && seedproof smoke --adapter target/release/adapter
//! Run it: seedproof run --adapter target/release/adapter

mod generators;
mod seedproof_adapter;

use generators::philox;
use seedproof_adapter::{serve, Failure, Outputs, Request, Tensor};
use serde_json::json;

fn main() -> std::io::Result<()> {
    let implementation = json!({"name": "my-implementation", "version": "0.1", "language": "rust"});
    // What is not named is not restricted. What is announced must be answered.
    // Restrict what your kernel restricts: attributes by values ("op_seed": ["0"]), inputs by types or by values
    // ("minval": {"values": ["0"]}), and the output by its rank ("rank": {"min": 1, "max": 4}).
    let capabilities =
        json!([{"op": "directml.RandomGenerator", "type": ["PHILOX_4X32_10"], "features": ["output_state"]}]);
    serve(implementation, capabilities, run)
}

/// Yours: the words from `counter` on, without end.
fn words(counter: u128, key: u64) -> impl Iterator<Item = u32> {
    (0..).flat_map(move |index| philox(counter.wrapping_add(index), key))
}

/// Refuses what the document forbids at each feature level.
fn check(request: &Request, state: &Tensor, sizes: &[u64]) -> Result<(), Failure> {
    let (level, rank) = (request.text("feature_level"), state.shape.len());
    if request.text("type") != "PHILOX_4X32_10" || !["3.0", "4.0"].contains(&level) {
        return Err(Failure::Rejected("attribute", "an unknown type or feature level".into()));
    }
    if state.dtype != "u32" {
        return Err(Failure::Rejected("dtype", "the state must be u32".into()));
    }
    let (last, ones) = state.shape.split_last().unwrap_or((&0, &[]));
    if *last != 6 || ones.iter().any(|&one| one != 1) || rank > 8 || (level == "3.0" && rank != 4) {
        return Err(Failure::Rejected("state", "the state must have the sizes 1, …, 1, 6".into()));
    }
    if sizes.is_empty() || sizes.len() > 8 || (level == "3.0" && sizes.len() != 4) || sizes.contains(&0) {
        return Err(Failure::Rejected("shape", "the output must have dimensions that are not zero".into()));
    }
    Ok(())
}

fn tensor(shape: Vec<u64>, words: impl IntoIterator<Item = u32>) -> Tensor {
    let data = words.into_iter().flat_map(u32::to_le_bytes).collect();
    Tensor { dtype: "u32".to_owned(), shape, data }
}

fn run(request: &Request) -> Result<Outputs, Failure> {
    let (input, sizes) = (request.input("input_state")?, request.sizes("output_sizes"));
    check(request, &input, &sizes)?;
    let (counter, key) = input.data.split_at(16);
    let counter = u128::from_le_bytes(counter.try_into().unwrap());
    let key = u64::from_le_bytes(key.try_into().unwrap());
    let count = sizes.iter().product::<u64>() as usize;
    let mut outputs = vec![("output", tensor(sizes, words(counter, key).take(count)))];
    if request.flag("output_state") {
        let after = counter.wrapping_add(count.div_ceil(4) as u128);
        let data = [&after.to_le_bytes()[..], &key.to_le_bytes()].concat();
        outputs.push(("output_state", Tensor { dtype: "u32".to_owned(), shape: input.shape, data }));
    }
    Ok(outputs)
}
