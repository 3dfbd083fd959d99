//! Numbers as people have them: archives, pickles, headers and text, opened by how they begin.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|file: &[u8]| {
    seedproof_cli::fuzzing::numbers(file);
});
