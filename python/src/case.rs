//! Cases of the corpus as Python sees them.

use std::collections::BTreeSet;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use seedproof_check::SPEC;
use seedproof_corpus::{Expectation, Name, Query, Selection};
use seedproof_ops::{Backend as _, Dtype, Limits, Named as _, Tensor, did_you_mean};
use seedproof_reference::Reference;
use seedproof_report::CaseFacts;

use crate::answer::run;
use crate::arrays::Numpy;
use crate::errors::{exception, invalid};
use crate::request::Request;
use crate::values;

/// One request of the corpus with its expected answer.
#[pyclass(frozen, module = "seedproof")]
pub(crate) struct Case {
    pub(crate) case: &'static seedproof::Case,
}

/// The cases that queries select, in the order of the corpus; all of them without a query.
///
/// Args:
///     queries: Ids, where `*` is any text, and keys with values, such as `op:ru8`.
///
/// Returns:
///     A list of `Case`.
///
/// Raises:
///     InvalidArgument: A query is malformed, or no query selects a case.
///
/// Example:
///     >>> import seedproof as sp
///     >>> sp.cases("ru8/tensorflow/f32/spec-example-1")[0].expected.shape
///     (3, 3)
#[pyfunction]
#[pyo3(signature = (*queries))]
pub(crate) fn cases(py: Python<'_>, queries: Vec<String>) -> PyResult<Vec<Case>> {
    let selection = Selection::parse(&queries).map_err(|error| invalid(py, format!("failed to {error}")))?;
    let corpus = py.detach(seedproof::corpus);
    let selected: Vec<Case> = py.detach(|| {
        corpus
            .select(&selection)
            .into_iter()
            .map(|case| Case { case })
            .collect()
    });
    if selected.is_empty() {
        let nearest = queries
            .iter()
            .find_map(|text| Query::parse(text).ok()?.nearest(corpus))
            .map_or_else(String::new, |query| format!("; did you mean `{query}`?"));
        return Err(invalid(
            py,
            format!("no case is selected by {}{nearest}", queries.join(" ")),
        ));
    }
    Ok(selected)
}

/// The clauses that the cases of an op are for which expect a rejection of a kind.
#[pyfunction]
pub(crate) fn clauses_of(py: Python<'_>, op: &str, kind: &str) -> PyResult<Vec<String>> {
    let op = values::op(py, op)?;
    let cases = py
        .detach(seedproof::corpus)
        .cases()
        .filter(|case| case.request.op() == op);
    let refuses =
        |case: &&seedproof::Case| matches!(&case.expect, Expectation::Rejected(it) if it.name() == kind);
    let sets = cases
        .filter(refuses)
        .map(|case| case.clauses.iter().collect::<BTreeSet<_>>());
    // What all of them are for is the rule; the rest is about the one or the other.
    let common = sets.reduce(|one, other| &one & &other).unwrap_or_default();
    Ok(common.into_iter().map(ToString::to_string).collect())
}

fn names(names: &[Name]) -> Vec<&str> {
    names.iter().map(Name::as_str).collect()
}

#[pymethods]
impl Case {
    /// The case of an id.
    #[new]
    fn new(py: Python<'_>, id: &str) -> PyResult<Self> {
        let corpus = py.detach(seedproof::corpus);
        let case = corpus.get(id).ok_or_else(|| {
            let nearest = did_you_mean(id, corpus.ids());
            invalid(py, format!("there is no case `{id}`{nearest}"))
        })?;
        Ok(Self { case })
    }

    /// The id, which never changes: `ru8/tensorflow/f32/spec-example-1`.
    #[getter]
    fn id(&self) -> &'static str {
        self.case.id.as_str()
    }

    /// The request.
    #[getter]
    fn request(&self) -> Request {
        Request {
            request: self.case.request.clone(),
        }
    }

    /// The expected answer: an array, a tuple of arrays, or the exception `Rejected` of a request that is invalid. None
    /// where nothing determines it.
    #[getter]
    fn expected<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let request = &self.case.request;
        match &self.case.expect {
            Expectation::Rejected(kind) => {
                let reason = run(py, request, SPEC).err();
                let known = reason.filter(|it| it.value(py).hasattr("kind").unwrap_or(false));
                let error = known.unwrap_or_else(|| {
                    exception(
                        py,
                        "Rejected",
                        (kind.name(), "the request is invalid", request.description().name),
                    )
                });
                Ok(Some(error.into_value(py).into_bound(py).into_any()))
            }
            Expectation::Statistical | Expectation::Unspecified => Ok(None),
            Expectation::Bits(bits) => {
                let numpy = Numpy::get(py)?;
                let output = numpy.tensor_array(py, &bits.output)?;
                numpy.with_more(output, &bits.more).map(Some)
            }
            _ => Numpy::get(py)?.response(py, &run(py, request, SPEC)?).map(Some),
        }
    }

    /// What is expected, in words.
    #[getter]
    fn expects(&self) -> String {
        CaseFacts::of(self.case).expects.text
    }

    /// The ids of the clauses that it covers.
    #[getter]
    fn clauses(&self) -> Vec<&str> {
        names(&self.case.clauses)
    }

    /// The ids of the errata whose answers it tells apart.
    #[getter]
    fn errata(&self) -> Vec<&str> {
        names(&self.case.errata)
    }

    /// The mistakes that it is there to catch.
    #[getter]
    fn catches(&self) -> Vec<&str> {
        names(&self.case.flags)
    }

    /// The readings other than `spec` whose answers it knows.
    #[getter]
    fn readings(&self) -> Vec<&str> {
        self.case.readings.keys().map(Name::as_str).collect()
    }

    /// The source of the expectation: `spec-example`, `capture`, `derived`, ….
    #[getter]
    fn provenance(&self) -> &'static str {
        self.case.provenance.kind()
    }

    /// A sentence for people, or None.
    #[getter]
    fn note(&self) -> Option<&str> {
        self.case.note.as_deref()
    }

    /// The stages of the expected output's computation: `words` (a row per element), `unit` (None for integers) and
    /// `value`; None where the op has none.
    fn stages<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let reference = Reference::new(Limits::default(), seedproof::judging::entropy);
        let request = &self.case.request;
        let Some(stages) = py.detach(|| reference.stages(request)) else {
            return Ok(None);
        };
        let numpy = Numpy::get(py)?;
        let each = stages.words_per_element;
        let rows = stages.scaled.count();
        let bytes = stages
            .words
            .iter()
            .take(rows * each)
            .flat_map(|word| word.to_le_bytes());
        let dims = [rows, each].map(|extent| u64::try_from(extent).unwrap_or(u64::MAX));
        let shape = seedproof_ops::Shape::new(&dims).map_err(|error| invalid(py, error.to_string()))?;
        let words = Tensor::new(Dtype::U32, shape, bytes.collect())
            .map_err(|error| invalid(py, error.to_string()))?;
        let all = PyDict::new(py);
        all.set_item("words", numpy.tensor_array(py, &words)?)?;
        let unit = stages
            .unit
            .as_ref()
            .map(|unit| numpy.tensor_array(py, unit))
            .transpose()?;
        all.set_item("unit", unit)?;
        all.set_item("value", numpy.tensor_array(py, &stages.scaled)?)?;
        Ok(Some(all))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<Self>()
            .is_ok_and(|other| other.get().case.id == self.case.id)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.id().into_pyobject(py)?.hash()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        (py.get_type::<Self>(), (self.id(),)).into_pyobject(py)
    }

    fn __repr__(&self) -> String {
        format!("<Case {}: {}>", self.id(), CaseFacts::of(self.case).line())
    }

    fn _repr_html_<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py()
            .import("seedproof._notebook")?
            .call_method1("case", (slf,))
    }
}
