//! PyTorch inductor random: uniform numbers and normals, as `torch.compile` draws them on a CPU.
//!
//! There are no stages: two or three words of every block are not used.

use seedproof_ops::{Dtype, Elements, Failure, InductorMode, InductorRandom, Limits, Response, Shape};
use seedproof_transcend::glibc;

use crate::tensorflow_normal::narrow;
use crate::{philox, validate};

/// A valid request.
pub struct Plan {
    mode: InductorMode,
    key: u32,
    shape: Shape,
}

impl Plan {
    /// The plan for a request.
    ///
    /// `[idn.mode]`: `rand` or `randn`. `[idn.seed]`: a scalar of i64, whose low half is the key.
    ///
    /// Erratum `idn.seed.width`.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for an output over the limit.
    pub fn new(request: &InductorRandom, limits: Limits) -> Result<Self, Failure> {
        let modes = [InductorMode::Rand, InductorMode::Randn];
        let mode = validate::attribute("mode", &request.mode, &modes)?;
        let seed = validate::scalar::<i64>("seed", &request.seed)?;
        Ok(Self {
            mode,
            key: philox::split(seed.cast_unsigned()).r,
            shape: limits.shape(Dtype::F32, &request.output_sizes)?,
        })
    }

    /// `[idn.counter]`: element i has block i, of which a uniform number takes the first word and a normal the first two.
    ///
    /// # Errors
    /// [`Failure::Unsupported`] for a normal that the last digit of another library's cosine decides; [`Failure::Broken`]
    /// if there is no memory for the output.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        let mut elements = Elements::reserve(Dtype::F32, &self.shape)?;
        for i in (0_u128..).take(self.shape.count()) {
            let [w0, w1, ..] = philox::block(u64::from(self.key), i);
            elements.push(match self.mode {
                InductorMode::Rand => uniform(w0),
                InductorMode::Randn => normal(w0, w1).ok_or_else(|| {
                    let message = "the last bit of a cosine decides an element";
                    Failure::Unsupported(message.to_owned())
                })?,
            });
        }
        Ok(Response::of(elements.into_tensor()))
    }
}

/// `[idn.uniform]`: the low 31 bits of a word, rounded to f32, times a number just below 2^-31, and rounded again.
///
/// Erratum `idn.uniform.top-bit`.
#[expect(clippy::cast_precision_loss, reason = "the first of the two roundings")]
fn uniform(word: u32) -> f32 {
    (word & 0x7fff_ffff) as f32 * 4.656_612_7e-10
}

/// `[idn.normal]`: one less each of the two numbers; the root of -2 times the f32 logarithm of the first, times the cosine
/// of 2 pi times the second, in double, rounded once. None where a cosine that is a unit off in its last place
/// may round to another f32.
///
/// Errata `idn.normal.double`, `idn.normal.cosine` and `idn.normal.libm`.
fn normal(w0: u32, w1: u32) -> Option<f32> {
    let [u1, u2] = [w0, w1].map(|word| 1.0 - uniform(word));
    let radius = (-2.0 * f64::from(glibc::logf(u1))).sqrt();
    let cosine = libm::cos(std::f64::consts::TAU * f64::from(u2));
    let [least, normal, most] = [cosine.next_down(), cosine, cosine.next_up()].map(|it| narrow(radius * it));
    // The C library's cosine and this one are each within a unit in the last place of the true one.
    [least, most]
        .iter()
        .all(|it| it.to_bits() == normal.to_bits())
        .then_some(normal)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of element 171,390,046 of seed 7, the first such element of that seed.
    #[test]
    fn idn_normal_cosine() {
        let words = [0x9ea4_acc1, 0xc8cd_6f9a];
        assert_eq!(philox::block(7, 171_390_046)[..2], words);
        assert_eq!(normal(words[0], words[1]), None);
        assert!(normal(words[0], words[1] ^ 1 << 20).is_some());
    }
}
