//! TensorFlow's StatelessRandomGetKeyCounter.

use seedproof_ops::{Dtype, ErrorKind, Failure, Response, Stages, StatelessRandomGetKeyCounter, Tensor};

use super::check;
use super::philox::Block;
use crate::reading::Reading;

/// A request that will be answered: the words of the block that scrambles the seed.
pub(super) struct Plan {
    words: [u32; 4],
}

impl Plan {
    /// The plan for a request.
    ///
    /// # Errors
    /// A seed that is not two numbers of i32 or i64, and what the reading leaves out.
    pub(super) fn new(reading: &Reading, request: &StatelessRandomGetKeyCounter) -> Result<Self, Failure> {
        check::has(reading, |scope| scope.key_counter, "StatelessRandomGetKeyCounter")?;
        let seed = &request.seed;
        if !matches!(seed.dtype(), Dtype::I32 | Dtype::I64) {
            return check::refuse(ErrorKind::Dtype, format!("seed is of type {}", seed.dtype()));
        }
        if seed.shape().dims() != [2] {
            return check::refuse(
                ErrorKind::Shape,
                format!("seed has the shape {}, not that of two numbers", seed.shape()),
            );
        }
        let numbers = seed
            .scalars()
            .map(|number| u128::from(number.to_i64().cast_unsigned()));
        let counter = numbers
            .zip([0, 64])
            .fold(0, |counter, (number, place)| counter | number << place);
        let words = Block::new(&reading.philox, [0x3ec8_f720, 0x0246_1e29]).words(counter);
        Ok(Self { words })
    }

    /// Key and counter.
    pub(super) fn run(&self) -> Response {
        let [key, counter] = [0, 2].map(|i| u64::from(self.words[i]) + (u64::from(self.words[i + 1]) << 32));
        Response {
            output: Tensor::vector(&[key]),
            more: vec![Tensor::vector(&[0, counter])],
        }
    }

    /// The block's words and the key.
    pub(super) fn stages(&self) -> Stages {
        Stages {
            words: self.words.to_vec(),
            words_per_element: 2,
            words_per_block: 4,
            counters: Vec::new(),
            unit: None,
            scaled: self.run().output,
        }
    }
}
