//! Answers to requests, in new arrays or in a caller's.

use std::sync::LazyLock;

use pyo3::prelude::*;
use seedproof::judging::entropy;
use seedproof_check::SPEC;
use seedproof_cpu::{Cpu, Level};
use seedproof_ops::{Backend, Failure, Limits, Request, Response, did_you_mean};
use seedproof_readings::Engine;
use seedproof_reference::Reference;

use crate::arrays::Numpy;
use crate::errors::{failed, invalid};
use crate::long::{drawn, interruptible};
use crate::memory::Memory;

/// Bytes of an output from which other threads of Python may run meanwhile. Handing the interpreter over takes longer than
/// filling fewer.
const RELEASED: usize = 1 << 14;

/// Elements' work from which Ctrl-C is listened for: some milliseconds.
const LONG: u64 = 1 << 17;

/// The same at the speed of the machine.
const LONG_FILL: u64 = 1 << 24;

pub(crate) static CPU: LazyLock<Cpu> = LazyLock::new(|| Cpu::new(Level::best(), Limits::default(), entropy));
static REFERENCE: LazyLock<Reference> = LazyLock::new(|| Reference::new(Limits::default(), entropy));

/// The answer to a request under a reading, as an array or a tuple of arrays.
pub(crate) fn answer<'py>(
    py: Python<'py>,
    request: &Request,
    reading: &str,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    if reading == SPEC
        && let Some(filled) = fill(py, request, out)?
    {
        return Ok(filled);
    }
    let response = run(py, request, reading)?;
    let numpy = Numpy::get(py)?;
    let Some(out) = out else {
        return numpy.response(py, &response);
    };
    let output = &response.output;
    let mut memory = Memory::of(numpy, out, output.dtype(), output.shape())?;
    memory.bytes().copy_from_slice(output.bytes());
    numpy.with_more(out.clone(), &response.more)
}

/// The answer of `spec` in the memory of an array; `None` where the request asks for none that can be made.
fn fill<'py>(
    py: Python<'py>,
    request: &Request,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let form = request.output_form();
    let Some((dtype, dims)) = form else {
        return Ok(None);
    };
    let Ok(shape) = Limits::default().shape(dtype, &dims) else {
        return Ok(None);
    };
    let numpy = Numpy::get(py)?;
    let size = shape.count() * dtype.size();
    let failed = |failure: Failure| match failure {
        Failure::Unsupported(_) => Ok(None),
        failure => Err(failed(py, request.op(), &failure)),
    };
    let is_long = request.work() >= LONG_FILL;
    if out.is_none() && size < RELEASED && !is_long {
        let mut refused = None;
        let filled = numpy.filled(py, dtype, &shape, |bytes| match CPU.fill(request, bytes) {
            Ok(more) => Ok::<_, PyErr>(more),
            Err(failure) => {
                refused = Some(failure);
                Ok(Vec::new())
            }
        });
        let (array, more) = filled?;
        return match refused {
            Some(failure) => failed(failure),
            None => numpy.with_more(array, &more).map(Some),
        };
    }
    let array = match out {
        Some(out) => out.clone(),
        None => numpy.zeros(py, dtype, &shape)?,
    };
    let mut memory = Memory::of(numpy, &array, dtype, &shape)?;
    let bytes = memory.bytes();
    let filled = if is_long {
        drawn(py, || CPU.fill(request, bytes))?
    } else if size < RELEASED {
        CPU.fill(request, bytes)
    } else {
        py.detach(|| CPU.fill(request, bytes))
    };
    match filled {
        Ok(more) => numpy.with_more(array, &more).map(Some),
        Err(failure) => failed(failure),
    }
}

/// The answer under a reading, as tensors. `spec` is the oracle here.
pub(crate) fn run(py: Python<'_>, request: &Request, reading: &str) -> PyResult<Response> {
    let answer = if reading == SPEC {
        let asked = request.clone();
        long(py, request, move || REFERENCE.run(&asked))?
    } else {
        let engine = engine(py, reading)?;
        let asked = request.clone();
        long(py, request, move || engine.run(&asked))?
    };
    answer.map_err(|failure| failed(py, request.op(), &failure))
}

fn long<T: Send + 'static>(
    py: Python<'_>,
    request: &Request,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    if request.work() < LONG {
        return Ok(work());
    }
    interruptible(py, work)
}

/// A reading as a backend.
pub(crate) fn engine(py: Python<'_>, reading: &str) -> PyResult<Engine> {
    let found = seedproof_readings::find(reading);
    let found = found.ok_or_else(|| unknown_reading(py, reading))?;
    Ok(Engine::new(found, Limits::default(), entropy))
}

/// The exception about a name that no reading has.
pub(crate) fn unknown_reading(py: Python<'_>, name: &str) -> PyErr {
    let readings = seedproof_readings::named();
    let names: Vec<&str> = readings.iter().map(|reading| reading.name.as_ref()).collect();
    let nearest = did_you_mean(name, names.iter().copied());
    invalid(
        py,
        format!(
            "there is no reading `{name}`{nearest}; there are {}",
            names.join(", ")
        ),
    )
}
