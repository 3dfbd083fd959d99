//! The search for classes with replacement: the first class whose share of the sum is not below a draw.
//!
//! Sums of weights that are not negative do not decrease, nor do their quotients by the total, so the first
//! class can be searched for. A class of weight zero has its predecessor's sum and is never the first, but at
//! the beginning, where all sums are zero and the draw must be zero too.

use super::Row;

/// How the classes of one row are found.
pub(crate) enum Table<'a> {
    /// For few draws: the sums as they are, and quotients only where they decide.
    Sums {
        /// Running sums.
        sums: &'a [f64],
        /// The last of them.
        total: f64,
        /// The first class whose weight is not zero.
        first: usize,
    },
    /// For many draws: the quotients, and where to begin for each of equal parts of the unit interval.
    Guide {
        /// Running sums divided by the last.
        shares: &'a [f64],
        /// For part `p` of `parts`, the first class whose share is at least `p / parts`; one more at the end.
        guide: &'a [u32],
        /// How many parts: a power of two, so that a draw's part is found without rounding.
        parts: f64,
        /// The first class whose weight is not zero.
        first: usize,
    },
}

impl<'a> Table<'a> {
    /// Parts per class: with this many, a draw's part seldom holds more than one step.
    const PARTS: usize = 8;

    /// A table for `draws` draws from a row. `guide` is a buffer whose contents do not matter.
    pub(crate) fn new(row: Row<'a>, draws: usize, guide: &'a mut Vec<u32>) -> Self {
        let first = row.first();
        let sums = row.sums;
        let classes = sums.len();
        let total = sums[classes - 1];
        if draws < classes || u32::try_from(classes).is_err() {
            return Self::Sums { sums, total, first };
        }
        for sum in &mut *sums {
            *sum /= total;
        }
        let parts = (Self::PARTS * classes).next_power_of_two().clamp(64, 1 << 15);
        let parts_bits = u32::try_from(parts).expect("at most 2^15");
        guide.clear();
        let mut class = 0;
        for part in 0..=parts_bits {
            let edge = f64::from(part) / f64::from(parts_bits);
            while sums[entry(class)] < edge {
                class += 1;
            }
            guide.push(class);
        }
        guide.push(u32::try_from(classes - 1).expect("the classes fit 32 bits"));
        Self::Guide {
            shares: sums,
            guide,
            parts: f64::from(parts_bits),
            first,
        }
    }

    /// The class of a draw in `[0, 1]`.
    #[inline(always)]
    pub(crate) fn find(&self, draw: f64) -> usize {
        match *self {
            Self::Sums { sums, total, first } => {
                let last = sums.len() - 1;
                let target = draw * total;
                let mut class = sums.partition_point(|&sum| sum < target).min(last);
                // The product only comes close; the quotient decides.
                while class > 0 && draw <= sums[class - 1] / total {
                    class -= 1;
                }
                while class < last && draw > sums[class] / total {
                    class += 1;
                }
                class.max(first)
            }
            Self::Guide {
                shares,
                guide,
                parts,
                first,
            } => {
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "a draw is in [0, 1]: its part is one of the table's"
                )]
                let part = (draw * parts) as usize;
                let mut class = entry(guide[part]);
                class += usize::from(shares[class] < draw);
                if shares[class] < draw {
                    let end = entry(guide[part + 1]);
                    class += shares[class..end].partition_point(|&share| share < draw);
                }
                class.max(first)
            }
        }
    }
}

/// A table's entry as an index.
#[inline(always)]
fn entry(class: u32) -> usize {
    usize::try_from(class).expect("the class is one of a row")
}
