//! The functions of Python that draw.

use std::time::Instant;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use seedproof_ops::{Backend as _, Failure, Limits};

use crate::answer::{CPU, answer};
use crate::arrays::Numpy;
use crate::errors::{failed, invalid};
use crate::memory::Memory;
use crate::request::Request;
use crate::values;

/// The answer to the request of an op with these attributes and inputs, in the order of the op's description.
#[pyfunction]
pub(crate) fn draw<'py>(
    py: Python<'py>,
    op: &str,
    attributes: &Bound<'py, PyTuple>,
    inputs: &Bound<'py, PyTuple>,
    execution: u32,
    reading: &str,
    out: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let op = values::op(py, op)?;
    let (mut attributes, mut inputs) = (attributes.iter(), inputs.iter());
    let request = values::build(
        py,
        op,
        &mut |_| Ok(attributes.next()),
        &mut |_| Ok(inputs.next()),
        execution,
    )?;
    answer(py, &request, reading, out.as_ref())
}

/// The seconds that filling an array takes without Python, each time: what the measurements compare with.
#[pyfunction]
pub(crate) fn fill_seconds(
    py: Python<'_>,
    request: &Request,
    out: &Bound<'_, PyAny>,
    times: usize,
) -> PyResult<Vec<f64>> {
    let request = &request.request;
    let shape = request
        .output_form()
        .and_then(|(dtype, dims)| Some((dtype, Limits::default().shape(dtype, &dims).ok()?)));
    let (dtype, shape) =
        shape.ok_or_else(|| invalid(py, "the request asks for no output that can be made"))?;
    let mut memory = Memory::of(Numpy::get(py)?, out, dtype, &shape)?;
    let bytes = memory.bytes();
    let timed = py.detach(|| {
        let once = |_| {
            let began = Instant::now();
            CPU.fill(request, bytes).map(|_| began.elapsed().as_secs_f64())
        };
        (0..times).map(once).collect::<Result<Vec<f64>, Failure>>()
    });
    timed.map_err(|failure| failed(py, request.op(), &failure))
}
