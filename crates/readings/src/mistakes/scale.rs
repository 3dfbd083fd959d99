//! Floats and integers into the range.

use super::{Mistake, mistake};
use crate::answers::{
    AtMaximum, Bf16Rounding, F16Rounding, Formula, HalfSteps, MaximumBound, Nan, Reduction, Subnormals,
};
use crate::reading::Reading;

const SEPARATE: &str = "round max - min, the product and the sum each for itself, without fused multiply-add";
const UNSIGNED: &str =
    "take the remainder of unsigned numbers by the unsigned max - min, then add minval with wrapping";
const NEAREST: &str = "round to nearest, ties to even";

const fn formula(r: &mut Reading, formula: Formula) {
    r.philox_scale.formula = formula;
    r.mt_scale.formula = formula;
}

const fn at_maximum(r: &mut Reading, answer: AtMaximum) {
    r.philox_scale.at_maximum = answer;
    r.mt_scale.at_maximum = answer;
}

const fn f16(r: &mut Reading, rounding: F16Rounding) {
    r.philox_scale.f16 = rounding;
    r.philox_scale.f16_range = rounding;
    r.mt_scale.f16 = rounding;
    r.mt_scale.f16_range = rounding;
}

const fn bf16(r: &mut Reading, rounding: Bf16Rounding) {
    r.philox_scale.bf16 = rounding;
    r.philox_scale.bf16_range = rounding;
    r.mt_scale.bf16 = rounding;
    r.mt_scale.bf16_range = rounding;
}

const fn reduction(r: &mut Reading, reduction: Reduction) {
    r.philox_integer.reduction = reduction;
    r.mt_integer.reduction = reduction;
}

pub(super) const MISTAKES: &[Mistake] = &[
    mistake(
        "fused-scale",
        "ru8.range.float",
        "ru8.range.fused",
        "the scale is computed as fma(x, max-min, min)",
        "switch contraction off (-ffp-contract=off, __fmul_rn): round the product before the sum",
        |r| formula(r, Formula::Fused),
    ),
    mistake(
        "lerp-scale",
        "ru8.range.float",
        "ru8.range.rounding",
        "the scale is computed as min * (1 - x) + max * x",
        SEPARATE,
        |r| formula(r, Formula::Lerp),
    ),
    mistake(
        "scale-in-f64",
        "ru8.range.float",
        "ru8.range.rounding",
        "the scale is computed in f64 and rounded once",
        SEPARATE,
        |r| formula(r, Formula::InF64),
    ),
    mistake(
        "scale-in-f32",
        "ru8.range.float",
        "ru8.range.rounding",
        "the scale is computed in f32, whatever the type",
        SEPARATE,
        |r| formula(r, Formula::InF32),
    ),
    mistake(
        "scale-by-maximum",
        "ru8.range.float",
        "",
        "the scale is computed as x * max + min",
        "multiply by max - min",
        |r| formula(r, Formula::ByMaximum),
    ),
    mistake(
        "scale-from-maximum",
        "ru8.range.float",
        "",
        "the scale is computed as max - x * (max - min)",
        "add the product to minval",
        |r| formula(r, Formula::FromMaximum),
    ),
    mistake(
        "bounds-ignored",
        "ru8.range.float",
        "",
        "floats stay in [0, 1)",
        "multiply by max - min and add minval",
        |r| formula(r, Formula::Unscaled),
    ),
    mistake(
        "half-rounded-at-end",
        "ru8.range.float",
        "ru8.range.rounding",
        "under TENSORFLOW alignment, f16 and bf16 round max - min and then only the result",
        SEPARATE,
        |r| {
            r.philox_scale.f16_steps = HalfSteps::RangeAndEnd;
            r.philox_scale.bf16_steps = HalfSteps::RangeAndEnd;
        },
    ),
    mistake(
        "half-range-rounded-late",
        "ru8.range.float",
        "ru8.range.rounding",
        "under TENSORFLOW alignment, f16 and bf16 round nothing before the result",
        SEPARATE,
        |r| {
            r.philox_scale.f16_steps = HalfSteps::End;
            r.philox_scale.bf16_steps = HalfSteps::End;
        },
    ),
    mistake(
        "mt-half-each-operation",
        "ru8.mt.range.half",
        "ru8.mt.half-rounding",
        "under PYTORCH alignment, f16 and bf16 round the product too",
        "round max - min to the type, compute product and sum in f32, and round once at the end",
        |r| {
            r.mt_scale.f16_steps = HalfSteps::EachOperation;
            r.mt_scale.bf16_steps = HalfSteps::EachOperation;
        },
    ),
    mistake(
        "mt-half-range-rounded-late",
        "ru8.mt.range.half",
        "ru8.mt.half-rounding",
        "under PYTORCH alignment, f16 and bf16 do not round max - min",
        "round max - min to the type, compute product and sum in f32, and round once at the end",
        |r| {
            r.mt_scale.f16_steps = HalfSteps::End;
            r.mt_scale.bf16_steps = HalfSteps::End;
        },
    ),
    mistake(
        "f16-doubled",
        "ru8.range.float",
        "ru8.rounding.f16-subnormal",
        "an f16 below 2^-15 that rounds up to a power of two comes out doubled, as in ov::float16",
        NEAREST,
        |r| f16(r, F16Rounding::OpenVino),
    ),
    mistake(
        "f16-cut",
        "ru8.range.float",
        "",
        "an f16 is cut off, not rounded",
        NEAREST,
        |r| f16(r, F16Rounding::TowardZero),
    ),
    mistake(
        "bf16-half-rounded",
        "ru8.range.float",
        "ru8.rounding.bf16",
        "a bf16 is cut off if its last bit is even and rounded half up if it is odd, as in ov::bfloat16",
        NEAREST,
        |r| bf16(r, Bf16Rounding::OpenVino),
    ),
    mistake(
        "bf16-cut",
        "ru8.range.float",
        "",
        "a bf16 is the high half of an f32, not rounded",
        NEAREST,
        |r| bf16(r, Bf16Rounding::TowardZero),
    ),
    mistake(
        "bf16-half-up",
        "ru8.range.float",
        "",
        "a bf16 rounds ties away from zero",
        NEAREST,
        |r| bf16(r, Bf16Rounding::HalfUp),
    ),
    mistake(
        "maximum-folded",
        "ru8.range.float",
        "ru8.range.maxval-reached",
        "a result that rounds to maxval is replaced by minval, as PyTorch does from 2.12",
        "leave it",
        |r| at_maximum(r, AtMaximum::Minimum),
    ),
    mistake(
        "maximum-avoided",
        "ru8.range.float",
        "ru8.range.maxval-reached",
        "a result that rounds to maxval is replaced by the value below it",
        "leave it",
        |r| at_maximum(r, AtMaximum::JustBelow),
    ),
    mistake(
        "subnormals-flushed",
        "ru8.range.float",
        "",
        "subnormal numbers become zero",
        "switch flush-to-zero and denormals-are-zero off",
        |r| {
            r.philox_scale.subnormals = Subnormals::Flushed;
            r.mt_scale.subnormals = Subnormals::Flushed;
        },
    ),
    mistake(
        "nan-negative",
        "ru8.output.form",
        "",
        "a NaN comes out negative, as x86 makes it",
        "give every NaN as positive, quiet and without payload",
        |r| r.nan = Nan::Indefinite,
    ),
    mistake(
        "signed-remainder",
        "ru8.range.integer",
        "ru8.mt.integer-signed",
        "the word is taken as a signed number, so that half of the remainders are negative",
        UNSIGNED,
        |r| reduction(r, Reduction::Signed),
    ),
    mistake(
        "absolute-remainder",
        "ru8.range.integer",
        "",
        "the remainder is that of the absolute value of the signed word",
        UNSIGNED,
        |r| reduction(r, Reduction::Absolute),
    ),
    mistake(
        "multiply-shift",
        "ru8.range.integer",
        "",
        "the word is multiplied by max - min and its high half taken",
        UNSIGNED,
        |r| reduction(r, Reduction::MultiplyShift),
    ),
    mistake(
        "integer-through-float",
        "ru8.range.integer",
        "",
        "an integer is the float in [0, 1) times max - min, cut off",
        UNSIGNED,
        |r| reduction(r, Reduction::Float),
    ),
    mistake(
        "signed-range",
        "ru8.range.integer",
        "",
        "max - min is taken as a signed number, which a wide range makes negative",
        UNSIGNED,
        |r| reduction(r, Reduction::SignedRange),
    ),
    mistake(
        "floored-remainder",
        "ru8.range.integer",
        "",
        "max - min is a signed number and the remainder has its sign",
        UNSIGNED,
        |r| reduction(r, Reduction::FlooredSignedRange),
    ),
    mistake(
        "maximum-inclusive",
        "ru8.range.integer",
        "",
        "maxval itself can be drawn",
        "take the remainder by max - min, not by one more",
        |r| {
            r.philox_integer.maximum = MaximumBound::Inclusive;
            r.mt_integer.maximum = MaximumBound::Inclusive;
        },
    ),
];
