//! Mistakes with a parameter.

use std::borrow::Cow;

use crate::answers::{
    Axes, CudaThreads, GroupBlocks, HashConstants, HashRotations, Increment, KeyRaise, Layout, Matrix,
    Middle, MtFirst, Multipliers, Parity, ResultOrder, Rotations, Rounds, RowDraws, ScrambleKey, Seam,
    SfcShifts, SfcSkipped, SplitFrom, SumOf, TemperMasks, ThreefryRounds, Turns, Weyl, WordForm,
};
use crate::mistakes::parameters::{
    axes, dropped, launches, mistyped, round_numbers, sizes, slips, threads, word_orders,
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
        mistake: "cuda-threads-fixed",
        name: "cuda-threads-fixed",
        parameter: Parameter::Number("threads"),
        sentence: "a launch has N threads, whatever the request is",
        parameters: launches,
        change: |reading, threads| reading.torch_cuda.threads = CudaThreads::Fixed(threads),
    },
    Family {
        mistake: "curand-4096-subsequences",
        name: "curand-subsequences",
        parameter: Parameter::Number("bits"),
        sentence: "2^N subsequences take turns, and not 65,536",
        parameters: || (1..=24).filter(|&bits| bits != 16).collect(),
        change: |reading, bits| reading.curand.turns = Turns::Fewer(bits),
    },
    Family {
        mistake: "key-raised-every-second-round",
        name: "key-raised-every",
        parameter: Parameter::Number("rounds"),
        sentence: "the key is raised after every N rounds only",
        parameters: || (3..=9).collect(),
        change: |reading, rounds| reading.philox.key_raise = KeyRaise::Every(rounds),
    },
    Family {
        mistake: "hash-multipliers-exchanged",
        name: "hash-multiplier-mistyped",
        parameter: Parameter::Constant,
        sentence: "the hash's first multiplier cc9e2d51 is mistyped: N",
        parameters: || slips(0xcc9e_2d51),
        change: |reading, constant| reading.murmur.constants = HashConstants::First(constant),
    },
    Family {
        mistake: "hash-multipliers-exchanged",
        name: "hash-second-multiplier-mistyped",
        parameter: Parameter::Constant,
        sentence: "the hash's second multiplier 1b873593 is mistyped: N",
        parameters: || slips(0x1b87_3593),
        change: |reading, constant| reading.murmur.constants = HashConstants::Second(constant),
    },
    Family {
        mistake: "hash-addend-forgotten",
        name: "hash-addend-mistyped",
        parameter: Parameter::Constant,
        sentence: "the hash's addend e6546b64 is mistyped: N",
        parameters: || slips(0xe654_6b64),
        change: |reading, constant| reading.murmur.constants = HashConstants::Addend(constant),
    },
    Family {
        mistake: "hash-finish-exchanged",
        name: "hash-finish-mistyped",
        parameter: Parameter::Constant,
        sentence: "85ebca6b, the first multiplier of the hash's finish, is mistyped: N",
        parameters: || slips(0x85eb_ca6b),
        change: |reading, constant| reading.murmur.constants = HashConstants::FinishFirst(constant),
    },
    Family {
        mistake: "hash-finish-exchanged",
        name: "hash-second-finish-mistyped",
        parameter: Parameter::Constant,
        sentence: "c2b2ae35, the second multiplier of the hash's finish, is mistyped: N",
        parameters: || slips(0xc2b2_ae35),
        change: |reading, constant| reading.murmur.constants = HashConstants::FinishSecond(constant),
    },
    Family {
        mistake: "hash-rotations-exchanged",
        name: "hash-rotation-mistyped",
        parameter: Parameter::OneOf("rotation"),
        sentence: "one of the hash's rotations by 15 and 13 is mistyped: number N",
        parameters: || mistyped(&[15, 13], 32),
        change: |reading, number| reading.murmur.rotations = HashRotations::Other(number),
    },
    Family {
        mistake: "truncated-groups-of-128",
        name: "truncated-groups",
        parameter: Parameter::Number("blocks"),
        sentence: "groups of a truncated output are N blocks apart",
        parameters: || {
            (0..=12)
                .map(|power| 1 << power)
                .filter(|&blocks| blocks != 256)
                .collect()
        },
        change: |reading, blocks| reading.normal_fill.group = GroupBlocks::Other(blocks),
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
        mistake: "blocks-dealt-out",
        name: "slices-in-turn",
        parameter: Parameter::Number("slices"),
        sentence: "N slices take the blocks in turns, and each stores its own one behind the other",
        parameters: threads,
        change: |reading, slices| reading.stream.layout = Layout::Dealt(slices),
    },
    Family {
        mistake: "packs-filled-up",
        name: "packs-filled-up",
        parameter: Parameter::Number("size"),
        sentence: "axis 1 is drawn in packs of N channels, which vary fastest, and the last pack is filled up",
        parameters: || (2..=64).collect(),
        change: |reading, size| reading.stream.layout = Layout::Packs(size),
    },
    Family {
        mistake: "second-half-from-line",
        name: "second-half-from-line",
        parameter: Parameter::Number("bytes"),
        sentence: "the second half of the output is stored from its address rounded down to N bytes, over the end of the first half",
        parameters: || (3..=12).map(|power| 1 << power).collect(),
        change: |reading, bytes| reading.memory.seam = Seam::Line(bytes),
    },
    Family {
        mistake: "multinomial-sums-restart",
        name: "multinomial-sums-restart",
        parameter: Parameter::Number("size"),
        sentence: "cumulative sums begin again after every N classes",
        parameters: || (2..=64).collect(),
        change: |reading, size| reading.multinomial.sum = SumOf::Restarted(size),
    },
    Family {
        mistake: "dml-advanced-by-groups",
        name: "dml-advanced-by-groups",
        parameter: Parameter::Number("blocks"),
        sentence: "the state goes on by whole groups of N blocks",
        parameters: || (2..=64).chain((7..=12).map(|power| 1 << power)).collect(),
        change: |reading, blocks| reading.dml.increment = Increment::Groups(blocks),
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

/// The readings of a mistake with a parameter, each with its parameter, in ascending order.
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
