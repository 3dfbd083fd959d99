//! Words of the generators.

use pyo3::prelude::*;
use seedproof_check::SPEC;
use seedproof_cpu::{Generator, Level};
use seedproof_ops::{
    Attribute, DmlGenerator, DmlRandomGenerator, Dtype, FeatureLevel, Request, RngAlgorithm, RngBitGenerator,
    Shape, Tensor,
};

use crate::answer::answer;
use crate::arrays::Numpy;
use crate::errors::invalid;
use crate::long::drawn;
use crate::memory::Memory;

/// Words of Philox4x32-10, four for each value of its counter.
///
/// Args:
///     key: 64 bits.
///     counter: The first value of the counter, 128 bits; its low word is the first.
///     words: How many words, at least one.
///     out: An array to be filled, of `uint32` and shape `[words]`, C-contiguous.
///
/// Returns:
///     The words, `uint32` of shape `[words]`.
///
/// Raises:
///     InvalidArgument: There are no words, or `out` is of another form.
///     OverflowError: A number has more bits.
///
/// Example:
///     >>> import seedproof as sp
///     >>> hex(sp.philox4x32(key=150, counter=10 << 64, words=8)[0])
///     '0xe059be6b'
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

/// Words of Threefry2x32-20, two for each value of its counter.
///
/// Args:
///     key: 64 bits; the low word is the first.
///     counter: The first value of the counter, 64 bits, likewise.
///     words: How many words.
///     out: An array to be filled, of `uint32` and shape `[words]`, C-contiguous.
///
/// Returns:
///     The words, `uint32` of shape `[words]`.
///
/// Raises:
///     InvalidArgument: `out` is of another form.
///     OverflowError: A number has more bits.
///     Unsupported: The words take more than 4 GiB.
///
/// Example:
///     >>> import seedproof as sp
///     >>> hex(sp.threefry2x32(key=0, counter=0, words=8)[0])
///     '0x6b200159'
#[pyfunction]
#[pyo3(signature = (key, counter = 0, words = 4, *, out = None))]
pub(crate) fn threefry2x32<'py>(
    py: Python<'py>,
    key: u64,
    counter: u64,
    words: u64,
    out: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    // In an output of one dimension the words keep their order.
    let request = Request::RngBitGenerator(RngBitGenerator {
        rng_algorithm: Attribute::Known(RngAlgorithm::ThreeFry),
        output_type: Attribute::Known(Dtype::U32),
        output_sizes: vec![words],
        initial_state: Tensor::vector(&[key, counter]),
    });
    answer(py, &request, SPEC, out.as_ref())?.get_item(0)
}

/// Words of MT19937, seeded with one word.
///
/// Args:
///     seed: 32 bits.
///     words: How many words.
///     out: An array to be filled, of `uint32` and shape `[words]`, C-contiguous.
///
/// Returns:
///     The words, `uint32` of shape `[words]`.
///
/// Raises:
///     InvalidArgument: The words take more than 4 GiB, or `out` is of another form.
///     OverflowError: A number has more bits.
///
/// Example:
///     >>> import seedproof as sp
///     >>> sp.mt19937(5489, words=2).tolist()
///     [3499211612, 581869302]
#[pyfunction]
#[pyo3(signature = (seed, words = 4, *, out = None))]
pub(crate) fn mt19937<'py>(
    py: Python<'py>,
    seed: u32,
    words: u64,
    out: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let Ok(shape) = seedproof_ops::Limits::default().shape(Dtype::U32, &[words]) else {
        return Err(invalid(py, format!("{words} words take more than 4 GiB")));
    };
    let numpy = Numpy::get(py)?;
    let out = out.map_or_else(|| numpy.zeros(py, Dtype::U32, &shape), Ok)?;
    let mut memory = Memory::of(numpy, &out, Dtype::U32, &shape)?;
    let bytes = memory.bytes();
    drawn(py, || {
        Generator::Mt19937 { seed }.fill_bytes(Level::best(), bytes);
    })?;
    Ok(out)
}
