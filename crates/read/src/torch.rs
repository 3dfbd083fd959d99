//! PyTorch's `.pt` since 1.6: a zip archive of a pickle, which says type and shape, and of raw storage.

use crate::zip::{Archive, Entry};
use seedproof_ops::{Dtype, Shape};

use crate::array::{Array, MAX_ARCHIVE_BYTES, dtype, tensor};
use crate::pickle::{self, Value};

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
        && archive.bytes(order, 64)?.as_ref() != b"little"
    {
        return Err("a PyTorch file of big-endian storage; save the array with numpy.save".to_owned());
    }
    let bytes = archive.bytes(entry, LARGEST_PICKLE)?;
    let value = pickle::read(&bytes)
        .ok_or("a PyTorch file whose data.pkl is more than tensors; save x alone with torch.save(x, …)")?;
    let mut found = Vec::new();
    tensors(&value, "", &mut found);
    let mut arrays = Vec::new();
    let mut left = MAX_ARCHIVE_BYTES;
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
        if count.checked_mul(size)? > MAX_ARCHIVE_BYTES || self.strides.len() != self.dims.len() {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zip::tests::stored;
    use crate::{Opened, open};
    use seedproof_ops::{Element, Tensor};

    /// Two elements from the first one on: the offset 0, the shape (2,) and the strides (1,).
    const PAIR: &[u8] = b"K\0K\x02\x85q\x06K\x01\x85q\x07";

    /// What PyTorch 2.15 writes of `{"x": t, "best": None, "done": True, "lr": 0.5, "seed": 1 << 40, "loss": -5}` by
    /// protocol 4, where `t` has the type `torch.uint16`.
    const DICTIONARY: &[u8] = b"\x80\x04\x95\xe9\0\0\0\0\0\0\0}\x94(\x8c\x01x\x94\x8c\x0ctorch._utils\x94\
        \x8c\x12_rebuild_tensor_v3\x94\x93\x94((\x8c\x07storage\x94\x8c\rtorch.storage\x94\x8c\x0eUntypedStorage\x94\
        \x93\x94\x8c\x010\x94\x8c\x03cpu\x94K\x04t\x94QK\0K\x02\x85\x94K\x01\x85\x94\x89\x8c\x0bcollections\x94\
        \x8c\x0bOrderedDict\x94\x93\x94)R\x94\x8c\x05torch\x94\x8c\x06uint16\x94\x93\x94t\x94R\x94\x8c\x04best\x94N\
        \x8c\x04done\x94\x88\x8c\x02lr\x94G?\xe0\0\0\0\0\0\0\x8c\x04seed\x94\x8a\x06\0\0\0\0\0\x01\
        \x8c\x04loss\x94J\xfb\xff\xff\xffu.";

    /// What it writes of `torch.nn.Linear(1, 1).state_dict()`.
    const STATE: &[u8] = b"\x80\x02ccollections\nOrderedDict\nq\0)Rq\x01(X\x06\0\0\0weightq\x02\
        ctorch._utils\n_rebuild_tensor_v2\nq\x03((X\x07\0\0\0storageq\x04ctorch\nFloatStorage\nq\x05\
        X\x01\0\0\x000q\x06X\x03\0\0\0cpuq\x07K\x01tq\x08QK\0K\x01K\x01\x86q\tK\x01K\x01\x86q\n\x89h\0)Rq\x0b\
        tq\x0cRq\rX\x04\0\0\0biasq\x0eh\x03((h\x04h\x05X\x01\0\0\x001q\x0fh\x07K\x01tq\x10QK\0K\x01\x85q\x11\
        K\x01\x85q\x12\x89h\0)Rq\x13tq\x14Rq\x15u}q\x16X\t\0\0\0_metadataq\x17h\0)Rq\x18X\0\0\0\0q\x19}q\x1a\
        X\x07\0\0\0versionq\x1bK\x01sssb.";

    /// What it writes of a tensor in the storage 0, of this type and layout.
    fn alone(storage: &str, layout: &[u8]) -> Vec<u8> {
        let begin = b"\x80\x02ctorch._utils\n_rebuild_tensor_v2\nq\0((X\x07\0\0\0storageq\x01ctorch\n";
        let key = b"Storage\nq\x02X\x01\0\0\x000q\x03X\x03\0\0\0cpuq\x04K\x02tq\x05Q";
        let end = b"\x89ccollections\nOrderedDict\nq\x08)Rq\ttq\nRq\x0b.";
        [&begin[..], storage.as_bytes(), key, layout, end].concat()
    }

    fn opened(entries: &[(&str, &[u8])]) -> Result<Vec<Array>, String> {
        let Opened::Arrays(arrays) = open(&stored(entries))? else {
            panic!("it is an archive of tensors");
        };
        Ok(arrays)
    }

    /// The tensors of a file with this pickle and these storages.
    fn saved(pickle: &[u8], storages: &[&[u8]]) -> Result<Vec<Array>, String> {
        let names: Vec<String> = (0..storages.len())
            .map(|number| format!("x/data/{number}"))
            .collect();
        let mut entries = vec![("x/data.pkl", pickle), ("x/byteorder", &b"little"[..])];
        entries.extend(names.iter().map(String::as_str).zip(storages.iter().copied()));
        opened(&entries)
    }

    fn tensor_of<T: Element>(dims: &[u64], elements: &[T]) -> Tensor {
        Tensor::from_elements(Shape::new(dims).unwrap(), elements).unwrap()
    }

    #[test]
    fn tensors_of_every_storage_are_read() {
        for (storage, dtype) in [
            ("Float", Dtype::F32),
            ("Double", Dtype::F64),
            ("Half", Dtype::F16),
            ("BFloat16", Dtype::Bf16),
            ("Long", Dtype::I64),
            ("Int", Dtype::I32),
            ("Short", Dtype::I16),
            ("Char", Dtype::I8),
            ("Byte", Dtype::U8),
            ("Bool", Dtype::U8),
        ] {
            let bytes: Vec<u8> = (1..=16).take(2 * dtype.size()).collect();
            let arrays = saved(&alone(storage, PAIR), &[&bytes]).unwrap();
            let expected = Tensor::new(dtype, Shape::vector(2), bytes).unwrap();
            assert_eq!(arrays.len(), 1, "{storage}");
            assert_eq!(arrays[0].tensor, expected, "{storage}");
        }
    }

    #[test]
    fn tensors_are_read_as_they_lie_in_their_storage() {
        let storage: Vec<u8> = (0..400_i16).flat_map(i16::to_le_bytes).collect();
        for (layout, dims, elements) in [
            // A number, a transposed part, and a number that is expanded.
            (&b"K\x07))"[..], &[][..], &[7_i16][..]),
            (
                b"M,\x01K\x03K\x02\x86q\x06K\x01K\x03\x86q\x07",
                &[3, 2],
                &[300, 303, 301, 304, 302, 305],
            ),
            (b"K\x05K\x02K\x03\x86q\x06K\0K\0\x86q\x07", &[2, 3], &[5; 6]),
            // Three and four extents.
            (
                b"K\x05K\x01K\x02K\x01\x87q\x06K\x02K\x01K\x01\x87q\x07",
                &[1, 2, 1],
                &[5, 6],
            ),
            (
                b"K\x05(K\x01K\x01K\x02K\x01tq\x06(K\x02K\x02K\x01K\x01tq\x07",
                &[1, 1, 2, 1],
                &[5, 6],
            ),
        ] {
            let arrays = saved(&alone("Short", layout), &[&storage]).unwrap();
            assert_eq!(arrays[0].tensor, tensor_of(dims, elements));
        }
    }

    #[test]
    fn tensors_of_a_dictionary_have_its_names() {
        let named = |pickle: &[u8], storages: &[&[u8]]| -> Vec<(String, Tensor)> {
            let arrays = saved(pickle, storages).unwrap().into_iter();
            arrays.map(|array| (array.name, array.tensor)).collect()
        };
        assert_eq!(
            named(DICTIONARY, &[&[1, 0, 2, 0]]),
            [("x".to_owned(), tensor_of(&[2], &[1_u16, 2]))]
        );
        assert_eq!(
            named(STATE, &[&2_f32.to_le_bytes(), &0.5_f32.to_le_bytes()]),
            [
                ("weight".to_owned(), tensor_of(&[1, 1], &[2_f32])),
                ("bias".to_owned(), tensor_of(&[1], &[0.5_f32])),
            ]
        );
    }

    #[test]
    fn torch_says_what_it_cannot_read() {
        let error = |storage: &str, layout: &[u8]| saved(&alone(storage, layout), &[&[0; 8]]).unwrap_err();
        assert_eq!(
            error("ComplexFloat", PAIR),
            "a PyTorch file whose tensor `` is of a type or layout that is not read"
        );
        // One element too many, a stride too few, and one element two billion times.
        for layout in [
            &b"K\x01K\x02\x85q\x06K\x01\x85q\x07"[..],
            b"K\0K\x01K\x01\x86q\x06K\x01\x85q\x07",
            b"K\0J\xff\xff\xff\x7f\x85q\x06K\0\x85q\x07",
        ] {
            assert_eq!(
                error("Float", layout),
                "a PyTorch file whose tensor `` lies beyond its storage"
            );
        }
        let pair = alone("Float", PAIR);
        let of_order =
            |order: &[u8]| opened(&[("x/data.pkl", &pair[..]), ("x/byteorder", order)]).unwrap_err();
        assert_eq!(of_order(b"little"), "a PyTorch file without the storage 0");
        assert_eq!(
            of_order(b"big"),
            "a PyTorch file of big-endian storage; save the array with numpy.save"
        );
        assert_eq!(
            saved(b"\x80\x02}.", &[]).unwrap_err(),
            "a PyTorch file without tensors"
        );
    }
}
