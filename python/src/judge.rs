//! The judge, for functions of Python.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use seedproof::judging::{Bank, applies, diagnose, elements, failure_text, judge_case};
use seedproof_check::{Cause, Diagnosis, Exchange, Judgement, Mismatch};
use seedproof_ops::{
    Backend, BackendId, Failure, Fault, FaultKind, Limits, NanRule, OpError, Request as OpRequest, Response,
    Scalar, Support, Tensor,
};
use seedproof_report::Palette;

use crate::arrays::Numpy;
use crate::case::Case;
use crate::draw::unknown_reading;
use crate::long::interruptible;
use crate::request::Request;

/// Right outputs of at most this many elements are kept for a diagnosis, as the program does.
const MAX_KEPT_ELEMENTS: u64 = 4096;

/// A function of Python's as an implementation. `claims` takes a request and returns None, or why it is not claimed.
/// `answer` returns a tuple: `("value", arrays)`, `("rejected", kind, reason)`, `("unsupported", reason)` or `("broken",
/// kind, message)`.
pub(crate) struct Function {
    id: BackendId,
    claims: Py<PyAny>,
    answer: Py<PyAny>,
    /// What is not for the judge to report, such as Ctrl-C.
    raised: Mutex<Option<PyErr>>,
}

impl Function {
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
                Ok(None) => Support::Yes,
                Ok(Some(reason)) => Support::No(reason),
                Err(error) => Support::No(self.raise(py, error).message),
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

/// A judge of one function: cases go in, findings come out.
#[pyclass(frozen, module = "seedproof")]
pub(crate) struct Session {
    pub(crate) function: Function,
    pub(crate) bank: Arc<Bank>,
    pub(crate) reading: String,
}

#[pymethods]
impl Session {
    #[new]
    #[pyo3(signature = (name, answer, claims, reading = "spec", strict_nan = false))]
    fn new(
        py: Python<'_>,
        name: &str,
        answer: Py<PyAny>,
        claims: Py<PyAny>,
        reading: &str,
        strict_nan: bool,
    ) -> PyResult<Self> {
        seedproof::judging::quiet_panics();
        let nan = if strict_nan { NanRule::Bits } else { NanRule::Class };
        let bank = py.detach(|| Bank::new(Limits::default()).with_nan(nan));
        if bank.reading(reading).is_none() {
            return Err(unknown_reading(py, reading));
        }
        Ok(Self {
            function: Function {
                id: BackendId::new(name),
                claims,
                answer,
                raised: Mutex::default(),
            },
            bank: Arc::new(bank),
            reading: reading.to_owned(),
        })
    }

    /// Whether a case says anything about the reading.
    fn applies(&self, case: &Case) -> bool {
        applies(case.case, &self.bank, &self.reading)
    }

    /// The finding of one case; None if the case says nothing about the reading.
    fn judge(&self, py: Python<'_>, case: &Case) -> PyResult<Option<Finding>> {
        py.check_signals()?;
        let judged = py.detach(|| judge_case(case.case, &self.function, &self.bank, Some(&self.reading)));
        let raised = self
            .function
            .raised
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(error) = raised {
            return Err(error);
        }
        Ok(judged.ok().map(|mut judgement| {
            let large = elements(&case.case.request) > MAX_KEPT_ELEMENTS;
            judgement
                .exchange
                .take_if(|it| large && matches!(it, Exchange::Passed(_)));
            Finding {
                case: case.case,
                judgement: Arc::new(judgement),
                bank: Arc::clone(&self.bank),
                reading: self.reading.clone(),
            }
        }))
    }
}

/// The text of each of these findings, after a diagnosis of them all.
#[pyfunction]
pub(crate) fn texts(py: Python<'_>, findings: Vec<Py<Finding>>) -> PyResult<String> {
    together(py, findings.iter().map(Py::get))
}

fn together<'a>(py: Python<'_>, findings: impl Iterator<Item = &'a Finding>) -> PyResult<String> {
    let findings: Vec<&Finding> = findings.collect();
    let Some(first) = findings.first() else {
        return Ok(String::new());
    };
    let (bank, reading) = (Arc::clone(&first.bank), first.reading.clone());
    let judged: Vec<_> = findings
        .iter()
        .map(|it| (it.case, Judgement::clone(&it.judgement)))
        .collect();
    interruptible(py, move || {
        failure_text("", &reading, &judged, &bank, Palette::plain())
    })
}

/// The judgement of one case.
#[pyclass(frozen, module = "seedproof")]
pub(crate) struct Finding {
    pub(crate) case: &'static seedproof::Case,
    pub(crate) judgement: Arc<Judgement>,
    bank: Arc<Bank>,
    reading: String,
}

fn array<'py>(py: Python<'py>, scalar: Scalar) -> PyResult<Bound<'py, PyAny>> {
    let array = Numpy::get(py)?.tensor_array(py, &Tensor::from_scalar(scalar))?;
    array.get_item(PyTuple::empty(py))
}

fn cause<'py>(py: Python<'py>, cause: &Cause) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    let Cause {
        name,
        sentence,
        fix,
        clause,
        erratum,
        ..
    } = cause;
    for (key, text) in [
        ("name", name),
        ("sentence", sentence),
        ("fix", fix),
        ("clause", clause),
        ("erratum", erratum),
    ] {
        all.set_item(key, text)?;
    }
    Ok(all)
}

impl Finding {
    fn diagnosis(&self, py: Python<'_>) -> PyResult<Diagnosis> {
        let (judgement, bank) = (Judgement::clone(&self.judgement), Arc::clone(&self.bank));
        interruptible(py, move || diagnose([&judgement], &bank))
    }

    /// The name of the first cause.
    pub(crate) fn cause(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let first = self.diagnosis(py)?.explanations.into_iter().next();
        Ok(first.map(|explanation| explanation.cause.name))
    }
}

#[pymethods]
impl Finding {
    /// The case.
    #[getter]
    fn case(&self) -> Case {
        Case { case: self.case }
    }

    /// The outcome in a word: `pass`, `fail`, `rejects`, `other-reading`, `error`, `timeout`, ….
    #[getter]
    fn outcome(&self) -> &'static str {
        self.judgement.finding.outcome.word()
    }

    /// Whether the answer is the expected one, or the request is not claimed.
    #[getter]
    fn conforms(&self) -> bool {
        self.judgement.finding.outcome.conforms()
    }

    /// The reason in one line.
    #[getter]
    fn message(&self) -> &str {
        &self.judgement.finding.message
    }

    /// The readings that answer as the function did, where it is not `spec` that does.
    #[getter]
    fn readings(&self) -> Vec<String> {
        self.judgement.finding.readings.clone()
    }

    /// The first element that differs: `index`, `coordinates`, `expected`, `actual` and `ulps` (None for a NaN); and how
    /// many differ (`differing`, `total`). None where no elements are compared.
    #[getter]
    fn difference<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(Mismatch::Elements(comparison)) = &self.judgement.finding.mismatch else {
            return Ok(None);
        };
        let first = &comparison.first;
        let all = PyDict::new(py);
        all.set_item("differing", comparison.differing)?;
        all.set_item("total", comparison.total)?;
        all.set_item("index", first.index)?;
        all.set_item("coordinates", PyTuple::new(py, &first.coordinates)?)?;
        all.set_item("expected", array(py, first.expected)?)?;
        all.set_item("actual", array(py, first.actual)?)?;
        all.set_item("ulps", first.ulps)?;
        Ok(Some(all))
    }

    /// The function's name.
    #[getter]
    fn name(&self) -> &str {
        self.judgement.finding.backend.as_str()
    }

    /// The causes that give the whole output of this case, best first, each with `name`, `sentence`, `fix`, `clause` and
    /// `erratum`; empty where none is found.
    fn causes<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        self.diagnosis(py)?
            .explanations
            .iter()
            .map(|it| cause(py, &it.cause))
            .collect()
    }

    /// The failure as the program prints it, with its diagnosis; one line after a pass.
    #[getter]
    fn text(&self, py: Python<'_>) -> PyResult<String> {
        together(py, [self].into_iter())
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        self.text(py)
    }

    fn __repr__(&self) -> String {
        let message = self.message();
        let separator = if message.is_empty() { "" } else { ": " };
        format!(
            "<Finding {} {}{separator}{message}>",
            self.case.id,
            self.outcome()
        )
    }

    fn _repr_html_<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py()
            .import("seedproof._notebook")?
            .call_method1("finding", (slf,))
    }
}
