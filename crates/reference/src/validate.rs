//! Checks that the ops share: of attributes, element types and forms.

use seedproof_ops::{Attribute, Dtype, Element, ErrorKind, Failure, Named, OpError, Scalar, Tensor};

pub(crate) fn refuse<T>(kind: ErrorKind, message: impl Into<String>) -> Result<T, OpError> {
    Err(OpError::new(kind, message))
}

/// An attribute's value, if it is one of those allowed.
pub(crate) fn attribute<T: Named>(name: &str, value: &Attribute<T>, allowed: &[T]) -> Result<T, OpError> {
    match value.known() {
        Some(known) if allowed.contains(&known) => Ok(known),
        _ => {
            let names: Vec<&str> = allowed.iter().map(|value| value.name()).collect();
            let one_of = names.join(", ");
            let message = format!("accept {name} `{value}`: expected one of {one_of}");
            refuse(ErrorKind::Attribute, message)
        }
    }
}

/// An input has one of the allowed element types.
pub(crate) fn dtype(name: &str, tensor: &Tensor, allowed: &[Dtype]) -> Result<(), OpError> {
    if allowed.contains(&tensor.dtype()) {
        return Ok(());
    }
    let names: Vec<&str> = allowed.iter().map(|dtype| dtype.name()).collect();
    let message = format!(
        "accept {name} of {}: expected {}",
        tensor.dtype(),
        names.join(" or ")
    );
    refuse(ErrorKind::Dtype, message)
}

/// The value of an input that has one element type and the shape `[]`.
pub(crate) fn scalar<T: Element>(name: &str, tensor: &Tensor) -> Result<T, OpError> {
    dtype(name, tensor, &[T::DTYPE])?;
    let first = tensor.elements().ok().and_then(|mut elements| elements.next());
    match first {
        Some(value) if tensor.shape().rank() == 0 => Ok(value),
        _ => shape(name, tensor, "[]"),
    }
}

/// An input is a scalar, or has one dimension with one element.
pub(crate) fn single(name: &str, tensor: &Tensor) -> Result<(), OpError> {
    match tensor.shape().dims() {
        [] | [1] => Ok(()),
        _ => shape(name, tensor, "[] or [1]"),
    }
}

/// The refusal of an input's shape.
pub(crate) fn shape<T>(name: &str, tensor: &Tensor, expected: &str) -> Result<T, OpError> {
    let message = format!("accept {name} of shape {}: expected {expected}", tensor.shape());
    refuse(ErrorKind::Shape, message)
}

/// The elements of an i32 or i64 tensor, widened.
pub(crate) fn integers(tensor: &Tensor) -> Vec<i64> {
    tensor.scalars().map(Scalar::to_i64).collect()
}

/// Only the first execution of an op instance is specified: erratum `ru8.state.executions`.
pub(crate) fn first_execution(execution: u32) -> Result<(), Failure> {
    if execution == 0 {
        Ok(())
    } else {
        Err(Failure::Unsupported(format!(
            "execution {execution} of one op instance: the document specifies the first only"
        )))
    }
}
