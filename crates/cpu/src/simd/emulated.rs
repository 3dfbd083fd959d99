//! Vectors of sixteen words in portable code, for tests: a machine without AVX-512 runs the kernels with vectors
//! of that width all the same, and every method of [`Simd`] is said once more without instructions.

use half::f16;

use super::{Kernel, Mul52, Simd};

/// The level that every CPU can pretend to have, with products of 52 bits where `IFMA` says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Emulated<const IFMA: bool>;

type V = [u32; 16];

fn lanes32(a: V, b: V, f: impl Fn(u32, u32) -> u32) -> V {
    std::array::from_fn(|i| f(a[i], b[i]))
}

fn wide(a: V) -> [u64; 8] {
    bytemuck::cast(a)
}

fn lanes64(a: V, b: V, f: impl Fn(u64, u64) -> u64) -> V {
    let (a, b) = (wide(a), wide(b));
    bytemuck::cast(std::array::from_fn::<u64, 8, _>(|i| f(a[i], b[i])))
}

fn floats32(a: V, b: V, f: impl Fn(f32, f32) -> f32) -> V {
    lanes32(a, b, |a, b| f(f32::from_bits(a), f32::from_bits(b)).to_bits())
}

fn floats64(a: V, b: V, f: impl Fn(f64, f64) -> f64) -> V {
    lanes64(a, b, |a, b| f(f64::from_bits(a), f64::from_bits(b)).to_bits())
}

fn low(x: u64) -> u64 {
    x & 0xffff_ffff
}

fn halves_of(x: f32) -> u16 {
    f16::from_f32(x).to_bits()
}

/// Sixteen-bit lanes of two vectors' 32-bit lanes.
fn sixteens(a: V, b: V, f: impl Fn(u32) -> u16) -> V {
    let lanes: [u32; 32] = bytemuck::cast([a, b]);
    bytemuck::cast(lanes.map(f))
}

impl Mul52<V> for Emulated<true> {
    fn low(self, a: V, b: V) -> V {
        lanes64(a, b, |a, b| {
            low52(u128::from(low52(a.into())) * u128::from(low52(b.into())))
        })
    }

    fn high(self, a: V, b: V) -> V {
        lanes64(a, b, |a, b| {
            low52((u128::from(low52(a.into())) * u128::from(low52(b.into()))) >> 52)
        })
    }
}

fn low52(x: u128) -> u64 {
    u64::try_from(x % (1 << 52)).expect("52 bits fit")
}

impl<const IFMA: bool> Simd for Emulated<IFMA> {
    type V = V;
    type Bytes = [u8; 64];
    const WORDS: usize = 16;
    type Mul52 = Emulated<true>;

    fn vectorize<K: Kernel>(self, kernel: K) -> K::Output {
        kernel.vector::<Self, 4>(self)
    }

    fn splat32(self, x: u32) -> V {
        [x; 16]
    }

    fn splat64(self, x: u64) -> V {
        bytemuck::cast([x; 8])
    }

    fn and(self, a: V, b: V) -> V {
        lanes32(a, b, |a, b| a & b)
    }

    fn or(self, a: V, b: V) -> V {
        lanes32(a, b, |a, b| a | b)
    }

    fn xor(self, a: V, b: V) -> V {
        lanes32(a, b, |a, b| a ^ b)
    }

    fn add32(self, a: V, b: V) -> V {
        lanes32(a, b, u32::wrapping_add)
    }

    fn sub32(self, a: V, b: V) -> V {
        lanes32(a, b, u32::wrapping_sub)
    }

    fn min32(self, a: V, b: V) -> V {
        lanes32(a, b, u32::min)
    }

    fn mul32(self, a: V, b: V) -> V {
        lanes32(a, b, u32::wrapping_mul)
    }

    fn shl32(self, a: V, by: u32) -> V {
        a.map(|a| a << by)
    }

    fn shr32(self, a: V, by: u32) -> V {
        a.map(|a| a >> by)
    }

    fn add64(self, a: V, b: V) -> V {
        lanes64(a, b, u64::wrapping_add)
    }

    fn sub64(self, a: V, b: V) -> V {
        lanes64(a, b, u64::wrapping_sub)
    }

    fn min64(self, a: V, b: V) -> V {
        lanes64(a, b, u64::min)
    }

    fn mul(self, a: V, b: V) -> V {
        lanes64(a, b, |a, b| low(a) * low(b))
    }

    fn shl64(self, a: V, by: u32) -> V {
        bytemuck::cast(wide(a).map(|a| a << by))
    }

    fn shr64(self, a: V, by: u32) -> V {
        bytemuck::cast(wide(a).map(|a| a >> by))
    }

    fn mul52(self) -> Option<Emulated<true>> {
        IFMA.then_some(Emulated)
    }

    fn swap(self, a: V) -> V {
        bytemuck::cast(wide(a).map(|a| a.rotate_left(32)))
    }

    fn high_halves(self, even: V, odd: V) -> V {
        lanes64(even, odd, |even, odd| even >> 32 | odd >> 32 << 32)
    }

    fn blocks(self, words: [V; 4]) -> [V; 2] {
        let block = |lane: usize| words.map(|word| word[2 * lane]);
        let even: [[u32; 4]; 4] = std::array::from_fn(|i| block(2 * i));
        let odd: [[u32; 4]; 4] = std::array::from_fn(|i| block(2 * i + 1));
        [bytemuck::cast(even), bytemuck::cast(odd)]
    }

    fn widen(self, a: V) -> [V; 2] {
        bytemuck::cast(a.map(u64::from))
    }

    fn transpose(self, rows: &mut [V]) {
        let old: Vec<[u64; 8]> = rows.iter().map(|&row| wide(row)).collect();
        for (i, row) in rows.iter_mut().enumerate() {
            *row = bytemuck::cast(std::array::from_fn::<u64, 8, _>(|j| old[j][i]));
        }
    }

    fn narrow(self, a: V, b: V) -> V {
        sixteens(a, b, |x| {
            u16::try_from(x).expect("the caller's lanes are below 2^16")
        })
    }

    fn add_f32(self, a: V, b: V) -> V {
        floats32(a, b, |a, b| a + b)
    }

    fn sub_f32(self, a: V, b: V) -> V {
        floats32(a, b, |a, b| a - b)
    }

    fn mul_f32(self, a: V, b: V) -> V {
        floats32(a, b, |a, b| a * b)
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "the instruction rounds as the cast does"
    )]
    fn to_f32(self, a: V) -> V {
        a.map(|a| (a.cast_signed() as f32).to_bits())
    }

    fn widen_f32(self, a: V) -> [V; 2] {
        bytemuck::cast(a.map(|a| f64::from(f32::from_bits(a))))
    }

    fn round_f16(self, a: V) -> V {
        a.map(|a| f16::from_bits(halves_of(f32::from_bits(a))).to_f32().to_bits())
    }

    fn to_f16(self, a: V, b: V) -> V {
        sixteens(a, b, |x| halves_of(f32::from_bits(x)))
    }

    fn add_f64(self, a: V, b: V) -> V {
        floats64(a, b, |a, b| a + b)
    }

    fn sub_f64(self, a: V, b: V) -> V {
        floats64(a, b, |a, b| a - b)
    }

    fn mul_f64(self, a: V, b: V) -> V {
        floats64(a, b, |a, b| a * b)
    }

    fn stream(self, cell: &mut V, v: V) {
        *cell = v;
    }
}

/// A method of a vector level beside the emulated one's, for vectors of any bits.
#[cfg(target_arch = "x86_64")]
mod instructions {
    use bytemuck::Pod;
    use proptest::prelude::*;

    use super::*;
    use crate::simd::{Avx2, Avx512};

    /// Both halves of sixteen words, where a vector has eight; else all of them.
    fn parts<S: Simd>(words: V) -> Vec<S::V> {
        bytemuck::cast_slice(&words)
            .chunks_exact(4 * S::WORDS)
            .map(bytemuck::pod_read_unaligned)
            .collect()
    }

    fn bytes<T: Pod>(parts: &[T]) -> &[u8] {
        bytemuck::cast_slice(parts)
    }

    /// Methods that treat every lane alike, so that a vector's parts give the result's parts.
    fn assert_lanes_agree<S: Simd>(s: S, a: V, b: V, by: u32) {
        let e = Emulated::<true>;
        let two = |name: &str, own: fn(S, S::V, S::V) -> S::V, other: fn(Emulated<true>, V, V) -> V| {
            let parts: Vec<S::V> = parts::<S>(a)
                .into_iter()
                .zip(parts::<S>(b))
                .map(|(a, b)| own(s, a, b))
                .collect();
            assert_eq!(bytes(&parts), bytes(&[other(e, a, b)]), "{name} {a:x?} {b:x?}");
        };
        two("and", S::and, Emulated::<true>::and);
        two("or", S::or, Emulated::<true>::or);
        two("xor", S::xor, Emulated::<true>::xor);
        two("add32", S::add32, Emulated::<true>::add32);
        two("sub32", S::sub32, Emulated::<true>::sub32);
        two("min32", S::min32, Emulated::<true>::min32);
        two("mul32", S::mul32, Emulated::<true>::mul32);
        two("add64", S::add64, Emulated::<true>::add64);
        two("sub64", S::sub64, Emulated::<true>::sub64);
        two("min64", S::min64, Emulated::<true>::min64);
        two("mul", S::mul, Emulated::<true>::mul);
        two("high_halves", S::high_halves, Emulated::<true>::high_halves);
        let one = |name: &str, own: &dyn Fn(S::V) -> S::V, other: V| {
            let parts: Vec<S::V> = parts::<S>(a).into_iter().map(own).collect();
            assert_eq!(bytes(&parts), bytes(&[other]), "{name} {a:x?} {by}");
        };
        one("swap", &|a| s.swap(a), e.swap(a));
        one("to_f32", &|a| s.to_f32(a), e.to_f32(a));
        let widened: Vec<S::V> = parts::<S>(a).into_iter().flat_map(|a| s.widen_f32(a)).collect();
        assert_eq!(bytes(&widened), bytes(&e.widen_f32(a)), "widen_f32 {a:x?}");
        one("shl32", &|a| s.shl32(a, by % 32), e.shl32(a, by % 32));
        one("shr32", &|a| s.shr32(a, by % 32), e.shr32(a, by % 32));
        one("shl64", &|a| s.shl64(a, by), e.shl64(a, by));
        one("shr64", &|a| s.shr64(a, by), e.shr64(a, by));
    }

    fn assert_products_agree<S: Simd<V: std::fmt::Debug>>(s: S, a: V, b: V) {
        let product = s.mul52().expect("the level has IFMA");
        for (a, b) in parts::<S>(a).into_iter().zip(parts::<S>(b)) {
            let (low, high) = (product.low(a, b), product.high(a, b));
            let [a, b] = [a, b].map(|v| bytemuck::pod_read_unaligned(bytes(&[v])));
            let e = Emulated::<true>;
            assert_eq!(
                bytes(&[low, high]),
                bytes(&[e.low(a, b), e.high(a, b)]),
                "{a:x?} {b:x?}"
            );
        }
    }

    fn assert_squares_are_transposed<S: Simd>(s: S) {
        let lanes = S::WORDS / 2;
        let numbers: Vec<u64> = (0..64).collect();
        let mut rows: Vec<S::V> = numbers
            .chunks_exact(lanes)
            .take(lanes)
            .map(|row| s.load(row))
            .collect();
        s.transpose(&mut rows);
        let columns = (0..lanes).flat_map(|column| numbers.iter().skip(column).step_by(lanes).take(lanes));
        let expected: Vec<u64> = columns.copied().collect();
        assert_eq!(bytes(&rows), bytes(&expected));
    }

    #[test]
    fn instructions_transpose_squares() {
        assert_squares_are_transposed(Emulated::<true>);
        if let Some(s) = Avx2::new() {
            assert_squares_are_transposed(s);
        }
        if let Some(s) = Avx512::<false>::new() {
            assert_squares_are_transposed(s);
        }
    }

    proptest! {
        #[test]
        fn instructions_do_what_they_are_said_to(a: [u32; 16], b: [u32; 16], by in 0_u32..64) {
            if let Some(s) = Avx2::new() {
                assert_lanes_agree(s, a, b, by);
            }
            if let Some(s) = Avx512::<false>::new() {
                assert_lanes_agree(s, a, b, by);
            }
            if let Some(s) = Avx512::<true>::new() {
                assert_products_agree(s, a, b);
            }
        }
    }
}
