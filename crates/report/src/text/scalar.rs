//! Elements of an output as text: bits with a decimal, distances, places.

use seedproof_check::{Element, LowBits};
use seedproof_ops::{Dtype, Scalar};

use crate::facts::decimal;
use crate::untrusted::one_line;

/// `[0,0,2] (flat 2: block 0, word 2)`.
pub(crate) fn place(element: &Element) -> String {
    let coordinates: Vec<String> = element.coordinates.iter().map(usize::to_string).collect();
    let block = element.block.map_or_else(String::new, |(block, word)| {
        format!(": block {block}, word {word}")
    });
    format!("[{}] (flat {}{block})", coordinates.join(","), element.index)
}

/// `…7dcab0 (23 bits)`.
pub(crate) fn low_bits(low: LowBits) -> String {
    format!("{} ({} bits)", low_digits(low), low.count)
}

/// `…7dcab0`: the bits in hexadecimal, with leading zeros.
pub(crate) fn low_digits(low: LowBits) -> String {
    // A log may say any number of bits, and a u64 has sixteen digits.
    let digits = usize::try_from(low.count.div_ceil(4)).unwrap_or(0).min(16);
    format!("…{:0digits$x}", low.value)
}

/// The sentence for a request whose first output is right.
pub(crate) fn other_output(name: &str) -> String {
    format!("the first output is right, `{}` is not", one_line(name))
}

/// The first sixteen elements of an output, or `none` if there is no output.
pub(crate) fn words(state: &[Scalar]) -> String {
    if state.is_empty() {
        return "none".to_owned();
    }
    let words: Vec<String> = state.iter().take(16).map(|word| word.literal()).collect();
    words.join(" ")
}

/// An integer, or the bits of a float with its decimal.
pub(crate) fn value(scalar: Scalar) -> String {
    if scalar.dtype().is_float() {
        format!("{} ({})", scalar.literal(), digits(scalar))
    } else {
        scalar.literal()
    }
}

/// A float with 9 significant digits, or 17 for f64, without trailing zeros.
///
/// So many digits distinguish any two floats of f32 and f64. An f16 has nine as well: its shortest decimal, such as
/// -1.084, would be another number if it were read as an f32.
fn digits(scalar: Scalar) -> String {
    let value = scalar.to_f64();
    let magnitude = value.abs();
    if value == 0.0 || !value.is_finite() {
        return decimal(scalar);
    }
    let significant = if scalar.dtype() == Dtype::F64 { 17 } else { 9 };
    let scientific = format!("{value:.*e}", significant - 1);
    // Outside these bounds, fixed notation would need many zeros before or after the digits.
    if !(1e-5..1e17).contains(&magnitude) {
        let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
        return format!("{}e{exponent}", trimmed(mantissa));
    }
    let exponent: i32 = scientific
        .split_once('e')
        .and_then(|(_, exponent)| exponent.parse().ok())
        .unwrap_or(0);
    let places = usize::try_from(significant_places(significant, exponent)).unwrap_or(0);
    trimmed(&format!("{value:.places$}"))
}

fn significant_places(significant: usize, exponent: i32) -> i32 {
    i32::try_from(significant).unwrap_or(17) - 1 - exponent
}

fn trimmed(text: &str) -> String {
    if !text.contains('.') {
        return format!("{text}.0");
    }
    let text = text.trim_end_matches('0');
    if text.ends_with('.') {
        format!("{text}0")
    } else {
        text.to_owned()
    }
}

/// `1 ulp`, `3 ulps`, `off by 3` for integers.
pub(crate) fn distance(dtype: Dtype, ulps: u64) -> String {
    match (dtype.is_float(), ulps) {
        (true, 1) => "1 ulp".to_owned(),
        (true, ulps) => format!("{ulps} ulps"),
        (false, far) => format!("off by {far}"),
    }
}

/// `off by at most 3 ulps`.
pub(crate) fn at_most(dtype: Dtype, most: u64) -> String {
    let far = distance(dtype, most);
    format!("off by at most {}", far.strip_prefix("off by ").unwrap_or(&far))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_tell_neighbours_apart() {
        let shown = |dtype, bits| value(Scalar::new(dtype, bits));
        assert_eq!(shown(Dtype::F16, 0xbc56), "bc56 (-1.08398438)");
        assert_eq!(shown(Dtype::F16, 0xbc57), "bc57 (-1.08496094)");
        assert_eq!(shown(Dtype::F32, 0x3f80_0000), "3f800000 (1.0)");
        assert_eq!(shown(Dtype::F32, 0x3f80_0001), "3f800001 (1.00000012)");
        assert_eq!(shown(Dtype::F32, 1), "00000001 (1.40129846e-45)");
        assert_eq!(shown(Dtype::F32, 0x8000_0000), "80000000 (-0.0)");
        assert_eq!(shown(Dtype::F64, 0x7ff0_0000_0000_0000), "7ff0000000000000 (inf)");
        assert_eq!(
            shown(Dtype::F64, 0x3fb9_9999_9999_999a),
            "3fb999999999999a (0.10000000000000001)"
        );
        assert_eq!(shown(Dtype::I64, u64::MAX), "-1");
    }
}
