//! What an adapter claims.

use pyo3::prelude::*;
use seedproof_ops::Support;
use seedproof_wire::Capabilities;

use crate::errors::invalid;
use crate::request::Request;

/// The capabilities of an adapter, as its hello message lists them in JSON.
#[pyclass(frozen, module = "seedproof")]
pub(crate) struct Claims(Capabilities);

#[pymethods]
impl Claims {
    #[new]
    fn new(py: Python<'_>, json: &str) -> PyResult<Self> {
        let list: Vec<_> =
            serde_json::from_str(json).map_err(|error| invalid(py, format!("no capabilities: {error}")))?;
        let capabilities = Capabilities::from_json(&list);
        capabilities
            .map(Self)
            .map_err(|error| invalid(py, format!("failed to {error}")))
    }

    /// None, or why a request is not claimed.
    fn __call__(&self, request: &Request) -> Option<String> {
        match self.0.support(&request.request) {
            Support::Supported => None,
            Support::Unsupported(reason) => Some(reason),
        }
    }
}
