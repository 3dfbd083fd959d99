//! Keys of the three implementations, and their bits.

use seedproof_ops::{Dtype, Failure, JaxKeyImpl, Tensor};

use crate::answers::{
    BlockMix, BlockPlaces, CountPairs, CountedNarrow, CounterOf, FirstPiece, FirstWord, FoldedAs,
    FoldedBlock, JaxOrder, KeyHalves, KeySeedBits, NarrowPart, NarrowWords, OddPad, RbgChildren, RbgWide,
    RbgWords, SplitBlocks, SplitStride, SplitWords, WideSource, WordOrder,
};
use crate::engine::philox::split_64;
use crate::engine::{check, forms, philox, scope, threefry};
use crate::reading::Reading;

/// A key with its implementation and the order of Threefry.
#[derive(Clone)]
pub(super) struct Key<'a> {
    reading: &'a Reading,
    pub(super) kind: JaxKeyImpl,
    partitionable: bool,
    /// The last of two extents or more that are drawn.
    columns: Option<u64>,
    pub(super) words: Vec<u32>,
}

impl<'a> Key<'a> {
    /// # Errors
    /// Another type than u32, and another form than that of the implementation's words; an order that the reading lacks.
    pub(super) fn new(
        reading: &'a Reading,
        kind: JaxKeyImpl,
        partitionable: bool,
        tensor: &Tensor,
    ) -> Result<Self, Failure> {
        let words = check::list("key", tensor, Dtype::U32, &[kind.words()])?;
        // A port has one order. If it answered requests of the other one too, whois would name it for both.
        if partitionable {
            scope::has(reading, |scope| scope.jax_partitionable, "partitionable order")?;
        } else {
            scope::has(reading, |scope| scope.jax_original, "original order")?;
        }
        Ok(Self {
            reading,
            kind,
            partitionable: match reading.jax_keys.order {
                JaxOrder::AsAsked => partitionable,
                JaxOrder::Original => false,
                JaxOrder::Partitionable => true,
            },
            columns: None,
            words: words.into_iter().map(|word| split_64(word)[0]).collect(),
        })
    }

    /// The same key, of which an output of these extents is drawn.
    pub(super) fn of_extents(self, dims: &[u64]) -> Self {
        let columns = match (self.reading.jax_keys.counter_of, dims) {
            (CounterOf::RowAndColumn, [_, .., columns]) if *columns > 0 => Some(*columns),
            _ => None,
        };
        Self { columns, ..self }
    }

    /// The counter of an element in the partitionable order.
    fn counter(&self, element: u64) -> u64 {
        self.columns.map_or(element, |columns| {
            // Both have 32 bits, since fewer elements fit into memory.
            (element / columns) << 32 | (element % columns)
        })
    }

    pub(super) fn of_seed(reading: &'a Reading, kind: JaxKeyImpl, seed: u64) -> Self {
        let [low, high] = split_64(match reading.jax_keys.seed_bits {
            KeySeedBits::All => seed,
            KeySeedBits::Low32 | KeySeedBits::Low32OfSafe => split_64(seed)[0].into(),
            KeySeedBits::Absolute => seed.cast_signed().unsigned_abs(),
        });
        let pair = ordered(reading.jax_keys.seed_order, [high, low]);
        Self {
            reading,
            kind,
            partitionable: true,
            columns: None,
            words: match kind {
                JaxKeyImpl::Threefry2x32 => pair.to_vec(),
                JaxKeyImpl::Rbg | JaxKeyImpl::UnsafeRbg => match reading.jax_keys.rbg_words {
                    RbgWords::Repeated => pair.repeat(2),
                    RbgWords::Zero => [pair, [0; 2]].concat(),
                },
            },
        }
    }

    /// Another key of the same implementation.
    pub(super) fn with(&self, words: Vec<u32>) -> Self {
        Self {
            words,
            ..self.clone()
        }
    }

    /// The keys of a split.
    pub(super) fn split(&self, count: usize) -> Vec<Vec<u32>> {
        if self.kind == JaxKeyImpl::UnsafeRbg {
            let stride = match self.reading.jax_keys.stride {
                SplitStride::Ten => 10,
                SplitStride::One => 1,
            };
            let blocks = (0_u64..).map(|i| self.philox(i * stride).to_vec());
            return blocks.take(count).collect();
        }
        let mut keys = vec![Vec::new(); count];
        // The pairs of an rbg key are keys of Threefry, whose new keys lie side by side.
        for pair in self.words.chunks_exact(2) {
            let pair = match self.reading.jax_keys.rbg_children {
                RbgChildren::Each => [pair[0], pair[1]],
                RbgChildren::First => [self.words[0], self.words[1]],
            };
            for (key, words) in keys.iter_mut().zip(self.split_pair(pair, count)) {
                key.extend(words);
            }
        }
        keys
    }

    fn split_pair(&self, pair: [u32; 2], count: usize) -> Vec<[u32; 2]> {
        let answers = &self.reading.jax_keys;
        if self.partitionable {
            let blocks = (u64::from(answers.split_from.0)..)
                .map(|i| self.threefry(pair, i))
                .take(count);
            return match answers.split_blocks {
                SplitBlocks::Own => blocks.collect(),
                SplitBlocks::Planes => {
                    let (mut words, second): (Vec<u32>, Vec<u32>) = blocks.map(|[a, b]| (a, b)).unzip();
                    words.extend(second);
                    words.as_chunks().0.to_vec()
                }
            };
        }
        let words = self.counted(pair, 2 * count, 2 * count);
        match answers.split {
            SplitWords::Rows => words.as_chunks().0.to_vec(),
            SplitWords::Columns => (0..count).map(|i| [words[i], words[count + i]]).collect(),
        }
    }

    /// The key that a number makes of this one.
    pub(super) fn folded(&self, data: u32) -> Vec<u32> {
        let words = self.folded_once(data);
        match self.reading.jax_keys.folded_as {
            FoldedAs::Halves => self.with(words).folded_once(0),
            FoldedAs::Counter | FoldedAs::Signed | FoldedAs::Key => words,
        }
    }

    fn folded_once(&self, data: u32) -> Vec<u32> {
        let answers = &self.reading.jax_keys;
        if self.kind == JaxKeyImpl::UnsafeRbg {
            let block = match answers.folded_block {
                FoldedBlock::Ninth => 9,
                FoldedBlock::First => 0,
            };
            let other = Self::of_seed(self.reading, self.kind, u64::from(data)).philox(block);
            return self.words.iter().zip(other).map(|(a, b)| a ^ b).collect();
        }
        let number = match answers.folded {
            FirstWord::High if answers.folded_as == FoldedAs::Signed => {
                i64::from(data.cast_signed()).cast_unsigned()
            }
            FirstWord::High => u64::from(data),
            FirstWord::Low => u64::from(data) << 32,
        };
        let [low, high] = split_64(number);
        let pairs = self.words.chunks_exact(2);
        pairs
            .flat_map(|pair| match answers.folded_as {
                FoldedAs::Counter | FoldedAs::Signed | FoldedAs::Halves => {
                    self.threefry([pair[0], pair[1]], number)
                }
                FoldedAs::Key => self.threefry([high, low], joined([pair[1], pair[0]])),
            })
            .collect()
    }

    /// The first `taken` of `count` numbers of a width, in the low bits of each u64.
    ///
    /// # Errors
    /// [`Failure::Unsupported`] if there is not memory enough.
    pub(super) fn bits(&self, width: usize, [taken, count]: [usize; 2]) -> Result<Vec<u64>, Failure> {
        let answers = &self.reading.jax_keys;
        let mut numbers: Vec<u64> = Vec::new();
        numbers
            .try_reserve_exact(taken)
            .map_err(|error| Failure::Unsupported(format!("the bits of {taken} elements: {error}")))?;
        match (self.kind, self.partitionable) {
            (JaxKeyImpl::Threefry2x32, true) => {
                let key = [self.words[0], self.words[1]];
                let mixed = (0_u64..).map(|i| {
                    let [first, second] = self.threefry(key, self.counter(i));
                    match answers.mix {
                        BlockMix::Mixed => first ^ second,
                        BlockMix::First => first,
                        BlockMix::Second => second,
                        BlockMix::Added => first.wrapping_add(second),
                    }
                });
                let is_packed = width < 32 && answers.mixed_words == NarrowWords::Pieces;
                if is_packed || width == 64 && answers.wide_words == WideSource::Successive {
                    let words: Vec<u32> = mixed.take((width * taken).div_ceil(32)).collect();
                    if is_packed {
                        numbers.extend(pieces(answers.pieces, &words, width).take(taken));
                    } else {
                        let pairs = words.as_chunks().0.iter();
                        numbers.extend(pairs.map(|&pair| self.joined(answers.wide, pair)));
                    }
                } else if width == 64 {
                    let blocks = (0_u64..).take(taken).map(|i| self.threefry(key, self.counter(i)));
                    numbers.extend(blocks.map(|pair| self.joined(answers.wide, pair)));
                } else {
                    let words = mixed.take(taken);
                    numbers.extend(words.map(|word| u64::from(self.narrowed(word, width))));
                }
            }
            (JaxKeyImpl::Threefry2x32, false) => {
                let pair = [self.words[0], self.words[1]];
                let is_packed = width < 32 && answers.counted_words == CountedNarrow::Pieces;
                let taking = if is_packed { width } else { width.max(32) };
                let [some, total] = [taken, count].map(|numbers| (taking * numbers).div_ceil(32));
                if width == 64 {
                    let planes = self.planes(pair, taken, total);
                    numbers.extend(planes.into_iter().map(|pair| self.joined(answers.planes, pair)));
                } else if is_packed {
                    numbers
                        .extend(pieces(answers.pieces, &self.counted(pair, some, total), width).take(taken));
                } else {
                    let words = self.counted(pair, some, total).into_iter();
                    numbers.extend(words.map(|word| u64::from(self.narrowed(word, width))));
                }
            }
            _ => {
                let blocks = (0_u64..).flat_map(|i| self.philox(i));
                if width == 64 {
                    let words: Vec<u32> = blocks.take(2 * count).collect();
                    let pair = |i: usize| match answers.philox_planes {
                        RbgWide::Neighbours => [words[2 * i], words[2 * i + 1]],
                        RbgWide::Planes => [words[i], words[count + i]],
                    };
                    let first = match answers.philox_wide {
                        WordOrder::LowFirst => FirstWord::Low,
                        WordOrder::HighFirst => FirstWord::High,
                    };
                    numbers.extend((0..taken).map(pair).map(|pair| self.joined(first, pair)));
                } else if answers.narrow_words == NarrowWords::Pieces {
                    let words: Vec<u32> = blocks.take((width * taken).div_ceil(32)).collect();
                    numbers.extend(pieces(answers.pieces, &words, width).take(taken));
                } else {
                    let words = blocks.take(taken);
                    numbers.extend(words.map(|word| u64::from(self.narrowed(word, width))));
                }
            }
        }
        Ok(numbers)
    }

    /// The bits of a word that a number of a width has.
    fn narrowed(&self, word: u32, width: usize) -> u32 {
        let lost = 32 - width;
        match self.reading.jax_keys.narrow {
            NarrowPart::Low => word << lost >> lost,
            NarrowPart::Top => word >> lost,
        }
    }

    /// The first words of the original order, of `total`.
    fn counted(&self, pair: [u32; 2], taken: usize, total: usize) -> Vec<u32> {
        let half = total.div_ceil(2);
        let blocks = self.counted_blocks(pair, total);
        let mut words: Vec<u32> = match self.reading.jax_keys.pairs {
            CountPairs::Neighbours => (0..taken.div_ceil(2)).flat_map(blocks).collect(),
            CountPairs::Halves if self.reading.jax_keys.places == BlockPlaces::SideBySide => {
                (0..taken.div_ceil(2)).flat_map(blocks).collect()
            }
            CountPairs::Halves => {
                let (mut words, seconds): (Vec<u32>, Vec<u32>) =
                    (0..taken.min(half)).map(|i| blocks(i).into()).unzip();
                words.extend(seconds);
                words
            }
        };
        words.truncate(taken);
        words
    }

    /// The first pairs of words that lie half of all apart.
    fn planes(&self, pair: [u32; 2], taken: usize, total: usize) -> Vec<[u32; 2]> {
        match (self.reading.jax_keys.pairs, self.reading.jax_keys.places) {
            (CountPairs::Neighbours, _) | (_, BlockPlaces::SideBySide) => {
                let words = self.counted(pair, total, total);
                (0..taken).map(|i| [words[i], words[total / 2 + i]]).collect()
            }
            (CountPairs::Halves, BlockPlaces::Apart) => {
                (0..taken).map(self.counted_blocks(pair, total)).collect()
            }
        }
    }

    /// The blocks of the original order, whose counters are pairs of the counts from zero on: neighbours, or one of each half.
    fn counted_blocks(&self, pair: [u32; 2], total: usize) -> impl Fn(usize) -> [u32; 2] {
        let answers = &self.reading.jax_keys;
        let (pad, pairs, block) = (answers.pad, answers.pairs, self.block(pair));
        let is_padded = total % 2 == 1;
        let low = |index: usize| split_64(u64::try_from(index).unwrap_or(u64::MAX))[0];
        let count = move |index: usize| match pad {
            OddPad::Front if is_padded => index.checked_sub(1).map_or(0, low),
            OddPad::End if index == total => 0,
            OddPad::Repeated if index == total => low(total - 1),
            _ => low(index),
        };
        move |i| {
            let [a, b] = match pairs {
                CountPairs::Neighbours => [2 * i, 2 * i + 1],
                CountPairs::Halves => [i, total.div_ceil(2) + i],
            };
            block.words(joined([count(a), count(b)]))
        }
    }

    fn block(&self, pair: [u32; 2]) -> threefry::Block<'a> {
        threefry::Block::new(&self.reading.threefry, joined(pair))
    }

    /// The block whose counter is a number, its high half first.
    fn threefry(&self, pair: [u32; 2], number: u64) -> [u32; 2] {
        let [low, high] = split_64(number);
        let counter = ordered(self.reading.jax_keys.counter, [high, low]);
        self.block(pair).words(joined(counter))
    }

    /// A block of the stream of Philox.
    fn philox(&self, number: u64) -> [u32; 4] {
        let [a, b, c, d] = [0, 1, 2, 3].map(|at| self.words[at]);
        let (low, high) = match self.reading.jax_keys.halves {
            KeyHalves::KeyIsHigh => ([c, d], [a, b]),
            KeyHalves::KeyIsLow => ([a, b], [c, d]),
        };
        let start = philox::join([low[0], low[1], high[0], high[1]]);
        let block = philox::Block::new(&self.reading.philox, [a, b]);
        block.words(start.wrapping_add(u128::from(number)))
    }

    /// Two words as a number, the first one high or low.
    fn joined(&self, first: FirstWord, mut words: [u32; 2]) -> u64 {
        forms::joined(self.reading.memory.words, &mut words);
        let [a, b] = words;
        joined(ordered(first, [b, a]))
    }
}

/// The halves of a number, the high one first, as an answer orders them.
fn ordered(answer: FirstWord, [first, second]: [u32; 2]) -> [u32; 2] {
    match answer {
        FirstWord::High => [first, second],
        FirstWord::Low => [second, first],
    }
}

/// Two words as a number, the low one first.
fn joined([low, high]: [u32; 2]) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

/// Words cut into numbers of a width of up to 32 bits, as an answer orders them.
fn pieces(answer: FirstPiece, words: &[u32], width: usize) -> impl Iterator<Item = u64> {
    let last = 32 / width - 1;
    words
        .iter()
        .flat_map(move |&word| {
            (0..=last).map(move |piece| {
                let place = match answer {
                    FirstPiece::Low => piece,
                    FirstPiece::High => last - piece,
                };
                word >> (place * width) << (32 - width) >> (32 - width)
            })
        })
        .map(u64::from)
}
