//! Arrays of files, and what is common to their readers.

use seedproof_ops::{Dtype, Shape, Tensor};

/// The most bytes that the arrays of an archive take once they are expanded: as much as one output may have by default.
pub(super) const MAX_ARCHIVE_BYTES: usize = 1 << 30;

/// An array of a file.
#[derive(Debug, PartialEq)]
pub struct Array {
    /// The name that the file gives it; empty where it holds one array without a name.
    pub name: String,
    /// Its elements, in row-major order.
    pub tensor: Tensor,
    /// What the file is and how it calls the element type: "a .npy file of type `<f4`".
    pub what: String,
}

/// The tensor of these elements; `None` where there are more or fewer bytes than the extents say.
pub(super) fn tensor(dtype: Dtype, dims: &[u64], bytes: Vec<u8>) -> Option<Tensor> {
    Tensor::new(dtype, Shape::new(dims).ok()?, bytes).ok()
}

/// The element type that a library or a language calls by a name: `float32`, `torch.bfloat16`, `uint32_t`, `F16`.
pub(super) fn dtype(name: &str) -> Option<Dtype> {
    let is_around = |c: char| !c.is_ascii_alphanumeric();
    let name = name.trim_matches(is_around);
    let name = name
        .rsplit(['.', ':'])
        .next()
        .unwrap_or(name)
        .trim_matches(is_around);
    Some(match name.trim_end_matches("_t").to_ascii_lowercase().as_str() {
        "float32" | "f32" | "float" | "single" => Dtype::F32,
        "float64" | "f64" | "double" => Dtype::F64,
        "float16" | "f16" | "half" => Dtype::F16,
        "bfloat16" | "bf16" => Dtype::Bf16,
        "int8" | "i8" => Dtype::I8,
        "int16" | "i16" | "short" => Dtype::I16,
        "int32" | "i32" | "int" => Dtype::I32,
        "int64" | "i64" | "long" => Dtype::I64,
        "uint8" | "u8" | "bool" | "byte" => Dtype::U8,
        "uint16" | "u16" => Dtype::U16,
        "uint32" | "u32" | "unsigned" => Dtype::U32,
        "uint64" | "u64" => Dtype::U64,
        _ => return None,
    })
}
