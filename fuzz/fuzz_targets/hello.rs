//! The hello line of an adapter, and what its claims say of requests.
#![no_main]

use libfuzzer_sys::fuzz_target;
use seedproof_wire::fuzzing;

fuzz_target!(|line: &[u8]| {
    fuzzing::hello(line);
});
