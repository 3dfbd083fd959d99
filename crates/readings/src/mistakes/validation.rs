//! Requests that are accepted or refused wrongly.

use super::mistake::mistakes;
use crate::answers::{
    BoundForm, DrawRange, FloatBounds, IntegerBounds, Probabilities, Ranks, SampleCount, ShapeType, ZeroSize,
};

const LESS: &str = "accept only minval < maxval";
const PROBABILITIES: &str = "refuse what is negative or not finite, and a sum of zero or infinity";

mistakes! {
    clause: "ru8.bounds.less", erratum: Some("ru8.bounds.enforced"), fix: LESS => {
        "equal-bounds-accepted": "minval = maxval is accepted",
            |r| {
                r.validation.float_bounds = FloatBounds::LessOrEqual;
                r.validation.integer_bounds = IntegerBounds::LessOrEqual;
            };
        "nan-bounds-accepted": "only minval >= maxval is refused, which lets NaN through",
            |r| r.validation.float_bounds = FloatBounds::NotGreaterOrEqual;
        "bounds-unchecked": "floats are drawn from any bounds",
            |r| r.validation.float_bounds = FloatBounds::Any;
    }
    clause: "ru8.bounds.less", erratum: Some("ru8.bounds.enforced"),
    fix: "let infinities follow IEEE arithmetic" => {
        "infinite-bounds-refused": "infinite bounds are refused, as PyTorch does",
            |r| r.validation.float_bounds = FloatBounds::FiniteLessOrEqual;
    }
    clause: "ru8.bounds.form", erratum: None, fix: "accept the shapes [] and [1]" => {
        "bounds-scalar-only": "a bound or num_samples of shape [1] is refused",
            |r| r.validation.bound_form = BoundForm::Scalar;
    }
    clause: "ru8.shape.form", erratum: None, fix: "accept i32 and i64 for shape" => {
        "shape-i64-only": "an i32 shape is refused",
            |r| r.validation.shape_type = ShapeType::I64;
    }
    clause: "mn13.probs.valid", erratum: Some("mn13.validation"), fix: PROBABILITIES => {
        "mn-probs-unchecked": "probabilities are not looked at",
            |r| r.validation.probabilities = Probabilities::Unchecked;
        "mn-sum-unchecked": "a row that sums to zero or infinity is accepted",
            |r| r.validation.probabilities = Probabilities::SumUnchecked;
    }
    clause: "mn13.num-samples.count", erratum: Some("mn13.validation"),
    fix: "refuse more samples than a row has classes of a probability over zero" => {
        "mn-samples-unchecked": "more samples than classes are drawn without replacement",
            |r| r.validation.samples = SampleCount::Any;
        "mn-zero-classes-counted": "classes of probability zero count as classes to draw",
            |r| r.validation.samples = SampleCount::Classes;
    }
    clause: "mn13.draws.given", erratum: None, fix: "accept draws in [0, 1]" => {
        "mn-draw-of-one-refused": "a given draw of exactly 1 is refused",
            |r| r.validation.draws = DrawRange::HalfOpen;
        "mn-draws-unchecked": "given draws outside [0, 1] are accepted",
            |r| r.validation.draws = DrawRange::Any;
    }
    clause: "dml.output.form", erratum: Some("dml.output.zero-size"), fix: "refuse a size of zero" => {
        "dml-zero-size-accepted": "an output without elements is accepted",
            |r| r.dml.zero_size = ZeroSize::Empty;
    }
    clause: "dml.feature-level.4-0", erratum: Some("dml.state.rank"),
    fix: "allow one to eight dimensions from feature level 4.0 on" => {
        "dml-level-ignored": "feature level 4.0 is held to four dimensions",
            |r| r.dml.ranks = Ranks::Only4;
    }
}
