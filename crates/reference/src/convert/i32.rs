//! i32: one word an element.

/// `[ru8.convert.i32]`: the word itself, as an unsigned number.
pub const fn tensorflow(x: u32) -> u32 {
    x
}

/// `[ru8.mt.convert.i32]`: the word itself, as an unsigned number.
///
/// Erratum `ru8.mt.integer-signed`: not as an int32.
pub const fn pytorch(x: u32) -> u32 {
    x
}

/// `[ru8.range.integer]`: `x mod (maxval - minval) + minval`, modulo 2^32.
///
/// Erratum `ru8.range.integer-overflow`: the range is unsigned, so that one over 2^31 is right. `minval` is
/// less than `maxval`, or there is no remainder.
pub const fn in_range(x: u32, minval: i32, maxval: i32) -> i32 {
    let range = maxval.wrapping_sub(minval).cast_unsigned();
    (x % range).wrapping_add(minval.cast_unsigned()).cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn i32_ranges_may_be_as_wide_as_the_type() {
        for (x, y) in [
            (0, i32::MIN),
            (1, i32::MIN + 1),
            (0x8000_0000, 0),
            (0xffff_fffe, i32::MAX - 1),
            (0xffff_ffff, i32::MIN),
        ] {
            assert_eq!(in_range(x, i32::MIN, i32::MAX), y);
        }
        assert_eq!(in_range(u32::MAX, -2_000_000_000, 2_000_000_000), -1_705_032_705);
    }

    #[test]
    fn i32_range_of_one_has_one_value() {
        assert_eq!(in_range(u32::MAX, -7, -6), -7);
    }
}
