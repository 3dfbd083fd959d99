//! Converts Python's arguments to the fields of a request, by the op's description.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyList, PyString, PyTuple};
use seedproof_ops::{
    AttributeInfo, AttributeValue, Dtype, InputInfo, Kind, Named as _, OpName, Request, Scalar, Tensor,
    Types, did_you_mean, standard,
};

use crate::arrays::Numpy;
use crate::errors::invalid;

/// The op of this name: `openvino.RandomUniform-8`.
pub(crate) fn op(py: Python<'_>, name: &str) -> PyResult<OpName> {
    let mut all = OpName::ALL.iter();
    all.find(|op| op.name() == name).copied().ok_or_else(|| {
        let nearest = did_you_mean(name, OpName::NAMES.iter().copied());
        invalid(
            py,
            format!(
                "there is no op `{name}`{nearest}; there are {}",
                OpName::NAMES.join(", ")
            ),
        )
    })
}

/// A request of attributes and inputs, each asked for by its name and `None` where it is left out.
pub(crate) fn build<'py>(
    py: Python<'py>,
    op: OpName,
    attribute: &mut dyn FnMut(&'static AttributeInfo) -> PyResult<Option<Bound<'py, PyAny>>>,
    input: &mut dyn FnMut(&'static InputInfo) -> PyResult<Option<Bound<'py, PyAny>>>,
    execution: u32,
) -> PyResult<Request> {
    let description = op.description();
    let mut attributes: Vec<(&str, AttributeValue)> = Vec::with_capacity(description.attributes.len());
    for info in description.attributes {
        if let Some(value) = attribute(info)?.filter(|value| !value.is_none()) {
            attributes.push((info.name, self::attribute(info, &value)?));
        }
    }
    let mut inputs: Vec<(&str, Tensor)> = Vec::with_capacity(description.inputs.len());
    for info in description.inputs {
        if let Some(value) = input(info)?.filter(|value| !value.is_none()) {
            let dtype = default_type(info, &attributes);
            inputs.push((info.name, tensor(info, &value, dtype)?));
        }
    }
    let mut values = attributes.into_iter();
    let mut tensors = inputs.into_iter().peekable();
    let mut values = |name: &str| {
        values
            .as_slice()
            .first()
            .is_some_and(|it| it.0 == name)
            .then(|| values.next())
            .flatten()
    };
    let built = Request::build(
        op,
        &mut |info| values(info.name).map(|(_, value)| value),
        &mut |info| {
            tensors
                .next_if(|(name, _)| *name == info.name)
                .map(|(_, tensor)| tensor)
        },
        execution,
    );
    if execution != 0 && !description.successive {
        return Err(invalid(py, format!("{op} keeps no state: execution is 0")));
    }
    built.map_err(|name| invalid(py, format!("{op} needs `{name}`")))
}

/// The element type that an input has where its value has none.
pub(crate) fn default_type(info: &InputInfo, attributes: &[(&str, AttributeValue)]) -> Dtype {
    let named = |name: &str| {
        let value = attributes.iter().find(|(other, _)| *other == name);
        match value {
            Some((_, AttributeValue::Text(text))) => text.parse().ok(),
            _ => None,
        }
    };
    match info.dtypes {
        // A list of floats is of f64 in NumPy.
        Types::OneOf(dtypes) if dtypes.contains(&Dtype::F64) => Dtype::F64,
        Types::OneOf(dtypes) => dtypes[0],
        // The op refuses an unknown type, whatever its inputs are.
        Types::Attribute(name) => named(name).unwrap_or(Dtype::F32),
    }
}

pub(crate) fn attribute(info: &AttributeInfo, value: &Bound<'_, PyAny>) -> PyResult<AttributeValue> {
    let py = value.py();
    let wrong = |expected: &str| {
        let found = value
            .repr()
            .map_or_else(|_| "it".to_owned(), |text| text.to_string());
        invalid(py, format!("{} is {found}: expected {expected}", info.name))
    };
    Ok(match info.kind {
        Kind::Dtype(_) => {
            let name = match Numpy::get(py)?.dtype(value)? {
                Some(dtype) => dtype.name().to_owned(),
                // A text that is not a type is left for the op to refuse.
                None => value.extract().map_err(|_| wrong("an element type"))?,
            };
            AttributeValue::Text(name)
        }
        Kind::Enumeration(names) => {
            let text = value.extract();
            AttributeValue::Text(text.map_err(|_| wrong(&names.join(" or ")))?)
        }
        Kind::Seed => {
            let seed = if value.is_instance_of::<PyFloat>() {
                None
            } else {
                value.extract().ok()
            };
            AttributeValue::Seed(seed.ok_or_else(|| wrong("a whole number from 0 to 2^64 - 1"))?)
        }
        Kind::Boolean | Kind::WithOutput => {
            AttributeValue::Boolean(value.extract().map_err(|_| wrong("True or False"))?)
        }
        Kind::Extents(_) => {
            let extents = if !is_whole(value)? {
                Err(wrong("a list of whole numbers from 0 to 2^64 - 1"))
            } else if value.is_instance_of::<PyInt>() {
                value.extract().map(|extent| vec![extent])
            } else {
                value.extract()
            };
            AttributeValue::Extents(extents.map_err(|_| wrong("a list of whole numbers from 0 to 2^64 - 1"))?)
        }
        Kind::Number(_) => AttributeValue::Number(value.extract().map_err(|_| wrong("a whole number"))?),
    })
}

/// A tensor: of an array, with its type; of a number, of a list and of a tuple, with the type that is asked for.
pub(crate) fn tensor(info: &InputInfo, value: &Bound<'_, PyAny>, dtype: Dtype) -> PyResult<Tensor> {
    let py = value.py();
    let named = |error: PyErr| {
        let cause = error
            .value(py)
            .str()
            .map_or_else(|_| "it is not an array".to_owned(), |text| text.to_string());
        let wrong = invalid(
            py,
            format!("{} cannot be an array of {dtype}: {cause}", info.name),
        );
        wrong.set_cause(py, Some(error));
        wrong
    };
    if value.is_instance_of::<PyFloat>() || value.is_instance_of::<PyInt>() {
        let is_flag = value.is_instance_of::<PyBool>() && !dtype.is_float();
        let bits = scalar(value, dtype).filter(|_| !is_flag).ok_or_else(|| {
            invalid(
                py,
                format!("{} is {value}: expected a value of {dtype}", info.name),
            )
        })?;
        let ranks = &info.ranks;
        let tensor = Tensor::from_scalar(bits);
        // `size=5` means a list of one extent, as in NumPy.
        return Ok(if *ranks.start() == 1 {
            vector(dtype, [bits])
        } else {
            tensor
        });
    }
    if let Some(tensor) = whole_numbers(value, dtype) {
        return Ok(tensor);
    }
    let numpy = Numpy::get(py)?;
    if numpy.is_scalar(value)? {
        return tensor_of_item(info, value, dtype);
    }
    if value.is_instance_of::<PyString>() {
        return Err(invalid(
            py,
            format!("{} is a text: expected an array of {dtype}", info.name),
        ));
    }
    let is_list = value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>();
    // With the type asked for, NumPy takes 2.5 for 2 and True for 1.
    if is_list && !dtype.is_float() && !is_whole(value)? {
        return Err(invalid(
            py,
            format!("{} is {}: expected whole numbers", info.name, value.repr()?),
        ));
    }
    let array = numpy.array(value, is_list.then_some(dtype)).map_err(named)?;
    numpy.tensor(&array, Some(dtype)).map_err(named)
}

/// The tensor of a scalar of NumPy's, which is taken for the number that it is.
fn tensor_of_item(info: &InputInfo, value: &Bound<'_, PyAny>, dtype: Dtype) -> PyResult<Tensor> {
    let item = value.call_method0("item")?;
    if item.is_instance_of::<PyFloat>() || item.is_instance_of::<PyInt>() {
        return tensor(info, &item, dtype);
    }
    Err(invalid(
        value.py(),
        format!("{} is {value}: expected a value of {dtype}", info.name),
    ))
}

fn vector(dtype: Dtype, elements: impl IntoIterator<Item = Scalar>) -> Tensor {
    let mut bytes = Vec::new();
    let mut count = 0;
    for element in elements {
        bytes.extend(element.to_le_bytes());
        count += 1;
    }
    Tensor::new(dtype, seedproof_ops::Shape::vector(count), bytes).expect("each element has its bytes")
}

/// A tuple or list of whole numbers of an integer type, which is what most shapes are.
fn whole_numbers(value: &Bound<'_, PyAny>, dtype: Dtype) -> Option<Tensor> {
    if dtype.is_float() {
        return None;
    }
    let numbers: Vec<i64> = if let Ok(tuple) = value.cast::<PyTuple>() {
        tuple.iter().map(|item| exact(&item)).collect::<Option<_>>()?
    } else {
        let list = value.cast::<PyList>().ok()?;
        list.iter().map(|item| exact(&item)).collect::<Option<_>>()?
    };
    let elements: Option<Vec<Scalar>> = numbers
        .into_iter()
        .map(|number| Scalar::from_i128(dtype, number.into()))
        .collect();
    elements.map(|elements| vector(dtype, elements))
}

/// The most axes of an array of NumPy's.
const MOST_AXES: usize = 64;

/// Whether nothing in a value, a list or a list of lists is a fraction, True or False. NumPy is not asked, since it makes
/// floats of a list with a seed over 2^63 and a negative one.
fn is_whole(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    is_whole_within(value, MOST_AXES)
}

fn is_whole_within(value: &Bound<'_, PyAny>, axes: usize) -> PyResult<bool> {
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        // A list may be an element of itself. NumPy refuses what is deeper.
        if axes == 0 {
            return Ok(true);
        }
        for item in value.try_iter()? {
            if !is_whole_within(&item?, axes - 1)? {
                return Ok(false);
            }
        }
        return Ok(true);
    }
    if value.is_instance_of::<PyBool>() || value.is_instance_of::<PyFloat>() {
        return Ok(false);
    }
    // An element of an array of NumPy's knows its kind: a float, a complex number or a flag.
    let kind = value.getattr("dtype").and_then(|dtype| dtype.getattr("kind"));
    Ok(kind
        .and_then(|kind| kind.extract::<String>())
        .map_or(true, |kind| !["f", "c", "b"].contains(&kind.as_str())))
}

fn exact(item: &Bound<'_, PyAny>) -> Option<i64> {
    item.is_exact_instance_of::<PyInt>()
        .then(|| item.extract().ok())
        .flatten()
}

/// A number of Python's as an element: the nearest float, or exactly that integer.
pub(crate) fn scalar(value: &Bound<'_, PyAny>, dtype: Dtype) -> Option<Scalar> {
    standard(|| nearest(value, dtype))
}

fn nearest(value: &Bound<'_, PyAny>, dtype: Dtype) -> Option<Scalar> {
    if let Ok(float) = value.cast::<PyFloat>() {
        let float = float.value();
        return match dtype {
            Dtype::F64 => Some(Scalar::new(dtype, float.to_bits())),
            #[expect(
                clippy::cast_possible_truncation,
                reason = "the nearest f32 is what is wanted"
            )]
            Dtype::F32 => Some(Scalar::new(dtype, (float as f32).to_bits().into())),
            Dtype::F16 | Dtype::Bf16 => Scalar::from_decimal(dtype, &float.to_string()),
            _ => Scalar::new(Dtype::F64, float.to_bits()).to_dtype(dtype),
        };
    }
    if let (false, Ok(number)) = (dtype.is_float(), value.extract::<i128>()) {
        return Scalar::from_i128(dtype, number);
    }
    if !dtype.is_float() {
        return None;
    }
    // True and False are numbers too, and their texts are not.
    if value.is_instance_of::<PyBool>() {
        return Scalar::from_decimal(dtype, if value.is_truthy().ok()? { "1" } else { "0" });
    }
    Scalar::from_decimal(dtype, value.str().ok()?.to_str().ok()?)
}
