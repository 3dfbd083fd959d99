//! Mistakes with a parameter.

use std::borrow::Cow;

use crate::answers::{
    Axes, Layout, Matrix, Middle, MtFirst, Multipliers, Parity, ResultOrder, Rotations, Rounds, RowDraws,
    ScrambleKey, SfcShifts, SfcSkipped, SplitFrom, TemperMasks, ThreefryRounds, Weyl, WordForm,
};
use crate::reading::Reading;

/// A mistake with a parameter.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// The id of the listed mistake that is a member of the family.
    pub mistake: &'static str,
    /// A unique name: parts of `a-z`, set apart by `-`.
    pub name: &'static str,
    /// What the parameter is.
    pub parameter: Parameter,
    /// The programmer's slip, in one sentence with `N` in place of the parameter.
    pub sentence: &'static str,
    parameters: fn() -> Vec<u32>,
    change: fn(&mut Reading, u32),
}

/// What the parameter of a family is, and how it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// A number of this name, such as `threads`.
    Number(&'static str),
    /// A constant of a generator, in hexadecimal as its authors write it.
    Constant,
    /// One of several constants, of this name: 100 times its place, counted from 1, and the number that stands there.
    OneOf(&'static str),
}

impl Parameter {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Number(name) | Self::OneOf(name) => name,
            Self::Constant => "constant",
        }
    }

    /// A value of it.
    pub fn text(self, value: u32) -> String {
        match self {
            Self::Number(_) => value.to_string(),
            Self::Constant => format!("{value:08x}"),
            Self::OneOf(_) => format!("{} is {}", value / 100, value % 100),
        }
    }
}

/// The mistakes that have a parameter.
pub const fn families() -> &'static [Family] {
    FAMILIES
}

const FAMILIES: &[Family] = &[
    Family {
        mistake: "channels-last",
        name: "axes",
        parameter: Parameter::Number("order"),
        sentence: "the output is stored along its axes in the order N, the fastest last",
        parameters: axes,
        change: |reading, order| reading.memory.axes = Axes::Permuted(order),
    },
    Family {
        mistake: "categorical-shares",
        name: "categorical-shares",
        parameter: Parameter::Number("rows"),
        sentence: "N rows at a time are shared out over threads, and begin at blocks that the rows before use too",
        parameters: || (1..=64).collect(),
        change: |reading, rows| reading.tensorflow_samplers.rows = RowDraws::Shares(rows),
    },
    Family {
        mistake: "chunk-restart",
        name: "chunk-restart",
        parameter: Parameter::Number("size"),
        sentence: "every chunk of N elements begins again at the first block",
        parameters: sizes,
        change: |reading, size| reading.stream.layout = Layout::ChunkRestart(size),
    },
    Family {
        mistake: "grid-stride",
        name: "grid-stride",
        parameter: Parameter::Number("threads"),
        sentence: "each of N threads has a subsequence of its own and strides over the output, so that the values depend on the launch",
        parameters: sizes,
        change: |reading, threads| reading.stream.layout = Layout::GridStride(threads),
    },
    Family {
        mistake: "lanes",
        name: "lanes",
        parameter: Parameter::Number("lanes"),
        sentence: "N blocks are computed side by side and stored word by word without transposing them back",
        parameters: sizes,
        change: |reading, lanes| reading.stream.layout = Layout::Lanes(lanes),
    },
    Family {
        mistake: "lanes",
        name: "lanes-of-words",
        parameter: Parameter::Number("lanes"),
        sentence: "N threads in a grid-stride loop draw a block each and take one word of it an iteration, also where an element takes two",
        parameters: sizes,
        change: |reading, lanes| reading.stream.layout = Layout::WordLanes(lanes),
    },
    Family {
        mistake: "lanes",
        name: "lanes-of-words-in-body",
        parameter: Parameter::Number("lanes"),
        sentence: "N blocks are computed side by side and stored word by word without transposing them back; what is left after whole groups is in order",
        parameters: || sizes().into_iter().filter(|&lanes| lanes <= 1024).collect(),
        change: |reading, lanes| reading.stream.layout = Layout::WholeWordLanes(lanes),
    },
    Family {
        mistake: "mt-first-word-dropped",
        name: "mt-words-dropped",
        parameter: Parameter::Number("number"),
        sentence: "the first N words of the Mersenne Twister are dropped",
        parameters: dropped,
        change: |reading, words| reading.mt.first = MtFirst::Dropped(words),
    },
    Family {
        mistake: "numpy-sfc64-not-skipped",
        name: "sfc64-skips",
        parameter: Parameter::Number("number"),
        sentence: "SFC64 begins after N draws",
        parameters: || (0..=32).filter(|&skipped| skipped != 12).collect(),
        change: |reading, skipped| reading.numpy_bits.sfc64 = SfcSkipped(skipped),
    },
    Family {
        mistake: "numpy-sfc64-rotates-by-25",
        name: "sfc64-shift-mistyped",
        parameter: Parameter::OneOf("shift"),
        sentence: "one of SFC64's shifts by 11 and 3 and its rotation by 24 is mistyped: number N",
        parameters: || mistyped(&[11, 3, 24], 64),
        change: |reading, shift| reading.numpy_bits.sfc64_shifts = SfcShifts::Other(shift),
    },
    Family {
        mistake: "rounds-9",
        name: "rounds",
        parameter: Parameter::Number("number"),
        sentence: "a block takes N rounds",
        parameters: round_numbers,
        change: |reading, rounds| reading.philox.rounds = Rounds(rounds),
    },
    Family {
        mistake: "chunk-restart",
        name: "slices-of-words",
        parameter: Parameter::Number("threads"),
        sentence: "N threads draw a run of the words each, all but the last of one length, each from word 0 of the block in which its run begins",
        parameters: threads,
        change: |reading, threads| reading.stream.layout = Layout::Slices(threads),
    },
    Family {
        mistake: "tail-restart",
        name: "tail-restart",
        parameter: Parameter::Number("size"),
        sentence: "the elements after the last whole vector of N elements begin again at the first block",
        parameters: sizes,
        change: |reading, size| reading.stream.layout = Layout::TailRestart(size),
    },
    Family {
        mistake: "word-shifted",
        name: "word-shifted",
        parameter: Parameter::Number("bits"),
        sentence: "each word is shifted right by N bits before anything is made of it",
        parameters: || (1..=24).collect(),
        change: |reading, bits| reading.memory.words = WordForm::Shifted(bits),
    },
    Family {
        mistake: "words-middle-exchanged",
        name: "words",
        parameter: Parameter::Number("order"),
        sentence: "the words of a block come out in the order N, where 1234 is right",
        parameters: word_orders,
        change: |reading, order| reading.philox.result_order = ResultOrder::Permuted(order),
    },
    Family {
        mistake: "workgroup",
        name: "workgroup",
        parameter: Parameter::Number("size"),
        sentence: "every workgroup of N elements has a subsequence of its own",
        parameters: sizes,
        change: |reading, size| reading.stream.layout = Layout::Workgroup(size),
    },
    Family {
        mistake: "workgroup",
        name: "runs",
        parameter: Parameter::Number("threads"),
        sentence: "each of N threads draws one run of the output, all but the last of one length, from its own subsequence",
        parameters: threads,
        change: |reading, threads| reading.stream.layout = Layout::Runs(threads),
    },
    Family {
        mistake: "workgroup",
        name: "runs-of-words",
        parameter: Parameter::Number("threads"),
        sentence: "each of N threads draws one run of the words, all but the last of one length, from its own subsequence",
        parameters: threads,
        change: |reading, threads| reading.stream.layout = Layout::WordRuns(threads),
    },
    Family {
        mistake: "multipliers-exchanged",
        name: "multiplier-mistyped",
        parameter: Parameter::Constant,
        sentence: "the multiplier d2511f53 is mistyped: N",
        parameters: || slips(0xd251_1f53),
        change: |reading, constant| reading.philox.multipliers = Multipliers::First(constant),
    },
    Family {
        mistake: "multipliers-exchanged",
        name: "second-multiplier-mistyped",
        parameter: Parameter::Constant,
        sentence: "the multiplier cd9e8d57 is mistyped: N",
        parameters: || slips(0xcd9e_8d57),
        change: |reading, constant| reading.philox.multipliers = Multipliers::Second(constant),
    },
    Family {
        mistake: "weyl-exchanged",
        name: "increment-mistyped",
        parameter: Parameter::Constant,
        sentence: "the key's increment 9e3779b9 is mistyped: N",
        parameters: || slips(0x9e37_79b9),
        change: |reading, constant| reading.philox.weyl = Weyl::Low(constant),
    },
    Family {
        mistake: "weyl-exchanged",
        name: "second-increment-mistyped",
        parameter: Parameter::Constant,
        sentence: "bb67ae85, the increment of the second key word, is mistyped: N",
        parameters: || slips(0xbb67_ae85),
        change: |reading, constant| reading.philox.weyl = Weyl::High(constant),
    },
    Family {
        mistake: "threefry-parity-forgotten",
        name: "parity-mistyped",
        parameter: Parameter::Constant,
        sentence: "the constant 1bd11bda of Threefry's third key word is mistyped: N",
        parameters: || slips(0x1bd1_1bda),
        change: |reading, constant| reading.threefry.parity = Parity::Other(constant),
    },
    Family {
        mistake: "tfkc-key-from-last-words",
        name: "scramble-key-mistyped",
        parameter: Parameter::Constant,
        sentence: "02461e29, the high half of the key that scrambles a seed, is mistyped: N",
        parameters: || slips(0x0246_1e29),
        change: |reading, constant| reading.stateless.scramble_key = ScrambleKey::High(constant),
    },
    Family {
        mistake: "tfkc-key-from-last-words",
        name: "scramble-key-low-mistyped",
        parameter: Parameter::Constant,
        sentence: "3ec8f720, the low half of the key that scrambles a seed, is mistyped: N",
        parameters: || slips(0x3ec8_f720),
        change: |reading, constant| reading.stateless.scramble_key = ScrambleKey::Low(constant),
    },
    Family {
        mistake: "jax-split-from-one",
        name: "split-from",
        parameter: Parameter::Number("number"),
        sentence: "a split counts its blocks from N",
        parameters: || (1..=64).collect(),
        change: |reading, number| reading.jax_keys.split_from = SplitFrom(number),
    },
    Family {
        mistake: "mt-wrap-623",
        name: "mt-middle",
        parameter: Parameter::Number("number"),
        sentence: "the middle word of the twist stands N words ahead, not 397",
        parameters: || (1..624).filter(|&number| number != 397).collect(),
        change: |reading, number| reading.mt.middle = Middle::Other(number),
    },
    Family {
        mistake: "mt-twist-parity",
        name: "mt-matrix-mistyped",
        parameter: Parameter::Constant,
        sentence: "the constant 9908b0df of the twist is mistyped: N",
        parameters: || slips(0x9908_b0df),
        change: |reading, constant| reading.mt.matrix = Matrix::Other(constant),
    },
    Family {
        mistake: "mt-temper-masks-exchanged",
        name: "mt-mask-mistyped",
        parameter: Parameter::Constant,
        sentence: "the mask 9d2c5680 of the tempering is mistyped: N",
        parameters: || slips(0x9d2c_5680),
        change: |reading, constant| reading.mt.masks = TemperMasks::First(constant),
    },
    Family {
        mistake: "mt-temper-masks-exchanged",
        name: "mt-second-mask-mistyped",
        parameter: Parameter::Constant,
        sentence: "the mask efc60000 of the tempering is mistyped: N",
        parameters: || slips(0xefc6_0000),
        change: |reading, constant| reading.mt.masks = TemperMasks::Second(constant),
    },
    Family {
        mistake: "threefry-rounds-19",
        name: "threefry-rounds",
        parameter: Parameter::Number("number"),
        sentence: "a block of Threefry takes N rounds",
        parameters: || (0..=32).filter(|&rounds| rounds != 20).collect(),
        change: |reading, rounds| reading.threefry.rounds = ThreefryRounds(rounds),
    },
    Family {
        mistake: "threefry-rotations-exchanged",
        name: "rotation-mistyped",
        parameter: Parameter::OneOf("rotation"),
        sentence: "one rotation of Threefry's eight is mistyped: number N",
        parameters: || mistyped(&[13, 15, 26, 6, 17, 29, 16, 24], 32),
        change: |reading, rotation| reading.threefry.rotations = Rotations::Other(rotation),
    },
];

/// The readings that a mistake with a parameter gives, each with its parameter, in ascending order.
pub fn family<'a>(family: &'a Family, reading: &'a Reading) -> impl Iterator<Item = (u64, Reading)> + 'a {
    family.parameters().into_iter().map(move |parameter| {
        let mut changed = reading.clone();
        family.make(&mut changed, parameter);
        changed.name = Cow::Owned(format!(
            "{} + {}({})",
            reading.name,
            family.name,
            family.parameter.text(parameter)
        ));
        (u64::from(parameter), changed)
    })
}

impl Family {
    /// The parameters to try, in ascending order.
    pub fn parameters(&self) -> Vec<u32> {
        (self.parameters)()
    }

    /// Makes the mistake with this parameter to a reading.
    pub fn make(&self, reading: &mut Reading, parameter: u32) {
        (self.change)(reading, parameter);
    }
}

/// A constant as somebody types it: one hexadecimal digit another, or two neighbouring ones exchanged.
fn slips(constant: u32) -> Vec<u32> {
    let digits = (0..32).step_by(4);
    let another = digits.flat_map(|at| (1..16).map(move |by| constant ^ by << at));
    let exchanged = (0..28).step_by(4).map(|at| {
        let difference = (constant >> at ^ constant >> (at + 4)) & 0xf;
        constant ^ difference << at ^ difference << (at + 4)
    });
    let mut all: Vec<u32> = another
        .chain(exchanged)
        .filter(|&slip| slip != constant)
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The eight rotations by all other numbers of bits, each as 100 times its place and the number.
/// One of several shifts or rotations of words of a width, by any other number.
fn mistyped(right: &[u32], width: u32) -> Vec<u32> {
    let of = |(place, &by): (u32, &u32)| {
        (1..width)
            .filter(move |&other| other != by)
            .map(move |other| 100 * place + other)
    };
    (1_u32..).zip(right).flat_map(of).collect()
}

/// Numbers of words that are dropped to warm a generator up: small ones, powers of two and of ten, and generations.
fn dropped() -> Vec<u32> {
    let generations = (1..=4).flat_map(|i| [624 * i - 1, 624 * i]);
    let mut all: Vec<u32> = (1..=16).chain((5..=12).map(|exponent| 1 << exponent)).collect();
    all.extend([100, 1000, 10_000].into_iter().chain(generations));
    all.sort_unstable();
    all
}

/// Numbers of rounds of a block, but for the right one.
fn round_numbers() -> Vec<u32> {
    (0..=20).filter(|&rounds| rounds != 10).collect()
}

/// The orders of two, three and four axes, but for that of the shape.
fn axes() -> Vec<u32> {
    (2..=4)
        .flat_map(|axes| permutations(axes).into_iter().skip(1))
        .collect()
}

/// The orders of four words, but for the right one and those that are answers of their own.
fn word_orders() -> Vec<u32> {
    let own = [1234, 2143, 4321, 2341, 3412];
    permutations(4)
        .into_iter()
        .filter(|order| !own.contains(order))
        .collect()
}

/// The permutations of 1 to `digits` as decimal numbers, in ascending order.
fn permutations(digits: u32) -> Vec<u32> {
    let mut all = vec![0];
    for _ in 0..digits {
        let with = |number: &u32| {
            let number = *number;
            let has = move |digit: u32| number.to_string().contains(&digit.to_string());
            (1..=digits)
                .filter(move |&digit| !has(digit))
                .map(move |digit| 10 * number + digit)
        };
        all = all.iter().flat_map(with).collect();
    }
    all
}

/// Numbers of threads: every small one, since users set it, and those of machines with many cores.
fn threads() -> Vec<u32> {
    (2..=16).chain([20, 24, 32, 48, 64, 128]).collect()
}

/// Sizes of vectors, warps, workgroups and launches. Launches come in powers of two and in multiples of 32
/// and 256.
fn sizes() -> Vec<u32> {
    let powers = (1..=20).map(|exponent| 1 << exponent);
    let warps = (1..=32).map(|warps| warps * 32);
    let groups = (1..=64).map(|groups| groups * 256);
    let mut all: Vec<u32> = powers
        .chain([3, 5, 6, 7, 10, 12, 24, 48, 100, 1000])
        .chain(warps)
        .chain(groups)
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}
