use super::*;

/// Philox of any width and number of rounds, written from the paper's figure for four words and two keys: a
/// second opinion on this module, and the home of the 64-bit known answers.
fn philox4(
    bits: u32,
    [m0, m1]: [u64; 2],
    [w0, w1]: [u64; 2],
    rounds: u32,
    mut c: [u64; 4],
    mut k: [u64; 2],
) -> [u64; 4] {
    let mask = u64::MAX >> (64 - bits);
    let product = |a: u64, b: u64| {
        let wide = u128::from(a) * u128::from(b);
        let high = u64::try_from(wide >> bits).unwrap() & mask;
        (high, a.wrapping_mul(b) & mask)
    };
    for _ in 0..rounds {
        let ((hi0, lo0), (hi1, lo1)) = (product(c[0], m0), product(c[2], m1));
        c = [hi1 ^ c[1] ^ k[0], lo1, hi0 ^ c[3] ^ k[1], lo0];
        k = [k[0].wrapping_add(w0) & mask, k[1].wrapping_add(w1) & mask];
    }
    c
}

fn philox4x32(rounds: u32, c: [u32; 4], k: [u32; 2]) -> [u32; 4] {
    let m = [0xD251_1F53, 0xCD9E_8D57];
    let w = [0x9E37_79B9, 0xBB67_AE85];
    philox4(32, m, w, rounds, c.map(u64::from), k.map(u64::from)).map(|word| u32::try_from(word).unwrap())
}

fn philox4x64(rounds: u32, c: [u64; 4], k: [u64; 2]) -> [u64; 4] {
    let m = [0xD2E7_470E_E14C_6C93, 0xCA5A_8263_9512_1157];
    let w = [0x9E37_79B9_7F4A_7C15, 0xBB67_AE85_84CA_A73B];
    philox4(64, m, w, rounds, c, k)
}

fn join(low: u32, high: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

fn ours<const ROUNDS: usize>(c: [u32; 4], k: [u32; 2]) -> [u32; 4] {
    block_of_rounds(ROUNDS, join(k[0], k[1]), join(c[0], c[1]), join(c[2], c[3]))
}

/// The digits of pi that Random123 uses as a third counter and key.
const PI: ([u32; 4], [u32; 2]) = (
    [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344],
    [0xa4093822, 0x299f31d0],
);

#[test]
fn philox_4x32_10_meets_random123() {
    for (c, k, expected) in [
        ([0; 4], [0; 2], [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8]),
        (
            [u32::MAX; 4],
            [u32::MAX; 2],
            [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd],
        ),
        (PI.0, PI.1, [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1]),
    ] {
        assert_eq!(ours::<10>(c, k), expected);
        assert_eq!(philox4x32(10, c, k), expected);
    }
}

#[test]
fn philox_4x32_7_meets_random123() {
    for (c, k, expected) in [
        ([0; 4], [0; 2], [0x5f6fb709, 0x0d893f64, 0x4f121f81, 0x4f730a48]),
        (
            [u32::MAX; 4],
            [u32::MAX; 2],
            [0x5207ddc2, 0x45165e59, 0x4d8ee751, 0x8c52f662],
        ),
        (PI.0, PI.1, [0x4dfccaba, 0x190a87f0, 0xc47362ba, 0xb6b5242a]),
    ] {
        assert_eq!(ours::<7>(c, k), expected);
        assert_eq!(philox4x32(7, c, k), expected);
    }
}

#[test]
fn philox_4x64_meets_random123() {
    for (rounds, c, k, expected) in [
        (
            10,
            [
                0x0000000000000000,
                0x0000000000000000,
                0x0000000000000000,
                0x0000000000000000,
            ],
            [0x0000000000000000, 0x0000000000000000],
            [
                0x16554d9eca36314c,
                0xdb20fe9d672d0fdc,
                0xd7e772cee186176b,
                0x7e68b68aec7ba23b,
            ],
        ),
        (
            10,
            [
                0x243f6a8885a308d3,
                0x13198a2e03707344,
                0xa4093822299f31d0,
                0x082efa98ec4e6c89,
            ],
            [0x452821e638d01377, 0xbe5466cf34e90c6c],
            [
                0xa528f45403e61d95,
                0x38c72dbd566e9788,
                0xa5a1610e72fd18b5,
                0x57bd43b5e52b7fe6,
            ],
        ),
        (
            10,
            [
                0xffffffffffffffff,
                0xffffffffffffffff,
                0xffffffffffffffff,
                0xffffffffffffffff,
            ],
            [0xffffffffffffffff, 0xffffffffffffffff],
            [
                0x87b092c3013fe90b,
                0x438c3c67be8d0224,
                0x9cc7d7c69cd777b6,
                0xa09caebf594f0ba0,
            ],
        ),
        (
            7,
            [
                0x0000000000000000,
                0x0000000000000000,
                0x0000000000000000,
                0x0000000000000000,
            ],
            [0x0000000000000000, 0x0000000000000000],
            [
                0x5dc8ee6268ec62cd,
                0x139bc570b6c125a0,
                0x84d6deb4fb65f49e,
                0xaff7583376d378c2,
            ],
        ),
        (
            7,
            [
                0x243f6a8885a308d3,
                0x13198a2e03707344,
                0xa4093822299f31d0,
                0x082efa98ec4e6c89,
            ],
            [0x452821e638d01377, 0xbe5466cf34e90c6c],
            [
                0x513a366704edf755,
                0xf05d9924c07044d3,
                0xbef2cb9cbea74c6c,
                0x8db948de4caa1f8a,
            ],
        ),
        (
            7,
            [
                0xffffffffffffffff,
                0xffffffffffffffff,
                0xffffffffffffffff,
                0xffffffffffffffff,
            ],
            [0xffffffffffffffff, 0xffffffffffffffff],
            [
                0x071dd84367903154,
                0x48e2bbdc722b37d1,
                0x6afa9890bb89f76c,
                0x9194c8d8ada56ac7,
            ],
        ),
    ] {
        assert_eq!(philox4x64(rounds, c, k), expected);
    }
}

#[test]
fn philox_10000th_words_are_those_of_the_cpp_standard() {
    assert_eq!(words(20111115, 0).nth(9_999), Some(1955073260));
    let [_, _, _, word] = philox4x64(10, [2_499, 0, 0, 0], [20111115, 0]);
    assert_eq!(word, 3409172418970261260);
}

#[test]
fn philox_first_block_of_the_document_s_first_example() {
    let block = block(150, 10 << 64);
    assert_eq!(block, [0xe059be6b, 0x7aa7173a, 0x96f83b54, 0xd5790989]);
}

#[test]
fn philox_counter_carries_through_all_words_and_wraps() {
    for low_bits in [32, 64, 96] {
        let last = (1_u128 << low_bits) - 1;
        let drawn: Vec<u32> = words(7, last).take(8).collect();
        assert_eq!(drawn[4..], block(7, 1 << low_bits));
    }
    let drawn: Vec<u32> = words(7, u128::MAX).take(8).collect();
    assert_eq!(drawn[4..], block(7, 0));
}

#[test]
fn philox_multiplication_gives_both_halves() {
    assert_eq!(
        (mulhi(u32::MAX, u32::MAX), mullo(u32::MAX, u32::MAX)),
        (u32::MAX - 1, 1)
    );
    assert_eq!((mulhi(1 << 16, 1 << 16), mullo(1 << 16, 1 << 16)), (1, 0));
}
