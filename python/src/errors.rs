//! The package's exceptions, which `seedproof.errors` defines.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyTuple;
use seedproof_ops::{Failure, Named as _, OpName};

static ERRORS: PyOnceLock<Py<PyModule>> = PyOnceLock::new();

/// An exception of the package, by its name and arguments.
pub(crate) fn exception<'py>(
    py: Python<'py>,
    name: &str,
    arguments: impl IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error: Into<PyErr>>,
) -> PyErr {
    let made = || {
        let module =
            ERRORS.get_or_try_init(py, || Ok::<_, PyErr>(py.import("seedproof.errors")?.unbind()))?;
        let arguments = arguments.into_pyobject(py).map_err(Into::into)?;
        module.bind(py).getattr(name)?.call1(arguments)
    };
    made().map_or_else(|error| error, PyErr::from_value)
}

/// The exception about an argument that a function does not take.
pub(crate) fn invalid(py: Python<'_>, message: impl Into<String>) -> PyErr {
    exception(py, "InvalidArgument", (message.into(),))
}

/// The exception about a request that has no value.
pub(crate) fn failed(py: Python<'_>, op: OpName, failure: &Failure) -> PyErr {
    match failure {
        Failure::Rejected(error) => exception(
            py,
            "Rejected",
            (
                error.kind.map(seedproof_ops::ErrorKind::name),
                error.message.clone(),
                op.name(),
            ),
        ),
        Failure::Unsupported(reason) => exception(py, "Unsupported", (reason.clone(),)),
        Failure::Broken(fault) => exception(py, "SeedproofError", (fault.message.clone(),)),
    }
}
