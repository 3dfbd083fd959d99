//! Vectors of words: the operations of a level, and the way in which kernels are run with its instructions.
//!
//! Kernels are written once, generic over [`Simd`]. The file of a level has only its instructions under these names. A
//! value that implements [`Simd`] proves that the CPU has them.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;

#[cfg(test)]
mod emulated;
#[cfg(all(test, target_arch = "x86_64"))]
mod instructions;
#[cfg(all(test, target_arch = "x86_64"))]
mod tests;

use bytemuck::Pod;

#[cfg(all(test, target_arch = "x86_64"))]
std::thread_local! {
    /// Fences of this thread.
    static FENCES: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
}

#[cfg(target_arch = "x86_64")]
pub(crate) use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) use avx512::Avx512;
#[cfg(test)]
pub(crate) use emulated::Emulated;

/// A level's vectors. `V` is seen as 32-bit or 64-bit lanes, integers or floats, the first lane lowest; a
/// 64-bit lane is two words, the first one low.
pub(crate) trait Simd: Copy + Send + Sync + 'static {
    /// A vector.
    type V: Pod;
    /// The bytes of a vector, at any address.
    type Bytes: Pod;
    /// Words in a vector.
    const WORDS: usize;

    /// Instructions of [`Self::rotate32`] by amounts that are not whole bytes.
    const ROTATION: usize = 3;

    /// Products of 52-bit numbers, if the level has them.
    type Mul52: Mul52<Self::V>;

    /// Runs a kernel compiled for these instructions. What it streamed is in memory afterwards.
    fn vectorize<K: Kernel>(self, kernel: K) -> K::Output;

    /// A 32-bit number in every lane.
    fn splat32(self, x: u32) -> Self::V;
    /// A 64-bit number in every lane.
    fn splat64(self, x: u64) -> Self::V;

    /// Bitwise and.
    fn and(self, a: Self::V, b: Self::V) -> Self::V;
    /// Bitwise or.
    fn or(self, a: Self::V, b: Self::V) -> Self::V;
    /// Bitwise exclusive or.
    fn xor(self, a: Self::V, b: Self::V) -> Self::V;

    /// Sums of 32-bit lanes, wrapping.
    fn add32(self, a: Self::V, b: Self::V) -> Self::V;
    /// Differences of 32-bit lanes, wrapping.
    fn sub32(self, a: Self::V, b: Self::V) -> Self::V;
    /// The smaller of unsigned 32-bit lanes.
    fn min32(self, a: Self::V, b: Self::V) -> Self::V;
    /// The low halves of the products of 32-bit lanes.
    fn mul32(self, a: Self::V, b: Self::V) -> Self::V;
    /// 32-bit lanes shifted left.
    fn shl32(self, a: Self::V, by: u32) -> Self::V;
    /// Unsigned 32-bit lanes shifted right.
    fn shr32(self, a: Self::V, by: u32) -> Self::V;

    /// 32-bit lanes rotated left by 1 to 31 bits.
    #[inline(always)]
    fn rotate32(self, a: Self::V, by: u32) -> Self::V {
        self.or(self.shl32(a, by), self.shr32(a, 32 - by))
    }

    /// Sums of 64-bit lanes, wrapping.
    fn add64(self, a: Self::V, b: Self::V) -> Self::V;
    /// Differences of 64-bit lanes, wrapping.
    fn sub64(self, a: Self::V, b: Self::V) -> Self::V;
    /// The smaller of unsigned 64-bit lanes.
    fn min64(self, a: Self::V, b: Self::V) -> Self::V;
    /// The differences of 64-bit lanes where they are not negative, else the lanes of `a`,
    /// which are less than `b + 2^63`.
    #[inline(always)]
    fn reduce64(self, a: Self::V, b: Self::V) -> Self::V {
        self.min64(a, self.sub64(a, b))
    }
    /// The products of the low halves of 64-bit lanes; the high halves do not matter.
    fn mul(self, a: Self::V, b: Self::V) -> Self::V;
    /// Products of 52-bit numbers, if the level has them.
    fn mul52(self) -> Option<Self::Mul52>;
    /// 64-bit lanes shifted left.
    fn shl64(self, a: Self::V, by: u32) -> Self::V;
    /// Unsigned 64-bit lanes shifted right.
    fn shr64(self, a: Self::V, by: u32) -> Self::V;

    /// The halves of each 64-bit lane exchanged.
    fn swap(self, a: Self::V) -> Self::V;
    /// The high halves of 64-bit lanes: `even`'s in the low halves, `odd`'s where they are.
    fn high_halves(self, even: Self::V, odd: Self::V) -> Self::V;
    /// Blocks of four words from the low halves of 64-bit lanes: word `w` of the block of lane `l` is in
    /// `words[w]`. The even lanes' blocks come first, in order, then the odd lanes'.
    fn blocks(self, words: [Self::V; 4]) -> [Self::V; 2];
    /// The 32-bit lanes of `a` and `b` in turns: those of the first two of every four lanes, then of the others.
    fn interleave(self, a: Self::V, b: Self::V) -> [Self::V; 2];
    /// 32-bit lanes zero-extended to 64 bits, in order.
    fn widen(self, a: Self::V) -> [Self::V; 2];
    /// 16-bit lanes from 32-bit lanes below 2^16: those of `a`, then those of `b`.
    fn narrow(self, a: Self::V, b: Self::V) -> Self::V;
    /// 8-bit lanes from 32-bit lanes below 2^8, in the first half: those of `a`, then those of `b`.
    fn narrow8(self, a: Self::V, b: Self::V) -> Self::V;

    /// Sums of f32 lanes.
    fn add_f32(self, a: Self::V, b: Self::V) -> Self::V;
    /// Differences of f32 lanes.
    fn sub_f32(self, a: Self::V, b: Self::V) -> Self::V;
    /// Products of f32 lanes.
    fn mul_f32(self, a: Self::V, b: Self::V) -> Self::V;
    /// Sums of `c` and the products of `a` and `b`, f32 lanes, rounded once.
    fn fma_f32(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// Sums of `c` and the products of `a` and `b`, f64 lanes, rounded once.
    fn fma_f64(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// Square roots of f32 lanes.
    fn sqrt_f32(self, a: Self::V) -> Self::V;
    /// f32 lanes from signed 32-bit lanes.
    fn to_f32(self, a: Self::V) -> Self::V;
    /// f64 lanes from f32 lanes, in order.
    fn widen_f32(self, a: Self::V) -> [Self::V; 2];
    /// f64 lanes rounded to f32, in order.
    fn round_f32(self, a: [Self::V; 2]) -> Self::V;
    /// Signed 32-bit lanes from f64 lanes cut towards zero, in order. None is beyond an i32.
    fn truncate_f64(self, a: [Self::V; 2]) -> Self::V;
    /// Of the parts of eight words that two vectors have in order, the even ones, then the odd ones. The
    /// method undoes itself.
    fn alternate(self, a: [Self::V; 2]) -> [Self::V; 2];
    /// f64 lanes from four f32 of each of eight rows: four columns, each in the vectors that it fills, one or two.
    fn columns_f32(self, rows: [&[u8; 16]; 8]) -> [[Self::V; 2]; 4];
    /// f32 lanes rounded to the nearest f16, ties to even.
    fn round_f16(self, a: Self::V) -> Self::V;
    /// The bits of the nearest f16 of f32 lanes, ties to even: those of `a`, then those of `b`.
    fn to_f16(self, a: Self::V, b: Self::V) -> Self::V;

    /// Sums of f64 lanes.
    fn add_f64(self, a: Self::V, b: Self::V) -> Self::V;
    /// Differences of f64 lanes.
    fn sub_f64(self, a: Self::V, b: Self::V) -> Self::V;
    /// Products of f64 lanes.
    fn mul_f64(self, a: Self::V, b: Self::V) -> Self::V;

    /// The table's numbers at the indices in 64-bit lanes. An index beyond the table selects its last number. The table is not
    /// empty.
    fn gather64(self, table: &[u64], indices: Self::V) -> Self::V;

    /// The columns of the rows of a small table at the indices in 64-bit lanes, of which the low four bits count.
    /// Processors without a wide table of their own take it in loads of rows, which are faster than a gather.
    fn rows(self, table: &[[u64; 2]; 16], indices: Self::V) -> [Self::V; 2];

    /// Clamps indices to the last index of a table.
    #[inline(always)]
    fn within(self, table: &[u64], indices: Self::V) -> Self::V {
        // The last index of an empty table would wrap, and a gather read anywhere.
        assert!(!table.is_empty(), "there are numbers to gather");
        let last = u64::try_from(table.len() - 1).expect("an index fits 64 bits");
        self.min64(indices, self.splat64(last))
    }

    /// Writes a vector past the caches.
    fn stream(self, cell: &mut Self::V, v: Self::V);

    /// The vector of the first elements of a slice.
    #[inline(always)]
    fn load<T: Pod>(self, elements: &[T]) -> Self::V {
        let elements = &elements[..size_of::<Self::V>() / size_of::<T>()];
        bytemuck::pod_read_unaligned(bytemuck::cast_slice(elements))
    }

    /// Writes a vector to the first elements of a slice.
    #[inline(always)]
    fn store<T: Pod>(self, elements: &mut [T], v: Self::V) {
        let elements = &mut elements[..size_of::<Self::V>() / size_of::<T>()];
        bytemuck::cast_slice_mut(elements).copy_from_slice(bytemuck::bytes_of(&v));
    }
}

/// Products of the low 52 bits of 64-bit lanes.
pub(crate) trait Mul52<V>: Copy {
    /// Their low 52 bits, added to 64-bit lanes.
    fn low(self, sum: V, a: V, b: V) -> V;
    /// The 52 bits above.
    fn high(self, a: V, b: V) -> V;
}

/// The products of a level that has none.
#[derive(Clone, Copy)]
pub(crate) enum Lacking {}

impl<V> Mul52<V> for Lacking {
    #[inline(always)]
    fn low(self, _sum: V, _a: V, _b: V) -> V {
        match self {}
    }

    #[inline(always)]
    fn high(self, _a: V, _b: V) -> V {
        match self {}
    }
}

/// Work that is compiled for each level.
///
/// Implementations are `#[inline(always)]`, and so is everything that they call with vectors. Otherwise it would be
/// compiled without the level's instructions, and pass vectors through memory.
pub(crate) trait Kernel {
    /// The result of the work.
    type Output;

    /// Whether the work takes remainders, which are all that [`Simd::Mul52`] is for. Without them a level that has such
    /// products shares the compiled work of the one that lacks them.
    const DIVIDES: bool = false;

    /// The work, one element at a time.
    fn scalar(self) -> Self::Output;

    /// The work with vectors. Kernels whose instructions wait for one another use `GROUPS` independent chains: as many
    /// as the registers of the level hold.
    fn vector<S: Simd, const GROUPS: usize>(self, s: S) -> Self::Output;
}

/// A way to write vectors.
pub(crate) trait Store {
    /// The bytes that one vector is written to.
    type Cell<S: Simd>: Pod;

    /// Bytes of `out` before the first place.
    fn head<S: Simd>(out: &[u8]) -> usize;

    /// Writes a vector.
    fn put<S: Simd>(s: S, cell: &mut Self::Cell<S>, v: S::V);
}

/// Through the caches, to any address.
pub(crate) struct Cached;

impl Store for Cached {
    type Cell<S: Simd> = S::Bytes;

    #[inline(always)]
    fn head<S: Simd>(_out: &[u8]) -> usize {
        0
    }

    #[inline(always)]
    fn put<S: Simd>(_s: S, cell: &mut S::Bytes, v: S::V) {
        *cell = bytemuck::cast(v);
    }
}

/// Past the caches, to aligned addresses: for outputs that no cache holds, which then need not be read
/// before they are overwritten.
pub(crate) struct Streamed;

impl Store for Streamed {
    type Cell<S: Simd> = S::V;

    #[inline(always)]
    fn head<S: Simd>(out: &[u8]) -> usize {
        out.as_ptr().align_offset(LINE)
    }

    #[inline(always)]
    fn put<S: Simd>(s: S, cell: &mut S::V, v: S::V) {
        s.stream(cell, v);
    }
}

/// Bytes of a cache line. A line is streamed best when all its vectors are written one after another, so that
/// the first is aligned to a line whatever the size of a vector.
pub(crate) const LINE: usize = 64;

/// Bytes of output from which it is streamed: more than a core's own caches hold.
pub(crate) const STREAM: usize = 8 << 20;

/// Whether an output can be streamed once some first units of `unit` bytes are out of the way.
#[inline(always)]
pub(crate) fn streamable<S: Simd>(out: &[u8], unit: usize) -> bool {
    out.len() >= LINE && Streamed::head::<S>(out).is_multiple_of(unit)
}
