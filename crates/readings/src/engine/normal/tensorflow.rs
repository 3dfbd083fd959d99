//! TensorFlow's normals, eager and compiled.

use seedproof_ops::{Dtype, Failure, Shape};

use super::compiled;
use super::pair::{Drawn, Pair};
use crate::answers::{
    DrawnAgain, GroupBlocks, Kernels, LitertRoles, NormalAdvance, NormalMethod, PairUse, SecondAngle,
    TruncatedAt,
};
use crate::engine::forms::changed;
use crate::engine::philox::{Block, split_64};
use crate::engine::seeds::{cut, key_and_counter};
use crate::engine::stream::{Counter, as_u128};
use crate::engine::units::Convert;
use crate::reading::Reading;
use crate::round::f32_of;

/// The blocks of one key from a counter on.
#[derive(Clone, Copy)]
pub(in crate::engine) struct Stream {
    key: u64,
    counter: u128,
    execution: u32,
    truncated: bool,
}

impl Stream {
    pub(in crate::engine) const fn new(key: u64, counter: u128, truncated: bool) -> Self {
        Self {
            key,
            counter,
            execution: 0,
            truncated,
        }
    }

    /// # Errors
    /// [`Failure::Unsupported`] for two seeds of zero.
    pub(in crate::engine) fn seeded(
        reading: &Reading,
        seeds: [u64; 2],
        execution: u32,
        truncated: bool,
    ) -> Result<Self, Failure> {
        // The seeds of the request decide whether entropy is asked for, not what a wrong kernel leaves of them.
        Self::of_words(seeds, key_and_counter(reading, seeds), execution, truncated)
    }

    fn of_words(
        seeds: [u64; 2],
        [key, high]: [u64; 2],
        execution: u32,
        truncated: bool,
    ) -> Result<Self, Failure> {
        if seeds == [0, 0] {
            return Err(Failure::Unsupported(
                "two seeds of zero draw from entropy".to_owned(),
            ));
        }
        Ok(Self {
            execution,
            ..Self::new(key, u128::from(high) << 64, truncated)
        })
    }

    /// LiteRT's, of seeds that are cut.
    ///
    /// # Errors
    /// [`Failure::Unsupported`] for two seeds that are zero then.
    pub(super) fn litert(reading: &Reading, seeds: [u64; 2], execution: u32) -> Result<Self, Failure> {
        let seeds = seeds.map(|seed| cut(reading.litert.seeds, seed));
        let words = match reading.litert.roles {
            LitertRoles::KeyAndCounter => seeds,
            LitertRoles::PackedKey => [seeds[0] & 0xffff_ffff | seeds[1] << 32, 0],
        };
        Self::of_words(seeds, words, execution, false)
    }

    /// The stream after the executions before this one, each of this number of elements.
    pub(super) fn advanced(self, advance: NormalAdvance, count: usize) -> Self {
        let each = match advance {
            NormalAdvance::Elements256 => as_u128(count) << 8,
            NormalAdvance::PerElement(blocks) => as_u128(count) * u128::from(blocks),
            NormalAdvance::Blocks => as_u128(count.div_ceil(4)),
            NormalAdvance::Subsequence => 1 << 64,
            NormalAdvance::None => 0,
        };
        self.advanced_by(each)
    }

    /// The stream after the earlier executions, each of which takes `blocks` blocks.
    pub(in crate::engine) fn advanced_by(self, blocks: u128) -> Self {
        let counter = self
            .counter
            .wrapping_add(blocks.wrapping_mul(u128::from(self.execution)));
        Self { counter, ..self }
    }

    /// The first `count` normals of an output of this shape.
    pub(super) fn draw(self, reading: &Reading, dtype: Dtype, shape: &Shape, count: usize) -> Drawn {
        if reading.normal_fill.kernels == Kernels::Xla {
            let words = |count| self.words(reading, 0, count);
            let values = compiled::normals(&reading.tensorflow_normal, dtype, shape.dims(), count, &words);
            return Drawn {
                values,
                words: None,
                per_block: 4,
            };
        }
        if self.truncated {
            let values = self.truncated(reading, count);
            return Drawn {
                values,
                words: None,
                per_block: 4,
            };
        }
        if reading.tensorflow_normal.method == NormalMethod::Polar {
            return Drawn {
                values: self.polar(reading, count),
                words: None,
                per_block: 4,
            };
        }
        let used = reading.normal_fill.pair;
        let each = if used == PairUse::Both { 1 } else { 2 };
        let mut words = self.words(reading, 0, (count * each).next_multiple_of(2));
        let mut values = Self::normals(reading, &words);
        if used != PairUse::Both {
            let first = usize::from(used == PairUse::Second);
            values = values.into_iter().skip(first).step_by(2).take(count).collect();
            return Drawn {
                values,
                words: None,
                per_block: 4,
            };
        }
        values.truncate(count);
        words.truncate(count);
        Drawn {
            values,
            words: Some(words),
            per_block: 4,
        }
    }

    /// Numbers of the unit interval, one of each word.
    pub(super) fn units(self, reading: &Reading, count: usize) -> Drawn {
        let words = self.words(reading, 0, count);
        Drawn {
            values: words.iter().map(|&word| unit(reading, word).into()).collect(),
            words: Some(words),
            per_block: 4,
        }
    }

    /// Words from a block on.
    pub(in crate::engine) fn words(self, reading: &Reading, first: u128, count: usize) -> Vec<u32> {
        let block = Block::new(&reading.philox, split_64(self.key));
        let start = Counter::new(self.counter.wrapping_add(first), &reading.stream);
        let blocks = (0..count.div_ceil(4)).flat_map(|i| block.words(start.at(0, i)));
        let mut words: Vec<u32> = blocks.take(count).collect();
        changed(reading.memory.words, &mut words);
        words
    }

    /// The normals of pairs of words.
    fn normals(reading: &Reading, words: &[u32]) -> Vec<f64> {
        let (pairs, _) = words.as_chunks::<2>();
        let pair = Pair(&reading.tensorflow_normal);
        let is_shared = reading.normal_fill.second_angle == SecondAngle::First;
        let normals = pairs.iter().enumerate().flat_map(|(i, &[first, second])| {
            let second = if is_shared { pairs[i / 2 * 2][1] } else { second };
            pair.of([first, second].map(|word| unit(reading, word)))
        });
        normals.map(f64::from).collect()
    }

    fn polar(self, reading: &Reading, count: usize) -> Vec<f64> {
        let mut drawn = Vec::new();
        let mut next = 0;
        let draw = || {
            if next == drawn.len() {
                drawn.extend(self.words(reading, as_u128(next / 4), 256));
            }
            next += 2;
            [next - 2, next - 1].map(|place| unit(reading, drawn[place]))
        };
        let normals = Pair(&reading.tensorflow_normal).polar(count, draw);
        normals.into_iter().map(f64::from).collect()
    }

    /// Groups of four, each of the normals that its own blocks make.
    fn truncated(self, reading: &Reading, count: usize) -> Vec<f64> {
        let is_kept = |x: f64| match reading.normal_fill.truncated {
            TruncatedAt::BelowTwo => x.abs() < 2.0,
            TruncatedAt::UpToTwo => x.abs() <= 2.0,
            TruncatedAt::BelowThree => x.abs() < 3.0,
            TruncatedAt::AboveAlone => x < 2.0,
            TruncatedAt::BelowAlone => x > -2.0,
            TruncatedAt::Clipped | TruncatedAt::Reflected | TruncatedAt::Everywhere => true,
        };
        let mut values = Vec::new();
        let mut next = 0;
        // A serial stream is one group, as large as the output.
        let size = match reading.normal_fill.group {
            GroupBlocks::Serial => count.max(1),
            _ => 4,
        };
        for group in 0..count.div_ceil(size) {
            match reading.normal_fill.group {
                GroupBlocks::B256 => next = as_u128(group) * 256,
                GroupBlocks::Other(blocks) => next = as_u128(group) * u128::from(blocks),
                GroupBlocks::None | GroupBlocks::Serial => {}
            }
            let full = values.len() + size;
            let mut places = [None; 4];
            for _ in 0..64 * size {
                let words = self.words(reading, next, 4);
                next += 1;
                let drawn = Self::normals(reading, &words);
                if reading.normal_fill.again == DrawnAgain::Place {
                    for (place, normal) in places.iter_mut().zip(drawn) {
                        *place = place.or_else(|| is_kept(normal).then_some(normal));
                    }
                    if places.iter().all(Option::is_some) {
                        values.extend(places.into_iter().flatten());
                        break;
                    }
                    continue;
                }
                let together = match reading.normal_fill.again {
                    DrawnAgain::One | DrawnAgain::Place => 1,
                    DrawnAgain::Pair => 2,
                    DrawnAgain::Group => 4,
                };
                let kept = drawn
                    .chunks(together)
                    .filter(|normals| normals.iter().all(|&x| is_kept(x)));
                let left = full - values.len();
                values.extend(kept.flatten().take(left));
                if values.len() == full {
                    break;
                }
            }
            // A stream that a mistake makes constant, or whose normals are NaN, has nothing to keep however long it is drawn.
            values.resize(full, f64::NAN);
        }
        values.truncate(count);
        for value in &mut values {
            match reading.normal_fill.truncated {
                TruncatedAt::Clipped => *value = value.clamp(-2.0, 2.0),
                TruncatedAt::Reflected if value.abs() >= 2.0 => {
                    *value = f64::from(f32_of(4.0 - value.abs())).copysign(*value);
                }
                _ => {}
            }
        }
        values
    }
}

/// The number of the unit interval that a word makes.
fn unit(reading: &Reading, word: u32) -> f32 {
    f32_of(Convert::Philox(&reading.philox_convert).unit(Dtype::F32, &[word]))
}
