//! Rust types that can be elements of a tensor.

use half::{bf16, f16};

use crate::dtype::Dtype;

mod sealed {
    pub trait Sealed {}
}

/// A Rust type with the same bits as one [`Dtype`]. Sealed: there is one for each.
pub trait Element: Copy + PartialEq + std::fmt::Debug + sealed::Sealed + 'static {
    /// The element type.
    const DTYPE: Dtype;

    /// Appends the element's bytes, least significant first.
    fn push_le(self, bytes: &mut Vec<u8>);

    /// The element whose bytes, least significant first, begin `bytes`.
    ///
    /// # Panics
    /// If there are fewer bytes than [`Dtype::size`]; tensors slice exactly that many.
    fn from_le(bytes: &[u8]) -> Self;
}

macro_rules! element {
    ($($rust:ty => $dtype:ident),* $(,)?) => {$(
        impl sealed::Sealed for $rust {}

        impl Element for $rust {
            const DTYPE: Dtype = Dtype::$dtype;

            fn push_le(self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }

            fn from_le(bytes: &[u8]) -> Self {
                let (chunk, _) = bytes.split_first_chunk().expect("the caller gives a whole element");
                Self::from_le_bytes(*chunk)
            }
        }
    )*};
}

element! {
    u8 => U8,
    u16 => U16,
    u32 => U32,
    u64 => U64,
    i8 => I8,
    i16 => I16,
    i32 => I32,
    i64 => I64,
    f16 => F16,
    bf16 => Bf16,
    f32 => F32,
    f64 => F64,
}
