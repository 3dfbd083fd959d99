//! Models that exporters wrote, and what becomes of them as a whole. `harness/conversion/exported_models.py` writes them; what the
//! packages did with each, loaded from its file, stands beside it.

use std::path::Path;

use seedproof_convert::{
    Assessment, Body, Format, Hint, Model, Target, Verdict, Whole, assess, read_model, ways,
};

fn model(name: &str) -> (Format, Model) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models");
    let bytes = std::fs::read(folder.join(name)).expect("the model is there");
    let format = Format::of(name).expect("its form is known");
    (format, read_model(format, bytes, &[]).expect("it can be read"))
}

/// What becomes of a model on its way to a runtime: on the first of its paths to it.
fn goes(name: &str, target: Target, hint: Hint) -> Assessment {
    let (format, model) = model(name);
    let (from, path) = ways(format, &model, hint)
        .into_iter()
        .find(|(_, path)| path.target == target)
        .expect("there is a path");
    assess(&model, from, &path, &(0..=2), 8)
}

fn verdicts(assessment: &Assessment) -> Vec<Vec<Verdict>> {
    let verdicts = |cells: &[seedproof_convert::Cell]| cells.iter().map(|cell| cell.verdict).collect();
    assessment.ops.iter().map(|op| verdicts(&op.cells)).collect()
}

/// LiteRT draws another block in the second inference, which a look at the first alone does not show.
#[test]
fn litert_keeps_the_first_inference_alone() {
    let assessment = goes("dropout.pb", Target::Litert, Hint::F32);
    assert_eq!(assessment.whole, Whole::SameAtFirst);
    let [one] = verdicts(&assessment).try_into().expect("one op");
    assert_eq!(one, [Verdict::SameBits, Verdict::OwnBits, Verdict::OwnBits]);
}

/// A loop of three iterations, and a branch: LiteRT draws other numbers from the second iteration on, and repeats the branch.
#[test]
fn state_in_loops_and_branches_is_the_runtimes_own() {
    for name in ["bodies.pb", "bodies.tflite"] {
        let assessment = goes(name, Target::Litert, Hint::F32);
        assert_eq!(assessment.whole, Whole::OwnBits, "{name}");
        let of = |body| {
            let is_there = |op: &&seedproof_convert::Assessed| op.source.body() == body;
            let op = assessment.ops.iter().find(is_there).expect("it is there");
            op.cells.iter().map(|cell| cell.verdict).collect::<Vec<_>>()
        };
        let (same, own) = (Verdict::SameBits, Verdict::OwnBits);
        assert_eq!(of(Some(Body::Loop)), [own, own, own], "{name}");
        assert_eq!(of(Some(Body::Branch)), [same, own, own], "{name}");
        assert_eq!(of(None), [same, own, own], "{name}");
        let branch = assessment
            .ops
            .iter()
            .find(|op| op.source.body() == Some(Body::Branch));
        let cells = &branch.expect("it is there").cells;
        assert_eq!(cells[1].target, cells[0].target, "{name}");
    }
    // OpenVINO continues each stream, in the body as at the top.
    let assessment = goes("bodies.pb", Target::Openvino, Hint::F32);
    assert_eq!(assessment.whole, Whole::Same);
    for op in &assessment.ops {
        // The op draws in each of the iterations, so that its second draw does not belong to the second inference.
        let is_shown: Vec<bool> = op.cells.iter().map(|cell| cell.source.is_some()).collect();
        let is_loop = op.source.body() == Some(Body::Loop);
        assert_eq!(is_shown, [true, !is_loop, !is_loop], "{}", op.source);
    }
}

/// A converter takes what the served signature needs. A step of training is not part of it.
#[test]
fn ops_that_the_signature_does_not_reach_are_not_counted() {
    let assessment = goes("served.pb", Target::Openvino, Hint::F32);
    assert_eq!(
        (assessment.ops.len(), assessment.whole),
        (0, Whole::NothingRandom)
    );
}

/// OpenVINO 2026.4.1 draws these bits for `(u + 0.7) * 0.3`.
#[test]
fn operations_after_a_draw_move_into_its_bounds_one_by_one() {
    let assessment = goes("shifted.pb", Target::Openvino, Hint::F32);
    assert_eq!(assessment.whole, Whole::SameWords);
    let [source, target] = drawn(&assessment, 0, 0);
    let measured = [0.326_493_4_f32, 0.409_104_88, 0.267_573_24, 0.421_815_84];
    let bits = measured.map(|number| u64::from(number.to_bits()));
    assert_eq!(target.expect("it is modelled")[..4], bits);
    assert_ne!(source.expect("it is modelled")[0], bits[0]);
    // A vector has another factor for each element, which stays behind the draw.
    let assessment = goes("channels.pb", Target::Openvino, Hint::F32);
    assert_eq!(assessment.whole, Whole::Same);
    assert_eq!(assessment.ops[0].source.op, "RandomUniform");
}

#[test]
fn scalar_of_openvino_is_not_drawn() {
    let assessment = goes("scalar.pb", Target::Openvino, Hint::F32);
    assert_eq!(assessment.whole, Whole::NotDrawn { ops: 1 });
    assert_eq!(
        goes("scalar.pb", Target::Litert, Hint::F32).whole,
        Whole::SameAtFirst
    );
}

#[test]
fn random_op_without_a_rule_sinks_the_model() {
    for target in [Target::Openvino, Target::Litert] {
        let assessment = goes("poisson.pb", target, Hint::F32);
        assert_eq!(assessment.whole, Whole::Refused { ops: 1 }, "{target:?}");
    }
}

/// ONNX Runtime 1.31 draws in the first and the last of three, whose data or whose result is the model's.
#[test]
fn dropout_between_nodes_is_removed() {
    let assessment = goes("between.onnx", Target::Onnxruntime, Hint::F32);
    assert_eq!(assessment.whole, Whole::NotDrawn { ops: 1 });
    let first: Vec<Verdict> = assessment.ops.iter().map(|op| op.cells[0].verdict).collect();
    assert_eq!(first, [Verdict::OwnBits, Verdict::NotDrawn, Verdict::OwnBits]);
}

/// A single layer has no dropout, and an activation in evaluation is not random.
#[test]
fn dropout_of_layers_and_of_attention_is_lost() {
    let assessment = goes("layers.pt2", Target::Openvino, Hint::F32);
    let ops: Vec<&str> = assessment.ops.iter().map(|op| op.source.op.as_str()).collect();
    assert_eq!(
        ops,
        [
            "torch.nn.LSTM",
            "torch.nn.functional.scaled_dot_product_attention"
        ]
    );
    assert_eq!(assessment.whole, Whole::NotDrawn { ops: 2 });
    assert!(!assessment.may_be_refused());
    assert!(goes("halves.pt2", Target::Openvino, Hint::F32).may_be_refused());
}

/// The file leaves out `output_dtype`, whose default is i64, and OpenVINO refuses the model for it.
#[test]
fn attributes_that_are_left_out_have_their_defaults() {
    let assessment = goes("categorical.pb", Target::Openvino, Hint::F32);
    assert_eq!(assessment.ops[0].source.kind, "i64");
    assert_eq!(assessment.whole, Whole::Refused { ops: 1 });
    assert_eq!(
        goes("categorical.pb", Target::Litert, Hint::F32).whole,
        Whole::Same
    );
}

#[test]
fn one_refused_op_sinks_the_model() {
    let assessment = goes("mixed.pb", Target::Openvino, Hint::F32);
    assert_eq!(assessment.whole, Whole::Refused { ops: 1 });
    assert_eq!(assessment.missing, ["StatelessRandomGetKeyCounter"]);
    assert_eq!(assessment.ops[0].cells[0].verdict, Verdict::SameBits);
    // TensorFlow makes the key of the stateless op from a constant seed, and draws the same in each call.
    let [source, target] = drawn(&assessment, 1, 2);
    assert_eq!(
        source.expect("the seed is in the model")[..2],
        [0x3e79_2058, 0x3f7b_c712]
    );
    assert_eq!(target, None);
}

/// The mask is kept at the hint f16, and the scale 1 / 0.7 is rounded to f16.
#[test]
fn dropout_is_recognised_by_what_follows_the_draw() {
    let assessment = goes("dropout.pb", Target::Openvino, Hint::F32);
    assert_eq!(assessment.ops[0].source.op, "tf.nn.dropout");
    assert_eq!(assessment.ops[0].source.real("rate"), Some(0.3));
    assert_eq!(assessment.whole, Whole::Same);
    assert_eq!(
        goes("dropout.pb", Target::Openvino, Hint::F16).whole,
        Whole::SameWords
    );
}

/// ONNX Runtime draws 2.35e-5, 0.3946 … of `fn_ref.onnx`, whose seed stands in the call of a function.
#[test]
fn calls_of_functions_bring_their_attributes() {
    let assessment = goes("fn_ref.onnx", Target::Onnxruntime, Hint::Default);
    assert_eq!(assessment.ops[0].source.real("seed"), Some(3.0));
    let drawn = assessment.ops[0].cells[0].target.as_ref().expect("it is drawn");
    assert_eq!(drawn.bits[..2], [0x37c4_f400, 0x3eca_0ac3]);
    let twice = goes("fn_twice.onnx", Target::Openvino, Hint::Default);
    assert_eq!(twice.ops.len(), 2);
    assert_eq!(twice.whole, Whole::Refused { ops: 2 });
    assert_eq!(twice.missing, ["my.Noise"]);
    // A function without random ops is refused too.
    let plain = goes("fn_plain.onnx", Target::Openvino, Hint::Default);
    assert_eq!(plain.whole, Whole::Refused { ops: 0 });
    assert_eq!(plain.missing, ["my.Twice"]);
}

/// The bits of both ends in an inference.
fn drawn(assessment: &Assessment, op: usize, inference: usize) -> [Option<Vec<u64>>; 2] {
    let cell = &assessment.ops[op].cells[inference];
    [&cell.source, &cell.target].map(|drawn| drawn.as_ref().map(|drawn| drawn.bits.clone()))
}

/// The packages drew these from `noise.onnx`, whose Multinomial has constant logits: ONNX Runtime and OpenVINO in the third inference
/// of one session, and the reference evaluator refuses Multinomial.
#[test]
fn normals_and_classes_are_drawn_at_both_ends() {
    let assessment = goes("noise.onnx", Target::Openvino, Hint::Default);
    assert_eq!(
        drawn(&assessment, 0, 2),
        [
            Some(vec![0x3fd3_5025, 0x3f6c_c5e2, 0x3fa8_19dd, 0x3fa4_16aa]),
            Some(vec![0x3fb1_e000, 0x3ff1_f4f6, 0x3fc4_48aa, 0x3f23_6a17])
        ]
    );
    assert_eq!(
        drawn(&assessment, 1, 2),
        [
            Some(vec![1, 1, 0, 1, 3, 0, 1, 1]),
            Some(vec![1, 1, 1, 3, 1, 1, 3, 1])
        ]
    );
    assert_eq!(assessment.whole, Whole::OwnBits);
    // The plugin rounds what follows its draws in its own way at this hint.
    let rounded = goes("noise.onnx", Target::Openvino, Hint::F16);
    assert_eq!(drawn(&rounded, 0, 0)[1], None);
    assert_eq!(verdicts(&rounded), verdicts(&assessment));
}

/// The model has a probability for each element. OpenVINO refuses it, ONNX Runtime draws ones with the complements, and the
/// reference evaluator repeats.
#[test]
fn coins_are_drawn_at_both_ends() {
    let assessment = goes("coins.onnx", Target::Onnxruntime, Hint::Default);
    let coins = |bits: u64| {
        let one = |place: u64| if bits >> place & 1 == 1 { 0x3f80_0000 } else { 0 };
        Some((0..8).map(one).collect::<Vec<_>>())
    };
    assert_eq!(drawn(&assessment, 0, 0), [coins(0b0010_1110), coins(0b0001_0010)]);
    assert_eq!(drawn(&assessment, 0, 2), [coins(0b0010_1110), coins(0b1100_1101)]);
    let refused = goes("coins.onnx", Target::Openvino, Hint::Default);
    assert_eq!(drawn(&refused, 0, 0), [coins(0b0001_0010), None]);
}

#[test]
fn seeds_of_dropout_are_whole_numbers_and_all_others_floats() {
    let assessment = goes("drop5.onnx", Target::Onnxruntime, Hint::Default);
    assert_eq!(assessment.ops[0].source.integer("seed"), Some(5));
    assert_eq!(assessment.whole, Whole::OwnBits);
    // Of ones, in the third run of a session, whose seed is 7.
    assert_eq!(drawn(&assessment, 0, 2)[1], Some(vec![0, 0x4000_0000, 0, 0]));
    // ONNX Runtime refuses a whole number as the seed of RandomUniform, which OpenVINO takes.
    let wrong = goes("intseed.onnx", Target::Onnxruntime, Hint::Default);
    assert_eq!(wrong.whole, Whole::Refused { ops: 1 });
    assert_eq!(
        goes("intseed.onnx", Target::Openvino, Hint::Default).whole,
        Whole::OwnBits
    );
}

/// OpenVINO draws 0.93573034 … from a model that ONNX Runtime has no kernel for.
#[test]
fn what_the_source_refuses_the_target_may_take() {
    let assessment = goes("op22.onnx", Target::Openvino, Hint::Default);
    assert_eq!(assessment.whole, Whole::OwnBits);
    let cell = &assessment.ops[0].cells[0];
    assert_eq!(cell.target.as_ref().expect("it is drawn").bits[0], 0x3f6f_8c06);
    assert!(cell.why.contains("RandomUniform(22) node"), "{}", cell.why);
    let refused = goes("op22.onnx", Target::Onnxruntime, Hint::Default);
    assert_eq!(refused.whole, Whole::Refused { ops: 1 });
}

/// Seeds of TensorFlow's own ops stand in their custom options, and the interpreter refuses the ops.
#[test]
fn flex_ops_have_their_seeds() {
    let assessment = goes("flex.tflite", Target::Litert, Hint::Default);
    let seeds: Vec<_> = assessment
        .ops
        .iter()
        .map(|op| {
            (
                op.source.op.as_str(),
                op.source.integer("seed"),
                op.source.integer("seed2"),
            )
        })
        .collect();
    assert_eq!(
        seeds,
        [
            ("FlexRandomUniform", Some(1234), Some(8)),
            ("FlexTruncatedNormal", Some(87_654_321), Some(5)),
        ]
    );
    assert_eq!(assessment.whole, Whole::Refused { ops: 2 });
}

/// Nine random ops of an exported program, of which OpenVINO's converter refuses five.
#[test]
fn exported_programs_of_pytorch_are_read() {
    let assessment = goes("sampler.pt2", Target::Openvino, Hint::Default);
    let ops: Vec<_> = assessment.ops.iter().map(|op| op.source.to_string()).collect();
    assert_eq!(ops.len(), 9, "{ops:?}");
    assert_eq!(
        ops[0],
        "torch.nn.functional.dropout f32, aten dropout.default, p 0.3"
    );
    assert_eq!(assessment.ops[3].source.kind, "f64");
    assert_eq!(assessment.ops[1].source.shape, Some(vec![2, 4]));
    assert!(assessment.ops.iter().all(|op| op.rule.is_some()));
    assert_eq!(assessment.whole, Whole::Refused { ops: 5 });
}

/// Values of an output whose shape is open are those that do not depend on it: none of a second inference, which begins where the
/// elements of the first end.
#[test]
fn values_of_an_open_shape_do_not_depend_on_how_many_are_asked_for() {
    let (format, mut model) = model("dropout.pb");
    model.found[0].source.shape = None;
    let (from, path) = ways(format, &model, Hint::F32).swap_remove(0);
    let drawn = |few| {
        let cells = assess(&model, from, &path, &(0..=1), few)
            .ops
            .swap_remove(0)
            .cells;
        cells
            .into_iter()
            .map(|cell| cell.target.map(|drawn| drawn.bits))
            .collect::<Vec<_>>()
    };
    let (eight, many) = (drawn(8), drawn(21));
    assert_eq!(eight[0].as_deref(), many[0].as_ref().map(|bits| &bits[..8]));
    assert_eq!((&eight[1], &many[1]), (&None, &None));
}

/// A file of some hundred bytes whose functions call functions is refused before its calls are followed to the end.
#[test]
fn calls_that_multiply_end() {
    let text = |bytes: &[u8]| [&[u8::try_from(bytes.len()).expect("it is short")], bytes].concat();
    let field = |tag: u8, bytes: &[u8]| [&[tag << 3 | 2][..], &text(bytes)].concat();
    let call = |name: &[u8]| [field(4, name), field(7, b"m")].concat();
    let mut model = vec![0x42, 4, 0x0a, 0, 0x10, 15];
    let graph = [field(1, &call(b"a")), field(2, b"g")].concat();
    model.extend(field(7, &graph));
    for (name, callee) in [(b"a", b"b"), (b"b", b"c"), (b"c", b"a")] {
        let bodies: Vec<u8> = (0..9).flat_map(|_| field(7, &call(callee))).collect();
        let function = [field(1, name), bodies, field(10, b"m")].concat();
        model.extend([0xca, 1]);
        model.extend(text(&function));
    }
    let error = read_model(Format::Onnx, model, &[]).expect_err("it does not end");
    assert!(error.contains("failed to follow the functions"), "{error}");
}

#[test]
fn broken_archives_are_refused() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models");
    let whole = std::fs::read(folder.join("sampler.pt2")).expect("the model is there");
    let read = |bytes: Vec<u8>| read_model(Format::ExportedProgram, bytes, &[]);
    for length in (0..whole.len()).step_by(97) {
        assert!(read(whole[..length].to_vec()).is_err(), "{length}");
    }
    let mut state = 1_u64;
    let (mut taken, mut refused) = (0, 0);
    for _ in 0..2_000 {
        let mut bytes = whole.clone();
        for _ in 0..4 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let at = usize::try_from(state >> 33).expect("31 bits") % bytes.len();
            bytes[at] = state.to_le_bytes()[1];
        }
        match read(bytes) {
            Ok(_) => taken += 1,
            Err(error) => {
                assert!(error.starts_with("failed to "), "{error}");
                refused += 1;
            }
        }
    }
    assert!(taken > 20 && refused > 100, "{taken} are read, {refused} refused");
}
