//! Errata of the Philox part of RandomUniform-8: the generator and its words.

use half::bf16;
use seedproof_reference::convert;

use crate::request::{decimals, tensorflow};

/// A question about the rounds that can be answered otherwise.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Question {
    /// Each of n and counter is updated from its own product.
    Products,
    /// The key's high word enters the new n.
    KeyWords,
    /// The golden ratio is added to the key's high word.
    Constants,
    /// The high word of n and of counter comes first.
    Order,
}

/// The first block for the seeds of example 1, with some questions answered otherwise.
fn block(otherwise: &[Question]) -> [u32; 4] {
    let swapped = |question, [a, b]: [u32; 2]| {
        if otherwise.contains(&question) {
            [b, a]
        } else {
            [a, b]
        }
    };
    let product = |a: u32, b: u32| {
        let wide = (u64::from(a) * u64::from(b)).to_le_bytes();
        let word = |i: usize| u32::from_le_bytes([wide[i], wide[i + 1], wide[i + 2], wide[i + 3]]);
        [word(0), word(4)]
    };
    let (mut n, mut counter, mut key) = ([0_u32, 0], [10_u32, 0], [150_u32, 0]);
    for _ in 0..10 {
        let (of_n, of_counter) = (product(n[0], 0xD2511F53), product(counter[0], 0xCD9E8D57));
        let (into_n, into_counter) = if otherwise.contains(&Question::Products) {
            (of_n, of_counter)
        } else {
            (of_counter, of_n)
        };
        let [k_n, k_counter] = swapped(Question::KeyWords, key);
        n = [into_n[1] ^ k_n ^ n[1], into_n[0]];
        counter = [into_counter[1] ^ k_counter ^ counter[1], into_counter[0]];
        let [low, high] = swapped(Question::Constants, [0x9E3779B9, 0xBB67AE85]);
        key = [key[0].wrapping_add(low), key[1].wrapping_add(high)];
    }
    let ([a, b], [c, d]) = (swapped(Question::Order, n), swapped(Question::Order, counter));
    [a, b, c, d]
}

fn floats(otherwise: &[Question]) -> Vec<String> {
    decimals(block(otherwise).map(convert::f32::tensorflow))
}

/// The first row of example 1, and one number more.
const PRINTED: [&str; 4] = ["0.7011236", "0.30539632", "0.93931055", "0.9456035"];

fn decide(otherwise: &[Question], gives: [&str; 4]) {
    assert_eq!(decimals(tensorflow((150, 10), 4, (0.0_f32, 1.0))), PRINTED);
    assert_eq!(floats(&[]), PRINTED);
    assert_eq!(floats(otherwise), gives);
}

#[test]
fn ru8_philox_halves_cross() {
    let straight = [Question::Products, Question::KeyWords];
    decide(&straight, ["0.28704572", "0.5760081", "0.2017287", "0.13885093"]);
    let by_the_letter = [
        Question::Products,
        Question::KeyWords,
        Question::Constants,
        Question::Order,
    ];
    decide(
        &by_the_letter,
        ["0.46484125", "0.35044253", "0.37440777", "0.83021593"],
    );
}

#[test]
fn ru8_philox_key_words() {
    decide(
        &[Question::KeyWords],
        ["0.9520346", "0.30477905", "0.05871606", "0.8650303"],
    );
}

#[test]
fn ru8_philox_weyl_constants() {
    decide(
        &[Question::Constants],
        ["0.0371958", "0.574785", "0.9677088", "0.9753581"],
    );
}

#[test]
fn ru8_philox_result_order() {
    decide(
        &[Question::Order],
        [PRINTED[1], PRINTED[0], PRINTED[3], PRINTED[2]],
    );
}

/// TensorFlow 2.21, bf16 from 2 to 10 with the seeds 150 and 10.
#[test]
fn ru8_convert_bf16_missing() {
    let range = (bf16::from_f32(2.0), bf16::from_f32(10.0));
    let tensorflow_2_21 = [0x410b, 0x40b4, 0x40e8, 0x4024, 0x408a, 0x40ea, 0x409a, 0x40ec];
    assert_eq!(
        tensorflow((150, 10), 8, range)
            .iter()
            .map(|x| x.to_bits())
            .collect::<Vec<_>>(),
        tensorflow_2_21
    );

    let seven_low_bits = tensorflow((150, 10), 1, (bf16::ZERO, bf16::ONE))[0];
    let rounded_f32 = bf16::from_f32(tensorflow((150, 10), 1, (0.0_f32, 1.0))[0]);
    assert_eq!(
        (seven_low_bits.to_bits(), rounded_f32.to_bits()),
        (0x3f56, 0x3f33)
    );
    assert_ne!(
        convert::bf16::in_range(rounded_f32, range.0, range.1).to_bits(),
        tensorflow_2_21[0]
    );
}

#[test]
fn ru8_convert_missing_bit_cast() {
    let [x, ..] = block(&[]);
    let integer = (127 << 23) | (x & 0x7fffff);
    assert_eq!((f64::from(integer) - 1.0).to_string(), "1071234666");
    assert_eq!(decimals([f32::from_bits(integer) - 1.0]), [PRINTED[0]]);
}

/// TensorFlow 2.21 and OpenVINO 2026.4 core, i64 from 50 to 100 with the seeds 80 and 100.
#[test]
fn ru8_convert_i64_words() {
    let drawn = [85, 70, 64, 61, 57, 75];
    assert_eq!(tensorflow((80, 100), 6, (50_i64, 100)), drawn);

    let words: Vec<u32> = seedproof_reference::philox::words(80, 100 << 64)
        .take(12)
        .collect();
    let remainder = |x: u64| x % 50 + 50;
    let one: Vec<u64> = words[..6].iter().map(|&x| remainder(u64::from(x))).collect();
    let high_first: Vec<u64> = words
        .chunks(2)
        .map(|pair| remainder(u64::from(pair[0]) << 32 | u64::from(pair[1])))
        .collect();
    assert_eq!(one, [65, 70, 56, 59, 82, 92]);
    assert_eq!(high_first, [60, 85, 64, 66, 67, 95]);
}
