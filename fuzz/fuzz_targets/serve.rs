//! The adapter's side of the protocol: whatever arrives, under either framing, from an oracle with small outputs.
#![no_main]

use libfuzzer_sys::fuzz_target;
use seedproof_ops::Limits;
use seedproof_reference::Reference;
use seedproof_wire::{Framing, serve};

fuzz_target!(|input: &[u8]| {
    let [choice, bytes @ ..] = input else {
        return;
    };
    let framing = if choice & 1 == 0 { Framing::Lines } else { Framing::Frames };
    let limits = Limits { max_output_bytes: 1 << 16 };
    let mut output = Vec::new();
    let _ = serve(&Reference::new(limits, || 1), framing, bytes, &mut output);
});
