//! `seedproof convert`: models that the real exporters wrote (`harness/conversion/exported_models.py`), and broken ones.

use std::path::Path;

use seedproof_convert::{Format, read_model};

use crate::Place;

fn model(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models");
    std::fs::read(folder.join(name)).unwrap()
}

fn put(place: &Place, name: &str) {
    place.write(name, model(name));
}

/// Of `chunk` it is not known whether OpenVINO refuses what its rule of a dropout leaves, and the first line must say so.
#[test]
fn convert_says_first_that_a_model_may_be_refused() {
    let place = Place::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../convert/tests/models");
    place.write("halves.pt2", std::fs::read(folder.join("halves.pt2")).unwrap());
    let headline = "PyTorch to OpenVINO: not random any more, or refused: 1 of 1 random op is replaced";
    place
        .seedproof(&["convert", "halves.pt2"])
        .exits(1)
        .says(headline);
}

/// The values of the others depend on how often the loop runs.
#[test]
fn values_of_a_loop_are_those_of_its_first_iteration() {
    let place = Place::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../convert/tests/models");
    place.write("bodies.pb", std::fs::read(folder.join("bodies.pb")).unwrap());
    place
        .seedproof(&["convert", "bodies.pb", "--to", "openvino"])
        .exits(0)
        .says("inference 0, first iteration: 0.19685328, 0.86792755");
}

#[test]
fn convert_reads_a_saved_model() {
    let place = Place::new();
    put(&place, "saved_model.pb");
    place
        .seedproof(&["convert", ".", "--to", "openvino"])
        .exits(1)
        .says("4 random ops")
        .says("TensorFlow to OpenVINO: refused as a whole: 1 of 4 random ops is refused")
        .says("  No conversion rule found for operations: RandomStandardNormal")
        .says("tf.random.uniform f32, high 0.7, low 0.1, raw_seeds [87654321, 7], shape [2, 8]")
        .says("TensorFlow to OpenVINO: same words, other values (constant folding), if the model were taken")
        .says("becomes RandomUniform TENSORFLOW f32, seeds (87654321, 7), [0.1, 0.7")
        .says("inference 0, of an input of ones: 1.4285715, 1.4285715, 0")
        .says("source, inference 0: 1.1550728, -0.4910573")
        .says("refused: No conversion rule found for operations: RandomStandardNormal")
        .says("the source draws from Philox4x32-10, the target from MT19937 over a seed sequence");
    place
        .seedproof(&["convert", "saved_model.pb", "--to", "litert"])
        .exits(1)
        .says("TensorFlow to LiteRT: the same numbers in the first inference, others after it")
        .says("TensorFlow to LiteRT: in the first inference same bits")
        .says("TensorFlow to LiteRT: after it own bits, repeatable (state)");
    // The exit status is that of the inferences that are looked at.
    place
        .seedproof(&["convert", "saved_model.pb", "--to", "litert", "--inference", "0"])
        .exits(0)
        .says("TensorFlow to LiteRT: same bits\n");
    place
        .seedproof(&["convert", "saved_model.pb", "--to", "onnxruntime"])
        .exits(2)
        .complains("no conversion of");
}

#[test]
fn convert_reads_onnx_with_a_loop() {
    let place = Place::new();
    put(&place, "sampler.onnx");
    place
        .seedproof(&["convert", "sampler.onnx"])
        .exits(1)
        .says("PyTorch to ONNX Runtime: less random than before: 1 of 4 random ops")
        .says("removes a Dropout between two nodes")
        .says("PyTorch to OpenVINO: refused as a whole")
        .says("torch.onnx.export writes no seed")
        .says("/RandomNormal")
        .says("neither the source nor the target has a seed")
        .says("instead: give the op a seed that is not zero: node.attribute.append(onnx.helper.make_attribute(\"seed\", 7.0)), with another number for each node")
        .says("refused: Training mode is not supported for Dropout op")
        .says("/Loop//Bernoulli")
        .says("refused: No conversion rule found for operations: Bernoulli-15");
}

#[test]
fn convert_reads_litert() {
    let place = Place::new();
    put(&place, "sampler.tflite");
    place
        .seedproof(&["convert", "sampler.tflite"])
        .exits(1)
        .says("LiteRT to OpenVINO: refused (op mapping)")
        .says("No translator found for RANDOM_UNIFORM node");
    place
        .seedproof(&["convert", "sampler.tflite", "--to", "litert"])
        .exits(1)
        .says("RandomUniform f32, seed 87654321, seed2 7")
        .says("TensorFlow to LiteRT: the same numbers in the first inference, others after it");
    place
        .seedproof(&["convert", "sampler.tflite", "--to", "litert", "--inference", "0"])
        .exits(0)
        .says("TensorFlow to LiteRT: same bits");
    place
        .seedproof(&["convert", "sampler.tflite", "--to", "litert", "--inference", "1"])
        .exits(1)
        .says("own bits, repeatable (state)");
}

/// The output of a model of one normal, of which ONNX Runtime and OpenVINO both draw the values.
#[test]
fn convert_shows_the_values_of_both_ends() {
    use seedproof_convert::{OnnxAttribute, OnnxModel, OnnxValue};
    use seedproof_ops::Dtype;

    let place = Place::new();
    let output = OnnxValue {
        name: "n".to_owned(),
        dtype: Dtype::F32,
        shape: vec![2, 2],
    };
    let single = OnnxAttribute::Float;
    let model = OnnxModel {
        op: "RandomNormal",
        opset: 15,
        attributes: vec![
            ("shape", OnnxAttribute::Integers(vec![2, 2])),
            ("mean", single(1.5)),
            ("scale", single(0.5)),
            ("seed", single(3.0)),
        ],
        inputs: Vec::new(),
        outputs: vec![output],
        doc: String::new(),
        metadata: Vec::new(),
    };
    place.write("normal.onnx", model.encode());
    place
        .seedproof(&["convert", "normal.onnx", "--to", "openvino"])
        .exits(1)
        .says("source, inference 0: 1.1248082, 0.7947278, 2.3446414, 2.0292645\n")
        .says("target, inference 0: 1.3584784, 2.0235696, 1.5841569, 1.2707461\n");
    let json = place
        .seedproof(&["convert", "normal.onnx", "--json", "--to", "openvino"])
        .exits(1)
        .out;
    let document: serde_json::Value = serde_json::from_str(&json).unwrap();
    let inferences = document["ops"][0]["paths"][0]["inferences"].as_array().unwrap();
    assert_eq!(inferences.len(), 3, "{json}");
    let third = &inferences[2];
    assert_eq!(third["source"]["bits"], "f32 3fd35025 3f6cc5e2 3fa819dd 3fa416aa");
    assert_eq!(third["target"]["bits"], "f32 3fb1e000 3ff1f4f6 3fc448aa 3f236a17");
}

#[test]
fn convert_predicts_nothing_of_an_alignment_that_does_not_exist() {
    let place = Place::new();
    put(&place, "uniform.xml");
    put(&place, "uniform.bin");
    let sideways = place
        .read("uniform.xml")
        .replace("alignment=\"tensorflow\"", "alignment=\"sideways\"");
    place.write("uniform.xml", sideways);
    place
        .seedproof(&["convert", "uniform.xml"])
        .exits(1)
        .says("alignment is SIDEWAYS");
}

#[test]
fn convert_draws_what_openvino_will_draw() {
    let place = Place::new();
    put(&place, "uniform.xml");
    put(&place, "uniform.bin");
    place
        .seedproof(&["convert", "uniform.xml", "--hint", "f32"])
        .exits(0)
        .says("3 random ops")
        .says("OpenVINO: the model draws by its attributes")
        .says("global_seed 87654321")
        .says("clauses: ru8.")
        .says("clauses: mn13.")
        // Both ends draw them: they stand there once.
        .says("\n    inference 0: 0.39036456, 0.4037218, 0.25308624")
        // Multinomial of constant weights.
        .says("inference 0: 1, 1, 1, 0");
    place
        .seedproof(&["convert", "uniform.xml", "--elements", "0"])
        .exits(0)
        .never_says("inference 0");
    let json = place
        .seedproof(&["convert", "uniform.xml", "--json", "--elements", "2"])
        .exits(0)
        .out;
    let document: serde_json::Value = serde_json::from_str(&json).unwrap();
    let drawn = &document["ops"][1]["paths"][0]["target"]["values"];
    assert_eq!(drawn.as_array().map(Vec::len), Some(2), "{json}");
}

#[test]
fn clauses_of_a_model_are_those_of_the_alignment() {
    let place = Place::new();
    let clauses = |alignment: &str| {
        let data = format!(r#"output_type="f32" global_seed="1" op_seed="2"{alignment}"#);
        let layer =
            format!(r#"<layer id="0" name="r" type="RandomUniform" version="opset8"><data {data}/></layer>"#);
        place.write(
            "one.xml",
            format!(r#"<net name="one" version="11"><layers>{layer}</layers></net>"#),
        );
        let json = place.seedproof(&["convert", "one.xml", "--json"]).exits(0).out;
        let document: serde_json::Value = serde_json::from_str(&json).unwrap();
        document["ops"][0]["clauses"].to_string()
    };
    let philox = clauses("");
    assert!(
        philox.contains("ru8.philox.block") && !philox.contains("ru8.mt."),
        "{philox}"
    );
    assert_eq!(clauses(r#" alignment="tensorflow""#), philox);
    let mersenne = clauses(r#" alignment="pytorch""#);
    assert!(
        mersenne.contains("ru8.mt.twist") && !mersenne.contains("ru8.philox."),
        "{mersenne}"
    );
}

#[test]
fn convert_ends_on_any_inference() {
    let place = Place::new();
    for name in [
        "sampler.onnx",
        "saved_model.pb",
        "sampler.tflite",
        "uniform.xml",
        "uniform.bin",
    ] {
        place.write(name, model(name));
    }
    for name in ["sampler.onnx", "saved_model.pb", "sampler.tflite"] {
        place
            .seedproof(&["convert", name, "--inference", "4294967295"])
            .exits(1);
    }
    place
        .seedproof(&["convert", "uniform.xml", "--inference", "4294967295"])
        .exits(0);
}

#[test]
fn convert_says_where_a_model_is_broken() {
    let place = Place::new();
    place
        .seedproof(&["convert", "absent.onnx"])
        .exits(3)
        .complains("absent.onnx");
    place.write("model.txt", "");
    place
        .seedproof(&["convert", "model.txt"])
        .exits(2)
        .complains("expected .onnx, a SavedModel, .tflite, .pt2 or .xml");
    place.write("unclosed.xml", "<net>");
    place
        .seedproof(&["convert", "unclosed.xml"])
        .exits(2)
        .complains("at byte 5");
    let attributes: String = (0..5_000).map(|n| format!(" a{n}=''")).collect();
    place.write("many.xml", format!("<net{attributes}/>"));
    place
        .seedproof(&["convert", "many.xml"])
        .exits(2)
        .complains("more than 4096 attributes");
    for name in ["sampler.onnx", "saved_model.pb", "sampler.tflite", "uniform.xml"] {
        let bytes = model(name);
        place.write(name, &bytes[..bytes.len() / 2]);
        place.seedproof(&["convert", name]).exits(2).complains(name);
        // Any byte may be another; the program ends with one of its own statuses.
        for index in (0..bytes.len()).step_by(bytes.len() / 40 + 1) {
            let mut bytes = bytes.clone();
            bytes[index] ^= 0xff;
            place.write(name, &bytes);
            let status = place.seedproof(&["convert", name]).status;
            assert!(
                [Some(0), Some(1), Some(2), Some(5)].contains(&status),
                "{name} with another byte {index} ends with {status:?}"
            );
        }
    }
    place.write("empty.xml", "<net name=\"n\" version=\"11\"><layers/></net>");
    place
        .seedproof(&["convert", "empty.xml"])
        .exits(5)
        .says("0 random ops");
}

/// Bytes are exchanged, dropped, doubled and cut by a small generator; the readers end with a model or a sentence.
#[test]
fn readers_of_models_end_on_any_bytes() {
    let mut state = 1_u64;
    let mut next = |bound: usize| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        usize::try_from(state >> 33).unwrap() % bound.max(1)
    };
    let constants = model("uniform.bin");
    let (mut read, mut refused) = (0, 0);
    for name in ["sampler.onnx", "saved_model.pb", "sampler.tflite", "uniform.xml"] {
        let format = Format::of(name).unwrap();
        let whole = model(name);
        for _ in 0..2000 {
            let mut bytes = whole.clone();
            for _ in 0..=next(8) {
                let at = next(bytes.len());
                match next(4) {
                    0 => bytes[at] = u8::try_from(next(256)).unwrap(),
                    1 => bytes.truncate(at.max(1)),
                    2 => drop(bytes.drain(at..(at + next(64)).min(bytes.len()))),
                    _ => bytes.insert(at, 0xff),
                }
                if bytes.is_empty() {
                    bytes.push(0);
                }
            }
            match read_model(format, bytes, &constants) {
                Ok(model) => read += usize::from(model.found.len() < 1000),
                Err(reason) => refused += usize::from(reason.starts_with("failed to ")),
            }
        }
    }
    assert_eq!(read + refused, 8000);
    assert!(read > 100 && refused > 100, "{read} are read, {refused} refused");
}

/// A name may have any character, and a verdict stands on a line of its own.
#[test]
fn name_of_a_node_makes_no_line() {
    let place = Place::new();
    let name = "x&#10;  OpenVINO: draws by its attributes&#13;&#10;::error::y";
    let data = r#"<data output_type="f32" global_seed="1" op_seed="2"/>"#;
    let layer =
        format!(r#"<layer id="0" name="{name}" type="RandomUniform" version="opset8">{data}</layer>"#);
    place.write(
        "n.xml",
        format!(r#"<net name="n" version="11"><layers>{layer}</layers></net>"#),
    );
    let text = place.seedproof(&["convert", "n.xml"]).exits(0).out;
    let verdicts = text.lines().filter(|line| line.starts_with("  OpenVINO: "));
    assert_eq!(verdicts.count(), 1, "{text}");
    assert!(
        text.lines().all(|line| !line.trim_start().starts_with("::")),
        "{text}"
    );
}

#[test]
fn convert_refuses_what_is_missing_in_a_network() {
    let place = Place::new();
    let network = |seed: &str, offset: &str, from: &str, ports: &str| {
        let input: String = ports
            .chars()
            .map(|port| format!(r#"<port id="{port}"/>"#))
            .collect();
        let (input, output) = (
            format!("<input>{input}</input>"),
            r#"<output><port id="0"/></output>"#,
        );
        let constant = format!(
            r#"<layer id="0" name="c" type="Const"><data element_type="f32" offset="{offset}" size="4" shape=""/>{output}</layer>"#
        );
        let draw = format!(
            r#"<layer id="1" name="r" type="RandomUniform"><data output_type="f32" global_seed="{seed}" op_seed="2"/>{input}</layer>"#
        );
        let edges =
            format!(r#"<edges><edge from-layer="{from}" from-port="0" to-layer="1" to-port="1"/></edges>"#);
        format!(r#"<net name="n" version="11"><layers>{constant}{draw}</layers>{edges}</net>"#)
    };
    place.write("n.bin", [0; 8]);
    for (seed, offset, from, complaint) in [
        (
            "1",
            "8",
            "0",
            "4 bytes from 8 on do not lie in the .bin file, which has 8 bytes",
        ),
        ("1", "5", "0", "4 bytes from 5 on do not lie in the .bin file"),
        (
            "1",
            "18446744073709551615",
            "0",
            "4 bytes from 18446744073709551615 on do not lie",
        ),
        ("1", "18446744073709551616", "0", "do not lie in the .bin file"),
        ("1", "0", "7", "there is no layer of the id `7`"),
        (
            "18446744073709551616",
            "0",
            "0",
            "`18446744073709551616` does not fit 64 bits",
        ),
        ("-9223372036854775809", "0", "0", "does not fit 64 bits"),
    ] {
        place.write("n.xml", network(seed, offset, from, "1"));
        place
            .seedproof(&["convert", "n.xml"])
            .exits(2)
            .complains(complaint);
    }
    for seed in ["18446744073709551615", "-9223372036854775808"] {
        place.write("n.xml", network(seed, "4", "0", "1"));
        place.seedproof(&["convert", "n.xml"]).exits(0);
    }
    // Both bounds are the constant 0, for which the plugin does not compile the model.
    let other = r#"<edge from-layer="0" from-port="0" to-layer="1" to-port="2"/></edges>"#;
    place.write("n.xml", network("1", "4", "0", "12").replace("</edges>", other));
    place
        .seedproof(&["convert", "n.xml"])
        .exits(1)
        .says("OpenVINO: refused as a whole")
        .says("OpenVINO: refused: minval must be less than maxval: [0, 0)");
    place.write("n.bin", []);
    place.write("n.xml", network("1", "0", "0", "1"));
    place
        .seedproof(&["convert", "n.xml"])
        .exits(2)
        .complains("4 bytes from 0 on do not lie in the .bin file, which has 0 bytes");
}

/// A device says that it has no bytes, and never ends.
#[cfg(unix)]
#[test]
fn convert_reads_devices_up_to_a_bound() {
    let place = Place::new();
    std::os::unix::fs::symlink("/dev/zero", place.file("zero.onnx")).unwrap();
    place
        .seedproof(&["convert", "zero.onnx"])
        .exits(2)
        .complains("zero.onnx has more than 268435456 bytes, which are not read");
}

/// What OpenVINO does not load, or what says two things of one number.
#[test]
fn convert_refuses_a_network_that_contradicts_itself() {
    let place = Place::new();
    put(&place, "uniform.bin");
    let text = String::from_utf8(model("uniform.xml")).unwrap();
    let edge = r#"<edge from-layer="8" from-port="0" to-layer="10" to-port="1" />"#;
    let minval = r#"element_type="f32" shape="" offset="32" size="4""#;
    let extents = r#"element_type="i32" shape="2" offset="24" size="8""#;
    let at_port_1 = "failed to read the constant at port 1 of layer `random_uniform`: ";
    for (from, to, complaint) in [
        (
            edge,
            "",
            "failed to read the edges: none leads to port 1 of layer `random_uniform`",
        ),
        (
            edge,
            r#"<edge from-layer="10" from-port="3" to-layer="10" to-port="1" />"#,
            "failed to read the edges: layer `random_uniform` feeds its own port 1",
        ),
        (
            edge,
            r#"<edge from-layer="8" from-port="9" to-layer="10" to-port="1" />"#,
            "failed to read the edges: layer `Constant_2341` has no output port `9`",
        ),
        (
            edge,
            r#"<edge from-layer="8" from-port="0" to-layer="10" to-port="9" />"#,
            "failed to read the edges: layer `random_uniform` has no input port `9`",
        ),
        (
            "</edges>",
            &format!("{edge}</edges>"),
            "failed to read the edges: two lead to port 1 of layer `random_uniform`",
        ),
        (
            r#"<layer id="9""#,
            r#"<layer id="8""#,
            "failed to read the edges: two layers have the id `8`",
        ),
        (
            extents,
            &extents.replace("24", "18446744073709551612"),
            "failed to read the constant at port 0 of layer `random_uniform`: 8 bytes from 18446744073709551612 on do not lie",
        ),
        (
            extents,
            &extents.replace(r#"size="8""#, r#"size="4""#),
            "4 bytes are not those of i32 of the shape [2]",
        ),
        (
            minval,
            &minval.replace("f32", "f16"),
            &format!("{at_port_1}4 bytes are not those of f16 of the shape []"),
        ),
        (
            minval,
            &minval.replace("f32", "f16").replace(r#"size="4""#, r#"size="2""#),
            &format!("{at_port_1}it is f16, and the layer draws f32"),
        ),
        (
            minval,
            &minval
                .replace(r#"shape="""#, r#"shape="2""#)
                .replace(r#"size="4""#, r#"size="8""#),
            &format!("{at_port_1}it has 2 elements, expected one"),
        ),
        (
            "<dim>3</dim>",
            "<dim>4</dim>",
            "failed to read layer `random_uniform`: its output has the shape [2, 4], and its port 0 asks for [2, 3]",
        ),
        (
            "<dim>4</dim>",
            "<dim>5</dim>",
            "failed to read layer `Multinomial`: its output has the shape [1, 5], and its port 1 asks for [4]",
        ),
    ] {
        assert!(text.contains(from), "{from}");
        place.write("uniform.xml", text.replacen(from, to, 1));
        place
            .seedproof(&["convert", "uniform.xml"])
            .exits(2)
            .complains(complaint);
    }
    for to in [
        minval.replace("f32", "f33"),
        minval.replace(r#" offset="32""#, ""),
    ] {
        place.write("uniform.xml", text.replacen(minval, &to, 1));
        place
            .seedproof(&["convert", "uniform.xml"])
            .exits(0)
            .says("draws by its attributes; which values is not known");
    }
}
