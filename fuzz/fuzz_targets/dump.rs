//! Dumps of outputs: `.npy`, text and raw bytes, held against outputs of several types and shapes.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|file: &[u8]| {
    seedproof_cli::fuzzing::dump(file);
});
