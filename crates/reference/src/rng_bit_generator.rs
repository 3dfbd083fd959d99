//! StableHLO rng_bit_generator: bits of Philox4x32-10 or Threefry2x32-20, and the state after them.
//!
//! The specification calls the values implementation-defined and prints one example, whose bits XLA reproduces; each clause
//! says what decided. [`Plan::new`] checks a request in this order: `rng_algorithm` and `output_type`; the state's type,
//! then its form. Only a valid request is then checked against the limit.

mod half_shape;
mod state;

use seedproof_ops::{
    Dtype, Elements, ErrorKind, Failure, Limits, Named, OpError, Response, RngAlgorithm, RngBitGenerator,
    Shape, Stages, Tensor,
};

use self::half_shape::HalfShape;
use self::state::{Generator, State};
use crate::{philox, threefry, validate};

/// A valid request.
pub struct Plan {
    state: State,
    dtype: Dtype,
    shape: Shape,
}

impl Plan {
    /// The plan for a request.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for an output over the limit.
    pub fn new(request: &RngBitGenerator, limits: Limits) -> Result<Self, Failure> {
        let generator = generator(request)?;
        let dtype = validate::attribute("output_type", &request.output_type, Dtype::ALL)?;
        Ok(Self {
            state: initial_state(&request.initial_state, generator)?,
            dtype,
            shape: limits.shape(dtype, &request.output_sizes)?,
        })
    }

    /// `[shlo.output.form]`: the bits, and the state after them. The op has no use for entropy.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for it.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        Ok(Response {
            output: self.output()?,
            more: vec![Tensor::vector(&self.state.after(self.blocks()))],
        })
    }

    /// The words, the counters that made them, and the output.
    pub fn stages(&self) -> Option<Stages> {
        Some(Stages {
            words: self.words().collect(),
            words_per_element: self.words_per_element(),
            words_per_block: match self.state.generator() {
                Generator::Philox => 4,
                Generator::ThreeFry if self.words_per_element() == 2 => 2,
                // Neighbours in the output are not neighbours in the stream.
                Generator::ThreeFry => 1,
            },
            counters: self.counters(),
            unit: None,
            scaled: self.output().ok()?,
        })
    }

    /// `[shlo.bits.narrow]`: up to 32 bits take one word. `[shlo.bits.wide]`: 64 bits take two.
    fn words_per_element(&self) -> usize {
        if self.dtype.size() == 8 { 2 } else { 1 }
    }

    /// `[shlo.bits.narrow]`: the low bits of a word. `[shlo.bits.wide]`: the first word is the low one.
    /// `[shlo.bits.raw]`: whatever the type, they are the element's bits.
    ///
    /// Errata `shlo.bits.narrow`, `shlo.bits.word-order` and `shlo.bits.float`.
    fn output(&self) -> Result<Tensor, Failure> {
        let mut elements = Elements::reserve(self.dtype, &self.shape)?;
        let mut words = self.words();
        for _ in 0..self.shape.count() {
            let element = words.by_ref().take(self.words_per_element());
            elements.push_bits(
                element
                    .zip([0, 32])
                    .fold(0, |bits, (word, place)| bits | u64::from(word) << place),
            );
        }
        Ok(elements.into_tensor())
    }

    /// The words in row-major order of the output.
    fn words(&self) -> Box<dyn Iterator<Item = u32> + '_> {
        let elements = 0..self.shape.count();
        match self.state.generator() {
            Generator::Philox => Box::new(self.philox()),
            Generator::ThreeFry if self.words_per_element() == 2 => {
                Box::new(elements.flat_map(|element| self.threefry_wide(element)))
            }
            Generator::ThreeFry => {
                let half = HalfShape::of(self.shape.dims());
                Box::new(elements.map(move |element| self.threefry_halved(&half, element)))
            }
        }
    }

    /// The counter of each element's block.
    fn counters(&self) -> Vec<u128> {
        let elements = 0..self.shape.count();
        let threefry = |block| u128::from(self.state.threefry_counter(block));
        match self.state.generator() {
            Generator::Philox => elements
                .map(|element| self.state.philox_counter(element * self.words_per_element() / 4))
                .collect(),
            Generator::ThreeFry if self.words_per_element() == 2 => elements.map(threefry).collect(),
            Generator::ThreeFry => {
                let half = HalfShape::of(self.shape.dims());
                let pair = |element| half.place(&self.shape.coordinates(element)).0;
                elements.map(|element| threefry(pair(element))).collect()
            }
        }
    }

    /// `[shlo.philox.order]`: the words of the blocks one after the other; those of the last block that no element takes
    /// are dropped.
    fn philox(&self) -> impl Iterator<Item = u32> + '_ {
        let words = self.shape.count() * self.words_per_element();
        let block = |i| philox::block(self.state.key(), self.state.philox_counter(i));
        (0..).flat_map(block).take(words)
    }

    /// `[shlo.threefry.wide]`: element i is made of the two words of block i.
    fn threefry_wide(&self, element: usize) -> [u32; 2] {
        self.threefry_block(element)
    }

    /// `[shlo.threefry.interleaved]`: the words of block j are two neighbours along the halved dimension.
    /// `[shlo.threefry.scalar]`: a scalar takes the first.
    ///
    /// Erratum `shlo.threefry.scalar`.
    fn threefry_halved(&self, half: &HalfShape, element: usize) -> u32 {
        let (pair, word) = half.place(&self.shape.coordinates(element));
        self.threefry_block(pair)[word]
    }

    /// `[shlo.threefry.counter]`: block i has the counter of the state and i, its low word first.
    fn threefry_block(&self, i: usize) -> [u32; 2] {
        let [key, counter] = [self.state.key(), self.state.threefry_counter(i)].map(philox::split);
        threefry::block([key.r, key.l], [counter.r, counter.l])
    }

    /// The number of blocks: of Philox `ceil(words / 4)`, of Threefry one for each 64-bit element, else one for each
    /// pair.
    fn blocks(&self) -> usize {
        match self.state.generator() {
            Generator::Philox => (self.shape.count() * self.words_per_element()).div_ceil(4),
            Generator::ThreeFry if self.words_per_element() == 2 => self.shape.count(),
            Generator::ThreeFry => HalfShape::of(self.shape.dims()).pairs(),
        }
    }
}

/// `[shlo.algorithm]`: PHILOX or THREE_FRY. `[shlo.algorithm.default]`: DEFAULT is PHILOX.
///
/// Erratum `shlo.algorithm.default`.
fn generator(request: &RngBitGenerator) -> Result<Generator, OpError> {
    match validate::attribute("rng_algorithm", &request.rng_algorithm, RngAlgorithm::ALL)? {
        RngAlgorithm::Default | RngAlgorithm::Philox => Ok(Generator::Philox),
        RngAlgorithm::ThreeFry => Ok(Generator::ThreeFry),
    }
}

/// `[shlo.state.form]`: a list of two u64, or of three for Philox.
///
/// Errata `shlo.state.sizes` and `shlo.state.type`.
fn initial_state(state: &Tensor, generator: Generator) -> Result<State, OpError> {
    validate::dtype("initial_state", state, &[Dtype::U64])?;
    let words: Vec<u64> = state.elements().map_or_else(|_| Vec::new(), Iterator::collect);
    let of_rank_1 = state.shape().rank() == 1;
    match *words {
        [key, counter] if of_rank_1 => Ok(State::Two {
            generator,
            key,
            counter,
        }),
        [key, low, high] if of_rank_1 && generator == Generator::Philox => {
            Ok(State::Three { key, low, high })
        }
        _ => {
            let message = format!(
                "accept initial_state of shape {} for {generator:?}",
                state.shape()
            );
            validate::refuse(ErrorKind::State, message)
        }
    }
}
