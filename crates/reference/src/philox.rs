//! Philox4x32-10, the counter-based generator of Salmon, Moraes, Dror and Shaw ("Parallel Random Numbers: As
//! Easy as 1, 2, 3", 2011), in the words of RandomUniform-8.
//!
//! The document works on three 64-bit values: *key*, *counter*, and *n*, which numbers the groups of four
//! words. The paper's 128-bit counter is *n* (low half) and *counter* (high half) side by side, and so is
//! DirectML's; this module takes it as one `u128`, so that a carry out of *n* runs into *counter*.

/// `[ru8.philox.rounds]`: how many rounds make a block.
const ROUNDS: usize = 10;

/// The multiplier of *n*.
const M_N: u32 = 0xD251_1F53;

/// The multiplier of *counter*.
const M_COUNTER: u32 = 0xCD9E_8D57;

/// The addend of the key's low half after a round: the golden ratio's fraction.
///
/// Erratum `ru8.philox.weyl-constants`: the text adds this one to L, the high half.
const RAISE_R: u32 = 0x9E37_79B9;

/// The addend of the key's high half after a round: the fraction of the square root of 3.
const RAISE_L: u32 = 0xBB67_AE85;

/// A 64-bit value as two words, in the document's letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Halves {
    /// The low word.
    pub r: u32,
    /// The high word.
    pub l: u32,
}

/// `[ru8.philox.split]`: `R = cast_to_uint32(value)`, `L = cast_to_uint32(value >> 32)`.
pub const fn split(value: u64) -> Halves {
    Halves {
        r: cast_to_uint32(value),
        l: cast_to_uint32(value >> 32),
    }
}

/// `[ru8.philox.split]`: the static cast of the text, which keeps the low 32 bits.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the cast is there to keep the low half"
)]
const fn cast_to_uint32(value: u64) -> u32 {
    value as u32
}

/// `[ru8.philox.mul]`: `floor((a * b) / 2^32)`.
pub fn mulhi(a: u32, b: u32) -> u32 {
    cast_to_uint32((u64::from(a) * u64::from(b)) >> 32)
}

/// `[ru8.philox.mul]`: `(a * b) mod 2^32`.
pub const fn mullo(a: u32, b: u32) -> u32 {
    a.wrapping_mul(b)
}

/// `[ru8.philox.round]`: `L' = mullo(R, M)` and `R' = mulhi(R, M) ^ k ^ L`, for *n* and for *counter*.
///
/// Erratum `ru8.philox.halves-cross`: the product of *counter* makes the new *n*, and the product of *n* the
/// new counter. Erratum `ru8.philox.key-words`: R of the key enters the new *n*, L the new counter.
pub fn round(n: Halves, counter: Halves, key: Halves) -> (Halves, Halves) {
    let next_n = Halves {
        l: mullo(counter.r, M_COUNTER),
        r: mulhi(counter.r, M_COUNTER) ^ key.r ^ n.l,
    };
    let next_counter = Halves {
        l: mullo(n.r, M_N),
        r: mulhi(n.r, M_N) ^ key.l ^ counter.l,
    };
    (next_n, next_counter)
}

/// `[ru8.philox.key-raise]`: each half of the key grows by its constant, modulo 2^32.
pub const fn raise_key(key: Halves) -> Halves {
    Halves {
        r: key.r.wrapping_add(RAISE_R),
        l: key.l.wrapping_add(RAISE_L),
    }
}

/// `[ru8.philox.rounds]`: the round again and again, the key raised after each; then
/// `[ru8.philox.result-order]`: the four words.
///
/// Erratum `ru8.philox.result-order`: R comes before L.
fn block_of_rounds(rounds: usize, key: u64, n: u64, counter: u64) -> [u32; 4] {
    let (mut key, mut n, mut counter) = (split(key), split(n), split(counter));
    for _ in 0..rounds {
        (n, counter) = round(n, counter, key);
        key = raise_key(key);
    }
    [n.r, n.l, counter.r, counter.l]
}

/// The four words of Philox4x32-10 for a 64-bit key and a 128-bit counter, whose low half is *n* and whose
/// high half is the document's *counter*.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the casts take the counter's two halves"
)]
pub fn block(key: u64, counter: u128) -> [u32; 4] {
    block_of_rounds(ROUNDS, key, counter as u64, (counter >> 64) as u64)
}

/// `[ru8.philox.block]`: the words of the blocks `counter`, `counter + 1`, … modulo 2^128, without end.
///
/// Words of the last block that the caller does not take are dropped.
pub fn words(key: u64, counter: u128) -> impl Iterator<Item = u32> {
    (0_u64..).flat_map(move |i| block(key, counter.wrapping_add(u128::from(i))))
}

#[cfg(test)]
mod tests;
