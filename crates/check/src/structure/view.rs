//! A failing case as two lists of bits, with the stream that the expected one begins.

use seedproof_ops::{Backend, Dtype, NanRule, Scalar, Shape, Tensor};
use seedproof_vectors::CaseId;

use crate::FailedCase;
use crate::chance::chance;
use crate::exchange::ask;
use crate::score::as_u64;
use crate::stages::Blocks;

/// Elements of the largest output that is examined.
const LARGEST: usize = 1 << 21;

/// The most elements of the stream beyond the output.
const BEYOND: usize = 1 << 14;

/// A failing case whose output has the expected type and number of elements.
pub(crate) struct View {
    pub(crate) case: CaseId,
    pub(crate) dtype: Dtype,
    pub(crate) shape: Shape,
    /// The bits of each element, those of one NaN for all that count as the same.
    pub(crate) expected: Vec<u64>,
    /// The bits of each element; as many.
    pub(crate) actual: Vec<u64>,
    /// The generator's stream: `expected`, and more where an oracle could be asked.
    pub(crate) stream: Vec<u64>,
    /// The first element that differs.
    pub(crate) first: usize,
    /// Bits of chance per element.
    pub(crate) bits: f64,
    /// Elements per block of the generator, where it has blocks.
    pub(crate) per_block: Option<usize>,
}

impl View {
    /// The view of a case; `None` if its outputs differ in form, are too large, or are equal.
    pub(crate) fn new(case: &FailedCase, oracle: Option<&dyn Backend>) -> Option<Self> {
        let (expected, actual) = case.values()?;
        let (expected, actual) = (&expected.output, &actual.output);
        let count = expected.count();
        if expected.dtype() != actual.dtype() || count != actual.count() || count > LARGEST {
            return None;
        }
        let shape = expected.shape().clone();
        let bits = chance(&case.request, count) / f64::from(u32::try_from(count.max(1)).ok()?);
        let (expected_bits, actual_bits) = (bits_of(expected, case.nan), bits_of(actual, case.nan));
        let first = (0..count).find(|&i| expected_bits[i] != actual_bits[i])?;
        let stream = oracle
            .and_then(|oracle| longer(oracle, case, count))
            .filter(|stream| stream.starts_with(&expected_bits))
            .unwrap_or_else(|| expected_bits.clone());
        Some(Self {
            case: case.case.clone(),
            dtype: expected.dtype(),
            shape,
            expected: expected_bits,
            actual: actual_bits,
            stream,
            first,
            bits,
            per_block: oracle
                .and_then(|oracle| Blocks::of(oracle, &case.request))
                .map(Blocks::elements),
        })
    }

    pub(crate) fn count(&self) -> usize {
        self.expected.len()
    }

    pub(crate) fn scalar(&self, bits: u64) -> Scalar {
        Scalar::new(self.dtype, bits)
    }
}

fn bits_of(tensor: &Tensor, nan: NanRule) -> Vec<u64> {
    tensor.scalars().map(|element| nan.key(element)).collect()
}

/// The oracle's stream, some way beyond the output.
fn longer(oracle: &dyn Backend, case: &FailedCase, count: usize) -> Option<Vec<u64>> {
    let beyond = (8 * count + 64).min(BEYOND);
    let request = case.request.prefix(as_u64(count + beyond))?;
    match ask(oracle, &request)? {
        Ok(response) => Some(bits_of(&response.output, case.nan)),
        Err(_) => None,
    }
}
