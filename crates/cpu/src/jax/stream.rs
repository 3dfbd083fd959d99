//! The bits of a key, in the order of the elements that take them.

use crate::bits::{halves, join};
use crate::fill::fill;
use crate::level::Level;
use crate::philox::Philox;
use crate::rule::Bits;
use crate::split;
use crate::threefry::{Counted, Mixed, Threefry, fill_apart};

/// The bits that a key draws.
#[derive(Clone, Copy, Debug)]
pub enum Stream {
    /// XLA's Philox: a word for each element of up to 32 bits.
    Philox(Philox),
    /// Threefry by this key in today's order: a block for each element.
    Counted(u64),
    /// Threefry by this key in the original order, whose words depend on the number of all: elements of 8 and 16 bits
    /// are pieces of words, and those of 64 bits take the same word of both halves.
    Halved(u64),
}

/// A stream for some elements of an output, whose words can depend on how many there are in all.
#[derive(Clone, Copy)]
pub(crate) struct Part {
    pub(crate) stream: Stream,
    /// The first of the elements, and the number of all.
    pub(crate) place: [usize; 2],
}

/// The words, one or two of each element, that are made before they are converted: as few as a core keeps near.
pub(super) const PIECE: usize = 1024;
/// The pieces that one thread fills at a time.
const PIECES: usize = 16;

#[derive(Clone, Copy)]
#[repr(align(64))]
struct Buffer([u8; 4 * PIECE]);

impl Buffer {
    const EMPTY: Self = Self([0; 4 * PIECE]);
}

/// Fills elements of the words of each stream, of which it takes as many.
pub(crate) type Put<'a, const STREAMS: usize> = &'a (dyn Fn([&[u8]; STREAMS], &mut [u8]) + Sync);

/// Fills `out` with elements of `size` bytes, which take `taken` bytes of each stream. `put` finds a word for each
/// element, or two, least significant byte first. Where an element takes less, only the low bits of its word count. The
/// first of two words is the high one, except for Philox. The streams are of one kind, and their parts of one place.
pub(crate) fn each<const STREAMS: usize>(
    level: Level,
    parts: [Part; STREAMS],
    taken: usize,
    size: usize,
    out: &mut [u8],
    put: Put<'_, STREAMS>,
) {
    let (streams, [start, all]) = (parts.map(|part| part.stream), parts[0].place);
    let words = taken.div_ceil(4);
    let (count, piece) = (out.len() / size, PIECE / words);
    if let (Stream::Halved(_), 1 | 2 | 4, true) = (streams[0], taken, count == all) {
        return each_of_halves(level, streams, taken, size, out, put);
    }
    split::for_each(count, out, PIECES * piece * size, |chunk, out| {
        let mut buffers = [Buffer::EMPTY; STREAMS];
        for (i, out) in out.chunks_mut(piece * size).enumerate() {
            let (first, filled) = ((PIECES * chunk + i) * piece, out.len() / size * 4 * words);
            for (stream, buffer) in streams.into_iter().zip(&mut buffers) {
                stream.fill(level, [start + first, all], taken, &mut buffer.0[..filled]);
            }
            put(buffers.each_ref().map(|buffer| &buffer.0[..filled]), out);
        }
    });
}

impl Stream {
    /// Fills `out` with the words of the elements from `first` on, of `count` that take `taken` bytes each.
    pub(crate) fn fill(self, level: Level, [first, count]: [usize; 2], taken: usize, out: &mut [u8]) {
        let number = |index: usize| u64::try_from(index).expect("an index fits 64 bits");
        let [low, high] = halves(number(first));
        let counter = [high, low];
        match (self, taken) {
            (Self::Philox(philox), _) => {
                let words = first * taken.div_ceil(4);
                fill(level, philox.skip(number(words / 4)), Bits, out);
            }
            (Self::Counted(key), 8) => fill(level, Counted::<false> { key, counter }, Bits, out),
            (Self::Counted(key), _) => fill(level, Mixed(Counted { key, counter }), Bits, out),
            (Self::Halved(key), 1 | 2 | 4) => {
                let pieces = 4 / taken;
                let mut words = vec![0; out.len() / pieces];
                halved(level, key, [first / pieces, count.div_ceil(pieces)], &mut words);
                match taken {
                    1 => spread::<1>(&words, out),
                    2 => spread::<2>(&words, out),
                    _ => out.copy_from_slice(&words),
                }
            }
            (Self::Halved(key), _) => {
                let [second, _] = halves(number(count + first));
                let counter = [low, second];
                fill(level, Counted::<true> { key, counter }, Bits, out);
            }
        }
    }
}

/// [`each`] of the original order, where elements take words or pieces of them.
fn each_of_halves<const STREAMS: usize>(
    level: Level,
    streams: [Stream; STREAMS],
    taken: usize,
    size: usize,
    out: &mut [u8],
    put: Put<'_, STREAMS>,
) {
    let pieces = 4 / taken;
    let total = (out.len() / size).div_ceil(pieces);
    let (piece, each) = (PIECE / pieces, pieces * size);
    let first = (total.div_ceil(2) * each).min(out.len());
    let chunk_size = PIECES * piece * each;
    split::for_each_pair(total, out, [first, chunk_size], &|chunk, [firsts, seconds]| {
        let mut words = [[Buffer::EMPTY; STREAMS]; 2];
        let mut whole = [Buffer::EMPTY; STREAMS];
        let mut rest = seconds.chunks_mut(piece * each);
        for (i, first) in firsts.chunks_mut(piece * each).enumerate() {
            let outs = [first, rest.next().unwrap_or_default()];
            let start = (PIECES * chunk + i) * piece;
            let filled = outs.each_ref().map(|out| 4 * out.len().div_ceil(each));
            let [firsts, seconds] = &mut words;
            for (stream, (first, second)) in streams.into_iter().zip(firsts.iter_mut().zip(seconds)) {
                let (Stream::Halved(key) | Stream::Counted(key) | Stream::Philox(Philox { key, .. })) =
                    stream;
                let words = [&mut first.0[..filled[0]], &mut second.0[..filled[1]]];
                fill_halves(level, key, total, start, words);
            }
            for (words, out) in words.iter().zip(outs) {
                let mut taking = words;
                if taken < 4 {
                    for (whole, words) in whole.iter_mut().zip(words) {
                        match taken {
                            1 => spread::<1>(&words.0, &mut whole.0),
                            _ => spread::<2>(&words.0, &mut whole.0),
                        }
                    }
                    taking = &whole;
                }
                let filled = out.len() / size * 4;
                put(taking.each_ref().map(|words| &words.0[..filled]), out);
            }
        }
    });
}

/// Fills `whole` with words of which each has the next `TAKEN` bytes of `words`.
fn spread<const TAKEN: usize>(words: &[u8], whole: &mut [u8]) {
    let pieces = words.as_chunks::<TAKEN>().0;
    for (whole, piece) in whole.as_chunks_mut::<4>().0.iter_mut().zip(pieces) {
        whole[..TAKEN].copy_from_slice(piece);
    }
}

/// Fills `out` with words of the original order from the word `start` on, of `total`; the last may be cut.
pub(crate) fn halved(level: Level, key: u64, [start, total]: [usize; 2], out: &mut [u8]) {
    let half = total.div_ceil(2);
    let first = (4 * half.saturating_sub(start)).min(out.len());
    if out.len().div_ceil(4) == total {
        return split::for_each_pair(total, out, [first, 4 * PIECES * PIECE], &|chunk, outs| {
            fill_halves(level, key, total, chunk * PIECES * PIECE, outs);
        });
    }
    // The other words of a part's blocks are made too, and dropped.
    let (firsts, seconds) = out.split_at_mut(first);
    if !firsts.is_empty() {
        fill_halves(level, key, total, start, [firsts, &mut []]);
    }
    let mut others = vec![0; seconds.len()];
    let start = start.saturating_sub(half);
    fill_halves(level, key, total, start, [&mut others, seconds]);
}

/// Fills both parts with words of the original order of `total`, each from the word `start` of its half on.
fn fill_halves(level: Level, key: u64, total: usize, start: usize, outs: [&mut [u8]; 2]) {
    let count = |index: usize| halves(u64::try_from(index).expect("an index fits 64 bits"))[0];
    let half = total.div_ceil(2);
    let counter = [start, half + start].map(count);
    let [first, second] = outs;
    fill_apart(level, Counted { key, counter }, first, second);
    // The counts of an odd number are padded with a zero at the end.
    if total % 2 == 1 && start + first.len().div_ceil(4) == half {
        let counter = join(0, count(half - 1));
        let [word, _] = Threefry { key, counter }.block(0).map(u32::to_le_bytes);
        let place = &mut first[4 * (half - 1 - start)..];
        place.copy_from_slice(&word[..place.len()]);
    }
}
