//! The checks of a request, in order: attributes, then input by input its type, its form and its values.

use seedproof_ops::{
    Alignment, Attribute, DmlRandomGenerator, Dtype, ErrorKind, Failure, FeatureLevel, Multinomial,
    RandomUniform, Scalar, Tensor,
};

use crate::answers::{
    AlignmentRead, BoundForm, DrawRange, EmptyOutput, FloatBounds, IntegerBounds, Probabilities, Ranks,
    SamplesType, ShapeType, Strides, Validation, ZeroSize,
};
use crate::reading::Reading;
use crate::round::f32_of;

/// A RandomUniform request whose form and bounds are accepted.
pub(super) struct Uniform {
    pub(super) dtype: Dtype,
    pub(super) alignment: Alignment,
    pub(super) dims: Vec<u64>,
}

pub(super) const FLOATS: [Dtype; 4] = [Dtype::F16, Dtype::Bf16, Dtype::F32, Dtype::F64];

pub(super) fn refuse<T>(kind: ErrorKind, message: impl Into<String>) -> Result<T, Failure> {
    Err(Failure::rejected(kind, message))
}

pub(super) fn known<T: seedproof_ops::Named>(name: &str, attribute: &Attribute<T>) -> Result<T, Failure> {
    attribute.known().map_or_else(
        || refuse(ErrorKind::Attribute, format!("{name} has no value `{attribute}`")),
        Ok,
    )
}

/// Refuses an attribute.
pub(super) fn attribute<T>(message: impl Into<String>) -> Result<T, Failure> {
    refuse(ErrorKind::Attribute, message)
}

/// The output type, of those that the op has.
pub(super) fn output_type(
    attribute: &Attribute<Dtype>,
    has: impl Fn(Dtype) -> bool,
) -> Result<Dtype, Failure> {
    let dtype = known("output_type", attribute)?;
    if has(dtype) {
        return Ok(dtype);
    }
    self::attribute(format!("output_type cannot be {dtype}"))
}

pub(super) fn dtype_is(name: &str, tensor: &Tensor, allowed: &[Dtype]) -> Result<(), Failure> {
    if allowed.contains(&tensor.dtype()) {
        return Ok(());
    }
    refuse(ErrorKind::Dtype, format!("{name} is of type {}", tensor.dtype()))
}

/// Refuses the form of an input.
pub(super) fn shape<T>(name: &str, tensor: &Tensor) -> Result<T, Failure> {
    refuse(
        ErrorKind::Shape,
        format!("{name} has the shape {}", tensor.shape()),
    )
}

/// The bits of an input of these extents.
pub(super) fn list(name: &str, tensor: &Tensor, dtype: Dtype, dims: &[u64]) -> Result<Vec<u64>, Failure> {
    dtype_is(name, tensor, &[dtype])?;
    if tensor.shape().to_u64() != dims {
        return shape(name, tensor);
    }
    Ok(tensor.scalars().map(Scalar::bits).collect())
}

/// The one number of an input without extents.
pub(super) fn one(name: &str, tensor: &Tensor, dtype: Dtype) -> Result<Scalar, Failure> {
    list(name, tensor, dtype, &[]).map(|bits| Scalar::new(dtype, bits[0]))
}

fn single(name: &str, tensor: &Tensor, form: BoundForm) -> Result<(), Failure> {
    match (tensor.shape().dims(), form) {
        ([], _) | ([1], BoundForm::ScalarOrOne) => Ok(()),
        _ => refuse(
            ErrorKind::Shape,
            format!("{name} has the shape {}, not that of one number", tensor.shape()),
        ),
    }
}

pub(super) fn uniform(validation: &Validation, request: &RandomUniform) -> Result<Uniform, Failure> {
    let dtype = output_type(&request.output_type, |dtype| {
        dtype.is_float() || matches!(dtype, Dtype::I32 | Dtype::I64)
    })?;
    let given = known("alignment", &request.alignment)?;
    let alignment = match validation.alignment {
        AlignmentRead::Chosen => given,
        AlignmentRead::Tensorflow => Alignment::Tensorflow,
        AlignmentRead::Pytorch => Alignment::Pytorch,
    };
    let dims = extents(validation, &request.shape)?;
    strides(validation, &dims)?;
    for (name, bound) in [("minval", &request.minval), ("maxval", &request.maxval)] {
        dtype_is(name, bound, &[dtype])?;
        single(name, bound, validation.bound_form)?;
    }
    let is_empty = dims.contains(&0) && !dtype.is_float();
    if !is_empty || validation.empty_output == EmptyOutput::Checked {
        bounds(validation, dtype, request)?;
    }
    Ok(Uniform {
        dtype,
        alignment,
        dims,
    })
}

/// Refuses extents that PyTorch cannot store. Those of an output with elements are too many there for any memory.
pub(super) fn strides(validation: &Validation, dims: &[u64]) -> Result<(), Failure> {
    let product = dims
        .iter()
        .try_fold(1_u64, |product, &extent| product.checked_mul(extent));
    let strides = dims.iter().skip(1).rev().try_fold(1_i64, |stride, &extent| {
        stride.checked_mul(i64::try_from(extent.max(1)).ok()?)
    });
    if validation.strides == Strides::Any || product.is_some() && strides.is_some() {
        return Ok(());
    }
    refuse(ErrorKind::Shape, "the extents overflow 64 bits")
}

/// The extents that a list asks for.
pub(super) fn extents(validation: &Validation, shape: &Tensor) -> Result<Vec<u64>, Failure> {
    let shape_types: &[Dtype] = match validation.shape_type {
        ShapeType::I32OrI64 => &[Dtype::I32, Dtype::I64],
        ShapeType::I64 => &[Dtype::I64],
    };
    dtype_is("shape", shape, shape_types)?;
    if shape.shape().rank() != 1 {
        let message = format!("shape has the shape {}, not that of a list", shape.shape());
        return refuse(ErrorKind::Shape, message);
    }
    let extent = |extent: Scalar| {
        let extent = extent.to_i64();
        u64::try_from(extent)
            .or_else(|_| refuse(ErrorKind::Shape, format!("shape asks for an extent of {extent}")))
    };
    shape.scalars().map(extent).collect()
}

fn bounds(validation: &Validation, dtype: Dtype, request: &RandomUniform) -> Result<(), Failure> {
    let accepted = if dtype.is_float() {
        float_bounds_are_accepted(validation.float_bounds, dtype, float_bounds(request))
    } else {
        integer_bounds_are_accepted(validation.integer_bounds, integer_bounds(request))
    };
    if accepted {
        return Ok(());
    }
    let [min, max] = [&request.minval, &request.maxval]
        .map(|bound| bound.get(0).map_or_else(String::new, Scalar::decimal));
    refuse(
        ErrorKind::Range,
        format!("minval must be less than maxval: [{min}, {max})"),
    )
}

pub(super) fn float_bounds_are_accepted(answer: FloatBounds, dtype: Dtype, [min, max]: [f64; 2]) -> bool {
    match answer {
        FloatBounds::Less => min < max,
        FloatBounds::LessOrEqual => min <= max,
        FloatBounds::LessOrEqualAsF32 => f32_of(min) <= f32_of(max),
        // NaN compares false, and is let through.
        FloatBounds::NotGreaterOrEqual => min < max || min.is_nan() || max.is_nan(),
        FloatBounds::Any => true,
        FloatBounds::FiniteLessOrEqual => {
            let largest = match dtype {
                Dtype::F16 => 65504.0,
                Dtype::Bf16 => half::bf16::MAX.to_f64(),
                Dtype::F64 => f64::MAX,
                _ => f64::from(f32::MAX),
            };
            min.is_finite() && max.is_finite() && min <= max && max - min <= largest
        }
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "that the rounding makes bounds equal is the point"
)]
pub(super) const fn integer_bounds_are_accepted(answer: IntegerBounds, [min, max]: [i64; 2]) -> bool {
    match answer {
        IntegerBounds::Less => min < max,
        IntegerBounds::LessOrEqual => min <= max,
        IntegerBounds::LessAsF64 => (min as f64) < (max as f64),
    }
}

/// The bounds of a request whose form is accepted.
pub(super) fn float_bounds(request: &RandomUniform) -> [f64; 2] {
    [&request.minval, &request.maxval].map(|bound| bound.get(0).map_or(f64::NAN, Scalar::to_f64))
}

/// The bounds of a request whose form is accepted.
pub(super) fn integer_bounds(request: &RandomUniform) -> [i64; 2] {
    [&request.minval, &request.maxval].map(|bound| bound.get(0).map_or(0, Scalar::to_i64))
}

/// A Multinomial request whose form is accepted.
pub(super) struct Samples {
    pub(super) convert_type: Dtype,
    pub(super) batch: usize,
    pub(super) classes: usize,
    pub(super) count: u64,
}

pub(super) fn multinomial(validation: &Validation, request: &Multinomial) -> Result<Samples, Failure> {
    let convert_type = known("convert_type", &request.convert_type)?;
    if !matches!(convert_type, Dtype::I32 | Dtype::I64) {
        return attribute(format!("convert_type cannot be {convert_type}"));
    }
    dtype_is("probs", &request.probs, &FLOATS)?;
    let &[batch, classes] = request.probs.shape().dims() else {
        return refuse(
            ErrorKind::Shape,
            format!("probs has the shape {}, not that of rows", request.probs.shape()),
        );
    };
    if classes == 0 && validation.probabilities != Probabilities::Unchecked {
        return refuse(ErrorKind::Shape, "probs has rows without a class");
    }
    let integers = match validation.samples_type {
        SamplesType::I32OrI64 => vec![Dtype::I32, Dtype::I64],
        SamplesType::Integer => Dtype::ALL.iter().copied().filter(|it| !it.is_float()).collect(),
    };
    dtype_is("num_samples", &request.num_samples, &integers)?;
    single("num_samples", &request.num_samples, validation.bound_form)?;
    let count = request.num_samples.get(0).map_or(0, Scalar::to_i64);
    let Ok(count) = u64::try_from(count) else {
        return refuse(ErrorKind::Samples, format!("num_samples is {count}"));
    };
    if let Some(draws) = &request.draws {
        dtype_is("draws", draws, &[Dtype::F64])?;
        let fits = usize::try_from(count).is_ok_and(|count| draws.shape().dims() == [batch, count]);
        if !fits {
            return refuse(
                ErrorKind::Shape,
                format!("draws has the shape {}, not [{batch},{count}]", draws.shape()),
            );
        }
        let accepted = |draw: f64| match validation.draws {
            DrawRange::Closed => (0.0..=1.0).contains(&draw),
            DrawRange::HalfOpen => (0.0..1.0).contains(&draw),
            DrawRange::Any => true,
        };
        if let Some(draw) = draws.scalars().find(|draw| !accepted(draw.to_f64())) {
            return refuse(
                ErrorKind::Range,
                format!("the draw {} is not allowed", draw.decimal()),
            );
        }
    }
    Ok(Samples {
        convert_type,
        batch,
        classes,
        count,
    })
}

pub(super) fn dml(reading: &Reading, request: &DmlRandomGenerator) -> Result<(), Failure> {
    known("Type", &request.generator)?;
    let level = known("the feature level", &request.feature_level)?;
    dtype_is("input_state", &request.input_state, &[Dtype::U32])?;
    let level = match reading.dml.ranks {
        Ranks::UpTo8 => level,
        Ranks::Only4 => FeatureLevel::Level3_0,
    };
    let rank_is_allowed = |rank: usize| match level {
        FeatureLevel::Level3_0 => rank == 4,
        FeatureLevel::Level4_0 => (1..=8).contains(&rank),
    };
    let state = request.input_state.shape().dims();
    let ends_in_6 = state
        .split_last()
        .is_some_and(|(&last, ones)| last == 6 && ones.iter().all(|&extent| extent == 1));
    if !rank_is_allowed(state.len()) || !ends_in_6 {
        return refuse(
            ErrorKind::State,
            format!("input_state has the shape {}", request.input_state.shape()),
        );
    }
    if !rank_is_allowed(request.output_sizes.len()) {
        return refuse(
            ErrorKind::Shape,
            format!("the output has {} dimensions", request.output_sizes.len()),
        );
    }
    if reading.dml.zero_size == ZeroSize::Refused && request.output_sizes.contains(&0) {
        return refuse(ErrorKind::Shape, "the output has no elements");
    }
    Ok(())
}
