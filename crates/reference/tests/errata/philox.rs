//! Errata of the Philox part of RandomUniform-8: the generator and its words.

use half::bf16;
use seedproof_reference::convert;

use crate::request::{decimals, tensorflow};

/// One answer to each question about the rounds.
#[derive(Clone, Copy)]
struct Answers {
    products_cross: bool,
    low_key_word_into_n: bool,
    golden_ratio_to_low_word: bool,
    low_word_first: bool,
}

const ADOPTED: Answers = Answers {
    products_cross: true,
    low_key_word_into_n: true,
    golden_ratio_to_low_word: true,
    low_word_first: true,
};

/// The first block for the seeds of example 1.
fn block(answers: Answers) -> [u32; 4] {
    let (mut n, mut counter, mut key) = ([0_u32, 0], [10_u32, 0], [150_u32, 0]);
    let product = |a: u32, b: u32| {
        let wide = (u64::from(a) * u64::from(b)).to_le_bytes();
        let word = |i: usize| u32::from_le_bytes([wide[i], wide[i + 1], wide[i + 2], wide[i + 3]]);
        [word(0), word(4)]
    };
    for _ in 0..10 {
        let (of_n, of_counter) = (product(n[0], 0xD2511F53), product(counter[0], 0xCD9E8D57));
        let (into_n, into_counter) = if answers.products_cross {
            (of_counter, of_n)
        } else {
            (of_n, of_counter)
        };
        let [k_n, k_counter] = if answers.low_key_word_into_n {
            key
        } else {
            [key[1], key[0]]
        };
        n = [into_n[1] ^ k_n ^ n[1], into_n[0]];
        counter = [into_counter[1] ^ k_counter ^ counter[1], into_counter[0]];
        let raise = if answers.golden_ratio_to_low_word {
            [0x9E3779B9, 0xBB67AE85]
        } else {
            [0xBB67AE85, 0x9E3779B9]
        };
        key = [key[0].wrapping_add(raise[0]), key[1].wrapping_add(raise[1])];
    }
    if answers.low_word_first {
        [n[0], n[1], counter[0], counter[1]]
    } else {
        [n[1], n[0], counter[1], counter[0]]
    }
}

fn floats(answers: Answers) -> Vec<String> {
    decimals(block(answers).map(convert::f32::tensorflow))
}

/// The first row of example 1, and one number more.
const PRINTED: [&str; 4] = ["0.7011236", "0.30539632", "0.93931055", "0.9456035"];

fn decide(wrong: Answers, gives: [&str; 4]) {
    assert_eq!(decimals(tensorflow((150, 10), 4, (0.0_f32, 1.0))), PRINTED);
    assert_eq!(floats(ADOPTED), PRINTED);
    assert_eq!(floats(wrong), gives);
}

#[test]
fn ru8_philox_halves_cross() {
    let straight = Answers {
        products_cross: false,
        low_key_word_into_n: false,
        ..ADOPTED
    };
    decide(straight, ["0.28704572", "0.5760081", "0.2017287", "0.13885093"]);
    let by_the_letter = Answers {
        golden_ratio_to_low_word: false,
        low_word_first: false,
        ..straight
    };
    decide(
        by_the_letter,
        ["0.46484125", "0.35044253", "0.37440777", "0.8302159"],
    );
}

#[test]
fn ru8_philox_key_words() {
    let high_into_n = Answers {
        low_key_word_into_n: false,
        ..ADOPTED
    };
    decide(high_into_n, ["0.9520346", "0.30477905", "0.05871606", "0.8650303"]);
}

#[test]
fn ru8_philox_weyl_constants() {
    let as_printed = Answers {
        golden_ratio_to_low_word: false,
        ..ADOPTED
    };
    decide(as_printed, ["0.0371958", "0.574785", "0.9677088", "0.9753581"]);
}

#[test]
fn ru8_philox_result_order() {
    let as_listed = Answers {
        low_word_first: false,
        ..ADOPTED
    };
    decide(as_listed, [PRINTED[1], PRINTED[0], PRINTED[3], PRINTED[2]]);
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
    let [x, ..] = block(ADOPTED);
    let integer = (127 << 23) | (x & 0x7fffff);
    assert_eq!(f64::from(integer) - 1.0, 1071234666.0);
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
