//! ONNX `RandomUniform` with a generator that is named, draft onnx/onnx#8161.

use half::{bf16, f16};
use seedproof_ops::{
    Dtype, Elements, ErrorKind, Failure, Limits, Named as _, OnnxGenerator, OnnxRandomUniform, OpError,
    Response, Shape,
};

use crate::fill::take;
use crate::{convert, philox, validate};

/// A valid request.
pub struct Plan {
    dtype: Dtype,
    shape: Shape,
    key: u64,
    offset: u64,
    low: f32,
    high: f32,
}

/// The types of floats.
const FLOATS: [Dtype; 4] = [Dtype::F16, Dtype::Bf16, Dtype::F32, Dtype::F64];

impl Plan {
    /// The plan for a request. Each run of a session draws the same: nothing but the request decides.
    ///
    /// `[oru.generator]`: only `philox4x32_10` draws values that repeat. `[oru.shape]`: a list of extents that is not empty.
    /// `[oru.bounds.form]`: bounds are scalars of f32, whatever the output's type.
    ///
    /// Errata `oru.shape.scalar` and `oru.likes`.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for an output over the limit, and for a
    /// generator of the implementation's own.
    pub fn new(request: &OnnxRandomUniform, limits: Limits) -> Result<Self, Failure> {
        let dtype = validate::attribute("output_type", &request.output_type, &FLOATS)?;
        let generator = match &request.generator {
            Some(generator) => validate::attribute("generator", generator, OnnxGenerator::ALL)?,
            None => OnnxGenerator::Unspecified,
        };
        if generator == OnnxGenerator::Unspecified {
            return Err(Failure::Unsupported(
                "an unspecified generator: the draft promises no values".to_owned(),
            ));
        }
        let key = key(request)?;
        if request.output_sizes.is_empty() {
            let message = "draw an output of shape []: expected at least one extent";
            return Ok(validate::refuse(ErrorKind::Shape, message)?);
        }
        let low = validate::scalar("low", &request.low)?;
        let high = validate::scalar("high", &request.high)?;
        let offset = match &request.offset {
            Some(offset) => validate::scalar::<i64>("offset", offset)?,
            None => 0,
        };
        Ok(Self {
            dtype,
            shape: limits.shape(dtype, &request.output_sizes)?,
            key,
            offset: offset.cast_unsigned(),
            low,
            high,
        })
    }

    /// The op's output.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for it.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        let mut elements = Elements::reserve(self.dtype, &self.shape)?;
        let mut words = self.words();
        for _ in 0..self.shape.count() {
            elements.push_bits(self.element(&mut words));
        }
        Ok(Response::of(elements.into_tensor()))
    }

    /// `[oru.counter]`: words 0 and 1 of the counter number the blocks, words 2 and 3 hold the offset. `[oru.words]`: the
    /// words of the blocks in order, one an element, two for f64.
    ///
    /// Errata `oru.offset.unit` and `oru.counter.end`.
    fn words(&self) -> impl Iterator<Item = u32> + '_ {
        let block = |i: u64| philox::block(self.key, u128::from(i) | u128::from(self.offset) << 64);
        (0_u64..).flat_map(block)
    }

    /// `[oru.scale]`: `r * (high - low) + low` in the output's type, the bounds rounded to it, and each operation rounded.
    ///
    /// Errata `oru.scale.fused`, `oru.high-reached`, `oru.range.empty` and `oru.range.nan`.
    fn element(&self, words: &mut impl Iterator<Item = u32>) -> u64 {
        let bounds = [self.low, self.high];
        match self.dtype {
            Dtype::F16 => {
                let [low, high] = bounds.map(f16::from_f32);
                let unit = f16::from_f32(unit(take(words), 11));
                u64::from(convert::f16::in_range(unit, low, high).to_bits())
            }
            Dtype::Bf16 => {
                let [low, high] = bounds.map(bf16::from_f32);
                let unit = bf16::from_f32(unit(take(words), 8));
                u64::from(convert::bf16::in_range(unit, low, high).to_bits())
            }
            Dtype::F64 => {
                let [low, high] = bounds.map(f64::from);
                convert::f64::in_range(unit_f64(take(words)), low, high).to_bits()
            }
            _ => {
                let unit = unit(take(words), 24);
                u64::from(convert::f32::in_range(unit, self.low, self.high).to_bits())
            }
        }
    }
}

/// `[oru.unit]`: the top bits of the word, as many as the type's significand has, as a fraction.
#[expect(clippy::cast_precision_loss, reason = "at most 24 bits are exact")]
fn unit([word]: [u32; 1], digits: u32) -> f32 {
    (word >> (32 - digits)) as f32 / (1_u32 << digits) as f32
}

/// `[oru.unit.f64]`: 27 top bits of the first word and 26 of the second.
#[expect(clippy::cast_precision_loss, reason = "53 bits are exact")]
fn unit_f64([a, b]: [u32; 2]) -> f64 {
    let digits = u64::from(a >> 5) << 26 | u64::from(b >> 6);
    digits as f64 / (1_u64 << 53) as f64
}

/// `[oru.seed]`: the two's complement of `seed_int64`, without which there is no key; the float `seed` is not allowed
/// beside it.
fn key(request: &OnnxRandomUniform) -> Result<u64, OpError> {
    let refuse = |message: String| validate::refuse(ErrorKind::Attribute, message);
    let Some(seed) = request.seed_int64 else {
        return refuse("draw from philox4x32_10 without seed_int64".to_owned());
    };
    if request.seed.is_some() {
        return refuse("take seed beside seed_int64".to_owned());
    }
    match i64::try_from(seed) {
        Ok(seed) => Ok(seed.cast_unsigned()),
        Err(_) => refuse(format!("take seed_int64 {seed}: expected -2^63 to 2^63 - 1")),
    }
}
