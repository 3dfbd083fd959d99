//! `seedproof whois`.

use crate::Place;

fn drawn(place: &Place, alignment: &str, dtype: &str, seeds: &str, range: &str) {
    let shape = ["--shape", "40", "--out", "dump.npy"];
    let request = [
        "draw",
        "ru8",
        "--alignment",
        alignment,
        "--dtype",
        dtype,
        "--seeds",
        seeds,
        "--range",
        range,
    ];
    place.seedproof(&[&request[..], &shape[..]].concat()).exits(0);
}

#[test]
fn whois_names_readings_and_requests() {
    let place = Place::new();
    drawn(&place, "TENSORFLOW", "f32", "42,7", "0,1");
    place
        .seedproof(&["whois", "dump.npy", "--seed", "42", "--op-seed", "7"])
        .exits(0)
        .says("named: spec")
        .says("RandomUniform-8 TENSORFLOW f32 [40], seeds 42/7, range [0.0, 1.0)")
        .never_says("too few bits")
        .never_says("was saved as")
        .never_says("printed digits")
        .never_says("what may help");
    place
        .seedproof(&["whois", "dump.npy", "--seed", "4300", "--op-seed", "7"])
        .exits(1)
        .says("candidates, and none reproduces the array")
        .says("what may help: --range LOW,HIGH")
        .says("--op-seed 0..9");
    // A rank or a worker was added to the seed, or a loop counts from one.
    for seed in ["2", "43"] {
        let args = ["whois", "dump.npy", "--seed", seed, "--op-seed", "7"];
        place.seedproof(&args).exits(1).says(&format!(
            "seed {seed} does not draw it, and seed 42 does\nnamed: spec"
        ));
        let document = place.seedproof(&[&args[..], &["--json"]].concat()).exits(1).out;
        let document: serde_json::Value = serde_json::from_str(&document).unwrap();
        assert_eq!(
            (&document["answer"], &document["seed"]),
            (&"named".into(), &"42".into())
        );
    }
}

#[test]
fn whois_says_that_jax_draws_other_numbers_today() {
    let place = Place::new();
    let draw = [
        "draw",
        "jxn",
        "--dtype",
        "f32",
        "--output_sizes",
        "9",
        "--key",
        "0,3",
        "--impl",
        "threefry2x32",
    ];
    for (order, is_said) in [(None, true), (Some("--partitionable"), false)] {
        let out = ["--out", "dump.npy"];
        let args: Vec<&str> = draw.into_iter().chain(order).chain(out).collect();
        place.seedproof(&args).exits(0);
        let said = place.seedproof(&["whois", "dump.npy", "--seed", "3"]).exits(0);
        let note = "under jax_threefry_partitionable=False";
        if is_said {
            said.says(note)
        } else {
            said.never_says(note)
        };
    }
}

#[test]
fn whois_prints_the_command_that_draws_the_array() {
    let place = Place::new();
    drawn(&place, "PYTORCH", "f32", "42,7", "-2,2");
    let said = place
        .seedproof(&["whois", "dump.npy", "--seed", "42", "--op-seed", "7"])
        .exits(0);
    let again = said
        .out
        .lines()
        .find_map(|line| line.trim().strip_prefix("drawn by: seedproof "));
    let words = shlex::split(again.expect("a reading is named")).unwrap();
    assert!(
        !words.contains(&"--reading".to_owned()),
        "`spec` needs no mention"
    );
    let words: Vec<&str> = words
        .iter()
        .map(String::as_str)
        .chain(["--out", "again.npy"])
        .collect();
    place.seedproof(&words).exits(0);
    place.seedproof(&["same", "dump.npy", "again.npy"]).exits(0);
}

#[test]
fn whois_tries_each_second_seed_with_each_first_one() {
    let place = Place::new();
    drawn(&place, "TENSORFLOW", "f32", "42,7", "0,1");
    let whois = |op_seeds: &str| {
        let args = ["whois", "dump.npy", "--seed", "38..45", "--op-seed", op_seeds];
        place.seedproof(&args)
    };
    whois("5..8").exits(0).says("seed 42").says("seeds 42/7");
    whois("8..10").exits(1).says("unknown: no seed from 38 to 45");
    whois("0..100")
        .exits(2)
        .complains("--op-seed tries at most 64 seeds where --seed is a range");
}

/// Some ops have the seed, and the bounds, as a number among others.
#[test]
fn whois_shows_a_seed_that_is_a_number() {
    let place = Place::new();
    let draw = "draw npp --bit_generator PCG64 --seed 5 --n 40 --out x.npy";
    place.seedproof(&draw.split(' ').collect::<Vec<_>>()).exits(0);
    place
        .seedproof(&["whois", "x.npy", "--seed", "5"])
        .exits(0)
        .says("named: spec, numpy-2.4\n  numpy.permutation PCG64 i64 [40], seed 5\n");
}

#[test]
fn whois_has_no_advice_for_what_every_seed_draws() {
    let ran = Place::new().seedproof_reading(&["whois", "-", "--seed", "9", "--dtype", "u8"], "1 1");
    assert_eq!(
        ran.exits(1).out,
        "unknown: the array is too small to tell seeds apart\n"
    );
}

#[test]
fn whois_takes_a_column_of_a_table_and_a_list_of_an_object() {
    let place = Place::new();
    // `rand(5)` of torch 2.12 after `manual_seed(0)`, beside other numbers.
    place.write(
        "table.csv",
        "step,\"loss\",noise\n0,9.5,0.4963\n1,8.25,0.7682\n2,7.5,0.0885\n3,7.5,0.1320\n4,7,0.3074\n",
    );
    place.write(
        "object.json",
        r#"{"loss": [9.5, 8.25, 7.5], "noise": [0.4963, 0.7682, 0.0885, 0.1320, 0.3074]}"#,
    );
    // As a spreadsheet in Germany exports it.
    place.write(
        "sheet.csv",
        "\u{feff}\"step\";\"loss\";\"noise\"\r\n\"0\";\"9,5\";\"0,4963\"\r\n\"1\";\"8,25\";\"0,7682\"\r\n\"2\";\"7,5\";\"0,0885\"\r\n\
         \"3\";\"7,5\";\"0,1320\"\r\n\"4\";\"7\";\"0,3074\"\r\n",
    );
    for file in ["table.csv", "object.json", "sheet.csv"] {
        place
            .seedproof(&["whois", file, "--seed", "0", "--array", "noise"])
            .exits(0)
            .says("named: ");
        place
            .seedproof(&["whois", file, "--seed", "0", "--array", "nose"])
            .exits(2)
            .complains("it has no list `nose`; it has ")
            .complains("`loss`, `noise`\n");
    }
    place
        .seedproof(&["whois", "table.csv", "--seed", "0"])
        .exits(1)
        .complains("a table with the columns `step`, `loss`, `noise`; --array NAME asks about one");
    // Nothing is left to choose.
    place.write("one.json", r#"{"step": [0, 1, 2]}"#);
    for chosen in [&["table.csv", "--array", "step"][..], &["one.json"]] {
        let ran = place.seedproof(&[&["whois", "--seed", "0"], chosen].concat());
        assert_eq!(ran.exits(1).err, "");
    }
    place.write("uneven.csv", "step,noise\n0,0.4963\n1\n");
    place
        .seedproof(&["whois", "uneven.csv", "--seed", "0", "--array", "noise"])
        .exits(2)
        .complains("expected 2 fields on line 3, one for each named column, and found 1");
    place
        .seedproof(&["whois", "object.json", "--seed", "0"])
        .exits(2)
        .complains(
            "a JSON object with 2 lists, `loss`, `noise`; save one alone, or choose it with --array NAME",
        );
}

#[test]
fn whois_searches_seeds() {
    let place = Place::new();
    drawn(&place, "PYTORCH", "i32", "4242,0", "-5,1000");
    place
        .seedproof(&["whois", "dump.npy", "--seed", "4000..5000", "--range", "-5,1000"])
        .exits(0)
        .says("seeds 4242/0");
    place
        .seedproof(&["whois", "dump.npy", "--seed", "1..9", "--range", "-5,1000"])
        .exits(1)
        .says("unknown: no seed from 1 to 9 draws it without a mistake");
    drawn(&place, "TENSORFLOW", "f32", "55555,0", "0,1");
    place
        .seedproof(&["whois", "dump.npy", "--seed", "0..60000", "--seconds", "600"])
        .exits(0)
        .says("seed 55555\nnamed: spec and ");
    // The last seeds that there are.
    drawn(&place, "TENSORFLOW", "f32", "18446744073709551612,0", "0,1");
    let last = "18446744073709551600..18446744073709551615";
    place
        .seedproof(&["whois", "dump.npy", "--seed", last])
        .exits(0)
        .says("seed 18446744073709551612\nnamed: spec and ");
    let last = "18446744073709551614..18446744073709551615";
    place
        .seedproof(&["whois", "dump.npy", "--seed", last])
        .exits(1)
        .says("unknown: no seed from 18446744073709551614 to 18446744073709551615 draws it");
}

/// A mistake draws by one second seed what the specification draws by the next one.
#[test]
fn whois_prefers_a_second_seed_that_needs_no_mistake() {
    let place = Place::new();
    let draw = "draw shlo --dtype u16 --shape 12 --rng_algorithm PHILOX --initial_state 42,7 --out x.npy";
    place.seedproof(&draw.split(' ').collect::<Vec<_>>()).exits(0);
    let whois = |op_seed: &str| place.seedproof(&["whois", "x.npy", "--seed", "42", "--op-seed", op_seed]);
    whois("6").exits(0).says("named: pre-increment");
    whois("6..7").exits(0).says("named: spec, ");
}

/// Two numbers of i64, which an i32 would hold too.
#[test]
fn whois_tries_each_type_and_each_second_seed() {
    let place = Place::new();
    place.write("two.txt", "83708 32611");
    let whois = |file: &str, seed: &str, op_seed: &str, more: &[&str]| {
        let args = ["whois", file, "--seed", seed, "--op-seed", op_seed];
        place.seedproof(&[&args[..], more].concat())
    };
    let range = "--range=-5,100000";
    whois("two.txt", "42", "70000", &[range])
        .exits(0)
        .says("named: spec, ")
        .says("RandomUniform-8 TENSORFLOW i64 [2], seeds 42/70000, range [-5, 100000)");
    whois("two.txt", "40..44", "70000", &[range])
        .exits(0)
        .says("seed 42\nnamed: ");
    place.write("one.txt", "83708");
    whois("one.txt", "42", "69999..70000", &[range, "--dtype", "i64"])
        .exits(1)
        .says("possible: spec, ")
        .says("RandomUniform-8 TENSORFLOW i64 [1], seeds 42/70000, range [-5, 100000)");
    // Of types that draw the number alike, the likeliest.
    place.write("one.txt", "42");
    whois("one.txt", "42", "0", &["--range", "0,100"])
        .exits(1)
        .says("possible: spec and ")
        .says("RandomUniform-8 PYTORCH i32 [1], seeds 42/0, range [0, 100)");
    // A type that lacks a bound is left out.
    place.write("wide.txt", "1743679271 1847491778 1820248624 1433639118");
    whois("wide.txt", "42", "7", &["--range=-5,2000000000"])
        .exits(0)
        .says("RandomUniform-8 TENSORFLOW i32 [4], seeds 42/7, range [-5, 2000000000)");
}

/// `torch.randn(24)` of PyTorch 2.15 with the seed 42 on a processor with AVX2, as `print` and as `repr` of its values have it.
const RANDN: [&str; 2] = [
    "1.9269 1.4873 0.9007 -2.1055 0.6784 -1.2345 -0.0431 -1.6047 \
     0.3559 -0.6866 -0.4934 0.2415 -1.1109 0.0915 -2.3169 -0.2168 \
     -0.3097 -0.3957 0.8034 -0.6216 -0.5920 -0.0631 -0.8286 0.3309",
    "1.92691529 1.48728406 0.900717199 -2.10552096 0.678418458 -1.23454487 -0.0430674776 -1.60466695 \
     0.355859905 -0.686622977 -0.493356347 0.241487786 -1.11090386 0.0915456563 -2.31692266 -0.216804728 \
     -0.309726775 -0.395710498 0.803409338 -0.621595383 -0.592000544 -0.0630743802 -0.828554273 0.330898434",
];

#[test]
fn whois_names_randn_by_printed_digits_and_by_all_of_them() {
    let place = Place::new();
    let [printed, whole] = RANDN;
    place.write("printed.txt", printed);
    place
        .seedproof(&["whois", "printed.txt", "--seed", "0..100"])
        .exits(0)
        .says("named: spec and 10 others")
        .says("torch-2.15, torch-2.15-nofma")
        .says("normal_ f32 [24], seeds 42")
        .says("compared to the printed digits only");
    // All digits tell the processor's capability.
    place.write("whole.txt", whole);
    place
        .seedproof(&["whois", "whole.txt", "--seed", "42"])
        .exits(0)
        .says("named: torch-1.13 and 4 others\n")
        .says("  the others: torch-2.3, torch-2.7, torch-2.12, torch-2.15\n");
}

/// `torch.manual_seed(42); torch.rand(8)` with bounds that it does not have, and an image of a type with its whole range.
#[test]
fn whois_names_another_range_that_draws_an_array() {
    let place = Place::new();
    place.write("a.txt", "0.8823 0.9150 0.3829 0.9593 0.3904 0.6009 0.2566 0.7936");
    place
        .seedproof(&["whois", "a.txt", "--seed", "42", "--range", "-1,2"])
        .exits(1)
        .says("the range -1,2 does not draw it, and another one does\nnamed: spec and")
        .says("range [0.0, 1.0)");
    // No number of the type is the bound above all of them.
    place.write("b.txt", "[1, 2, 3]");
    let asked = |range| {
        [
            "whois", "b.txt", "--seed", "42", "--dtype", "u8", "--range", range,
        ]
    };
    place
        .seedproof(&asked("0,256"))
        .exits(1)
        .says("possible: spec, numpy-2.4");
    place
        .seedproof(&asked("0,257"))
        .exits(2)
        .complains("`257` is not a valid u8");
}

/// `torch.manual_seed(42); torch.randn(30, 40)`, as PyTorch 2.12 prints it.
const ABBREVIATED: &str = "\
tensor([[ 1.9269e+00,  1.4873e+00,  9.0072e-01,  ..., -4.2452e-01,
          3.0572e-01, -7.7459e-01],
        [-1.5576e+00,  9.9564e-01, -8.7979e-01,  ..., -6.4172e-01,
         -2.2064e+00, -7.5080e-01],
        [ 1.0868e-02, -3.3874e-01, -1.3407e+00,  ...,  9.1152e-02,
         -3.8907e-01,  5.2792e-01],
        ...,
        [ 1.1900e+00,  1.4109e+00,  7.9801e-01,  ..., -1.1049e+00,
         -7.9095e-01, -2.1609e-01],
        [ 1.9485e-03, -2.0979e-01,  1.2010e+00,  ...,  1.7792e+00,
          2.5832e-01, -2.4341e+00],
        [-3.4975e-01, -1.3381e+00, -4.3891e-01,  ...,  1.7561e+00,
          2.1129e-01,  1.4860e+00]])";

#[test]
fn whois_takes_printed_text_that_leaves_elements_out() {
    let place = Place::new();
    place.write("text.txt", ABBREVIATED);
    let asked = |seed, shape| place.seedproof(&["whois", "text.txt", "--seed", seed, "--shape", shape]);
    asked("42", "30,40")
        .exits(0)
        .says("named: spec and ")
        .says("normal_ f32 [30,40], seeds 42")
        .says("compared: 36 of 1200 elements");
    place
        .seedproof(&["whois", "text.txt", "--seed", "42", "--shape", "30,40", "--json"])
        .exits(0)
        .says(r#""compared":{"elements":36,"of":1200}"#);
    asked("42", "40,30").exits(1).says("unknown: tried");
    asked("43", "30,40").exits(1).says("unknown: tried");
    // Fewer elements than are printed, another number of axes, and what is not drawn.
    for (shape, what) in [
        (
            "5,40",
            "the text prints an array of 2 axes that --shape does not fit",
        ),
        (
            "1200",
            "the text prints an array of 2 axes that --shape does not fit",
        ),
        (
            "30000,40000",
            "--shape has 1200000000 elements, of which at most 16777216 are drawn",
        ),
    ] {
        asked("42", shape).exits(2).complains(what);
    }
    asked("0..9", "30,40")
        .exits(2)
        .complains("--shape asks about one seed");
    place
        .seedproof(&["whois", "text.txt", "--seed", "42"])
        .exits(2)
        .complains("`whois --shape` takes them as they are");
    // An array of the most elements may be asked about.
    let most = ["--shape", "4096,4096", "--op-seed", "0..65536"];
    place
        .seedproof(&[&["whois", "text.txt", "--seed", "42"], &most[..]].concat())
        .exits(2)
        .complains("--op-seed tries at most 65536 seeds");
    place.write("whole.txt", "0.5 0.25 0.75");
    place
        .seedproof(&["whois", "whole.txt", "--seed", "42", "--shape", "4"])
        .exits(2)
        .complains("text of 3 numbers; --shape has 4");
}

#[test]
fn whois_says_that_an_unknown_array_looks_normal() {
    let place = Place::new();
    let request = [
        "draw", "ptn", "--dtype", "f32", "--shape", "1200", "--mean", "3", "--std", "1",
    ];
    let rest = ["--seed", "7", "--out", "dump.npy"];
    place.seedproof(&[&request[..], &rest[..]].concat()).exits(0);
    for seed in ["800", "800..801"] {
        place
            .seedproof(&["whois", "dump.npy", "--seed", seed])
            .exits(1)
            .says("the array looks normally distributed, with mean 3.035");
    }
}

/// `torch.manual_seed(7); torch.rand(100); torch.rand(8)`, PyTorch 2.12: the second call.
#[test]
fn whois_looks_for_later_calls_in_a_short_range_of_seeds() {
    let place = Place::new();
    let later = "0.127754 0.012517 0.172114 0.553491 0.401246 0.184913 0.863987 0.338757";
    place.write("later.txt", later);
    place
        .seedproof(&["whois", "later.txt", "--seed", "5..9"])
        .exits(0)
        .says("seed 7\nnamed: mt19937 + words dropped\n")
        .says("100 words are dropped");
    place
        .seedproof(&["whois", "later.txt", "--seed", "8..10"])
        .exits(1)
        .says("unknown: no seed from 8 to 10 draws it without a mistake\n")
        .never_says("looked for");
    place
        .seedproof(&["whois", "later.txt", "--seed", "5..90"])
        .exits(1)
        .says("looked for at up to 32 seeds");
    // A die thrown eight times is thrown so by one seed in a million, whatever is asked of each.
    place.write("dice.txt", "3 1 4 1 5 6 2 6");
    place
        .seedproof(&["whois", "dice.txt", "--seed", "0..30"])
        .exits(1)
        .says("unknown: no seed from 0 to 30 draws it without a mistake\n");
}

#[test]
fn whois_advises_what_may_help_with_the_array() {
    let place = Place::new();
    place.write("mask.txt", "1 1 0 1 1 1 0 1 ".repeat(5));
    let unknown = place
        .seedproof(&["whois", "mask.txt", "--seed", "3"])
        .exits(1)
        .out;
    assert!(
        unknown.contains("what may help: more elements: these 40 have about 32 bits, and it takes 39 "),
        "{unknown}"
    );
    assert!(
        !unknown.contains("--range") && !unknown.contains("a row"),
        "{unknown}"
    );
    place.write("table.csv", ",name,age\n3,u3,24\n17,u17,60\n");
    place
        .seedproof(&["whois", "table.csv", "--seed", "1"])
        .exits(2)
        .complains("--array NAME asks about one of its columns ``, `name`, `age`");
}

#[test]
fn whois_tries_no_seed_where_nothing_draws_the_array() {
    let place = Place::new();
    let request = [
        "draw",
        "shlo",
        "--dtype",
        "u8",
        "--shape",
        "4",
        "--rng_algorithm",
        "PHILOX",
    ];
    let state = ["--initial_state", "1,2", "--out", "dump.npy"];
    place.seedproof(&[&request[..], &state[..]].concat()).exits(0);
    // No op of this type has a second execution.
    let second = ["whois", "dump.npy", "--seed", "5..9", "--execution", "1"];
    let text = place.seedproof(&second).exits(1).out;
    assert_eq!(text, "unknown: no seed from 5 to 9 draws it without a mistake\n");
}

#[test]
fn whois_ends_a_search_in_time_and_says_where_to_go_on() {
    let place = Place::new();
    drawn(&place, "TENSORFLOW", "f32", "18446744073709551615,0", "0,1");
    let all = [
        "whois",
        "dump.npy",
        "--seed",
        "0..18446744073709551614",
        "--seconds",
        "1",
    ];
    let text = place.seedproof(&all).exits(1).out;
    let reached = text
        .strip_prefix("unknown: no seed from 0 to ")
        .and_then(|rest| rest.split_once(' '))
        .expect(&text);
    let next = reached.0.parse::<u64>().expect(&text) + 1;
    assert!(
        text.ends_with(&format!("--seed {next}..18446744073709551614 goes on\n")),
        "{text}"
    );
}

/// What TensorFlow 2.21 and JAX 0.10.2 print.
#[test]
fn whois_tries_the_seeds_that_frameworks_make_of_one() {
    let place = Place::new();
    let tensor = "tf.Tensor(\n[[0.6645621  0.44100678 0.3528825 ]\n [0.46448255 0.03366041 0.68467236]], shape=(2, 3), dtype=float32)";
    place.write("uniform.txt", tensor);
    place
        .seedproof(&["whois", "uniform.txt", "--seed", "42"])
        .exits(0)
        .says("478163327 is the op seed of call 1 after tf.random.set_seed(42) in eager mode");
    place.write(
        "stateless.txt",
        "-1.1080979 -0.05705908 0.9852196 -0.37201285 0.38057443 -2.086166",
    );
    place
        .seedproof(&["whois", "stateless.txt", "--seed", "12", "--op-seed", "34"])
        .exits(0)
        .says("are those of seed=[12, 34] in tf.random.stateless_*");
    place.write(
        "split.txt",
        "0.60576403 0.7990441 -0.908927 -0.63525754 -1.2226585 -0.83226097",
    );
    place
        .seedproof(&["whois", "split.txt", "--seed", "42"])
        .exits(0)
        .says("the key is jax.random.fold_in(jax.random.key(42), 1), or split(jax.random.key(42), n)[1]");
}

/// Five numbers that torch draws from the seed 42, and the same 1e-6 off: too little for a half type to see, which such
/// digits are none of.
#[test]
fn whois_takes_digits_for_a_type_only_if_that_type_would_print_them() {
    let place = Place::new();
    let drawn = [
        0.882_269_3_f64,
        0.915_003_96,
        0.382_863_76,
        0.959_305_6,
        0.390_448_2,
    ];
    // In turns, since numbers that are all moved alike are of another range.
    let text = |off: f64| {
        let signs = [off, -off].into_iter().cycle();
        let moved = drawn
            .iter()
            .zip(signs)
            .map(|(number, off)| format!("{:.7}", number + off));
        moved.collect::<Vec<_>>().join(" ")
    };
    let whois = ["whois", "numbers.txt", "--seed", "42"];
    place.write("numbers.txt", text(0.0));
    place.seedproof(&whois).exits(0).says("torch-2.12");
    place.write("numbers.txt", text(1e-6));
    place.seedproof(&whois).exits(1);
}

#[test]
fn whois_says_what_it_cannot_read() {
    let place = Place::new();
    place.seedproof(&["whois", "absent.npy", "--seed", "1"]).exits(3);
    place.write("text.npy", "no array");
    place
        .seedproof(&["whois", "text.npy", "--seed", "1"])
        .exits(2)
        .complains("text.npy");
    place
        .seedproof(&["whois", "text.npy", "--seed", "2..1"])
        .exits(2)
        .complains("2 is more than 1");
    place.seedproof(&["whois", "text.npy", "--seed", "-1"]).exits(2);
    drawn(&place, "TENSORFLOW", "f32", "1,2", "0,1");
    place
        .seedproof(&["whois", "dump.npy", "--seed", "1", "--range", "3"])
        .exits(2)
        .complains("LOW,HIGH");
}

/// Tokens that vLLM and SGLang sample from the same logits with the seed 42, from position 7 on, by a model of both in NumPy.
#[test]
fn whois_names_samplers_of_tokens() {
    let place = Place::new();
    let logits: Vec<&str> = (0..64)
        .map(|class| if class < 8 { "0.5" } else { "0.0" })
        .collect();
    place.write("logits", logits.join(" "));
    place.write("vllm", "63 61 48 18 1 14 26 21 40 28 25 13");
    place.write("sglang", "60 9 7 24 39 39 59 48 2 0 13 16");
    let whois = |tokens: &str, seed: &str, more: &[&str]| {
        let args = [
            "whois",
            tokens,
            "--logits",
            "logits",
            "--seed",
            seed,
            "--position",
            "7",
        ];
        place.seedproof(&[&args[..], more].concat())
    };
    whois("vllm", "42", &[])
        .exits(0)
        .says("named: spec, vllm-0.33\n  vllm.gumbel_sample i64 [12]\n")
        .says("    pos: i64 [12]: 7 8 9 ")
        .never_says("    logits: ")
        .never_says("too few to be sure");
    whois("sglang", "40..45", &["--json"])
        .exits(0)
        .says("\"answer\":\"named\"")
        .says("\"seed\":\"42\"")
        .says("sglang.multinomial_with_seed");
    // A row of the same logits for each token, as a spreadsheet saves them.
    place.write("logits", format!("{}\n", logits.join(",")).repeat(12));
    whois("vllm", "42", &[]).exits(0).says("named: spec, vllm-0.33\n");
    place.write("logits", logits.join(" "));
    whois("vllm", "41", &[]).exits(1).says("unknown: none of ");
    place.write("other", "63 61 48 18 1 14 26 21 40 28 25 14");
    whois("other", "42", &[])
        .exits(1)
        .says("nearest: spec, 11 of 12 tokens")
        .says("  at 11 it draws 13, and the token is 14");
    // Of the tokens that differ five are shown.
    for (others, end) in [
        (5, "and the token is 0\n  what may help: logits"),
        (6, "\n  and 1 more\n"),
    ] {
        let tokens = format!("63 61 48 18 1 14 26 21 40 28 25 13{}", " 0".repeat(others));
        place.write("more", tokens);
        let said = whois("more", "42", &[]).exits(1).out;
        assert!(said.contains(end), "{said}");
    }
    place.write("out", "63 61 64");
    whois("out", "42", &[])
        .exits(2)
        .complains("a token is not in the vocabulary of 64");
    whois("vllm", "0..5000", &[])
        .exits(2)
        .complains("with --logits, --seed tries at most 1024 seeds");
    for wrong in ["-1", "inf"] {
        let temperature = format!("--temperature={wrong}");
        whois("vllm", "42", &[temperature.as_str()])
            .exits(2)
            .complains(&format!("{wrong} is not a finite number from 0 on"));
    }
}

/// Of the tokens that vLLM samples with the seed 42, so few that the number of seeds that are tried decides.
#[test]
fn whois_names_a_sampler_only_by_more_bits_than_seeds() {
    let place = Place::new();
    let logits = ["0.5 ".repeat(8), "0.0 ".repeat(56)].concat();
    place.write("logits", logits);
    let whois = |tokens: &str, seed: &str| {
        let args = [
            "whois",
            "-",
            "--logits",
            "logits",
            "--position",
            "7",
            "--seed",
            seed,
        ];
        place.seedproof_reading(&args, tokens)
    };
    whois("63 61", "41..42")
        .exits(1)
        .says("possible: spec, vllm-0.33\n")
        .says("the tokens carry only 12 bits under these logits, too few to be sure");
    whois("63 61 48 18 1", "42..43")
        .exits(0)
        .says("named: spec, vllm-0.33\n");
    let asked = |seed: &str| -> (String, u64) {
        let args = ["whois", "-", "--logits", "logits", "--json", "--seed", seed];
        let said = place.seedproof_reading(&args, "5 6 7").exits(1).out;
        let said: serde_json::Value = serde_json::from_str(&said).unwrap();
        assert_eq!(said["answer"], "unknown");
        (
            said["seed"].as_str().unwrap().to_owned(),
            said["attempts"].as_u64().unwrap(),
        )
    };
    // Mistakes are tried for one seed alone. Of seeds that are all unknown, the first is shown.
    let (_, of_one) = asked("0");
    for (seeds, first) in [("0..1", "0"), ("1030..1031", "1030")] {
        let (shown, of_each) = asked(seeds);
        assert_eq!(shown, first);
        assert!(of_each < of_one, "{of_each} {of_one}");
    }
}
