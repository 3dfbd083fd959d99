//! Vectors of sixteen words in portable code, for tests: a machine without AVX-512 runs the kernels with vectors of
//! that width all the same, and every method of [`Simd`] is said once more without instructions. Its functions are not
//! inlined: every kernel with sixteen lanes unrolled takes minutes to compile.

use half::f16;

use super::{Kernel, Mul52, Simd};

/// The level that every CPU can pretend to have, with products of 52 bits where `IFMA` says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Emulated<const IFMA: bool>;

type V = [u32; 16];

#[inline(never)]
fn lanes32(a: V, b: V, f: impl Fn(u32, u32) -> u32) -> V {
    std::array::from_fn(|i| f(a[i], b[i]))
}

fn wide(a: V) -> [u64; 8] {
    bytemuck::cast(a)
}

#[inline(never)]
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
#[inline(never)]
fn sixteens(a: V, b: V, f: impl Fn(u32) -> u16) -> V {
    let lanes: [u32; 32] = bytemuck::cast([a, b]);
    bytemuck::cast(lanes.map(f))
}

impl Mul52<V> for Emulated<true> {
    fn low(self, sum: V, a: V, b: V) -> V {
        let low = lanes64(a, b, |a, b| {
            low52(u128::from(low52(a.into())) * u128::from(low52(b.into())))
        });
        lanes64(sum, low, u64::wrapping_add)
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
        // Two groups are the fewest that a kernel computes side by side; four take a sixth longer to compile.
        if IFMA && K::DIVIDES {
            kernel.vector::<Emulated<true>, 2>(Emulated)
        } else {
            kernel.vector::<Emulated<false>, 2>(Emulated)
        }
    }

    #[inline(never)]
    fn splat32(self, x: u32) -> V {
        [x; 16]
    }

    #[inline(never)]
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

    #[inline(never)]
    fn shl32(self, a: V, by: u32) -> V {
        a.map(|a| a << by)
    }

    #[inline(never)]
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

    #[inline(never)]
    fn shl64(self, a: V, by: u32) -> V {
        bytemuck::cast(wide(a).map(|a| a << by))
    }

    #[inline(never)]
    fn shr64(self, a: V, by: u32) -> V {
        bytemuck::cast(wide(a).map(|a| a >> by))
    }

    fn mul52(self) -> Option<Emulated<true>> {
        IFMA.then_some(Emulated)
    }

    #[inline(never)]
    fn swap(self, a: V) -> V {
        bytemuck::cast(wide(a).map(|a| a.rotate_left(32)))
    }

    fn high_halves(self, even: V, odd: V) -> V {
        lanes64(even, odd, |even, odd| even >> 32 | odd >> 32 << 32)
    }

    #[inline(never)]
    fn blocks(self, words: [V; 4]) -> [V; 2] {
        let block = |lane: usize| words.map(|word| word[2 * lane]);
        let even: [[u32; 4]; 4] = std::array::from_fn(|i| block(2 * i));
        let odd: [[u32; 4]; 4] = std::array::from_fn(|i| block(2 * i + 1));
        [bytemuck::cast(even), bytemuck::cast(odd)]
    }

    #[inline(never)]
    fn rotate32(self, a: V, by: u32) -> V {
        a.map(|a| a.rotate_left(by))
    }

    #[inline(never)]
    fn interleave(self, a: V, b: V) -> [V; 2] {
        let place = |half: usize| {
            std::array::from_fn(|i| {
                let lane = i / 4 * 4 + 2 * half + i % 4 / 2;
                if i % 2 == 0 { a[lane] } else { b[lane] }
            })
        };
        [place(0), place(1)]
    }

    #[inline(never)]
    fn widen(self, a: V) -> [V; 2] {
        bytemuck::cast(a.map(u64::from))
    }

    fn narrow(self, a: V, b: V) -> V {
        sixteens(a, b, |x| {
            u16::try_from(x).expect("the caller's lanes are below 2^16")
        })
    }

    #[inline(never)]
    fn narrow8(self, a: V, b: V) -> V {
        let lanes: [u32; 32] = bytemuck::cast([a, b]);
        let mut bytes = [0; 64];
        for (byte, lane) in bytes.iter_mut().zip(lanes) {
            *byte = u8::try_from(lane).expect("the caller's lanes are below 2^8");
        }
        bytemuck::cast(bytes)
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
    #[inline(never)]
    fn to_f32(self, a: V) -> V {
        a.map(|a| (a.cast_signed() as f32).to_bits())
    }

    #[inline(never)]
    fn fma_f32(self, a: V, b: V, c: V) -> V {
        let float = f32::from_bits;
        std::array::from_fn(|i| float(a[i]).mul_add(float(b[i]), float(c[i])).to_bits())
    }

    #[inline(never)]
    fn fma_f64(self, a: V, b: V, c: V) -> V {
        let [a, b, c] = [a, b, c].map(|v| wide(v).map(f64::from_bits));
        bytemuck::cast(std::array::from_fn::<u64, 8, _>(|i| {
            a[i].mul_add(b[i], c[i]).to_bits()
        }))
    }

    #[inline(never)]
    fn sqrt_f32(self, a: V) -> V {
        a.map(|a| f32::from_bits(a).sqrt().to_bits())
    }

    #[inline(never)]
    fn widen_f32(self, a: V) -> [V; 2] {
        bytemuck::cast(a.map(|a| f64::from(f32::from_bits(a)).to_bits()))
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "the instruction rounds as the cast does"
    )]
    #[inline(never)]
    fn round_f32(self, a: [V; 2]) -> V {
        let lanes: [f64; 16] = bytemuck::cast(a);
        lanes.map(|x| (x as f32).to_bits())
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "the instruction cuts as the cast does"
    )]
    #[inline(never)]
    fn truncate_f64(self, a: [V; 2]) -> V {
        let lanes: [f64; 16] = bytemuck::cast(a);
        lanes.map(|x| (x as i32).cast_unsigned())
    }

    #[inline(never)]
    fn alternate(self, a: [V; 2]) -> [V; 2] {
        let [a, b, c, d]: [[u32; 8]; 4] = bytemuck::cast(a);
        bytemuck::cast([a, c, b, d])
    }

    #[inline(never)]
    fn columns_f32(self, rows: [&[u8; 16]; 8]) -> [[V; 2]; 4] {
        let number = |row: &[u8; 16], column: usize| f64::from(f32::from_le_bytes(row.as_chunks().0[column]));
        std::array::from_fn(|column| [bytemuck::cast(rows.map(|row| number(row, column))), [0; 16]])
    }

    #[inline(never)]
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

    #[inline(never)]
    fn gather64(self, table: &[u64], indices: V) -> V {
        let last = table.len() - 1;
        bytemuck::cast(wide(indices).map(|i| table[usize::try_from(i).map_or(last, |i| i.min(last))]))
    }

    #[inline(never)]
    fn rows(self, table: &[[u64; 2]; 16], indices: V) -> [V; 2] {
        let rows = wide(indices).map(|i| table[usize::try_from(i % 16).expect("below 16")]);
        [
            bytemuck::cast(rows.map(|row| row[0])),
            bytemuck::cast(rows.map(|row| row[1])),
        ]
    }

    #[inline(never)]
    fn stream(self, cell: &mut V, v: V) {
        *cell = v;
    }
}
