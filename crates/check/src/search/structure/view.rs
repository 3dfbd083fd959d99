//! A failing case as lists of bits, and an index of the stream in which its elements are looked up.

use seedproof_ops::{Backend, Dtype, NanRule, Request, Tensor};

use crate::model::chance::chance;
use crate::model::exchange::{FailedCase, as_u64, ask};
use crate::model::stage::Blocks;

/// The number of elements of the oracle's stream after an output in which its elements are also looked up. A kernel
/// that skips 256 workgroups of 16 elements is still found.
pub(crate) const LOOKAHEAD: usize = 1 << 12;

/// The fewest bits of an output in which wrong forms, and structures without parameters, are looked for: a few small elements
/// are all zero, or in the opposite order, by chance.
pub(crate) const PLAIN_BITS: f64 = 24.0;

/// The type and extents of an output, and the size of a block: what is needed to interpret an index.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) dtype: Dtype,
    pub(crate) dims: Vec<usize>,
    pub(crate) count: usize,
    /// Elements per block of the generator; 1 where it has no blocks.
    pub(crate) per_block: usize,
    /// Words that an element takes; 1 where that is not known.
    pub(crate) words: usize,
}

impl Layout {
    /// The layout of a request's output. The size of a block is taken from the oracle.
    pub(crate) fn of(output: &Tensor, request: &Request, oracle: Option<&dyn Backend>) -> Self {
        let blocks = oracle.and_then(|oracle| Blocks::any(oracle, request));
        Self {
            per_block: blocks.map_or(1, Blocks::elements),
            words: blocks.map_or(1, |blocks| blocks.words_per_element),
            ..Self::plain(output)
        }
    }

    /// The layout of an output without the size of a block, which not every caller needs.
    pub(crate) fn plain(output: &Tensor) -> Self {
        Self {
            dtype: output.dtype(),
            dims: output.shape().dims().to_vec(),
            count: output.count(),
            per_block: 1,
            words: 1,
        }
    }

    /// The extent of the innermost axis; the whole output if it has none.
    pub(crate) fn row(&self) -> usize {
        self.dims.last().copied().unwrap_or(self.count).max(1)
    }

    /// The extents of the last two axes; a list is a matrix of one row.
    pub(crate) fn matrix(&self) -> [usize; 2] {
        let rows = self.dims.iter().rev().nth(1).copied().unwrap_or(1);
        [rows.max(1), self.row()]
    }
}

/// A failing case whose output has the expected type and shape.
pub(crate) struct View {
    pub(crate) layout: Layout,
    /// The bits of each element of the answer. All NaNs that count as the same element have the same bits here.
    pub(crate) actual: Vec<u64>,
    pub(crate) nan: NanRule,
    /// Entropy in bits per element.
    pub(crate) bits: f64,
}

impl View {
    /// The view of a case; `None` if its outputs differ in form, or are equal.
    pub(crate) fn new(case: &FailedCase, oracle: Option<&dyn Backend>) -> Option<Self> {
        let (expected, actual) = case.values()?;
        let (expected, actual) = (&expected.output, &actual.output);
        if (expected.dtype(), expected.shape()) != (actual.dtype(), actual.shape())
            || case.nan.same(expected, actual)
            || actual.count() == 0
        {
            return None;
        }
        let count = f64::from(u32::try_from(actual.count()).ok()?);
        Some(Self {
            layout: Layout::of(actual, &case.request, oracle),
            actual: bits_of(actual, case.nan),
            nan: case.nan,
            bits: chance(&case.request, actual.count()) / count,
        })
    }

    pub(crate) fn count(&self) -> usize {
        self.actual.len()
    }

    /// The evidence in bits of this number of elements.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    pub(crate) fn evidence(&self, elements: usize) -> f64 {
        elements as f64 * self.bits
    }
}

pub(crate) fn bits_of(tensor: &Tensor, nan: NanRule) -> Vec<u64> {
    tensor.scalars().map(|element| nan.key(element)).collect()
}

/// The first `count` elements of the stream that a backend's answer to a request begins. Where the op has no longer or
/// shorter form, these are the `own` elements of the answer. `None` where the backend does not answer.
pub(crate) fn stream(
    backend: &dyn Backend,
    request: &Request,
    nan: NanRule,
    own: usize,
    count: usize,
) -> Option<Vec<u64>> {
    let give = |request: &Request| Some(bits_of(&ask(backend, request)?.ok()?.output, nan));
    if count != own
        && let Some(other) = request.prefix(as_u64(count)).and_then(|other| give(&other))
    {
        return Some(other);
    }
    give(request)
}

/// The positions of elements in a stream, by their bits.
pub(crate) struct Index {
    // Sorted pairs rather than a hash map of lists: most values of a stream occur once, and a list for each would take
    // several times the memory.
    sorted: Vec<(u64, usize)>,
}

impl Index {
    pub(crate) fn of(stream: &[u64]) -> Self {
        let mut sorted: Vec<(u64, usize)> = stream.iter().copied().zip(0..).collect();
        sorted.sort_unstable();
        Self { sorted }
    }

    /// The positions of these bits, in ascending order.
    pub(crate) fn positions(&self, bits: u64) -> impl Iterator<Item = usize> + '_ {
        let start = self.sorted.partition_point(|&(known, _)| known < bits);
        let same = self.sorted[start..]
            .iter()
            .take_while(move |&&(known, _)| known == bits);
        same.map(|&(_, position)| position)
    }

    /// The position of these bits, if there is just one.
    pub(crate) fn only(&self, bits: u64) -> Option<usize> {
        let mut positions = self.positions(bits);
        let first = positions.next()?;
        positions.next().is_none().then_some(first)
    }
}
