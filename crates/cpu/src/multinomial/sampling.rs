//! The classes of all rows: summed, then drawn, a few rows at a time.

use super::{Draws, ROWS, Row, Shrinking, Table, Weight, running_sums, sums_side_by_side, weightless};
use crate::{Level, split, stop};

/// Rows of probabilities, and the samples to draw from each.
pub(crate) struct Sampling<'a> {
    pub(crate) level: Level,
    /// Elements of the weight's type, least significant byte first, row-major.
    pub(crate) probs: &'a [u8],
    /// Classes of each row; at least one.
    pub(crate) classes: usize,
    /// Whether `probs` are logarithms.
    pub(crate) log: bool,
    /// Samples of each row; at least one.
    pub(crate) samples: usize,
    pub(crate) with_replacement: bool,
    /// As many as samples of all rows.
    pub(crate) draws: Draws<'a>,
}

impl Sampling<'_> {
    /// Writes the class of each sample, an integer of `BYTES` bytes; `None` if a row's weights are not those
    /// of probabilities, or fewer than its samples where a class is drawn once only.
    pub(crate) fn fill<T: Weight, const BYTES: usize>(&self, out: &mut [[u8; BYTES]]) -> Option<()> {
        let rows = ROWS * (ELEMENTS / (ROWS * (self.classes + self.samples))).max(1);
        let work = (self.probs.len() / T::SIZE).saturating_add(out.len());
        split::try_for_each(work, out, rows * self.samples, |chunk, out| {
            let probs = &self.probs[chunk * rows * self.classes * T::SIZE..];
            self.fill_rows::<T, BYTES>(chunk * rows * self.samples, probs, out)
        })
    }

    /// Writes the classes of some rows. `start` is the first one's first draw.
    fn fill_rows<T: Weight, const BYTES: usize>(
        &self,
        start: usize,
        probs: &[u8],
        out: &mut [[u8; BYTES]],
    ) -> Option<()> {
        let Self { level, draws, .. } = *self;
        let generated = matches!(draws, Draws::Generated(_));
        let row_bytes = self.classes * T::SIZE;
        let rows = (out.len() / self.samples).min(ROWS);
        let of_sums = self.with_replacement && Table::is_of_sums(self.classes, self.samples);
        let mut sums = vec![0.0; rows * self.classes];
        let (mut buffer, mut guide) = (Vec::new(), Vec::new());
        let starts = (start..).step_by(ROWS * self.samples);
        let groups = out
            .chunks_mut(ROWS * self.samples)
            .zip(probs.chunks(ROWS * row_bytes));
        for ((out, probs), start) in groups.zip(starts) {
            let rows = out.len() / self.samples;
            let probs = &probs[..rows * row_bytes];
            // Exponentials take so long that vectors of sums gain nothing.
            let side_by_side = of_sums && rows == ROWS && !self.log && level != Level::scalar();
            if side_by_side {
                sums_side_by_side::<T>(level, probs, self.classes, sums.as_chunks_mut().0)?;
            } else {
                running_sums::<T>(probs, self.classes, self.log, &mut sums[..rows * self.classes])?;
            }
            // Few draws are generated for all rows at once.
            let (draws, start) = if out.len() <= Draws::CHUNK {
                (Draws::Given(draws.bytes(level, start, out.len(), &mut buffer)), 0)
            } else {
                (draws, start)
            };
            for (i, out) in out.chunks_exact_mut(self.samples).enumerate() {
                let start = start + i * self.samples;
                if self.with_replacement {
                    let row = i * self.classes..(i + 1) * self.classes;
                    let table = if side_by_side {
                        Table::of_sums(&sums, ROWS.ilog2(), i)
                    } else if of_sums {
                        Table::of_sums(&sums[row], 0, 0)
                    } else {
                        Table::new(Row { sums: &mut sums[row] }, self.samples, &mut guide)
                    };
                    split::for_each(self.samples, out, SAMPLES, |chunk, out| {
                        draws.zip(level, start + chunk * SAMPLES, out, |draws, out| {
                            table.find_each(level, draws, generated, out, index);
                        });
                    });
                } else {
                    let excluded = weightless::<T>(&probs[i * row_bytes..][..row_bytes], self.log);
                    let sums = &mut sums[i * self.classes..][..self.classes];
                    let mut row = Shrinking::new(Row { sums }, excluded, self.samples)?;
                    draws.zip(level, start, out, |draws, out| {
                        for (&draw, out) in draws.iter().zip(out) {
                            // A draw may look at every class.
                            if stop::is_set() {
                                return;
                            }
                            *out = index(row.draw(f64::from_le_bytes(draw)));
                        }
                    });
                }
            }
        }
        Some(())
    }
}

/// Weights and samples, together, that one thread takes on at a time.
const ELEMENTS: usize = 1 << 16;

/// Samples of one row that one thread draws at a time.
const SAMPLES: usize = 16 * Draws::CHUNK;

/// A class as an integer of `BYTES` bytes, the least significant first.
#[inline(always)]
fn index<const BYTES: usize>(class: usize) -> [u8; BYTES] {
    let bytes = u64::try_from(class).expect("an index fits 64 bits").to_le_bytes();
    *bytes.first_chunk().expect("an integer has at most 8 bytes")
}
