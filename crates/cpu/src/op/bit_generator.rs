//! StableHLO's rng_bit_generator.

use seedproof_ops::{Dtype, ErrorKind, Failure, Limits, Named as _, RngAlgorithm, RngBitGenerator, Tensor};

use super::draw::{Conversion, Draw, Source};
use super::{check_dtype, known, refuse, u64s};
use crate::bits::{join64, low64};
use crate::philox::Philox;
use crate::threefry::{Pairs, Threefry};

/// Refuses what is invalid, in the order attributes, element type, state.
///
/// # Errors
/// [`Failure::Rejected`]; [`Failure::Unsupported`] for more output than the limit.
pub(super) fn check(request: &RngBitGenerator, limits: Limits) -> Result<Draw, Failure> {
    let algorithm = known("rng_algorithm", &request.rng_algorithm, RngAlgorithm::ALL)?;
    let dtype = known("output_type", &request.output_type, Dtype::ALL)?;
    let state = &request.initial_state;
    check_dtype("initial_state", state, &[Dtype::U64])?;
    let words = u64s(state);
    let (key, counter) = match (state.shape().rank(), &words[..], algorithm) {
        // A state of two words has no high half of Philox's counter. The key is used for it.
        (1, &[key, low], _) => (key, join64(key, low)),
        (1, &[key, low, high], RngAlgorithm::Default | RngAlgorithm::Philox) => (key, join64(high, low)),
        _ => {
            let message = format!("{algorithm} has no state of the shape {}", state.shape());
            return refuse(ErrorKind::State, message);
        }
    };
    let shape = limits.shape(dtype, &request.output_sizes)?;
    let count = shape.count();
    let (source, blocks) = match algorithm {
        RngAlgorithm::ThreeFry => {
            let (threefry, pairs) = (
                Threefry {
                    key,
                    counter: words[1],
                },
                Pairs::of(shape.dims()),
            );
            let blocks = match (count, dtype.size()) {
                (0, _) => 0,
                (_, 8) => count,
                _ => pairs.blocks(count),
            };
            (Source::Threefry(threefry, pairs), blocks)
        }
        RngAlgorithm::Default | RngAlgorithm::Philox => {
            let blocks = if dtype.size() == 8 {
                count.div_ceil(2)
            } else {
                count.div_ceil(4)
            };
            (Source::Philox(Philox { key, counter }), blocks)
        }
    };
    // A counter of one word wraps: `take` drops the carry.
    let after = counter.wrapping_add(u128::try_from(blocks).expect("a count fits 128 bits"));
    let after = [after, after >> 64].map(low64);
    let after: Vec<u64> = std::iter::once(key).chain(after).take(words.len()).collect();
    Ok(Draw {
        dtype,
        shape,
        source,
        conversion: Conversion::BITS,
        more: vec![Tensor::vector(&after)],
        beyond: 0,
    })
}
