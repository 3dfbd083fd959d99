//! The generators that ops draw from: words of a counter and a key, the low word of each first.
#![expect(dead_code, reason = "each op draws from one of them")]

/// Philox4x32-10: the four words of one block.
pub fn philox(counter: u128, key: u64) -> [u32; 4] {
    let [mut c0, mut c1, mut c2, mut c3] = [0, 32, 64, 96].map(|shift| (counter >> shift) as u32);
    let (mut k0, mut k1) = (key as u32, (key >> 32) as u32);
    for _ in 0..10 {
        let (p, q) = (0xD2511F53_u64 * u64::from(c0), 0xCD9E8D57_u64 * u64::from(c2));
        (c0, c1, c2, c3) = ((q >> 32) as u32 ^ c1 ^ k0, q as u32, (p >> 32) as u32 ^ c3 ^ k1, p as u32);
        (k0, k1) = (k0.wrapping_add(0x9E3779B9), k1.wrapping_add(0xBB67AE85));
    }
    [c0, c1, c2, c3]
}

/// Threefry2x32-20: the two words of one block.
pub fn threefry(counter: u64, key: u64) -> [u32; 2] {
    let [k0, k1] = [key as u32, (key >> 32) as u32];
    let keys = [k0, k1, k0 ^ k1 ^ 0x1BD11BDA];
    let (mut x0, mut x1) = ((counter as u32).wrapping_add(k0), ((counter >> 32) as u32).wrapping_add(k1));
    for group in 0..5_u8 {
        for turn in [[13, 15, 26, 6], [17, 29, 16, 24]][usize::from(group % 2)] {
            x0 = x0.wrapping_add(x1);
            x1 = x1.rotate_left(turn) ^ x0;
        }
        let key = |place: u8| keys[usize::from((group + place) % 3)];
        x0 = x0.wrapping_add(key(1));
        x1 = x1.wrapping_add(key(2)).wrapping_add(u32::from(group) + 1);
    }
    [x0, x1]
}
