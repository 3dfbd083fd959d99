//! Numbers as people have them: `whois`, `words` and `draw --actual` of what public reports print.

use crate::{Place, Ran};

/// Words of a stream from a place on.
fn stream(generator: &[&str], skip: usize, count: usize) -> Vec<u32> {
    let all = (skip + count).to_string();
    let ran = Place::new().seedproof(&[&["words"], generator, &["--count", &all]].concat());
    let words = ran.exits(0).out;
    let words = words.lines().map(|word| u32::from_str_radix(word, 16).unwrap());
    words.skip(skip).collect()
}

fn mt(seed: &str, skip: usize, count: usize) -> Vec<u32> {
    stream(&["mt19937", "--seed", seed], skip, count)
}

fn philox(key: &str, counter: &str, count: usize) -> Vec<u32> {
    stream(&["philox", "--key", key, "--counter", counter], 0, count)
}

/// PyTorch's f32 of words, as bits.
fn low_24(words: &[u32]) -> String {
    bits(
        words
            .iter()
            .map(|word| f64::from(word & 0xff_ffff) / 16_777_216.0),
    )
}

fn bits(values: impl Iterator<Item = f64>) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "the values are rounded to f32")]
    let bits = values.map(|value| format!("{:#010x} ", (value as f32).to_bits()));
    bits.collect()
}

fn whois(text: &str, args: &[&str]) -> Ran {
    Place::new().seedproof_reading(&[&["whois", "-"], args].concat(), text)
}

fn whois_f32(text: &str, seed: &str) -> Ran {
    whois(text, &["--dtype", "f32", "--seed", seed])
}

fn words(generator: &[&str], words: &[u32]) -> Ran {
    let text: String = words.iter().map(|word| format!("{word}\n")).collect();
    Place::new().seedproof_reading(&[&["words"], generator, &["-"]].concat(), text)
}

fn uniform(seeds: &str, count: usize, text: &str, more: &[&str]) -> Ran {
    let count = count.to_string();
    let request = [
        "draw",
        "ru8",
        "--alignment",
        "PYTORCH",
        "--dtype",
        "f32",
        "--range",
        "0,1",
    ];
    let given = ["--seeds", seeds, "--shape", &count, "--actual", "-"];
    Place::new().seedproof_reading(&[&request[..], &given, more].concat(), text)
}

const PRINTED: &str = "0.5349 0.1988 0.6592 0.6569 0.2328 0.4251";

#[test]
fn printed_numbers_are_as_wide_as_their_last_digit() {
    uniform("7,0", 6, PRINTED, &[])
        .exits(0)
        .complains("too few digits");
    whois(PRINTED, &["--seed", "7"])
        .exits(0)
        .says("torch-2.12")
        .says("range [0.0, 1.0)")
        .never_says("range [5e-7");
    // pytorch#47347.
    let tensor = "tensor([0.4963, 0.7682, 0.0885, 0.1320, 0.3074])";
    whois(tensor, &["--seed", "0"]).exits(0).says("torch-2.12");
    uniform("0,0", 5, tensor, &["--reading", "torch-2.12"]).exits(0);
    uniform("7,0", 6, &PRINTED.replace("0.6592", "0.6692"), &[])
        .exits(1)
        .says("1 of 6 elements differs; the first at [2]");
    // Another notation, another range, and a mistake that is printed.
    whois(
        "[5.35e-01, 1.99e-01, 6.59e-01, 6.57e-01, 2.33e-01, 4.25e-01]",
        &["--seed", "7"],
    )
    .exits(0)
    .says("spec");
    let wide = mt("7", 0, 8)
        .into_iter()
        .map(|word| f64::from(word & 0xff_ffff) / 8_388_608.0 - 1.0);
    let wide: String = wide.map(|value| format!("{value:.4} ")).collect();
    whois(&wide, &["--seed", "7", "--range", "-1,1"])
        .exits(0)
        .says("spec");
    let mistaken = mt("7", 1, 8)
        .into_iter()
        .map(|word| f64::from(word & 0xff_ffff) / 16_777_216.0);
    let mistaken: String = mistaken.map(|value| format!("{value:.5} ")).collect();
    uniform("7,0", 8, &mistaken, &[])
        .exits(1)
        .says("mt-first-word-dropped");
}

/// The kernels of the half type take eleven bits of a word.
#[test]
fn half_that_was_saved_as_a_float_is_that_half() {
    let halves = bits(
        mt("43", 0, 32)
            .iter()
            .map(|word| f64::from(word & 0x7ff) / 2048.0),
    );
    uniform("43,0", 32, &halves, &[])
        .exits(1)
        .says("saved-from(f16): every element is of f16, as drawn by spec, ")
        .never_says("scale-in");
}

/// One half in a thousand is that number by chance.
#[test]
fn few_halves_are_no_evidence_for_a_type() {
    let half = bits(mt("43", 0, 1).iter().map(|word| f64::from(word & 0x7ff) / 2048.0));
    uniform("43,0", 1, &half, &[]).exits(1).never_says("saved-from");
}

#[test]
fn element_that_was_changed_is_not_another_rounding_of_the_scale() {
    let right = low_24(&mt("17", 0, 64));
    let element = right.split(' ').nth(30).unwrap();
    let bits = u32::from_str_radix(&element[2..], 16).unwrap();
    let text = right.replace(element, &format!("{:#010x}", bits - 1));
    uniform("17,0", 64, &text, &[])
        .exits(1)
        .says("element 30 is 1 ulp off")
        .says("63 of 64 elements are in the stream")
        .never_says("rounded-otherwise");
}

#[test]
fn stretch_that_was_overwritten_leaves_the_rest_in_place() {
    let mut stream = mt("3", 0, 300);
    stream[50..60].fill(7);
    stream[100..160].reverse();
    whois_f32(&low_24(&stream), "3")
        .exits(1)
        .says("elements 50 to 59 differ from the stream's; elements 100 to 159 differ")
        .says("230 of 300 elements are in the stream")
        .never_says("no element from");
}

#[test]
fn words_of_all_ones_are_not_zeros() {
    words(&["mt19937", "--key", "3"], &[u32::MAX; 64])
        .exits(1)
        .says("expected 0x8d01176a, yours 0xffffffff")
        .says("constant(bits ffffffff)")
        .never_says("word-zero");
}

/// `tolist()` of a tensor of f32, in a list and in an object: each number has to be read exactly.
#[test]
fn doubles_that_are_floats_are_those_floats() {
    let numbers: Vec<String> = mt("64", 0, 300)
        .iter()
        .map(|word| format!("{}", f64::from(word & 0xff_ffff) / 16_777_216.0))
        .collect();
    let list = format!("[{}]", numbers.join(", "));
    for text in [list.clone(), format!("{{\"data\": {list}}}")] {
        whois(&text, &["--seed", "64"])
            .exits(0)
            .says("named: spec and ")
            .says("torch-2.15");
    }
}

#[test]
fn key_of_jax_without_x64_keeps_the_low_word() {
    let place = Place::new();
    let draw = [
        "draw",
        "jxu",
        "--impl",
        "threefry2x32",
        "--partitionable",
        "--dtype",
        "f32",
        "--shape",
        "16",
    ];
    let more = ["--key", "0,4294967293", "--range", "0,1", "-o", "x.npy"];
    place.seedproof(&[&draw[..], &more].concat()).exits(0);
    place
        .seedproof(&["whois", "x.npy", "--seed", "-3"])
        .exits(0)
        .says("without x64, which keeps the low 32 bits of a seed");
}

#[test]
fn two_seeds_of_zero_are_explained_where_a_reading_determines_them() {
    let dropped = low_24(&mt("0", 1, 16));
    uniform("0,0", 16, &dropped, &["--reading", "torch-2.12"])
        .exits(1)
        .says("explained by  mt-first-word-dropped")
        .never_says("seeds-through-f32");
    whois_f32(&dropped, "0")
        .exits(0)
        .says("named: mt-first-word-dropped");
    let inverted: Vec<u32> = mt("0", 0, 16).iter().map(|word| !word).collect();
    uniform("0,0", 16, &low_24(&inverted), &["--reading", "torch-2.12"])
        .exits(1)
        .says("inverted");
}

#[test]
fn halves_and_whole_numbers_in_wider_types_are_what_they_are() {
    for (dtype, reading) in [
        ("bf16", "torch-2.12"),
        ("f16", "torch-2.7"),
        ("bf16", "openvino-cpu-2026.4"),
    ] {
        let place = Place::new();
        let request = [
            "draw",
            "ru8",
            "--alignment",
            "PYTORCH",
            "--seeds",
            "42,0",
            "--shape",
            "64",
            "--range",
            "0,1",
        ];
        let drawn = place
            .seedproof(&[&request[..], &["--dtype", dtype, "--reading", reading, "--json"]].concat())
            .exits(0)
            .out;
        let document: serde_json::Value = serde_json::from_str(&drawn).unwrap();
        let values: Vec<&str> = document["outputs"]["out"]["values"]
            .as_array()
            .or_else(|| {
                document["outputs"].as_object().unwrap().values().next().unwrap()["values"].as_array()
            })
            .unwrap()
            .iter()
            .map(|value| value.as_str().unwrap())
            .collect();
        let text = bits(values.iter().map(|value| {
            // The decimal of a half is exact only once it is rounded to the half.
            let value: f32 = value.parse().unwrap();
            f64::from(if dtype == "f16" {
                half::f16::from_f32(value).to_f32()
            } else {
                half::bf16::from_f32(value).to_f32()
            })
        }));
        whois_f32(&text, "42")
            .exits(0)
            .says(reading)
            .says(&format!("every element is of {dtype}"));
    }
}

#[test]
fn counters_are_read_off_from_words() {
    for (key, counter, says) in [
        ("7", "4096", "block 0 has the counter (4096, 0, 0, 0)"),
        ("7", "0x50000000000000000", "block 0 has the counter (0, 0, 5, 0)"),
        ("0x123456789abcdef0", "1000000", "the number 1000000"),
        (
            "99",
            "0x100000000000000000000",
            "block 0 has the counter (0, 0, 65536, 0)",
        ),
    ] {
        words(&["philox", "--key", key], &philox(key, counter, 64))
            .exits(1)
            .says(says);
    }
    let threefry = stream(&["threefry", "--key", "7", "--counter", "0x900000000"], 0, 64);
    words(&["threefry", "--key", "7"], &threefry)
        .exits(1)
        .says("block 0 has the counter (0, 9)");
    words(
        &["philox", "--key", "0x1234567890abcdef"],
        &philox("0x90abcdef", "0", 64),
    )
    .exits(1)
    .says("only its low 32 bits");
}

/// What PyTorch 2.15 printed of `torch.randn(4, 5)` after `torch.manual_seed(42)`.
#[test]
fn normals_of_pytorch_are_named_by_their_decimals() {
    let printed = "tensor([[ 1.9269,  1.4873,  0.9007, -2.1055, -0.7581],
        [ 1.0783,  0.8008,  1.6806,  0.3559, -0.6866],
        [-0.4934,  0.2415, -0.2316,  0.0418, -0.2516],
        [ 0.8599, -0.3097, -0.3957,  0.8034, -0.6216]])";
    whois(printed, &["--seed", "42"])
        .exits(0)
        .says("torch-2.15, torch-2.15-nofma")
        .says("normal_ f32 [4,5], seeds 42");
    whois(printed, &["--seed", "4300"]).exits(1).never_says("normal_");
}

#[test]
fn edits_of_a_stream_are_told() {
    let without = |seed: &str, count: usize, at: usize| {
        let mut all = mt(seed, 0, count);
        all.remove(at);
        all
    };
    words(&["mt", "--key", "5489"], &without("5489", 701, 300))
        .exits(1)
        .says("right up to element 300; the elements from there on are the stream's elements 1 ahead");
    words(&["mt", "--key", "1471"], &without("1471", 2001, 1700))
        .exits(1)
        .says("right up to element 1699, then 1 of the stream");
    let mut repeated = mt("11", 0, 200);
    repeated.splice(120..120, mt("11", 117, 3));
    words(&["mt", "--key", "11"], &repeated)
        .exits(1)
        .says("right up to element 119, then the 3 before");
    let refused: Vec<u32> = mt("7", 0, 2000)
        .into_iter()
        .filter(|&word| word < 0xf000_0000)
        .collect();
    words(&["mt", "--key", "7"], &refused)
        .exits(1)
        .says("are rejected and drawn again");
    let noise = mt("123456", 0, 700);
    words(&["mt", "--key", "9"], &noise)
        .exits(1)
        .says("no known cause")
        .never_says("are in the stream");
    let half: Vec<u32> = mt("9", 0, 300).into_iter().chain(mt("123456", 0, 400)).collect();
    words(&["mt", "--key", "9"], &half)
        .exits(1)
        .says("elements 0 to 299 are the longest run that agrees");
}

#[test]
fn a_few_wrong_elements_are_described() {
    let right = mt("7", 0, 64);
    // A step of 2^-24 is one ulp of numbers from a half on.
    let at = right.iter().rposition(|word| word & 0x80_0000 != 0).unwrap();
    let mut off = right.clone();
    off[at] ^= 1;
    whois_f32(&low_24(&off), "7")
        .says(&format!("element {at} is 1 ulp off"))
        .says("63 of 64 elements");
    off[at] = right[at];
    off[32] = 0;
    whois_f32(&low_24(&off), "7").says("element 32 is zero");
    uniform("7,0", 64, &low_24(&off), &[])
        .exits(1)
        .says("element 32 is zero")
        .never_says("nearest is");
}

#[test]
fn slips_in_the_generators_are_found_step_by_step() {
    const FIRST: (bool, u32, u32) = (false, 11, u32::MAX);
    const LAST: (bool, u32, u32) = (false, 18, u32::MAX);
    let temper = |mut y: u32, steps: [(bool, u32, u32); 4]| {
        for (is_left, by, mask) in steps {
            y ^= if is_left { y << by } else { y >> by } & mask;
        }
        y
    };
    // The states, from words that are tempered rightly.
    let untempered = |word: u32| {
        let mut y = word ^ word >> 18;
        y ^= (y << 15) & 0xefc6_0000;
        let mut x = y;
        for _ in 0..5 {
            x = y ^ (x << 7 & 0x9d2c_5680);
        }
        let mut y = x;
        for _ in 0..3 {
            y = x ^ y >> 11;
        }
        y
    };
    for (steps, says) in [
        (
            [FIRST, (false, 7, 0x9d2c_5680), (false, 15, 0xefc6_0000), LAST],
            "step 2 of the tempering shifts to the right, not to the left; and step 3 of the tempering shifts to the right",
        ),
        (
            [FIRST, (true, 15, 0xefc6_0000), (true, 7, 0x9d2c_5680), LAST],
            "steps 2 and 3 of the tempering are exchanged",
        ),
        (
            [
                FIRST,
                (true, 7, 0x9d2c_5680),
                (true, 15, 0xefc6_0000),
                (false, 17, u32::MAX),
            ],
            "step 4 of the tempering shifts by 17, not by 18",
        ),
    ] {
        let drawn: Vec<u32> = mt("5489", 0, 700)
            .into_iter()
            .map(|word| temper(untempered(word), steps))
            .collect();
        words(&["mt", "--key", "5489"], &drawn).exits(1).says(says);
    }
    // gpuweb#2023: the first block of key 99 whose products lose the carry of their middle sums.
    let high = |a: u32, b: u32| {
        let [[ah, al], [bh, bl]] = [a, b].map(|x| [x >> 16, x & 0xffff]);
        (ah * bh)
            .wrapping_add((ah * bl) >> 16)
            .wrapping_add((al * bh) >> 16)
    };
    let block = |counter: u32| {
        let (mut c, mut k) = ([counter, 0, 0, 0], [99_u32, 0]);
        for _ in 0..10 {
            let (a, b) = (0xd251_1f53_u32, 0xcd9e_8d57_u32);
            c = [
                high(b, c[2]) ^ c[1] ^ k[0],
                b.wrapping_mul(c[2]),
                high(a, c[0]) ^ c[3] ^ k[1],
                a.wrapping_mul(c[0]),
            ];
            k = [k[0].wrapping_add(0x9e37_79b9), k[1].wrapping_add(0xbb67_ae85)];
        }
        c
    };
    let drawn: Vec<u32> = (0..16).flat_map(block).collect();
    words(&["philox", "--key", "99"], &drawn)
        .exits(1)
        .says("the carry of the middle sum is lost");
}

#[test]
fn words_and_conversions_of_other_libraries_are_named() {
    let text = |words: &[u32]| words.iter().map(|word| format!("{word} ")).collect::<String>();
    whois(&text(&mt("7", 0, 64)), &["--seed", "7"])
        .exits(0)
        .says("MT19937 seeded by 7: one word");
    whois(&text(&mt("5489", 0, 64)), &["--seed", "5489", "--dtype", "i64"])
        .exits(0)
        .says("one word");
    // The manual of Torch7.
    whois(
        "0.69646918727085 0.71295532141812 0.28613933874294",
        &["--seed", "123"],
    )
    .exits(0)
    .says("as Torch7 and R have it");
    let curand = philox("77", "0", 2048);
    #[expect(clippy::cast_precision_loss, reason = "cuRAND rounds the word to f32 first")]
    let curand = curand
        .iter()
        .map(|&word| f64::from(word as f32) / 4_294_967_296.0 + 0.5 / 4_294_967_296.0);
    // As cuRAND's generator draws it, but for its 4,096 subsequences.
    whois_f32(&bits(curand), "77")
        .exits(0)
        .says("curand-one-subsequence");
    let plain = philox("77", "0", 2048)
        .into_iter()
        .map(|word| f64::from(word) / 4_294_967_296.0);
    whois_f32(&bits(plain), "77").exits(0).says("two-to-minus-32");
}

#[test]
fn other_calls_and_default_seeds_are_named() {
    whois_f32(&low_24(&mt("7", 2, 62)), "7")
        .exits(0)
        .says("2 words are dropped");
    whois_f32(&low_24(&mt("7", 65_536, 64)), "7")
        .exits(0)
        .says("65536 words are dropped");
    uniform("7,0", 64, &low_24(&mt("7", 300_000, 64)), &[])
        .exits(1)
        .says("300000 words are dropped");
    // TorchSharp#962: 67280421310721 modulo 2^32.
    whois_f32(&low_24(&mt("4053586177", 0, 64)), "42").says("PyTorch's default seed");
    let tensorflow = philox("87654321", &((1_u128 << 64) + 2048).to_string(), 8);
    let drawn = bits(
        tensorflow
            .iter()
            .map(|word| f64::from(word & 0x7f_ffff) / 8_388_608.0),
    );
    whois_f32(&drawn, "1").exits(0).says("execution 1");
}

/// jax#2155, and JAX 0.10.
#[test]
fn jax_is_named_in_both_orders() {
    whois("0.9653214 0.22515893 0.63302994 0.29638183", &["--seed", "0"])
        .exits(0)
        .says("jax.uniform threefry2x32-original f32 [4]");
    whois(
        "Array([0.947667, 0.9785799, 0.33229148, 0.46866846], dtype=float32)",
        &["--seed", "0"],
    )
    .exits(0)
    .says("jax.uniform threefry2x32 f32 [4]");
}

/// pytorch#47347 and others: printed by people who have a card.
#[test]
fn what_every_cuda_card_draws_is_no_prediction() {
    for (text, seed) in [
        ("0.3990 0.5167 0.0249 0.9401 0.9459", "0"),
        ("0.6130 0.0101 0.3984 0.0403", "42"),
    ] {
        whois(text, &["--seed", seed])
            .exits(0)
            .says("cuRAND")
            .never_says("a prediction");
    }
}

#[test]
fn few_values_are_near_to_nothing() {
    let coins = mt("31337", 0, 64);
    let text: String = coins.iter().map(|word| format!("{} ", word >> 9 & 1)).collect();
    whois(&text, &["--seed", "3", "--range", "0,2"])
        .exits(1)
        .says("unknown")
        .never_says("nearest");
}

#[test]
fn seeds_are_spelt_alike_everywhere() {
    let place = Place::new();
    place.write("x.txt", low_24(&mt("7", 0, 16)));
    place
        .seedproof(&["whois", "x.txt", "--dtype", "f32", "--seed", "0x7"])
        .exits(0);
    place
        .seedproof(&["whois", "x.txt", "--dtype", "f32", "--seed", "-1"])
        .exits(1);
    place
        .seedproof(&[
            "draw",
            "ru8",
            "--alignment",
            "PYTORCH",
            "--dtype",
            "f32",
            "--seeds",
            "-1,0",
            "--shape",
            "2",
            "--range",
            "0,1",
        ])
        .exits(0)
        .says("seeds 18446744073709551615/0");
    let json = place
        .seedproof(&["whois", "x.txt", "--dtype", "f32", "--seed", "7", "--json"])
        .exits(0)
        .out;
    let document: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(document["answer"], "named");
}

/// Tables as R 4.2 and pandas 3 print them.
#[test]
fn tables_as_they_are_printed_have_rows_and_columns() {
    // `matrix(rnorm(12), 4)` after `set.seed(123)`, and `RandomState(5).randn(6, 3)`.
    let of_r = "            [,1]       [,2]       [,3]\n[1,] -0.56047565  0.1292877 -0.6868529\n\
                [2,] -0.23017749  1.7150650 -0.4456620\n[3,]  1.55870831  0.4609162  1.2240818\n\
                [4,]  0.07050839 -1.2650612  0.3598138\n";
    whois(of_r, &["--seed", "123"])
        .exits(0)
        .says("axes were reversed");
    let of_pandas = "          a         b         c\n0  0.441227 -0.330870  2.430771\n1 -0.252092  0.109610  1.582481\n\
                     2 -0.909232 -0.591637  0.187603\n3 -0.329870 -1.192765 -0.204877\n\
                     4 -0.358829  0.603472 -1.664789\n5 -0.700179  1.151391  1.857331\n";
    whois(of_pandas, &["--seed", "5"])
        .exits(0)
        .says("numpy.RandomState.randn f64 [6,3], seed 5");
    // Rows that are a list, and a list that is rows.
    let list = "0.3745 0.9507 0.7320\n0.5987 0.1560 0.1560\n";
    whois(list, &["--seed", "42"]).exits(0).says("rand f64 [2,3]");
    whois(list, &["--seed", "42", "--shape", "6"])
        .exits(0)
        .says("rand f64 [6]");
    whois(&list.replace('\n', " "), &["--seed", "42", "--shape", "3,2"])
        .exits(0)
        .says("rand f64 [3,2]");
    whois(list, &["--seed", "42", "--shape", "5"])
        .exits(2)
        .complains("text of 6 numbers; --shape has 5");
    // A row that is left out, and a word.
    let column = ["--seed", "5", "--array", "b"];
    whois(
        &of_pandas.replace("3 -0.329870 -1.192765 -0.204877", ".. ... ... ..."),
        &column,
    )
    .exits(2)
    .complains("elements left out");
    whois(&of_pandas.replace("2.430771", "none"), &["--seed", "5"])
        .exits(2)
        .complains("`none` is not a number, on line 2: `0  0.441227 -0.330870  none`");
}

#[test]
fn what_holds_no_numbers_is_refused_by_its_name() {
    let place = Place::new();
    place.write("x.npy", b"\x1f\x8b\x08\0\0\0\0\0\0\x03aaaaaaaaaaaaaa");
    place
        .seedproof(&["whois", "x.npy", "--seed", "1"])
        .exits(2)
        .complains("a gzip file");
    place
        .seedproof(&["words", "mt", "--key", "1", "x.npy"])
        .exits(2)
        .complains("a gzip file");
}

/// `std::cout` prints a buffer of zeros as `0 0 0 0`, and with so few digits every draw of a narrow range.
#[test]
fn printed_numbers_without_digits_decide_nothing() {
    let place = Place::new();
    let request = [
        "draw",
        "ru8",
        "--alignment",
        "TENSORFLOW",
        "--dtype",
        "f32",
        "--seeds",
        "151,10",
    ];
    let narrow = ["--shape", "4", "--range", "0,0.25", "--actual", "-"];
    let draw = |text: &str| place.seedproof_reading(&[&request[..], &narrow].concat(), text);
    draw("0 0 0 0")
        .exits(5)
        .says("undecided")
        .says("too few digits to tell a right output from a wrong one")
        .never_says("pass");
    draw("0.0000 0.0000 0.0000 0.0000").exits(1);
    draw("0.2319 0.1074 0.0685 0.2287").exits(0);
    let explain = ["explain", "ru8/tensorflow/f32/spec-example-1", "--actual", "-"];
    let ran = place
        .seedproof_reading(&[&explain[..], &["--json"]].concat(), "1 0 1 1 0 1 1 0 1")
        .exits(5);
    let answer: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert!(answer["conforms"].is_null(), "{answer}");
}

/// Arrays as NumPy 2.4, JAX 0.10, PyTorch 2.15 and ONNX Runtime 1.31 draw them, and as they are printed.
#[test]
fn arrays_as_they_are_printed_are_named_by_what_drew_them() {
    let named = |text: &str, seed: &str, said: &str| whois(text, &["--seed", seed]).exits(0).says(said);
    // The bound of all bytes is no byte, and two of six numbers begin alike.
    named(
        "[[  9  69 117 197 125]\n [156 123  76 228 255]\n [ 79   5  15 114 157]]",
        "10",
        "numpy.RandomState.randint u8 [3,5], seed 10, range [0, 256)",
    )
    .never_says("inclusive");
    named(
        "0.3745 0.9507 0.7320 0.5987 0.1560 0.1560",
        "42",
        "numpy.RandomState.rand f64 [6]",
    );
    // ONNX's reference evaluator rounds these to f32.
    named(
        "1.764 0.400 0.979 2.241 1.868 -0.977",
        "0",
        "numpy.RandomState.randn f64 [6]",
    );
    named(
        "[-0.93429005 -0.6803045   0.24767175  1.7365073   1.1665617 ]",
        "7",
        "named: onnxruntime-1.31",
    );
    // The greatest of them is 43.
    named(
        "[24 43 12 13 25 11 36 23  5 18 22  0 16 25 12]",
        "19",
        "jax.randint threefry2x32 i32 [15], key [0, 19], range [0, 50)",
    );
    let mask = "tensor([False, False, False, False, False, False,  True,  True,  True,  True,\n        False,  True, False, False, \
                False, False, False,  True,  True,  True,\n         True, False,  True, False, False, False, False,  True, False, \
                False,\n        False,  True, False, False, False, False, False, False, False,  True])";
    named(mask, "3", "mt19937 + threshold");
    // After `torch.manual_seed(0)` and the weights of a layer.
    named(
        "[80, 15, 62, 97, 27, 39, 54, 91, 98, 45, 60, 38, 10, 33, 12, 92, 21, 83, 76, 82]",
        "0",
        "torch.randperm(100) after torch.manual_seed(0) and draws of 55 words",
    );
}
