//! The trait that every implementation speaks.

use std::fmt;
use std::sync::Arc;

use sha2::{Digest as _, Sha256};

use crate::dtype::Dtype;
use crate::limits::Limits;
use crate::request::Request;
use crate::response::{Failure, Response};
use crate::shape::Shape;
use crate::tensor::Tensor;

/// The name of an implementation: `reference`, `cpu/avx2`, `gpu/llvmpipe`, `adapter/torch`. A clone is cheap, because every
/// finding of a run has one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BackendId(Arc<str>);

impl BackendId {
    /// A name. It begins reports' lines and trial names: short, lower case, parts set apart by `/`.
    pub fn new(name: impl Into<Arc<str>>) -> Self {
        Self(name.into())
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for BackendId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// Whether an implementation claims to answer a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Support {
    /// It does: a value or a rejection is owed.
    Supported,
    /// It does not, and why.
    Unsupported(String),
}

/// SHA-256 of an output in chunks, for outputs too large to send.
///
/// ```
/// use seedproof_ops::{Digest, Tensor};
///
/// let right = Digest::of(&Tensor::vector(&vec![1_u32; 3 * Digest::CHUNK]));
/// let mut output = vec![1_u32; 3 * Digest::CHUNK];
/// output[Digest::CHUNK] = 2;
/// let wrong = Digest::of(&Tensor::vector(&output));
/// let differing: Vec<usize> = (0..3).filter(|&it| right.chunks[it] != wrong.chunks[it]).collect();
/// assert_eq!(differing, [1]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digest {
    /// The output's element type.
    pub dtype: Dtype,
    /// The output's shape.
    pub shape: Shape,
    /// SHA-256 of the little-endian bytes of each [`Digest::CHUNK`] elements; the last may be shorter.
    pub chunks: Vec<[u8; 32]>,
}

impl Digest {
    /// Elements per chunk.
    pub const CHUNK: usize = 65_536;

    /// SHA-256 of all of an output's little-endian bytes.
    ///
    /// ```
    /// use seedproof_ops::{Digest, Tensor};
    ///
    /// let output = Tensor::vector(&[1_u32, 2]);
    /// assert_eq!(Digest::whole(&output)[..4], [0x34, 0xfb, 0x5c, 0x82]);
    /// ```
    pub fn whole(output: &Tensor) -> [u8; 32] {
        Sha256::digest(output.bytes()).into()
    }

    /// The digest of an output.
    pub fn of(output: &Tensor) -> Self {
        let bytes = Self::CHUNK * output.dtype().size();
        Self {
            dtype: output.dtype(),
            shape: output.shape().clone(),
            chunks: output.bytes().chunks(bytes).map(Self::of_chunk).collect(),
        }
    }

    /// SHA-256 of the little-endian bytes of one chunk, for an implementation that makes a chunk at a time.
    ///
    /// ```
    /// use seedproof_ops::{Digest, Tensor};
    ///
    /// let output = Tensor::vector(&[1_u32, 2]);
    /// assert_eq!(Digest::of(&output).chunks, [Digest::of_chunk(&[1, 0, 0, 0, 2, 0, 0, 0])]);
    /// ```
    pub fn of_chunk(bytes: &[u8]) -> [u8; 32] {
        Sha256::digest(bytes).into()
    }

    /// The first 128 bits of one SHA-256 over several outputs, as hexadecimal text: over each one's element type, shape
    /// and chunks. Equal outputs have equal sums whether an implementation sent them in full or as digests.
    ///
    /// ```
    /// use seedproof_ops::{Digest, Tensor};
    ///
    /// let outputs = [Tensor::vector(&[1_u32, 2]), Tensor::scalar(3_u64)].map(|output| Digest::of(&output));
    /// let sum = Digest::sum(&outputs);
    /// assert_eq!(sum.len(), 32);
    /// assert_ne!(sum, Digest::sum(outputs.iter().rev()));
    /// ```
    pub fn sum<'a>(outputs: impl IntoIterator<Item = &'a Self>) -> String {
        let mut sum = Sha256::new();
        for Self { dtype, shape, chunks } in outputs {
            // A line end, which neither text has, keeps `f3` `2[1]` apart from `f32` `[1]`.
            sum.update(format!("{dtype}\n{shape}\n"));
            for chunk in chunks {
                sum.update(chunk);
            }
        }
        // Enough to tell outputs apart that nobody makes to be alike.
        sum.finalize()
            .iter()
            .take(16)
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }
}

/// The intermediate values of a computation, so that a difference can be attributed to a stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stages {
    /// The generator's words, as drawn.
    pub words: Vec<u32>,
    /// Words that each element took: 1 or 2. Element `i` took `words[i * words_per_element ..]`.
    pub words_per_element: usize,
    /// Words that the generator makes at a time: 4 of Philox, 1 of MT19937.
    pub words_per_block: usize,
    /// The counter of each element's block; empty where the generator has none, or they are not said.
    pub counters: Vec<u128>,
    /// The values in the unit interval before scaling, in the output's type; `None` for integers.
    pub unit: Option<Tensor>,
    /// The values in the asked range: the first output.
    pub scaled: Tensor,
}

impl Stages {
    /// The stages of a list of 64-bit elements that are two words each as they were drawn, the low one first.
    pub fn of_words(output: &Tensor) -> Self {
        let words = output.bytes().chunks_exact(4);
        let word = |bytes: &[u8]| {
            bytes
                .iter()
                .rev()
                .fold(0, |word, &byte| word << 8 | u32::from(byte))
        };
        Self::of_philox(words.map(word).collect(), 2, output.clone())
    }

    /// The stages of words that Philox draws in blocks of four, without counters and values of the unit interval.
    ///
    /// ```
    /// use seedproof_ops::{Stages, Tensor};
    ///
    /// // An element of two words: element 3 begins with word 2 of block 1.
    /// let words: Vec<u32> = (0..8).collect();
    /// let stages = Stages::of_philox(words, 2, Tensor::vector(&[0_u64; 4]));
    /// assert_eq!(stages.place(3), Some((1, 2)));
    /// ```
    pub const fn of_philox(words: Vec<u32>, words_per_element: usize, scaled: Tensor) -> Self {
        Self {
            words,
            words_per_element,
            words_per_block: 4,
            counters: Vec::new(),
            unit: None,
            scaled,
        }
    }

    /// The block that an element comes from, counted from the request's first, and the first word in it that the
    /// element takes; `None` where the generator has no blocks.
    pub const fn place(&self, element: usize) -> Option<(usize, usize)> {
        let Some(word) = element.checked_mul(self.words_per_element) else {
            return None;
        };
        if self.words_per_block <= 1 {
            return None;
        }
        Some((word / self.words_per_block, word % self.words_per_block))
    }
}

/// One request as a harness asks it.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    /// The name of the case, for an implementation's logs. May be empty.
    pub case: &'a str,
    /// The request.
    pub request: &'a Request,
    /// The part of the first output that is enough.
    pub want: Want,
}

/// The part of the first output that is enough. An implementation that offers no part of an output answers in full.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Want {
    /// All elements.
    #[default]
    Full,
    /// The digest, where the output is large.
    Digest,
    /// `count` elements from row-major index `start`.
    Window {
        /// Index of the first element.
        start: usize,
        /// Number of elements.
        count: usize,
    },
}

/// A value as an implementation returns it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// All outputs in full.
    Full(Response),
    /// The digest of the first output, and the further outputs in full.
    Digest(Digest, Vec<Tensor>),
    /// The wanted elements of the first output, as a list.
    Window(Tensor),
}

/// The result of asking.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The value, the rejection, or no answer.
    pub result: Result<Value, Failure>,
    /// The implementation's standard error meanwhile.
    pub stderr: String,
}

/// An implementation of some of the ops.
///
/// Implementations answer the same request with the same bits, on any thread, in any order; only a request with
/// both seeds zero may differ from run to run.
pub trait Backend: Send + Sync {
    /// Its name.
    fn id(&self) -> &BackendId;

    /// Whether it claims to answer this request. A backend that claims a request and then answers
    /// [`Failure::Unsupported`] has broken its claim.
    fn supports(&self, request: &Request) -> Support;

    /// Answers a request.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request, [`Failure::Unsupported`] for one that it cannot answer,
    /// [`Failure::Broken`] when it should have answered and did not.
    fn run(&self, request: &Request) -> Result<Response, Failure>;

    /// As [`Self::run`], within limits of the caller's beside its own: a request with an output over them is
    /// [`Failure::Unsupported`] before it is computed, unless it is invalid. The provided method has no limits.
    ///
    /// # Errors
    /// As [`Self::run`].
    fn run_within(&self, request: &Request, _limits: Limits) -> Result<Response, Failure> {
        self.run(request)
    }

    /// As [`Self::run`], and [`Failure::Unsupported`] for a request that [`Self::supports`] does not claim. An
    /// implementation that must run to know what it supports provides it, so as to run once only.
    ///
    /// # Errors
    /// As [`Self::run`].
    fn run_supported(&self, request: &Request) -> Result<Response, Failure> {
        match self.supports(request) {
            Support::Supported => self.run(request),
            Support::Unsupported(reason) => Err(Failure::Unsupported(reason)),
        }
    }

    /// As [`Self::run`], with the first output in the caller's memory, which can be used again and again: the bytes of
    /// each element, least significant first. Returns the further outputs. After an error the memory has no meaning. The
    /// provided method copies the answer of [`Self::run`].
    ///
    /// # Errors
    /// As [`Self::run`].
    ///
    /// # Panics
    /// May panic unless a valid request's first output has as many bytes.
    fn fill(&self, request: &Request, out: &mut [u8]) -> Result<Vec<Tensor>, Failure> {
        let Response { output, more } = self.run(request)?;
        let bytes = output.bytes();
        if bytes.len() != out.len() {
            return Err(Failure::error(format!(
                "the output has {} bytes, and the memory for it {}",
                bytes.len(),
                out.len()
            )));
        }
        out.copy_from_slice(bytes);
        Ok(more)
    }

    /// As [`Self::run`], with the digest of the first output in its place where that takes less memory. The provided method
    /// answers in full.
    ///
    /// # Errors
    /// As [`Self::run`].
    fn digest(&self, request: &Request) -> Result<Value, Failure> {
        self.run(request).map(Value::Full)
    }

    /// Ends what answers outside of this process, and returns a sentence for each process that did not end in order: a
    /// heap that was corrupted often shows only there. Nothing is asked afterwards. The provided method has nothing to end.
    fn end(&self) -> Vec<String> {
        Vec::new()
    }

    /// The stages of the first output's computation, where it is drawn from a stream and the implementation can show
    /// them.
    fn stages(&self, _request: &Request) -> Option<Stages> {
        None
    }

    /// Version, device and driver, where there is more to say than the name.
    fn description(&self) -> String {
        self.id().to_string()
    }

    /// The output from its first element on: at least `count` elements as a list, or the whole in its shape. A search asks
    /// each candidate for these, and hardly any for the rest. The provided method draws a shorter output where
    /// [`Request::prefix`] has one that begins alike, and all elements otherwise.
    ///
    /// # Errors
    /// As [`Self::run`].
    fn first(&self, request: &Request, count: usize) -> Result<Tensor, Failure> {
        let short = request.prefix(u64::try_from(count).unwrap_or(u64::MAX));
        let response = self.run(short.as_ref().unwrap_or(request))?;
        Ok(response.output)
    }

    /// Answers as a harness asks: with the name of the case, and with less than the whole output where that is enough
    /// and the implementation can give it. The rest of the harness calls this; the provided method is right for
    /// whatever runs in this process.
    fn ask(&self, ask: &Ask<'_>) -> Answer {
        let result = match ask.want {
            Want::Digest => self.digest(ask.request),
            Want::Full | Want::Window { .. } => self.run(ask.request).map(Value::Full),
        };
        Answer {
            result,
            stderr: String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::op::{RngAlgorithm, RngBitGenerator};

    /// An implementation whose every output is `[1, 2]`.
    struct Fixed(BackendId);

    impl Backend for Fixed {
        fn id(&self) -> &BackendId {
            &self.0
        }

        fn supports(&self, _request: &Request) -> Support {
            Support::Supported
        }

        fn run(&self, _request: &Request) -> Result<Response, Failure> {
            Ok(Response {
                output: Tensor::vector(&[1_i32, 2]),
                more: vec![Tensor::scalar(3_i32)],
            })
        }
    }

    #[test]
    fn fill_copies_an_output_and_refuses_other_lengths() {
        let backend = Fixed(BackendId::new("fixed"));
        let request = Request::RngBitGenerator(RngBitGenerator {
            rng_algorithm: RngAlgorithm::ThreeFry.into(),
            output_type: Dtype::U32.into(),
            output_sizes: vec![2],
            initial_state: Tensor::vector(&[1_u64, 2]),
        });
        let mut out = [0xa5; 8];
        assert_eq!(backend.fill(&request, &mut out), Ok(vec![Tensor::scalar(3_i32)]));
        assert_eq!(out, [1, 0, 0, 0, 2, 0, 0, 0]);
        for length in [0, 7, 9] {
            let filled = backend.fill(&request, &mut vec![0; length]);
            assert!(matches!(filled, Err(Failure::Broken(_))), "{filled:?}");
        }
    }
}
