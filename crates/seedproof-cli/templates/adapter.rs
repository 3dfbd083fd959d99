//! A Seedproof adapter. Replace `words` with your implementation, and say in `hello` what it has.
//!
//! Try it: cargo build --release && seedproof smoke --adapter target/release/adapter
//! Run it: seedproof run --adapter target/release/adapter

use serde_json::{Value, json};
use std::io::{BufRead, Write};

/// What is not named is not restricted. What is announced must be answered.
/// Restrict what your kernel restricts: attributes by values ("op_seed": ["0"]), inputs by types or by values
/// ("minval": {"values": ["0"]}), and the output by its rank ("rank": {"min": 1, "max": 4}).
fn hello() -> Value {
    json!({
        "protocol": 1, "framing": "lines",
        "implementation": {"name": "my-implementation", "version": "0.1", "language": "rust"},
        "capabilities": [{"op": "directml.RandomGenerator", "type": ["PHILOX_4X32_10"], "features": ["output_state"]}],
    })
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

/// Yours: the first `count` words from `counter` on.
fn words(counter: u128, key: [u32; 2], count: usize) -> Vec<u32> {
    let blocks = (0..count.div_ceil(4)).flat_map(|i| block(counter.wrapping_add(i as u128), key));
    blocks.take(count).collect()
}

fn hex(words: &[u32]) -> String {
    words.iter().flat_map(|word| word.to_le_bytes()).map(|byte| format!("{byte:02x}")).collect()
}

fn numbers(list: &Value) -> Option<Vec<u64>> {
    list.as_array()?.iter().map(Value::as_u64).collect()
}

/// The answer to one request; `Err` holds the kind and the reason of a refusal.
fn run(request: &Value) -> Option<Result<Value, (&'static str, &'static str)>> {
    let (attrs, input) = (&request["attrs"], &request["inputs"]["input_state"]);
    let (sizes, shape) = (numbers(&attrs["output_sizes"])?, numbers(&input["shape"])?);
    let level_3 = attrs["feature_level"] == "3.0";
    if attrs["type"] != "PHILOX_4X32_10" || !(level_3 || attrs["feature_level"] == "4.0") {
        return Some(Err(("attribute", "an unknown type or feature level")));
    }
    if input["dtype"] != "u32" {
        return Some(Err(("dtype", "the state must be u32")));
    }
    let (last, ones) = shape.split_last().unwrap_or((&0, &[]));
    if *last != 6 || ones.iter().any(|&one| one != 1) || shape.len() > 8 || (level_3 && shape.len() != 4) {
        return Some(Err(("state", "the state must have the sizes 1, …, 1, 6")));
    }
    if sizes.is_empty() || sizes.len() > 8 || (level_3 && sizes.len() != 4) || sizes.contains(&0) {
        return Some(Err(("shape", "the output must have dimensions that are not zero")));
    }
    let bytes = input["hex"].as_str()?;
    let word = |i: usize| u32::from_str_radix(bytes.get(8 * i..8 * i + 8)?, 16).ok().map(u32::swap_bytes);
    let state = (0..6).map(word).collect::<Option<Vec<u32>>>()?;
    let counter = (0..4).fold(0, |sum, i| sum | u128::from(state[i]) << (32 * i));
    let count = sizes.iter().product::<u64>() as usize;
    let output = words(counter, [state[4], state[5]], count);
    let mut outputs = json!({"output": {"dtype": "u32", "shape": sizes, "hex": hex(&output)}});
    if attrs["output_state"] == true {
        let after = counter.wrapping_add(count.div_ceil(4) as u128);
        let after = [after as u32, (after >> 32) as u32, (after >> 64) as u32, (after >> 96) as u32, state[4], state[5]];
        outputs["output_state"] = json!({"dtype": "u32", "shape": shape, "hex": hex(&after)});
    }
    Some(Ok(outputs))
}

fn main() -> std::io::Result<()> {
    let mut lines = std::io::stdin().lock().lines();
    let mut output = std::io::stdout().lock();
    lines.next().transpose()?;
    writeln!(output, "{}", hello())?;
    output.flush()?;
    for line in lines {
        let request: Value = serde_json::from_str(&line?).unwrap_or_default();
        if request["cmd"] == "bye" {
            break;
        }
        let mut reply = match run(&request) {
            Some(Ok(outputs)) => json!({"status": "ok", "outputs": outputs}),
            Some(Err((kind, reason))) => json!({"status": "rejected", "kind": kind, "reason": reason}),
            None => json!({"status": "error", "message": "a malformed request"}),
        };
        reply["seq"] = request["seq"].clone();
        writeln!(output, "{reply}")?;
        output.flush()?;
    }
    Ok(())
}
