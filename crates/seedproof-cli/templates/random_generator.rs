//! A Seedproof adapter. Replace `words` with your implementation, and say in `main` what it has.
//!
//! Try it: cargo build --release && seedproof smoke --adapter target/release/adapter
//! Run it: seedproof run --adapter target/release/adapter

mod seedproof_adapter;

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

/// Philox4x32-10: four words of one block.
fn block(counter: u128, key: [u32; 2]) -> [u32; 4] {
    let [mut c0, mut c1, mut c2, mut c3] = [0, 32, 64, 96].map(|shift| (counter >> shift) as u32);
    let [mut k0, mut k1] = key;
    for _ in 0..10 {
        let (p, q) = (0xD2511F53_u64 * u64::from(c0), 0xCD9E8D57_u64 * u64::from(c2));
        (c0, c1, c2, c3) = ((q >> 32) as u32 ^ c1 ^ k0, q as u32, (p >> 32) as u32 ^ c3 ^ k1, p as u32);
        (k0, k1) = (k0.wrapping_add(0x9E3779B9), k1.wrapping_add(0xBB67AE85));
    }
    [c0, c1, c2, c3]
}

/// Yours: the words from `counter` on, without end.
fn words(counter: u128, key: [u32; 2]) -> impl Iterator<Item = u32> {
    (0..).flat_map(move |index| block(counter.wrapping_add(index), key))
}

/// Refuses what the document forbids at each feature level.
fn check(request: &Request, state: &Tensor, sizes: &[u64]) -> Result<(), Failure> {
    let (level, rank) = (request.text("feature_level"), state.shape.len());
    if request.text("type") != "PHILOX_4X32_10" || !["3.0", "4.0"].contains(&level) {
        return Err(Failure::Rejected("attribute", "an unknown type or feature level"));
    }
    if state.dtype != "u32" {
        return Err(Failure::Rejected("dtype", "the state must be u32"));
    }
    let (last, ones) = state.shape.split_last().unwrap_or((&0, &[]));
    if *last != 6 || ones.iter().any(|&one| one != 1) || rank > 8 || (level == "3.0" && rank != 4) {
        return Err(Failure::Rejected("state", "the state must have the sizes 1, …, 1, 6"));
    }
    if sizes.is_empty() || sizes.len() > 8 || (level == "3.0" && sizes.len() != 4) || sizes.contains(&0) {
        return Err(Failure::Rejected("shape", "the output must have dimensions that are not zero"));
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
    let state: Vec<u32> =
        input.data.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect();
    let counter = (0..4).fold(0, |sum, i| sum | u128::from(state[i]) << (32 * i));
    let count = sizes.iter().product::<u64>() as usize;
    let mut outputs = vec![("output", tensor(sizes, words(counter, [state[4], state[5]]).take(count)))];
    if request.flag("output_state") {
        let after = counter.wrapping_add(count.div_ceil(4) as u128);
        let after = [0, 32, 64, 96].map(|shift| (after >> shift) as u32);
        outputs.push(("output_state", tensor(input.shape, after.into_iter().chain([state[4], state[5]]))));
    }
    Ok(outputs)
}
