//! NumPy's arrays and element types, as tensors and back. NumPy is spoken to as a Python module.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyString, PyTuple, PyType};
use seedproof_ops::{Dtype, Response, Shape, Tensor};

use crate::errors::invalid;

/// NumPy's name of each element type.
const NAMES: [(Dtype, &str); 12] = [
    (Dtype::U8, "uint8"),
    (Dtype::U16, "uint16"),
    (Dtype::U32, "uint32"),
    (Dtype::U64, "uint64"),
    (Dtype::I8, "int8"),
    (Dtype::I16, "int16"),
    (Dtype::I32, "int32"),
    (Dtype::I64, "int64"),
    (Dtype::F16, "float16"),
    (Dtype::Bf16, "bfloat16"),
    (Dtype::F32, "float32"),
    (Dtype::F64, "float64"),
];

/// An element type as NumPy has it: the instance of `numpy.dtype`, and the class of its scalars.
struct Known {
    dtype: Dtype,
    instance: Py<PyAny>,
    class: Py<PyAny>,
}

/// NumPy's objects.
pub(crate) struct Numpy {
    ndarray: Py<PyType>,
    generic: Py<PyType>,
    dtype: Py<PyType>,
    known: Vec<Known>,
    module: Py<PyModule>,
}

static NUMPY: PyOnceLock<Numpy> = PyOnceLock::new();

impl Numpy {
    pub(crate) fn get(py: Python<'_>) -> PyResult<&'static Self> {
        NUMPY.get_or_try_init(py, || Self::new(py))
    }

    fn new(py: Python<'_>) -> PyResult<Self> {
        let module = py.import("numpy")?;
        let class = |name: &str| Ok::<_, PyErr>(module.getattr(name)?.cast_into::<PyType>()?.unbind());
        let mut known = Vec::new();
        for (dtype, name) in NAMES {
            let class = match dtype {
                // NumPy alone has no bfloat16: without ml_dtypes its bits are in uint16.
                Dtype::Bf16 => match py.import("ml_dtypes") {
                    Ok(extension) => extension.getattr(name)?,
                    Err(_) => module.getattr("uint16")?,
                },
                _ => module.getattr(name)?,
            };
            known.push(Known {
                dtype,
                instance: module.getattr("dtype")?.call1((&class,))?.unbind(),
                class: class.unbind(),
            });
        }
        Ok(Self {
            ndarray: class("ndarray")?,
            generic: class("generic")?,
            dtype: class("dtype")?,
            known,
            module: module.unbind(),
        })
    }

    /// `numpy.dtype` of an element type.
    pub(crate) fn instance(&self, dtype: Dtype) -> &Py<PyAny> {
        let known = self.known.iter().find(|known| known.dtype == dtype);
        &known.expect("every element type is known").instance
    }

    /// The element type that a user names: NumPy's instance or class, a name, ours or NumPy's, or a text that NumPy takes
    /// for a type (`f4`, `<f4`). `i8` and `u8` are ours, of 8 bits, where NumPy counts bytes. `None` if it is not one of ours.
    pub(crate) fn dtype(&self, value: &Bound<'_, PyAny>) -> PyResult<Option<Dtype>> {
        let py = value.py();
        let is = |known: &&Known| value.is(&known.class) || value.is(&known.instance);
        if value.is_none() {
            // NumPy takes it for float64.
            return Ok(None);
        }
        if let Some(known) = self.known.iter().find(is) {
            return Ok(Some(known.dtype));
        }
        if let Ok(name) = value.cast::<PyString>() {
            let name = name.to_str()?;
            let theirs = NAMES.iter().find(|(_, theirs)| *theirs == name);
            let known = name.parse().ok().or(theirs.map(|(dtype, _)| *dtype));
            if known.is_some() {
                return Ok(known);
            }
        }
        let Ok(dtype) = self.dtype.bind(py).call1((value,)) else {
            return Ok(None);
        };
        let name = dtype.getattr("name")?;
        let name = name.cast::<PyString>()?.to_str()?;
        Ok(NAMES
            .iter()
            .find(|(_, theirs)| *theirs == name)
            .map(|(dtype, _)| *dtype))
    }

    /// Whether a value is an array of NumPy's, and no scalar.
    pub(crate) fn is_array(&self, value: &Bound<'_, PyAny>) -> PyResult<bool> {
        value.is_instance(self.ndarray.bind(value.py()))
    }

    /// Whether an array is of NumPy's own class and none derived from it.
    pub(crate) fn is_plain(&self, array: &Bound<'_, PyAny>) -> bool {
        array.get_type().is(self.ndarray.bind(array.py()))
    }

    /// Whether a value is a scalar of NumPy's.
    pub(crate) fn is_scalar(&self, value: &Bound<'_, PyAny>) -> PyResult<bool> {
        value.is_instance(self.generic.bind(value.py()))
    }

    /// `numpy.asarray` of lists and of whatever has the array interface.
    pub(crate) fn array<'py>(
        &self,
        value: &Bound<'py, PyAny>,
        dtype: Option<Dtype>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = value.py();
        let options = PyDict::new(py);
        if let Some(dtype) = dtype {
            options.set_item("dtype", self.instance(dtype))?;
        }
        self.module
            .bind(py)
            .call_method("asarray", (value,), Some(&options))
    }

    /// The tensor of an array of any layout and byte order. `hint` is the type that 16 bits without a type are meant to be.
    pub(crate) fn tensor(&self, array: &Bound<'_, PyAny>, hint: Option<Dtype>) -> PyResult<Tensor> {
        let py = array.py();
        let dtype = array.getattr("dtype")?;
        let Some(found) = self.dtype(&dtype)? else {
            return Err(invalid(
                py,
                format!("an array of {dtype} has elements that no op here has"),
            ));
        };
        let found = match (found, hint) {
            (Dtype::U16, Some(Dtype::Bf16)) => Dtype::Bf16,
            _ => found,
        };
        let mut array = array.clone();
        if dtype.getattr("byteorder")?.eq(">")? {
            array = array.call_method1("astype", (dtype.call_method1("newbyteorder", ("<",))?,))?;
        }
        let dims: Vec<u64> = array.getattr("shape")?.extract()?;
        let bytes = array.call_method0("tobytes")?;
        let bytes = bytes.cast::<PyBytes>()?.as_bytes().to_vec();
        let shape = Shape::new(&dims).map_err(|error| invalid(py, format!("failed to {error}")))?;
        Tensor::new(found, shape, bytes).map_err(|error| invalid(py, format!("failed to {error}")))
    }

    /// The array of a form whose elements are these bytes.
    fn around<'py>(
        &self,
        py: Python<'py>,
        dtype: Dtype,
        dims: &[usize],
        bytes: Bound<'py, PyByteArray>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let shape = PyTuple::new(py, dims)?;
        self.ndarray.bind(py).call1((shape, self.instance(dtype), bytes))
    }

    /// The array of a tensor.
    pub(crate) fn tensor_array<'py>(&self, py: Python<'py>, tensor: &Tensor) -> PyResult<Bound<'py, PyAny>> {
        let bytes = PyByteArray::new(py, tensor.bytes());
        self.around(py, tensor.dtype(), tensor.shape().dims(), bytes)
    }

    /// A new array whose bytes `fill` writes; they are zero before it.
    pub(crate) fn filled<'py, E: Into<PyErr>, T>(
        &self,
        py: Python<'py>,
        dtype: Dtype,
        shape: &Shape,
        fill: impl FnOnce(&mut [u8]) -> Result<T, E>,
    ) -> PyResult<(Bound<'py, PyAny>, T)> {
        let mut made = None;
        let bytes = PyByteArray::new_with(py, shape.count() * dtype.size(), |bytes| {
            made = Some(fill(bytes).map_err(Into::into)?);
            Ok(())
        })?;
        let made = made.expect("the bytes were filled");
        Ok((self.around(py, dtype, shape.dims(), bytes)?, made))
    }

    /// A large array of zeros, whose memory the system hands over when it is written.
    pub(crate) fn zeros<'py>(
        &self,
        py: Python<'py>,
        dtype: Dtype,
        shape: &Shape,
    ) -> PyResult<Bound<'py, PyAny>> {
        let dims = PyTuple::new(py, shape.dims())?;
        self.module
            .bind(py)
            .call_method1("zeros", (dims, self.instance(dtype)))
    }

    /// The arrays of an answer: one, or a tuple of them.
    pub(crate) fn response<'py>(&self, py: Python<'py>, response: &Response) -> PyResult<Bound<'py, PyAny>> {
        let output = self.tensor_array(py, &response.output)?;
        self.with_more(output, &response.more)
    }

    /// The first output, or a tuple of it and the others.
    pub(crate) fn with_more<'py>(
        &self,
        output: Bound<'py, PyAny>,
        more: &[Tensor],
    ) -> PyResult<Bound<'py, PyAny>> {
        if more.is_empty() {
            return Ok(output);
        }
        let py = output.py();
        let mut all = vec![output];
        for tensor in more {
            all.push(self.tensor_array(py, tensor)?);
        }
        Ok(PyTuple::new(py, all)?.into_any())
    }
}
