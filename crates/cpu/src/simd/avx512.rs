//! AVX-512: vectors of sixteen words. The foundation is enough; IFMA, products of 52 bits, makes a level of its own.
#![expect(unsafe_code, reason = "instructions that not every CPU has")]

use std::arch::x86_64::{
    __m512i, _MM_FROUND_TO_NEAREST_INT, _mm_cvtsi32_si128, _mm256_castps_si256, _mm256_castsi256_ps,
    _mm256_set_m128i, _mm512_add_epi32, _mm512_add_epi64, _mm512_add_pd, _mm512_add_ps, _mm512_and_si512,
    _mm512_castpd_si512, _mm512_castps_si512, _mm512_castsi256_si512, _mm512_castsi512_pd,
    _mm512_castsi512_ps, _mm512_castsi512_si256, _mm512_cvtepi32_epi8, _mm512_cvtepi32_epi16,
    _mm512_cvtepi32_ps, _mm512_cvtepu32_epi64, _mm512_cvtpd_ps, _mm512_cvtph_ps, _mm512_cvtps_pd,
    _mm512_cvtps_ph, _mm512_cvttpd_epi32, _mm512_extracti64x4_epi64, _mm512_fmadd_pd, _mm512_fmadd_ps,
    _mm512_i64gather_epi64, _mm512_inserti64x4, _mm512_madd52hi_epu64, _mm512_madd52lo_epu64,
    _mm512_mask_shuffle_epi32, _mm512_min_epu32, _mm512_min_epu64, _mm512_mul_epu32, _mm512_mul_pd,
    _mm512_mul_ps, _mm512_mullo_epi32, _mm512_or_si512, _mm512_permutex2var_epi64, _mm512_set1_epi32,
    _mm512_set1_epi64, _mm512_setzero_si512, _mm512_shuffle_epi32, _mm512_shuffle_i64x2, _mm512_shuffle_ps,
    _mm512_sll_epi32, _mm512_sll_epi64, _mm512_sqrt_ps, _mm512_srl_epi32, _mm512_srl_epi64,
    _mm512_stream_si512, _mm512_sub_epi32, _mm512_sub_epi64, _mm512_sub_pd, _mm512_sub_ps,
    _mm512_unpackhi_epi32, _mm512_unpacklo_epi32, _mm512_xor_si512, _mm512_zextsi256_si512,
};

use super::avx2::{self, Fence};
use super::{Kernel, Mul52, Simd};

/// Proof that the CPU has AVX-512, and IFMA where `IFMA` says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Avx512<const IFMA: bool>(());

impl<const IFMA: bool> Avx512<IFMA> {
    /// The proof, if there is one.
    pub(crate) fn new() -> Option<Self> {
        let ifma = !IFMA || is_x86_feature_detected!("avx512ifma");
        (is_x86_feature_detected!("avx512f") && ifma).then_some(Self(()))
    }
}

/// The kernel, compiled for these instructions.
#[target_feature(enable = "avx512f")]
fn compiled<K: Kernel>(s: Avx512<false>, kernel: K) -> K::Output {
    kernel.vector::<Avx512<false>, 6>(s)
}

/// The kernel, compiled for these instructions and IFMA.
#[target_feature(enable = "avx512f,avx512ifma")]
fn compiled_with_ifma<K: Kernel>(s: Avx512<true>, kernel: K) -> K::Output {
    kernel.vector::<Avx512<true>, 6>(s)
}

impl Mul52<__m512i> for Avx512<true> {
    #[inline(always)]
    fn low(self, sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: an `Avx512<true>` exists only where the CPU has AVX-512 and IFMA.
        unsafe { _mm512_madd52lo_epu64(sum, a, b) }
    }

    #[inline(always)]
    fn high(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: an `Avx512<true>` exists only where the CPU has AVX-512 and IFMA.
        unsafe { _mm512_madd52hi_epu64(_mm512_setzero_si512(), a, b) }
    }
}

/// Methods that are one instruction.
macro_rules! instructions {
    ($($name:ident = $intrinsic:ident;)*) => {$(
        #[inline(always)]
        fn $name(self, a: __m512i, b: __m512i) -> __m512i {
            // SAFETY: an `Avx512` exists only where the CPU has AVX-512.
            unsafe { $intrinsic(a, b) }
        }
    )*};
}

/// Methods that are one instruction on floats.
macro_rules! floats {
    ($($name:ident = $intrinsic:ident, $from:ident, $to:ident;)*) => {$(
        #[inline(always)]
        fn $name(self, a: __m512i, b: __m512i) -> __m512i {
            // SAFETY: an `Avx512` exists only where the CPU has AVX-512.
            unsafe { $to($intrinsic($from(a), $from(b))) }
        }
    )*};
}

/// Methods that shift by the same number of bits in every lane.
macro_rules! shifts {
    ($($name:ident = $intrinsic:ident;)*) => {$(
        #[inline(always)]
        fn $name(self, a: __m512i, by: u32) -> __m512i {
            // SAFETY: an `Avx512` exists only where the CPU has AVX-512.
            unsafe { $intrinsic(a, _mm_cvtsi32_si128(by.cast_signed())) }
        }
    )*};
}

impl<const IFMA: bool> Simd for Avx512<IFMA> {
    type V = __m512i;
    type Bytes = [u8; 64];
    const WORDS: usize = 16;
    const ROTATION: usize = 1;
    type Mul52 = Avx512<true>;

    #[inline]
    fn vectorize<K: Kernel>(self, kernel: K) -> K::Output {
        let _fence = Fence;
        if IFMA && K::DIVIDES {
            // SAFETY: an `Avx512<true>` exists only where the CPU has AVX-512 and IFMA, as here.
            unsafe { compiled_with_ifma(Avx512(()), kernel) }
        } else {
            // SAFETY: an `Avx512` exists only where the CPU has AVX-512.
            unsafe { compiled(Avx512(()), kernel) }
        }
    }

    instructions! {
        and = _mm512_and_si512;
        or = _mm512_or_si512;
        xor = _mm512_xor_si512;
        add32 = _mm512_add_epi32;
        sub32 = _mm512_sub_epi32;
        min32 = _mm512_min_epu32;
        mul32 = _mm512_mullo_epi32;
        add64 = _mm512_add_epi64;
        sub64 = _mm512_sub_epi64;
        min64 = _mm512_min_epu64;
        mul = _mm512_mul_epu32;
    }

    shifts! {
        shl32 = _mm512_sll_epi32;
        shr32 = _mm512_srl_epi32;
        shl64 = _mm512_sll_epi64;
        shr64 = _mm512_srl_epi64;
    }

    floats! {
        add_f32 = _mm512_add_ps, _mm512_castsi512_ps, _mm512_castps_si512;
        sub_f32 = _mm512_sub_ps, _mm512_castsi512_ps, _mm512_castps_si512;
        mul_f32 = _mm512_mul_ps, _mm512_castsi512_ps, _mm512_castps_si512;
        add_f64 = _mm512_add_pd, _mm512_castsi512_pd, _mm512_castpd_si512;
        sub_f64 = _mm512_sub_pd, _mm512_castsi512_pd, _mm512_castpd_si512;
        mul_f64 = _mm512_mul_pd, _mm512_castsi512_pd, _mm512_castpd_si512;
    }

    #[inline(always)]
    fn splat32(self, x: u32) -> __m512i {
        // SAFETY: an `Avx512` exists only where the CPU has AVX-512.
        unsafe { _mm512_set1_epi32(x.cast_signed()) }
    }

    #[inline(always)]
    fn splat64(self, x: u64) -> __m512i {
        // SAFETY: an `Avx512` exists only where the CPU has AVX-512.
        unsafe { _mm512_set1_epi64(x.cast_signed()) }
    }

    #[inline(always)]
    fn mul52(self) -> Option<Avx512<true>> {
        IFMA.then_some(Avx512(()))
    }

    #[inline(always)]
    fn swap(self, a: __m512i) -> __m512i {
        // SAFETY: an `Avx512` exists only where the CPU has AVX-512.
        unsafe { _mm512_shuffle_epi32::<0b10_11_00_01>(a) }
    }

    #[inline(always)]
    fn high_halves(self, even: __m512i, odd: __m512i) -> __m512i {
        // SAFETY: an `Avx512` exists only where the CPU has AVX-512.
        unsafe { _mm512_mask_shuffle_epi32::<0b11_11_01_01>(odd, 0x5555, even) }
    }

    #[inline(always)]
    fn blocks(self, words: [__m512i; 4]) -> [__m512i; 2] {
        // SAFETY: an `Avx512` exists only where the CPU has AVX-512.
        unsafe {
            let [w0, w1, w2, w3] = words;
            let first = _mm512_shuffle_ps::<0b10_00_10_00>(_mm512_castsi512_ps(w0), _mm512_castsi512_ps(w1));
            let second = _mm512_shuffle_ps::<0b10_00_10_00>(_mm512_castsi512_ps(w2), _mm512_castsi512_ps(w3));
            [
                _mm512_castps_si512(_mm512_shuffle_ps::<0b10_00_10_00>(first, second)),
                _mm512_castps_si512(_mm512_shuffle_ps::<0b11_01_11_01>(first, second)),
            ]
        }
    }

    #[inline(always)]
    fn interleave(self, a: __m512i, b: __m512i) -> [__m512i; 2] {
        // SAFETY: an `Avx512` exists only where the CPU has AVX-512.
        unsafe { [_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b)] }
    }

    #[inline(always)]
    fn widen(self, a: __m512i) -> [__m512i; 2] {
        // SAFETY: an `Avx512` exists only where the CPU has AVX-512.
        unsafe {
            [
                _mm512_cvtepu32_epi64(_mm512_castsi512_si256(a)),
                _mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64::<1>(a)),
            ]
        }
    }

    #[inline(always)]
    fn narrow(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: an `Avx512` exists only where the CPU has AVX-512.
        unsafe {
            let low = _mm512_castsi256_si512(_mm512_cvtepi32_epi16(a));
            _mm512_inserti64x4::<1>(low, _mm512_cvtepi32_epi16(b))
        }
    }

    #[inline(always)]
    fn narrow8(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: an `Avx512` exists only where the CPU has AVX-512.
        unsafe {
            let halves = _mm256_set_m128i(_mm512_cvtepi32_epi8(b), _mm512_cvtepi32_epi8(a));
            _mm512_zextsi256_si512(halves)
        }
    }

    #[inline(always)]
    fn to_f32(self, a: __m512i) -> __m512i {
        // SAFETY: an `Avx512` exists only where the CPU has AVX-512.
        unsafe { _mm512_castps_si512(_mm512_cvtepi32_ps(a)) }
    }

    #[inline(always)]
    fn fma_f32(self, a: __m512i, b: __m512i, c: __m512i) -> __m512i {
        // SAFETY: an `Avx512` exists only where the CPU has AVX-512.
        unsafe {
            let (a, b, c) = (
                _mm512_castsi512_ps(a),
                _mm512_castsi512_ps(b),
                _mm512_castsi512_ps(c),
            );
            _mm512_castps_si512(_mm512_fmadd_ps(a, b, c))
        }
    }

    #[inline(always)]
    fn fma_f64(self, a: __m512i, b: __m512i, c: __m512i) -> __m512i {
        // SAFETY: an `Avx512` exists only where the CPU has AVX-512.
        unsafe {
            let (a, b, c) = (
                _mm512_castsi512_pd(a),
                _mm512_castsi512_pd(b),
                _mm512_castsi512_pd(c),
            );
            _mm512_castpd_si512(_mm512_fmadd_pd(a, b, c))
        }
    }

    #[inline(always)]
    fn sqrt_f32(self, a: __m512i) -> __m512i {
        // SAFETY: an `Avx512` exists only where the CPU has AVX-512.
        unsafe { _mm512_castps_si512(_mm512_sqrt_ps(_mm512_castsi512_ps(a))) }
    }

    #[inline(always)]
    fn widen_f32(self, a: __m512i) -> [__m512i; 2] {
        // SAFETY: an `Avx512` exists only where the CPU has AVX-512.
        unsafe {
            let low = _mm256_castsi256_ps(_mm512_castsi512_si256(a));
            let high = _mm256_castsi256_ps(_mm512_extracti64x4_epi64::<1>(a));
            [
                _mm512_castpd_si512(_mm512_cvtps_pd(low)),
                _mm512_castpd_si512(_mm512_cvtps_pd(high)),
            ]
        }
    }

    #[inline(always)]
    fn round_f32(self, [low, high]: [__m512i; 2]) -> __m512i {
        // SAFETY: an `Avx512` exists only where the CPU has AVX-512.
        unsafe {
            let low = _mm256_castps_si256(_mm512_cvtpd_ps(_mm512_castsi512_pd(low)));
            let high = _mm256_castps_si256(_mm512_cvtpd_ps(_mm512_castsi512_pd(high)));
            _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high)
        }
    }

    #[inline(always)]
    fn truncate_f64(self, [low, high]: [__m512i; 2]) -> __m512i {
        // SAFETY: an `Avx512` exists only where the CPU has AVX-512.
        unsafe {
            let low = _mm512_cvttpd_epi32(_mm512_castsi512_pd(low));
            let high = _mm512_cvttpd_epi32(_mm512_castsi512_pd(high));
            _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high)
        }
    }

    #[inline(always)]
    fn alternate(self, [a, b]: [__m512i; 2]) -> [__m512i; 2] {
        // SAFETY: an `Avx512` exists only where the CPU has AVX-512.
        unsafe {
            [
                _mm512_shuffle_i64x2::<0b01_00_01_00>(a, b),
                _mm512_shuffle_i64x2::<0b11_10_11_10>(a, b),
            ]
        }
    }

    #[inline(always)]
    fn columns_f32(self, rows: [&[u8; 16]; 8]) -> [[__m512i; 2]; 4] {
        let mut columns = [[self.splat32(0); 2]; 4];
        // SAFETY: an `Avx512` exists only where the CPU has AVX-512, and with it AVX2.
        unsafe {
            for (column, narrow) in columns.iter_mut().zip(avx2::columns(rows)) {
                column[0] = _mm512_castpd_si512(_mm512_cvtps_pd(narrow));
            }
        }
        columns
    }

    #[inline(always)]
    fn round_f16(self, a: __m512i) -> __m512i {
        // SAFETY: an `Avx512` exists only where the CPU has AVX-512.
        unsafe {
            let rounded = _mm512_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(_mm512_castsi512_ps(a));
            _mm512_castps_si512(_mm512_cvtph_ps(rounded))
        }
    }

    #[inline(always)]
    fn to_f16(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: an `Avx512` exists only where the CPU has AVX-512.
        unsafe {
            let low = _mm512_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(_mm512_castsi512_ps(a));
            let high = _mm512_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(_mm512_castsi512_ps(b));
            _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high)
        }
    }

    #[inline(always)]
    fn gather64(self, table: &[u64], indices: __m512i) -> __m512i {
        let indices = self.within(table, indices);
        // SAFETY: an `Avx512` exists only where the CPU has AVX-512; the indices are those of numbers in the table.
        unsafe { _mm512_i64gather_epi64::<8>(indices, table.as_ptr().cast()) }
    }

    #[inline(always)]
    fn rows(self, table: &[[u64; 2]; 16], indices: __m512i) -> [__m512i; 2] {
        let mut columns = [[0; 16]; 2];
        for (i, &[first, second]) in table.iter().enumerate() {
            columns[0][i] = first;
            columns[1][i] = second;
        }
        let [first, second] = &columns;
        // SAFETY: an `Avx512` exists only where the CPU has AVX-512. The instruction takes the low four bits.
        unsafe {
            [
                _mm512_permutex2var_epi64(self.load(&first[..8]), indices, self.load(&first[8..])),
                _mm512_permutex2var_epi64(self.load(&second[..8]), indices, self.load(&second[8..])),
            ]
        }
    }

    #[inline(always)]
    fn stream(self, cell: &mut __m512i, v: __m512i) {
        // SAFETY: an `Avx512` exists only where the CPU has AVX-512; the cell is aligned, as its type is.
        // `vectorize` fences before anyone else can look at it.
        unsafe { _mm512_stream_si512(cell, v) }
    }
}
