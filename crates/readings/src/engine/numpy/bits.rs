//! NumPy's bit generators, seeded.

use seedproof_ops::NumpyBitGenerator;

use crate::answers::{
    DxsmOutput, DxsmSeeding, DxsmShifts, Halves, KeyRaise, KeyWords, LegacyList, LegacySeeding, Mixing,
    MtBegin, MtFirstWord, MtPairs, Multipliers, NumpyHalf, NumpyHalves, NumpyPairs, NumpyPool, NumpySeedBits,
    NumpySeeding, PcgFirst, PcgHalves, PcgIncrement, PcgOutput, PcgRotation, Philox, PhiloxCounts, PhiloxKey,
    PhiloxStart, PhiloxWidth, Product, SfcCounter, SfcShifts, StateHash, Weyl,
};
use crate::engine::mt19937::{Mt19937, init_by_array};
use crate::engine::philox::{Block, in_order, is_raised, split, split_64};
use crate::reading::Reading;

/// PCG's multiplier, as its authors print it.
const PCG: u128 = 0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645;

/// The multiplier of PCG64DXSM.
const DXSM: u64 = 0xda94_2042_e4dd_58b5;

/// The constant that hashes the words of a `SeedSequence`'s pool, and what it is multiplied by after each.
const POOL_HASH: [u32; 2] = [0x43b0_d7e5, 0x931e_8875];

/// The same of the words of a state.
const STATE_HASH: [u32; 2] = [0x8b51_f9dd, 0x58f3_8ded];

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
            NumpySeedBits::All => seed,
            NumpySeedBits::Low64 => longs(seed)[0].into(),
            NumpySeedBits::Low32 => split(seed)[0].into(),
        };
        let mut state = State::new(reading, seed);
        let words = match kind {
            NumpyBitGenerator::Pcg64 | NumpyBitGenerator::Pcg64Dxsm => {
                let is_dxsm = kind == NumpyBitGenerator::Pcg64Dxsm;
                let mut pair = [state.wide(), state.wide()];
                if answers.pcg_first == PcgFirst::Increment {
                    pair.reverse();
                }
                let [first, odd] = pair;
                let increment = match answers.pcg_increment {
                    PcgIncrement::Doubled => odd << 1 | 1,
                    PcgIncrement::LastBit => odd | 1,
                };
                let by = match answers.pcg64dxsm_seeding {
                    DxsmSeeding::Cheap if is_dxsm => u128::from(DXSM),
                    _ => PCG,
                };
                // The first step is from zero, and leaves the increment whatever it multiplies by.
                let state = increment.wrapping_add(first);
                Words::Pcg {
                    state: state.wrapping_mul(by).wrapping_add(increment),
                    increment,
                    is_dxsm,
                }
            }
            NumpyBitGenerator::Philox => Words::Philox {
                key: match (answers.philox_key, [state.double(), state.double()]) {
                    (PhiloxKey::First, key) => key,
                    (PhiloxKey::Second, [first, second]) => [second, first],
                },
                counter: match answers.philox_start {
                    PhiloxStart::One => counted(answers.philox_counts),
                    PhiloxStart::Zero => 0,
                },
                // The first draw makes a block.
                place: 4,
                block: [0; 4],
            },
            NumpyBitGenerator::Sfc64 => {
                let mut words = Words::Sfc {
                    abc: [(); 3].map(|()| state.double()),
                    counter: match answers.sfc64_counter {
                        SfcCounter::One => 1,
                        SfcCounter::Zero => 0,
                    },
                };
                for _ in 0..answers.sfc64.0 {
                    words.next(reading);
                }
                words
            }
            NumpyBitGenerator::Mt19937 if answers.seeding == NumpySeeding::Itself => {
                Words::Mt(Mt19937::new(&reading.mt, split(seed)[0], split(seed)[1]))
            }
            NumpyBitGenerator::Mt19937 => {
                let mut words: Vec<u32> = (0..624).map(|_| state.next()).collect();
                if answers.mt19937_first == MtFirstWord::TopBit {
                    words[0] = 1 << 31;
                }
                let begin = match answers.mt19937 {
                    MtBegin::Last => 623,
                    MtBegin::End => 624,
                    MtBegin::Start => 0,
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

    /// The source of a `RandomState`, whose seed is a number, or a list of this many words.
    pub(super) fn legacy(reading: &'a Reading, seed: u128, length: Option<usize>) -> Self {
        let answers = &reading.numpy_legacy;
        let is_sequence = match length {
            None => answers.seeding == LegacySeeding::Sequence,
            Some(_) => answers.list == LegacyList::Sequence,
        };
        if is_sequence {
            return Self::new(reading, NumpyBitGenerator::Mt19937, seed);
        }
        let word = split(seed)[0];
        let words = match length {
            Some(length) if answers.list != LegacyList::FirstWord => {
                let mut key = split(seed).to_vec();
                key.resize(length, 0);
                if answers.list == LegacyList::Reversed {
                    key.reverse();
                }
                Mt19937::of_state(&reading.mt, init_by_array(&key), 624)
            }
            _ => Mt19937::new(&reading.mt, word, 0),
        };
        Self {
            reading,
            words: Words::Mt(words),
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
        // Draws of 64 bits between two of 32 pass it over.
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
                    let by = match answers.pcg64dxsm_shifts {
                        DxsmShifts::Own => [32, 48],
                        DxsmShifts::Other(shift) if shift < 200 => [shift % 100, 48],
                        DxsmShifts::Other(shift) => [32, shift % 100],
                    };
                    let mixed = (high ^ high.unbounded_shr(by[0])).wrapping_mul(DXSM);
                    (mixed ^ mixed.unbounded_shr(by[1])).wrapping_mul(low | 1)
                } else {
                    let ([.., top], both) = (split_64(high), low ^ high);
                    match answers.pcg64_rotation {
                        PcgRotation::Right => both.rotate_right(top >> 26),
                        PcgRotation::Left => both.rotate_left(top >> 26),
                        PcgRotation::RightBy5 => both.rotate_right(top >> 27),
                    }
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
                        PhiloxWidth::Bits64 => philox_of_64(&reading.philox, *key, *counter),
                        PhiloxWidth::Bits32 => philox_of_32(reading, key[0], *counter),
                    };
                    *counter = counter.wrapping_add(counted(answers.philox_counts));
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
                let by = match answers.sfc64_shifts {
                    SfcShifts::Own => [11, 3, 24],
                    SfcShifts::Other(shift) => match shift / 100 {
                        1 => [shift % 100, 3, 24],
                        2 => [11, shift % 100, 24],
                        _ => [11, 3, shift % 100],
                    },
                };
                // A reading may name a shift by the width or more, which loses every bit.
                *a = *b ^ b.unbounded_shr(by[0]);
                *b = c.wrapping_add(c.unbounded_shl(by[1]));
                *c = c.rotate_left(by[2]).wrapping_add(sum);
                sum
            }
            Self::Mt(words) => {
                let [first, second] = [words.next(), words.next()].map(u64::from);
                match answers.mt19937_pairs {
                    MtPairs::HighFirst => first << 32 | second,
                    MtPairs::LowFirst => second << 32 | first,
                }
            }
        }
    }
}

/// The words of a state, made of a seed.
struct State {
    /// Those that a seed itself has, or those of the pool, which are hashed.
    words: [u32; 4],
    hash: Option<[u32; 2]>,
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
            state.words = pool(state.words, answers.pool);
            state.hash = Some(match answers.state_hash {
                StateHash::Own => STATE_HASH,
                StateHash::PoolStart => [POOL_HASH[0], STATE_HASH[1]],
                StateHash::PoolFactor => [STATE_HASH[0], POOL_HASH[1]],
                StateHash::Pool => POOL_HASH,
            });
        }
        state
    }

    fn next(&mut self) -> u32 {
        let Some([constant, by]) = &mut self.hash else {
            let word = self.words.get(self.place).copied().unwrap_or(0);
            self.place += 1;
            return word;
        };
        let word = self.words[self.place % 4];
        self.place += 1;
        hashed(word, constant, *by)
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
fn pool(mut words: [u32; 4], mixed: NumpyPool) -> [u32; 4] {
    let [mut constant, by] = POOL_HASH;
    for word in &mut words {
        *word = hashed(*word, &mut constant, by);
    }
    if mixed == NumpyPool::Hashed {
        return words;
    }
    for from in 0..4 {
        for into in 0..4 {
            if from == into {
                continue;
            }
            let other = hashed(words[from], &mut constant, by);
            let mixed = 0xca01_f9dd_u32
                .wrapping_mul(words[into])
                .wrapping_sub(0x4973_f715_u32.wrapping_mul(other));
            words[into] = mixed ^ mixed >> 16;
        }
    }
    words
}

/// What a block adds to Philox's counter, which is zero before the first one.
const fn counted(answer: PhiloxCounts) -> u128 {
    match answer {
        PhiloxCounts::First => 1,
        PhiloxCounts::Second => 1 << 64,
    }
}

/// Philox4x64, whose multipliers and increments are its own. The answers about rounds are those of Philox4x32, since whoever
/// writes the one by the pattern of the other makes the same slips.
fn philox_of_64(answers: &Philox, mut key: [u64; 2], counter: u128) -> [u64; 4] {
    const MULTIPLIERS: [u64; 2] = [0xd2e7_470e_e14c_6c93, 0xca5a_8263_9512_1157];
    const INCREMENTS: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xbb67_ae85_84ca_a73b];
    let by = match answers.multipliers {
        Multipliers::Exchanged => [MULTIPLIERS[1], MULTIPLIERS[0]],
        _ => MULTIPLIERS,
    };
    let increments = match answers.weyl {
        Weyl::Exchanged => [INCREMENTS[1], INCREMENTS[0]],
        Weyl::GoldenTwice => [INCREMENTS[0]; 2],
        _ => INCREMENTS,
    };
    let raised = |[k, l]: [u64; 2]| match answers.key_raise {
        // Nothing has measured a carry between words of 64 bits.
        KeyRaise::AfterRound | KeyRaise::BeforeRound | KeyRaise::Every(_) | KeyRaise::Carried => {
            [k.wrapping_add(increments[0]), l.wrapping_add(increments[1])]
        }
        KeyRaise::LowWordOnly => [k.wrapping_add(increments[0]), l],
        KeyRaise::Multiplied => [k.wrapping_mul(increments[0]), l.wrapping_mul(increments[1])],
        KeyRaise::Never => [k, l],
    };
    let mixed = |[low, high]: [u64; 2], neighbour: u64, key: u64| {
        let (product, rest) = match answers.product {
            // Philox4x64 has no product of 24 bits.
            Product::HighMixed | Product::LowOf24 => (high, low),
            Product::LowMixed => (low, high),
        };
        let word = match answers.mixing {
            Mixing::Xor => product ^ neighbour ^ key,
            Mixing::KeyAdded => (product ^ neighbour).wrapping_add(key),
            Mixing::NeighbourForgotten => product ^ key,
            Mixing::StoredFirst => product ^ rest ^ key,
            Mixing::KeyForgotten => product ^ neighbour,
        };
        [word, rest]
    };
    if answers.key_raise == KeyRaise::BeforeRound {
        key = raised(key);
    }
    let [low, high] = longs(counter);
    let mut x = [low, high, 0, 0];
    for round in 0..answers.rounds.0 {
        let products = [0, 1].map(|i| longs(u128::from(x[2 * i]) * u128::from(by[i])));
        let [for_n, for_c] = match answers.halves {
            Halves::Cross => [products[1], products[0]],
            Halves::Straight => products,
        };
        let [into_n, into_c] = match answers.key_words {
            KeyWords::LowIntoN => key,
            KeyWords::LowIntoCounter => [key[1], key[0]],
        };
        let ([a, b], [c, d]) = (mixed(for_n, x[1], into_n), mixed(for_c, x[3], into_c));
        x = [a, b, c, d];
        if is_raised(answers.key_raise, round) {
            key = raised(key);
        }
    }
    in_order(answers.result_order, x)
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
