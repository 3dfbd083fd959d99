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
        .says(" % of what was asked\n")
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

/// A program that claims the seed of one request and no other.
#[cfg(unix)]
#[test]
fn random_requests_that_are_fewer_than_were_asked_for_are_counted() {
    let place = Place::new();
    // An id is one request, however many may be drawn.
    let most = ["run", "--backend", "reference", "--random", "1000000"];
    let id = ["random/tpe/i64/1-000003", "--events", "log"];
    // It is one to refuse, which alone is no test.
    let ran = place.seedproof(&[&most[..], &id[..]].concat()).exits(5);
    ran.complains("no value of reference was compared");
    let log = place.read("log");
    let seed = log.lines().find_map(|line| {
        let event: serde_json::Value = serde_json::from_str(line).unwrap();
        event["seeds"][0].as_u64()
    });
    let claim = format!(r#"{{"op":"torch.randperm","seed":["{}"]}}"#, seed.unwrap());
    let hello = format!(
        "{{\"protocol\":1,\"framing\":\"lines\",\"implementation\":{{\"name\":\"x\",\"version\":\"1\"}},\
         \"capabilities\":[{claim}]}}\n"
    );
    place.write("hello", hello);
    place
        .seedproof(&["run", "--adapter", "cat hello", "--random", "2"])
        .exits(1)
        .says("was asked 1 random request: torch.randperm i64 1")
        .complains("of 2 random requests that an implementation claims\n");
    let enough = place.seedproof(&["run", "--backend", "reference", "--random", "2"]);
    assert_eq!(enough.exits(0).err, "");
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
