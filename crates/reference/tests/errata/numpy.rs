//! Errata of NumPy's Generator. Every number is that of NumPy 2.4.6 for the seed 42 and PCG64.

use seedproof_ops::{
    Dtype, ErrorKind, NumpyBitGenerator, NumpyIntegers, NumpyPermutation, NumpyRandom, Request,
};

use crate::request::{answer, refusal};

/// `PCG64(42).random_raw(4)`.
const WORDS: [u64; 4] = [
    0xc621_fbcd_16d9_2688,
    0x705a_5661_a791_ffc1,
    0xdbcd_12c2_6eda_1624,
    0xb286_b60e_1600_888d,
];

fn random(dtype: Dtype, count: u64, execution: u32) -> Vec<u64> {
    answer(&Request::NumpyRandom(NumpyRandom {
        bit_generator: NumpyBitGenerator::Pcg64.into(),
        seed: 42,
        output_type: dtype.into(),
        output_sizes: vec![count],
        execution,
    }))
    .unwrap()
}

fn integers(dtype: Dtype, count: u64, high: i128, execution: u32) -> Request {
    Request::NumpyIntegers(NumpyIntegers {
        bit_generator: NumpyBitGenerator::Pcg64.into(),
        seed: 42,
        output_type: dtype.into(),
        output_sizes: vec![count],
        low: 0,
        high,
        execution,
    })
}

/// The draws of 32 bits, of which each word of 64 is two.
fn draws() -> impl Iterator<Item = u64> {
    WORDS
        .into_iter()
        .flat_map(|word| [word & u64::from(u32::MAX), word >> 32])
}

#[test]
fn npr_f32_words() {
    let real = [0x3db6_c930, 0x3f46_21fb, 0x3f27_91ff, 0x3ee0_b4ac];
    assert_eq!(random(Dtype::F32, 4, 0), real);
    let doubles = random(Dtype::F64, 1, 0);
    assert_eq!(doubles, [0x3fe8_c43f_79a2_db24]);
    // The first f64 is 0.77, and the first f32 0.09.
    assert_ne!(
        f64::from_bits(doubles[0]) < 0.5,
        f32::from_bits(0x3db6_c930) < 0.5
    );
}

#[test]
fn npr_halves_kept() {
    // Three numbers a call: the second call begins with the half that the first one left.
    assert_eq!(random(Dtype::F32, 3, 1), [0x3ee0_b4ac, 0x3edd_b42c, 0x3f5b_cd12]);
    let of_word = |draw: u64| f32::from(u16::try_from(draw >> 16).unwrap()) / 65_536.0;
    let first = f32::from_bits(0x3ee0_b4ac);
    assert!((of_word(WORDS[1] >> 32) - first).abs() < 1e-4);
    let dropped = of_word(WORDS[2] & u64::from(u32::MAX));
    assert!((dropped - first).abs() > 1e-3);
}

#[test]
fn npr_extents_zero() {
    let sizes = |dtype: Dtype| {
        Request::NumpyIntegers(NumpyIntegers {
            bit_generator: NumpyBitGenerator::Pcg64.into(),
            seed: 42,
            output_type: dtype.into(),
            output_sizes: vec![1 << 31, 1 << 31, 0],
            low: 0,
            high: 5,
            execution: 0,
        })
    };
    assert_eq!(refusal(&sizes(Dtype::I32)), Some(ErrorKind::Shape));
    assert_eq!(answer(&sizes(Dtype::I8)), Ok(vec![]));
}

#[test]
fn npi_empty() {
    assert_eq!(answer(&integers(Dtype::I8, 0, 0, 0)), Ok(vec![]));
    assert_eq!(refusal(&integers(Dtype::I8, 1, 0, 0)), Some(ErrorKind::Range));
}

#[test]
fn npi_method() {
    let real = [
        2_493_086_937,
        2_108_522_448,
        1_413_726_408,
        2_765_737_489,
        276_850_281,
        2_246_379_658,
    ];
    let numbers = 3 << 30;
    assert_eq!(answer(&integers(Dtype::U32, 6, numbers, 0)).unwrap(), real);
    let numbers = u64::try_from(numbers).unwrap();
    let masked: Vec<u64> = draws().filter(|&draw| draw < numbers).take(6).collect();
    assert_ne!(masked, real);
    let remainders: Vec<u64> = draws().map(|draw| draw % numbers).take(6).collect();
    assert_ne!(remainders, real);
}

#[test]
fn npi_width_range() {
    // Of 2^32 numbers a draw of 32 bits is one, and of one number more a draw of 64 makes one.
    let real = [383_329_928, 3_324_115_917, 2_811_363_265];
    assert_eq!(answer(&integers(Dtype::I64, 3, 1 << 32, 0)).unwrap(), real);
    assert_eq!(draws().take(3).collect::<Vec<_>>(), real);
    let wide: Vec<u64> = WORDS.iter().map(|word| word >> 32).take(3).collect();
    assert_ne!(wide, real);
    let more = [3_324_115_917, 1_884_968_546, 3_687_649_987];
    assert_eq!(answer(&integers(Dtype::I64, 3, (1 << 32) + 1, 0)).unwrap(), more);
}

#[test]
fn npi_pieces_order() {
    let real = [0x88, 0x26, 0xd9];
    assert_eq!(answer(&integers(Dtype::U8, 3, 256, 0)).unwrap(), real);
    let [low, .., high] = WORDS[0].to_le_bytes();
    assert_eq!([u64::from(low), u64::from(high)], [0x88, 0xc6]);
}

#[test]
fn npi_pieces_left() {
    // The fourth piece of the first draw is 0x16; the second call begins with the second draw.
    let real = [0xcd, 0xfb, 0x21];
    assert_eq!(answer(&integers(Dtype::U8, 3, 256, 1)).unwrap(), real);
    let bytes: Vec<u64> = WORDS[0].to_le_bytes().map(u64::from).to_vec();
    assert_eq!(bytes[4..7], real);
    assert_ne!(bytes[3..6], real);
}

fn permutation(n: i128) -> Vec<u64> {
    answer(&Request::NumpyPermutation(NumpyPermutation {
        bit_generator: NumpyBitGenerator::Pcg64.into(),
        seed: 42,
        n,
        execution: 0,
    }))
    .unwrap()
}

#[test]
fn npp_negative() {
    assert_eq!(permutation(-5), [0; 0]);
    assert_eq!(permutation(1), [0]);
}

#[test]
fn npp_interval_mask() {
    let real = [3, 4, 2, 7, 6, 1, 5, 0];
    assert_eq!(permutation(8), real);
    let mut lemire: Vec<u64> = (0..8).collect();
    for (i, draw) in (1..8).rev().zip(draws()) {
        // No draw is rejected: all lower halves are far from 0.
        let other = usize::try_from((draw * (i + 1)) >> 32).unwrap();
        lemire.swap(usize::try_from(i).unwrap(), other);
    }
    assert_ne!(lemire, real);
}
