//! Requests that are accepted or refused wrongly.

use super::mistake::Mistake;
use crate::answers::{
    BoundForm, DrawRange, FloatBounds, IntegerBounds, Probabilities, Ranks, SampleCount, ShapeType, ZeroSize,
};

const LESS: &str = "accept only minval < maxval";
const PROBABILITIES: &str = "refuse what is negative or not finite, and a sum of zero or infinity";

pub(super) const MISTAKES: &[Mistake] = &[
    Mistake {
        id: "equal-bounds-accepted",
        clause: "ru8.bounds.less",
        erratum: Some("ru8.bounds.enforced"),
        sentence: "minval = maxval is accepted",
        fix: LESS,
        apply: |r| {
            r.validation.float_bounds = FloatBounds::LessOrEqual;
            r.validation.integer_bounds = IntegerBounds::LessOrEqual;
        },
    },
    Mistake {
        id: "nan-bounds-accepted",
        clause: "ru8.bounds.less",
        erratum: Some("ru8.bounds.enforced"),
        sentence: "only minval >= maxval is refused, which lets NaN through",
        fix: LESS,
        apply: |r| r.validation.float_bounds = FloatBounds::NotGreaterOrEqual,
    },
    Mistake {
        id: "bounds-unchecked",
        clause: "ru8.bounds.less",
        erratum: Some("ru8.bounds.enforced"),
        sentence: "floats are drawn from any bounds",
        fix: LESS,
        apply: |r| r.validation.float_bounds = FloatBounds::Any,
    },
    Mistake {
        id: "infinite-bounds-refused",
        clause: "ru8.bounds.less",
        erratum: Some("ru8.bounds.enforced"),
        sentence: "infinite bounds are refused, as PyTorch does",
        fix: "let infinities follow IEEE arithmetic",
        apply: |r| r.validation.float_bounds = FloatBounds::FiniteLessOrEqual,
    },
    Mistake {
        id: "bounds-scalar-only",
        clause: "ru8.bounds.form",
        erratum: None,
        sentence: "a bound or num_samples of shape [1] is refused",
        fix: "accept the shapes [] and [1]",
        apply: |r| r.validation.bound_form = BoundForm::Scalar,
    },
    Mistake {
        id: "shape-i64-only",
        clause: "ru8.shape.form",
        erratum: None,
        sentence: "an i32 shape is refused",
        fix: "accept i32 and i64 for shape",
        apply: |r| r.validation.shape_type = ShapeType::I64,
    },
    Mistake {
        id: "mn-probs-unchecked",
        clause: "mn13.probs.valid",
        erratum: Some("mn13.validation"),
        sentence: "probabilities are not looked at",
        fix: PROBABILITIES,
        apply: |r| r.validation.probabilities = Probabilities::Unchecked,
    },
    Mistake {
        id: "mn-sum-unchecked",
        clause: "mn13.probs.valid",
        erratum: Some("mn13.validation"),
        sentence: "a row that sums to zero or infinity is accepted",
        fix: PROBABILITIES,
        apply: |r| r.validation.probabilities = Probabilities::SumUnchecked,
    },
    Mistake {
        id: "mn-samples-unchecked",
        clause: "mn13.num-samples.count",
        erratum: Some("mn13.validation"),
        sentence: "more samples than classes are drawn without replacement",
        fix: "refuse more samples than a row has classes of a probability over zero",
        apply: |r| r.validation.samples = SampleCount::Any,
    },
    Mistake {
        id: "mn-zero-classes-counted",
        clause: "mn13.num-samples.count",
        erratum: Some("mn13.validation"),
        sentence: "classes of probability zero count as classes to draw",
        fix: "refuse more samples than a row has classes of a probability over zero",
        apply: |r| r.validation.samples = SampleCount::Classes,
    },
    Mistake {
        id: "mn-draw-of-one-refused",
        clause: "mn13.draws.given",
        erratum: None,
        sentence: "a given draw of exactly 1 is refused",
        fix: "accept draws in [0, 1]",
        apply: |r| r.validation.draws = DrawRange::HalfOpen,
    },
    Mistake {
        id: "mn-draws-unchecked",
        clause: "mn13.draws.given",
        erratum: None,
        sentence: "given draws outside [0, 1] are accepted",
        fix: "accept draws in [0, 1]",
        apply: |r| r.validation.draws = DrawRange::Any,
    },
    Mistake {
        id: "dml-zero-size-accepted",
        clause: "dml.output.form",
        erratum: Some("dml.output.zero-size"),
        sentence: "an output without elements is accepted",
        fix: "refuse a size of zero",
        apply: |r| r.dml.zero_size = ZeroSize::Empty,
    },
    Mistake {
        id: "dml-level-ignored",
        clause: "dml.feature-level.4-0",
        erratum: Some("dml.state.rank"),
        sentence: "feature level 4.0 is held to four dimensions",
        fix: "allow one to eight dimensions from feature level 4.0 on",
        apply: |r| r.dml.ranks = Ranks::Only4,
    },
];
