//! TensorFlow's shuffles and its draws of classes on a CPU.
//!
//! The ops have no formal text. What decides is the kernels (`random_shuffle_op.cc`, `multinomial_op.cc`) and what
//! TensorFlow 2.21 answers on a CPU.

mod classes;
pub mod multinomial;
pub mod random_shuffle;
pub mod stateless_multinomial;
pub mod stateless_shuffle;

use seedproof_ops::{Elements, Failure, Limits, Response, Tensor};

use crate::fill::take;
use crate::philox;

/// Where a stream of Philox begins.
#[derive(Clone, Copy)]
struct Stream {
    key: u64,
    counter: u128,
}

impl Stream {
    /// `[tfrs.seeds]`: the key is `seed`, the high half of the counter `seed2`.
    ///
    /// Erratum `tfrs.seeds.zero`.
    fn seeded([seed, seed2]: [u64; 2]) -> Result<Self, Failure> {
        if [seed, seed2] == [0, 0] {
            let message = "both seeds are zero, in whose place TensorFlow draws from entropy";
            return Err(Failure::Unsupported(message.to_owned()));
        }
        Ok(Self {
            key: seed,
            counter: u128::from(seed2) << 64,
        })
    }

    /// The stream from a later block on, modulo 2^128.
    fn advanced(self, blocks: u128) -> Self {
        Self {
            counter: self.counter.wrapping_add(blocks),
            ..self
        }
    }
}

fn as_u128(count: usize) -> u128 {
    u128::try_from(count).expect("a machine counts in 64 bits at most")
}

/// The tensor with its rows in another order.
///
/// `[tfrs.rows]`: a row is what one index of the first extent selects, and moves whole. `[tfrs.shuffle]`: for i from 0 to
/// n - 2, row i is exchanged with row i + word mod (n - i); each step takes one word. `[tfrs.unchanged]`: a scalar, and a value
/// of fewer than two rows, comes back as it is.
///
/// Erratum `tfrs.bias`.
fn shuffled(value: &Tensor, stream: Stream, limits: Limits) -> Result<Response, Failure> {
    let shape = limits.shape(value.dtype(), &value.shape().to_u64())?;
    let Some(&n) = shape.dims().first().filter(|_| shape.count() > 0) else {
        return Ok(Response::of(value.clone()));
    };
    let mut rows: Vec<usize> = (0..n).collect();
    let mut words = philox::words(stream.key, stream.counter);
    for i in 0..n - 1 {
        let [word] = take(&mut words);
        rows.swap(
            i,
            i + usize::try_from(word).expect("a word is an index") % (n - i),
        );
    }
    let mut elements = Elements::reserve(value.dtype(), &shape)?;
    let all: Vec<u64> = value.scalars().map(seedproof_ops::Scalar::bits).collect();
    let length = all.len() / n;
    for row in rows {
        for &element in &all[row * length..][..length] {
            elements.push_bits(element);
        }
    }
    Ok(Response::of(elements.into_tensor()))
}
