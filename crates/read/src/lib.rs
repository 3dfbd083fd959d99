//! Numbers as people have them: a file or standard input, recognised by how it begins and never by its name.
//!
//! One reader serves every command. What belongs here is the way from bytes to elements or to a list of numbers as they
//! are written; whether these suit a request is the business of the caller. Nothing here runs code of a file, and no file
//! makes a program take more memory than `array::MAX_ARCHIVE_BYTES` allows. A text of millions of numbers is common, so that
//! this crate is optimised where the program, which only passes things on, is not.
//!
//! ```
//! use seedproof_read::{Listing, Opened, open};
//!
//! let Opened::Text(text) = open(b"tensor([[0.25, 0.5]], dtype=torch.float32)")? else { unreachable!() };
//! let listing = Listing::parse(&text);
//! assert_eq!(listing.numbers, ["0.25", "0.5"]);
//! assert_eq!((listing.dims, listing.dtype), (Some(vec![1, 2]), Some(seedproof_ops::Dtype::F32)));
//! # Ok::<(), String>(())
//! ```
#![forbid(unsafe_code)]

mod array;
mod elided;
pub mod literal;
pub mod npy;
mod pickle;
mod safetensors;
mod table;
mod text;
mod torch;
pub mod zip;

use std::borrow::Cow;

use array::MAX_ARCHIVE_BYTES;
use seedproof_ops::untrusted::one_line;
use serde_json::Value;

pub use crate::array::Array;
use crate::literal::clipped;
pub use crate::text::{Listing, element, is_written_of};

/// The longest JSON object that is read. A value of serde_json takes 32 bytes, and a number of a list as few as two.
const MOST_JSON: usize = 1 << 24;

/// What a file holds.
#[derive(Debug)]
pub enum Opened<'a> {
    /// Arrays with an element type and a shape of their own; at least one.
    Arrays(Vec<Array>),
    /// Text, which [`Listing::parse`] reads as numbers. Not all callers want them, and a text of 32 MB takes seconds.
    Text(Cow<'a, str>),
    /// Bytes of no format that is known.
    Bytes(Vec<u8>),
}

/// Beginnings of files that hold no elements which this program can read, and their names.
const REFUSED: [(&[u8], &str); 14] = [
    (b"\x1f\x8b", "a gzip file; unpack it first"),
    (b"\x28\xb5\x2f\xfd", "a zstd file; unpack it first"),
    (b"\xfd7zXZ\0", "an xz file; unpack it first"),
    (b"BZh", "a bzip2 file; unpack it first"),
    (
        b"\x89HDF\r\n\x1a\n",
        "an HDF5 file; save the array with numpy.save",
    ),
    (
        b"MATLAB 5.0 MAT-file",
        "a MATLAB file; save the array with numpy.save",
    ),
    (b"PAR1", "a Parquet file; save the array with numpy.save"),
    (b"ARROW1", "an Arrow file; save the array with numpy.save"),
    (b"GGUF", "a GGUF file; save the array with numpy.save"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"%PDF", "a PDF document"),
    (b"\x7fELF", "a program"),
    (b"\xff\xfe", "text in UTF-16; save it as UTF-8"),
];

/// Opens a file by how it begins.
///
/// # Errors
/// A sentence that names the format and says why its elements are not read.
pub fn open(file: &[u8]) -> Result<Opened<'_>, String> {
    let mut opened = opened(file)?;
    if let Opened::Arrays(arrays) = &mut opened {
        // Names are printed, and a line feed in one would begin a line of the program's own.
        for array in arrays {
            array.name = one_line(&array.name);
        }
    }
    Ok(opened)
}

fn opened(file: &[u8]) -> Result<Opened<'_>, String> {
    if file.starts_with(npy::MAGIC) {
        let npy::Array { tensor, descr } = npy::read(file)?;
        let what = format!("a .npy file of type `{descr}`, which is {}", tensor.dtype());
        let name = String::new();
        return Ok(Opened::Arrays(vec![Array { name, tensor, what }]));
    }
    if zip::is(file) {
        return archive(file).map(Opened::Arrays);
    }
    if let Some(arrays) = safetensors::read(file) {
        return arrays.map(Opened::Arrays);
    }
    // Two bytes may begin raw elements too; the text that follows `\xff\xfe` has a zero in every second byte.
    let is_of = |magic: &[u8]| {
        file.starts_with(magic) && (magic.len() > 2 || file.len() >= 18 && is_likely(magic, file))
    };
    if let Some((_, what)) = REFUSED.iter().find(|(magic, _)| is_of(magic)) {
        return Err((*what).to_owned());
    }
    if pickle::is(file) {
        return Err(
            "a pickle, which cannot be read without running its code; save the array with numpy.save"
                .to_owned(),
        );
    }
    match str::from_utf8(file) {
        Ok(text) if !text.contains('\0') => match members(text)? {
            Some(members) => member(&members),
            None => Ok(Opened::Text(Cow::Borrowed(text))),
        },
        _ => Ok(Opened::Bytes(file.to_vec())),
    }
}

/// The list of a name in a text that may have several: a column of a table, or a member of a JSON object. `None` for a file
/// that is neither.
///
/// # Errors
/// The names that there are, if this is not one of them.
pub fn list(file: &[u8], name: &str) -> Result<Option<Listing>, String> {
    let lists = lists(file)?;
    if lists.is_empty() {
        return Ok(None);
    }
    match lists.iter().find(|(other, _)| other == name) {
        Some((_, list)) => Ok(Some(Listing::parse(list))),
        None => Err(format!(
            "it has no list `{}`; it has {}",
            clipped(name),
            listed(lists.iter().map(|(name, _)| name))
        )),
    }
}

/// The names of the lists that [`list`] reads.
pub fn names(file: &[u8]) -> Vec<String> {
    let lists = lists(file).into_iter().flatten();
    lists.map(|(name, _)| name).collect()
}

/// The columns of a table or the lists of a JSON object, each with its text; none for other files.
fn lists(file: &[u8]) -> Result<Vec<(String, String)>, String> {
    let Ok(text) = str::from_utf8(file) else {
        return Ok(Vec::new());
    };
    match members(text)? {
        Some(members) => Ok(members
            .into_iter()
            .map(|(name, list)| (name, list.to_string()))
            .collect()),
        None => table::columns(text),
    }
}

/// The first names, in quotes.
pub fn listed<'a>(names: impl Iterator<Item = &'a String>) -> String {
    let names: Vec<String> = names.take(8).map(|name| format!("`{}`", clipped(name))).collect();
    names.join(", ")
}

/// The members of a JSON object that are lists, and those of its objects; `None` for text that is not an object.
fn members(text: &str) -> Result<Option<Vec<(String, Value)>>, String> {
    // A list of numbers, which is JSON too, is read without a value for each of them.
    if !text.trim_start().starts_with('{') {
        return Ok(None);
    }
    let is_object = text
        .trim_start_matches(['{', ' ', '\n', '\r', '\t'])
        .starts_with('"');
    if is_object && text.len() > MOST_JSON {
        return Err(format!(
            "a JSON object of {} bytes, of at most {MOST_JSON}; save the list of numbers alone",
            text.len()
        ));
    }
    let Ok(Value::Object(object)) = serde_json::from_str(text) else {
        return Ok(None);
    };
    let mut lists = Vec::new();
    let mut open: Vec<(String, Value)> = object.into_iter().collect();
    while let Some((name, value)) = open.pop() {
        match value {
            Value::Array(_) => lists.push((name, value)),
            Value::Object(inner) => open.extend(
                inner
                    .into_iter()
                    .map(|(key, value)| (format!("{name}.{key}"), value)),
            ),
            _ => {}
        }
    }
    lists.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(Some(lists))
}

/// The only list of a JSON object.
fn member(members: &[(String, Value)]) -> Result<Opened<'static>, String> {
    match members {
        [(_, list)] => Ok(Opened::Text(Cow::Owned(list.to_string()))),
        [] => Err("a JSON object without lists".to_owned()),
        many => Err(format!(
            "a JSON object with {} lists, {}; save one alone",
            many.len(),
            listed(many.iter().map(|(name, _)| name))
        )),
    }
}

/// Whether what follows a magic number of two bytes bears it out.
fn is_likely(magic: &[u8], file: &[u8]) -> bool {
    match magic {
        // The only method of compression that gzip has.
        b"\x1f\x8b" => file[2] == 8 && file[3] < 32,
        _ => file[3..18].iter().step_by(2).all(|&byte| byte == 0),
    }
}

/// The arrays of a zip archive: those of NumPy's `.npz`, or the tensors of PyTorch's `.pt`.
fn archive(file: &[u8]) -> Result<Vec<Array>, String> {
    let archive = zip::Archive::open(file)?;
    if let Some(pickle) = archive.entries().find(|entry| entry.name.ends_with("/data.pkl")) {
        return torch::read(&archive, pickle);
    }
    let mut arrays = Vec::new();
    let mut left = MAX_ARCHIVE_BYTES;
    for entry in archive.entries() {
        let Some(name) = entry.name.strip_suffix(".npy") else {
            continue;
        };
        let bytes = archive.bytes(entry, left)?;
        left -= bytes.len();
        let npy::Array { tensor, descr } = npy::read(&bytes)?;
        arrays.push(Array {
            name: name.to_owned(),
            what: format!(
                "an .npz file with `{name}` of type `{descr}`, which is {}",
                tensor.dtype()
            ),
            tensor,
        });
    }
    if arrays.is_empty() {
        let names: Vec<&str> = archive
            .entries()
            .take(3)
            .map(|entry| entry.name.as_str())
            .collect();
        return Err(format!(
            "a zip archive without arrays; it holds {}",
            names.join(", ")
        ));
    }
    Ok(arrays)
}

#[cfg(test)]
mod tests {
    use super::array::dtype;
    use super::*;
    use seedproof_ops::Dtype;

    #[test]
    fn formats_that_hold_no_readable_elements_are_refused_by_name() {
        let mut utf16 = b"\xff\xfe".to_vec();
        // The shortest text that is told from raw elements.
        utf16.extend("0.5 0.25".encode_utf16().flat_map(u16::to_le_bytes));
        for (file, what) in [
            (&b"\x1f\x8b\x08\0\0\0\0\0\0\x03aaaaaaaaaaaaaa"[..], "gzip"),
            (b"\x89HDF\r\n\x1a\n\0\0", "HDF5"),
            (b"\x80\x04\x95\x10\0\0\0\0\0\0\0]q\0.", "a pickle"),
            (&utf16, "UTF-16"),
            (b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", "a zip archive"),
        ] {
            let error = open(file).unwrap_err();
            assert!(error.contains(what), "{error}");
        }
        // Raw elements may begin with any two bytes, and may be ASCII.
        for element in [
            b"\x1f\x8b\x3f\x3f",
            b"\x1f\x8b\x3f\0",
            b"\x1f\x8b\x08\x3f",
            b"\x1f\x8b\x08\x20",
            b"\xff\xfe\x7f\x3f",
            b"\x01\0\0\0",
        ] {
            for count in [1, 2, 8] {
                let opened = open(&element.repeat(count)).map(|opened| matches!(opened, Opened::Bytes(_)));
                assert_eq!(opened, Ok(true), "{element:?}");
            }
        }
    }

    #[test]
    fn name_of_an_array_makes_no_line() {
        let header = br#"{"a\n::error::b":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}"#;
        let file = [&header.len().to_le_bytes()[..], header, &[7]].concat();
        let Ok(Opened::Arrays(arrays)) = open(&file) else {
            panic!("it is a file of safetensors");
        };
        assert!(!arrays[0].name.contains('\n'), "{:?}", arrays[0].name);
    }

    #[test]
    fn the_only_list_of_a_json_object_is_read() {
        fn open(text: &str) -> Result<Opened<'_>, String> {
            super::open(text.as_bytes())
        }

        let Ok(Opened::Text(text)) = open(r#"{"seed": 42, "draws": {"u": [[0.25, 0.5]]}}"#) else {
            panic!("it is text");
        };
        let listing = Listing::parse(&text);
        assert_eq!((listing.numbers.len(), listing.dims), (2, Some(vec![1, 2])));
        assert!(
            open(r#"{"a": [1], "b": [2]}"#)
                .unwrap_err()
                .contains("2 lists, `a`, `b`")
        );
        assert!(open(r#"{"a": 1}"#).unwrap_err().contains("without lists"));
        // The initialiser of a C array is not a JSON object.
        assert!(matches!(open("{1, 2}"), Ok(Opened::Text(_))));
    }

    #[test]
    fn lists_of_a_text_are_found_by_name() {
        let object = br#"{"b": {"c": [3, 4]}, "a": [1, 2], "seed": 7}"#;
        let table = b"step,loss\n1,0.5\n2,0.25\n";
        for (file, all, name, numbers) in [
            (&object[..], ["a", "b.c"], "b.c", ["3", "4"]),
            (&table[..], ["step", "loss"], "loss", ["0.5", "0.25"]),
        ] {
            assert_eq!(names(file), all);
            assert_eq!(list(file, name).unwrap().unwrap().numbers, numbers);
            let error = list(file, "d").unwrap_err();
            assert_eq!(
                error,
                format!("it has no list `d`; it has `{}`, `{}`", all[0], all[1])
            );
        }
        for file in [&b"0.5 0.25"[..], b"\xff\xfe"] {
            assert_eq!(names(file), Vec::<String>::new());
            assert!(list(file, "a").unwrap().is_none());
        }
    }

    #[test]
    fn arrays_of_an_archive_share_one_bound() {
        let array = npy::write(&seedproof_ops::Tensor::vector(&[1_u8, 2, 3]));
        let mut file = zip::tests::stored(&[("a.npy", &array), ("b.npy", &array)]);
        let Ok(Opened::Arrays(arrays)) = open(&file) else {
            panic!("both are arrays");
        };
        assert_eq!(arrays.len(), 2);
        // The directory says that the second array takes all that an archive may.
        let at = file.windows(4).rposition(|it| it == b"PK\x01\x02").unwrap();
        let most = u32::try_from(MAX_ARCHIVE_BYTES).unwrap();
        file[at + 24..at + 28].copy_from_slice(&most.to_le_bytes());
        assert_eq!(
            open(&file).unwrap_err(),
            format!(
                "a zip archive whose `b.npy` takes {most} bytes; at most {} are read",
                MAX_ARCHIVE_BYTES - array.len()
            )
        );
    }

    #[test]
    fn json_objects_are_read_up_to_a_bound() {
        // The missing colon ends the reading at once.
        let mut text = r#"{"a" [1]}"#.to_owned();
        text.push_str(&" ".repeat(MOST_JSON - text.len()));
        assert!(matches!(open(text.as_bytes()), Ok(Opened::Text(_))));
        text.push(' ');
        assert_eq!(
            open(text.as_bytes()).unwrap_err(),
            "a JSON object of 16777217 bytes, of at most 16777216; save the list of numbers alone"
        );
    }

    #[test]
    fn element_types_have_the_names_of_many_libraries() {
        for (name, expected) in [
            ("torch.float32", Dtype::F32),
            ("float16", Dtype::F16),
            ("<dtype: 'bfloat16'>", Dtype::Bf16),
            ("uint32_t", Dtype::U32),
            ("std::int64_t", Dtype::I64),
            ("double", Dtype::F64),
            ("np.int8", Dtype::I8),
            ("int", Dtype::I32),
            ("uint16_t", Dtype::U16),
            ("torch.uint64", Dtype::U64),
        ] {
            assert_eq!(dtype(name), Some(expected), "{name}");
        }
        assert_eq!(dtype("complex64"), None);
    }
}
