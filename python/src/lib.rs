//! The compiled half of the Python package `seedproof`, which is its module `_native`.
//!
//! Here is what needs the crates: requests and their answers, cases, the judge, the log of a run. Names, defaults,
//! documents and whatever a user's function may do are Python's.
#![forbid(unsafe_code)]
#![expect(
    clippy::elidable_lifetime_names,
    clippy::needless_pass_by_value,
    reason = "functions that Python calls take what PyO3 gives them"
)]

mod answer;
mod arrays;
mod case;
mod claims;
mod draw;
mod errors;
mod expectations;
mod function;
mod judge;
mod lab;
mod log;
mod long;
mod memory;
mod request;
mod values;
mod words;

#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    use crate::case::{Case, cases, clauses_of};
    #[pymodule_export]
    use crate::claims::Claims;
    #[pymodule_export]
    use crate::draw::{draw, fill_seconds};
    #[pymodule_export]
    use crate::expectations::Expectations;
    #[pymodule_export]
    use crate::judge::{Finding, Session, causes, texts};
    #[pymodule_export]
    use crate::lab::{Question, who_sampled};
    #[pymodule_export]
    use crate::log::{log, page};
    #[pymodule_export]
    use crate::request::{Request, request};
    #[pymodule_export]
    use crate::words::{mt19937, philox4x32, threefry2x32};

    use pyo3::prelude::*;

    /// The version of the package.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");

    /// The program, with these arguments after its name; its exit status.
    #[pyfunction]
    fn main(py: Python<'_>, arguments: Vec<std::ffi::OsString>) -> u8 {
        py.detach(|| seedproof_cli::main(["seedproof".into()].into_iter().chain(arguments)))
    }

    /// The ops, each by its name, and the readings by theirs.
    #[pyfunction]
    fn names() -> (Vec<&'static str>, Vec<String>) {
        use seedproof_ops::Named as _;
        let readings = seedproof_readings::named().into_iter();
        (
            seedproof_ops::OpName::NAMES.to_vec(),
            readings.map(|reading| reading.name.to_string()).collect(),
        )
    }

    /// The first part of the ids of an op's cases.
    #[pyfunction]
    fn prefix(py: Python<'_>, op: &str) -> PyResult<&'static str> {
        Ok(crate::values::op(py, op)?.description().prefix)
    }

    /// The attributes of an op, by the names of its document.
    #[pyfunction]
    fn attributes(py: Python<'_>, op: &str) -> PyResult<Vec<&'static str>> {
        let attributes = crate::values::op(py, op)?.description().attributes;
        Ok(attributes.iter().map(|info| info.name).collect())
    }

    /// Our name of an element type of NumPy's, or of one by its name.
    #[pyfunction]
    fn dtype_name(dtype: &Bound<'_, PyAny>) -> PyResult<&'static str> {
        let py = dtype.py();
        let found = crate::arrays::Numpy::get(py)?.dtype(dtype)?;
        let wrong = || crate::errors::invalid(py, format!("{dtype} is not an element type of any op"));
        found.map(seedproof_ops::Dtype::name).ok_or_else(wrong)
    }
}
