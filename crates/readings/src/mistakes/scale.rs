//! Floats into the range.

use super::mistake::Mistake;
use crate::answers::{AtMaximum, Bf16Rounding, F16Rounding, Formula, HalfSteps, Subnormals, Through};
use crate::reading::Reading;

const SEPARATE: &str = "round max - min, the product and the sum each for itself, without fused multiply-add";
const BOUNDS: &str = "hand minval and maxval over in the output's type";
const NEAREST: &str = "round to nearest, ties to even";

const fn formula(r: &mut Reading, formula: Formula) {
    r.philox_scale.formula = formula;
    r.mt_scale.formula = formula;
}

const fn bounds(r: &mut Reading, through: Through) {
    r.philox_scale.bounds = through;
    r.mt_scale.bounds = through;
}

const fn range(r: &mut Reading, through: Through) {
    r.philox_scale.range = through;
    r.mt_scale.range = through;
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

pub(super) const MISTAKES: &[Mistake] = &[
    Mistake {
        id: "fused-scale",
        clause: "ru8.range.float",
        erratum: Some("ru8.range.fused"),
        sentence: "the scale is computed as fma(x, max-min, min)",
        fix: "switch contraction off (-ffp-contract=off, __fmul_rn): round the product before the sum",
        apply: |r| formula(r, Formula::Fused),
    },
    Mistake {
        id: "lerp-scale",
        clause: "ru8.range.float",
        erratum: Some("ru8.range.rounding"),
        sentence: "the scale is computed as min * (1 - x) + max * x",
        fix: SEPARATE,
        apply: |r| formula(r, Formula::Lerp),
    },
    Mistake {
        id: "scale-in-f64",
        clause: "ru8.range.float",
        erratum: Some("ru8.range.rounding"),
        sentence: "the scale is computed in f64 and rounded once",
        fix: SEPARATE,
        apply: |r| formula(r, Formula::InF64),
    },
    Mistake {
        id: "scale-in-f32",
        clause: "ru8.range.float",
        erratum: Some("ru8.range.rounding"),
        sentence: "the scale is computed in f32, whatever the type",
        fix: SEPARATE,
        apply: |r| formula(r, Formula::InF32),
    },
    Mistake {
        id: "scale-in-f16",
        clause: "ru8.range.float",
        erratum: Some("ru8.range.rounding"),
        sentence: "the scale of f32 and f64 is computed in f16",
        fix: SEPARATE,
        apply: |r| formula(r, Formula::InF16),
    },
    Mistake {
        id: "scale-in-bf16",
        clause: "ru8.range.float",
        erratum: Some("ru8.range.rounding"),
        sentence: "the scale of f32 and f64 is computed in bf16",
        fix: SEPARATE,
        apply: |r| formula(r, Formula::InBf16),
    },
    Mistake {
        id: "bounds-in-f16",
        clause: "ru8.range.float",
        erratum: None,
        sentence: "the bounds of f32 and f64 are handed over as f16",
        fix: BOUNDS,
        apply: |r| bounds(r, Through::F16),
    },
    Mistake {
        id: "bounds-in-bf16",
        clause: "ru8.range.float",
        erratum: None,
        sentence: "the bounds of f32 and f64 are handed over as bf16",
        fix: BOUNDS,
        apply: |r| bounds(r, Through::Bf16),
    },
    Mistake {
        id: "range-in-f16",
        clause: "ru8.range.float",
        erratum: Some("ru8.range.rounding"),
        sentence: "max - min of f32 and f64 is rounded to f16",
        fix: SEPARATE,
        apply: |r| range(r, Through::F16),
    },
    Mistake {
        id: "range-in-bf16",
        clause: "ru8.range.float",
        erratum: Some("ru8.range.rounding"),
        sentence: "max - min of f32 and f64 is rounded to bf16",
        fix: SEPARATE,
        apply: |r| range(r, Through::Bf16),
    },
    Mistake {
        id: "scale-by-maximum",
        clause: "ru8.range.float",
        erratum: None,
        sentence: "the scale is computed as x * max + min",
        fix: "multiply by max - min",
        apply: |r| formula(r, Formula::ByMaximum),
    },
    Mistake {
        id: "minimum-forgotten",
        clause: "ru8.range.float",
        erratum: None,
        sentence: "the scale is computed as x * (max - min), without minval",
        fix: "add minval to the product",
        apply: |r| formula(r, Formula::RangeAlone),
    },
    Mistake {
        id: "minimum-taken-as-zero",
        clause: "ru8.range.float",
        erratum: None,
        sentence: "the scale is computed as x * max, as if minval were zero",
        fix: "multiply by max - min and add minval",
        apply: |r| formula(r, Formula::MaximumAlone),
    },
    Mistake {
        id: "scale-from-maximum",
        clause: "ru8.range.float",
        erratum: None,
        sentence: "the scale is computed as max - x * (max - min)",
        fix: "add the product to minval",
        apply: |r| formula(r, Formula::FromMaximum),
    },
    Mistake {
        id: "bounds-ignored",
        clause: "ru8.range.float",
        erratum: None,
        sentence: "floats stay in [0, 1)",
        fix: "multiply by max - min and add minval",
        apply: |r| formula(r, Formula::Unscaled),
    },
    Mistake {
        id: "half-rounded-at-end",
        clause: "ru8.range.float",
        erratum: Some("ru8.range.rounding"),
        sentence: "under TENSORFLOW alignment, f16 and bf16 round max - min and then only the result",
        fix: SEPARATE,
        apply: |r| {
            r.philox_scale.f16_steps = HalfSteps::RangeAndEnd;
            r.philox_scale.bf16_steps = HalfSteps::RangeAndEnd;
        },
    },
    Mistake {
        id: "half-range-rounded-late",
        clause: "ru8.range.float",
        erratum: Some("ru8.range.rounding"),
        sentence: "under TENSORFLOW alignment, f16 and bf16 round nothing before the result",
        fix: SEPARATE,
        apply: |r| {
            r.philox_scale.f16_steps = HalfSteps::End;
            r.philox_scale.bf16_steps = HalfSteps::End;
        },
    },
    Mistake {
        id: "mt-half-each-operation",
        clause: "ru8.mt.range.half",
        erratum: Some("ru8.mt.half-rounding"),
        sentence: "under PYTORCH alignment, f16 and bf16 round the product too",
        fix: "round max - min to the type, compute product and sum in f32, and round once at the end",
        apply: |r| {
            r.mt_scale.f16_steps = HalfSteps::EachOperation;
            r.mt_scale.bf16_steps = HalfSteps::EachOperation;
        },
    },
    Mistake {
        id: "mt-half-range-rounded-late",
        clause: "ru8.mt.range.half",
        erratum: Some("ru8.mt.half-rounding"),
        sentence: "under PYTORCH alignment, f16 and bf16 do not round max - min",
        fix: "round max - min to the type, compute product and sum in f32, and round once at the end",
        apply: |r| {
            r.mt_scale.f16_steps = HalfSteps::End;
            r.mt_scale.bf16_steps = HalfSteps::End;
        },
    },
    Mistake {
        id: "f16-doubled",
        clause: "ru8.range.float",
        erratum: Some("ru8.rounding.f16-subnormal"),
        sentence: "an f16 below 2^-15 that rounds up to a power of two comes out doubled, as in ov::float16",
        fix: NEAREST,
        apply: |r| f16(r, F16Rounding::OpenVino),
    },
    Mistake {
        id: "f16-cut",
        clause: "ru8.range.float",
        erratum: None,
        sentence: "an f16 is cut off, not rounded",
        fix: NEAREST,
        apply: |r| f16(r, F16Rounding::TowardZero),
    },
    Mistake {
        id: "bf16-half-rounded",
        clause: "ru8.range.float",
        erratum: Some("ru8.rounding.bf16"),
        sentence: "a bf16 is cut off if its last bit is even and rounded half up if it is odd, as in ov::bfloat16",
        fix: NEAREST,
        apply: |r| bf16(r, Bf16Rounding::OpenVino),
    },
    Mistake {
        id: "bf16-cut",
        clause: "ru8.range.float",
        erratum: None,
        sentence: "a bf16 is the high half of an f32, not rounded",
        fix: NEAREST,
        apply: |r| bf16(r, Bf16Rounding::TowardZero),
    },
    Mistake {
        id: "bf16-half-up",
        clause: "ru8.range.float",
        erratum: None,
        sentence: "a bf16 rounds ties away from zero",
        fix: NEAREST,
        apply: |r| bf16(r, Bf16Rounding::HalfUp),
    },
    Mistake {
        id: "maximum-folded",
        clause: "ru8.range.float",
        erratum: Some("ru8.range.maxval-reached"),
        sentence: "a result that rounds to maxval is replaced by minval, as PyTorch does from 2.12",
        fix: "leave it",
        apply: |r| at_maximum(r, AtMaximum::Minimum),
    },
    Mistake {
        id: "maximum-avoided",
        clause: "ru8.range.float",
        erratum: Some("ru8.range.maxval-reached"),
        sentence: "a result that rounds to maxval is replaced by the value below it",
        fix: "leave it",
        apply: |r| at_maximum(r, AtMaximum::JustBelow),
    },
    Mistake {
        id: "maximum-clamped",
        clause: "ru8.range.float",
        erratum: Some("ru8.range.maxval-reached"),
        sentence: "results are clamped to the value below maxval, infinite ones too",
        fix: "leave them",
        apply: |r| at_maximum(r, AtMaximum::Clamped),
    },
    Mistake {
        id: "subnormals-flushed",
        clause: "ru8.range.float",
        erratum: None,
        sentence: "subnormal numbers become zero",
        fix: "switch flush-to-zero and denormals-are-zero off",
        apply: |r| {
            r.philox_scale.subnormals = Subnormals::Flushed;
            r.mt_scale.subnormals = Subnormals::Flushed;
        },
    },
];
