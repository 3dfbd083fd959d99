//! DirectML RandomGenerator.

use seedproof_ops::{DmlRandomGenerator, Dtype, ErrorKind, Failure, FeatureLevel, Limits, Tensor};

use super::draw::{Conversion, Draw, Source};
use super::{check_dtype, refuse};
use crate::philox::Philox;

/// Refuses what is invalid, in the order attribute, element type, output shape, state.
///
/// # Errors
/// [`Failure::Rejected`]; [`Failure::Unsupported`] for more output than the limit.
pub(super) fn check(request: &DmlRandomGenerator, limits: Limits) -> Result<Draw, Failure> {
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
    let shape = limits.shape(Dtype::U32, sizes)?;
    let philox = from_state(state);
    let more = if request.output_state {
        vec![state_after(philox, shape.count(), state)]
    } else {
        Vec::new()
    };
    Ok(Draw {
        dtype: Dtype::U32,
        shape,
        source: Source::Philox(philox),
        conversion: Conversion::BITS,
        more,
        beyond: 0,
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

/// The state after the draw. Every block that was started counts, and the unused words of the last one are lost.
fn state_after(philox: Philox, words: usize, before: &Tensor) -> Tensor {
    let blocks = u64::try_from(words.div_ceil(4)).expect("a count fits 64 bits");
    let after = philox.skip(blocks);
    let mut bytes = after.counter.to_le_bytes().to_vec();
    bytes.extend(after.key.to_le_bytes());
    Tensor::new(Dtype::U32, before.shape().clone(), bytes).expect("a state has six words")
}
