//! The element types of probabilities.

use bytemuck::Pod;
use half::{bf16, f16};

use crate::simd::Simd;

/// An element type of `probs`.
pub(crate) trait Weight: Copy {
    /// Bytes per element.
    const SIZE: usize;

    /// The bytes of sixteen elements.
    type Block: Pod;

    /// The number whose bytes, least significant first, are `bytes`, widened exactly.
    fn widen(bytes: &[u8]) -> f64;

    /// [`Self::widen`] of the first elements of `bytes`, as many as two vectors have 64-bit lanes.
    fn widen_vectors<S: Simd>(s: S, bytes: &[u8]) -> [S::V; 2];
}

macro_rules! weight {
    ($($float:ty => $widen:expr, $vectors:ident;)*) => {$(
        impl Weight for $float {
            const SIZE: usize = size_of::<$float>();

            type Block = [[u8; size_of::<$float>()]; 16];

            #[inline(always)]
            fn widen(bytes: &[u8]) -> f64 {
                let bytes = bytes.first_chunk().expect("the caller gives a whole element");
                $widen(<$float>::from_le_bytes(*bytes))
            }

            #[inline(always)]
            fn widen_vectors<S: Simd>(s: S, bytes: &[u8]) -> [S::V; 2] {
                $vectors::<Self, S>(s, bytes)
            }
        }
    )*};
}

weight! {
    f16 => f16::to_f64, one_by_one;
    bf16 => bf16::to_f64, one_by_one;
    f32 => f64::from, singles;
    f64 => f64::from, doubles;
}

#[inline(always)]
fn one_by_one<T: Weight, S: Simd>(s: S, bytes: &[u8]) -> [S::V; 2] {
    let mut weights = [0.0_f64; 16];
    for (weight, bytes) in weights[..S::WORDS].iter_mut().zip(bytes.chunks_exact(T::SIZE)) {
        *weight = T::widen(bytes);
    }
    doubles::<f64, S>(s, bytemuck::cast_slice(&weights))
}

#[inline(always)]
fn singles<T: Weight, S: Simd>(s: S, bytes: &[u8]) -> [S::V; 2] {
    s.widen_f32(s.load(bytes))
}

#[inline(always)]
fn doubles<T: Weight, S: Simd>(s: S, bytes: &[u8]) -> [S::V; 2] {
    [s.load(bytes), s.load(&bytes[4 * S::WORDS..])]
}
