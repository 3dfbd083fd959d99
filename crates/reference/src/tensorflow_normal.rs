//! What TensorFlow's four ops of normals share: Box-Muller on the words of Philox, in f32.
//!
//! The ops have no formal text. What decides is the kernel's header (`tensorflow/core/lib/random/random_distributions.h`) and
//! what TensorFlow 2.21 answers eagerly on a CPU.

use half::{bf16, f16};
use seedproof_ops::{Dtype, Elements, ErrorKind, Failure, Limits, OpError, Response, Stages, Tensor};
use seedproof_transcend::glibc;

use crate::fill::Filled;
use crate::stateless::Stream;
use crate::{convert, philox, stateless, validate};

/// The blocks that a group of a truncated output has for itself.
const BLOCKS_OF_GROUP: u64 = 256;

/// Which normals an output is filled with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// All, one after another.
    All,
    /// Those of magnitude below 2, in groups.
    Truncated,
}

/// An output and the stream that fills it.
pub(crate) struct Normals {
    kind: Kind,
    dtype: Dtype,
    stream: Stream,
}

/// `[tfrn.type]`: one of the four floats.
pub(crate) fn output_type(value: &seedproof_ops::Attribute<Dtype>) -> Result<Dtype, OpError> {
    let floats = [Dtype::F16, Dtype::Bf16, Dtype::F32, Dtype::F64];
    validate::attribute("output_type", value, &floats)
}

impl Normals {
    /// The output of an op with two seeds.
    ///
    /// `[tfrn.seeds]`: the key is `seed`, the high half of the counter `seed2`. `[tfrn.advance]`: each execution before
    /// this one advanced the counter by 256 blocks for each element of its output.
    ///
    /// Errata `tfrn.seeds.zero` and `tfrn.advance.elements`.
    pub(crate) fn seeded(
        kind: Kind,
        dtype: Dtype,
        shape: &Tensor,
        seeds: [u64; 2],
        execution: u32,
        limits: Limits,
    ) -> Result<Self, Failure> {
        let extents = stateless::extents(shape)?;
        if seeds == [0, 0] {
            let message = "both seeds are zero, in whose place TensorFlow draws from entropy";
            return Err(Failure::Unsupported(message.to_owned()));
        }
        let [key, high] = seeds;
        let mut normals = Self::new(kind, dtype, &extents, key, u128::from(high) << 64, limits)?;
        let count = u64::try_from(normals.stream.shape.count()).expect("a machine counts in 64 bits at most");
        let blocks = u128::from(execution) * u128::from(count) * u128::from(BLOCKS_OF_GROUP);
        normals.stream.counter = normals.stream.counter.wrapping_add(blocks);
        Ok(normals)
    }

    /// The output of a stream that begins at this counter.
    pub(crate) fn new(
        kind: Kind,
        dtype: Dtype,
        extents: &[u64],
        key: u64,
        counter: u128,
        limits: Limits,
    ) -> Result<Self, Failure> {
        only_f32(dtype)?;
        Ok(Self {
            kind,
            dtype,
            stream: Stream::new(limits.shape(dtype, extents)?, key, counter),
        })
    }

    /// The op's output.
    pub(crate) fn run(&self) -> Result<Response, Failure> {
        let mut elements = Elements::reserve(self.dtype, &self.stream.shape)?;
        let values: Box<dyn Iterator<Item = f32>> = match self.kind {
            Kind::All => Box::new(self.all()),
            Kind::Truncated => Box::new((0_u64..).flat_map(|group| self.group(group))),
        };
        for value in values.take(self.stream.shape.count()) {
            elements.push_bits(narrowed(self.dtype, value));
        }
        Ok(Response::of(elements.into_tensor()))
    }

    /// The words and the output, where all normals are in it.
    pub(crate) fn stages(&self) -> Option<Stages> {
        let filled = Filled {
            tensor: self.run().ok()?.output,
            words_per_element: 1,
        };
        self.stream.stages(filled, None)
    }

    /// `[tfrn.order]`: each block makes four normals, two of its first words and two of its last; the rest of the last block
    /// is dropped.
    fn all(&self) -> impl Iterator<Item = f32> {
        (0_u64..).flat_map(|i| self.block(u128::from(i)))
    }

    /// `[tftn.group]`: four elements of a truncated output are a group, whose blocks begin 256 after those of the group
    /// before. `[tftn.bound]`: of their normals, in order, those of magnitude below 2 are kept.
    ///
    /// Errata `tftn.group.reserved` and `tftn.bound.strict`.
    fn group(&self, group: u64) -> impl Iterator<Item = f32> {
        let first = u128::from(group) * u128::from(BLOCKS_OF_GROUP);
        let normals = (0_u64..).flat_map(move |i| self.block(first + u128::from(i)));
        normals.filter(|normal| normal.abs() < 2.0).take(4)
    }

    fn block(&self, i: u128) -> [f32; 4] {
        let [x0, x1, x2, x3] = philox::block(self.stream.key, self.stream.counter.wrapping_add(i));
        let ([a, b], [c, d]) = (box_muller(x0, x1), box_muller(x2, x3));
        [a, b, c, d]
    }
}

/// `[tfrn.uniform]`: the low 23 bits of a word as a number in `[0, 1)`. `[tfrn.clamp]`: the first of a pair is at least
/// 1e-7. `[tfrn.box-muller]`: the radius is the square root of -2 times its logarithm, and the angle 2 pi times the other,
/// a product in double that is rounded to f32; the sine comes first.
///
/// Errata `tfrn.box-muller.libm`, `tfrn.box-muller.sine-first` and `tfrn.box-muller.angle`.
fn box_muller(x0: u32, x1: u32) -> [f32; 2] {
    const EPSILON: f32 = 1.0e-7;
    let u1 = convert::f32::tensorflow(x0).max(EPSILON);
    let v1 = narrow(std::f64::consts::TAU * f64::from(convert::f32::tensorflow(x1)));
    let u2 = (-2.0 * glibc::logf(u1)).sqrt();
    [glibc::sinf(v1) * u2, glibc::cosf(v1) * u2]
}

/// `[tfrn.half]`: f16 and bf16 are made in f32 and rounded once.
pub(crate) fn narrowed(dtype: Dtype, value: f32) -> u64 {
    match dtype {
        _ if value.is_nan() => narrowed_nan(dtype),
        Dtype::F16 => u64::from(f16::from_f32(value).to_bits()),
        Dtype::Bf16 => u64::from(bf16::from_f32(value).to_bits()),
        _ => u64::from(value.to_bits()),
    }
}

/// Erratum `ru8.range.nan`: any NaN would do; this is the positive quiet one without payload.
fn narrowed_nan(dtype: Dtype) -> u64 {
    match dtype {
        Dtype::F16 => u64::from(f16::NAN.to_bits()),
        Dtype::Bf16 => u64::from(bf16::NAN.to_bits()),
        _ => u64::from(f32::NAN.to_bits()),
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the rounding is the point")]
pub(crate) const fn narrow(value: f64) -> f32 {
    value as f32
}

/// Normals of f64 depend on the double functions of one version of a C library, which are not restated here.
pub(crate) fn only_f32(dtype: Dtype) -> Result<(), Failure> {
    if dtype == Dtype::F64 {
        let message = "normals of f64: they differ by the version of the C library, whose double functions are not restated";
        return Err(Failure::Unsupported(message.to_owned()));
    }
    Ok(())
}

/// A tensor of shape `[]` of f64, as the means and standard deviations of PyTorch are.
pub(crate) fn parameter(name: &str, tensor: &Tensor) -> Result<f64, OpError> {
    validate::dtype(name, tensor, &[Dtype::F64])?;
    stateless::scalar(name, tensor).map(seedproof_ops::Scalar::to_f64)
}

/// The refusal of a standard deviation.
pub(crate) fn negative<T>(std: f64) -> Result<T, OpError> {
    validate::refuse(
        ErrorKind::Range,
        format!("draw with the standard deviation {std}"),
    )
}
