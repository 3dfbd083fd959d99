//! Words of the generators.

use pyo3::prelude::*;
use seedproof_cpu::Generator;
use seedproof_ops::{
    Attribute, DmlGenerator, DmlRandomGenerator, Dtype, FeatureLevel, Request, Shape, Tensor,
};

use crate::arrays::Numpy;
use crate::draw::{SPEC, answer};
use crate::errors::invalid;

/// Words of Philox4x32-10 for a key of 64 bits from a counter of 128 bits on.
#[pyfunction]
#[pyo3(signature = (key, counter = 0, words = 4, *, out = None))]
pub(crate) fn philox4x32<'py>(
    py: Python<'py>,
    key: u64,
    counter: u128,
    words: u64,
    out: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    if words == 0 {
        return Err(invalid(py, "words is 0: expected at least one"));
    }
    let mut state = counter.to_le_bytes().to_vec();
    state.extend(key.to_le_bytes());
    let request = Request::DmlRandomGenerator(DmlRandomGenerator {
        generator: Attribute::Known(DmlGenerator::Philox4x32_10),
        feature_level: Attribute::Known(FeatureLevel::Level4_0),
        output_sizes: vec![words],
        output_state: false,
        input_state: Tensor::new(Dtype::U32, Shape::vector(6), state).expect("a state has 24 bytes"),
    });
    answer(py, &request, SPEC, out.as_ref())
}

/// Words of MT19937, seeded with one word.
#[pyfunction]
#[pyo3(signature = (seed, words = 4))]
pub(crate) fn mt19937(py: Python<'_>, seed: u32, words: u64) -> PyResult<Bound<'_, PyAny>> {
    let Ok(shape) = seedproof_ops::Limits::default().shape(Dtype::U32, &[words]) else {
        return Err(invalid(py, format!("{words} words take more than 4 GiB")));
    };
    let drawn = Generator::Mt19937 { seed }.words();
    let fill = |bytes: &mut [u8]| {
        for (place, word) in bytes.as_chunks_mut().0.iter_mut().zip(drawn) {
            *place = word.to_le_bytes();
        }
        Ok::<_, PyErr>(())
    };
    Ok(Numpy::get(py)?.filled(py, Dtype::U32, &shape, fill)?.0)
}
