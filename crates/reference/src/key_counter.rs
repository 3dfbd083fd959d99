//! TensorFlow StatelessRandomGetKeyCounter: a seed of two numbers, scrambled by one block of Philox4x32-10 into the
//! key and the counter of a stream.
//!
//! The op has no formal text. What decides is its documentation and what TensorFlow 2.21 answers; each clause says
//! which. [`Plan::new`] checks the seed's type, then its shape.

use seedproof_ops::{
    Dtype, Failure, Limits, OpError, Response, Stages, StatelessRandomGetKeyCounter, Tensor,
};

use crate::{philox, validate};

/// `[tfkc.scramble.key]`: the key of the block that scrambles a seed.
const SCRAMBLE_KEY: u64 = 0x0246_1e29_3ec8_f720;

/// A valid request.
pub struct Plan {
    seed: [u64; 2],
}

impl Plan {
    /// The plan for a request.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request.
    pub fn new(request: &StatelessRandomGetKeyCounter, _: Limits) -> Result<Self, Failure> {
        let seed = seed(&request.seed)?;
        Ok(Self { seed })
    }

    /// `[tfkc.key]` and `[tfkc.counter]`: the key has shape `[1]`, the counter `[2]`, its low half first.
    ///
    /// # Errors
    /// None; the signature is that of every op.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        let [m0, m1, m2, m3] = self.scrambled();
        Ok(Response {
            output: Tensor::vector(&[join(m0, m1)]),
            more: vec![Tensor::vector(&[0, join(m2, m3)])],
        })
    }

    /// The four words of the block, of which the key takes two.
    pub fn stages(&self) -> Option<Stages> {
        Some(Stages {
            words: self.scrambled().to_vec(),
            words_per_element: 2,
            words_per_block: 4,
            counters: vec![self.counter()],
            unit: None,
            scaled: self.run(0).ok()?.output,
        })
    }

    /// `[tfkc.scramble.counter]`: the seed's first number is the low half of the block's counter, its second the high
    /// half.
    fn counter(&self) -> u128 {
        let [low, high] = self.seed;
        u128::from(high) << 64 | u128::from(low)
    }

    /// The stream that the key and the counter begin.
    fn stream(&self) -> (u64, u128) {
        let [m0, m1, m2, m3] = self.scrambled();
        (join(m0, m1), u128::from(join(m2, m3)) << 64)
    }

    fn scrambled(&self) -> [u32; 4] {
        philox::block(SCRAMBLE_KEY, self.counter())
    }
}

/// The key and the counter that an op makes of its seed.
pub(crate) fn key_and_counter(numbers: &Tensor) -> Result<(u64, u128), OpError> {
    Ok(Plan { seed: seed(numbers)? }.stream())
}

/// `[tfkc.seed.form]`: two numbers of i32 or i64. `[tfkc.seed.extended]`: each as 64 bits, a negative one with its
/// sign.
///
/// Erratum `tfkc.seed.width`.
fn seed(seed: &Tensor) -> Result<[u64; 2], OpError> {
    validate::dtype("seed", seed, &[Dtype::I32, Dtype::I64])?;
    match *validate::integers(seed) {
        [first, second] if seed.shape().rank() == 1 => Ok([first.cast_unsigned(), second.cast_unsigned()]),
        _ => validate::shape("seed", seed, "[2]"),
    }
}

/// `[tfkc.key]`: two words as one number, the low word first.
fn join(low: u32, high: u32) -> u64 {
    u64::from(low) | u64::from(high) << 32
}
