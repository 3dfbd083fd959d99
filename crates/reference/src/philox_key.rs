//! The keys of PyTorch's `torch.func._random`: a seed and an offset, alone or in a batch.
//!
//! The functions have docstrings and no formal text. What decides is what PyTorch 2.15 answers on a CPU, and the promise
//! that all devices agree.

use seedproof_ops::{Dtype, Elements, ErrorKind, OpError, Shape, Stages, Tensor};

use crate::{philox, validate};

/// `[tks.key.form]`: a seed, and where its blocks begin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    seed: u64,
    offset: u64,
}

impl Key {
    /// `[tks.key.block]`: block i has the seed for its key and offset + i in the low half of its counter, modulo 2^64; the
    /// high half is zero.
    ///
    /// Erratum `tks.key.carry`.
    pub(crate) fn counter(self, i: u64) -> u128 {
        u128::from(self.offset.wrapping_add(i))
    }

    fn block(self, i: u64) -> [u32; 4] {
        philox::block(self.seed, self.counter(i))
    }

    /// `[tkf.fold]`: the words of block `data` are the new key, the low word of each half first.
    ///
    /// Erratum `tkf.words`.
    pub(crate) fn fold_in(self, data: u64) -> [u64; 2] {
        let [r0, r1, r2, r3] = self.block(data);
        let join = |low, high| u64::from(low) | u64::from(high) << 32;
        [join(r0, r1), join(r2, r3)]
    }
}

/// `[tks.key.form]`: the keys of a tensor of u64 whose last extent is 2.
pub(crate) fn keys(tensor: &Tensor) -> Result<Vec<Key>, OpError> {
    validate::dtype("key", tensor, &[Dtype::U64])?;
    if tensor.shape().dims().last() != Some(&2) {
        return validate::shape("key", tensor, "[..., 2]");
    }
    let words: Vec<u64> = tensor.scalars().map(seedproof_ops::Scalar::bits).collect();
    let pairs = words.chunks_exact(2);
    Ok(pairs
        .map(|pair| Key {
            seed: pair[0],
            offset: pair[1],
        })
        .collect())
}

/// Which key each element of an output is drawn by, and which of that key's elements it is.
pub(crate) struct Draws {
    pub(crate) keys: Vec<Key>,
    /// Extents of the keys, outermost first; none of a single key.
    batch: Vec<usize>,
    /// The number of elements that one key draws.
    run: usize,
}

impl Draws {
    /// `[tku.batch.form]`: one key for any output, or a batch with as many extents as the output has, each of them equal to
    /// the output's or 1.
    pub(crate) fn new(tensor: &Tensor, sizes: &[u64]) -> Result<Self, OpError> {
        let keys = keys(tensor)?;
        let (_, batch) = tensor.shape().dims().split_last().expect("a key has two words");
        let fits = |(&key, &size): (&usize, &u64)| key == 1 || u64::try_from(key) == Ok(size);
        if !batch.is_empty() && (batch.len() != sizes.len() || !batch.iter().zip(sizes).all(fits)) {
            let message = format!(
                "broadcast keys of shape {} to an output of {sizes:?}",
                tensor.shape()
            );
            return validate::refuse(ErrorKind::Shape, message);
        }
        Ok(Self {
            keys,
            batch: batch.to_vec(),
            run: 0,
        })
    }

    /// `[tku.batch.fill]`: each key fills the trailing extents in which the batch has 1.
    ///
    /// Erratum `tku.batch.fill`.
    pub(crate) fn of_shape(mut self, shape: &Shape) -> Self {
        let filled = self.batch.iter().rev().take_while(|&&key| key == 1).count();
        let dims = shape.dims();
        self.run = if self.batch.is_empty() {
            shape.count()
        } else if shape.count() == 0 {
            0
        } else {
            dims[dims.len() - filled..].iter().product()
        };
        self
    }

    /// `[tku.batch.broadcast]`: the key of an element, a batch extent of 1 before a greater one standing for each of the
    /// output's, and the element's number among those of that key.
    ///
    /// Erratum `tku.batch.broadcast`.
    pub(crate) fn place(&self, shape: &Shape, element: usize) -> (Key, usize) {
        let coordinates = shape.coordinates(element);
        let of_batch = self.batch.iter().zip(coordinates);
        let key = of_batch.fold(0, |key, (&extent, coordinate)| {
            key * extent + if extent == 1 { 0 } else { coordinate }
        });
        (self.keys[key], element % self.run.max(1))
    }

    /// `[tku.words]`: types of up to 32 bits take a word, four a block; those of 64 bits two, two a block.
    pub(crate) fn words<const N: usize>(&self, shape: &Shape, element: usize) -> [u32; N] {
        let (key, number) = self.place(shape, element);
        let per_block = 4 / N;
        let block =
            key.block(u64::try_from(number / per_block).expect("a machine counts in 64 bits at most"));
        std::array::from_fn(|word| block[number % per_block * N + word])
    }

    /// The two words that make an element and its neighbour, and which of the two it is.
    pub(crate) fn pair(&self, shape: &Shape, element: usize) -> ([u32; 2], usize) {
        let (key, number) = self.place(shape, element);
        let block = key.block(u64::try_from(number / 4).expect("a machine counts in 64 bits at most"));
        let first = number % 4 / 2 * 2;
        ([block[first], block[first + 1]], number % 2)
    }

    /// The output, each element of the words that it takes, in row-major order.
    pub(crate) fn fill<const N: usize>(
        &self,
        dtype: Dtype,
        shape: &Shape,
        element: impl Fn([u32; N]) -> u64,
    ) -> Result<Tensor, seedproof_ops::Failure> {
        let mut elements = Elements::reserve(dtype, shape)?;
        for index in 0..shape.count() {
            elements.push_bits(element(self.words::<N>(shape, index)));
        }
        Ok(elements.into_tensor())
    }

    /// The words, the counters and the output.
    pub(crate) fn stages(
        &self,
        shape: &Shape,
        per_element: usize,
        unit: Option<Tensor>,
        scaled: Tensor,
    ) -> Stages {
        let elements = 0..shape.count();
        let words = elements.clone().flat_map(|element| match per_element {
            2 => self.words::<2>(shape, element).to_vec(),
            _ => self.words::<1>(shape, element).to_vec(),
        });
        let counter = |element| {
            let (key, number) = self.place(shape, element);
            key.counter(u64::try_from(number * per_element / 4).expect("a machine counts in 64 bits at most"))
        };
        Stages {
            words: words.collect(),
            words_per_element: per_element,
            // The elements of a batch come from several streams.
            words_per_block: if self.keys.len() == 1 { 4 } else { 1 },
            counters: elements.map(counter).collect(),
            unit,
            scaled,
        }
    }
}
