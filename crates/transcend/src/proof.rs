//! On which inputs each sequence is proved: all that an op can reach, in blocks of 2^20.
//!
//! Every harness that compares a sequence with a real function takes the inputs from here, so that a digest of results means
//! the same everywhere. A C library is asked by a test of the harness, jax by a script that the test runs, and any machine
//! compares the digests that these two wrote.

use crate::{cuda, glibc, xla};

/// How many inputs a digest is of, unless the set ends before.
pub const BLOCK: u32 = 1 << 20;

/// A function and the inputs on which it is proved.
#[derive(Debug)]
pub struct Sequence {
    /// The library and the function: `glibc-logf`.
    pub name: &'static str,
    /// The function as restated here.
    pub function: fn(f32) -> f32,
    /// The inputs.
    pub sets: &'static [Set],
}

/// Inputs that belong together.
#[derive(Debug)]
pub struct Set {
    /// What they are, in words.
    pub what: &'static str,
    /// How many there are.
    pub count: u32,
    /// The input of this number.
    pub input: fn(u32) -> f32,
}

/// Every sequence of this crate.
pub const SEQUENCES: [Sequence; 11] = [
    Sequence {
        name: "glibc-logf",
        function: glibc::logf,
        sets: UNIFORMS,
    },
    Sequence {
        name: "glibc-sinf",
        function: glibc::sinf,
        sets: ANGLES,
    },
    Sequence {
        name: "glibc-cosf",
        function: glibc::cosf,
        sets: ANGLES,
    },
    Sequence {
        name: "xla-log",
        function: xla::log,
        sets: LOGARITHMS,
    },
    Sequence {
        name: "xla-log1p",
        function: xla::log1p,
        sets: SQUARES,
    },
    Sequence {
        name: "xla-erf_inv",
        function: xla::erf_inv,
        sets: QUANTILES,
    },
    Sequence {
        name: "cuda-logf",
        function: cuda::logf,
        sets: UNIFORMS,
    },
    Sequence {
        name: "cuda-logf_of_logf",
        function: cuda::logf,
        sets: OF_LOGARITHMS,
    },
    Sequence {
        name: "cuda-log1pf",
        function: cuda::log1pf,
        sets: SQUARES,
    },
    Sequence {
        name: "cuda-sin_approx",
        function: cuda::sin_approx,
        sets: ANGLES,
    },
    Sequence {
        name: "cuda-cos_approx",
        function: cuda::cos_approx,
        sets: ANGLES,
    },
];

/// The bits of 2^-12.
const TWO_TO_MINUS_12: u32 = 0x3980_0000;

const ONE: u32 = 0x3f80_0000;

/// The bits of 2 pi.
const TURN: u32 = 0x40c9_0fdb;

/// What a radius takes the logarithm of. Below 2^-12 only what a conversion of a word makes is reached.
const UNIFORMS: &[Set] = &[
    Set {
        what: "every float from 2^-12 to 1",
        count: ONE - TWO_TO_MINUS_12 + 1,
        input: |i| f32::from_bits(TWO_TO_MINUS_12 + i),
    },
    Set {
        what: "odd multiples of 2^-33: cuRAND, torch.philox_normal",
        count: BLOCK,
        input: |i| scaled(2 * i + 1, 33),
    },
    Set {
        what: "multiples of 2^-24 up to 2^-12: TensorFlow, torch, inductor",
        count: 1 << 12,
        input: |i| scaled(i + 1, 24),
    },
    Set {
        what: "1e-7, the least that TensorFlow takes",
        count: 1,
        input: |_| 1e-7,
    },
];

const ANGLES: &[Set] = &[
    Set {
        what: "every float from 2^-12 to 2 pi",
        count: TURN - TWO_TO_MINUS_12 + 1,
        input: |i| f32::from_bits(TWO_TO_MINUS_12 + i),
    },
    Set {
        what: "zero, and every 920th float below 2^-12, where the sine is the angle",
        count: BLOCK,
        input: |i| f32::from_bits(920 * i),
    },
];

const LOGARITHMS: &[Set] = &[
    Set {
        what: "multiples of 2^-24: uniforms, and the sums 1 + t of log1p",
        count: 1 << 24,
        input: |i| scaled(i + 1, 24),
    },
    Set {
        what: "the negative logarithms of multiples of 2^-23 below 1: jax.gumbel",
        count: (1 << 23) - 1,
        input: |i| -xla::log(scaled(i + 1, 23)),
    },
    Set {
        what: "the least normal number and its negative logarithm: jax.gumbel",
        count: 2,
        input: |i| {
            if i == 0 {
                f32::MIN_POSITIVE
            } else {
                -xla::log(f32::MIN_POSITIVE)
            }
        },
    },
];

/// What jax.gumbel takes the second logarithm of on a GPU.
const OF_LOGARITHMS: &[Set] = &[
    Set {
        what: "the negative logarithms of multiples of 2^-23 below 1",
        count: (1 << 23) - 1,
        input: |i| -cuda::logf(scaled(i + 1, 23)),
    },
    Set {
        what: "the least normal number and its negative logarithm",
        count: 2,
        input: |i| {
            if i == 0 {
                f32::MIN_POSITIVE
            } else {
                -cuda::logf(f32::MIN_POSITIVE)
            }
        },
    },
];

const SQUARES: &[Set] = &[
    Set {
        what: "the negative squares of the uniforms of jax.normal of f32",
        count: QUANTILES[0].count,
        input: |i| negative_square((QUANTILES[0].input)(i)),
    },
    Set {
        what: "the negative squares of multiples of 2^-11: f16 and bf16",
        count: QUANTILES[1].count,
        input: |i| negative_square((QUANTILES[1].input)(i)),
    },
];

/// The uniforms of jax.normal are symmetric about zero, and neither end is reached.
const QUANTILES: &[Set] = &[
    Set {
        what: "the uniforms of jax.normal of f32: odd multiples of 2^-24 in steps of 2^-22 from -1",
        count: 1 << 23,
        input: |i| quantile(4 * i + 1, 24),
    },
    Set {
        what: "multiples of 2^-11 between -1 and 1: f16 and bf16",
        count: (1 << 12) - 1,
        input: |i| quantile(i + 1, 11),
    },
];

impl Sequence {
    /// How many inputs the sets have together.
    pub fn count(&self) -> u64 {
        self.sets.iter().map(|set| u64::from(set.count)).sum()
    }

    /// The input of this number among all sets'; the last one for a number that is too great.
    pub fn input(&self, mut index: u64) -> f32 {
        for set in self.sets {
            match u32::try_from(index) {
                Ok(index) if index < set.count => return (set.input)(index),
                _ => index -= u64::from(set.count),
            }
        }
        let last = self.sets.last().expect("a sequence has sets");
        (last.input)(last.count - 1)
    }
}

impl Set {
    /// The inputs in blocks, the last of which may be shorter.
    pub fn blocks(&self) -> impl Iterator<Item = impl Iterator<Item = f32>> {
        (0..self.count.div_ceil(BLOCK)).map(move |block| {
            let first = block * BLOCK;
            (first..self.count.min(first + BLOCK)).map(self.input)
        })
    }
}

/// An integer over a power of two. Every set's has 24 bits or fewer, so that nothing is rounded.
fn scaled(integer: u32, bits: u8) -> f32 {
    narrow(f64::from(integer) / power(bits))
}

/// The same, less one.
fn quantile(integer: u32, bits: u8) -> f32 {
    narrow(f64::from(integer) / power(bits) - 1.0)
}

fn power(bits: u8) -> f64 {
    f64::from_bits((u64::from(bits) + 1023) << 52)
}

#[expect(clippy::cast_possible_truncation, reason = "exact in every set")]
const fn narrow(x: f64) -> f32 {
    x as f32
}

fn negative_square(u: f32) -> f32 {
    -(u * u)
}
