//! The classes of all rows: summed, then drawn, a few rows at a time.

use super::{
    Draws, Guide, MOST_ROWS, Row, Shrinking, Sums, Weight, is_of_sums, rows_together, running_sums,
    sums_side_by_side, weightless,
};
use crate::level::Level;
use crate::{split, stop};

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
    /// Writes the class of each sample of the rows from `first` on, an integer of `BYTES` bytes; `None` if a row's weights
    /// are not those of probabilities, or fewer than its samples where a class is drawn once only.
    pub(crate) fn fill<T: Weight, const BYTES: usize>(
        &self,
        first: usize,
        out: &mut [[u8; BYTES]],
    ) -> Option<()> {
        let rows = MOST_ROWS * (ELEMENTS / (MOST_ROWS * (self.classes + self.samples))).max(1);
        let work = (out.len() / self.samples * self.classes).saturating_add(out.len());
        split::try_for_each(work, out, rows * self.samples, |chunk, out| {
            let row = first + chunk * rows;
            let probs = &self.probs[row * self.classes * T::SIZE..];
            self.fill_rows::<T, BYTES>(row * self.samples, probs, out)
        })
    }

    /// Writes the classes of some rows. `start` is the first one's first draw.
    fn fill_rows<T: Weight, const BYTES: usize>(
        &self,
        mut start: usize,
        mut probs: &[u8],
        mut out: &mut [[u8; BYTES]],
    ) -> Option<()> {
        let most = (out.len() / self.samples).min(MOST_ROWS);
        let mut space = Space {
            sums: vec![0.0; most * self.classes],
            ..Space::default()
        };
        while !out.is_empty() {
            let rows = rows_together(out.len() / self.samples);
            let (of_rows, later_probs) = probs.split_at(rows * self.classes * T::SIZE);
            let (classes, later) = out.split_at_mut(rows * self.samples);
            self.fill_together::<T, BYTES>(start, of_rows, classes, &mut space)?;
            start += classes.len();
            (probs, out) = (later_probs, later);
        }
        Some(())
    }

    /// Writes the classes of rows that are summed together.
    fn fill_together<T: Weight, const BYTES: usize>(
        &self,
        start: usize,
        probs: &[u8],
        out: &mut [[u8; BYTES]],
        space: &mut Space,
    ) -> Option<()> {
        let Self { level, classes, .. } = *self;
        let Space { sums, draws, guide } = space;
        let rows = out.len() / self.samples;
        let sums = &mut sums[..rows * classes];
        let of_sums = self.with_replacement && is_of_sums(classes, self.samples);
        // Logarithms are left out: their exponentials take so long that summing in vectors gains nothing.
        let side_by_side = rows >= 8 && of_sums && !self.log && level != Level::scalar();
        let valid = match rows {
            16 if side_by_side => sums_side_by_side::<T, 16>(level, probs, classes, sums),
            8 if side_by_side => sums_side_by_side::<T, 8>(level, probs, classes, sums),
            _ => running_sums::<T>(probs, classes, self.log, sums),
        };
        valid?;
        let generated = matches!(self.draws, Draws::Generated(_));
        // Few draws are generated for all rows at once, so that short rows do not start the generator one by one.
        let (draws, start) = if out.len() <= Draws::CHUNK {
            (Draws::Given(self.draws.bytes(level, start, out.len(), draws)), 0)
        } else {
            (self.draws, start)
        };
        if of_sums {
            let sums = if side_by_side {
                Sums::side_by_side(sums, classes)
            } else {
                Sums::in_rows(sums, classes)
            };
            split::for_each(out.len(), out, SAMPLES, |chunk, out| {
                let mut skipped = chunk * SAMPLES;
                draws.zip(level, start + skipped, out, |draws, out| {
                    sums.find_each(self.samples, skipped, draws, out, index);
                    skipped += out.len();
                });
            });
            return Some(());
        }
        let rows = out
            .chunks_exact_mut(self.samples)
            .zip(sums.chunks_exact_mut(classes));
        for (i, (out, sums)) in rows.enumerate() {
            let start = start + i * self.samples;
            if self.with_replacement {
                let table = Guide::new(Row { sums }, self.samples, guide);
                split::for_each(self.samples, out, SAMPLES, |chunk, out| {
                    draws.zip(level, start + chunk * SAMPLES, out, |draws, out| {
                        table.find_each(level, draws, generated, out, index);
                    });
                });
            } else {
                let row_bytes = classes * T::SIZE;
                let excluded = weightless::<T>(&probs[i * row_bytes..][..row_bytes], self.log);
                let mut row = Shrinking::new(Row { sums }, excluded, self.samples)?;
                draws.zip(level, start, out, |draws, out| {
                    for (&draw, out) in draws.iter().zip(out) {
                        // Checked at every draw, since one draw may go through all classes.
                        if stop::is_set() {
                            return;
                        }
                        *out = index(row.draw(f64::from_le_bytes(draw)));
                    }
                });
            }
        }
        Some(())
    }
}

/// Memory that is reused for one set of rows after another.
#[derive(Default)]
struct Space {
    /// Running sums.
    sums: Vec<f64>,
    /// Draws that were generated.
    draws: Vec<u8>,
    /// The parts of a guide.
    guide: Vec<u64>,
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
