//! NumPy's legacy generator, `RandomState`, seeded by a number or by a list of words.

use super::servers::unit;
use super::{Distribution, Interface, Kind, OutputForm, numpy, op};
use crate::dtype::Dtype;
use crate::named::Attribute;

/// Seeds of a word, of two and of four, of which those of more than one go with a list.
const SEEDS: &[i128] = &[
    0,
    1,
    42,
    5489,
    0x0123_4567,
    1 << 31,
    0xffff_ffff,
    1 << 32,
    i128::MAX,
];

/// Lists as short as a seed, as long as the state, and one longer.
const SEED_WORDS: &[i128] = &[1, 2, 4, 5, 624, 625];

/// An op with the attributes that all of them have, of which the state follows, and with its own.
macro_rules! drawn_by_random_state {
    (
        $(#[$doc:meta])*
        $op:ident {
            name: $name:literal,
            prefix: $prefix:literal,
            attributes: { $($attributes:tt)* },
            output: $output:literal,
        }
    ) => {
        op! {
            $(#[$doc])*
            $op {
                name: $name,
                title: $name,
                prefix: $prefix,
                attributes: {
                    /// The seed: a word, or the words of a list of `seed_words`, the lowest first.
                    seed: i128 = Kind::Number(SEEDS),
                    /// How many words of 32 bits the seed has as a list; where it is absent, the seed is a number.
                    seed_words: Option<i128> = Kind::Number(SEED_WORDS),
                    $($attributes)*
                },
                inputs: {},
                outputs: ["output": $output],
                execution: u32,
            }
        }
    };
}

drawn_by_random_state! {
    /// NumPy RandomState.rand: numbers of `[0, 1)`.
    RandomStateRand {
        name: "numpy.RandomState.rand",
        prefix: "rsr",
        attributes: {
            /// The output's extents.
            output_sizes: Vec<u64> = Kind::Extents(&[1]),
        },
        output: "f64, the extents in `output_sizes`",
    }
}

impl Interface for RandomStateRand {
    fn distribution(&self) -> Option<Distribution<'_>> {
        unit(Dtype::F64)
    }
}

drawn_by_random_state! {
    /// NumPy RandomState.randn: normals of mean 0 and standard deviation 1.
    RandomStateRandn {
        name: "numpy.RandomState.randn",
        prefix: "rsn",
        attributes: {
            /// The output's extents.
            output_sizes: Vec<u64> = Kind::Extents(&[1]),
        },
        output: "f64, the extents in `output_sizes`",
    }
}

impl Interface for RandomStateRandn {
    fn distribution(&self) -> Option<Distribution<'_>> {
        Some(Distribution::Normal { mean: 0.0, std: 1.0 })
    }
}

drawn_by_random_state! {
    /// NumPy RandomState.randint: integers of a range.
    RandomStateRandint {
        name: "numpy.RandomState.randint",
        prefix: "rsi",
        attributes: {
            /// The output's element type.
            output_type: Attribute<Dtype> = Kind::Dtype(Dtype::INTEGERS),
            /// The output's extents.
            output_sizes: Vec<u64> = Kind::Extents(&[1]),
            /// Lower bound, inclusive.
            low: i128 = Kind::Number(numpy::LOWS),
            /// Upper bound, exclusive: at most one more than the greatest number of the type.
            high: i128 = Kind::Number(numpy::HIGHS),
        },
        output: "of `output_type`, the extents in `output_sizes`",
    }
}

impl Interface for RandomStateRandint {
    fn distribution(&self) -> Option<Distribution<'_>> {
        Distribution::integers(self.output_type.known()?, self.low, self.high)
    }
}

drawn_by_random_state! {
    /// NumPy RandomState.permutation: the numbers below one in an order.
    RandomStatePermutation {
        name: "numpy.RandomState.permutation",
        prefix: "rsp",
        attributes: {
            /// How many numbers there are; a negative number stands for 0.
            n: i128 = Kind::Number(numpy::LENGTHS),
        },
        output: "i64, [`n`]",
    }
}

impl Interface for RandomStatePermutation {
    fn outputs(&self) -> Option<Vec<OutputForm>> {
        Some(vec![(Dtype::I64, vec![u64::try_from(self.n.max(0)).ok()?])])
    }

    fn distribution(&self) -> Option<Distribution<'_>> {
        let of = u64::try_from(self.n.max(0)).ok()?;
        Some(Distribution::Order { of })
    }
}
