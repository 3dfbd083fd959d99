//! The judge, for functions of Python.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use seedproof::judging::{Catalogue, applies, diagnose, elements, failure_text, judge_case, text_of};
use seedproof_check::{Cause, Diagnosis, Exchange, Judgement, Mismatch};
use seedproof_ops::{BackendId, Limits, NanRule, Scalar, Tensor};
use seedproof_report::Palette;

use crate::answer::unknown_reading;
use crate::arrays::Numpy;
use crate::case::Case;
use crate::function::Function;
use crate::long::interruptible;

/// Right outputs of at most this many elements are kept for a diagnosis, as the program does.
const MAX_KEPT_ELEMENTS: u64 = 4096;

/// A judge of one function: cases go in, findings come out.
#[pyclass(frozen, module = "seedproof")]
pub(crate) struct Session {
    pub(crate) function: Function,
    pub(crate) catalogue: Arc<Catalogue>,
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
        let catalogue = py.detach(|| Catalogue::new(Limits::default()).with_nan(nan));
        if catalogue.reading(reading).is_none() {
            return Err(unknown_reading(py, reading));
        }
        Ok(Self {
            function: Function::new(name, claims, answer),
            catalogue: Arc::new(catalogue),
            reading: reading.to_owned(),
        })
    }

    /// Whether a case says anything about the reading.
    fn applies(&self, case: &Case) -> bool {
        applies(case.case, &self.catalogue, &self.reading)
    }

    /// The finding of one case; None if the case says nothing about the reading.
    fn judge(&self, py: Python<'_>, case: &Case) -> PyResult<Option<Finding>> {
        py.check_signals()?;
        let judged =
            py.detach(|| judge_case(case.case, &self.function, &self.catalogue, Some(&self.reading)));
        if let Some(error) = self.function.take_raised() {
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
                catalogue: Arc::clone(&self.catalogue),
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

/// What the findings of one function have in common, a line for each cause of several failures.
#[pyfunction]
pub(crate) fn causes(py: Python<'_>, name: &str, findings: Vec<Py<Finding>>) -> PyResult<Vec<String>> {
    let Some(first) = findings.first() else {
        return Ok(Vec::new());
    };
    let (catalogue, id) = (Arc::clone(&first.get().catalogue), BackendId::new(name));
    let judged = || findings.iter().map(|it| &it.get().judgement);
    let failures = judged().filter(|it| !it.finding.outcome.conforms()).count();
    let exchanges: Vec<Exchange> = judged().filter_map(|it| it.exchange.clone()).collect();
    interruptible(py, move || {
        seedproof::judging::causes(&id, failures, exchanges, &catalogue)
    })
}

fn together<'a>(py: Python<'_>, findings: impl Iterator<Item = &'a Finding>) -> PyResult<String> {
    let findings: Vec<&Finding> = findings.collect();
    let Some(first) = findings.first() else {
        return Ok(String::new());
    };
    let (catalogue, reading) = (Arc::clone(&first.catalogue), first.reading.clone());
    let judged: Vec<_> = findings
        .iter()
        .map(|it| (it.case, Judgement::clone(&it.judgement)))
        .collect();
    interruptible(py, move || {
        failure_text("", &reading, &judged, &catalogue, Palette::plain())
    })
}

/// The judgement of one case.
#[pyclass(frozen, module = "seedproof")]
pub(crate) struct Finding {
    pub(crate) case: &'static seedproof::Case,
    pub(crate) judgement: Arc<Judgement>,
    catalogue: Arc<Catalogue>,
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
        let (judgement, catalogue) = (Judgement::clone(&self.judgement), Arc::clone(&self.catalogue));
        interruptible(py, move || diagnose([&judgement], &catalogue))
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

    /// The causes that reproduce the whole output of this case, best first, each with `name`, `sentence`, `fix`, `clause` and
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

    /// Why it fails, in a line, and the failure as the program prints it.
    fn told(&self, py: Python<'_>) -> PyResult<(String, String)> {
        let diagnosis = self.diagnosis(py)?;
        let reason = match diagnosis.explanations.first() {
            Some(it) => format!("{}: {}", it.cause.name, it.cause.sentence),
            None if self.message().is_empty() => format!("{}, no known cause", self.outcome()),
            None => format!("{}, {}", self.outcome(), self.message()),
        };
        let judged = [(self.case, Judgement::clone(&self.judgement))];
        let text = text_of("", &self.reading, &judged, &diagnosis, Palette::plain());
        Ok((reason.lines().next().unwrap_or_default().to_owned(), text))
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
