//! Uniform draws: RandomUniform-8's f64 stream, or the caller's own.

use crate::level::Level;
use crate::philox::Philox;
use crate::value;

/// Draws of one request, as many as samples, row-major.
#[derive(Clone, Copy)]
pub enum Draws<'a> {
    /// The f64 stream in `[0, 1)` of TENSORFLOW.
    Generated(Philox),
    /// f64 elements, least significant byte first.
    Given(&'a [u8]),
}

impl<'a> Draws<'a> {
    /// The draws that are generated at a time: 8 KiB, which stay in the first-level cache until they are used.
    pub(crate) const CHUNK: usize = 1024;

    /// The bytes of the `count` draws from `start` on. `buffer` is for those that are generated.
    #[inline]
    pub(crate) fn bytes<'b>(
        self,
        level: Level,
        start: usize,
        count: usize,
        buffer: &'b mut Vec<u8>,
    ) -> &'b [u8]
    where
        'a: 'b,
    {
        match self {
            Self::Given(bytes) => &bytes[8 * start..][..8 * count],
            Self::Generated(philox) => {
                // A block makes two draws: an odd start lies inside one, whose first draw is then left out.
                let blocks = u64::try_from(start / 2).expect("an index fits 64 bits");
                let skipped = start % 2;
                buffer.resize(8 * (skipped + count), 0);
                value::fill_unit_f64(level, philox.skip(blocks), buffer);
                &buffer[8 * skipped..]
            }
        }
    }

    /// Calls `each` with the draws from `start` on, one for each element of `out`: with a piece of both at a time.
    #[inline(always)]
    pub(crate) fn zip<T>(
        self,
        level: Level,
        start: usize,
        out: &mut [T],
        mut each: impl FnMut(&[[u8; 8]], &mut [T]),
    ) {
        let mut buffer = Vec::new();
        for (out, start) in out.chunks_mut(Self::CHUNK).zip((start..).step_by(Self::CHUNK)) {
            let (draws, _) = self.bytes(level, start, out.len(), &mut buffer).as_chunks();
            each(draws, out);
        }
    }
}
