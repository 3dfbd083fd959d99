//! AVX2, F16C and FMA: vectors of eight words.
#![expect(unsafe_code, reason = "instructions that not every CPU has")]

use std::arch::x86_64::{
    __m256, __m256i, _MM_FROUND_TO_NEAREST_INT, _mm_cvtsi32_si128, _mm_sfence, _mm256_add_epi32,
    _mm256_add_epi64, _mm256_add_pd, _mm256_add_ps, _mm256_and_si256, _mm256_blend_epi32, _mm256_blendv_epi8,
    _mm256_blendv_pd, _mm256_castpd_si256, _mm256_castps_si256, _mm256_castps256_ps128, _mm256_castsi256_pd,
    _mm256_castsi256_ps, _mm256_castsi256_si128, _mm256_cmpgt_epi64, _mm256_cvtepi32_ps,
    _mm256_cvtepu32_epi64, _mm256_cvtpd_ps, _mm256_cvtph_ps, _mm256_cvtps_pd, _mm256_cvtps_ph,
    _mm256_cvttpd_epi32, _mm256_extractf128_ps, _mm256_extracti128_si256, _mm256_fmadd_pd, _mm256_fmadd_ps,
    _mm256_i64gather_epi64, _mm256_loadu2_m128, _mm256_loadu2_m128i, _mm256_min_epu32, _mm256_mul_epu32,
    _mm256_mul_pd, _mm256_mul_ps, _mm256_mullo_epi32, _mm256_or_si256, _mm256_packus_epi16,
    _mm256_packus_epi32, _mm256_permute4x64_epi64, _mm256_permutevar8x32_epi32, _mm256_set_m128,
    _mm256_set_m128i, _mm256_set1_epi32, _mm256_set1_epi64x, _mm256_setr_epi32, _mm256_shuffle_epi32,
    _mm256_shuffle_ps, _mm256_sll_epi32, _mm256_sll_epi64, _mm256_sqrt_ps, _mm256_srl_epi32,
    _mm256_srl_epi64, _mm256_srli_epi64, _mm256_stream_si256, _mm256_sub_epi32, _mm256_sub_epi64,
    _mm256_sub_pd, _mm256_sub_ps, _mm256_unpackhi_epi32, _mm256_unpackhi_epi64, _mm256_unpackhi_ps,
    _mm256_unpacklo_epi32, _mm256_unpacklo_epi64, _mm256_unpacklo_ps, _mm256_xor_si256,
};

use super::{Kernel, Lacking, Simd};

/// Proof that the CPU has AVX2, F16C and FMA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// The proof, if there is one.
    pub(crate) fn new() -> Option<Self> {
        let all = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("f16c")
            && is_x86_feature_detected!("fma");
        all.then_some(Self(()))
    }
}

/// At its end what was streamed is in memory, also if a kernel unwinds.
pub(super) struct Fence;

impl Drop for Fence {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: every x86-64 CPU has SSE.
        unsafe { _mm_sfence() };
        #[cfg(test)]
        super::FENCES.set(super::FENCES.get() + 1);
    }
}

/// The kernel, compiled for these instructions.
#[target_feature(enable = "avx2,f16c,fma")]
fn compiled<K: Kernel>(s: Avx2, kernel: K) -> K::Output {
    kernel.vector::<Avx2, 3>(s)
}

/// Four columns of eight rows of f32, each column's rows in order.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
pub(super) unsafe fn columns(rows: [&[u8; 16]; 8]) -> [__m256; 4] {
    let rows = rows.map(|row| row.as_ptr().cast());
    // SAFETY: the caller has AVX2, and a row has four f32.
    unsafe {
        let a = _mm256_loadu2_m128(rows[4], rows[0]);
        let b = _mm256_loadu2_m128(rows[5], rows[1]);
        let c = _mm256_loadu2_m128(rows[6], rows[2]);
        let d = _mm256_loadu2_m128(rows[7], rows[3]);
        let low = [_mm256_unpacklo_ps(a, b), _mm256_unpacklo_ps(c, d)];
        let high = [_mm256_unpackhi_ps(a, b), _mm256_unpackhi_ps(c, d)];
        [
            _mm256_shuffle_ps::<0b01_00_01_00>(low[0], low[1]),
            _mm256_shuffle_ps::<0b11_10_11_10>(low[0], low[1]),
            _mm256_shuffle_ps::<0b01_00_01_00>(high[0], high[1]),
            _mm256_shuffle_ps::<0b11_10_11_10>(high[0], high[1]),
        ]
    }
}

/// f64 lanes from f32 lanes, in order.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn widened(narrow: __m256) -> [__m256i; 2] {
    // SAFETY: the caller has AVX2.
    unsafe {
        [
            _mm256_castpd_si256(_mm256_cvtps_pd(_mm256_castps256_ps128(narrow))),
            _mm256_castpd_si256(_mm256_cvtps_pd(_mm256_extractf128_ps::<1>(narrow))),
        ]
    }
}

/// Methods that are one instruction.
macro_rules! instructions {
    ($($name:ident = $intrinsic:ident;)*) => {$(
        #[inline(always)]
        fn $name(self, a: __m256i, b: __m256i) -> __m256i {
            // SAFETY: an `Avx2` exists only where the CPU has AVX2.
            unsafe { $intrinsic(a, b) }
        }
    )*};
}

/// Methods that are one instruction on floats.
macro_rules! floats {
    ($($name:ident = $intrinsic:ident, $from:ident, $to:ident;)*) => {$(
        #[inline(always)]
        fn $name(self, a: __m256i, b: __m256i) -> __m256i {
            // SAFETY: an `Avx2` exists only where the CPU has AVX2.
            unsafe { $to($intrinsic($from(a), $from(b))) }
        }
    )*};
}

/// Methods that shift by the same number of bits in every lane.
macro_rules! shifts {
    ($($name:ident = $intrinsic:ident;)*) => {$(
        #[inline(always)]
        fn $name(self, a: __m256i, by: u32) -> __m256i {
            // SAFETY: an `Avx2` exists only where the CPU has AVX2.
            unsafe { $intrinsic(a, _mm_cvtsi32_si128(by.cast_signed())) }
        }
    )*};
}

impl Simd for Avx2 {
    type V = __m256i;
    type Bytes = [u8; 32];
    const WORDS: usize = 8;
    type Mul52 = Lacking;

    #[inline]
    fn vectorize<K: Kernel>(self, kernel: K) -> K::Output {
        let _fence = Fence;
        // SAFETY: an `Avx2` exists only where the CPU has AVX2, F16C and FMA.
        unsafe { compiled(self, kernel) }
    }

    instructions! {
        and = _mm256_and_si256;
        or = _mm256_or_si256;
        xor = _mm256_xor_si256;
        add32 = _mm256_add_epi32;
        sub32 = _mm256_sub_epi32;
        min32 = _mm256_min_epu32;
        mul32 = _mm256_mullo_epi32;
        add64 = _mm256_add_epi64;
        sub64 = _mm256_sub_epi64;
        mul = _mm256_mul_epu32;
    }

    shifts! {
        shl32 = _mm256_sll_epi32;
        shr32 = _mm256_srl_epi32;
        shl64 = _mm256_sll_epi64;
        shr64 = _mm256_srl_epi64;
    }

    floats! {
        add_f32 = _mm256_add_ps, _mm256_castsi256_ps, _mm256_castps_si256;
        sub_f32 = _mm256_sub_ps, _mm256_castsi256_ps, _mm256_castps_si256;
        mul_f32 = _mm256_mul_ps, _mm256_castsi256_ps, _mm256_castps_si256;
        add_f64 = _mm256_add_pd, _mm256_castsi256_pd, _mm256_castpd_si256;
        sub_f64 = _mm256_sub_pd, _mm256_castsi256_pd, _mm256_castpd_si256;
        mul_f64 = _mm256_mul_pd, _mm256_castsi256_pd, _mm256_castpd_si256;
    }

    #[inline(always)]
    fn splat32(self, x: u32) -> __m256i {
        // SAFETY: an `Avx2` exists only where the CPU has AVX2.
        unsafe { _mm256_set1_epi32(x.cast_signed()) }
    }

    #[inline(always)]
    fn splat64(self, x: u64) -> __m256i {
        // SAFETY: an `Avx2` exists only where the CPU has AVX2.
        unsafe { _mm256_set1_epi64x(x.cast_signed()) }
    }

    #[inline(always)]
    fn min64(self, a: __m256i, b: __m256i) -> __m256i {
        let sign = self.splat64(1 << 63);
        let (signed_a, signed_b) = (self.xor(a, sign), self.xor(b, sign));
        // SAFETY: an `Avx2` exists only where the CPU has AVX2.
        unsafe { _mm256_blendv_epi8(a, b, _mm256_cmpgt_epi64(signed_a, signed_b)) }
    }

    #[inline(always)]
    fn reduce64(self, a: __m256i, b: __m256i) -> __m256i {
        let difference = self.sub64(a, b);
        // SAFETY: an `Avx2` exists only where the CPU has AVX2.
        unsafe {
            let sign = _mm256_castsi256_pd(difference);
            _mm256_castpd_si256(_mm256_blendv_pd(sign, _mm256_castsi256_pd(a), sign))
        }
    }

    #[inline(always)]
    fn mul52(self) -> Option<Lacking> {
        None
    }

    #[inline(always)]
    fn swap(self, a: __m256i) -> __m256i {
        // SAFETY: an `Avx2` exists only where the CPU has AVX2.
        unsafe { _mm256_shuffle_epi32::<0b10_11_00_01>(a) }
    }

    #[inline(always)]
    fn high_halves(self, even: __m256i, odd: __m256i) -> __m256i {
        // SAFETY: an `Avx2` exists only where the CPU has AVX2.
        unsafe { _mm256_blend_epi32::<0b1010_1010>(_mm256_srli_epi64::<32>(even), odd) }
    }

    #[inline(always)]
    fn blocks(self, words: [__m256i; 4]) -> [__m256i; 2] {
        // SAFETY: an `Avx2` exists only where the CPU has AVX2.
        unsafe {
            let [w0, w1, w2, w3] = words;
            let first = _mm256_shuffle_ps::<0b10_00_10_00>(_mm256_castsi256_ps(w0), _mm256_castsi256_ps(w1));
            let second = _mm256_shuffle_ps::<0b10_00_10_00>(_mm256_castsi256_ps(w2), _mm256_castsi256_ps(w3));
            [
                _mm256_castps_si256(_mm256_shuffle_ps::<0b10_00_10_00>(first, second)),
                _mm256_castps_si256(_mm256_shuffle_ps::<0b11_01_11_01>(first, second)),
            ]
        }
    }

    #[inline(always)]
    fn interleave(self, a: __m256i, b: __m256i) -> [__m256i; 2] {
        // SAFETY: an `Avx2` exists only where the CPU has AVX2.
        unsafe { [_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b)] }
    }

    #[inline(always)]
    fn widen(self, a: __m256i) -> [__m256i; 2] {
        // SAFETY: an `Avx2` exists only where the CPU has AVX2.
        unsafe {
            [
                _mm256_cvtepu32_epi64(_mm256_castsi256_si128(a)),
                _mm256_cvtepu32_epi64(_mm256_extracti128_si256::<1>(a)),
            ]
        }
    }

    #[inline(always)]
    fn narrow(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: an `Avx2` exists only where the CPU has AVX2.
        unsafe { _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi32(a, b)) }
    }

    #[inline(always)]
    fn narrow8(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: an `Avx2` exists only where the CPU has AVX2.
        unsafe {
            let words = _mm256_packus_epi32(a, b);
            let order = _mm256_setr_epi32(0, 4, 1, 5, 0, 0, 0, 0);
            _mm256_permutevar8x32_epi32(_mm256_packus_epi16(words, words), order)
        }
    }

    #[inline(always)]
    fn to_f32(self, a: __m256i) -> __m256i {
        // SAFETY: an `Avx2` exists only where the CPU has AVX2.
        unsafe { _mm256_castps_si256(_mm256_cvtepi32_ps(a)) }
    }

    #[inline(always)]
    fn fma_f32(self, a: __m256i, b: __m256i, c: __m256i) -> __m256i {
        // SAFETY: an `Avx2` exists only where the CPU has AVX2 and FMA.
        unsafe {
            let (a, b, c) = (
                _mm256_castsi256_ps(a),
                _mm256_castsi256_ps(b),
                _mm256_castsi256_ps(c),
            );
            _mm256_castps_si256(_mm256_fmadd_ps(a, b, c))
        }
    }

    #[inline(always)]
    fn fma_f64(self, a: __m256i, b: __m256i, c: __m256i) -> __m256i {
        // SAFETY: an `Avx2` exists only where the CPU has AVX2 and FMA.
        unsafe {
            let (a, b, c) = (
                _mm256_castsi256_pd(a),
                _mm256_castsi256_pd(b),
                _mm256_castsi256_pd(c),
            );
            _mm256_castpd_si256(_mm256_fmadd_pd(a, b, c))
        }
    }

    #[inline(always)]
    fn sqrt_f32(self, a: __m256i) -> __m256i {
        // SAFETY: an `Avx2` exists only where the CPU has AVX2.
        unsafe { _mm256_castps_si256(_mm256_sqrt_ps(_mm256_castsi256_ps(a))) }
    }

    #[inline(always)]
    fn widen_f32(self, a: __m256i) -> [__m256i; 2] {
        // SAFETY: an `Avx2` exists only where the CPU has AVX2.
        unsafe { widened(_mm256_castsi256_ps(a)) }
    }

    #[inline(always)]
    fn round_f32(self, [low, high]: [__m256i; 2]) -> __m256i {
        // SAFETY: an `Avx2` exists only where the CPU has AVX2.
        unsafe {
            let low = _mm256_cvtpd_ps(_mm256_castsi256_pd(low));
            let high = _mm256_cvtpd_ps(_mm256_castsi256_pd(high));
            _mm256_castps_si256(_mm256_set_m128(high, low))
        }
    }

    #[inline(always)]
    fn truncate_f64(self, [low, high]: [__m256i; 2]) -> __m256i {
        // SAFETY: an `Avx2` exists only where the CPU has AVX2.
        unsafe {
            let low = _mm256_cvttpd_epi32(_mm256_castsi256_pd(low));
            let high = _mm256_cvttpd_epi32(_mm256_castsi256_pd(high));
            _mm256_set_m128i(high, low)
        }
    }

    #[inline(always)]
    fn alternate(self, a: [__m256i; 2]) -> [__m256i; 2] {
        a
    }

    #[inline(always)]
    fn columns_f32(self, rows: [&[u8; 16]; 8]) -> [[__m256i; 2]; 4] {
        let mut columns = [[self.splat32(0); 2]; 4];
        // SAFETY: an `Avx2` exists only where the CPU has AVX2.
        unsafe {
            for (column, narrow) in columns.iter_mut().zip(self::columns(rows)) {
                *column = widened(narrow);
            }
        }
        columns
    }

    #[inline(always)]
    fn round_f16(self, a: __m256i) -> __m256i {
        // SAFETY: an `Avx2` exists only where the CPU has AVX2 and F16C.
        unsafe {
            let rounded = _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(_mm256_castsi256_ps(a));
            _mm256_castps_si256(_mm256_cvtph_ps(rounded))
        }
    }

    #[inline(always)]
    fn to_f16(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: an `Avx2` exists only where the CPU has AVX2 and F16C.
        unsafe {
            let low = _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(_mm256_castsi256_ps(a));
            let high = _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(_mm256_castsi256_ps(b));
            _mm256_set_m128i(high, low)
        }
    }

    #[inline(always)]
    fn gather64(self, table: &[u64], indices: __m256i) -> __m256i {
        let indices = self.within(table, indices);
        // SAFETY: an `Avx2` exists only where the CPU has AVX2; the indices are those of numbers in the table.
        unsafe { _mm256_i64gather_epi64::<8>(table.as_ptr().cast(), indices) }
    }

    #[inline(always)]
    fn rows(self, table: &[[u64; 2]; 16], indices: __m256i) -> [__m256i; 2] {
        let [i0, i1, i2, i3]: [usize; 4] = bytemuck::cast(self.and(indices, self.splat64(15)));
        let row = |i: usize| table[i % 16].as_ptr().cast();
        // SAFETY: an `Avx2` exists only where the CPU has AVX2, and a row has 16 bytes.
        unsafe {
            let even = _mm256_loadu2_m128i(row(i2), row(i0));
            let odd = _mm256_loadu2_m128i(row(i3), row(i1));
            [_mm256_unpacklo_epi64(even, odd), _mm256_unpackhi_epi64(even, odd)]
        }
    }

    #[inline(always)]
    fn stream(self, cell: &mut __m256i, v: __m256i) {
        // SAFETY: an `Avx2` exists only where the CPU has AVX2; the cell is aligned, as its type is.
        // `vectorize` fences before anyone else can look at it.
        unsafe { _mm256_stream_si256(cell, v) }
    }
}
