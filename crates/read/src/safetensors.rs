//! `.safetensors`: the length of a header, the header as JSON, then the elements of all tensors.

use serde_json::Value;

use crate::array::{Array, dtype, tensor};

/// The longest header that is read: that of a checkpoint of ten thousand tensors.
const LONGEST_HEADER: usize = 1 << 22;

/// The tensors of a file; `None` for a file of another format.
///
/// # Errors
/// A sentence about the first tensor that is broken.
pub(super) fn read(file: &[u8]) -> Option<Result<Vec<Array>, String>> {
    let (length, rest) = file.split_first_chunk::<8>()?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    // There is no magic number: the length and the brace after it are as telling as one.
    let header = rest
        .get(..length)
        .filter(|header| header.first() == Some(&b'{'))?;
    if length > LONGEST_HEADER {
        return Some(Err(format!(
            "a .safetensors file with a header of {length} bytes; at most {LONGEST_HEADER} are read"
        )));
    }
    let Value::Object(header) = serde_json::from_slice(header).ok()? else {
        return None;
    };
    let data = &rest[length..];
    let mut arrays = Vec::new();
    for (name, value) in header.iter().filter(|(name, _)| *name != "__metadata__") {
        let read = || {
            let type_name = value.get("dtype")?.as_str()?;
            let dtype = dtype(type_name)?;
            let numbers = |key: &str| -> Option<Vec<u64>> {
                value.get(key)?.as_array()?.iter().map(Value::as_u64).collect()
            };
            let offsets = numbers("data_offsets")?;
            let [from, to] = <[u64; 2]>::try_from(offsets).ok()?.map(usize::try_from);
            let bytes = data.get(from.ok()?..to.ok()?)?;
            Some(Array {
                name: name.clone(),
                tensor: tensor(dtype, &numbers("shape")?, bytes.to_vec())?,
                what: format!("a .safetensors file with `{name}` of type {type_name}"),
            })
        };
        match read() {
            Some(array) => arrays.push(array),
            None => {
                return Some(Err(format!(
                    "a .safetensors file whose `{}` is broken or of a type that no output has",
                    crate::literal::clipped(name)
                )));
            }
        }
    }
    Some(if arrays.is_empty() {
        Err("a .safetensors file without tensors".to_owned())
    } else {
        Ok(arrays)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(header: &str, data: &[u8]) -> Vec<u8> {
        [
            &u64::try_from(header.len()).unwrap().to_le_bytes()[..],
            header.as_bytes(),
            data,
        ]
        .concat()
    }

    #[test]
    fn safetensors_are_read_by_their_header() {
        let header =
            r#"{"__metadata__":{"format":"pt"},"x":{"dtype":"F16","shape":[2,1],"data_offsets":[2,6]}}"#;
        let arrays = read(&file(header, &[9, 9, 0, 0x3c, 1, 0x80])).unwrap().unwrap();
        assert_eq!((arrays.len(), arrays[0].name.as_str()), (1, "x"));
        assert_eq!(arrays[0].tensor.shape().dims(), [2, 1]);
        assert_eq!(arrays[0].tensor.bytes(), [0, 0x3c, 1, 0x80]);
    }

    #[test]
    fn safetensors_that_are_broken_say_so() {
        let error = |header: &str, data: &[u8]| read(&file(header, data)).unwrap().unwrap_err();
        let of =
            |shape, offsets| format!(r#"{{"x":{{"dtype":"F16","shape":{shape},"data_offsets":{offsets}}}}}"#);
        assert!(error(&of("[2]", "[0,6]"), &[0; 6]).contains("`x` is broken"));
        assert!(error(&of("[2]", "[4,2]"), &[0; 6]).contains("`x` is broken"));
        assert!(error(&of("[2]", "[0,4]"), &[0; 3]).contains("`x` is broken"));
        assert!(error("{}", &[]).contains("without tensors"));
        assert!(read(&file("[]", &[])).is_none());
        assert!(read(&[0xff; 40]).is_none());
    }

    #[test]
    fn safetensors_have_headers_up_to_a_bound() {
        // What follows the brace ends the reading at once.
        let header = |length: usize| format!("{{x{}", " ".repeat(length - 2));
        assert!(read(&file(&header(LONGEST_HEADER), &[])).is_none());
        assert_eq!(
            read(&file(&header(LONGEST_HEADER + 1), &[]))
                .unwrap()
                .unwrap_err(),
            "a .safetensors file with a header of 4194305 bytes; at most 4194304 are read"
        );
    }
}
