//! The harness's side of the protocol: replies to requests of three ops, under either framing.
#![no_main]

use libfuzzer_sys::fuzz_target;
use seedproof_wire::fuzzing;

fuzz_target!(|input: &[u8]| {
    if let [request, want, bytes @ ..] = input {
        fuzzing::reply(usize::from(*request), *want, bytes);
    }
});
