//! A Seedproof adapter for {{op}}. Write `kernel`, and say in `main` what it has.
//!
//! Try it: cargo build --release && seedproof smoke --adapter target/release/adapter
//! Run it: seedproof run --adapter target/release/adapter

mod generators;
mod seedproof_adapter;

use seedproof_adapter::{serve, Failure, Outputs, Request};
use serde_json::json;

fn main() -> std::io::Result<()> {
    let implementation = json!({"name": "my-implementation", "version": "0.1", "language": "rust"});
    // What is not named is not restricted. What is announced must be answered.
    // Restrict what your kernel restricts: attributes by values ("op_seed": ["0"]), inputs by types or by values
    // ("minval": {"values": ["0"]}), and the output by its rank ("rank": {"min": 1, "max": 4}).
    let capabilities = json!([{{capability}}]);
    serve(implementation, capabilities, run)
}

/// The arguments of the kernel.
#[expect(dead_code, reason = "the kernel is not written yet")]
struct Arguments {
    {{declarations}}
}

/// Yours. Returns each output, or a failure:
///
/// {{outputs}}
///
/// `generators::philox` and `generators::threefry` draw a block of words; replace them by your generator.
fn kernel(_: &Arguments) -> Result<Outputs, Failure> {
    Err(Failure::Unsupported("the kernel of {{op}} is not written yet"))
}

fn run(request: &Request) -> Result<Outputs, Failure> {
    kernel(&Arguments {
        {{readings}}
    })
}
