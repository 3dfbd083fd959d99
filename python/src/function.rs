//! A function of Python's as a backend.

use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use seedproof_ops::{
    Backend, BackendId, Failure, Fault, FaultKind, OpError, Request as OpRequest, Response, Support,
};

use crate::arrays::Numpy;
use crate::request::Request;

/// A function of Python's as an implementation. `claims` takes a request and returns None, or why it is not claimed.
/// `answer` returns a tuple: `("value", arrays)`, `("rejected", kind, reason)`, `("unsupported", reason)` or `("broken",
/// kind, message)`, or `("raised", exception)`, which is not for the judge to report.
pub(crate) struct Function {
    id: BackendId,
    claims: Py<PyAny>,
    answer: Py<PyAny>,
    /// What is not for the judge to report, such as Ctrl-C.
    raised: Mutex<Option<PyErr>>,
}

impl Function {
    pub(crate) fn new(name: &str, claims: Py<PyAny>, answer: Py<PyAny>) -> Self {
        Self {
            id: BackendId::new(name),
            claims,
            answer,
            raised: Mutex::default(),
        }
    }

    /// What the last call raised that is not for the judge to report; afterwards nothing.
    pub(crate) fn take_raised(&self) -> Option<PyErr> {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn raise(&self, py: Python<'_>, error: PyErr) -> Fault {
        let message = error.to_string();
        if !error.is_instance_of::<PyException>(py) {
            *self.raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        }
        fault(FaultKind::Infrastructure, message)
    }

    fn asked(&self, py: Python<'_>, request: &OpRequest) -> PyResult<Result<Response, Failure>> {
        let object = Request {
            request: request.clone(),
        };
        let answer = self.answer.bind(py).call1((object,))?;
        let answer = answer.cast_into::<PyTuple>()?;
        let text = |index: usize| answer.get_item(index)?.extract::<String>();
        Ok(match text(0)?.as_str() {
            "value" => value(&answer.get_item(1)?, request)?,
            "rejected" => Err(Failure::Rejected(OpError {
                kind: kind(answer.get_item(1)?.extract::<Option<String>>()?.as_deref()),
                message: text(2)?,
            })),
            "unsupported" => Err(Failure::Unsupported(text(1)?)),
            "raised" => {
                let error = PyErr::from_value(answer.get_item(1)?);
                let message = error.to_string();
                *self.raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                Err(Failure::Broken(fault(FaultKind::Infrastructure, message)))
            }
            _ => Err(Failure::Broken(fault(
                match text(1)?.as_str() {
                    "timeout" => FaultKind::Timeout,
                    "protocol" => FaultKind::Protocol,
                    "not-run" => FaultKind::NotRun,
                    _ => FaultKind::Error,
                },
                text(2)?,
            ))),
        })
    }
}

fn fault(kind: FaultKind, message: String) -> Fault {
    Fault { kind, message }
}

fn kind(name: Option<&str>) -> Option<seedproof_ops::ErrorKind> {
    use seedproof_ops::Named as _;
    let name = name?;
    seedproof_ops::ErrorKind::ALL
        .iter()
        .find(|kind| kind.name() == name)
        .copied()
}

fn value(arrays: &Bound<'_, PyAny>, request: &OpRequest) -> PyResult<Result<Response, Failure>> {
    let numpy = Numpy::get(arrays.py())?;
    let forms = request.output_forms().unwrap_or_default();
    let mut tensors = Vec::new();
    for (index, array) in arrays.try_iter()?.enumerate() {
        let hint = forms.get(index).map(|(dtype, _)| *dtype);
        match numpy.tensor(&array?, hint) {
            Ok(tensor) => tensors.push(tensor),
            Err(error) => {
                return Ok(Err(Failure::Broken(fault(
                    FaultKind::Protocol,
                    error.to_string(),
                ))));
            }
        }
    }
    let expected = request.outputs().len();
    if tensors.len() != expected && !forms.is_empty() {
        let message = format!(
            "the answer has {} outputs, the request asks for {expected}",
            tensors.len()
        );
        return Ok(Err(Failure::Broken(fault(FaultKind::Protocol, message))));
    }
    let mut tensors = tensors.into_iter();
    Ok(match tensors.next() {
        Some(output) => Ok(Response {
            output,
            more: tensors.collect(),
        }),
        None => Err(Failure::Broken(fault(
            FaultKind::Protocol,
            "the answer is empty".to_owned(),
        ))),
    })
}

impl Backend for Function {
    fn id(&self) -> &BackendId {
        &self.id
    }

    fn supports(&self, request: &OpRequest) -> Support {
        Python::attach(|py| {
            let object = Request {
                request: request.clone(),
            };
            let reason = self.claims.bind(py).call1((object,));
            match reason.and_then(|it| it.extract::<Option<String>>()) {
                Ok(None) => Support::Supported,
                Ok(Some(reason)) => Support::Unsupported(reason),
                Err(error) => Support::Unsupported(self.raise(py, error).message),
            }
        })
    }

    fn run(&self, request: &OpRequest) -> Result<Response, Failure> {
        Python::attach(|py| {
            let asked = self.asked(py, request);
            asked.unwrap_or_else(|error| Err(Failure::Broken(self.raise(py, error))))
        })
    }
}
