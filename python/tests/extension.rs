//! The extension is built beside the tests, and Python finds where it begins.

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};

#[test]
fn python_finds_the_module() {
    let test = std::env::current_exe().expect("a test has a path");
    let library = test.with_file_name(format!("{DLL_PREFIX}_native{DLL_SUFFIX}"));
    let library = std::fs::read(library).expect("cargo builds it before the test");
    let entry = b"PyInit__native";
    assert!(library.windows(entry.len()).any(|name| name == entry));
}
