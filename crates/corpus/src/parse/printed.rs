//! The numbers that a document prints, compared with the expected bits.

use seedproof_ops::Scalar;

use super::raw::{At, Value};
use super::reader::Reader;
use crate::{Expectation, Printed};

/// The printed numbers. Reports a mistake if `right` does not follow from the expectation.
pub(super) fn printed(
    reader: &mut Reader<'_>,
    value: At<Value>,
    expect: Option<&Expectation>,
) -> Option<Printed> {
    let mut entries = reader.entries("`printed`", value, &["values", "right"], &[])?;
    let values = reader.take_all::<String>(&mut entries, "values");
    let right = reader.take::<bool>(&mut entries, "right");
    let (values, right) = (values?, right?);
    if values.value.is_empty() {
        reader.fail(values.at, "find a value in `printed`: expected at least one");
        return None;
    }
    let printed = Printed {
        values: values.value.iter().map(|value| value.value.clone()).collect(),
        right: right.value,
    };
    let output = match expect {
        Some(Expectation::Bits(bits)) => &bits.output,
        // A document that prints values for a request that is refused is wrong.
        Some(Expectation::Rejected(_)) if !right.value => return Some(printed),
        Some(_) => {
            reader.fail(right.at, "judge what is printed: expected an expectation by bits");
            return None;
        }
        None => return None,
    };
    if printed.values.len() > output.count() {
        reader.fail(
            values.at,
            format!(
                "hold {} printed values against {} elements: expected no more than these",
                printed.values.len(),
                output.count()
            ),
        );
        return None;
    }
    let mut all_agree = true;
    for (text, scalar) in values.value.iter().zip(output.scalars()) {
        let Some(agrees) = agrees(&text.value, scalar) else {
            reader.fail(
                text.at,
                format!(
                    "read `{}` as a printed value: expected a decimal number",
                    text.value
                ),
            );
            return None;
        };
        if !agrees && right.value {
            reader.fail(
                text.at,
                format!(
                    "match the printed `{}` with the expected {}: expected `right: false`, or other bits",
                    text.value,
                    scalar.decimal()
                ),
            );
        }
        all_agree &= agrees;
    }
    if all_agree && !right.value {
        reader.fail(
            right.at,
            "find a printed value that is wrong: expected `right: true`, as all of them match the bits",
        );
    }
    Some(printed)
}

/// Whether an element, rounded to as many digits as are printed, is the printed number. `None` if none is printed.
fn agrees(text: &str, scalar: Scalar) -> Option<bool> {
    if !scalar.dtype().is_float() {
        return text.parse::<i128>().ok().map(|value| value == scalar.to_i128());
    }
    let printed: f64 = text.parse().ok()?;
    if !printed.is_finite() {
        let value = scalar.to_f64();
        return Some(value.to_bits() == printed.to_bits() || value.is_nan() && printed.is_nan());
    }
    let (mantissa, exponent) = text
        .split_once(['e', 'E'])
        .map_or((text, None), |(m, e)| (m, Some(e)));
    let digits = mantissa.split_once('.').map_or(0, |(_, digits)| digits.len());
    // More digits than an f64 has in full would only cost memory.
    let digits = digits.min(1100);
    let rounded = match exponent {
        None => format!("{:.digits$}", scalar.to_f64()),
        Some(_) => format!("{:.digits$e}", scalar.to_f64()),
    };
    Some(rounded.parse() == Ok(printed))
}

#[cfg(test)]
mod tests {
    use seedproof_ops::Dtype;

    use super::*;

    #[test]
    fn printed_agrees_when_the_rounded_element_is_the_number() {
        let scalar = Scalar::new(Dtype::F32, 0x3f33_7cd6);
        for text in ["0.7011236", "0.701124", "0.70", "1", "7.011236e-1", "7.01E-01"] {
            assert_eq!(agrees(text, scalar), Some(true), "{text}");
        }
        for text in ["0.7011237", "0.71", "0", "7.02e-1", "-0.7011236"] {
            assert_eq!(agrees(text, scalar), Some(false), "{text}");
        }
        for text in ["", "seven", "0.7f"] {
            assert_eq!(agrees(text, scalar), None, "{text}");
        }
        assert_eq!(agrees("-7", Scalar::new(Dtype::I32, 0xffff_fff9)), Some(true));
        assert_eq!(agrees("7", Scalar::new(Dtype::I32, 0xffff_fff9)), Some(false));
        let infinite = ["inf", "-inf", "NaN"];
        for (text, bits) in infinite.into_iter().zip([0x7f80_0000, 0xff80_0000, 0xffc0_0001]) {
            let scalar = Scalar::new(Dtype::F32, bits);
            for other in infinite {
                assert_eq!(agrees(other, scalar), Some(other == text), "{other} for {text}");
            }
        }
    }
}
