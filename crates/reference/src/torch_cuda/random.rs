//! PyTorch `random_` on CUDA.

use seedproof_ops::{Dtype, ErrorKind, Failure, Limits, Response, Shape, Stages, TorchCudaRandom};

use super::{Launch, pairs};
use crate::fill::Elements;
use crate::validate;

/// A valid request.
pub struct Plan {
    launch: Launch,
    dtype: Dtype,
    shape: Shape,
    from: i128,
    /// How many integers there are.
    range: i128,
    /// Whether an element takes two words.
    is_wide: bool,
}

/// `[tcr.wide]`: from this range on an element takes two words.
const WIDE: i128 = 1 << 28;

impl Plan {
    /// The plan for a request.
    ///
    /// `[tcr.types]`: integers. `[tcr.bounds]`: numbers of the type, in order, the upper one exclusive. `[tcr.all]`: without
    /// bounds, the integers from zero on of the type; those of i64 take two words.
    ///
    /// Errata `tcr.limit`, `tcr.from-alone`.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for an output over the limit.
    pub fn new(request: &TorchCudaRandom, limits: Limits) -> Result<Self, Failure> {
        let types = [Dtype::I64, Dtype::I32, Dtype::I16, Dtype::I8, Dtype::U8];
        let dtype = validate::attribute("output_type", &request.output_type, &types)?;
        let launch = Launch::new(
            request.seed,
            request.offset,
            request.multiprocessors,
            request.threads_per_multiprocessor,
        )?;
        let of_type = dtype.integers().expect("a type of integers");
        let (from, range, is_wide) = match (request.from, request.to) {
            (None, None) => (0, of_type.end() + 1, dtype == Dtype::I64),
            (from, Some(to)) => {
                let from = from.unwrap_or(0);
                if from >= to || !of_type.contains(&from) || !of_type.contains(&(to - 1)) {
                    let message = format!(
                        "draw integers from {from} to {to}: expected a range within {dtype} that is not empty"
                    );
                    return Ok(validate::refuse(ErrorKind::Range, message)?);
                }
                (from, to - from, to - from >= WIDE)
            }
            (Some(_), None) => {
                return Ok(validate::refuse(
                    ErrorKind::Attribute,
                    "draw integers from a bound on: expected `to` beside `from`",
                )?);
            }
        };
        Ok(Self {
            launch,
            dtype,
            shape: limits.shape(dtype, &request.output_sizes)?,
            from,
            range,
            is_wide,
        })
    }

    /// `[tcr.modulo]`: the remainder of the word, and `from` added. `[tcr.words]`: of two words the first is the higher.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for the output.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        let mut elements = Elements::reserve(self.dtype, &self.shape)?;
        let mut push = |word: u64| {
            let integer = i128::from(word) % self.range + self.from;
            let integer = i64::try_from(integer).expect("an integer of the type");
            elements.push_bits(integer.cast_unsigned());
        };
        let count = self.shape.count();
        if self.is_wide {
            let wide = |high, low| u64::from(high) << 32 | u64::from(low);
            self.launch
                .draws(count, |words| pairs(words, wide))
                .for_each(&mut push);
        } else {
            self.launch
                .draws(count, |words| words.map(u64::from))
                .for_each(&mut push);
        }
        Ok(Response::of(elements.into_tensor()))
    }

    /// None: an element takes a word of a block that others share.
    pub const fn stages(&self) -> Option<Stages> {
        None
    }
}
