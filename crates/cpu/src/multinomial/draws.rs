//! Uniform draws: RandomUniform-8's f64 stream, or the caller's own.

use crate::{Level, Philox, value};

/// Draws of one request, as many as samples, row-major.
#[derive(Clone, Copy)]
pub enum Draws<'a> {
    /// The f64 stream in `[0, 1)` of TENSORFLOW.
    Generated(Philox),
    /// f64 elements, least significant byte first.
    Given(&'a [u8]),
}

impl Draws<'_> {
    /// Draws that are generated at a time.
    pub(crate) const CHUNK: usize = 1024;

    /// Calls `each` with the draws from `start` on, one for each element of `out`.
    #[inline(always)]
    pub(crate) fn zip<T>(self, level: Level, start: usize, out: &mut [T], each: impl FnMut(f64, &mut T)) {
        // A buffer is cleared before it is filled, which few draws should not wait for.
        if out.len() <= 32 {
            self.zip_in(&mut [0; 8 * 33], level, start, out, each);
        } else {
            self.zip_in(&mut [0; 8 * (Self::CHUNK + 1)], level, start, out, each);
        }
    }

    /// [`Self::zip`] with room for one draw more than are generated at a time.
    #[inline(always)]
    fn zip_in<T>(
        self,
        buffer: &mut [u8],
        level: Level,
        start: usize,
        out: &mut [T],
        mut each: impl FnMut(f64, &mut T),
    ) {
        // A block makes two draws: an odd start lies inside one, whose first draw is then left out.
        let size = buffer.len() / 8 - 1;
        for (out, start) in out.chunks_mut(size).zip((start..).step_by(size)) {
            let bytes = match self {
                Self::Given(bytes) => &bytes[8 * start..],
                Self::Generated(philox) => {
                    let blocks = u64::try_from(start / 2).expect("an index fits 64 bits");
                    let skipped = start % 2;
                    let bytes = &mut buffer[..8 * (skipped + out.len())];
                    value::fill_unit_f64(level, philox.skip(blocks), bytes);
                    &bytes[8 * skipped..]
                }
            };
            let (draws, _) = bytes.as_chunks();
            for (&draw, out) in draws.iter().zip(out) {
                each(f64::from_le_bytes(draw), out);
            }
        }
    }
}
