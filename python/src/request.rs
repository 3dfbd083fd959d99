//! Requests as Python sees them.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use seedproof::judging::ad_hoc;
use seedproof_ops::{AttributeValue, Kind, did_you_mean};
use seedproof_report::CaseFacts;

use crate::answer::answer;
use crate::arrays::Numpy;
use crate::errors::invalid;
use crate::values;

/// One execution of one op. Its attributes and inputs are attributes of the object too, by the names of the op's document.
#[pyclass(frozen, module = "seedproof")]
pub(crate) struct Request {
    pub(crate) request: seedproof_ops::Request,
}

/// The request of an op with these attributes and inputs, by the names of the op's document.
///
/// Args:
///     op: The op by its full name, one of `sp.OPS`.
///     execution: Which successive execution of one op instance it is, from 0.
///     fields: Attributes and inputs; what is left out has its default.
///
/// Returns:
///     A `Request`.
///
/// Raises:
///     InvalidArgument: The op has no such field, lacks a required one, or a value does not have its type.
///
/// Example:
///     >>> import seedproof as sp
///     >>> request = sp.request("stablehlo.rng_bit_generator", rng_algorithm="PHILOX", output_type="u32", output_sizes=[2], initial_state=[1, 2])
///     >>> [each.shape for each in request.run()]
///     [(2,), (2,)]
#[pyfunction]
#[pyo3(signature = (op, /, *, execution = 0, **fields))]
pub(crate) fn request<'py>(
    py: Python<'py>,
    op: &str,
    execution: u32,
    fields: Option<&Bound<'py, PyDict>>,
) -> PyResult<Request> {
    let op = values::op(py, op)?;
    let none = PyDict::new(py);
    let fields = fields.unwrap_or(&none);
    for name in fields.keys() {
        let name: String = name.extract()?;
        let mut names = op.description().names();
        if !names.any(|other| other == name) {
            let nearest = did_you_mean(&name, op.description().names());
            return Err(invalid(py, format!("{op} has no `{name}`{nearest}")));
        }
    }
    let request = values::build(
        py,
        op,
        &mut |info| fields.get_item(info.name),
        &mut |info| fields.get_item(info.name),
        execution,
    )?;
    Ok(Request { request })
}

/// A value of an attribute as Python has it.
fn attribute<'py>(py: Python<'py>, value: AttributeValue) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        AttributeValue::Text(text) => text.into_pyobject(py)?.into_any(),
        AttributeValue::Seed(seed) => seed.into_pyobject(py)?.into_any(),
        AttributeValue::Boolean(boolean) => boolean.into_pyobject(py)?.to_owned().into_any(),
        AttributeValue::Extents(extents) => PyTuple::new(py, extents)?.into_any(),
        AttributeValue::Number(number) => number.into_pyobject(py)?.into_any(),
    })
}

#[pymethods]
impl Request {
    /// The name of the op: `openvino.RandomUniform-8`.
    #[getter]
    fn op(&self) -> &'static str {
        self.request.description().name
    }

    /// Which successive execution of one op instance it is, from 0.
    #[getter]
    fn execution(&self) -> u32 {
        self.request.execution()
    }

    /// The attributes: texts, numbers, truth values and tuples of extents.
    #[getter]
    fn attributes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for (info, value) in self.request.attributes() {
            all.set_item(info.name, attribute(py, value)?)?;
        }
        Ok(all)
    }

    /// The inputs, as arrays.
    #[getter]
    fn inputs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for (info, tensor) in self.request.inputs() {
            all.set_item(info.name, Numpy::get(py)?.tensor_array(py, tensor)?)?;
        }
        Ok(all)
    }

    /// The names of the outputs that it asks for.
    #[getter]
    fn outputs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.request.outputs().iter().map(|output| output.name))
    }

    /// NumPy's element type of the first output; None where the request asks for none that there is.
    #[getter]
    fn dtype<'py>(&self, py: Python<'py>) -> PyResult<Option<&'static Py<PyAny>>> {
        let form = self.request.output_form();
        form.map(|(dtype, _)| Ok(Numpy::get(py)?.instance(dtype)))
            .transpose()
    }

    /// The extents of the first output; None where the request asks for none that there are.
    #[getter]
    fn output_shape<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let form = self.request.output_form();
        form.map(|(_, dims)| PyTuple::new(py, dims)).transpose()
    }

    /// The element type that a case of it is filed under, by our name: `bf16`.
    #[getter]
    fn filed_type(&self) -> String {
        self.request.filed_type()
    }

    /// The answer under a reading: an array, or a tuple of arrays where the request asks for several.
    #[pyo3(signature = (reading = "spec", out = None))]
    fn run<'py>(
        &self,
        py: Python<'py>,
        reading: &str,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        answer(py, &self.request, reading, out.as_ref())
    }

    fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let description = self.request.description();
        if let Some(value) = self.request.attribute(name) {
            return attribute(py, value);
        }
        if let Some(tensor) = self.request.input(name) {
            return Numpy::get(py)?.tensor_array(py, tensor);
        }
        if description.names().any(|other| other == name) {
            return Ok(py.None().into_bound(py));
        }
        let nearest = did_you_mean(name, description.names());
        Err(PyAttributeError::new_err(format!(
            "a request of {} has no `{name}`{nearest}",
            description.name
        )))
    }

    fn __dir__(&self) -> Vec<&'static str> {
        let own = [
            "attributes",
            "dtype",
            "execution",
            "inputs",
            "op",
            "output_shape",
            "outputs",
            "run",
        ];
        self.request.description().names().chain(own).collect()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<Self>()
            .is_ok_and(|other| other.get().request == self.request)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.request.hash(&mut hasher);
        hasher.finish()
    }

    /// The request in one line.
    fn __str__(&self) -> String {
        CaseFacts::of(&ad_hoc(self.request.clone())).line()
    }

    fn __repr__(&self) -> String {
        format!("<Request {}>", self.__str__())
    }

    /// The attributes other than seeds and element types, and the inputs, in words.
    #[getter]
    fn details(&self) -> Vec<(String, String)> {
        let facts = CaseFacts::of(&ad_hoc(self.request.clone()));
        facts
            .inputs
            .into_iter()
            .map(|input| (input.name.into_owned(), input.text))
            .collect()
    }

    /// Whether two seeds of it are both zero, so that nothing determines the output.
    #[getter]
    fn seedless(&self) -> bool {
        let attributes = self.request.attributes();
        let mut seeds = attributes
            .iter()
            .filter(|(info, _)| info.kind == Kind::Seed)
            .peekable();
        seeds.peek().is_some() && seeds.all(|(_, value)| *value == AttributeValue::Seed(0))
    }
}
