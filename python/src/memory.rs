//! The memory of NumPy's arrays that a caller gives to be filled, through the crate `numpy`, which serves NumPy 1 and 2 alike.

use numpy::{PyArray1, PyArrayMethods as _, PyReadwriteArray1};
use pyo3::prelude::*;
use seedproof_ops::{Dtype, Shape};

use crate::arrays::Numpy;
use crate::errors::invalid;

/// The memory of an array, which no other code that asks for it so may use while this lives.
pub(crate) struct Memory<'py>(PyReadwriteArray1<'py, u8>);

impl<'py> Memory<'py> {
    /// The memory of the array `out`.
    ///
    /// # Errors
    /// `InvalidArgument` unless it is an array of that form, writable, contiguous and aligned, that no other call fills.
    pub(crate) fn of(numpy: &Numpy, out: &Bound<'py, PyAny>, dtype: Dtype, shape: &Shape) -> PyResult<Self> {
        let py = out.py();
        let wrong = |what: &str| {
            let dims = shape.dims();
            let form = numpy.instance(dtype);
            Err(invalid(
                py,
                format!(
                    "out {what}: it must be a C-contiguous array that can be written, such as numpy.empty({dims:?}, {form})"
                ),
            ))
        };
        if !numpy.is_array(out)? {
            return wrong("is not a NumPy array");
        }
        // A subclass may answer as it likes; the array that it is does not.
        let array = numpy.array(out, None)?;
        if !numpy.is_plain(&array) {
            return wrong("is not a plain NumPy array");
        }
        let flags = array.getattr("flags")?;
        let has = |name: &str| flags.getattr(name)?.extract::<bool>();
        if !array.getattr("dtype")?.eq(numpy.instance(dtype))? {
            return wrong("has another element type");
        }
        let dims: Vec<usize> = array.getattr("shape")?.extract()?;
        if dims != shape.dims() {
            return wrong(&format!("has the shape {dims:?}"));
        }
        if !has("c_contiguous")? {
            return wrong("is not contiguous");
        }
        if !has("writeable")? {
            return wrong("is read-only");
        }
        if !has("aligned")? {
            return wrong("is not aligned");
        }
        let bytes = array
            .call_method1("reshape", (-1,))?
            .call_method1("view", (numpy::dtype::<u8>(py),))?
            .cast_into::<PyArray1<u8>>()?;
        let bytes = bytes.try_readwrite();
        bytes
            .map(Self)
            .map_err(|_| invalid(py, "out is being filled by another call"))
    }
    /// The bytes.
    pub(crate) fn bytes(&mut self) -> &mut [u8] {
        self.0
            .as_slice_mut()
            .expect("the bytes of a contiguous array are contiguous")
    }
}
