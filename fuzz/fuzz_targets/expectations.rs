//! Expectation files.
#![no_main]

use libfuzzer_sys::fuzz_target;
use seedproof_check::expectations::parse;

fuzz_target!(|text: &str| {
    if let Err(error) = parse("known.yaml", text) {
        assert!(error.to_string().len() < 1 << 16, "a message of its own scale");
    }
});
