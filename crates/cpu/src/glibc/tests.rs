//! The vectors' functions beside those of the scalar code.

use seedproof_transcend::glibc;

use super::*;
use crate::level::Level;
use crate::simd::Kernel;

/// A digest of the three functions: of the logarithms of floats up to 1, whose bits are `step` apart, and of the sines and
/// cosines of their angles. PyTorch's stateless normals round the angle's product in f32, all others round that of f64.
struct Digest {
    first: u32,
    step: usize,
}

impl Digest {
    /// Sixteen floats at a time; the last ones are 1.
    fn floats(&self) -> impl Iterator<Item = [f32; 16]> {
        let mut floats = (self.first..=1.0_f32.to_bits())
            .step_by(self.step)
            .map(f32::from_bits);
        std::iter::from_fn(move || {
            let first = floats.next()?;
            Some(std::array::from_fn(|i| {
                if i == 0 {
                    first
                } else {
                    floats.next().unwrap_or(1.0)
                }
            }))
        })
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the rounding is the point")]
fn turned(u: f32) -> f32 {
    (std::f64::consts::TAU * f64::from(u)) as f32
}

fn mixed(digest: u64, bits: u32) -> u64 {
    (digest ^ u64::from(bits)).wrapping_mul(0x0000_0100_0000_01b3)
}

impl Kernel for Digest {
    type Output = u64;

    fn scalar(self) -> u64 {
        let mut digest = 0;
        for floats in self.floats() {
            for u in floats {
                digest = mixed(digest, glibc::logf(u).to_bits());
            }
            for angles in [floats.map(|u| std::f32::consts::TAU * u), floats.map(turned)] {
                for angle in angles {
                    digest = mixed(digest, glibc::sinf(angle).to_bits());
                    digest = mixed(digest, glibc::cosf(angle).to_bits());
                }
            }
        }
        digest
    }

    fn vector<S: Simd, const GROUPS: usize>(self, s: S) -> u64 {
        let results = |numbers: [f32; 16], function: &dyn Fn(S::V) -> S::V| {
            let mut bits = [0_u32; 16];
            for (numbers, bits) in numbers.chunks(S::WORDS).zip(bits.chunks_mut(S::WORDS)) {
                let (mut lanes, mut of) = ([0_f32; 16], [0_u32; 16]);
                lanes[..S::WORDS].copy_from_slice(numbers);
                s.store(&mut of, function(s.load(&lanes)));
                bits.copy_from_slice(&of[..S::WORDS]);
            }
            bits
        };
        let mut digest = 0;
        for floats in self.floats() {
            digest = results(floats, &|u| log(s, u)).into_iter().fold(digest, mixed);
            for angles in [floats.map(|u| std::f32::consts::TAU * u), floats.map(turned)] {
                let sines = results(angles, &|angle| sine_and_cosine(s, angle)[0]);
                let cosines = results(angles, &|angle| sine_and_cosine(s, angle)[1]);
                for (sine, cosine) in sines.into_iter().zip(cosines) {
                    digest = mixed(mixed(digest, sine), cosine);
                }
            }
        }
        digest
    }
}

fn assert_levels_agree(levels: impl IntoIterator<Item = Level>, step: usize) {
    // What `torch.func._random.normal` draws begins at 2^-33, and all others later.
    let first = (1.0_f32 / 8_589_934_592.0).to_bits();
    let right = Level::scalar().run(Digest { first, step });
    for level in levels {
        assert_eq!(level.run(Digest { first, step }), right, "{}", level.name());
    }
}

#[test]
fn vectors_have_the_bits_of_glibc() {
    // Odd steps reach every pattern of the low bits, where rounding is decided.
    assert_levels_agree(Level::detect(), 37);
    // Without vectors of its own, a machine compares the emulated ones, which take a hundred times as long.
    assert_levels_agree(Level::emulated(), 4001);
}

/// The vectors' `logf`, `sinf` and `cosf` equal glibc's on each of the 277 million floats that a normal may be made of.
#[test]
#[ignore = "slow: 277 million floats at every level"]
fn vectors_have_the_bits_of_glibc_on_every_uniform() {
    assert_levels_agree(Level::detect(), 1);
}
