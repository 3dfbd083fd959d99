//! PyTorch normal: normals from a key.

use seedproof_ops::{Dtype, Elements, Failure, Limits, PhiloxNormal, Response, Shape, Stages, Tensor};
use seedproof_transcend::glibc;

use crate::philox_key::Draws;
use crate::tensorflow_normal::{narrow, narrowed, only_f32, output_type, parameter};

/// A valid request.
pub struct Plan {
    dtype: Dtype,
    draws: Draws,
    shape: Shape,
    mean: f32,
    std: f32,
}

impl Plan {
    /// The plan for a request.
    ///
    /// `[tkn.parameters]`: mean and standard deviation may be any numbers, and are rounded to f32.
    ///
    /// Erratum `tkn.parameters.unchecked`.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for f64 and for an output over the limit.
    pub fn new(request: &PhiloxNormal, limits: Limits) -> Result<Self, Failure> {
        let dtype = output_type(&request.output_type)?;
        let draws = Draws::new(&request.key, &request.output_sizes)?;
        let mean = narrow(parameter("mean", &request.mean)?);
        let std = narrow(parameter("std", &request.std)?);
        only_f32(dtype)?;
        let shape = limits.shape(dtype, &request.output_sizes)?;
        Ok(Self {
            dtype,
            draws: draws.of_shape(&shape),
            shape,
            mean,
            std,
        })
    }

    /// The op's output.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for it.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        self.output().map(Response::of)
    }

    /// The words and the output.
    pub fn stages(&self) -> Option<Stages> {
        let scaled = self.output().ok()?;
        Some(self.draws.stages(&self.shape, 1, None, scaled))
    }

    /// `[tkn.scale]`: the normal times the standard deviation, and the mean added, product and sum rounded apart to f32; the
    /// 16-bit types round that once more.
    ///
    /// Erratum `tkn.scale.fused`.
    fn output(&self) -> Result<Tensor, Failure> {
        let mut elements = Elements::reserve(self.dtype, &self.shape)?;
        for element in 0..self.shape.count() {
            let (pair, place) = self.draws.pair(&self.shape, element);
            let normal = box_muller(pair)[place];
            elements.push_bits(narrowed(self.dtype, normal * self.std + self.mean));
        }
        Ok(elements.into_tensor())
    }
}

/// `[tkn.uniform]`: a word, rounded to f32, is times 2^-32 and 2^-33 more, in (0, 1]. `[tkn.box-muller]`: of two words the
/// first makes the radius and the second the angle, f32(2 pi) times it in f32; the cosine comes first.
///
/// Errata `tkn.uniform.rounded` and `tkn.box-muller.cosine-first`.
fn box_muller(words: [u32; 2]) -> [f32; 2] {
    /// 2^-32.
    const TO_UNIT: f32 = 1.0 / 4_294_967_296.0;
    let [u1, u2] = words.map(|word| float(word).mul_add(TO_UNIT, TO_UNIT / 2.0));
    let radius = (-2.0 * glibc::logf(u1)).sqrt();
    let theta = std::f32::consts::TAU * u2;
    [radius * glibc::cosf(theta), radius * glibc::sinf(theta)]
}

#[expect(clippy::cast_precision_loss, reason = "the rounding is the point")]
const fn float(word: u32) -> f32 {
    word as f32
}
