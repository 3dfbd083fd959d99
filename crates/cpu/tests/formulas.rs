//! The scalar level against formulas as the documents have them, one element and one operation at a time.

use half::{bf16, f16};
use proptest::prelude::*;
use seedproof_cpu::{Generator, Level, Philox, PhiloxKey, Plan, Value};

/// The words of Philox4x32-10 as RandomUniform-8 tells it, with its errata: `n` and `counter` as halves.
fn philox(key: u64, counter: u64, n: u64) -> [u32; 4] {
    let low = |x: u64| x & 0xffff_ffff;
    let (mut n, mut c, mut k) = (
        [low(n), n >> 32],
        [low(counter), counter >> 32],
        [low(key), key >> 32],
    );
    for _ in 0..10 {
        let from_n = n[0] * 0xD251_1F53;
        let from_c = c[0] * 0xCD9E_8D57;
        n = [(from_c >> 32) ^ n[1] ^ k[0], low(from_c)];
        c = [(from_n >> 32) ^ c[1] ^ k[1], low(from_n)];
        k = [low(k[0] + 0x9E37_79B9), low(k[1] + 0xBB67_AE85)];
    }
    [n[0], n[1], c[0], c[1]].map(|word| u32::try_from(word).unwrap())
}

/// The words of MT19937, all 624 states made over and over without tricks.
fn mersenne(seed: u32, count: usize) -> Vec<u32> {
    let mut state = vec![seed];
    for i in 1..624_u32 {
        let last = state[state.len() - 1];
        state.push((last ^ (last >> 30)).wrapping_mul(1_812_433_253).wrapping_add(i));
    }
    while state.len() < 624 + count {
        let i = state.len() - 624;
        let y = (state[i] & 0x8000_0000) | (state[i + 1] & 0x7fff_ffff);
        state.push(state[i + 397] ^ (y >> 1) ^ if y & 1 == 1 { 0x9908_b0df } else { 0 });
    }
    let temper = |mut y: u32| {
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c_5680;
        y ^= (y << 15) & 0xefc6_0000;
        y ^ (y >> 18)
    };
    state[624..].iter().map(|&y| temper(y)).collect()
}

fn words(generator: Generator, count: usize) -> Vec<u32> {
    match generator {
        Generator::Philox(Philox { key, counter }) => {
            let counter = u64::try_from(counter >> 64).unwrap();
            (0..).flat_map(|n| philox(key, counter, n)).take(count).collect()
        }
        Generator::Mt19937 { seed } => mersenne(seed, count),
        Generator::Key(PhiloxKey { seed, offset }) => {
            let blocks = (0..).flat_map(|n| philox(seed, 0, offset.wrapping_add(n)));
            blocks.take(count).collect()
        }
    }
}

fn generators() -> impl Strategy<Value = Generator> {
    prop_oneof![
        any::<(u64, u64)>().prop_map(|(key, counter)| Generator::Philox(Philox {
            key,
            counter: u128::from(counter) << 64
        })),
        any::<u32>().prop_map(|seed| Generator::Mt19937 { seed }),
        any::<(u64, u64)>().prop_map(|(seed, before)| {
            let offset = (before % 9).wrapping_neg();
            Generator::Key(PhiloxKey { seed, offset })
        }),
    ]
}

fn filled<T: Value>(generator: Generator, minval: T, maxval: T, count: usize) -> Vec<T> {
    let mut out = vec![minval; count];
    Plan::new(Level::scalar(), generator, minval, maxval)
        .unwrap()
        .fill(&mut out);
    out
}

/// `x / 2^digits` for the low `digits` bits of `x`: what both alignments come to.
fn fraction(x: u64, digits: u32) -> f64 {
    let low = u32::try_from(x & ((1 << digits.min(32)) - 1)).unwrap();
    let high = u32::try_from((x & ((1 << digits) - 1)) >> 32).unwrap();
    (f64::from(high) * 4_294_967_296.0 + f64::from(low)) / 2_f64.powi(i32::try_from(digits).unwrap())
}

/// An f64 as an f32, where it is one.
fn single(x: f64) -> f32 {
    #[expect(clippy::cast_possible_truncation, reason = "checked to be exact")]
    let narrow = x as f32;
    assert_eq!(f64::from(narrow).to_bits(), x.to_bits());
    narrow
}

const COUNTS: [usize; 5] = [1, 9, 226, 229, 1300];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn formulas_of_f32(generator in generators(), a in -1e3_f32..1e3, width in 1e-3_f32..1e6, n in 0_usize..5) {
        let digits = if matches!(generator, Generator::Philox(_)) { 23 } else { 24 };
        let b = a + width;
        for (word, y) in words(generator, COUNTS[n]).into_iter().zip(filled(generator, a, b, COUNTS[n])) {
            let product = single(fraction(word.into(), digits)) * (b - a);
            prop_assert_eq!(y.to_bits(), (product + a).to_bits());
        }
    }

    #[test]
    fn formulas_of_f64(generator in generators(), a in -1e3_f64..1e3, width in 1e-3_f64..1e6, n in 0_usize..5) {
        let digits = if matches!(generator, Generator::Philox(_)) { 52 } else { 53 };
        let b = a + width;
        for (words, y) in words(generator, 2 * COUNTS[n]).chunks(2).zip(filled(generator, a, b, COUNTS[n])) {
            let x = (u64::from(words[0]) << 32) + u64::from(words[1]);
            let product = fraction(x, digits) * (b - a);
            prop_assert_eq!(y.to_bits(), (product + a).to_bits());
        }
    }

    #[test]
    fn formulas_of_f16(generator in generators(), a in -100_f32..100.0, width in 0.5_f32..1e3, n in 0_usize..5) {
        let (a, b) = (f16::from_f32(a), f16::from_f32(a + width));
        prop_assume!(a < b);
        let range = f16::from_f64(b.to_f64() - a.to_f64());
        for (word, y) in words(generator, COUNTS[n]).into_iter().zip(filled(generator, a, b, COUNTS[n])) {
            let expected = if matches!(generator, Generator::Philox(_)) {
                let product = f16::from_f64(fraction(word.into(), 10) * range.to_f64());
                f16::from_f64(product.to_f64() + a.to_f64())
            } else {
                let product = single(fraction(word.into(), 11)) * range.to_f32();
                f16::from_f32(product + a.to_f32())
            };
            prop_assert_eq!(y.to_bits(), expected.to_bits());
        }
    }

    #[test]
    fn formulas_of_bf16(generator in generators(), a in -100_f32..100.0, width in 0.5_f32..1e3, n in 0_usize..5) {
        let (a, b) = (bf16::from_f32(a), bf16::from_f32(a + width));
        prop_assume!(a < b);
        let range = bf16::from_f64(b.to_f64() - a.to_f64());
        for (word, y) in words(generator, COUNTS[n]).into_iter().zip(filled(generator, a, b, COUNTS[n])) {
            let expected = if matches!(generator, Generator::Philox(_)) {
                let product = bf16::from_f64(fraction(word.into(), 7) * range.to_f64());
                bf16::from_f64(product.to_f64() + a.to_f64())
            } else {
                let product = single(fraction(word.into(), 8)) * range.to_f32();
                bf16::from_f32(product + a.to_f32())
            };
            prop_assert_eq!(y.to_bits(), expected.to_bits());
        }
    }

    #[test]
    fn formulas_of_i32(generator in generators(), a: i32, b: i32, n in 0_usize..5) {
        let (a, b) = (a.min(b), a.max(b));
        prop_assume!(a < b);
        for (word, y) in words(generator, COUNTS[n]).into_iter().zip(filled(generator, a, b, COUNTS[n])) {
            let rest = i64::from(word) % (i64::from(b) - i64::from(a));
            prop_assert_eq!(i64::from(y), rest + i64::from(a));
        }
    }

    #[test]
    fn formulas_of_i64(generator in generators(), a: i64, b: i64, by in 0_u32..64, n in 0_usize..5) {
        let (a, b) = ((a >> by).min(b >> by), (a >> by).max(b >> by));
        prop_assume!(a < b);
        let range = i128::from(b) - i128::from(a);
        let two = words(generator, 2 * COUNTS[n]);
        for (i, y) in filled(generator, a, b, COUNTS[n]).into_iter().enumerate() {
            let (first, second) = (i128::from(two[2 * i]), i128::from(two[2 * i + 1]));
            let x = match generator {
                Generator::Philox(_) => (second << 32) + first,
                Generator::Mt19937 { .. } if b <= i64::from(u32::MAX) => i128::from(two[i]),
                Generator::Mt19937 { .. } | Generator::Key(_) => (first << 32) + second,
            };
            prop_assert_eq!(i128::from(y), x % range + i128::from(a));
        }
    }
}

#[test]
fn formulas_make_canonical_nan_where_zero_meets_infinity() {
    let generator = Generator::Mt19937 { seed: 5 };
    for y in filled(generator, f32::NEG_INFINITY, f32::INFINITY, 20) {
        assert_eq!(y.to_bits(), 0x7fc0_0000);
    }
    for y in filled(generator, f64::NEG_INFINITY, 0.0, 20) {
        assert_eq!(y.to_bits(), 0x7ff8_0000_0000_0000);
    }
    for y in filled(generator, f16::NEG_INFINITY, f16::ZERO, 20) {
        assert_eq!(y.to_bits(), 0x7e00);
    }
    for y in filled(generator, bf16::NEG_INFINITY, bf16::ZERO, 20) {
        assert_eq!(y.to_bits(), 0x7fc0);
    }
    // A finite range that overflows: zero times infinity is NaN, all else is infinite.
    let zeros = filled(generator, f16::ZERO, f16::ONE, 5000);
    let wide = filled(generator, f16::MIN, f16::MAX, 5000);
    assert!(zeros.contains(&f16::ZERO));
    for (unit, y) in zeros.into_iter().zip(wide) {
        assert_eq!(y.to_bits(), if unit == f16::ZERO { 0x7e00 } else { 0x7c00 });
    }
}
