//! A valid request whose output is more than one stream from block to block: what keys of JAX and ONNX's drafts make.

use seedproof_ops::{Digest, Dtype, Failure, Limits, Response, Shape, Tensor, standard};

use super::{assert_length, digest, output_bytes};
pub use crate::jax::{Integers, Key, Stream, flags_below};
use crate::jax::{Part, fill_bits, fill_digits, fill_flags, fill_floats, fill_states, permute};
use crate::level::Level;
use crate::philox::Philox;

/// A valid request.
#[derive(Clone, Debug)]
pub struct Keyed {
    /// The element type of the output.
    pub dtype: Dtype,
    /// The shape of the output.
    pub shape: Shape,
    /// How the output is made.
    pub what: What,
}

/// What a key becomes.
#[derive(Clone, Debug)]
pub enum What {
    /// The key itself.
    Words(Key),
    /// The key that a number makes of it.
    Folded(Key, u32),
    /// Keys, as many as the output holds.
    Keys(Key),
    /// Unsigned integers of all bits.
    Bits(Key),
    /// Floats between two bounds.
    Floats(Key, [f64; 2]),
    /// Integers of a range.
    Integers(Key, Integers),
    /// Ones of a probability.
    Flags(Key, f32),
    /// An order of numbers.
    Order(Key),
    /// Words of 32 bits, each in an i64.
    State([u32; 2]),
    /// States by a key of Threefry, each of its number or of its index.
    States(u64, Option<Vec<u64>>),
    /// Floats between two bounds, as ONNX draws them.
    Digits(Philox, [f64; 2]),
}

impl What {
    /// Whether words are counted in 32 bits: in the original order and by the places of a permutation.
    fn counts_words(&self) -> bool {
        match self {
            Self::Keys(key)
            | Self::Bits(key)
            | Self::Floats(key, _)
            | Self::Integers(key, _)
            | Self::Flags(key, _) => !key.partitionable,
            Self::Order(_) => true,
            Self::Words(_) | Self::Folded(..) | Self::State(_) | Self::States(..) | Self::Digits(..) => false,
        }
    }
}

/// The element type and the extents of an output, and how it is made.
pub(super) type Checked = Result<(Dtype, Vec<u64>, What), Failure>;

impl Keyed {
    /// The request of an output within the limit.
    ///
    /// # Errors
    /// [`Failure::Unsupported`] for more output, or more words than can be counted.
    pub(super) fn new((dtype, dims, what): (Dtype, Vec<u64>, What), limits: Limits) -> Result<Self, Failure> {
        let shape = limits.shape(dtype, &dims)?;
        let words = shape.count() * dtype.size().div_ceil(4);
        if what.counts_words() && u32::try_from(words).is_err() {
            // JAX cuts such a draw into several, and nothing here has measured how.
            let message = format!("{words} words of one key, more than a count of 32 bits has");
            return Err(Failure::Unsupported(message));
        }
        Ok(Self { dtype, shape, what })
    }

    /// The op's value.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for it.
    pub(crate) fn run(self, level: Level) -> Result<Response, Failure> {
        let mut bytes = output_bytes(self.dtype, self.shape.count())?;
        self.fill(level, &mut bytes)?;
        Ok(self.response(bytes))
    }

    /// The answer whose output has these bytes, least significant first.
    ///
    /// # Panics
    /// Unless they are as many as the output takes.
    pub fn response(self, bytes: Vec<u8>) -> Response {
        let output = Tensor::new(self.dtype, self.shape, bytes);
        Response::of(output.expect("the bytes were counted by the shape"))
    }

    /// [`Self::run`] into the caller's memory.
    pub(crate) fn fill(&self, level: Level, out: &mut [u8]) -> Result<(), Failure> {
        assert_length(out, self.dtype, self.shape.count());
        standard(|| self.fill_from(level, 0, out))
    }

    /// The digest of the output if it has many chunks; `None` for an order of numbers, which are sorted as a whole. Single
    /// keys and states have one chunk.
    pub(crate) fn digest(&self, level: Level) -> Option<Digest> {
        if matches!(self.what, What::Order(_)) {
            return None;
        }
        digest(self.dtype, &self.shape, |first, out| {
            self.fill_from(level, first, out).ok()
        })
    }

    /// Writes the elements from `first` on, a multiple of [`Digest::CHUNK`].
    fn fill_from(&self, level: Level, first: usize, out: &mut [u8]) -> Result<(), Failure> {
        let place = [first, self.shape.count()];
        match &self.what {
            What::Words(key) => put(key.own(), out),
            What::Folded(key, data) => put(key.fold_in(*data).own(), out),
            What::Keys(key) => key.split(level, place, out)?,
            What::Bits(key) => fill_bits(level, key.part(place), self.dtype.size(), out),
            What::Floats(key, bounds) => fill_floats(level, key.part(place), self.dtype, *bounds, out),
            What::Integers(key, integers) => integers.fill(level, *key, place, out)?,
            What::Flags(key, p) => fill_flags(level, key.part(place), *p, out),
            What::Order(key) => permute(level, *key, out)?,
            What::State([high, low]) => put(&[*high, 0, *low, 0], out),
            What::States(key, data) => {
                let place = place.map(|words| words / 2);
                fill_states(level, *key, place, data.as_deref(), out);
            }
            What::Digits(philox, bounds) => {
                let stream = Stream::Philox(*philox);
                fill_digits(level, Part { stream, place }, self.dtype, *bounds, out);
            }
        }
        Ok(())
    }
}

fn put(words: &[u32], out: &mut [u8]) {
    for (place, word) in out.as_chunks_mut().0.iter_mut().zip(words) {
        *place = word.to_le_bytes();
    }
}
