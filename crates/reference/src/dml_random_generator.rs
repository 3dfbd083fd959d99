//! DirectML RandomGenerator (`DML_RANDOM_GENERATOR_OPERATOR_DESC`): raw words of Philox4x32-10, and the state
//! after them.
//!
//! [`Plan::new`] checks a request in this order: `Type` and feature level; the state's type, then its form;
//! the output's sizes. Only a valid request is then checked against the limit.

use seedproof_ops::{
    DmlGenerator, DmlRandomGenerator, Dtype, ErrorKind, Failure, FeatureLevel, Limits, Named, OpError,
    Response, Shape, Stages, Tensor,
};

use crate::fill::fill;
use crate::{philox, validate};

/// A valid request.
pub struct Plan {
    state: State,
    /// The shape of the state, in and out.
    state_shape: Shape,
    shape: Shape,
    output_state: bool,
}

impl Plan {
    /// The plan for a request.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for an output over the limit.
    pub fn new(request: &DmlRandomGenerator, limits: Limits) -> Result<Self, Failure> {
        generator(request)?;
        let level = validate::attribute("the feature level", &request.feature_level, FeatureLevel::ALL)?;
        let state = input_state(request, level)?;
        output_sizes(request, level)?;
        Ok(Self {
            state,
            state_shape: request.input_state.shape().clone(),
            shape: limits.shape(Dtype::U32, &request.output_sizes)?,
            output_state: request.output_state,
        })
    }

    /// The op's output, and the state after it if that is asked for. The op has no use for entropy.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for it.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        Ok(Response {
            output: self.output()?,
            more: self
                .output_state
                .then(|| self.state_after())
                .into_iter()
                .collect(),
        })
    }

    /// The words, which are the output.
    pub fn stages(&self) -> Option<Stages> {
        Some(Stages {
            words: self.words().take(self.shape.count()).collect(),
            words_per_element: 1,
            words_per_block: 4,
            counters: Vec::new(),
            unit: None,
            scaled: self.output().ok()?,
        })
    }

    /// `[dml.output.bits]`: all 32 bits of each word. `[dml.output.order]`: the words of a block in order, in
    /// row-major order of the output. `[dml.output.tail-discarded]`: what the last block has over is dropped.
    ///
    /// Erratum `dml.output.tail`.
    fn output(&self) -> Result<Tensor, Failure> {
        let filled = fill(&self.shape, self.words(), |[word]: [u32; 1]| word)?;
        Ok(filled.tensor)
    }

    fn words(&self) -> impl Iterator<Item = u32> {
        philox::words(self.state.key, self.state.counter)
    }

    /// `[dml.state.output]`: the state for the next execution, in the form of the input state.
    ///
    /// Erratum `dml.state.same-sizes`.
    fn state_after(&self) -> Tensor {
        let state = self.state.after(self.shape.count());
        Tensor::from_elements(self.state_shape.clone(), &state.elements())
            .expect("the input state has six elements in the same shape")
    }
}

/// The generator's state: what the six words say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    counter: u128,
    key: u64,
}

impl State {
    /// `[dml.state.layout]`: four words of counter, two of key.
    ///
    /// Erratum `dml.counter.word-order`: each least significant word first.
    fn new([c0, c1, c2, c3, k0, k1]: [u32; 6]) -> Self {
        Self {
            counter: u128::from(c0) | u128::from(c1) << 32 | u128::from(c2) << 64 | u128::from(c3) << 96,
            key: u64::from(k0) | u64::from(k1) << 32,
        }
    }

    /// The inverse of [`Self::new`].
    fn elements(self) -> [u32; 6] {
        let counter = self.counter.to_le_bytes();
        let key = self.key.to_le_bytes();
        let word = |i: usize| {
            let bytes = if i < 4 {
                &counter[4 * i..]
            } else {
                &key[4 * (i - 4)..]
            };
            u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
        };
        std::array::from_fn(word)
    }

    /// `[dml.counter.increment]`: the counter grows by `ceil(outputSize / 4)`. `[dml.counter.carry]`: as one
    /// 128-bit number. `[dml.state.key-unchanged]`.
    ///
    /// Erratum `dml.counter.wrap`: past 2^128 it starts again at 0. Erratum `dml.counter.example`: the
    /// document's own sum is wrong.
    fn after(self, output_size: usize) -> Self {
        let blocks = output_size.div_ceil(4);
        let increment = u128::try_from(blocks).expect("no machine counts past 2^128");
        Self {
            counter: self.counter.wrapping_add(increment),
            key: self.key,
        }
    }
}

/// `[dml.type]`: PHILOX_4X32_10 is the only generator.
fn generator(request: &DmlRandomGenerator) -> Result<DmlGenerator, OpError> {
    validate::attribute("Type", &request.generator, DmlGenerator::ALL)
}

/// `[dml.state.form]`: six u32, in the last dimension; the others are 1.
///
/// Erratum `dml.state.rank`: the feature level says how many dimensions there are.
fn input_state(request: &DmlRandomGenerator, level: FeatureLevel) -> Result<State, OpError> {
    let tensor = &request.input_state;
    validate::dtype("InputState", tensor, &[Dtype::U32])?;
    let dims = tensor.shape().dims();
    let (count_is_supported, dimension_count) = dimensions(level, dims.len());
    let sizes_are = matches!(dims.split_last(), Some((6, ones)) if ones.iter().all(|&size| size == 1));
    let elements: Vec<u32> = tensor.elements().map_or_else(|_| Vec::new(), Iterator::collect);
    match <[u32; 6]>::try_from(elements) {
        Ok(words) if count_is_supported && sizes_are => Ok(State::new(words)),
        _ => {
            let message = format!(
                "accept InputState of sizes {}: expected {dimension_count}, all 1 but the last, which is 6",
                tensor.shape()
            );
            validate::refuse(ErrorKind::State, message)
        }
    }
}

/// `[dml.output.form]`: any size but zero.
///
/// Erratum `dml.output.zero-size`.
fn output_sizes(request: &DmlRandomGenerator, level: FeatureLevel) -> Result<(), OpError> {
    let sizes = &request.output_sizes;
    let (count_is_supported, dimension_count) = dimensions(level, sizes.len());
    if count_is_supported && !sizes.contains(&0) {
        return Ok(());
    }
    let message = format!("make an Output of sizes {sizes:?}: expected {dimension_count}, none of size 0");
    validate::refuse(ErrorKind::Shape, message)
}

/// `[dml.feature-level.3-0]`: four dimensions. `[dml.feature-level.4-0]`: one to eight. Whether there may be
/// `count` of them, and what there may be in words.
fn dimensions(level: FeatureLevel, count: usize) -> (bool, &'static str) {
    match level {
        FeatureLevel::Level3_0 => (count == 4, "4 dimensions"),
        FeatureLevel::Level4_0 => ((1..=8).contains(&count), "1 to 8 dimensions"),
    }
}

#[cfg(test)]
mod tests;
