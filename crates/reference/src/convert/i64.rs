//! i64: two words an element, or one under PYTORCH where both bounds allow it.

/// `[ru8.convert.i64]`: two words, as an unsigned number.
///
/// Erratum `ru8.convert.i64-words`: the text speaks of one word; there are two, the first one the low one.
pub fn tensorflow(x0: u32, x1: u32) -> u64 {
    (u64::from(x1) << 32) | u64::from(x0)
}

/// `[ru8.mt.convert.i64]`: whether one word is enough for each element.
///
/// Erratum `ru8.mt.i64-one-word-rule`: both bounds decide, not their distance; a negative bound is small.
pub fn pytorch_takes_one_word(minval: i64, maxval: i64) -> bool {
    let max_uint32 = i64::from(u32::MAX);
    minval <= max_uint32 && maxval <= max_uint32
}

/// `[ru8.mt.convert.i64]`: one word, as an unsigned number.
pub fn pytorch_one_word(x: u32) -> u64 {
    u64::from(x)
}

/// `[ru8.mt.convert.i64]`: two words, as an unsigned number.
///
/// Erratum `ru8.mt.i64-two-words`: the shift comes before the sum, and `x`, drawn first, is the high word.
pub fn pytorch_two_words(x: u32, y: u32) -> u64 {
    (u64::from(x) << 32) + u64::from(y)
}

/// `[ru8.range.integer]`: `x mod (maxval - minval) + minval`, modulo 2^64.
///
/// Errata `ru8.range.integer-overflow` and `ru8.mt.integer-signed`: the range and the remainder are unsigned,
/// so that a range over 2^63 is right. `minval` is less than `maxval`, or there is no remainder.
pub const fn in_range(x: u64, minval: i64, maxval: i64) -> i64 {
    let range = maxval.wrapping_sub(minval).cast_unsigned();
    (x % range).wrapping_add(minval.cast_unsigned()).cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn i64_first_word_is_low_under_tensorflow_and_high_under_pytorch() {
        assert_eq!(tensorflow(1, 2), 0x2_0000_0001);
        assert_eq!(pytorch_two_words(1, 2), 0x1_0000_0002);
    }

    #[test]
    fn i64_one_word_rule_includes_its_ends() {
        let max = i64::from(u32::MAX);
        assert!(pytorch_takes_one_word(max - 1, max));
        assert!(pytorch_takes_one_word(i64::MIN, max));
        assert!(!pytorch_takes_one_word(0, max + 1));
    }

    #[test]
    fn i64_ranges_may_be_as_wide_as_the_type() {
        for (x, y) in [
            (0, i64::MIN),
            (1 << 63, 0),
            (u64::MAX - 1, i64::MAX - 1),
            (u64::MAX, i64::MIN),
        ] {
            assert_eq!(in_range(x, i64::MIN, i64::MAX), y);
        }
        assert_eq!(in_range(u64::MAX, i64::MIN, 0), -1);
    }
}
