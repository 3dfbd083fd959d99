//! PyTorch `normal_` on CUDA: the Box-Muller transform as cuRAND's device functions compile.

use seedproof_ops::{Dtype, Elements, Failure, Limits, Response, Shape, TorchCudaNormal};
use seedproof_transcend::cuda::{cos_approx, logf, sin_approx};

use super::{Launch, unit};
use crate::tensorflow_normal::{narrow, narrowed, negative, only_f32, output_type, parameter};

/// A valid request.
pub struct Plan {
    launch: Launch,
    dtype: Dtype,
    shape: Shape,
    mean: f32,
    std: f32,
}

impl Plan {
    /// The plan for a request.
    ///
    /// `[tcn.types]`: floats. `[tcn.std]`: the standard deviation is zero or more.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for f64, and for an output over the limit.
    pub fn new(request: &TorchCudaNormal, limits: Limits) -> Result<Self, Failure> {
        let dtype = output_type(&request.output_type)?;
        let launch = launch!(request)?;
        let mean = parameter("mean", &request.mean)?;
        let std = parameter("std", &request.std)?;
        if std < 0.0 || std.is_nan() {
            return Err(negative::<Self>(std).err().expect("a refusal").into());
        }
        only_f32(dtype)?;
        Ok(Self {
            launch,
            dtype,
            shape: limits.shape(dtype, &request.output_sizes)?,
            mean: narrow(mean),
            std: narrow(std),
        })
    }

    /// `[tcn.scale]`: `z * std + mean` in f32, rounded once, and then to the type.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for the output.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        let mut elements = Elements::reserve(self.dtype, &self.shape)?;
        for z in self.launch.draws(self.shape.count(), normals) {
            elements.push_bits(narrowed(self.dtype, z.mul_add(self.std, self.mean)));
        }
        Ok(Response::of(elements.into_tensor()))
    }
}

/// The four normals of a block.
fn normals([a, b, c, d]: [u32; 4]) -> [f32; 4] {
    let ([first, second], [third, fourth]) = (box_muller(a, b), box_muller(c, d));
    [first, second, third, fourth]
}

/// `[tcn.radius]`: the radius is `sqrt(-2 log u)` of the first word. `[tcn.angle]`: the angle is `f32(y) c + c / 2` of the
/// second, rounded once, with c the f32 of 2 pi / 2^32. `[tcn.pair]`: the sine comes first.
///
/// Erratum `tcn.functions`: the functions of a GPU.
#[expect(clippy::cast_precision_loss, reason = "the rounding is cuRAND's")]
fn box_muller(x: u32, y: u32) -> [f32; 2] {
    const STEP: f32 = 2.328_306_4e-10 * 6.283_185_5;
    let radius = (-2.0 * logf(unit(x))).sqrt();
    let angle = (y as f32).mul_add(STEP, STEP / 2.0);
    [sin_approx(angle) * radius, cos_approx(angle) * radius]
}
