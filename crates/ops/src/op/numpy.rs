//! NumPy's `Generator` with each of its bit generators, seeded by a number.

use super::servers::unit;
use super::{Distribution, Interface, Kind, OutputForm, op};
use crate::dtype::Dtype;
use crate::named::{Attribute, Named, named};

named! {
    /// NumPy's bit generators.
    NumpyBitGenerator {
        /// Permuted congruential generator of 128 bits, the default.
        Pcg64 = "PCG64",
        /// The same with a multiplier of 64 bits and another permutation.
        Pcg64Dxsm = "PCG64DXSM",
        /// Philox4x64 with 10 rounds.
        Philox = "Philox",
        /// Small fast chaotic generator of 256 bits.
        Sfc64 = "SFC64",
        /// The Mersenne Twister.
        Mt19937 = "MT19937",
    }
}

/// Seeds of one to four words of 32 bits, which is what a `SeedSequence` takes a number apart into.
const SEEDS: &[i128] = &[
    0,
    1,
    42,
    0xffff_ffff,
    1 << 32,
    0xffff_ffff_ffff_ffff,
    1 << 64,
    0x0123_4567_89ab_cdef_0011_2233,
    1 << 96,
    i128::MAX,
];

/// Lower bounds that several types have.
pub(super) const LOWS: &[i128] = &[0, 3, 100, -100, -(1 << 15), -(1 << 31), -(1 << 63)];

/// Upper bounds at which a range is whole, or has one integer more or less, or a quarter of all words is rejected.
pub(super) const HIGHS: &[i128] = &[
    1,
    10,
    101,
    127,
    192,
    256,
    1 << 15,
    49_152,
    65_536,
    1 << 31,
    3 << 30,
    (1 << 32) - 1,
    1 << 32,
    (1 << 32) + 1,
    3 << 62,
    1 << 63,
    1 << 64,
];

/// Lengths of permutations.
pub(super) const LENGTHS: &[i128] = &[-1, 0, 1, 2, 5, 33, 100, 257, 1000];

op! {
    /// NumPy Generator.random: numbers of `[0, 1)`.
    NumpyRandom {
        name: "numpy.random",
        title: "numpy.random",
        prefix: "npr",
        attributes: {
            /// The bit generator.
            bit_generator: Attribute<NumpyBitGenerator> = Kind::Enumeration(NumpyBitGenerator::NAMES),
            /// The seed, from 0 to 2^127 - 1.
            seed: i128 = Kind::Number(SEEDS),
            /// The output's element type.
            output_type: Attribute<Dtype> = Kind::Dtype(&[Dtype::F32, Dtype::F64]),
            /// The output's extents.
            output_sizes: Vec<u64> = Kind::Extents(&[1]),
        },
        inputs: {},
        outputs: ["output": "of `output_type`, the extents in `output_sizes`"],
        execution: u32,
    }
}

impl Interface for NumpyRandom {
    fn distribution(&self) -> Option<Distribution<'_>> {
        unit(self.output_type.known()?)
    }
}

op! {
    /// NumPy Generator.integers: integers of a range.
    NumpyIntegers {
        name: "numpy.integers",
        title: "numpy.integers",
        prefix: "npi",
        attributes: {
            /// The bit generator.
            bit_generator: Attribute<NumpyBitGenerator> = Kind::Enumeration(NumpyBitGenerator::NAMES),
            /// The seed, from 0 to 2^127 - 1.
            seed: i128 = Kind::Number(SEEDS),
            /// The output's element type.
            output_type: Attribute<Dtype> = Kind::Dtype(Dtype::INTEGERS),
            /// The output's extents.
            output_sizes: Vec<u64> = Kind::Extents(&[1]),
            /// Lower bound, inclusive.
            low: i128 = Kind::Number(LOWS),
            /// Upper bound, exclusive: at most one more than the greatest number of the type.
            high: i128 = Kind::Number(HIGHS),
        },
        inputs: {},
        outputs: ["output": "of `output_type`, the extents in `output_sizes`"],
        execution: u32,
    }
}

impl Interface for NumpyIntegers {
    fn distribution(&self) -> Option<Distribution<'_>> {
        Distribution::integers(self.output_type.known()?, self.low, self.high)
    }
}

op! {
    /// NumPy Generator.permutation: the numbers below one in an order.
    NumpyPermutation {
        name: "numpy.permutation",
        title: "numpy.permutation",
        prefix: "npp",
        attributes: {
            /// The bit generator.
            bit_generator: Attribute<NumpyBitGenerator> = Kind::Enumeration(NumpyBitGenerator::NAMES),
            /// The seed, from 0 to 2^127 - 1.
            seed: i128 = Kind::Number(SEEDS),
            /// How many numbers there are; a negative number stands for 0.
            n: i128 = Kind::Number(LENGTHS),
        },
        inputs: {},
        outputs: ["output": "i64, [`n`]"],
        execution: u32,
    }
}

impl Interface for NumpyPermutation {
    fn outputs(&self) -> Option<Vec<OutputForm>> {
        Some(vec![(Dtype::I64, vec![u64::try_from(self.n.max(0)).ok()?])])
    }

    fn distribution(&self) -> Option<Distribution<'_>> {
        let of = u64::try_from(self.n.max(0)).ok()?;
        Some(Distribution::Order { of })
    }
}
