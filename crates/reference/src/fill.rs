//! A stream of words into a tensor, a fixed number of words for each element.

use std::cell::RefCell;

use seedproof_ops::{Digest, Dtype, Element, Failure, Response, Shape, Tensor, Value};

/// A tensor, and how many words each of its elements took.
pub(crate) struct Filled {
    pub(crate) tensor: Tensor,
    pub(crate) words_per_element: usize,
}

/// The next words of a generator.
pub(crate) fn take<const N: usize>(words: &mut impl Iterator<Item = u32>) -> [u32; N] {
    std::array::from_fn(|_| words.next().expect("a generator has no end"))
}

/// `[ru8.philox.block]`, `[ru8.output.form]`: the elements in row-major order, each from the next `N` words.
pub(crate) fn fill<T: Element, const N: usize>(
    shape: &Shape,
    mut words: impl Iterator<Item = u32>,
    element: impl Fn([u32; N]) -> T,
) -> Result<Filled, Failure> {
    let mut elements = Elements::reserve(T::DTYPE, shape)?;
    for _ in 0..shape.count() {
        elements.push(element(take(&mut words)));
    }
    Ok(Filled {
        tensor: elements.into_tensor(),
        words_per_element: N,
    })
}

thread_local! {
    static DIGESTED: RefCell<Option<Digested>> = const { RefCell::new(None) };
}

/// Whether the outputs of a thread are digested, and the digest of the last one.
#[derive(Default)]
struct Digested(Option<Digest>);

/// Runs an op whose output is asked for as a digest, and returns it. Its elements are digested as they are made, so that a
/// gigabyte of them takes the memory of one chunk. The formulas make elements of an output and no more: were each of them told
/// what becomes of these, every op would carry it. So the thread remembers it for as long as the op runs.
///
/// # Errors
/// Those of the op.
pub(crate) fn digested(run: impl FnOnce() -> Result<Response, Failure>) -> Result<Value, Failure> {
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
    // An output that is none of [`Elements`] is a list of a few words.
    Ok(Value::Digest(digest.unwrap_or_else(|| Digest::of(&output)), more))
}

/// An output in the making: its elements so far, in row-major order.
pub(crate) struct Elements {
    dtype: Dtype,
    shape: Shape,
    /// All elements, or those of the last chunk.
    bytes: Vec<u8>,
    /// The digests of the chunks before, where [`digested`] asks for them.
    chunks: Option<Vec<[u8; 32]>>,
}

impl Elements {
    /// No element yet, and memory for all of the shape's.
    pub(crate) fn reserve(dtype: Dtype, shape: &Shape) -> Result<Self, Failure> {
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

    pub(crate) fn push<T: Element>(&mut self, element: T) {
        element.push_le(&mut self.bytes);
        self.digest(Digest::CHUNK * self.dtype.size());
    }

    /// An element of these low bits, as many as the type has.
    pub(crate) fn push_bits(&mut self, bits: u64) {
        self.bytes
            .extend_from_slice(&bits.to_le_bytes()[..self.dtype.size()]);
        self.digest(Digest::CHUNK * self.dtype.size());
    }

    /// Digests the last chunk once it has as many bytes.
    fn digest(&mut self, full: usize) {
        if let Some(chunks) = &mut self.chunks
            && self.bytes.len() >= full
        {
            chunks.push(Digest::of_chunk(&self.bytes));
            self.bytes.clear();
        }
    }

    /// The tensor, after as many elements as its shape has; without elements where they are digested.
    pub(crate) fn into_tensor(mut self) -> Tensor {
        self.digest(1);
        let Self {
            dtype,
            shape,
            bytes,
            chunks,
        } = self;
        let Some(chunks) = chunks else {
            return Tensor::new(dtype, shape, bytes).expect("each of the shape's elements was pushed");
        };
        let digest = Digest { dtype, shape, chunks };
        DIGESTED.with_borrow_mut(|it| *it = Some(Digested(Some(digest))));
        Tensor::new(dtype, Shape::vector(0), Vec::new()).expect("no bytes are no elements")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fill_takes_n_words_for_each_element() {
        let filled = fill(&Shape::vector(3), 10.., |[x, y]: [u32; 2]| {
            i64::from(x) * 100 + i64::from(y)
        })
        .unwrap();
        assert_eq!(filled.tensor, Tensor::vector(&[1011_i64, 1213, 1415]));
        assert_eq!(filled.words_per_element, 2);
    }

    #[test]
    fn digested_output_has_the_digest_of_the_whole_and_is_not_kept() {
        let run = |count: usize| {
            let filled = fill(&Shape::vector(count), 0.., |[x]: [u32; 1]| x)?;
            Ok(Response::of(filled.tensor))
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

    #[test]
    fn fill_of_more_than_the_machine_has_is_an_error() {
        let shape = Shape::new(&[1 << 61]).unwrap();
        let filled = fill(&shape, 0.., |[x]: [u32; 1]| f64::from(x));
        assert!(matches!(filled.err(), Some(Failure::Broken(_))));
    }
}
