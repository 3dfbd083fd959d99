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
    f16 => f16::to_f64, one_by_one;
    bf16 => bf16::to_f64, one_by_one;
    f32 => f64::from, singles;
    f64 => f64::from, one_by_one;
}

#[inline(always)]
fn one_by_one<T: Weight, S: Simd>(s: S, rows: [&[u8]; 8]) -> [[S::V; 2]; 4] {
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
