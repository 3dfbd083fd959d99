//! The vectors' functions beside those of the scalar code.

use seedproof_transcend::glibc;

use super::*;
use crate::Level;
use crate::simd::Kernel;

/// A digest of both functions over floats in (0, 1], whose bits are those of a range and a number of steps apart, and over
/// the angles that they make: the product of f32, and that of f64, which is rounded.
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
            let products = floats.map(|u| std::f32::consts::TAU * u);
            for u in floats {
                digest = mixed(digest, glibc::logf(u).to_bits());
            }
            for angles in [products, floats.map(turned)] {
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

fn assert_levels_agree(first: f32, step: usize) {
    let first = first.to_bits();
    let right = Level::scalar().run(Digest { first, step });
    for level in Level::detect() {
        assert_eq!(level.run(Digest { first, step }), right, "{}", level.name());
    }
}

/// What `torch.func._random.normal` draws begins at 2^-33, and all others later.
const LEAST: f32 = 1.0 / 8_589_934_592.0;

#[test]
fn vectors_have_the_bits_of_glibc() {
    assert_levels_agree(LEAST, 37);
}

/// The vectors' `logf`, `sinf` and `cosf` equal glibc's on each of the 277 million floats that a normal may be made of.
#[test]
#[ignore = "slow: 277 million floats at every level"]
fn vectors_have_the_bits_of_glibc_on_every_uniform() {
    assert_levels_agree(LEAST, 1);
}
