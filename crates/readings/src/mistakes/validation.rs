//! What should be refused, and what should not.

use super::{Mistake, mistake};
use crate::answers::{
    BoundForm, DrawRange, FloatBounds, IntegerBounds, Probabilities, Ranks, SampleCount, ShapeType, ZeroSize,
};

const LESS: &str = "accept only minval < maxval";
const PROBABILITIES: &str = "refuse what is negative or not finite, and a sum of zero or infinity";

pub(super) const MISTAKES: &[Mistake] = &[
    mistake(
        "equal-bounds-accepted",
        "ru8.bounds.less",
        "ru8.bounds.enforced",
        "minval = maxval is accepted",
        LESS,
        |r| {
            r.validation.float_bounds = FloatBounds::LessOrEqual;
            r.validation.integer_bounds = IntegerBounds::LessOrEqual;
        },
    ),
    mistake(
        "nan-bounds-accepted",
        "ru8.bounds.less",
        "ru8.bounds.enforced",
        "only minval >= maxval is refused, which lets NaN through",
        LESS,
        |r| r.validation.float_bounds = FloatBounds::NotGreaterOrEqual,
    ),
    mistake(
        "bounds-unchecked",
        "ru8.bounds.less",
        "ru8.bounds.enforced",
        "floats are drawn from any bounds",
        LESS,
        |r| r.validation.float_bounds = FloatBounds::Any,
    ),
    mistake(
        "infinite-bounds-refused",
        "ru8.bounds.less",
        "ru8.bounds.enforced",
        "infinite bounds are refused, as PyTorch does",
        "let infinities follow IEEE arithmetic",
        |r| r.validation.float_bounds = FloatBounds::FiniteLessOrEqual,
    ),
    mistake(
        "bounds-scalar-only",
        "ru8.bounds.form",
        "",
        "a bound or num_samples of shape [1] is refused",
        "accept the shapes [] and [1]",
        |r| r.validation.bound_form = BoundForm::Scalar,
    ),
    mistake(
        "shape-i64-only",
        "ru8.shape.form",
        "",
        "an i32 shape is refused",
        "accept i32 and i64 for shape",
        |r| r.validation.shape_type = ShapeType::I64,
    ),
    mistake(
        "mn-probs-unchecked",
        "mn13.probs.valid",
        "mn13.validation",
        "probabilities are not looked at",
        PROBABILITIES,
        |r| r.validation.probabilities = Probabilities::Unchecked,
    ),
    mistake(
        "mn-sum-unchecked",
        "mn13.probs.valid",
        "mn13.validation",
        "a row that sums to zero or infinity is accepted",
        PROBABILITIES,
        |r| r.validation.probabilities = Probabilities::SumUnchecked,
    ),
    mistake(
        "mn-samples-unchecked",
        "mn13.num-samples.count",
        "mn13.validation",
        "more samples than classes are drawn without replacement",
        "refuse more samples than a row has classes of a probability over zero",
        |r| r.validation.samples = SampleCount::Any,
    ),
    mistake(
        "mn-zero-classes-counted",
        "mn13.num-samples.count",
        "mn13.validation",
        "classes of probability zero count as classes to draw",
        "refuse more samples than a row has classes of a probability over zero",
        |r| r.validation.samples = SampleCount::Classes,
    ),
    mistake(
        "mn-draw-of-one-refused",
        "mn13.draws.given",
        "",
        "a given draw of exactly 1 is refused",
        "accept draws in [0, 1]",
        |r| r.validation.draws = DrawRange::HalfOpen,
    ),
    mistake(
        "mn-draws-unchecked",
        "mn13.draws.given",
        "",
        "given draws outside [0, 1] are accepted",
        "accept draws in [0, 1]",
        |r| r.validation.draws = DrawRange::Any,
    ),
    mistake(
        "dml-zero-size-accepted",
        "dml.output.form",
        "dml.output.zero-size",
        "an output without elements is accepted",
        "refuse a size of zero",
        |r| r.dml.zero_size = ZeroSize::Empty,
    ),
    mistake(
        "dml-level-ignored",
        "dml.feature-level.4-0",
        "dml.state.rank",
        "feature level 4.0 is held to four dimensions",
        "allow one to eight dimensions from feature level 4.0 on",
        |r| r.dml.ranks = Ranks::Only4,
    ),
];
