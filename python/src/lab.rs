//! Who drew an array.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use seedproof::judging::{Catalogue, entropy};
use seedproof::whois::{self, Known, Sampled, SampledWith, Samplers, Sought};
use seedproof_cpu::{Cpu, Level};
use seedproof_ops::{Limits, Named as _, OpName, Scalar};

use crate::arrays::Numpy;
use crate::errors::invalid;
use crate::long::{interruptible, watched};
use crate::request::Request;
use crate::values;

/// An array, seeds, and what else is known: the arguments of `seedproof.lab.who_drew`.
#[pyclass(frozen, module = "seedproof")]
pub(crate) struct Question {
    sought: Sought,
    catalogue: Arc<Catalogue>,
}

/// An attribute or an input by its name, for the first op that has one of that name.
fn known(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Known> {
    let py = value.py();
    for op in OpName::ALL.iter().map(|op| op.description()) {
        if let Some(info) = op.attribute(name) {
            return values::attribute(info, value).map(Known::Attribute);
        }
        if let Some(info) = op.input(name) {
            let dtype = values::default_type(info, &[]);
            return values::tensor(info, value, dtype).map(Known::Input);
        }
    }
    Err(invalid(py, format!("no op has an attribute or input `{name}`")))
}

#[pymethods]
impl Question {
    #[new]
    #[pyo3(signature = (array, op_seed, low, high, execution, fields))]
    fn new(
        array: &Bound<'_, PyAny>,
        op_seed: u64,
        low: &Bound<'_, PyAny>,
        high: &Bound<'_, PyAny>,
        execution: u32,
        fields: &Bound<'_, PyDict>,
    ) -> PyResult<Self> {
        let py = array.py();
        let actual = Numpy::get(py)?.tensor(array, None)?;
        let bound = |value: &Bound<'_, PyAny>| {
            let scalar = values::scalar(value, actual.dtype());
            scalar.ok_or_else(|| invalid(py, format!("{value} is not a valid {}", actual.dtype())))
        };
        let range: Option<(Scalar, Scalar)> = match (low.is_none(), high.is_none()) {
            (true, true) => None,
            (false, false) => Some((bound(low)?, bound(high)?)),
            _ => return Err(invalid(py, "low and high go together")),
        };
        let mut all = Vec::new();
        for (name, value) in fields {
            let name: String = name.extract()?;
            let value = known(&name, &value)?;
            all.push((name, value));
        }
        Ok(Self {
            sought: Sought {
                range,
                known: all,
                execution,
                ..Sought::new(actual, 0, op_seed)
            },
            catalogue: Arc::new(py.detach(|| Catalogue::new(Limits::default()))),
        })
    }

    /// Who drew the array from a seed: a dict of `word`, `draws` (names and requests), `attempts` and `nearest`.
    fn answer<'py>(&self, py: Python<'py>, seed: u64) -> PyResult<Bound<'py, PyDict>> {
        let sought = Sought {
            seed,
            ..self.sought.clone()
        };
        let catalogue = Arc::clone(&self.catalogue);
        let answer = interruptible(py, move || whois::who_drew(&sought, &catalogue))?;
        let all = PyDict::new(py);
        all.set_item("word", answer.word())?;
        all.set_item("attempts", answer.attempts)?;
        let mut draws = Vec::new();
        for draw in answer.draws {
            let request = Request {
                request: draw.request,
            };
            draws.push((draw.names, request).into_pyobject(py)?);
        }
        all.set_item("draws", draws)?;
        let near = answer.nearest.map(|near| {
            let numpy = Numpy::get(py)?;
            let dict = PyDict::new(py);
            dict.set_item("name", near.name)?;
            dict.set_item(
                "request",
                Request {
                    request: near.request,
                }
                .into_pyobject(py)?,
            )?;
            dict.set_item("elements", near.elements)?;
            dict.set_item("of", near.of)?;
            dict.set_item("first_missed", near.first_missed)?;
            let expected = numpy.tensor_array(py, &seedproof_ops::Tensor::from_scalar(near.expected))?;
            dict.set_item("expected", expected.get_item(PyTuple::empty(py))?)?;
            dict.set_item("max_ulps", near.max_ulps)?;
            Ok::<_, PyErr>(dict)
        });
        all.set_item("nearest", near.transpose()?)?;
        Ok(all)
    }

    /// The seeds from `first` to `last` that draw the array's first elements. `progress` is called with the number of
    /// seeds that are done.
    fn search(
        &self,
        py: Python<'_>,
        first: u64,
        last: u64,
        progress: &Bound<'_, PyAny>,
    ) -> PyResult<Vec<u64>> {
        let (sought, catalogue) = (self.sought.clone(), Arc::clone(&self.catalogue));
        let (done, stopped) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
        let (counter, flag) = (Arc::clone(&done), Arc::clone(&stopped));
        let work = move || {
            let cpu = Cpu::new(Level::best(), Limits::default(), entropy);
            whois::search(
                std::slice::from_ref(&sought),
                &(first..=last),
                &cpu,
                &catalogue,
                &|tried| {
                    counter.fetch_max(tried, Ordering::Relaxed);
                    !flag.load(Ordering::Relaxed)
                },
            )
        };
        let found = watched(py, work, || {
            progress.call1((done.load(Ordering::Relaxed),)).map(drop)
        });
        stopped.store(true, Ordering::Relaxed);
        Ok(found?.seeds)
    }
}

/// Whose sampler drew tokens: a dict of `word`, `draws` (names and requests), `greedy`, `bits`, `attempts` and `nearest`.
#[pyfunction]
pub(crate) fn who_sampled<'py>(
    py: Python<'py>,
    tokens: &Bound<'py, PyAny>,
    logits: &Bound<'py, PyAny>,
    seed: u64,
    op_seed: u64,
    position: i64,
    temperature: f32,
) -> PyResult<Bound<'py, PyDict>> {
    let numpy = Numpy::get(py)?;
    let (tokens, logits) = (numpy.tensor(tokens, None)?, numpy.tensor(logits, None)?);
    let with = SampledWith {
        temperature,
        seed,
        op_seed,
        position,
    };
    let sampled = Sampled::new(&tokens, &logits, with).map_err(|message| invalid(py, message))?;
    let answer = interruptible(py, move || {
        // As the program asks: a reading that no seed determines names nobody.
        let catalogue = Catalogue::new(Limits::default()).determined();
        whois::who_sampled(&sampled, Samplers::WithMistakes, &catalogue)
    })?;
    let all = PyDict::new(py);
    all.set_item("word", answer.word())?;
    all.set_item("greedy", answer.greedy)?;
    all.set_item("bits", answer.bits)?;
    all.set_item("attempts", answer.attempts)?;
    all.set_item("stream", answer.stream.map(|it| it.sentence))?;
    let draws = answer.draws.into_iter().map(|draw| {
        let request = draw.request;
        (draw.names, Request { request }).into_pyobject(py)
    });
    all.set_item("draws", draws.collect::<PyResult<Vec<_>>>()?)?;
    let near = answer.nearest.map(|near| {
        let dict = PyDict::new(py);
        dict.set_item("name", near.name)?;
        let request = near.request;
        dict.set_item("request", Request { request }.into_pyobject(py)?)?;
        dict.set_item("agreeing", near.agreeing)?;
        dict.set_item("others", near.others)?;
        Ok::<_, PyErr>(dict)
    });
    all.set_item("nearest", near.transpose()?)?;
    Ok(all)
}
