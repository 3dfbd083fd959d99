//! An op with its inputs, from which one end of a conversion builds the requests that its reading answers.

use seedproof_ops::{
    AttributeInfo, AttributeValue, Dtype, InputInfo, Kind, OpName, Request, Role, Scalar, Shape, Tensor,
    Types,
};

use crate::source::{Source, Value, number};

/// The most samples times weights for which classes are drawn: without replacement, every
/// sample goes through all of them.
const MAX_STEPS: u64 = 1 << 24;

/// An op with what the model fixes of it. Seeds, extents and the element type are parts of the side that draws, because
/// a verdict exchanges them one by one.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// The op.
    pub op: OpName,
    /// Inputs by their names. The elements of a `…Like` op's input are repeated to fill the output's extents.
    pub inputs: Vec<(&'static str, Tensor)>,
    /// Attributes by their names, but for seeds, extents and the element type.
    pub attributes: Vec<(&'static str, AttributeValue)>,
}

/// The parts of a request that a side has.
pub(crate) struct Parts<'a> {
    pub(crate) dtype: Dtype,
    pub(crate) seeds: (u64, u64),
    /// The seed of an op of ONNX, which is a float, if it is one.
    pub(crate) float_seed: Option<f32>,
    pub(crate) shape: &'a [u64],
    pub(crate) execution: u32,
}

impl Asked {
    /// An op without inputs of its own.
    pub(crate) fn op(op: OpName) -> Self {
        Self {
            op,
            inputs: Vec::new(),
            attributes: Vec::new(),
        }
    }

    /// Multinomial-13 of constant weights. Unless the source says otherwise, they are logarithms and are drawn with
    /// replacement: TensorFlow's and ONNX's Multinomial have no such flags, take logarithms and replace.
    pub(crate) fn multinomial(source: &Source, weights: Tensor) -> Option<Self> {
        let is = |flag| source.get(flag).is_none_or(|value| value.flag() == Some(true));
        let flag = |name| (name, AttributeValue::Boolean(is(name)));
        Some(Self {
            op: OpName::Multinomial,
            inputs: vec![
                ("probs", weights),
                (
                    "num_samples",
                    Tensor::scalar(i64::try_from(samples(source)?).ok()?),
                ),
            ],
            attributes: vec![flag("with_replacement"), flag("log_probs")],
        })
    }

    /// The request for an output; `None` if the model does not fix a required input.
    pub(crate) fn request(&self, parts: &Parts<'_>) -> Option<Request> {
        let mut attribute = |info: &'static AttributeInfo| {
            let given = self.attributes.iter().find(|(name, _)| *name == info.name);
            given.map(|(_, value)| value.clone()).or(match info.kind {
                Kind::Dtype(_) => Some(AttributeValue::Text(parts.dtype.name().to_owned())),
                Kind::Extents(_) => Some(AttributeValue::Extents(parts.shape.to_vec())),
                Kind::Seed if matches!(info.name, "seed" | "global_seed") => {
                    Some(AttributeValue::Seed(parts.seeds.0))
                }
                Kind::Seed => Some(AttributeValue::Seed(parts.seeds.1)),
                _ => None,
            })
        };
        let mut input = |info: &'static InputInfo| {
            let given = self.inputs.iter().find(|(name, _)| *name == info.name);
            let given = given.map(|(_, tensor)| tensor.clone());
            match (info.role, info.dtypes) {
                // The `Like` ops take only the extents of their input.
                (Role::Elements, _) => repeated(&given.unwrap_or(Tensor::scalar(0.0_f32)), parts.shape),
                (Role::Extents, Types::OneOf([dtype, ..])) => extents(*dtype, parts.shape),
                (Role::Words([]), Types::OneOf([Dtype::F32, ..])) => parts.float_seed.map(Tensor::scalar),
                _ => given,
            }
        };
        Request::build(self.op, &mut attribute, &mut input, parts.execution).ok()
    }
}

fn repeated(tensor: &Tensor, shape: &[u64]) -> Option<Tensor> {
    let shape = Shape::new(shape).ok()?;
    let bytes = shape.count().checked_mul(tensor.dtype().size())?;
    let bytes = tensor.bytes().iter().copied().cycle().take(bytes).collect();
    Tensor::new(tensor.dtype(), shape, bytes).ok()
}

fn extents(dtype: Dtype, shape: &[u64]) -> Option<Tensor> {
    let extents = shape
        .iter()
        .map(|&extent| Scalar::from_i128(dtype, extent.into()));
    tensor(
        dtype,
        &[u64::try_from(shape.len()).ok()?],
        &extents.collect::<Option<Vec<_>>>()?,
    )
}

fn tensor(dtype: Dtype, shape: &[u64], elements: &[Scalar]) -> Option<Tensor> {
    Tensor::from_scalars(dtype, Shape::new(shape).ok()?, elements.iter().copied()).ok()
}

/// The number of samples in each row of a source whose output is `[batch, samples]`.
pub(crate) fn samples(source: &Source) -> Option<u64> {
    source.extents().get(1).copied()
}

/// The numbers of a parameter as a list, each through a function; `None` if the model computes them.
pub(crate) fn list(source: &Source, name: &str, dtype: Dtype, map: fn(f64) -> f64) -> Option<Tensor> {
    let one = std::slice::from_ref(source.get(name)?);
    let values = match one {
        [Value::List(values)] => values,
        one => one,
    };
    let elements = values.iter().map(|value| number(dtype, map(value.real()?)));
    let elements = elements.collect::<Option<Vec<_>>>()?;
    tensor(dtype, &[u64::try_from(elements.len()).ok()?], &elements)
}

/// The weights `[batch, classes]` in a parameter of a source whose output is `[batch, samples]`, each mapped by a function;
/// `None` if the model computes them, or if they take too many steps.
pub(crate) fn weights(source: &Source, name: &str, dtype: Dtype, map: fn(f64) -> f64) -> Option<Tensor> {
    let &[batch, samples] = source.extents() else {
        return None;
    };
    let list = list(source, name, dtype, map)?;
    let count = u64::try_from(list.count()).ok()?;
    count.checked_mul(samples).filter(|&steps| steps <= MAX_STEPS)?;
    let shape = Shape::new(&[batch, count.checked_div(batch)?]).ok()?;
    Tensor::new(dtype, shape, list.into_bytes()).ok()
}
