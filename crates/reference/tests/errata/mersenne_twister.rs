//! Errata of the Mersenne-Twister part of RandomUniform-8.

use half::f16;
use seedproof_reference::mt19937;

use crate::request::{decimals, pytorch};

/// The words of a generator whose seeding and whose wrap are those given.
fn words(seed: u32, next: impl Fn(u32, u32) -> u32, wrap: usize, count: usize) -> Vec<u32> {
    let mut state = vec![seed];
    for i in 1..624 {
        state.push(next(*state.last().unwrap(), i));
    }
    let mut drawn = Vec::new();
    while drawn.len() < count {
        for i in 0..624 {
            let next = state[(i + 1) % 624];
            let next_m = if i + 397 <= 623 {
                state[i + 397]
            } else {
                state[i + 397 - wrap]
            };
            let joined = (state[i] & 0x8000_0000) | (next & 0x7fff_ffff);
            state[i] = next_m ^ (joined >> 1) ^ if next & 1 == 1 { 0x9908_b0df } else { 0 };
        }
        drawn.extend(state.iter().map(|&y| mt19937::temper(y)));
    }
    drawn.truncate(count);
    drawn
}

fn xor_first(s: u32, i: u32) -> u32 {
    1812433253_u32.wrapping_mul(s ^ (s >> 30)).wrapping_add(i)
}

/// As operators bind in C.
fn product_first(s: u32, i: u32) -> u32 {
    1812433253_u32.wrapping_mul(s) ^ (s >> 30).wrapping_add(i)
}

/// What PyTorch 1.13 and 2.15 and OpenVINO 2026.4 draw for the seed 150, f32 in the unit interval.
const TORCH_150: [&str; 4] = ["0.59748673", "0.544582", "0.04074067", "0.5810562"];

/// The same for the seed 80, f64 from 2 to 10.
const TORCH_80: [f64; 4] = [
    9.067076401353173,
    5.073877446908415,
    7.533241863666989,
    4.710951987980897,
];

fn unit_f32(words: &[u32]) -> Vec<String> {
    decimals(
        words
            .iter()
            .map(|&x| seedproof_reference::convert::f32::pytorch(x)),
    )
}

#[test]
fn ru8_mt_seed_precedence() {
    assert_eq!(decimals(pytorch(150, 4, (0.0_f32, 1.0))), TORCH_150);
    assert_eq!(unit_f32(&words(150, xor_first, 624, 4)), TORCH_150);
    let wrong = unit_f32(&words(150, product_first, 624, 4));
    assert_eq!(wrong, ["0.42638677", "0.6513361", "0.2364738", "0.692549"]);
}

#[test]
fn ru8_mt_twist_wrap() {
    let right = words(150, xor_first, 624, 2_000);
    let wrong = words(150, xor_first, 623, 2_000);
    assert_eq!(mt19937::words(150).take(2_000).collect::<Vec<_>>(), right);
    let differing: Vec<usize> = (0..2_000).filter(|&i| right[i] != wrong[i]).collect();
    assert_eq!((differing[0], differing.len()), (227, 1_773));

    let cpp_standard = 4123659995;
    assert_eq!(mt19937::words(5489).nth(9_999), Some(cpp_standard));
    assert_ne!(words(5489, xor_first, 623, 10_000)[9_999], cpp_standard);
}

#[test]
fn ru8_mt_mask_precedence() {
    let one_bit: Vec<f64> = mt19937::words(150)
        .take(4)
        .map(|x| f64::from(x & (1 << 23)) / 2_f64.powi(24))
        .collect();
    assert_eq!(strings(&one_bit), ["0.5", "0.5", "0", "0.5"]);
    assert_eq!(decimals(pytorch(150, 4, (0.0_f32, 1.0))), TORCH_150);
}

fn strings(values: &[f64]) -> Vec<String> {
    values.iter().map(f64::to_string).collect()
}

/// f64 from 2 to 10 of joined words.
fn from_2_to_10(value: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "53 bits are exact")]
    let unit = (value & ((1 << 53) - 1)) as f64 / 2_f64.powi(53);
    unit * 8.0 + 2.0
}

fn pairs(seed: u64, count: usize) -> Vec<(u64, u64)> {
    let words: Vec<u64> = mt19937::words(seed).take(2 * count).map(u64::from).collect();
    words.chunks(2).map(|pair| (pair[0], pair[1])).collect()
}

#[test]
fn ru8_mt_f64_word_order() {
    assert_eq!(strings(&pytorch(80, 4, (2.0_f64, 10.0))), strings(&TORCH_80));
    let low_first: Vec<f64> = pairs(80, 2)
        .iter()
        .map(|(x, y)| from_2_to_10((y << 32) + x))
        .collect();
    assert_eq!(strings(&low_first), ["8.14525040403639", "4.383620069146593"]);
    let shifted: Vec<f64> = pairs(80, 2)
        .iter()
        .map(|(x, y)| from_2_to_10(x << ((32 + y) % 64)))
        .collect();
    assert_eq!(strings(&shifted), ["8.441692113876343", "6"]);
}

#[test]
fn ru8_mt_f64_uses_x() {
    let (x, y) = pairs(80, 1)[0];
    assert_eq!(from_2_to_10((x << 32) + y).to_string(), TORCH_80[0].to_string());
    assert_eq!(from_2_to_10(x).to_string(), "2.0000019909504507");
    assert_eq!(
        pytorch(80, 1, (2.0_f64, 10.0))[0].to_string(),
        TORCH_80[0].to_string()
    );
}

/// PyTorch 1.13 and 2.15 and OpenVINO 2026.4, seed 80, from 50 to 100.
#[test]
fn ru8_mt_integer_signed() {
    assert_eq!(pytorch(80, 6, (50_i32, 100)), [77, 58, 62, 69, 60, 94]);
    let signed: Vec<i32> = mt19937::words(80)
        .take(6)
        .map(|x| x.cast_signed() % 50 + 50)
        .collect();
    assert_eq!(signed, [31, 12, 16, 23, 60, 94]);
}

/// OpenVINO 2026.4 core, two captures: a wide range of small bounds, and a narrow range of large ones.
#[test]
fn ru8_mt_i64_one_word_rule() {
    let wide = (i64::MIN, 0);
    let drawn = [
        -9223372034545154445,
        -9223372033043628714,
        -9223372032620800985,
        -9223372033848185797,
    ];
    assert_eq!(pytorch(4978, 4, wide), drawn);
    let range = wide.0.abs_diff(wide.1);
    let by_range: Vec<i64> = pairs(4978, 1)
        .iter()
        .map(|(x, y)| (((x << 32) + y) % range).cast_signed().wrapping_add(wide.0))
        .collect();
    assert_ne!(by_range[0], drawn[0]);

    let narrow = (4294967296, 4294967301);
    let drawn = [4294967300, 4294967298, 4294967297, 4294967298, 4294967297];
    assert_eq!(pytorch(1099511627777, 5, narrow), drawn);
    let by_range: Vec<i64> = mt19937::words(1099511627777)
        .take(5)
        .map(|x| i64::from(x % 5) + narrow.0)
        .collect();
    assert_ne!(by_range, drawn);
}

/// OpenVINO 2026.4 core, seed 42.
#[test]
fn ru8_mt_i64_two_words() {
    let range = 4294967297;
    let drawn = [1812488525, 999526835, 204857309];
    assert_eq!(pytorch(42, 3, (0, range)), drawn);
    let joined = |high: u64, low: u64| (high << 32) + low;
    let signed: Vec<i64> = pairs(42, 3)
        .iter()
        .map(|&(x, y)| joined(x, y).cast_signed() % range)
        .collect();
    let low_first: Vec<u64> = pairs(42, 3)
        .iter()
        .map(|&(x, y)| joined(y, x) % range.cast_unsigned())
        .collect();
    assert_ne!(signed, drawn);
    assert_ne!(low_first, drawn.map(i64::cast_unsigned));
}

#[test]
fn ru8_mt_examples() {
    let printed = ["0.6789123", "0.31274895", "0.91842768", "0.9312087"];
    assert_eq!(decimals(pytorch(150, 4, (0.0_f32, 1.0))), TORCH_150);
    assert_ne!(TORCH_150, printed);
    // No word gives the second printed number: every f32 of PYTORCH is a multiple of 2^-24.
    let multiple = f64::from(0.31274895_f32) * 2_f64.powi(24);
    assert_eq!(multiple.to_string(), "5247056.5");

    let printed = [8.34928537, 6.12348725, 3.76852914, 2.89564172];
    let drawn = pytorch(80, 4, (2.0_f64, 10.0));
    assert!(
        drawn
            .iter()
            .zip(printed)
            .all(|(drawn, printed)| (drawn - printed).abs() > 0.1)
    );

    let printed = [89, 73, 68, 95, 78, 61];
    assert_ne!(pytorch(80, 6, (50_i32, 100)), printed);
}

/// PyTorch 1.13 and 2.15, seed 0.
#[test]
fn ru8_frameworks_torch_halves() {
    let torch_1_13 = [0x3558, 0x345e, 0x3a75, 0x38c0];
    let torch_2_15 = [0x37f1, 0x3a25, 0x2daa, 0x303a];
    let bits = |values: Vec<f16>| values.into_iter().map(f16::to_bits).collect::<Vec<_>>();
    let drawn = bits(pytorch(0, 4, (f16::ZERO, f16::ONE)));
    let of_24_bits = pytorch(0, 4, (0.0_f32, 1.0))
        .into_iter()
        .map(f16::from_f32)
        .collect();
    assert_eq!(drawn, torch_1_13);
    assert_eq!(bits(of_24_bits), torch_2_15);
}

/// PyTorch 1.13, f16 from -0.1 to 0.3, seed 80.
#[test]
fn ru8_mt_half_rounding() {
    let (minval, maxval) = (f16::from_f32(-0.1), f16::from_f32(0.3));
    let torch_1_13 = [0x304b, 0x3060, 0x2d46, 0xab86, 0x1800, 0x2ba6, 0xae5c, 0x3223];
    let drawn: Vec<u16> = pytorch(80, 8, (minval, maxval))
        .into_iter()
        .map(f16::to_bits)
        .collect();
    assert_eq!(drawn, torch_1_13);

    let each_operation: Vec<u16> = mt19937::words(80)
        .take(8)
        .map(|x| {
            let unit = f16::from_f32(seedproof_reference::convert::f16::pytorch(x).to_f32());
            let range = f16::from_f32(maxval.to_f32() - minval.to_f32());
            let product = f16::from_f32(unit.to_f32() * range.to_f32());
            f16::from_f32(product.to_f32() + minval.to_f32()).to_bits()
        })
        .collect();
    assert_ne!(each_operation, torch_1_13);
}

#[test]
fn ru8_seeds_high_half() {
    let range = (0.0_f32, 1.0);
    assert_eq!(decimals(pytorch((1 << 32) + 150, 4, range)), TORCH_150);
    // An answer in which all bits count would seed from another word.
    let folded = unit_f32(&words(151, xor_first, 624, 4));
    assert_ne!(folded, TORCH_150);
    let tensorflow = |seeds| crate::request::tensorflow(seeds, 4, range);
    assert_ne!(
        decimals(tensorflow(((1 << 32) + 150, 10))),
        decimals(tensorflow((150, 10)))
    );
    assert_ne!(
        decimals(tensorflow((150, (1 << 32) + 10))),
        decimals(tensorflow((150, 10)))
    );
}
