//! The failure that README reads line by line is the one that the program prints.

use std::fs;

use crate::Place;

#[test]
fn readme_shows_the_first_failure_of_its_command() {
    let readme = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md")).unwrap();
    let (_, section) = readme.split_once("## A failure, line by line").unwrap();
    let shown = section.split("```").nth(1).unwrap().trim();
    Place::new()
        .seedproof(&[
            "run",
            "--backend",
            "readings/openvino-cpu-2026.4",
            "ru8/tensorflow/f32/range-*",
        ])
        .exits(1)
        .says(shown);
}
