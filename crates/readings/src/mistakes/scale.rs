//! Floats into the range.

use super::mistake::mistakes;
use crate::answers::{
    AtMaximum, Bf16Rounding, F16Rounding, Formula, HalfSteps, Subnormals, Through, WhichBound,
};
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

const fn bound(r: &mut Reading, which: WhichBound, through: Through) {
    bounds(r, through);
    r.philox_scale.which_bound = which;
    r.mt_scale.which_bound = which;
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

mistakes! {
    clause: "ru8.range.float", erratum: Some("ru8.range.fused"),
    fix: "switch contraction off (-ffp-contract=off, __fmul_rn): round the product before the sum" => {
        "fused-scale": "the scale is computed as fma(x, max-min, min)",
            |r| formula(r, Formula::Fused);
    }
    clause: "ru8.range.float", erratum: Some("ru8.range.rounding"), fix: SEPARATE => {
        "lerp-scale": "the scale is computed as min * (1 - x) + max * x",
            |r| formula(r, Formula::Lerp);
        "scale-from-one-to-two": "the scale is computed as y * (max - min) + (min - (max - min)) of y between 1 and 2",
            |r| formula(r, Formula::FromOneToTwo);
        "unit-in-f16": "the number in the unit interval of f32 and f64 passes through f16",
            |r| formula(r, Formula::UnitInF16);
        "unit-in-bf16": "the number in the unit interval of f32 and f64 passes through bf16",
            |r| formula(r, Formula::UnitInBf16);
        "scale-in-f64": "the scale is computed in f64 and rounded once",
            |r| formula(r, Formula::InF64);
        "scale-in-f32": "the scale is computed in f32, whatever the type",
            |r| formula(r, Formula::InF32);
        "scale-in-f16": "the scale of f32 and f64 is computed in f16",
            |r| formula(r, Formula::InF16);
        "scale-in-bf16": "the scale of f32 and f64 is computed in bf16",
            |r| formula(r, Formula::InBf16);
    }
    clause: "ru8.range.float", erratum: None, fix: BOUNDS => {
        "bounds-in-f16": "the bounds of f32 and f64 are handed over as f16",
            |r| bounds(r, Through::F16);
        "bounds-in-bf16": "the bounds of f32 and f64 are handed over as bf16",
            |r| bounds(r, Through::Bf16);
        "minimum-in-f16": "minval of f32 and f64, and not maxval, is handed over as f16",
            |r| bound(r, WhichBound::Minimum, Through::F16);
        "minimum-in-bf16": "minval of f32 and f64, and not maxval, is handed over as bf16",
            |r| bound(r, WhichBound::Minimum, Through::Bf16);
        "maximum-in-f16": "maxval of f32 and f64, and not minval, is handed over as f16",
            |r| bound(r, WhichBound::Maximum, Through::F16);
        "maximum-in-bf16": "maxval of f32 and f64, and not minval, is handed over as bf16",
            |r| bound(r, WhichBound::Maximum, Through::Bf16);
    }
    clause: "ru8.range.float", erratum: Some("ru8.range.rounding"), fix: SEPARATE => {
        "range-in-f16": "max - min of f32 and f64 is rounded to f16",
            |r| range(r, Through::F16);
        "range-in-bf16": "max - min of f32 and f64 is rounded to bf16",
            |r| range(r, Through::Bf16);
    }
    clause: "ru8.range.float", erratum: None, fix: "multiply by max - min" => {
        "scale-by-maximum": "the scale is computed as x * max + min",
            |r| formula(r, Formula::ByMaximum);
    }
    clause: "ru8.range.float", erratum: None, fix: "add minval to the product" => {
        "minimum-forgotten": "the scale is computed as x * (max - min), without minval",
            |r| formula(r, Formula::RangeAlone);
    }
    clause: "ru8.range.float", erratum: None, fix: "multiply by max - min and add minval" => {
        "minimum-taken-as-zero": "the scale is computed as x * max, as if minval were zero",
            |r| formula(r, Formula::MaximumAlone);
    }
    clause: "ru8.range.float", erratum: None, fix: "add the product to minval" => {
        "scale-from-maximum": "the scale is computed as max - x * (max - min)",
            |r| formula(r, Formula::FromMaximum);
    }
    clause: "ru8.range.float", erratum: None, fix: "multiply by max - min and add minval" => {
        "bounds-ignored": "floats stay in [0, 1)",
            |r| formula(r, Formula::Unscaled);
    }
    clause: "ru8.range.float", erratum: Some("ru8.range.rounding"), fix: SEPARATE => {
        "half-rounded-at-end": "under TENSORFLOW alignment, f16 and bf16 round max - min and then only the result",
            |r| {
                r.philox_scale.f16_steps = HalfSteps::RangeAndEnd;
                r.philox_scale.bf16_steps = HalfSteps::RangeAndEnd;
            };
        "half-range-rounded-late": "under TENSORFLOW alignment, f16 and bf16 round nothing before the result",
            |r| {
                r.philox_scale.f16_steps = HalfSteps::End;
                r.philox_scale.bf16_steps = HalfSteps::End;
            };
    }
    clause: "ru8.mt.range.half", erratum: Some("ru8.mt.half-rounding"),
    fix: "round max - min to the type, compute product and sum in f32, and round once at the end" => {
        "mt-half-each-operation": "under PYTORCH alignment, f16 and bf16 round the product too",
            |r| {
                r.mt_scale.f16_steps = HalfSteps::EachOperation;
                r.mt_scale.bf16_steps = HalfSteps::EachOperation;
            };
        "mt-half-range-rounded-late": "under PYTORCH alignment, f16 and bf16 do not round max - min",
            |r| {
                r.mt_scale.f16_steps = HalfSteps::End;
                r.mt_scale.bf16_steps = HalfSteps::End;
            };
    }
    clause: "ru8.range.float", erratum: Some("ru8.rounding.f16-subnormal"), fix: NEAREST => {
        "f16-doubled": "an f16 below 2^-15 that rounds up to a power of two comes out doubled, as in ov::float16",
            |r| f16(r, F16Rounding::OpenVino);
    }
    clause: "ru8.range.float", erratum: None, fix: NEAREST => {
        "f16-cut": "an f16 is cut off, not rounded",
            |r| f16(r, F16Rounding::TowardZero);
    }
    clause: "ru8.range.float", erratum: Some("ru8.rounding.bf16"), fix: NEAREST => {
        "bf16-half-rounded": "a bf16 is cut off if its last bit is even and rounded half up if it is odd, as in ov::bfloat16",
            |r| bf16(r, Bf16Rounding::OpenVino);
    }
    clause: "ru8.range.float", erratum: None, fix: NEAREST => {
        "bf16-cut": "a bf16 is the high half of an f32, not rounded",
            |r| bf16(r, Bf16Rounding::TowardZero);
        "bf16-half-up": "a bf16 rounds ties away from zero",
            |r| bf16(r, Bf16Rounding::HalfUp);
    }
    clause: "ru8.range.float", erratum: Some("ru8.range.maxval-reached"), fix: "leave it" => {
        "maximum-folded": "a result that rounds to maxval is replaced by minval, as PyTorch does from 2.12",
            |r| at_maximum(r, AtMaximum::Minimum);
        "maximum-avoided": "a result that rounds to maxval is replaced by the value below it",
            |r| at_maximum(r, AtMaximum::JustBelow);
    }
    clause: "ru8.range.float", erratum: Some("ru8.range.maxval-reached"), fix: "leave them" => {
        "maximum-clamped": "results are clamped to the value below maxval, infinite ones too",
            |r| at_maximum(r, AtMaximum::Clamped);
    }
    clause: "ru8.range.float", erratum: None, fix: "switch flush-to-zero and denormals-are-zero off" => {
        "subnormals-flushed": "subnormal numbers become zero",
            |r| {
                r.philox_scale.subnormals = Subnormals::Flushed;
                r.mt_scale.subnormals = Subnormals::Flushed;
            };
    }
}
