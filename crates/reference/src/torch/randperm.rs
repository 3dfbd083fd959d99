//! PyTorch `randperm`: a permutation.

use seedproof_ops::{Dtype, Elements, Failure, Limits, Response, Shape, TorchRandperm};

use super::Generator;
use crate::fill::take;
use crate::{servers, validate};

/// A valid request.
pub struct Plan {
    generator: Generator,
    dtype: Dtype,
    shape: Shape,
    n: u64,
}

/// From this length on, PyTorch draws words of 64 bits, which nobody has observed here.
const LONG: u64 = (u32::MAX / 20) as u64;

impl Plan {
    /// The plan for a request.
    ///
    /// `[tpe.types]`: i32 or i64. `[tpe.n]`: a length that is not negative.
    ///
    /// Erratum `tpe.long`.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for a length over the limit and too late a
    /// call.
    pub fn new(request: &TorchRandperm, limits: Limits) -> Result<Self, Failure> {
        let dtype = validate::attribute("output_type", &request.output_type, &[Dtype::I32, Dtype::I64])?;
        let n = servers::count("n", request.n)?;
        if n >= LONG {
            return Err(Failure::Unsupported(format!(
                "a permutation of {n} numbers, which takes wider words"
            )));
        }
        Ok(Self {
            generator: Generator::new(request.seed, request.execution, n.saturating_sub(1))?,
            dtype,
            shape: limits.shape(dtype, &[n])?,
            n,
        })
    }

    /// `[tpe.shuffle]`: for i from 0 to n - 2, number i is exchanged with number i + word mod (n - i).
    ///
    /// Erratum `tpe.bias`.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for the output.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        let mut elements = Elements::reserve(self.dtype, &self.shape)?;
        let mut numbers: Vec<u64> = (0..self.n).collect();
        let mut words = self.generator.words();
        for i in 0..numbers.len().saturating_sub(1) {
            let [word] = take(&mut words);
            let left = numbers.len() - i;
            numbers.swap(i, i + usize::try_from(word).expect("a word is an index") % left);
        }
        for number in numbers {
            elements.push_bits(number);
        }
        Ok(Response::of(elements.into_tensor()))
    }
}
