//! Weights and their running sums.

use half::{bf16, f16};

/// An element type of `probs`.
pub(crate) trait Weight: Copy {
    /// Bytes per element.
    const SIZE: usize;

    /// The number whose bytes, least significant first, are `bytes`, widened exactly.
    fn widen(bytes: &[u8]) -> f64;
}

macro_rules! weight {
    ($($float:ty => $widen:expr),* $(,)?) => {$(
        impl Weight for $float {
            const SIZE: usize = size_of::<$float>();

            #[inline(always)]
            fn widen(bytes: &[u8]) -> f64 {
                let bytes = bytes.first_chunk().expect("the caller gives a whole element");
                $widen(<$float>::from_le_bytes(*bytes))
            }
        }
    )*};
}

weight! {
    f16 => f16::to_f64,
    bf16 => bf16::to_f64,
    f32 => f64::from,
    f64 => f64::from,
}

/// Rows that are summed side by side. A sum is a chain of dependent additions, each row's in its own order;
/// several chains at once keep the adders busy.
pub(crate) const ROWS: usize = 8;

/// A row of probabilities as running sums.
#[derive(Debug)]
pub(crate) struct Row<'a> {
    /// The sum of the weights up to each class, the class included: not decreasing, the last positive and
    /// finite.
    pub(crate) sums: &'a mut [f64],
}

impl Row<'_> {
    /// The first class whose weight is not zero.
    pub(crate) fn first(&self) -> usize {
        self.sums.partition_point(|&sum| sum <= 0.0)
    }
}

/// The running sums of up to [`ROWS`] rows of `classes` weights, or `None` if a row's weights are not those of
/// probabilities: an input is not finite, or negative where it is not a logarithm, or a sum is zero or infinite.
pub(crate) fn running_sums<T: Weight>(
    probs: &[u8],
    classes: usize,
    log: bool,
    sums: &mut [f64],
) -> Option<()> {
    let row_bytes = classes * T::SIZE;
    if sums.len() == ROWS * classes {
        side_by_side::<T, ROWS>(probs, classes, log, sums)
    } else {
        for (probs, sums) in probs.chunks_exact(row_bytes).zip(sums.chunks_exact_mut(classes)) {
            side_by_side::<T, 1>(probs, classes, log, sums)?;
        }
        Some(())
    }
}

#[inline(always)]
fn side_by_side<T: Weight, const N: usize>(
    probs: &[u8],
    classes: usize,
    log: bool,
    sums: &mut [f64],
) -> Option<()> {
    let mut inputs = probs.chunks_exact(classes * T::SIZE);
    let inputs: [&[u8]; N] = std::array::from_fn(|_| inputs.next().expect("as many rows as sums"));
    let mut outputs = sums.chunks_exact_mut(classes);
    let outputs: [&mut [f64]; N] = std::array::from_fn(|_| outputs.next().expect("as many rows as sums"));
    let mut totals = [0.0; N];
    let mut valid = true;
    for class in 0..classes {
        for row in 0..N {
            let input = T::widen(&inputs[row][class * T::SIZE..]);
            let weight = if log {
                valid &= input.is_finite();
                libm::exp(input)
            } else {
                valid &= input >= 0.0;
                input
            };
            totals[row] += weight;
            outputs[row][class] = totals[row];
        }
    }
    // A weight that is infinite makes its sum infinite, and one that is NaN is not `>= 0`.
    valid &= totals.iter().all(|&total| total > 0.0 && total < f64::INFINITY);
    valid.then_some(())
}

/// Which classes of a row have the weight zero.
pub(crate) fn weightless<T: Weight>(probs: &[u8], log: bool) -> Vec<bool> {
    let inputs = probs.chunks_exact(T::SIZE).map(T::widen);
    if log {
        inputs.map(|input| libm::exp(input) == 0.0).collect()
    } else {
        inputs.map(|input| input == 0.0).collect()
    }
}
