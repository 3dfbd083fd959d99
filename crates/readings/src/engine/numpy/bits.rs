//! NumPy's bit generators, seeded.

use seedproof_ops::NumpyBitGenerator;

use crate::answers::{
    Bits, DxsmOutput, DxsmSeeding, MtBegin, NumpyHalf, NumpyHalves, NumpyPairs, NumpySeeding, PcgHalves,
    PcgIncrement, PcgOutput, PhiloxStart, PhiloxWidth, SfcSkipped,
};
use crate::engine::mt19937::Mt19937;
use crate::engine::philox::{Block, split, split_64};
use crate::reading::Reading;

/// PCG's multiplier, as its authors print it.
const PCG: u128 = 0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645;

/// The multiplier of PCG64DXSM.
const DXSM: u64 = 0xda94_2042_e4dd_58b5;

/// A source of words, which keeps half of one.
pub(super) struct Source<'a> {
    reading: &'a Reading,
    words: Words,
    half: Option<u32>,
}

enum Words {
    Pcg {
        state: u128,
        increment: u128,
        is_dxsm: bool,
    },
    Philox {
        key: [u64; 2],
        counter: u128,
        place: usize,
        block: [u64; 4],
    },
    Sfc {
        abc: [u64; 3],
        counter: u64,
    },
    Mt(Mt19937),
}

impl<'a> Source<'a> {
    pub(super) fn new(reading: &'a Reading, kind: NumpyBitGenerator, seed: u128) -> Self {
        let answers = &reading.numpy_bits;
        let seed = match answers.seed {
            Bits::All => seed,
            Bits::Low32 => u128::from(split(seed)[0]),
        };
        let mut state = State::new(reading, seed);
        let words = match kind {
            NumpyBitGenerator::Pcg64 | NumpyBitGenerator::Pcg64Dxsm => {
                let is_dxsm = kind == NumpyBitGenerator::Pcg64Dxsm;
                let [first, odd] = [state.wide(), state.wide()];
                let increment = match answers.pcg_increment {
                    PcgIncrement::Doubled => odd << 1 | 1,
                    PcgIncrement::LastBit => odd | 1,
                };
                let by = match answers.pcg64dxsm_seeding {
                    DxsmSeeding::Cheap if is_dxsm => u128::from(DXSM),
                    _ => PCG,
                };
                // The first step is from zero, and leaves the increment.
                let state = increment.wrapping_add(first);
                Words::Pcg {
                    state: state.wrapping_mul(by).wrapping_add(increment),
                    increment,
                    is_dxsm,
                }
            }
            NumpyBitGenerator::Philox => Words::Philox {
                key: [state.double(), state.double()],
                counter: match answers.philox_start {
                    PhiloxStart::One => 1,
                    PhiloxStart::Zero => 0,
                },
                place: 4,
                block: [0; 4],
            },
            NumpyBitGenerator::Sfc64 => {
                let mut words = Words::Sfc {
                    abc: [(); 3].map(|()| state.double()),
                    counter: 1,
                };
                let skipped = match answers.sfc64 {
                    SfcSkipped::D12 => 12,
                    SfcSkipped::D18 => 18,
                    SfcSkipped::None => 0,
                };
                for _ in 0..skipped {
                    words.next(reading);
                }
                words
            }
            NumpyBitGenerator::Mt19937 if answers.seeding == NumpySeeding::Itself => {
                Words::Mt(Mt19937::new(&reading.mt, split(seed)[0], split(seed)[1]))
            }
            NumpyBitGenerator::Mt19937 => {
                let mut words: Vec<u32> = (0..624).map(|_| state.next()).collect();
                words[0] = 1 << 31;
                let begin = match answers.mt19937 {
                    MtBegin::Last => 623,
                    MtBegin::End => 624,
                };
                Words::Mt(Mt19937::of_state(&reading.mt, words, begin))
            }
        };
        Self {
            reading,
            words,
            half: None,
        }
    }

    /// The words of a generator that has words of 32 bits.
    pub(super) fn twister(&mut self) -> Option<&mut Mt19937> {
        match &mut self.words {
            Words::Mt(words) => Some(words),
            _ => None,
        }
    }

    /// The next 64 bits.
    pub(super) fn long(&mut self) -> u64 {
        self.words.next(self.reading)
    }

    /// The next 32 bits.
    pub(super) fn short(&mut self) -> u32 {
        if let Some(words) = self.twister() {
            return words.next();
        }
        if let Some(half) = self.half.take() {
            return half;
        }
        let [low, high] = split_64(self.long());
        let answers = &self.reading.numpy_bits;
        let [first, second] = match answers.halves {
            NumpyHalves::LowFirst => [low, high],
            NumpyHalves::HighFirst => [high, low],
        };
        self.half = (answers.half == NumpyHalf::Kept).then_some(second);
        first
    }
}

impl Words {
    fn next(&mut self, reading: &Reading) -> u64 {
        let answers = &reading.numpy_bits;
        match self {
            Self::Pcg {
                state,
                increment,
                is_dxsm,
            } => {
                let by = if *is_dxsm { u128::from(DXSM) } else { PCG };
                let old = *state;
                *state = old.wrapping_mul(by).wrapping_add(*increment);
                let is_new = if *is_dxsm {
                    answers.pcg64dxsm == DxsmOutput::New
                } else {
                    answers.pcg64 == PcgOutput::New
                };
                let [low, high] = longs(if is_new { *state } else { old });
                if *is_dxsm {
                    let mixed = (high ^ high >> 32).wrapping_mul(DXSM);
                    (mixed ^ mixed >> 48).wrapping_mul(low | 1)
                } else {
                    let [.., top] = split_64(high);
                    (low ^ high).rotate_right(top >> 26)
                }
            }
            Self::Philox {
                key,
                counter,
                place,
                block,
            } => {
                if *place == 4 {
                    *block = match answers.philox {
                        PhiloxWidth::Bits64 => philox_of_64(reading.philox.rounds.0, *key, *counter),
                        PhiloxWidth::Bits32 => philox_of_32(reading, key[0], *counter),
                    };
                    *counter = counter.wrapping_add(1);
                    *place = 0;
                }
                *place += 1;
                block[*place - 1]
            }
            Self::Sfc {
                abc: [a, b, c],
                counter,
            } => {
                let sum = a.wrapping_add(*b).wrapping_add(*counter);
                *counter = counter.wrapping_add(1);
                *a = *b ^ *b >> 11;
                *b = c.wrapping_mul(9);
                *c = c.rotate_left(24).wrapping_add(sum);
                sum
            }
            Self::Mt(words) => {
                let high = u64::from(words.next());
                high << 32 | u64::from(words.next())
            }
        }
    }
}

/// The words of a state, made of a seed.
struct State {
    /// Those that a seed itself has, or those of the pool, which are hashed.
    words: [u32; 4],
    hash: Option<u32>,
    place: usize,
    pairs: NumpyPairs,
    halves: PcgHalves,
}

impl State {
    fn new(reading: &Reading, seed: u128) -> Self {
        let answers = &reading.numpy_bits;
        let mut state = Self {
            words: split(seed),
            hash: None,
            place: 0,
            pairs: answers.pairs,
            halves: answers.pcg_halves,
        };
        if answers.seeding == NumpySeeding::Sequence {
            state.words = pool(state.words);
            state.hash = Some(0x8b51_f9dd);
        }
        state
    }

    fn next(&mut self) -> u32 {
        let Some(hash) = &mut self.hash else {
            let word = self.words.get(self.place).copied().unwrap_or(0);
            self.place += 1;
            return word;
        };
        let word = self.words[self.place % 4];
        self.place += 1;
        hashed(word, hash, 0x58f3_8ded)
    }

    fn double(&mut self) -> u64 {
        let [first, second] = [self.next(), self.next()].map(u64::from);
        match self.pairs {
            NumpyPairs::LowFirst => second << 32 | first,
            NumpyPairs::HighFirst => first << 32 | second,
        }
    }

    fn wide(&mut self) -> u128 {
        let [first, second] = [self.double(), self.double()].map(u128::from);
        match self.halves {
            PcgHalves::HighFirst => first << 64 | second,
            PcgHalves::LowFirst => second << 64 | first,
        }
    }
}

/// A word mixed with a constant, which changes.
fn hashed(word: u32, constant: &mut u32, by: u32) -> u32 {
    let mixed = word ^ *constant;
    *constant = constant.wrapping_mul(by);
    let mixed = mixed.wrapping_mul(*constant);
    mixed ^ mixed >> 16
}

/// The pool of a `SeedSequence` of four words.
fn pool(mut words: [u32; 4]) -> [u32; 4] {
    let mut constant = 0x43b0_d7e5;
    for word in &mut words {
        *word = hashed(*word, &mut constant, 0x931e_8875);
    }
    for from in 0..4 {
        for into in 0..4 {
            if from == into {
                continue;
            }
            let other = hashed(words[from], &mut constant, 0x931e_8875);
            let mixed = 0xca01_f9dd_u32
                .wrapping_mul(words[into])
                .wrapping_sub(0x4973_f715_u32.wrapping_mul(other));
            words[into] = mixed ^ mixed >> 16;
        }
    }
    words
}

/// Philox4x64.
fn philox_of_64(rounds: u32, key: [u64; 2], counter: u128) -> [u64; 4] {
    let [mut k, mut l] = key;
    let [low, high] = longs(counter);
    let mut x = [low, high, 0, 0];
    for _ in 0..rounds {
        let [a, b] = longs(u128::from(x[0]) * 0xd2e7_470e_e14c_6c93);
        let [c, d] = longs(u128::from(x[2]) * 0xca5a_8263_9512_1157);
        x = [d ^ x[1] ^ k, c, b ^ x[3] ^ l, a];
        k = k.wrapping_add(0x9e37_79b9_7f4a_7c15);
        l = l.wrapping_add(0xbb67_ae85_84ca_a73b);
    }
    x
}

/// Two blocks of Philox4x32.
fn philox_of_32(reading: &Reading, key: u64, counter: u128) -> [u64; 4] {
    let block = Block::new(&reading.philox, split_64(key));
    let counter = counter.wrapping_mul(2);
    let [a, b, c, d] = block.words(counter).map(u64::from);
    let [e, f, g, h] = block.words(counter.wrapping_add(1)).map(u64::from);
    [b << 32 | a, d << 32 | c, f << 32 | e, h << 32 | g]
}

/// The low half and the high half.
fn longs(number: u128) -> [u64; 2] {
    let [a, b, c, d] = split(number).map(u64::from);
    [b << 32 | a, d << 32 | c]
}
