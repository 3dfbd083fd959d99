//! Keys, and the keys that are made of them.

use seedproof_ops::{Failure, JaxKeyImpl};

use super::stream::{Part, Stream, halved};
use crate::bits::{halves, join, join64};
use crate::level::Level;
use crate::philox::Philox;
use crate::threefry::Counted;
use crate::{memory, split};

/// A key, how it draws, and in which order.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// How the key draws.
    pub implementation: JaxKeyImpl,
    /// Whether Threefry draws in today's order, and not in the original one.
    pub partitionable: bool,
    /// Four words, of which Threefry has two.
    pub words: [u32; 4],
}

impl Key {
    /// The blocks between the keys of a split of `unsafe_rbg`.
    pub const STRIDE: u32 = 10;
    /// The block of `unsafe_rbg` that `fold_in` takes.
    pub const FOLDED: u64 = 9;

    /// The key of a seed: its high half and its low one, twice.
    pub fn of_seed(implementation: JaxKeyImpl, seed: u64) -> Self {
        let [low, high] = halves(seed);
        Self {
            implementation,
            partitionable: true,
            words: [high, low, high, low],
        }
    }

    fn with(self, words: [u32; 4]) -> Self {
        Self { words, ..self }
    }

    /// The words that are the key.
    pub fn own(&self) -> &[u32] {
        match self.implementation {
            JaxKeyImpl::Threefry2x32 => &self.words[..2],
            JaxKeyImpl::Rbg | JaxKeyImpl::UnsafeRbg => &self.words,
        }
    }

    /// The stream of XLA's Philox: the key's first half is the counter's high half too.
    const fn philox(self) -> Philox {
        let [a, b, c, d] = self.words;
        let key = join(b, a);
        Philox {
            key,
            counter: join64(key, join(d, c)),
        }
    }

    /// Both halves as keys of Threefry.
    pub const fn threefry(self) -> [u64; 2] {
        let [a, b, c, d] = self.words;
        [join(b, a), join(d, c)]
    }

    /// What the key draws.
    pub const fn stream(self) -> Stream {
        match (self.implementation, self.partitionable) {
            (JaxKeyImpl::Threefry2x32, true) => Stream::Counted(self.threefry()[0]),
            (JaxKeyImpl::Threefry2x32, false) => Stream::Halved(self.threefry()[0]),
            _ => Stream::Philox(self.philox()),
        }
    }

    /// [`Self::stream`] for the elements of a place.
    pub(crate) const fn part(self, place: [usize; 2]) -> Part {
        let stream = self.stream();
        Part { stream, place }
    }

    /// The key that a number makes of this one.
    pub(crate) fn fold_in(self, data: u32) -> Self {
        if self.implementation == JaxKeyImpl::UnsafeRbg {
            let other = Self::of_seed(self.implementation, data.into()).philox();
            let mut words = self.words;
            for (word, other) in words.iter_mut().zip(other.block(Self::FOLDED)) {
                *word ^= other;
            }
            return self.with(words);
        }
        let counter = [0, data];
        let [[a, b], [c, d]] = self.threefry().map(|key| counted(key, counter).block());
        self.with([a, b, c, d])
    }

    /// The two keys of a split in two.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for the halves of keys.
    pub fn halves(self) -> Result<[Self; 2], Failure> {
        let each = self.own().len();
        let mut bytes = [0; 32];
        self.split(Level::scalar(), [0, 2 * each], &mut bytes[..8 * each])?;
        let mut keys = [self; 2];
        for (key, bytes) in keys.iter_mut().zip(bytes.chunks(4 * each)) {
            for (word, &bytes) in key.words.iter_mut().zip(bytes.as_chunks().0) {
                *word = u32::from_le_bytes(bytes);
            }
        }
        Ok(keys)
    }

    /// Fills `out` with the words of whole keys from the first word of the place on.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for the halves of keys.
    pub(crate) fn split(self, level: Level, place: [usize; 2], out: &mut [u8]) -> Result<(), Failure> {
        let [first, second] = self.threefry();
        match self.implementation {
            JaxKeyImpl::Threefry2x32 => self.split_half(level, first, place, out),
            JaxKeyImpl::Rbg => {
                // Two keys of Threefry lie side by side, of which each is split by itself.
                let mut parts = [memory::output(out.len() / 2)?, memory::output(out.len() / 2)?];
                for (key, part) in [first, second].into_iter().zip(&mut parts) {
                    self.split_half(level, key, place.map(|words| words / 2), part);
                }
                let [firsts, seconds] = parts.each_ref().map(|part| part.as_chunks::<8>().0);
                split::for_each(firsts.len(), out, KEYS * 16, |chunk, out| {
                    let parts = firsts[chunk * KEYS..].iter().zip(&seconds[chunk * KEYS..]);
                    for (key, (first, second)) in out.as_chunks_mut::<16>().0.iter_mut().zip(parts) {
                        key[..8].copy_from_slice(first);
                        key[8..].copy_from_slice(second);
                    }
                });
            }
            JaxKeyImpl::UnsafeRbg => {
                let (philox, first) = (self.philox(), place[0] / 4);
                split::for_each(out.len() / 16, out, KEYS * 16, |chunk, out| {
                    for (i, key) in out.as_chunks_mut::<16>().0.iter_mut().enumerate() {
                        let index = first + chunk * KEYS + i;
                        let index = u64::try_from(index).expect("an index fits 64 bits");
                        let words = philox.block(index * u64::from(Self::STRIDE));
                        *key = bytemuck::cast(words.map(u32::to_le));
                    }
                });
            }
        }
        Ok(())
    }

    fn split_half(self, level: Level, key: u64, place: [usize; 2], out: &mut [u8]) {
        if self.partitionable {
            Stream::Counted(key).fill(level, place.map(|words| words / 2), 8, out);
        } else {
            halved(level, key, place, out);
        }
    }
}

/// Keys that a thread makes at a time.
const KEYS: usize = 1 << 12;

const fn counted(key: u64, counter: [u32; 2]) -> Counted<false> {
    Counted { key, counter }
}
