//! Normals of a session of ONNX Runtime: `std::normal_distribution<float>` over `std::minstd_rand0`.

use seedproof_transcend::glibc;

use super::minstd::{Minstd, RANGE};
use super::stream::as_u128;
use crate::answers::{OnnxSession, PairsStored, PolarFactor, Rejected, SessionNormal, SessionSkipped};
use crate::round::f32_of;

/// The most points that a pair takes. Of the square's points 78.5 % are within the circle, but a wrong generator may have a
/// short cycle that misses it.
const MAX_POINTS: usize = 1 << 10;

/// This many standard normals of a run, after the runs before it. Each run creates its distribution, so that the second
/// number of its last pair is lost.
pub(super) fn normals(answers: &OnnxSession, seed: u32, execution: u32, count: usize) -> Vec<f32> {
    let (runs, skipped) = match answers.skipped {
        SessionSkipped::Words => (execution, 0),
        SessionSkipped::Elements => (0, u128::from(execution) * as_u128(count)),
    };
    let mut words = Minstd::new(answers, seed, skipped, 1);
    let mut pairs = Vec::new();
    for _ in 0..=runs {
        pairs = (0..count.div_ceil(2))
            .map(|_| pair(answers, &mut words))
            .collect();
    }
    let width = match answers.stored {
        PairsStored::Pairs => 1,
        PairsStored::Planes(pairs) => usize::try_from(pairs).unwrap_or(usize::MAX).max(1),
    };
    let planes = pairs.chunks(width).flat_map(|pairs: &[[f32; 2]]| {
        let of = |at: usize| pairs.iter().map(move |pair| pair[at]);
        of(0).chain(of(1))
    });
    planes.collect()
}

/// A number of the unit interval.
fn unit(words: &mut Minstd) -> f32 {
    let quotient = f32_of(f64::from(words.next() - 1)) / f32_of(RANGE);
    // The library takes the number below where one is reached.
    if quotient >= 1.0 {
        1.0_f32.next_down()
    } else {
        quotient
    }
}

/// Two normals.
fn pair(answers: &OnnxSession, words: &mut Minstd) -> [f32; 2] {
    if answers.normal == SessionNormal::BoxMuller {
        let [u, v] = [unit(words), unit(words)];
        let radius = if u > 0.0 {
            (-2.0 * glibc::logf(u)).sqrt()
        } else {
            0.0
        };
        let angle = std::f64::consts::TAU * f64::from(v);
        return [libm::cos(angle), libm::sin(angle)].map(|side| f32_of(f64::from(radius) * side));
    }
    let mut side = || 2.0 * unit(words) - 1.0;
    let [mut x, mut y] = [side(), side()];
    for _ in 0..MAX_POINTS {
        let square = x * x + y * y;
        if square <= 1.0 && square != 0.0 {
            let log = -2.0 * glibc::logf(square);
            let factor = match answers.factor {
                PolarFactor::Quotient => (log / square).sqrt(),
                PolarFactor::Reciprocal => log.sqrt() * (1.0 / square.sqrt()),
            };
            return [y * factor, x * factor];
        }
        [x, y] = match answers.rejected {
            Rejected::Both => [side(), side()],
            Rejected::One => [y, side()],
        };
    }
    [f32::NAN; 2]
}
