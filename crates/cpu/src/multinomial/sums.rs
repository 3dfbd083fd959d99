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

/// Rows that are taken on together.
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
    let mut valid = true;
    for (sum, input) in sums.iter_mut().zip(probs.chunks_exact(T::SIZE)) {
        let input = T::widen(input);
        *sum = if log {
            valid &= input.is_finite();
            libm::exp(input)
        } else {
            valid &= input >= 0.0;
            input
        };
    }
    for rows in sums.chunks_mut(CHAINS * classes) {
        accumulate(rows, classes);
    }
    // A weight that is infinite makes its sum infinite, and one that is NaN is not `>= 0`.
    let mut totals = sums.chunks_exact(classes).map(|row| row[classes - 1]);
    valid &= totals.all(|total| total > 0.0 && total < f64::INFINITY);
    valid.then_some(())
}

/// Rows that are summed at the same time. A sum is a chain of dependent additions, each row's in its own order;
/// several chains at once keep the adders busy.
const CHAINS: usize = 4;

/// Turns up to [`CHAINS`] rows of weights into their running sums.
fn accumulate(rows: &mut [f64], classes: usize) {
    if rows.len() == CHAINS * classes {
        let (front, back) = rows.split_at_mut(2 * classes);
        let (a, b) = front.split_at_mut(classes);
        let (c, d) = back.split_at_mut(classes);
        let mut totals = [0.0; CHAINS];
        for (((a, b), c), d) in a.iter_mut().zip(b).zip(c).zip(d) {
            for (total, weight) in totals.iter_mut().zip([a, b, c, d]) {
                *total += *weight;
                *weight = *total;
            }
        }
    } else {
        for row in rows.chunks_exact_mut(classes) {
            let mut total = 0.0;
            for weight in row {
                total += *weight;
                *weight = total;
            }
        }
    }
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
