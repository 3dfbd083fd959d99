//! Every captured conversion is what the readings of both ends say.

use std::collections::BTreeSet;
use std::path::Path;

use seedproof_convert::{
    Framework, Hint, Kind, Path as Way, Source, Stage, Target, UPSTREAM, Value, Verdict, advice,
    contradictions, judge, read, rule, source, with_verdicts,
};

fn files() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/conversion");
    let entries = std::fs::read_dir(folder).expect("the corpus of conversions is there");
    let paths = entries.map(|entry| entry.expect("the folder can be listed").path());
    let file = |path: std::path::PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a file of the corpus can be read");
        (path.display().to_string(), text)
    };
    paths
        .filter(|path| path.extension().is_some_and(|ending| ending == "yaml"))
        .map(file)
        .collect()
}

#[test]
fn captured_conversions_are_explained() {
    let mut wrong = Vec::new();
    let mut ids = BTreeSet::new();
    let mut inferences = 0;
    for (name, text) in files() {
        let file = read(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        for capture in file
            .models
            .iter()
            .filter(|_| file.provenance.kind == Kind::Capture)
        {
            assert!(
                ids.insert(capture.id.clone()),
                "{} stands there twice",
                capture.id
            );
            inferences += capture.verdicts.len();
            wrong.extend(
                contradictions(&file, capture)
                    .into_iter()
                    .map(|what| format!("{}: {what}", capture.id)),
            );
        }
    }
    assert!(
        wrong.is_empty(),
        "{} contradictions:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(
        inferences > 600,
        "{inferences} inferences of {} models",
        ids.len()
    );
}

#[test]
fn advice_is_given_wherever_bits_are_lost_and_a_seed_makes_them_repeatable() {
    let mut without_seeds = 0;
    for (_, text) in files() {
        for capture in read(&text).expect("the corpus is valid").models {
            let judged = |source: &Source| {
                let rule = rule(source, &capture.path).expect("every capture has a rule");
                judge(&rule, source.extents(), 0)
            };
            let cell = judged(&capture.source);
            let given = advice(&capture.source, &capture.path, &cell);
            let is_lost = cell.verdict != Verdict::SameBits;
            assert_eq!(given.is_some(), is_lost, "{}", capture.id);
            if cell.verdict != Verdict::NotRepeatable || capture.source.framework == Framework::Torch {
                continue;
            }
            let given = given.expect("it is lost");
            assert!(
                given.starts_with("give the op a seed that is not zero"),
                "{}: {given}",
                capture.id
            );
            without_seeds += usize::from(cell.stages.is_empty());
            let mut seeded = capture.source.clone();
            seeded.parameters.remove("raw_seeds");
            let is_openvino = seeded.framework == Framework::Openvino;
            let name = if is_openvino { "global_seed" } else { "seed" };
            let is_real = seeded.framework == Framework::Onnxruntime && seeded.op != "Dropout";
            let seed = if is_real {
                Value::Real(7.0)
            } else {
                Value::Integer(7)
            };
            seeded.parameters.insert(name.to_owned(), seed);
            assert_ne!(judged(&seeded).verdict, Verdict::NotRepeatable, "{}", capture.id);
        }
    }
    assert!(without_seeds > 10, "{without_seeds}");
}

#[test]
fn a_capture_that_is_another_is_noticed() {
    let (name, text) = files()
        .into_iter()
        .find(|(name, _)| name.contains("capture-tensorflow-openvino"))
        .expect("it is there");
    let changed = |from: &str, to: &str| {
        let text = text.replacen(from, to, 1);
        let file = read(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        file.models
            .iter()
            .flat_map(|capture| contradictions(&file, capture))
            .count()
    };
    assert_eq!(changed("", ""), 0);
    assert!(changed("op_seed: 9,", "op_seed: 8,") > 0);
    assert!(changed("recompiled: same", "recompiled: other") > 0);
    assert!(changed("StatelessMultinomial\"", "another\"") > 0);
    assert!(changed("- f32 3f", "- f32 3e") > 0);
}

#[test]
fn verdicts_are_written_once() {
    for (name, text) in files() {
        let again = with_verdicts(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(again, text, "{name}");
    }
    assert!(with_verdicts("schema: 2\nmodels:\n- id: a\n  source: {}\n").is_err());
}

#[test]
fn each_report_is_shown_by_a_capture() {
    let files: Vec<_> = files()
        .into_iter()
        .map(|(name, text)| read(&text).unwrap_or_else(|error| panic!("{name}: {error}")))
        .collect();
    let captures = || {
        files
            .iter()
            .filter(|file| file.provenance.kind == Kind::Capture)
            .flat_map(|file| &file.models)
    };
    for report in UPSTREAM.iter() {
        assert!(
            captures().any(|capture| report.shows(capture)),
            "no capture shows {}",
            report.id
        );
        assert!(report.program.lines().count() <= 25, "{} is long", report.id);
    }
}

fn cell(yaml: &str, target: Target, mode: &str, execution: u32) -> (Verdict, Vec<Stage>) {
    let source: Source = source(yaml).expect("the source can be read");
    let way = Way {
        target,
        mode: mode.to_owned(),
        hint: Hint::F32,
    };
    let rule = rule(&source, &way).expect("there is a rule for it");
    let cell = judge(&rule, source.extents(), execution);
    (cell.verdict, cell.stages)
}

#[test]
fn stages_are_the_fewest_that_keep_the_bits() {
    let uniform = "{framework: tensorflow, op: RandomUniform, type: f32, shape: [8], seed: 7, seed2: 9}";
    assert_eq!(
        cell(uniform, Target::Openvino, "function", 2),
        (Verdict::SameBits, vec![])
    );
    assert_eq!(
        cell(uniform, Target::Litert, "function", 0),
        (Verdict::SameBits, vec![])
    );
    assert_eq!(
        cell(uniform, Target::Litert, "function", 1),
        (Verdict::OwnBits, vec![Stage::State])
    );
    let wide =
        "{framework: tensorflow, op: RandomUniform, type: f32, shape: [8], seed: 4294967301, seed2: 9}";
    assert_eq!(
        cell(wide, Target::Litert, "function", 0),
        (Verdict::OwnBits, vec![Stage::SeedMapping])
    );
    assert_eq!(
        cell(wide, Target::Litert, "function", 1),
        (Verdict::OwnBits, vec![Stage::SeedMapping, Stage::State])
    );
    let scaled = "{framework: tensorflow, op: tf.random.uniform, type: f32, shape: [64], low: 0.1, high: 0.7, seed: 7}";
    assert_eq!(
        cell(scaled, Target::Openvino, "function", 0),
        (Verdict::SameWords, vec![Stage::ConstantFolding])
    );
    let span = "{framework: tensorflow, op: RandomUniformInt, type: i32, shape: [8], low: -2, high: 2147483647, seed: 7}";
    assert_eq!(
        cell(span, Target::Openvino, "function", 0),
        (Verdict::SameWords, vec![Stage::Range])
    );
    let coin = "{framework: torch, op: torch.bernoulli, type: f32, shape: [32], p: 0.25, generator_seed: 5}";
    assert_eq!(
        cell(coin, Target::Openvino, "trace", 1),
        (Verdict::SameBits, vec![])
    );
    let rand = "{framework: torch, op: torch.rand, type: f32, shape: [8], manual_seed: 5}";
    assert_eq!(
        cell(rand, Target::Openvino, "trace", 0),
        (Verdict::NotRepeatable, vec![Stage::SeedMapping])
    );
    let onnx = "{framework: onnxruntime, op: RandomUniform, type: f32, shape: [8], seed: 7.0}";
    assert_eq!(
        cell(onnx, Target::Openvino, "opset-15", 0),
        (Verdict::OwnBits, vec![Stage::SeedMapping, Stage::Generator])
    );
}

/// A second attribute of the same name makes a model that ONNX Runtime refuses.
#[test]
fn seed_that_is_there_is_replaced_and_not_added() {
    let way = Way {
        target: Target::Openvino,
        mode: "path-opset-15".to_owned(),
        hint: Hint::F32,
    };
    let of = |seed: &str| {
        let source = source(&format!(
            "{{framework: onnxruntime, op: RandomUniform, type: f32, shape: [8]{seed}}}"
        ));
        let source = source.expect("the source can be read");
        let rule = rule(&source, &way).expect("there is a rule for it");
        advice(&source, &way, &judge(&rule, source.extents(), 0)).expect("it is not repeatable")
    };
    assert!(of("").contains("node.attribute.append("), "{}", of(""));
    let replaced = of(", seed: 0.0");
    assert!(
        replaced.contains("next(a for a in node.attribute if a.name == \"seed\").f = 7.0"),
        "{replaced}"
    );
}

/// ONNX Runtime 1.31 and the reference evaluator refuse it.
#[test]
fn uniform_like_whole_numbers_is_refused() {
    let like = "{framework: onnx, op: RandomUniformLike, type: i64, shape: [8], seed: 7.0}";
    assert_eq!(
        cell(like, Target::Onnxruntime, "path-opset-17", 0).0,
        Verdict::Refused
    );
}

#[test]
fn verdicts_do_not_depend_on_the_number_of_elements() {
    for shape in ["[1]", "[0]", "[4096, 4096, 4096, 4096, 4096, 4096]"] {
        let same = format!(
            "{{framework: tensorflow, op: RandomUniform, type: f32, shape: {shape}, seed: 7, seed2: 9}}"
        );
        assert_eq!(
            cell(&same, Target::Openvino, "function", 0),
            (Verdict::SameBits, vec![]),
            "{shape}"
        );
        assert_eq!(
            cell(&same, Target::Openvino, "function", 2),
            (Verdict::SameBits, vec![]),
            "{shape}"
        );
        let other = format!(
            "{{framework: tensorflow, op: RandomUniformInt, type: i64, shape: {shape}, low: 0, high: 2, seed: 7}}"
        );
        let lost = (Verdict::OwnBits, vec![Stage::TypeLowering]);
        assert_eq!(cell(&other, Target::Openvino, "function", 0), lost, "{shape}");
    }
}

/// The packages refuse these, or end the process, as the readings of their ops do.
#[test]
fn refusals_of_readings_are_those_of_a_conversion() {
    let verdict = |yaml: &str, target| cell(yaml, target, "path-opset-15", 0).0;
    let of =
        |framework: &str, rest: &str| format!("{{framework: {framework}, shape: [8], seed: 7.0, {rest}}}");
    let normal = of("onnxruntime", "op: RandomNormal, type: f16, mean: 7.0e+4");
    assert_eq!(verdict(&normal, Target::Openvino), Verdict::Refused);
    let normal = of("onnxruntime", "op: RandomNormal, type: f16, mean: 6.0e+4");
    assert_eq!(verdict(&normal, Target::Openvino), Verdict::OwnBits);
    let point = of("onnxruntime", "op: RandomUniform, type: f32, low: 1.0, high: 1.0");
    assert_eq!(verdict(&point, Target::Openvino), Verdict::Refused);
    let unseeded = "{framework: onnxruntime, shape: [8], op: RandomUniform, type: f32, low: 1.0, high: 1.0}";
    assert_eq!(verdict(unseeded, Target::Openvino), Verdict::Refused);
    let reversed = of("onnx", "op: RandomUniform, type: f32, low: 1.0, high: 0.5");
    assert_eq!(verdict(&reversed, Target::Onnxruntime), Verdict::Refused);
    let no_coin = of("onnx", "op: Bernoulli, type: f32, p: 1.5");
    let (verdict, stages) = cell(&no_coin, Target::Onnxruntime, "path-opset-15", 0);
    assert_eq!((verdict, stages), (Verdict::OwnBits, vec![Stage::OpMapping]));
}

/// LiteRT's converter draws from a constant key itself, unless the constant would have more than 8,192 bytes.
#[test]
fn large_draws_of_a_constant_key_are_no_constants() {
    let verdict = |count: u32| {
        let yaml = format!(
            "{{framework: tensorflow, op: StatelessRandomNormalV2, type: f32, shape: [{count}], key: [7], counter: [1, 2]}}"
        );
        cell(&yaml, Target::Litert, "saved_model", 0).0
    };
    assert_eq!(
        (verdict(2048), verdict(2049)),
        (Verdict::SameBits, Verdict::Refused)
    );
}

/// A flag of a source is true as YAML writes it and as files of XML do.
#[test]
fn a_flag_that_is_true_is_read_as_true() {
    let drawn = |flag: &str| {
        let yaml = format!(
            "{{framework: openvino, op: Multinomial, type: i64, shape: [1, 8], global_seed: 1, op_seed: 2, probs_type: f32, \
             probs: [0.0, 1.0, 2.0, 0.5, 0.1, 0.2, 0.3, 0.4], log_probs: true, with_replacement: {flag}}}"
        );
        let source: Source = source(&yaml).expect("the source can be read");
        let way = Way {
            target: Target::Openvino,
            mode: "model".to_owned(),
            hint: Hint::F32,
        };
        let rule = rule(&source, &way).expect("there is a rule for it");
        judge(&rule, source.extents(), 0)
            .target
            .expect("its weights are known")
    };
    assert_eq!(drawn("true"), drawn("'TRUE'"));
    assert_eq!(drawn("false"), drawn("'FALSE'"));
    assert_ne!(drawn("true"), drawn("false"));
}
