//! PyTorch's `.pt` since 1.6: a zip archive of a pickle, which says type and shape, and of raw storage.

use seedproof_ops::{Dtype, Shape};

use super::array::{Array, MOST, dtype, tensor};
use super::pickle::{self, Value};
use super::zip::{Archive, Entry};

/// A pickle larger than that of ten thousand tensors is refused before it is read.
const LARGEST_PICKLE: usize = 1 << 24;

/// The tensors of an archive.
///
/// # Errors
/// A sentence that says what the archive holds in place of tensors.
pub(super) fn read(archive: &Archive<'_>, entry: &Entry) -> Result<Vec<Array>, String> {
    let root = entry.name.strip_suffix("data.pkl").unwrap_or_default();
    let find = |name: &str| {
        archive
            .entries()
            .find(|entry| entry.name == format!("{root}{name}"))
    };
    if let Some(order) = find("byteorder")
        && archive.bytes(order, 64)? != b"little"
    {
        return Err("a PyTorch file of big-endian storage; save the array with numpy.save".to_owned());
    }
    let bytes = archive.bytes(entry, LARGEST_PICKLE)?;
    let value = pickle::read(&bytes)
        .ok_or("a PyTorch file whose data.pkl is more than tensors; save x alone with torch.save(x, …)")?;
    let mut found = Vec::new();
    tensors(&value, "", &mut found);
    let mut arrays = Vec::new();
    let mut left = MOST;
    for (name, arguments) in found {
        let layout = Layout::of(arguments).ok_or_else(|| {
            format!("a PyTorch file whose tensor `{name}` is of a type or layout that is not read")
        })?;
        let storage = find(&format!("data/{}", layout.storage))
            .ok_or_else(|| format!("a PyTorch file without the storage {}", layout.storage))?;
        let elements = layout.elements(&archive.bytes(storage, left)?);
        let array = elements.and_then(|bytes| tensor(layout.dtype, &layout.dims, bytes));
        let array =
            array.ok_or_else(|| format!("a PyTorch file whose tensor `{name}` lies beyond its storage"))?;
        left = left.saturating_sub(array.bytes().len());
        arrays.push(Array {
            what: format!("a PyTorch file with a tensor of {}", layout.dtype),
            tensor: array,
            name,
        });
    }
    if arrays.is_empty() {
        return Err("a PyTorch file without tensors".to_owned());
    }
    Ok(arrays)
}

/// The tensors within a value, each with the name under which a dictionary has it.
fn tensors<'a>(value: &'a Value, name: &str, found: &mut Vec<(String, &'a [Value])>) {
    match value {
        Value::Call(callee, arguments) if callee.starts_with("torch._utils _rebuild_tensor_v") => {
            found.push((name.to_owned(), arguments));
        }
        // A parameter, an ordered dictionary and the like hold what they are made of.
        Value::Call(_, values) | Value::List(values) => {
            let mut key = name;
            for value in values {
                match value {
                    Value::Text(text) => key = text,
                    value => tensors(value, key, found),
                }
            }
        }
        _ => {}
    }
}

/// Where the elements of a tensor stand.
struct Layout {
    dtype: Dtype,
    storage: String,
    offset: usize,
    dims: Vec<u64>,
    strides: Vec<usize>,
}

impl Layout {
    /// The layout of the arguments of `_rebuild_tensor_v2`, or of `v3`, which names the type apart.
    fn of(arguments: &[Value]) -> Option<Self> {
        let [
            Value::Persistent(storage),
            Value::Number(offset),
            Value::List(dims),
            Value::List(strides),
            rest @ ..,
        ] = arguments
        else {
            return None;
        };
        let Value::List(storage) = &**storage else {
            return None;
        };
        let [Value::Text(_), Value::Name(kind), Value::Text(storage), ..] = &storage[..] else {
            return None;
        };
        let dtype = match (kind.strip_prefix("torch "), rest.get(2)) {
            (Some(kind), _) if kind.ends_with("Storage") => of_storage(kind)?,
            (_, Some(Value::Name(name))) => dtype(name.strip_prefix("torch ")?)?,
            _ => return None,
        };
        let numbers = |values: &[Value]| -> Option<Vec<u64>> {
            let number = |value: &Value| match value {
                Value::Number(number) => u64::try_from(*number).ok(),
                _ => None,
            };
            values.iter().map(number).collect()
        };
        let strides = numbers(strides)?
            .into_iter()
            .map(|stride| usize::try_from(stride).ok());
        Some(Self {
            dtype,
            storage: storage.clone(),
            offset: usize::try_from(*offset).ok()?,
            dims: numbers(dims)?,
            strides: strides.collect::<Option<_>>()?,
        })
    }

    /// The elements in row-major order; `None` if one lies beyond the storage.
    fn elements(&self, storage: &[u8]) -> Option<Vec<u8>> {
        let size = self.dtype.size();
        let shape = Shape::new(&self.dims).ok()?;
        let count = shape.count();
        // Strides of zero repeat an element, so that a small file may stand for a large tensor.
        if count.checked_mul(size)? > MOST || self.strides.len() != self.dims.len() {
            return None;
        }
        let mut bytes = Vec::new();
        for index in 0..count {
            let coordinates = shape.coordinates(index).into_iter().zip(&self.strides);
            let mut at = self.offset;
            for (coordinate, stride) in coordinates {
                at = at.checked_add(coordinate.checked_mul(*stride)?)?;
            }
            let from = at.checked_mul(size)?;
            bytes.extend(storage.get(from..from.checked_add(size)?)?);
        }
        Some(bytes)
    }
}

fn of_storage(kind: &str) -> Option<Dtype> {
    dtype(match kind.strip_suffix("Storage")? {
        "Float" => "float32",
        "Double" => "float64",
        "Half" => "float16",
        "BFloat16" => "bfloat16",
        "Long" => "int64",
        "Int" => "int32",
        "Short" => "int16",
        "Char" => "int8",
        "Byte" | "Bool" => "uint8",
        _ => return None,
    })
}
