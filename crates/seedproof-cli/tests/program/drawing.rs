//! `seedproof draw`.

use seedproof_ops::{Kind, Named, OpName, Role};

use crate::Place;

/// The request of the specification's first example.
const EXAMPLE: [&str; 12] = [
    "draw",
    "ru8",
    "--alignment",
    "TENSORFLOW",
    "--dtype",
    "f32",
    "--seeds",
    "150,10",
    "--shape",
    "3,3",
    "--range",
    "0,1",
];

fn example<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&EXAMPLE[..], more].concat()
}

/// The example with another value of one option.
fn other<'a>(option: &str, value: &'a str) -> Vec<&'a str> {
    let mut args = example(&[]);
    let at = args.iter().position(|arg| *arg == option).unwrap();
    args[at + 1] = value;
    args
}

/// The integer ops have their bounds as attributes, and all others as inputs.
#[test]
fn range_is_a_short_form_of_both_bounds_in_every_op() {
    let place = Place::new();
    for request in [
        &[
            "tkr",
            "--output_type",
            "i64",
            "--output_sizes",
            "4",
            "--key",
            "5,0",
        ][..],
        &["rsi", "--dtype", "i32", "--shape", "4", "--seed", "7"],
        &[
            "npi",
            "--dtype",
            "i32",
            "--shape",
            "4",
            "--seed",
            "7",
            "--bit_generator",
            "PCG64",
        ],
    ] {
        let short = place
            .seedproof(&[&["draw"], request, &["--range", "-5,100", "--json"]].concat())
            .exits(0);
        let long = [&["draw"], request, &["--low", "-5", "--high", "100", "--json"]].concat();
        assert_eq!(short.out, place.seedproof(&long).exits(0).out);
    }
}

#[test]
fn draw_prints_values_bits_and_stages() {
    Place::new()
        .seedproof(&example(&["--stages"]))
        .exits(0)
        .says("RandomUniform-8 TENSORFLOW f32 [3,3], seeds 150/10, range [0.0, 1.0)")
        .says("spec draws output: f32 [3,3]\n  [[ 0.7011236, 0.30539632, 0.93931055],\n")
        .says("bits\n  [[3f337cd6, 3e9c5ce8, 3f7076a8],\n")
        .says("5  c4c0fc55            3f01f8aa 0.50770056                    3f01f8aa 0.50770056                    1.1");
    // An output without elements has no bits.
    Place::new()
        .seedproof(&other("--shape", "0"))
        .exits(0)
        .says("draws output: f32 [0]\n  no elements: an extent of [0] is 0\n\nthe same: ");
}

#[test]
fn stages_have_every_word_of_an_element() {
    Place::new()
        .seedproof(&[&other("--dtype", "f64")[..], &["--stages"]].concat())
        .exits(0)
        .says("\n       1  96f83b54 d5790989   3fe076a9aaf21312 ");
}

#[test]
fn draw_takes_every_attribute_and_input_by_its_own_name() {
    let place = Place::new();
    let long = [
        "draw",
        "openvino.RandomUniform-8",
        "--alignment",
        "tensorflow",
        "--output-type",
        "F32",
        "--global_seed",
        "0x96",
        "--op-seed",
        "10",
        "--shape",
        "i32:[3, 3]",
        "--minval",
        "[0]",
        "--maxval",
        "0x3f800000",
    ];
    place
        .seedproof(&long)
        .exits(0)
        .says("[[3f337cd6, 3e9c5ce8, 3f7076a8],")
        .says("shape       i32 [2]: 3 3")
        .says("minval      f32 [1]: 00000000 (0.0)");
}

#[test]
fn draw_compares_with_readings_that_have_the_op() {
    let place = Place::new();
    let tokens = [
        "draw",
        "triton.rand",
        "--seed",
        "1",
        "--offset",
        "0",
        "--num",
        "2",
    ];
    let ran = place.seedproof(&tokens).exits(0).says("the same: triton-3.9");
    assert!(!ran.out.contains("openvino"), "{}", ran.out);
    // ONNX Runtime has RandomUniform, and not of bf16.
    place
        .seedproof(&other("--dtype", "bf16"))
        .exits(0)
        .says("no answer: onnxruntime-1.31");
}

/// No op is special: each has its options, and the short ones that its description gives it.
#[test]
fn draw_has_options_for_every_op() {
    let place = Place::new();
    for &op in OpName::ALL {
        let description = op.description();
        let help = place.seedproof(&["draw", description.prefix, "--help"]).exits(0);
        // A narrow help has the alias on a line below.
        let words: Vec<&str> = help.out.split_whitespace().collect();
        let words = words.join(" ");
        for name in description.names() {
            assert!(!words.contains(&format!("[alias: --{name}]")), "{name}");
            assert!(
                help.out.contains(&format!("--{name} ")) || help.out.contains(&format!("--{name}[")),
                "{name}"
            );
        }
        let seeds = description
            .attributes
            .iter()
            .filter(|info| info.kind == Kind::Seed);
        assert_eq!(help.out.contains("--seeds"), seeds.count() > 1);
        let bounds = description
            .inputs
            .iter()
            .filter(|info| matches!(info.role, Role::Lower | Role::Upper));
        let numbers = description
            .attributes
            .iter()
            .filter(|info| ["low", "high", "minval", "maxval", "from", "to"].contains(&info.name));
        assert_eq!(
            help.out.contains("--range"),
            bounds.count() + numbers.count() == 2
        );
    }
}

/// Seeds and bounds have a short form, and either form is enough.
#[test]
fn usage_of_an_op_has_the_options_that_its_request_needs() {
    let place = Place::new();
    for (op, options) in [
        (
            "ru8",
            "--output_type <TYPE> --alignment <NAME> --shape <VALUE|@FILE.npy>",
        ),
        ("tpe", "--output_type <TYPE> --n <N> --seed <N>"),
    ] {
        place
            .seedproof(&["draw", op, "--help"])
            .exits(0)
            .says(&format!("Usage: seedproof draw {op} [OPTIONS] {options}\n"));
    }
}

#[test]
fn draw_answers_for_other_ops() {
    let place = Place::new();
    place
        .seedproof(&["draw", "tfkc", "--seed", "0,0", "--stages"])
        .exits(0)
        .says("spec draws key: u64 [1]")
        .says("spec draws counter: u64 [2]")
        // The reference says of each block which counter it is of.
        .says("block.word counter\n")
        .says("the same: tensorflow-2.21");
    let multinomial = [
        "draw",
        "mn13",
        "--convert_type",
        "i64",
        "--with_replacement",
        "--seeds",
        "1,2",
        "--num_samples",
        "4",
        "--probs",
    ];
    place
        .seedproof(&[&multinomial[..], &["f32:[0.1, 0.9]"]].concat())
        .exits(0)
        .says("probs       f32 [1,2]: 3dcccccd 3f666666 (0.1 0.9)")
        .says("[[1, 1, 1, 1]]");
    place
        .seedproof(&[&multinomial[..], &["[0.1, 0.9]"]].concat())
        .exits(2)
        .complains("such as --probs f32:[0.1, 0.9]");
}

#[test]
fn draw_writes_files_that_it_reads() {
    let place = Place::new();
    let state = "0,0,10,0,150,0";
    let dml = [
        "draw",
        "dml",
        "--feature_level",
        "4.0",
        "--shape",
        "2,5",
        "--output_state",
    ];
    place
        .seedproof(&[&dml[..], &["--input_state", state, "-o", "words.npy"]].concat())
        .exits(0)
        .says("spec draws output_state: u32 [1,1,1,6]\n  [[[[  3,   0,  10,   0, 150,   0]]]]")
        .complains("wrote words.output_state.npy (u32 [1,1,1,6])");
    place
        .seedproof(&[&dml[..], &["--input_state", state, "--actual", "words.npy"]].concat())
        .exits(0)
        .says("pass");
    place
        .seedproof(&[&dml[..], &["--input_state", "@words.output_state.npy"]].concat())
        .exits(0)
        .says("input_state u32 [1,1,1,6]: 3 0 10 0 150 0");
    place
        .seedproof(
            &[
                &dml[..],
                &["--input_state", "@words.npy", "--actual", "words.npy"],
            ]
            .concat(),
        )
        .exits(2)
        .complains("the request has no output: rejected");
    place
        .seedproof(&example(&["-o", "-"]))
        .exits(2)
        .complains("--out expects a file name");
}

/// A seed has two words, and some keys have four.
#[test]
fn draw_makes_a_key_of_a_seed_as_the_implementation_does() {
    let key = [
        "draw", "jxu", "--impl", "rbg", "--dtype", "f32", "--shape", "3", "--range", "0,1", "--seed", "5",
    ];
    Place::new()
        .seedproof(&key)
        .exits(0)
        .says("key         u32 [4]: 0 5 0 5\n");
}

#[test]
fn draw_takes_the_values_of_a_file_in_a_narrower_type() {
    let place = Place::new();
    let draw = |dtype: &str, more: &[&str]| {
        let args = [
            "draw",
            "ru8",
            "--alignment",
            "TENSORFLOW",
            "--dtype",
            dtype,
            "--seeds",
            "150,10",
        ];
        place.seedproof(&[&args[..], more].concat())
    };
    let unit = ["--range", "0,1"];
    draw("f16", &[&unit[..], &["--shape", "1", "-o", "half.npy"]].concat()).exits(0);
    draw("f32", &["--shape", "3", "--minval", "0", "--maxval", "@half.npy"])
        .exits(0)
        .says("maxval      f32 [1]: 3f1ac000 (0.6044922)\n");
    // Where the op takes several types, a file has to say which.
    draw("f32", &[&unit[..], &["--shape", "@half.npy"]].concat())
        .exits(2)
        .complains("failed to read --shape: half.npy: elements of f16; expected i64 or i32");
}

#[test]
fn draw_explains_another_output() {
    let place = Place::new();
    place
        .seedproof(&[&other("--alignment", "PYTORCH")[..], &["-o", "twister.npy"]].concat())
        .exits(0);
    place
        .seedproof(&example(&["--actual", "twister.npy"]))
        .exits(1)
        .says("dump  ad-hoc/ru8")
        .says("9 of 9 elements differ");
    let otherwise = [&other("--range", "-3.3,100.7")[..], &["-o", "fused.npy"]].concat();
    place
        .seedproof(&[&otherwise[..], &["--reading", "openvino-cpu-2026.4"]].concat())
        .exits(0)
        .says("otherwise: spec (");
    place
        .seedproof(&[&other("--range", "-3.3,100.7")[..], &["--actual", "fused.npy"]].concat())
        .exits(1)
        .says("not as spec answers, but as openvino-cpu-2026.4");
    let judged = ["--actual", "fused.npy", "--reading", "openvino-cpu-2026.4"];
    place
        .seedproof(&[&other("--range", "-3.3,100.7")[..], &judged].concat())
        .exits(0);
}

#[test]
fn draw_names_the_readings_that_draw_otherwise() {
    let place = Place::new();
    let range = other("--range", "-3.3,100.7");
    place
        .seedproof(&range)
        .exits(0)
        .says("the same: openvino-core-2026.4, ")
        .says("otherwise: openvino-cpu-2026.4 (1 of 9 elements), ")
        .says("`--reading openvino-cpu-2026.4` prints what it draws");
    place
        .seedproof(&[&range[..], &["--reading", "all"]].concat())
        .exits(0)
        .says("\nopenvino-cpu-2026.4 draws output: f32 [3,3]\n");
    let large = ["--shape", "1000000", "--elements", "3"];
    let mut args: Vec<&str> = range
        .iter()
        .copied()
        .filter(|arg| !["--shape", "3,3"].contains(arg))
        .collect();
    args.extend(large);
    place
        .seedproof(&args)
        .exits(0)
        .says("999997 more: --elements N shows them")
        .says("otherwise in the first 65536 elements: openvino-cpu-2026.4 (");
}

#[test]
fn draw_prints_json() {
    let place = Place::new();
    let out = place.seedproof(&example(&["--json", "--stages"])).exits(0).out;
    let document: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(document["outputs"]["output"]["bits"][0], "3f337cd6");
    assert_eq!(document["outputs"]["output"]["count"], 9);
    assert_eq!(document["request"]["attrs"]["global_seed"], "150");
    assert_eq!(document["stages"][4]["block"], 1);
    assert_eq!(document["stages"][4]["value"]["bits"], "3def8250");
    assert_eq!(document["readings"]["tensorflow-2.21"]["draws"], "the same");
    let out = place
        .seedproof(&[&other("--range", "1,0")[..], &["--json"]].concat())
        .exits(0)
        .out;
    let document: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(document["rejected"]["kind"], "range");
}

#[test]
fn draw_says_that_an_output_is_not_determined() {
    let place = Place::new();
    place
        .seedproof(&other("--seeds", "0,0"))
        .exits(0)
        .says("this output is random")
        .never_says("otherwise: ");
    place
        .seedproof(&[&other("--seeds", "0,0")[..], &["--actual", "-"]].concat())
        .exits(2)
        .complains("the output of this request is random")
        .complains("some readings determine it: `--reading ");
    let half = [&other("--dtype", "f16")[..], &["--actual", "-"]].concat();
    let zeros: Vec<&str> = half
        .into_iter()
        .map(|arg| if arg == "150,10" { "0,0" } else { arg })
        .collect();
    place
        .seedproof(&zeros)
        .exits(2)
        .complains("so there is nothing to compare with\n");
}

#[test]
fn draw_answers_wrong_values_with_the_right_ones() {
    let place = Place::new();
    for (option, value, answer) in [
        ("--alignment", "tensorflw", "did you mean `TENSORFLOW`?"),
        ("--dtype", "fp32", "did you mean `f32`?"),
        (
            "--seeds",
            "150",
            "expected 2 values, global_seed and op_seed, not `150`",
        ),
        (
            "--seeds",
            "150,x",
            "`x` is not a whole number from -2^63 to 2^64 - 1",
        ),
        ("--shape", "3,x", "failed to read --shape: `x` is not a valid i64"),
        (
            "--shape",
            "i46:3",
            "`i46` is not an element type; did you mean `i16`?",
        ),
        (
            "--shape",
            "1000000000,3000",
            "takes 12000000000000 bytes, more than the limit",
        ),
        ("--shape", "@absent.npy", "failed to read absent.npy"),
        ("--range", "0", "expected 2 values, minval and maxval, not `0`"),
        (
            "--range",
            "0,one",
            "failed to read --maxval: `one` is not a valid f32: expected a decimal number",
        ),
    ] {
        let ran = place.seedproof(&other(option, value));
        assert!([Some(2), Some(3)].contains(&ran.status), "{option} {value}");
        ran.complains(answer);
    }
    place
        .seedproof(&["draw", "ru9"])
        .exits(2)
        .complains("a similar subcommand exists: 'ru8'");
    place
        .seedproof(&example(&["--reading", "torch"]))
        .exits(2)
        .complains("there is no reading `torch`");
    place
        .seedproof(&other("--range", "1,0"))
        .exits(0)
        .says("spec rejects it (range): ")
        .says("otherwise: tensorflow-2.21 (draws)\n");
}
