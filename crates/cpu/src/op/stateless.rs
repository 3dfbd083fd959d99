//! TensorFlow's StatelessRandomGetKeyCounter, StatelessRandomUniformV2, StatelessRandomUniformIntV2 and
//! StatelessRandomUniformFullIntV2.

use std::cmp::Ordering;

use seedproof_ops::{
    Attribute, Dtype, ErrorKind, Failure, Limits, StatelessRandomGetKeyCounter, StatelessRandomUniform,
    StatelessRandomUniformFullInt, StatelessRandomUniformInt, Tensor,
};

use super::draw::{Conversion, Draw, Source};
use super::{check_dtype, check_rank, check_shape, extents, known, refuse, scalar, u64s};
use crate::bits::{join, join64, low64};
use crate::philox::Philox;

/// The fixed key with which TensorFlow scrambles a seed.
const SCRAMBLER: u64 = 0x0246_1e29_3ec8_f720;

/// The element types of the two integer ops.
const INTEGERS: [Dtype; 4] = [Dtype::I32, Dtype::I64, Dtype::U32, Dtype::U64];

/// Refuses what is invalid of StatelessRandomGetKeyCounter, in the order element type, shape.
///
/// # Errors
/// [`Failure::Rejected`].
pub(super) fn check_key_counter(
    request: &StatelessRandomGetKeyCounter,
    limits: Limits,
) -> Result<Draw, Failure> {
    let seed = &request.seed;
    check_dtype("seed", seed, &[Dtype::I32, Dtype::I64])?;
    check_shape("seed", seed, &[2])?;
    let numbers: Vec<u64> = seed
        .scalars()
        .map(|number| number.to_i64().cast_unsigned())
        .collect();
    let philox = Philox {
        key: SCRAMBLER,
        counter: join64(numbers[1], numbers[0]),
    };
    let [_, _, low, high] = philox.block(0);
    Ok(Draw {
        dtype: Dtype::U64,
        shape: limits.shape(Dtype::U64, &[1])?,
        source: Source::Philox(philox),
        conversion: Conversion::BITS,
        more: vec![Tensor::vector(&[0, join(high, low)])],
        // The counter takes the second half of the block.
        beyond: 1,
    })
}

/// Refuses what is invalid of StatelessRandomUniformV2, in the order output type, shape, key, counter, algorithm.
///
/// # Errors
/// [`Failure::Rejected`]; [`Failure::Unsupported`] for more output than the limit.
pub(super) fn check_uniform(request: &StatelessRandomUniform, limits: Limits) -> Result<Draw, Failure> {
    let types = [Dtype::F16, Dtype::Bf16, Dtype::F32, Dtype::F64];
    let inputs = [&request.shape, &request.key, &request.counter, &request.alg];
    let formed = Formed::of(&request.output_type, &types, inputs)?;
    formed.draw(Conversion::Floats { low: 0.0, high: 1.0 }, limits)
}

/// Refuses what is invalid of StatelessRandomUniformIntV2, in the order output type, shape, key,
/// counter, algorithm, bounds.
///
/// # Errors
/// [`Failure::Rejected`]; [`Failure::Unsupported`] for more output than the limit.
pub(super) fn check_uniform_int(
    request: &StatelessRandomUniformInt,
    limits: Limits,
) -> Result<Draw, Failure> {
    let StatelessRandomUniformInt { minval, maxval, .. } = request;
    let inputs = [&request.shape, &request.key, &request.counter, &request.alg];
    let formed = Formed::of(&request.output_type, &INTEGERS, inputs)?;
    for (name, bound) in [("minval", minval), ("maxval", maxval)] {
        check_dtype(name, bound, &[formed.dtype])?;
        check_rank(name, bound, 0)?;
    }
    let [min, max] = [minval, maxval].map(|bound| scalar(bound).to_i128());
    formed.check_algorithm()?;
    if !formed.is_empty() && min.cmp(&max) != Ordering::Less {
        let message = format!("minval {min} is not less than maxval {max}");
        return refuse(ErrorKind::Range, message);
    }
    let conversion = Conversion::Integers {
        min: low64(min.cast_unsigned()),
        range: low64(max.wrapping_sub(min).cast_unsigned()),
        high_first: false,
    };
    formed.draw(conversion, limits)
}

/// Refuses what is invalid of StatelessRandomUniformFullIntV2, in the order output type,
/// shape, key, counter, algorithm.
///
/// # Errors
/// [`Failure::Rejected`]; [`Failure::Unsupported`] for more output than the limit.
pub(super) fn check_uniform_full_int(
    request: &StatelessRandomUniformFullInt,
    limits: Limits,
) -> Result<Draw, Failure> {
    let inputs = [&request.shape, &request.key, &request.counter, &request.alg];
    let formed = Formed::of(&request.output_type, &INTEGERS, inputs)?;
    formed.draw(Conversion::BITS, limits)
}

/// The parts that the three ops share, once each input has the right form.
pub(super) struct Formed {
    pub(super) dtype: Dtype,
    dims: Vec<u64>,
    philox: Philox,
    algorithm: i64,
}

impl Formed {
    pub(super) fn of(
        output_type: &Attribute<Dtype>,
        types: &[Dtype],
        [shape, key, counter, alg]: [&Tensor; 4],
    ) -> Result<Self, Failure> {
        let dtype = known("output_type", output_type, types)?;
        let dims = extents("shape", shape)?;
        check_dtype("key", key, &[Dtype::U64])?;
        check_shape("key", key, &[1])?;
        check_dtype("counter", counter, &[Dtype::U64])?;
        check_rank("counter", counter, 1)?;
        let &[low, high, ..] = &u64s(counter)[..] else {
            let message = format!(
                "counter has the shape {}, not one of two words or more",
                counter.shape()
            );
            return refuse(ErrorKind::Shape, message);
        };
        check_dtype("alg", alg, &[Dtype::I32])?;
        check_rank("alg", alg, 0)?;
        Ok(Self {
            dtype,
            dims,
            philox: Philox {
                key: u64s(key)[0],
                counter: join64(high, low),
            },
            algorithm: scalar(alg).to_i64(),
        })
    }

    /// Whether the output is empty. TensorFlow returns it then before it checks the algorithm and the bounds.
    fn is_empty(&self) -> bool {
        self.dims.contains(&0)
    }

    pub(super) fn check_algorithm(&self) -> Result<(), Failure> {
        // 1 is Philox, and 3 leaves the choice to the device: Philox on a CPU.
        if self.is_empty() || [1, 3].contains(&self.algorithm) {
            return Ok(());
        }
        let message = format!("alg {} is neither Philox, 1, nor 3", self.algorithm);
        refuse(ErrorKind::Attribute, message)
    }

    pub(super) fn draw(self, conversion: Conversion, limits: Limits) -> Result<Draw, Failure> {
        self.check_algorithm()?;
        Ok(Draw {
            dtype: self.dtype,
            shape: limits.shape(self.dtype, &self.dims)?,
            source: Source::Philox(self.philox),
            conversion,
            more: Vec::new(),
            beyond: 0,
        })
    }
}
