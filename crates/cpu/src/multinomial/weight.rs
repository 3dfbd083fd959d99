//! The element types of probabilities.

use half::{bf16, f16};

use crate::simd::Simd;

/// An element type of `probs`.
pub(crate) trait Weight: Copy {
    /// Bytes per element.
    const SIZE: usize;

    /// The number whose bytes, least significant first, are `bytes`, widened exactly.
    fn widen(bytes: &[u8]) -> f64;

    /// [`Self::widen`] of four elements of each of eight rows, as [`Simd::columns_f32`] has them.
    fn columns<S: Simd>(s: S, rows: [&[u8]; 8]) -> [[S::V; 2]; 4];
}

macro_rules! weight {
    ($($float:ty => $widen:expr, $columns:ident;)*) => {$(
        impl Weight for $float {
            const SIZE: usize = size_of::<$float>();
            #[inline(always)]
            fn widen(bytes: &[u8]) -> f64 {
                let bytes = bytes.first_chunk().expect("the caller gives a whole element");
                $widen(<$float>::from_le_bytes(*bytes))
            }

            #[inline(always)]
            fn columns<S: Simd>(s: S, rows: [&[u8]; 8]) -> [[S::V; 2]; 4] {
                $columns::<Self, S>(s, rows)
            }
        }
    )*};
}

weight! {
    f16 => f16::to_f64, halves;
    bf16 => bf16::to_f64, halves;
    f32 => f64::from, singles;
    f64 => f64::from, doubles;
}

/// A type of 16 bits, whose numbers become f32 in vectors.
trait Half {
    /// The number of these bits; of a NaN any NaN with the same sign.
    fn single(bits: u16) -> f32;
}

impl Half for bf16 {
    #[inline(always)]
    fn single(bits: u16) -> f32 {
        f32::from_bits(u32::from(bits) << 16)
    }
}

impl Half for f16 {
    #[inline(always)]
    fn single(bits: u16) -> f32 {
        // The exponents of the two types are 112 apart, those of subnormal numbers too.
        let finite = f32::from_bits(u32::from(bits & 0x7fff) << 13) * f32::from_bits((127 + 112) << 23);
        let special = if bits & 0x7c00 == 0x7c00 { 0x7f80_0000 } else { 0 };
        f32::from_bits(finite.to_bits() | special | u32::from(bits & 0x8000) << 16)
    }
}

#[inline(always)]
fn halves<T: Half, S: Simd>(s: S, rows: [&[u8]; 8]) -> [[S::V; 2]; 4] {
    let mut singles = [[0; 16]; 8];
    for (singles, row) in singles.iter_mut().zip(rows) {
        for (single, bytes) in singles.as_chunks_mut().0.iter_mut().zip(row.as_chunks().0) {
            *single = T::single(u16::from_le_bytes(*bytes)).to_le_bytes();
        }
    }
    s.columns_f32(singles.each_ref())
}

#[inline(always)]
fn singles<T: Weight, S: Simd>(s: S, rows: [&[u8]; 8]) -> [[S::V; 2]; 4] {
    let mut chunks = [&[0; 16]; 8];
    for (chunk, row) in chunks.iter_mut().zip(rows) {
        *chunk = row
            .first_chunk()
            .expect("the caller gives four elements of each row");
    }
    s.columns_f32(chunks)
}

#[inline(always)]
fn doubles<T: Weight, S: Simd>(s: S, rows: [&[u8]; 8]) -> [[S::V; 2]; 4] {
    let mut columns = [[s.splat64(0); 2]; 4];
    for (i, vectors) in columns.iter_mut().enumerate() {
        let mut column = [0.0; 16];
        for (weight, row) in column.iter_mut().zip(rows) {
            *weight = T::widen(&row[i * T::SIZE..]);
        }
        *vectors = [s.load(&column), s.load(&column[S::WORDS / 2..])];
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_the_same_numbers_as_singles() {
        for bits in 0..=u16::MAX {
            for (single, half) in [
                (f16::single(bits), f16::from_bits(bits).to_f32()),
                (bf16::single(bits), bf16::from_bits(bits).to_f32()),
            ] {
                let number = |x: f32| (x.is_sign_negative(), (!x.is_nan()).then(|| x.to_bits()));
                assert_eq!(number(single), number(half), "{bits:04x}");
            }
        }
    }
}
