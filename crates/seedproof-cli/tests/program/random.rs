//! `seedproof run --random`: requests that are claimed, a failure made small, and what the run excludes.

use crate::Place;

#[test]
fn random_requests_of_an_implementation_that_conforms_exclude_a_failure_rate() {
    Place::new()
        .seedproof(&[
            "run",
            "--backend",
            "cpu/scalar",
            "--random",
            "300",
            "--random-valid",
            "ru8/*",
        ])
        .exits(0)
        .says("cpu/scalar was asked 300 random requests: RandomUniform-8 bf16 ")
        .says("none fails: a failure rate of more than 1.2 % is excluded at 95 %");
}

/// A reading of other f16: what fails is made as small as it gets, and what is printed can be pasted into a corpus, where it fails again.
#[test]
fn random_request_that_fails_is_made_small_and_can_be_pasted() {
    let place = Place::new();
    let backend = ["run", "--backend", "readings/openvino-cpu-2026.4"];
    let random = ["--random", "40", "--random-valid", "ru8/tensorflow-f16/*"];
    let out = place
        .seedproof(&[&backend[..], &random[..]].concat())
        .exits(1)
        .says("readings/openvino-cpu-2026.4 was asked 40 random requests: RandomUniform-8 f16 40")
        .says("the smallest request found that fails as random/ru8/tensorflow-f16/1-")
        .out;
    let (_, yaml) = out.split_once("as a case to paste:\n\n").unwrap();
    let yaml = &yaml[yaml.find("schema:").unwrap()..];
    assert!(
        yaml.contains("seed: 0\n") || yaml.contains("global_seed: 0") || yaml.contains("op_seed: 0"),
        "{yaml}"
    );
    place.write("mine/pasted.yaml", yaml);
    place
        .seedproof(&[&backend[..], &["--corpus", "mine"]].concat())
        .exits(1)
        .says("ru8/pasted");
    // The id alone makes the request again.
    let (_, id) = out.split_once("that fails as ").unwrap();
    let id = id.split(' ').next().unwrap();
    place
        .seedproof(&[&backend[..], &["--random", "1", id]].concat())
        .exits(1)
        .says(id);
}

/// The processes of an adapter answer until the failures are small.
#[cfg(unix)]
#[test]
fn random_request_that_fails_in_an_adapter_is_made_small_too() {
    let adapter = crate::served("--reading openvino-cpu-2026.4");
    let out = Place::new()
        .seedproof(&[
            "run",
            "--adapter",
            &adapter,
            "--random",
            "40",
            "--random-valid",
            "ru8/tensorflow-f16/*",
        ])
        .exits(1)
        .says("the smallest request found that fails as random/ru8/tensorflow-f16/1-")
        .out;
    let (_, yaml) = out.split_once("as a case to paste:\n\n").unwrap();
    assert!(yaml.contains("seed: 0"), "{yaml}");
}

#[test]
fn random_requests_that_no_query_selects_are_none() {
    let place = Place::new();
    place
        .seedproof(&["run", "--backend", "reference", "--random", "5", "nowhere/*"])
        .exits(5);
    place
        .seedproof(&["run", "--backend", "reference", "--random", "1000001"])
        .exits(2)
        .complains("at most 1000000 are drawn");
}

#[test]
fn draw_prints_a_request_as_a_case_to_paste() {
    let place = Place::new();
    let yaml = place
        .seedproof(&[
            "draw",
            "ru8",
            "--shape",
            "2,3",
            "--output_type",
            "f32",
            "--alignment",
            "TENSORFLOW",
            "--minval",
            "0",
            "--maxval",
            "1",
            "--global_seed",
            "7",
            "--op_seed",
            "9",
            "--yaml",
        ])
        .exits(0)
        .says("op: openvino.RandomUniform-8")
        .says("- id: ru8/pasted")
        .out;
    place.write("mine/pasted.yaml", yaml);
    place
        .seedproof(&["run", "--backend", "reference", "--corpus", "mine"])
        .exits(0);
}
