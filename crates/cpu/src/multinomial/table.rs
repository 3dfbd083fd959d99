//! The search for classes with replacement: the first class whose share of the sum is not below a draw.
//!
//! Sums of weights that are not negative do not decrease, nor do their quotients by the total, so the first
//! class can be searched for. A class of weight zero has its predecessor's sum and is never the first, but at
//! the beginning, where all sums are zero and the draw must be zero too.

use super::Row;
use crate::bits::halves;

/// A way to find the classes of one row.
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

    /// Writes the class of each draw in `[0, 1]` as `index` makes it. Draws are the bytes of f64, least
    /// significant first.
    #[inline(always)]
    pub(crate) fn find_each<T>(self, draws: &[[u8; 8]], out: &mut [T], index: impl Fn(usize) -> T) {
        match self {
            Self::Sums(sums) => {
                for (draws, out) in draws.chunks(TOGETHER).zip(out.chunks_mut(TOGETHER)) {
                    let mut numbers = [0.0; TOGETHER];
                    for (number, &draw) in numbers.iter_mut().zip(draws) {
                        *number = f64::from_le_bytes(draw);
                    }
                    for (out, class) in out.iter_mut().zip(sums.find(&numbers[..draws.len()])) {
                        *out = index(class);
                    }
                }
            }
            Self::Guide(guide) => {
                for (out, &draw) in out.iter_mut().zip(draws) {
                    *out = index(guide.find(f64::from_le_bytes(draw)));
                }
            }
        }
    }
}

/// Draws that are searched for at the same time: the steps of one search wait for one another.
const TOGETHER: usize = 16;

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
    /// The classes of up to [`TOGETHER`] draws in `[0, 1]`; those after them mean nothing.
    #[inline(always)]
    fn find(self, draws: &[f64]) -> [usize; TOGETHER] {
        // Binary search for the number of sums that are less than each target.
        let mut classes = [0; TOGETHER];
        let mut targets = [0.0; TOGETHER];
        for (target, draw) in targets.iter_mut().zip(draws) {
            *target = draw * self.total;
        }
        let mut size = self.running.len();
        while size > 1 {
            let half = size / 2;
            for (class, target) in classes.iter_mut().zip(&targets[..draws.len()]) {
                let less = self.running[*class + half - 1] < *target;
                *class += std::hint::select_unpredictable(less, half, 0);
            }
            size -= half;
        }
        for (class, &draw) in classes.iter_mut().zip(draws) {
            *class = self.settle(*class, draw);
        }
        classes
    }

    /// The class of a draw, from one that is near.
    #[inline(always)]
    fn settle(self, near: usize, draw: f64) -> usize {
        let last = self.running.len() - 1;
        let mut class = near;
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
    /// For each part the first class with a weight whose share is not below the part's lower end; one more at
    /// the end.
    starts: &'a [u32],
    /// The number of parts: a power of two, so that draws are multiplied by it exactly.
    parts: f64,
}

impl<'a> Guide<'a> {
    /// Parts per class: with this many, a draw's part rarely holds more than one step.
    const PARTS: usize = 4;

    fn new(shares: &'a [f64], first: usize, starts: &'a mut Vec<u32>) -> Self {
        let parts = (Self::PARTS * shares.len())
            .next_power_of_two()
            .clamp(64, 1 << 15);
        let parts = u32::try_from(parts).expect("at most 2^15");
        starts.clear();
        let mut class = u32::try_from(first).expect("the classes fit 32 bits");
        // A draw's part is the nearest: parts begin half a part early, and the last one holds 1 and its
        // share.
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
        class
    }
}

/// A number of 32 bits as an index.
#[inline(always)]
fn index(x: u32) -> usize {
    usize::try_from(x).expect("a class or a part is one of a row's")
}
