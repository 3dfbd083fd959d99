//! ONNX `SplitPRNG`: states of a generator from a state, draft onnx/onnx#8420.

use seedproof_ops::{
    Dtype, Elements, ErrorKind, Failure, Limits, OnnxSplitPrng, OpError, Response, Shape, Tensor,
};

use crate::{philox, threefry, validate};

/// A valid request.
pub struct Plan {
    state: [u32; 2],
    data: Option<Vec<u64>>,
    shape: Shape,
}

impl Plan {
    /// The plan for a request.
    ///
    /// `[osp.num]`: at least one. `[osp.data]`: as many i64 as there are outputs.
    ///
    /// Errata `osp.data.folded` and `osp.successor`.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for an output over the limit.
    pub fn new(request: &OnnxSplitPrng, limits: Limits) -> Result<Self, Failure> {
        let num = match i64::try_from(request.num_outputs).map(u64::try_from) {
            Ok(Ok(num)) if num > 0 => num,
            _ => {
                let message = format!("make {} states: expected 1 to 2^63 - 1", request.num_outputs);
                validate::refuse(ErrorKind::Attribute, message)?
            }
        };
        let state = state(&request.prng_state)?;
        let data = match &request.data {
            Some(data) => Some(numbers(data, num)?),
            None => None,
        };
        let shape = limits.shape(Dtype::I64, &[num, 2])?;
        Ok(Self { state, data, shape })
    }

    /// `[osp.counter]`: state i is the block of Threefry2x32-20 whose key is the state and whose counter is number i, its
    /// high half first: i itself, or element i of `data`.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for the output.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        let mut elements = Elements::reserve(Dtype::I64, &self.shape)?;
        for i in 0..self.shape.count() / 2 {
            let number = match &self.data {
                Some(data) => data[i],
                None => u64::try_from(i).expect("a machine counts in 64 bits at most"),
            };
            let halves = philox::split(number);
            for word in threefry::block(self.state, [halves.l, halves.r]) {
                elements.push(i64::from(word));
            }
        }
        Ok(Response::of(elements.into_tensor()))
    }
}

/// `[osp.state.form]`: two i64. `[osp.state.words]`: each from 0 to 2^32 - 1.
///
/// Erratum `osp.state.range`.
fn state(tensor: &Tensor) -> Result<[u32; 2], OpError> {
    validate::dtype("prng_state", tensor, &[Dtype::I64])?;
    if tensor.shape().dims() != [2] {
        return validate::shape("prng_state", tensor, "[2]");
    }
    let words: Vec<u32> = validate::integers(tensor)
        .into_iter()
        .filter_map(|word| u32::try_from(word).ok())
        .collect();
    match *words {
        [first, second] => Ok([first, second]),
        _ => validate::refuse(
            ErrorKind::Range,
            "take a word of prng_state outside 0 to 2^32 - 1",
        ),
    }
}

fn numbers(data: &Tensor, num: u64) -> Result<Vec<u64>, OpError> {
    validate::dtype("data", data, &[Dtype::I64])?;
    if data.shape().to_u64() != [num] {
        return validate::shape("data", data, &format!("[{num}]"));
    }
    Ok(data.scalars().map(seedproof_ops::Scalar::bits).collect())
}
