//! Errata of NumPy's RandomState. Every number is that of NumPy 2.4.6, for the seed 42 where none is said.

use seedproof_ops::{
    Dtype, ErrorKind, RandomStatePermutation, RandomStateRand, RandomStateRandint, RandomStateRandn, Request,
};
use seedproof_reference::mt19937::{seed, temper, twist, words};
use seedproof_transcend::log;

use crate::request::{answer, refusal};

/// `RandomState(42).randint(0, 2**32, 8, numpy.uint32)`.
const WORDS: [u64; 8] = [
    1608637542, 3421126067, 4083286876, 787846414, 3143890026, 3348747335, 2571218620, 2563451924,
];

fn rand(seed: i128, seed_words: Option<i128>, count: u64) -> Vec<u64> {
    answer(&Request::RandomStateRand(RandomStateRand {
        seed,
        seed_words,
        output_sizes: vec![count],
        execution: 0,
    }))
    .unwrap()
}

fn randn(seed: i128, count: u64, execution: u32) -> Vec<u64> {
    answer(&Request::RandomStateRandn(RandomStateRandn {
        seed,
        seed_words: None,
        output_sizes: vec![count],
        execution,
    }))
    .unwrap()
}

fn randint(dtype: Dtype, count: u64, high: i128, execution: u32) -> Request {
    Request::RandomStateRandint(RandomStateRandint {
        seed: 42,
        seed_words: None,
        output_type: dtype.into(),
        output_sizes: vec![count],
        low: 0,
        high,
        execution,
    })
}

#[test]
fn rsr_list_one() {
    let (number, list) = (rand(0, None, 1), rand(0, Some(1), 1));
    assert_eq!([number, list], [[0x3fe1_8fe1_565f_12a8], [0x3feb_0580_f98a_7dbe]]);
}

#[test]
fn rsr_list_order() {
    assert_eq!(rand(0, Some(2), 1), [0x3fc3_4ab3_f5d0_9eac]);
    assert_ne!(rand(0, Some(2), 1), rand(0, Some(1), 1));
}

#[test]
fn rsr_position() {
    let mut state = seed(42);
    assert_ne!(u64::from(temper(state[623])), WORDS[0]);
    twist(&mut state);
    assert_eq!(u64::from(temper(state[0])), WORDS[0]);
}

#[test]
#[expect(clippy::cast_precision_loss, reason = "53 bits are exact")]
fn rsr_f64_words() {
    let real = rand(42, None, 1)[0];
    assert_eq!(real, 0x3fd7_f877_1e5f_51ec);
    let over = |digits: u64, bits: i32| (digits as f64 / 2_f64.powi(bits)).to_bits();
    assert_eq!(over(WORDS[0] >> 5 << 26 | WORDS[1] >> 6, 53), real);
    assert_ne!(over((WORDS[0] << 32 | WORDS[1]) >> 11, 53), real);
    assert_ne!(over(WORDS[0], 32), real);
}

#[test]
fn rsi_empty() {
    assert_eq!(answer(&randint(Dtype::I8, 0, 0, 0)), Ok(vec![]));
    assert_eq!(refusal(&randint(Dtype::I8, 1, 0, 0)), Some(ErrorKind::Range));
}

#[test]
fn rsi_method() {
    let real = [1608637542, 787846414, 3143890026, 2571218620, 2563451924];
    let numbers = 3 << 30;
    assert_eq!(answer(&randint(Dtype::U32, 5, numbers, 0)).unwrap(), real);
    let numbers = u64::try_from(numbers).unwrap();
    let masked: Vec<u64> = WORDS.into_iter().filter(|&word| word < numbers).take(5).collect();
    assert_eq!(masked, real);
    assert_ne!(WORDS.map(|word| word % numbers)[..5], real);
    assert_ne!(WORDS.map(|word| (word * numbers) >> 32)[..5], real);
}

#[test]
fn rsi_width_range() {
    // Of 2^32 numbers a word is one, and of one number more two words make one.
    let real = answer(&randint(Dtype::I64, 3, 1 << 32, 0)).unwrap();
    assert_eq!(real, WORDS[..3]);
    assert_ne!(real, [WORDS[1], WORDS[3], WORDS[5]]);
    let more = answer(&randint(Dtype::I64, 3, (1 << 32) + 1, 0)).unwrap();
    assert_eq!(more, [3421126067, 787846414, 3348747335]);
}

#[test]
fn rsi_words64_order() {
    let real = [0x5fe1_dc66_cbea_3db3, 0xf362_035c_2ef5_950e];
    assert_eq!(answer(&randint(Dtype::U64, 2, 1 << 64, 0)).unwrap(), real);
    assert_eq!(WORDS[0] << 32 | WORDS[1], real[0]);
    assert_ne!(WORDS[1] << 32 | WORDS[0], real[0]);
}

#[test]
fn rsi_pieces_order() {
    let real = [0x66, 0xdc, 0xe1];
    assert_eq!(answer(&randint(Dtype::U8, 3, 256, 0)).unwrap(), real);
    let highest_first = [24, 16, 8].map(|shift| WORDS[0] >> shift & 0xff);
    assert_ne!(highest_first, real);
}

#[test]
fn rsi_pieces_left() {
    // The fourth piece of the first word is 0x5f; the second call begins with the second word.
    let real = [0xb3, 0x3d, 0xea];
    assert_eq!(answer(&randint(Dtype::U8, 3, 256, 1)).unwrap(), real);
    let kept = [WORDS[0] >> 24, WORDS[1] & 0xff, WORDS[1] >> 8 & 0xff];
    assert_ne!(kept, real);
}

fn permutation(n: i128) -> Vec<u64> {
    answer(&Request::RandomStatePermutation(RandomStatePermutation {
        seed: 42,
        seed_words: None,
        n,
        execution: 0,
    }))
    .unwrap()
}

#[test]
fn rsp_negative() {
    assert_eq!(permutation(-5), [0; 0]);
    assert_eq!(permutation(1), [0]);
}

#[test]
fn rsp_shuffle_begin() {
    let real = [1, 5, 0, 7, 2, 4, 3, 6];
    assert_eq!(permutation(8), real);
    let [second, first] = [false, true].map(|is_from_first| {
        let (mut numbers, mut words) = ((0..8_u64).collect::<Vec<_>>(), words(42));
        for i in 1..8_usize {
            let most = if is_from_first { 8 - i } else { i };
            let mask = (most + 1).next_power_of_two() - 1;
            let mut drawn = words.by_ref().map(|word| usize::try_from(word).unwrap() & mask);
            let drawn = drawn.find(|&drawn| drawn <= most).unwrap();
            if is_from_first {
                numbers.swap(i - 1, i - 1 + drawn);
            } else {
                numbers.swap(i, drawn);
            }
        }
        numbers
    });
    assert_ne!(second, real);
    assert_ne!(first, real);
}

#[test]
fn rsn_order_first() {
    let real = randn(42, 2, 0);
    assert_eq!(real, [0x3fdf_ca2a_28a9_307c, 0xbfc1_b2a5_05de_052a]);
    // The first number of the pair, 2 * 0.3745 - 1, is negative, and the second is not.
    let signs = rand(42, None, 2)
        .into_iter()
        .map(|bits| f64::from_bits(bits) < 0.5);
    assert!(signs.eq([true, false]));
    assert!(f64::from_bits(real[0]) > 0.0 && f64::from_bits(real[1]) < 0.0);
}

#[test]
fn rsn_kept_calls() {
    let calls = [0, 1, 2].map(|execution| randn(42, 1, execution)[0]);
    let real = [
        0x3fdf_ca2a_28a9_307c,
        0xbfc1_b2a5_05de_052a,
        0x3fe4_b9dd_5024_5e68,
    ];
    assert_eq!(calls, real);
    // Were the second normal dropped, the second call would have the third.
    assert_ne!(calls[1], real[2]);
}

#[test]
fn rsn_squares() {
    let [x, y] = [0xbfe9_c202_6c8e_66ae, 0x3fe0_b850_bb4d_4c2a].map(f64::from_bits);
    let normal = |square: f64| {
        let [log, other] = log::candidates(square);
        assert_eq!(log.to_bits(), other.to_bits());
        ((-2.0 * log / square).sqrt() * y).to_bits()
    };
    let (rounded, fused) = (x * x + y * y, x.mul_add(x, y * y));
    assert_eq!(
        [normal(rounded), normal(fused)],
        [0x3fcc_49d5_bcc3_ba6f, 0x3fcc_49d5_bcc3_ba75]
    );
    assert_eq!(randn(19, 1, 0), [0x3fcc_49d5_bcc3_ba6f]);
}

#[test]
fn rsn_log_library() {
    // The nearest float is the first of both, and glibc 2.36 returns the second.
    let [nearest, glibc] = log::candidates(0.827_867_203_570_421_4);
    assert_eq!(
        [nearest, glibc].map(f64::to_bits),
        [0xbfc8_2df5_2ff3_a037, 0xbfc8_2df5_2ff3_a038]
    );
}
