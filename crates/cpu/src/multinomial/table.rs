//! The search for classes with replacement: the first class whose share of the sum is not below a draw.
//!
//! Sums of weights that are not negative do not decrease, nor do their quotients by the total, so the first
//! class can be searched for. A class of weight zero has its predecessor's sum and is never the first, but at
//! the beginning, where all sums are zero and the draw must be zero too.

use super::Row;
use crate::philox::halves;

/// How the classes of one row are found.
#[derive(Clone, Copy)]
pub(crate) enum Table<'a> {
    /// For few draws.
    Sums(Sums<'a>),
    /// For many draws.
    Guide(Guide<'a>),
}

impl<'a> Table<'a> {
    /// A table for `draws` draws from a row. `buffer` is for the guide; its contents do not matter.
    pub(crate) fn new(row: Row<'a>, draws: usize, buffer: &'a mut Vec<u32>) -> Self {
        let first = row.first();
        let sums = row.sums;
        let total = sums[sums.len() - 1];
        if draws < sums.len() || u32::try_from(sums.len()).is_err() {
            return Self::Sums(Sums {
                running: sums,
                total,
                first,
            });
        }
        for sum in &mut *sums {
            *sum /= total;
        }
        Self::Guide(Guide::new(sums, first, buffer))
    }
}

/// The sums as they are, and quotients only where they decide.
#[derive(Clone, Copy)]
pub(crate) struct Sums<'a> {
    running: &'a [f64],
    /// The last of them.
    total: f64,
    /// The first class whose weight is not zero.
    first: usize,
}

impl Sums<'_> {
    /// The class of a draw in `[0, 1]`.
    #[inline(always)]
    pub(crate) fn find(self, draw: f64) -> usize {
        let last = self.running.len() - 1;
        let target = draw * self.total;
        let mut class = self.running.partition_point(|&sum| sum < target).min(last);
        // The product only comes close; the quotient decides.
        while class > 0 && draw <= self.running[class - 1] / self.total {
            class -= 1;
        }
        while class < last && draw > self.running[class] / self.total {
            class += 1;
        }
        class.max(self.first)
    }
}

/// The quotients, and where to begin for each of equal parts of the unit interval.
#[derive(Clone, Copy)]
pub(crate) struct Guide<'a> {
    /// Running sums divided by the last.
    shares: &'a [f64],
    /// For each part the first class whose share is not below the part's lower end; one more at the end.
    starts: &'a [u32],
    /// How many parts: a power of two, so that draws are multiplied by it exactly.
    parts: f64,
    /// The first class whose weight is not zero.
    first: usize,
}

impl<'a> Guide<'a> {
    /// Parts per class: with this many, a draw's part seldom holds more than one step.
    const PARTS: usize = 4;

    fn new(shares: &'a [f64], first: usize, starts: &'a mut Vec<u32>) -> Self {
        let parts = (Self::PARTS * shares.len())
            .next_power_of_two()
            .clamp(64, 1 << 15);
        let parts = u32::try_from(parts).expect("at most 2^15");
        starts.clear();
        let mut class = 0;
        // A draw's part is the nearest: parts begin half a part early, and the last one holds 1 and its share.
        for part in 0..=parts {
            let edge = (f64::from(part) - 0.5) / f64::from(parts);
            while shares[index(class)] < edge {
                class += 1;
            }
            starts.push(class);
        }
        starts.push(u32::try_from(shares.len() - 1).expect("the classes fit 32 bits"));
        Self {
            shares,
            starts,
            parts: f64::from(parts),
            first,
        }
    }

    /// The class of a draw in `[0, 1]`.
    #[inline(always)]
    pub(crate) fn find(self, draw: f64) -> usize {
        // At 2^52 the last bit of a sum is worth one: its low bits are the nearest integer.
        let nearest = (draw * self.parts + 4_503_599_627_370_496.0).to_bits();
        let part = index(halves(nearest)[0]);
        let mut class = index(self.starts[part]);
        class += usize::from(self.shares[class] < draw);
        if self.shares[class] < draw {
            let end = index(self.starts[part + 1]);
            class += self.shares[class..end].partition_point(|&share| share < draw);
        }
        class.max(self.first)
    }
}

/// A number of 32 bits as an index.
#[inline(always)]
fn index(x: u32) -> usize {
    usize::try_from(x).expect("a class or a part is one of a row's")
}
