//! An output in the making.

use std::cell::RefCell;

use crate::backend::{Digest, Value};
use crate::dtype::Dtype;
use crate::element::Element;
use crate::response::{Failure, Response};
use crate::shape::Shape;
use crate::tensor::Tensor;

thread_local! {
    static DIGESTED: RefCell<Option<Digested>> = const { RefCell::new(None) };
}

/// Whether the outputs of a thread are digested, and the digest of the last one.
#[derive(Default)]
struct Digested(Option<Digest>);

/// Runs an op whose output is asked for as a digest, and returns it. What the op writes into [`Elements`] is digested as it is
/// written, so that a gigabyte of output takes the memory of one chunk. The formulas of an op make elements and no more: were
/// each of them told what becomes of these, every op would carry it. So the thread remembers it for as long as the op runs.
/// The op must write its output on the thread that calls this function, and after any other [`Elements`].
///
/// # Errors
/// Those of the op.
///
/// ```
/// use seedproof_ops::{Digest, Dtype, Elements, Failure, Response, Shape, Tensor, Value, digested};
///
/// let run = || -> Result<Response, Failure> {
///     let mut elements = Elements::reserve(Dtype::U32, &Shape::vector(2))?;
///     elements.push(1_u32);
///     elements.push(2_u32);
///     Ok(Response::of(elements.into_tensor()))
/// };
/// let output = Tensor::vector(&[1_u32, 2]);
/// assert_eq!(digested(run), Ok(Value::Digest(Digest::of(&output), Vec::new())));
/// assert_eq!(run(), Ok(Response::of(output)));
/// ```
pub fn digested(run: impl FnOnce() -> Result<Response, Failure>) -> Result<Value, Failure> {
    /// Ends it also where an op panics, because another request may be answered on this thread.
    struct End;

    impl Drop for End {
        fn drop(&mut self) {
            DIGESTED.set(None);
        }
    }

    DIGESTED.set(Some(Digested::default()));
    let end = End;
    let Response { output, more } = run()?;
    let digest = DIGESTED.take().and_then(|it| it.0);
    drop(end);
    // An output that was not written into [`Elements`] is a list of a few words.
    Ok(Value::Digest(digest.unwrap_or_else(|| Digest::of(&output)), more))
}

/// An output in the making: its elements so far, in row-major order, each of its type's bytes with the least significant one
/// first. [`digested`] has an example.
#[derive(Debug)]
pub struct Elements {
    dtype: Dtype,
    shape: Shape,
    /// All elements, or those of the last chunk.
    bytes: Vec<u8>,
    /// The digests of the chunks before, where [`digested`] asks for them.
    chunks: Option<Vec<[u8; 32]>>,
}

impl Elements {
    /// No element yet, and memory for all of the shape's.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is not memory enough.
    pub fn reserve(dtype: Dtype, shape: &Shape) -> Result<Self, Failure> {
        let is_digested = DIGESTED.with_borrow(Option::is_some);
        let kept = if is_digested {
            shape.count().min(Digest::CHUNK)
        } else {
            shape.count()
        };
        let mut bytes = Vec::new();
        let size = kept.saturating_mul(dtype.size());
        bytes
            .try_reserve_exact(size)
            .map_err(|_| Failure::error(format!("allocate the {size} bytes of the output")))?;
        Ok(Self {
            dtype,
            shape: shape.clone(),
            bytes,
            chunks: is_digested.then(Vec::new),
        })
    }

    /// The element type.
    pub const fn dtype(&self) -> Dtype {
        self.dtype
    }

    /// Appends an element.
    pub fn push<T: Element>(&mut self, element: T) {
        element.push_le(&mut self.bytes);
        self.digest();
    }

    /// Appends an element of these low bits, as many as the type has.
    pub fn push_bits(&mut self, bits: u64) {
        self.extend_from_slice(&bits.to_le_bytes()[..self.dtype.size()]);
    }

    /// Appends the bytes of elements, or some of them.
    pub fn extend_from_slice(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        self.digest();
    }

    /// Digests the chunks that are full.
    fn digest(&mut self) {
        let full = Digest::CHUNK * self.dtype.size();
        if let Some(chunks) = &mut self.chunks
            && self.bytes.len() >= full
        {
            let whole = self.bytes.len() / full * full;
            chunks.extend(self.bytes[..whole].chunks(full).map(Digest::of_chunk));
            self.bytes.drain(..whole);
        }
    }

    /// The tensor, without elements where they are digested.
    ///
    /// # Panics
    /// If there are not as many elements as the shape has.
    pub fn into_tensor(self) -> Tensor {
        let Self {
            dtype,
            shape,
            bytes,
            chunks,
        } = self;
        let Some(mut chunks) = chunks else {
            return Tensor::new(dtype, shape, bytes).expect("each of the shape's elements was pushed");
        };
        let count = chunks.len() * Digest::CHUNK + bytes.len() / dtype.size();
        assert_eq!(count, shape.count(), "each of the shape's elements was pushed");
        if !bytes.is_empty() {
            chunks.push(Digest::of_chunk(&bytes));
        }
        let digest = Digest { dtype, shape, chunks };
        DIGESTED.with_borrow_mut(|it| *it = Some(Digested(Some(digest))));
        Tensor::new(dtype, Shape::vector(0), Vec::new()).expect("no bytes are no elements")
    }
}

impl Extend<u8> for Elements {
    fn extend<I: IntoIterator<Item = u8>>(&mut self, bytes: I) {
        self.bytes.extend(bytes);
        self.digest();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digested_output_has_the_digest_of_the_whole_and_is_not_kept() {
        let run = |count: usize| {
            let mut elements = Elements::reserve(Dtype::U32, &Shape::vector(count))?;
            // By one and by many, so that chunks end within what is written.
            elements.extend_from_slice(&vec![1; 4 * (count / 2)]);
            (count / 2..count).for_each(|element| elements.push_bits(element as u64));
            Ok(Response::of(elements.into_tensor()))
        };
        for count in [
            0,
            1,
            Digest::CHUNK - 1,
            Digest::CHUNK,
            Digest::CHUNK + 1,
            3 * Digest::CHUNK,
        ] {
            let whole = run(count).unwrap().output;
            assert_eq!(
                digested(|| run(count)),
                Ok(Value::Digest(Digest::of(&whole), Vec::new()))
            );
            // What is asked for next is kept again.
            assert_eq!(run(count).unwrap().output, whole);
        }
        // More than the machine has room for.
        let kept = digested(|| {
            let elements = Elements::reserve(Dtype::F64, &Shape::new(&[1 << 59]).unwrap())?;
            assert_eq!(elements.bytes.capacity(), 8 * Digest::CHUNK);
            Err(Failure::error("stop"))
        });
        assert_eq!(kept, Err(Failure::error("stop")));
        let panicked = std::panic::catch_unwind(|| digested(|| panic!("an op panics")));
        assert!(panicked.is_err());
        assert_eq!(run(1).unwrap().output.count(), 1);
    }
}
