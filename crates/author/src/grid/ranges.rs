//! The bounds that the RandomUniform-8 grid asks for, by element type.

use seedproof_ops::Dtype;

/// Bounds with a name, as decimals; the nearest value of the type is meant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    pub(super) name: &'static str,
    pub(super) min: &'static str,
    pub(super) max: &'static str,
    /// The errata whose answers these bounds tell apart.
    pub(super) errata: &'static [&'static str],
}

const fn range(name: &'static str, min: &'static str, max: &'static str) -> Range {
    Range {
        name,
        min,
        max,
        errata: &[],
    }
}

const fn telling(
    name: &'static str,
    min: &'static str,
    max: &'static str,
    errata: &'static [&'static str],
) -> Range {
    Range {
        name,
        min,
        max,
        errata,
    }
}

/// Where the order of roundings shows: the width is no power of two and the lower bound is not zero.
const ROUNDING: &[&str] = &["ru8.range.rounding", "ru8.range.fused"];
const REACHED: &[&str] = &["ru8.range.maxval-reached"];
const INFINITE: &[&str] = &["ru8.range.infinite", "ru8.range.nan"];
const OVERFLOW: &[&str] = &["ru8.range.integer-overflow"];

/// The ranges that mean the same in every float type.
const FLOAT: &[Range] = &[
    range("unit", "0", "1"),
    range("negative", "-1.5", "-1"),
    telling("awkward", "-3.3", "100.7", ROUNDING),
    telling("wide", "-650", "450", ROUNDING),
    telling("centred", "-0.1", "0.3", ROUNDING),
    telling("tenths", "0.1", "0.7", ROUNDING),
    range("power-of-two", "2", "10"),
    telling("one-to-two", "1", "2", REACHED),
    telling("half-infinite", "0", "inf", INFINITE),
    telling("infinite", "-inf", "inf", INFINITE),
];

const F16: &[Range] = &[
    range("tiny", "1e-5", "3e-5"),
    range("huge", "-32000", "32000"),
    telling("overflow", "-65504", "65504", INFINITE),
    telling("subnormal", "6e-8", "2.4e-6", &["ru8.rounding.f16-subnormal"]),
    telling("one-ulp", "1", "1.000977", REACHED),
    telling("coarse", "2046", "2052", REACHED),
];
const BF16: &[Range] = &[
    range("tiny", "1e-30", "3e-30"),
    range("huge", "-1.5e38", "1.5e38"),
    telling("overflow", "-3.39e38", "3.39e38", INFINITE),
    range("subnormal", "9e-41", "3.7e-39"),
    telling("one-ulp", "1", "1.0078125", REACHED),
    telling(
        "coarse",
        "1000",
        "60000",
        &["ru8.rounding.bf16", "ru8.range.maxval-reached"],
    ),
];
const F32: &[Range] = &[
    range("tiny", "1e-30", "3e-30"),
    range("huge", "-1.7e38", "1.7e38"),
    telling("overflow", "-3.4028235e38", "3.4028235e38", INFINITE),
    range("subnormal", "1e-45", "5.6e-44"),
    telling("one-ulp", "1", "1.0000001", REACHED),
    telling("coarse", "16777214", "16777220", REACHED),
];
const F64: &[Range] = &[
    range("tiny", "1e-300", "3e-300"),
    range("huge", "-8e307", "8e307"),
    telling(
        "overflow",
        "-1.7976931348623157e308",
        "1.7976931348623157e308",
        INFINITE,
    ),
    range("subnormal", "5e-324", "2e-322"),
    telling("one-ulp", "1", "1.0000000000000002", REACHED),
    telling("coarse", "9007199254740990", "9007199254740996", REACHED),
];
const I32: &[Range] = &[
    range("one-value", "0", "1"),
    range("decade", "50", "100"),
    range("negative", "-100", "-50"),
    range("prime", "-7", "1000003"),
    range("power-of-two", "0", "65536"),
    telling("half", "-2147483648", "0", OVERFLOW),
    telling("over-2-31", "-2000000000", "2000000000", OVERFLOW),
    telling("full", "-2147483648", "2147483647", OVERFLOW),
    range("top", "2147483646", "2147483647"),
    range("bottom", "-2147483648", "-2147483645"),
];

/// What the bounds, rather than the width, decide: one word or two.
const ONE_WORD: &[&str] = &["ru8.mt.i64-one-word-rule"];
const I64: &[Range] = &[
    range("one-value", "0", "1"),
    range("decade", "50", "100"),
    range("negative", "-100", "-50"),
    range("prime", "-7", "1000003"),
    telling("to-2-32-less-1", "0", "4294967295", ONE_WORD),
    telling("to-2-32", "0", "4294967296", ONE_WORD),
    telling("at-2-32-less-1", "4294967295", "4294967300", ONE_WORD),
    telling("below-2-32-less-1", "4294967290", "4294967295", ONE_WORD),
    telling("far-negative", "-1099511627776", "2147483648", ONE_WORD),
    telling("far-positive", "1099511627776", "1099511627786", ONE_WORD),
    telling("over-2-31", "-3000000000", "4000000000", OVERFLOW),
    telling("half", "-9223372036854775808", "0", OVERFLOW),
    telling("wrapped-width", "-9223372036854775808", "4294967295", OVERFLOW),
    telling(
        "over-2-63",
        "-6000000000000000000",
        "6000000000000000000",
        OVERFLOW,
    ),
    telling("full", "-9223372036854775808", "9223372036854775807", OVERFLOW),
    range("top", "9223372036854775804", "9223372036854775807"),
];

/// Where a thousand 16-bit numbers meet a rounding that a few do not.
pub(super) const F16_THOUSAND: &[Range] = &[
    telling(
        "all-ones-products",
        "0",
        "3.874302e-6",
        &["ru8.rounding.f16-subnormal"],
    ),
    telling(
        "all-ones-products-negative",
        "-3.874302e-6",
        "0",
        &["ru8.rounding.f16-subnormal"],
    ),
    telling(
        "width-rounded",
        "-1023.5",
        "1025",
        &["ru8.range.rounding", "ru8.mt.half-rounding"],
    ),
    telling("hundred", "100", "101", REACHED),
    telling(
        "thousandths",
        "-0.003",
        "0.007",
        &["ru8.range.rounding", "ru8.mt.half-rounding"],
    ),
];

/// The same in bf16.
pub(super) const BF16_THOUSAND: &[Range] = &[
    telling(
        "width-rounded",
        "-127.5",
        "129",
        &["ru8.rounding.bf16", "ru8.mt.half-rounding"],
    ),
    telling("hundred", "100", "101", REACHED),
    telling(
        "thousandths",
        "-0.003",
        "0.007",
        &["ru8.rounding.bf16", "ru8.mt.half-rounding"],
    ),
    telling(
        "hundreds",
        "-100",
        "250",
        &["ru8.rounding.bf16", "ru8.frameworks.torch-halves"],
    ),
];

/// The ranges of a type that RandomUniform-8 can draw.
pub(super) fn ranges(dtype: Dtype) -> Vec<Range> {
    let (common, own) = match dtype {
        Dtype::F16 => (FLOAT, F16),
        Dtype::Bf16 => (FLOAT, BF16),
        Dtype::F32 => (FLOAT, F32),
        Dtype::F64 => (FLOAT, F64),
        Dtype::I64 => (I64, [].as_slice()),
        _ => (I32, [].as_slice()),
    };
    [common, own].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::draft::element;

    #[test]
    fn ranges_are_not_empty_in_their_type() {
        for dtype in [Dtype::F16, Dtype::Bf16, Dtype::F32, Dtype::F64] {
            for range in ranges(dtype) {
                let (min, max) = (element(dtype, range.min), element(dtype, range.max));
                assert!(min.to_f64() < max.to_f64(), "{dtype} {}", range.name);
            }
        }
        for dtype in [Dtype::I32, Dtype::I64] {
            for range in ranges(dtype) {
                let (min, max) = (element(dtype, range.min), element(dtype, range.max));
                assert!(min.to_i64() < max.to_i64(), "{dtype} {}", range.name);
            }
        }
    }
}
