//! 64-bit integers as pairs of words, the low word first.

/// The low and the high word.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "the words are meant")]
pub(crate) const fn halves(x: u64) -> [u32; 2] {
    [x as u32, (x >> 32) as u32]
}

/// The low 64 bits.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "the low 64 bits are meant")]
pub(crate) const fn low64(x: u128) -> u64 {
    x as u64
}

/// [`halves`] of the low 64 bits.
#[inline(always)]
pub(crate) const fn halves64(x: u128) -> [u32; 2] {
    halves(low64(x))
}

/// The inverse of the low and the high 64 bits, the high ones first.
pub(crate) const fn join64(high: u64, low: u64) -> u128 {
    (high as u128) << 64 | low as u128
}

/// The inverse of [`halves`], the high word first.
#[inline(always)]
pub(crate) const fn join(high: u32, low: u32) -> u64 {
    (high as u64) << 32 | low as u64
}

/// The product of two words.
#[inline(always)]
pub(crate) const fn mul_wide(a: u32, b: u32) -> [u32; 2] {
    halves(a as u64 * b as u64)
}
