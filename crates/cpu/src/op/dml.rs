//! DirectML RandomGenerator.

use seedproof_ops::{
    DmlRandomGenerator, Dtype, ErrorKind, Failure, FeatureLevel, Limits, Response, Shape, Stages, Tensor,
};

use super::{assert_length, check_dtype, output_bytes, refuse};
use crate::{Level, Philox, fill, rule};

/// A valid request.
pub struct Valid<'a> {
    request: &'a DmlRandomGenerator,
    philox: Philox,
    shape: Shape,
}

/// Refuses what is invalid, in the order attribute, element type, output shape, state.
///
/// # Errors
/// [`Failure::Rejected`]; [`Failure::Unsupported`] for more output than the limit.
pub fn check(request: &DmlRandomGenerator, limits: Limits) -> Result<Valid<'_>, Failure> {
    if request.generator.known().is_none() {
        let message = format!("Type `{}` is not PHILOX_4X32_10", request.generator);
        return refuse(ErrorKind::Attribute, message);
    }
    let Some(level) = request.feature_level.known() else {
        let message = format!("feature level `{}` is neither 3.0 nor 4.0", request.feature_level);
        return refuse(ErrorKind::Attribute, message);
    };
    check_dtype("InputState", &request.input_state, &[Dtype::U32])?;
    let ranks = match level {
        FeatureLevel::Level3_0 => 4..=4,
        FeatureLevel::Level4_0 => 1..=8,
    };
    let state = &request.input_state;
    let ones_and_six = matches!(state.shape().dims(), [ones @ .., 6] if ones.iter().all(|&one| one == 1));
    if !ranks.contains(&state.shape().rank()) || !ones_and_six {
        let message = format!(
            "at feature level {level} a state cannot have the sizes {}",
            state.shape()
        );
        return refuse(ErrorKind::State, message);
    }
    let sizes = &request.output_sizes;
    if !ranks.contains(&sizes.len()) || sizes.contains(&0) {
        let message = format!("at feature level {level} an output cannot have the sizes {sizes:?}");
        return refuse(ErrorKind::Shape, message);
    }
    Ok(Valid {
        request,
        philox: from_state(state),
        shape: limits.shape(Dtype::U32, sizes)?,
    })
}

/// The counter's four words and the key's two, the least significant first.
fn from_state(state: &Tensor) -> Philox {
    let (counter, key) = state.bytes().split_first_chunk().expect("a state has 24 bytes");
    Philox {
        counter: u128::from_le_bytes(*counter),
        key: u64::from_le_bytes(key.try_into().expect("a state has 24 bytes")),
    }
}

impl Valid<'_> {
    /// The stream whose words are the output.
    pub fn philox(&self) -> Philox {
        self.philox
    }

    /// Words of output.
    pub fn count(&self) -> usize {
        self.shape.count()
    }

    /// The answer whose words have these bytes, least significant first.
    ///
    /// # Panics
    /// Unless there are four bytes for each word.
    pub fn response(&self, bytes: Vec<u8>) -> Response {
        Response {
            output: Tensor::new(Dtype::U32, self.shape.clone(), bytes)
                .expect("the bytes were counted by the shape"),
            more: self.more(),
        }
    }

    /// The outputs after the first.
    fn more(&self) -> Vec<Tensor> {
        let state = self.request.output_state.then(|| self.state_after());
        state.into_iter().collect()
    }

    /// The op's value.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for it.
    pub(crate) fn run(&self, level: Level) -> Result<Response, Failure> {
        let mut bytes = output_bytes(Dtype::U32, self.shape.count())?;
        fill::fill(level, self.philox, rule::Bits, &mut bytes);
        Ok(self.response(bytes))
    }

    /// Writes the bytes of the first output, and returns the others.
    pub(crate) fn fill(&self, level: Level, out: &mut [u8]) -> Vec<Tensor> {
        assert_length(out, Dtype::U32, self.shape.count());
        fill::fill(level, self.philox, rule::Bits, out);
        self.more()
    }

    /// The state once every block that was begun is counted; unused words are gone.
    fn state_after(&self) -> Tensor {
        let blocks = self.shape.count().div_ceil(4);
        let philox = self
            .philox
            .skip(u64::try_from(blocks).expect("a count fits 64 bits"));
        let mut bytes = philox.counter.to_le_bytes().to_vec();
        bytes.extend(philox.key.to_le_bytes());
        Tensor::new(Dtype::U32, self.request.input_state.shape().clone(), bytes)
            .expect("a state has six words")
    }

    /// The stages: the words are the output.
    pub(crate) fn stages(&self) -> Option<Stages> {
        let scaled = self.run(Level::scalar()).ok()?.output;
        let words = scaled.elements().expect("the output is of words").collect();
        Some(Stages::of_philox(words, 1, scaled))
    }
}
