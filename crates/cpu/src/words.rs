//! The words of a generator one at a time, for callers without tensors.

use crate::mt19937::{self, Mt19937};
use crate::philox::{Philox, PhiloxKey};
use crate::plan::Generator;

/// The words of a stream from its first on, without end.
///
/// With the feature `rand_core` this is a `rand_core::Rng`: a `u64` is two words, the first of them its low half; bytes
/// are words with the least significant byte first, and what is left of the last word is dropped.
///
/// ```
/// use seedproof_cpu::{Generator, Philox};
///
/// let mut words = Generator::Philox(Philox::from_seeds(150, 10)).words();
/// assert_eq!(words.next(), Some(0xe059be6b));
/// ```
#[derive(Clone)]
pub struct Words {
    source: Source,
    /// The words that were made last, their number, and how many of them are used. The array has the size of MT19937's
    /// state, which is regenerated as a whole; a block of Philox takes four places of it.
    made: [u32; mt19937::N],
    length: usize,
    taken: usize,
}

#[derive(Clone)]
enum Source {
    Philox(Philox),
    Key(PhiloxKey),
    Mt19937(Box<Mt19937>),
}

impl Generator {
    /// The words of the stream, one at a time.
    pub fn words(self) -> Words {
        Words::new(self)
    }
}

impl Words {
    fn new(generator: Generator) -> Self {
        Self {
            source: match generator {
                Generator::Philox(philox) => Source::Philox(philox),
                Generator::Key(key) => Source::Key(key),
                Generator::Mt19937 { seed } => Source::Mt19937(Box::new(Mt19937::new(seed, mt19937::N))),
            },
            made: [0; mt19937::N],
            length: 0,
            taken: 0,
        }
    }

    /// The next word.
    pub fn next_word(&mut self) -> u32 {
        if self.taken == self.length {
            self.refill();
        }
        let word = self.made[self.taken];
        self.taken += 1;
        word
    }

    /// Makes the next block, or the next generation of the state.
    fn refill(&mut self) {
        self.length = match &mut self.source {
            Source::Philox(philox) => {
                let block = philox.block(0);
                *philox = philox.skip(1);
                self.made[..block.len()].copy_from_slice(&block);
                block.len()
            }
            Source::Key(key) => {
                let block = key.philox().block(0);
                *key = key.skip(1);
                self.made[..block.len()].copy_from_slice(&block);
                block.len()
            }
            Source::Mt19937(generator) => {
                generator.next(&mut self.made);
                self.made.len()
            }
        };
        self.taken = 0;
    }
}

impl Iterator for Words {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        Some(self.next_word())
    }
}

#[cfg(feature = "rand_core")]
impl rand_core::TryRng for Words {
    type Error = std::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Ok(self.next_word())
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        let low = self.next_word();
        Ok(crate::bits::join(self.next_word(), low))
    }

    fn try_fill_bytes(&mut self, dst: &mut [u8]) -> Result<(), Self::Error> {
        for bytes in dst.chunks_mut(4) {
            bytes.copy_from_slice(&self.next_word().to_le_bytes()[..bytes.len()]);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::Level;

    const GENERATORS: [Generator; 3] = [
        Generator::Philox(Philox {
            key: 1 << 40,
            counter: u128::MAX - 1,
        }),
        Generator::Mt19937 { seed: 5489 },
        Generator::Key(PhiloxKey {
            seed: 1 << 40,
            offset: u64::MAX - 1,
        }),
    ];

    #[test]
    fn words_are_those_that_fills_are_made_of() {
        for generator in GENERATORS {
            let mut bytes = vec![0; 4 * 3000];
            generator.fill_bytes(Level::best(), &mut bytes);
            let filled = bytes.as_chunks().0.iter().map(|&word| u32::from_le_bytes(word));
            assert!(filled.eq(generator.words().take(3000)), "{generator:?}");
        }
    }

    #[cfg(feature = "rand_core")]
    #[test]
    fn words_are_a_generator_of_rand_core() {
        use rand_core::Rng as _;

        for generator in GENERATORS {
            let words: Vec<u32> = generator.words().take(7).collect();
            let mut rng = generator.words();
            assert_eq!(rng.next_u32(), words[0]);
            assert_eq!(rng.next_u64(), u64::from(words[2]) << 32 | u64::from(words[1]));
            let mut bytes = [0; 6];
            rng.fill_bytes(&mut bytes);
            assert_eq!(bytes[..4], words[3].to_le_bytes());
            assert_eq!(bytes[4..], words[4].to_le_bytes()[..2]);
            assert_eq!(rng.next_u32(), words[5]);
        }
    }
}
