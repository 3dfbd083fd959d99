//! Fills outputs with normals, by the way of the generator's framework.

use crate::fill::fill as fill_from;
use crate::level::Level;
use crate::mt19937;
use crate::mt19937::Start;
use crate::op::bounds::single;
use crate::plan::{Entered, Generator};
use crate::rule::{Keyed, Narrowed, Normal, Pytorch, Rule, Scale, Tensorflow, Unit as _};

/// The elements that PyTorch's kernel makes together. Shorter outputs are made one by one.
const BLOCK: usize = 16;

/// Fills `out` with normals of a type that [`Normal`] has.
pub(crate) fn fill<F: Copy>(level: Level, generator: Entered<'_>, [mean, std]: [f64; 2], out: &mut [u8])
where
    Normal<Tensorflow, F>: Rule,
    Normal<Keyed, F>: Rule,
    Normal<Pytorch, F>: Rule + Narrowed,
{
    let scale = Scale {
        min: single(mean),
        range: single(std),
    };
    // Vectors do not make NaN canonical.
    let level = if scale.is_finite() { level } else { Level::scalar() };
    match generator {
        Entered::Philox(philox) => fill_from(level, philox, Normal::<Tensorflow, F>::new(scale), out),
        Entered::Key(key) => fill_from(level, key, Normal::<Keyed, F>::new(scale), out),
        // A chunk that begins at a state is never so short.
        Entered::Mt19937(Start::Seed(seed)) if out.len() < BLOCK * <Normal<Pytorch, F> as Rule>::SIZE => {
            few::<Normal<Pytorch, F>>(seed, [mean, std], out);
        }
        Entered::Mt19937(start) => blocks(level, Normal::<Pytorch, F>::new(scale), start, out),
    }
}

/// Fills at least one block. Where the last block is not whole, the last sixteen elements are drawn once more, from
/// sixteen new words.
fn blocks<R: Rule>(level: Level, rule: R, start: Start<'_>, out: &mut [u8]) {
    let rest = out.len() / R::SIZE % BLOCK;
    let whole = out.len() - rest * R::SIZE;
    if rest == 0 {
        return mt19937::fill(level, start, rule, out, &mut []);
    }
    // f32 draws words for the rest too before the new ones. The halves draw whole blocks alone.
    let dropped = if R::SIZE == 4 { rest } else { 0 };
    let mut after = [0; 2 * BLOCK];
    let after = &mut after[..dropped + BLOCK];
    mt19937::fill(level, start, rule, &mut out[..whole], after);
    let last = out.len() - BLOCK * R::SIZE;
    rule.elements(&after[dropped..], &mut out[last..]);
}

/// Fills less than a block: each pair of elements is made of two uniforms of 53 bits, in double.
///
/// PyTorch calls the C library's double functions, and `libm` has others. A double that differs in its last place
/// rounds to the same f32 unless it lies beside the middle of two, as no output of the captures does.
fn few<R: Narrowed>(seed: u32, [mean, std]: [f64; 2], out: &mut [u8]) {
    let mut words = Generator::Mt19937 { seed }.words();
    let mut uniform = || Pytorch::wide(words.next_word(), words.next_word());
    for pair in out.chunks_mut(2 * R::SIZE) {
        let (angle, radius) = (std::f64::consts::TAU * uniform(), uniform());
        let radius = (-2.0 * libm::log1p(-radius)).sqrt();
        let normals = [radius * libm::cos(angle), radius * libm::sin(angle)];
        for (out, normal) in pair.chunks_exact_mut(R::SIZE).zip(normals) {
            out.copy_from_slice(R::narrow(single(normal * std + mean)).as_ref());
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::philox::{Philox, PhiloxKey};
    use crate::rule::{Bf16, F16, Single};

    /// Bytes at any address, filled by every level and by vectors of sixteen words.
    fn assert_levels_agree<F: Copy>(generator: Generator, parameters: [f64; 2], start: usize, count: usize)
    where
        Normal<Tensorflow, F>: Rule,
        Normal<Keyed, F>: Rule,
        Normal<Pytorch, F>: Rule + Narrowed,
    {
        let filled = |level| {
            let mut buffer = vec![0; start + count * <Normal<Keyed, F> as Rule>::SIZE];
            fill::<F>(level, generator.into(), parameters, &mut buffer[start..]);
            buffer
        };
        let right = filled(Level::scalar());
        for level in Level::detect().into_iter().chain(Level::emulated()) {
            let name = level.name();
            assert!(
                filled(level) == right,
                "{name} {generator:?} {parameters:?} {start} {count}"
            );
        }
    }

    fn assert_types_agree(generator: Generator, start: usize, count: usize) {
        for parameters in [[0.0, 1.0], [-3.5, 0.1], [1e30, 3e38], [0.0, 0.0], [f64::NAN, 1.0]] {
            assert_levels_agree::<F16>(generator, parameters, start, count);
            assert_levels_agree::<Bf16>(generator, parameters, start, count);
            assert_levels_agree::<Single>(generator, parameters, start, count);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn normals_agree_at_any_address(
            key: u64, high: u64, low in 0_u64..80, start in 0_usize..70, count in 0_usize..1400, seed: u32,
        ) {
            let counter = (u128::from(high) << 64).wrapping_sub(low.into());
            assert_types_agree(Generator::Philox(Philox { key, counter }), start, count);
            assert_types_agree(Generator::Mt19937 { seed }, start, count);
            let offset = 0_u64.wrapping_sub(low);
            assert_types_agree(Generator::Key(PhiloxKey { seed: key, offset }), start, count);
        }
    }

    /// Outputs that are streamed past the caches: whole and with a rest, at an aligned address and beside it.
    #[test]
    fn normals_agree_when_streamed() {
        for (start, rest) in [(0, 0), (0, 13), (4, 1)] {
            let count = crate::simd::STREAM / 4 + rest;
            for generator in [
                Generator::Philox(Philox { key: 7, counter: 0 }),
                Generator::Mt19937 { seed: 7 },
            ] {
                let filled = |level| {
                    let mut buffer = vec![0_u32; 1 + count];
                    let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut buffer);
                    let out = &mut bytes[start..start + 4 * count];
                    fill::<Single>(level, generator.into(), [0.0, 1.0], out);
                    buffer
                };
                let right = filled(Level::scalar());
                for level in Level::detect() {
                    assert!(
                        filled(level) == right,
                        "{} {generator:?} {start} {rest}",
                        level.name()
                    );
                }
            }
        }
    }
}
