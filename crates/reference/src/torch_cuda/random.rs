//! PyTorch `random_` on CUDA.

use seedproof_ops::{Dtype, Elements, ErrorKind, Failure, Limits, Response, Shape, TorchCudaRandom};

use super::{Launch, pairs};
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
        let launch = launch!(request)?;
        let of_type = dtype.integers().expect("a type of integers");
        let refuse = |from, to| {
            let message = format!(
                "draw integers from {from} to {to}: expected a range within {dtype} that is not empty, and bounds within i64"
            );
            Ok(validate::refuse(ErrorKind::Range, message)?)
        };
        let past = of_type.end() + 1;
        let (from, range, is_wide) = match (request.from, request.to) {
            (None, None) => (0, past, dtype == Dtype::I64),
            (from, Some(to)) => {
                let from = from.unwrap_or(0);
                // The bounds are arguments of i64: nobody can ask for all of i64 by naming its end.
                if from >= to || !of_type.contains(&from) || to > past || i64::try_from(to).is_err() {
                    return refuse(from, to);
                }
                (from, to - from, to - from >= WIDE)
            }
            // The least i64 means all 64 bits, which have a kernel of their own. It takes the words as they are.
            (Some(from), None) if from == i64::MIN.into() => (0, 1 << 64, true),
            (Some(from), None) if !of_type.contains(&from) => return refuse(from, past),
            (Some(from), None) => (from, past - from, past - from >= WIDE),
        };
        let shape = limits.shape(dtype, &request.output_sizes)?;
        // That kernel refuses other types, and is not launched for an output without elements.
        if range == 1 << 64 && dtype != Dtype::I64 && shape.count() > 0 {
            return refuse(i64::MIN.into(), past);
        }
        Ok(Self {
            launch,
            dtype,
            shape,
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
            // The low bits are the integer in two's complement.
            let bits = u64::try_from(integer & i128::from(u64::MAX)).expect("64 bits");
            elements.push_bits(bits);
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
}
