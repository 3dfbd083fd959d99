//! `seedproof export`: what it writes is read back, and whose folders it leaves alone.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
#[cfg(target_os = "linux")]
use std::{
    process::{Command, Stdio},
    time::Duration,
};

use seedproof_convert::{Format, read_model};
use seedproof_corpus::{Corpus, Expectation};
use seedproof_ops::{AttributeValue, Kind, Request, Shape, Tensor};
use serde_json::Value;

use crate::Place;
use crate::corpus::TWO;

/// A folder with these files of the corpus, in `vectors`.
fn place_with(files: &[&str]) -> (Place, Corpus) {
    let place = Place::new();
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors");
    for file in files {
        place.write(&format!("vectors/{file}"), fs::read(all.join(file)).unwrap());
    }
    let corpus = seedproof::files::load(&place.file("vectors")).unwrap();
    (place, corpus)
}

fn json(place: &Place, path: &str) -> Value {
    serde_json::from_str(&place.read(path)).unwrap()
}

/// The cases of an export, by their ids, as its index finds them.
fn exported(place: &Place, dir: &str) -> BTreeMap<String, Value> {
    let index = json(place, &format!("{dir}/index.json"));
    let find = |entry: &Value| {
        let document = json(place, &format!("{dir}/{}", entry["path"].as_str().unwrap()));
        let cases = document["cases"].as_array().unwrap();
        let case = cases.iter().find(|case| case["id"] == entry["id"]);
        (entry["id"].as_str().unwrap().to_owned(), case.unwrap().clone())
    };
    index["cases"].as_array().unwrap().iter().map(find).collect()
}

fn tensor(value: &Value) -> Tensor {
    let dims: Vec<u64> = serde_json::from_value(value["shape"].clone()).unwrap();
    let hex = value["hex"].as_str().unwrap().as_bytes();
    let bytes = hex
        .chunks(2)
        .map(|it| u8::from_str_radix(str::from_utf8(it).unwrap(), 16).unwrap());
    let dtype = value["dtype"].as_str().unwrap().parse().unwrap();
    Tensor::new(dtype, Shape::new(&dims).unwrap(), bytes.collect()).unwrap()
}

/// The request of a case, read by nothing but the description of its op.
fn request(case: &Value, op: seedproof_ops::OpName) -> Request {
    let attribute = |kind: Kind, value: &Value| match kind {
        Kind::Enumeration(_) | Kind::Dtype(_) => AttributeValue::Text(value.as_str().unwrap().to_owned()),
        Kind::Seed => AttributeValue::Seed(value.as_str().unwrap().parse().unwrap()),
        Kind::Boolean | Kind::WithOutput => AttributeValue::Boolean(value.as_bool().unwrap()),
        Kind::Extents(_) => AttributeValue::Extents(serde_json::from_value(value.clone()).unwrap()),
        Kind::Number(_) => AttributeValue::Number(value.as_str().unwrap().parse().unwrap()),
    };
    Request::build(
        op,
        &mut |info| {
            case["attrs"]
                .get(info.name)
                .map(|value| attribute(info.kind, value))
        },
        &mut |info| case["inputs"].get(info.name).map(tensor),
        u32::try_from(case["execution"].as_u64().unwrap()).unwrap(),
    )
    .unwrap()
}

#[test]
fn export_of_json_is_the_corpus() {
    let (place, corpus) = place_with(&[
        "random-uniform-8/spec-examples.yaml",
        "random-uniform-8/grid-both-seeds-zero.yaml",
        "onnx-prng/random-uniform.yaml",
        "onnx-prng/refusals-split-prng.yaml",
        "onnx-random/capture-onnx-random-normal.yaml",
    ]);
    let ran = place.seedproof(&["export", "json", "out", "--corpus", "vectors"]);
    let ran = ran.exits(0).says("without an answer").says("drawn from entropy");
    let cases = exported(&place, "out");
    let index = json(&place, "out/index.json");
    let left_out: u64 = index["left_out"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["cases"].as_u64().unwrap())
        .sum();
    let all = u64::try_from(corpus.cases().len()).unwrap();
    assert_eq!(u64::try_from(cases.len()).unwrap() + left_out, all, "{}", ran.out);
    assert!(
        ran.out.contains(&format!("left out {left_out} cases")),
        "{}",
        ran.out
    );
    let mut digests = 0;
    for case in corpus.cases() {
        let (id, Some(found)) = (case.id.as_str(), cases.get(case.id.as_str())) else {
            assert!(
                matches!(case.expect, Expectation::Statistical | Expectation::Unspecified),
                "{}",
                case.id
            );
            continue;
        };
        assert_eq!(request(found, case.request.op()), case.request, "{id}");
        match &case.expect {
            Expectation::Bits(bits) => {
                let name = case.request.outputs()[0].name;
                assert_eq!(tensor(&found["outputs"][name]), bits.output, "{id}");
            }
            // The output behind a digest is written in full.
            Expectation::Digest(digested) => {
                let output = tensor(&found["outputs"][case.request.outputs()[0].name]);
                assert_eq!(output.get(0), digested.first.first().copied(), "{id}");
                assert_eq!(
                    output.get(output.count() - 1),
                    digested.last.last().copied(),
                    "{id}"
                );
                digests += 1;
            }
            Expectation::Rejected(kind) => assert_eq!(found["rejected"], kind.to_string(), "{id}"),
            other => panic!("{id}: {other:?}"),
        }
        assert_eq!(found["provenance"]["kind"], case.provenance.kind(), "{id}");
    }
    assert!(digests > 0, "the corpus has digests");
    assert!(
        !place.file("out/LICENSE-MIT").exists(),
        "the licence of another's corpus is not known"
    );
}

#[test]
fn export_has_the_schemas_of_its_documents() {
    let (place, _) = place_with(&[
        "onnx-prng/refusals-split-prng.yaml",
        "onnx-prng/split-prng-known.yaml",
    ]);
    for form in ["json", "npz"] {
        place
            .seedproof(&["export", form, form, "--corpus", "vectors"])
            .exits(0);
        let readme = place.read(&format!("{form}/README.md"));
        assert!(readme.contains(&format!("`seedproof export {form}`")), "{readme}");
        let schema =
            |name: &str| jsonschema::validator_for(&json(&place, &format!("{form}/{name}"))).unwrap();
        let (cases, index) = (schema("cases.schema.json"), schema("index.schema.json"));
        let document = json(&place, &format!("{form}/cases/onnx-prng/split-prng-known.json"));
        let refusals = json(
            &place,
            &format!("{form}/cases/onnx-prng/refusals-split-prng.json"),
        );
        let contents = json(&place, &format!("{form}/index.json"));
        for (schema, value) in [(&cases, &document), (&cases, &refusals), (&index, &contents)] {
            let errors: Vec<String> = schema
                .iter_errors(value)
                .map(|it| format!("{}: {it}", it.instance_path()))
                .collect();
            assert_eq!(errors, [""; 0], "{form}");
        }
        for spoilt in [
            ("/cases/0/outputs/split_prng_states/shape", Value::from("5")),
            ("/cases/0/attrs", serde_json::json!({ "num_outputs": 5 })),
            ("/cases/0/inputs", serde_json::json!({})),
            ("/cases/0/op", "onnx.Dropout".into()),
            ("/schema", 2.into()),
        ] {
            let mut wrong = document.clone();
            *wrong.pointer_mut(spoilt.0).unwrap() = spoilt.1;
            assert!(!cases.is_valid(&wrong), "{}", spoilt.0);
        }
        let mut both = document.clone();
        both["cases"][0]["rejected"] = "dtype".into();
        assert!(!cases.is_valid(&both), "an output and a refusal");
    }
}

#[test]
fn export_of_onnx_tests_is_read_as_onnx_models() {
    let (place, corpus) = place_with(&[
        "onnx-prng/random-uniform-known.yaml",
        "onnx-prng/refusals-split-prng.yaml",
        "onnx-prng/split-prng-known.yaml",
        "onnx-random/capture-onnx-random-normal.yaml",
        "random-uniform-8/spec-examples.yaml",
    ]);
    let export = |dir, reading| {
        let query = [
            "export",
            "onnx-node-tests",
            dir,
            "--corpus",
            "vectors",
            "--reading",
            reading,
        ];
        place.seedproof(&query).exits(0)
    };
    export("drafts", "spec")
        .says("refused, which a node test cannot express")
        .says("of an op that ONNX does not have");
    // Every case is there or counted.
    let index = json(&place, "drafts/index.json");
    let left_out = index["left_out"].as_array().unwrap().iter();
    let left_out: u64 = left_out.map(|it| it["cases"].as_u64().unwrap()).sum();
    let cases = u64::try_from(index["cases"].as_array().unwrap().len()).unwrap();
    assert_eq!(
        cases + left_out,
        u64::try_from(corpus.cases().len()).unwrap(),
        "{index}"
    );
    // The documents of cases are of other forms.
    assert!(place.file("drafts/index.schema.json").exists());
    assert!(!place.file("drafts/cases.schema.json").exists());
    let model = |path: &str| {
        let bytes = fs::read(place.file(&format!("{path}/model.onnx"))).unwrap();
        read_model(Format::Onnx, bytes, &[]).unwrap()
    };
    let uniform = model("drafts/test_oru__philox4x32-10__f64__captured-2");
    assert_eq!(
        (uniform.opset, uniform.found[0].source.kind.as_str()),
        (28, "f64")
    );
    assert_eq!(uniform.found[0].source.shape, Some(vec![33]));
    // A state of SplitPRNG is an output.
    let data = "drafts/test_osp__captured-1/test_data_set_0";
    let state = |index: usize| fs::read(place.file(&format!("{data}/output_{index}.pb"))).unwrap();
    let words = [4_010_953_592_i64, 4_273_526_051].map(i64::to_le_bytes).concat();
    assert!(state(0).windows(16).any(|window| window == words));
    assert_ne!(state(0), state(4));
    assert!(!place.file(&format!("{data}/output_5.pb")).exists());
    assert_eq!(model("drafts/test_osp__captured-1").opset, 28);
    let bytes = fs::read(place.file("drafts/test_osp__captured-1/model.onnx")).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    for part in [
        "Seedproof's case osp/captured-1: onnx.SplitPRNG i64 [5,2].",
        "The expected outputs are those of the reading spec.",
        "seedproof.provenance",
        r#"{"kind":"known-answer""#,
    ] {
        assert!(text.contains(part), "{part}");
    }
    // It is the number of the node's outputs, and no attribute.
    assert!(!text.contains("num_outputs"));

    export("reference", "onnx-reference-1.23");
    let normal = model("reference/test_orn__f32__capture-onnx-15");
    assert_eq!(
        (normal.opset, normal.found[0].source.op.as_str()),
        (15, "RandomNormal")
    );
    assert_eq!(
        normal.found[0].source.to_string(),
        "RandomNormal f32, mean 1.1, scale 2.3, seed 5877.082"
    );
    // The case is the second run, and the first one is asked before it.
    for run in [0, 1] {
        let output = format!("reference/test_orn__f32__capture-onnx-15/test_data_set_{run}/output_0.pb");
        assert!(place.file(&output).exists(), "{output}");
    }
    let index = json(&place, "reference/index.json");
    assert_eq!(
        (&index["reading"], &index["form"]),
        (&"onnx-reference-1.23".into(), &"onnx-node-tests".into())
    );
}

/// Each attribute of a draft is known from the draft's op set on, whatever stands beside it.
#[test]
fn export_of_onnx_tests_has_the_op_set_of_the_attributes() {
    let place = Place::new();
    let yaml = r#"# A generator of the implementation's own.
schema: 2
op: onnx.RandomUniform
clauses: [oru.generator]
provenance: { kind: known-answer, source: "a session" }
cases:
  - id: oru/seed
    attrs: { output_type: f32, output_sizes: [1] }
    inputs: { low: "00000000", high: "3f800000", seed: "3f800000" }
    expect: { bits: ["3f000000"] }
  - id: oru/seed-int64
    attrs: { output_type: f32, output_sizes: [1], seed_int64: "1" }
    inputs: { low: "00000000", high: "3f800000" }
    expect: { bits: ["3f000000"] }
  - id: oru/offset
    attrs: { output_type: f32, output_sizes: [1] }
    inputs: { low: "00000000", high: "3f800000", offset: 1 }
    expect: { bits: ["3f000000"] }
"#;
    place.corpus("own", yaml);
    let export = ["export", "onnx-node-tests", "out", "--corpus", "own"];
    place
        .seedproof(&export)
        .exits(0)
        .says("exported 3 cases to out\n");
    for (case, opset) in [("seed", 15), ("seed-int64", 28), ("offset", 28)] {
        let bytes = fs::read(place.file(&format!("out/test_oru__{case}/model.onnx"))).unwrap();
        let model = read_model(Format::Onnx, bytes, &[]).unwrap();
        assert_eq!(model.opset, opset, "{case}");
    }
}

#[test]
fn export_replaces_what_it_wrote_and_nothing_else() {
    let place = Place::new();
    place.corpus("own", TWO);
    let export = |dir: &str, more: &[&str]| {
        place.seedproof(&[&["export", "json", dir, "--corpus", "own"], more].concat())
    };
    fs::create_dir(place.file("out")).unwrap();
    // Each output takes four bytes.
    export("out", &["--max-output", "4"])
        .exits(0)
        .says("exported 2 cases to out");
    export("out", &["*/one"]).exits(0).says("exported 1 case to out");
    assert_eq!(exported(&place, "out").len(), 1, "the first export is gone");
    let before = place.read("out/index.json");
    export("out", &["*/one"]).exits(0);
    assert_eq!(
        place.read("out/index.json"),
        before,
        "an export is the same each time"
    );

    place.write("out/cases/notes.txt", "mine");
    export("out", &[])
        .exits(2)
        .complains("out has `cases/notes.txt`, which no export wrote; name a new folder");
    assert_eq!(
        (place.read("out/cases/notes.txt"), place.read("out/index.json")),
        ("mine".to_owned(), before)
    );
    place.write("other/index.json", "{\"files\": [\"index.json\"]}");
    export("other", &[]).exits(2).complains("other has `index.json`");
    export("own/cases.yaml", &[])
        .exits(2)
        .complains("is a file; name a folder");
    export(".", &[]).exits(2).complains("contains the current folder");
    // What selects nothing, or leaves nothing, writes nothing.
    export("new", &["dtype:f64"])
        .exits(5)
        .complains("nothing is selected");
    export("new", &["--max-output", "3"])
        .exits(5)
        .complains("left out 2 cases: 2 with more bytes of outputs than --max-output");
    let onnx = ["export", "onnx-node-tests", "new", "--corpus", "own"];
    place
        .seedproof(&onnx)
        .exits(5)
        .complains("2 of an op that ONNX does not have");
    export("new", &["--reading", "torch-2.99"])
        .exits(2)
        .complains("there is no reading `torch-2.99`");
    assert!(!place.file("new").exists());
    let left: Vec<_> = fs::read_dir(place.path())
        .unwrap()
        .map(|it| it.unwrap().file_name())
        .collect();
    assert_eq!(left.len(), 3, "{left:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn export_that_is_interrupted_leaves_nothing_behind() {
    let place = Place::new();
    let mut export = Command::new(crate::PROGRAM);
    export
        .args(["export", "json", "out/cases"])
        .current_dir(place.file("."));
    let mut export = export.stderr(Stdio::null()).spawn().unwrap();
    let begun = || fs::read_dir(place.file("out")).is_ok_and(|mut entries| entries.next().is_some());
    while !begun() {
        assert!(
            export.try_wait().unwrap().is_none(),
            "the export ended before it began"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
    // Not SIGINT, which stays ignored where the tests were started in the background of a script.
    let killed = Command::new("kill")
        .args(["-s", "TERM", &export.id().to_string()])
        .status();
    assert!(killed.unwrap().success());
    assert_eq!(export.wait().unwrap().code(), Some(143));
    assert_eq!(fs::read_dir(place.file("out")).unwrap().count(), 0);
}

#[test]
fn export_of_the_corpus_that_is_built_in_has_its_licence() {
    let place = Place::new();
    let query = ["export", "npz", "out", "ru8/tensorflow/*/spec-example-1"];
    place.seedproof(&query).exits(0).says("exported 1 case to out\n");
    assert_eq!(json(&place, "out/index.json")["license"], "MIT OR Apache-2.0");
    assert!(
        place
            .read("out/LICENSE-MIT")
            .contains("Permission is hereby granted")
    );
    assert!(place.read("out/LICENSE-APACHE").contains("Apache License"));
    let document = json(&place, "out/cases/random-uniform-8/spec-examples.json");
    assert_eq!(document["arrays"], "spec-examples.npz");
    assert!(
        place
            .file("out/cases/random-uniform-8/spec-examples.npz")
            .exists()
    );
}
