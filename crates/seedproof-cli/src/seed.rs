//! Seeds as people write them, the same in every command.

use std::ops::RangeInclusive;

use seedproof_read::literal::clipped;

/// A seed of 64 bits, in decimal or in hexadecimal after `0x`. A negative one counts from 2^64, as PyTorch has it.
///
/// # Errors
/// A sentence that says what was expected.
pub(crate) fn seed(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let (sign, digits) = text
        .strip_prefix('-')
        .map_or((false, text), |digits| (true, digits));
    let magnitude = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => digits.parse::<u64>().ok().filter(|_| !digits.starts_with('+')),
    };
    let seed = match (sign, magnitude) {
        (true, Some(magnitude)) if magnitude <= 1 << 63 => Some(magnitude.wrapping_neg()),
        (true, _) => None,
        (false, magnitude) => magnitude,
    };
    seed.ok_or_else(|| format!("`{}` is not a whole number from -2^63 to 2^64 - 1", clipped(text)))
}

/// A seed, or all from one to another, the last included: `7`, `0..1000`, `0x0..=0xff`.
///
/// # Errors
/// A sentence that says what was expected.
pub(crate) fn seeds(text: &str) -> Result<RangeInclusive<u64>, String> {
    let (first, last) = match text.split_once("..") {
        Some((first, last)) => (seed(first)?, seed(last.strip_prefix('=').unwrap_or(last))?),
        None => (seed(text)?, seed(text)?),
    };
    if first > last {
        return Err(format!("{first} is more than {last}"));
    }
    Ok(first..=last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_written_in_many_ways() {
        for (text, number) in [
            ("7", 7),
            ("0x1F", 31),
            ("-1", u64::MAX),
            ("-0x2", u64::MAX - 1),
            ("18446744073709551615", u64::MAX),
            ("-9223372036854775808", 1 << 63),
        ] {
            assert_eq!(seed(text), Ok(number), "{text}");
        }
        for text in [
            "",
            "x",
            "-",
            "1.5",
            "+7",
            "18446744073709551616",
            "-9223372036854775809",
            "0x",
        ] {
            assert!(seed(text).is_err(), "{text}");
        }
        assert_eq!(seeds("3..=0x5"), Ok(3..=5));
        assert!(seeds("2..1").is_err());
    }
}
