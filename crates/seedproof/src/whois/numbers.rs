//! Counts as floats, in which evidence is computed.

/// The bits of agreement that an answer needs beyond the logarithm of the number of attempts: it is wrong by chance for
/// one array in a million.
pub(super) const EVIDENCE: f64 = 20.0;

/// A count as a float.
#[expect(clippy::cast_precision_loss, reason = "a count of elements need not be exact")]
pub(super) const fn as_f64(count: usize) -> f64 {
    count as f64
}

/// The binary logarithm of the number of orders of `k` of `n` things.
pub(super) fn orders(n: usize, k: usize) -> f64 {
    (0..k).map(|i| as_f64(n - i).log2()).sum()
}

/// The binary logarithm of the number of ways to choose `k` of `n` things.
pub(super) fn choices(n: usize, k: usize) -> f64 {
    orders(n, k) - orders(k, k)
}

/// Whether two floats are the same number.
#[expect(clippy::float_cmp, reason = "bits are compared, and not measurements")]
pub(super) fn is_same(a: f64, b: f64) -> bool {
    a == b
}

/// The small negative number that people write for a seed, which counts from 2^64.
pub(super) fn negative(seed: u64) -> Option<i64> {
    Some(seed.cast_signed()).filter(|seed| (-0x1_0000_0000..0).contains(seed))
}

/// A seed as people write it. Nobody would know a negative one again as 2^64 less a few.
pub(super) fn written(seed: u64) -> String {
    negative(seed).map_or_else(|| seed.to_string(), |negative| negative.to_string())
}
