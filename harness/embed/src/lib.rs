//! A small generator of somebody else's, to show how it is held against Seedproof: see `tests/conformance.rs`.
#![forbid(unsafe_code)]

/// One block of Philox4x32-10: four words, least significant counter word first.
pub fn block(counter: u128, key: u64) -> [u32; 4] {
    let word = |shift: u32| u32::try_from(counter >> shift & 0xffff_ffff).expect("the mask leaves 32 bits");
    let [mut c0, mut c1, mut c2, mut c3] = [word(0), word(32), word(64), word(96)];
    let [mut k0, mut k1] = halves(key);
    for _ in 0..10 {
        let [low0, high0] = halves(0xd251_1f53 * u64::from(c0));
        let [low2, high2] = halves(0xcd9e_8d57 * u64::from(c2));
        (c0, c1, c2, c3) = (high2 ^ c1 ^ k0, low2, high0 ^ c3 ^ k1, low0);
        (k0, k1) = (k0.wrapping_add(0x9e37_79b9), k1.wrapping_add(0xbb67_ae85));
    }
    [c0, c1, c2, c3]
}

/// The low and the high 32 bits.
fn halves(wide: u64) -> [u32; 2] {
    [wide & 0xffff_ffff, wide >> 32].map(|half| u32::try_from(half).expect("half of 64 bits"))
}

/// `count` numbers in `[0, 1)` from two seeds, as RandomUniform-8 aligned with TENSORFLOW has them.
pub fn uniform(global_seed: u64, op_seed: u64, count: usize) -> Vec<f32> {
    (0..)
        .flat_map(|n| block(u128::from(op_seed) << 64 | n, global_seed))
        .take(count)
        .map(|word| f32::from_bits(0x3f80_0000 | word & 0x007f_ffff) - 1.0)
        .collect()
}
