//! NumPy's `.npy` files: a Python dictionary with the element type, the order and the shape, then the elements.

use seedproof_ops::{Dtype, Shape, Tensor};

/// How every `.npy` file begins.
pub const MAGIC: &[u8] = b"\x93NUMPY";

/// The longest header that is read. NumPy pads its own to 128 bytes, and refuses over 10,000.
const LONGEST_HEADER: usize = 1 << 16;

/// The most extents that NumPy gives an array.
const MOST_EXTENTS: usize = 64;

/// An array, in row-major order and little-endian whatever the file has.
pub struct Array {
    /// Its elements.
    pub tensor: Tensor,
    /// NumPy's name of the element type, such as `<f4`.
    pub descr: String,
}

/// A file of version 1, 2 or 3 of the format.
///
/// # Errors
/// A sentence about its first error.
pub fn read(file: &[u8]) -> Result<Array, String> {
    let (text, data) = split(file)?;
    let text = str::from_utf8(text).map_err(|error| format!("a broken .npy file: {error}"))?;
    let Header {
        descr,
        by_columns,
        dims,
    } = Header::parse(text)?;
    let descr = clipped(descr);
    let (dtype, big_endian) =
        element(&descr).ok_or_else(|| format!("a .npy file of type `{descr}`, which no output has"))?;
    let shape = Shape::new(&dims)
        .map_err(|error| format!("a .npy file whose shape is not usable: failed to {error}"))?;
    let mut bytes = data.to_vec();
    if big_endian {
        bytes.chunks_exact_mut(dtype.size()).for_each(<[u8]>::reverse);
    }
    let stored =
        Tensor::new(dtype, shape, bytes).map_err(|error| format!("a broken .npy file: failed to {error}"))?;
    let tensor = if by_columns { in_rows(&stored) } else { stored };
    Ok(Array { tensor, descr })
}

/// What the header says.
struct Header<'a> {
    descr: &'a str,
    by_columns: bool,
    dims: Vec<u64>,
}

impl<'a> Header<'a> {
    /// Reads the literal of a dictionary. NumPy refuses a key twice, any other, and whatever stands after it: what such a
    /// file means is for nobody to guess.
    fn parse(text: &'a str) -> Result<Self, String> {
        const KEYS: &str = "a broken .npy file: expected `descr`, `fortran_order` and `shape`, each once, and nothing else in its header";
        let (mut descr, mut by_columns, mut dims) = (None, None, None);
        let mut rest = text.trim_ascii().strip_prefix('{').ok_or(KEYS)?.trim_ascii();
        while rest != "}" {
            let (key, after) = quoted(rest).ok_or(KEYS)?;
            let value = after.trim_ascii_start().strip_prefix(':').ok_or(KEYS)?;
            let value = value.trim_ascii_start();
            rest = match key {
                "descr" if descr.is_none() => {
                    let (name, after) =
                        quoted(value).ok_or("a .npy file of records; expected one plain type")?;
                    descr = Some(name);
                    after
                }
                "fortran_order" if by_columns.is_none() => {
                    let (word, after) = ["True", "False"]
                        .into_iter()
                        .find_map(|word| Some((word, value.strip_prefix(word)?)))
                        .ok_or("a broken .npy file: its fortran_order is neither True nor False")?;
                    by_columns = Some(word == "True");
                    after
                }
                "shape" if dims.is_none() => {
                    let (extents, after) =
                        extents(value).ok_or("a broken .npy file: its shape is not a list of extents")?;
                    dims = Some(extents);
                    after
                }
                _ => return Err(KEYS.to_owned()),
            }
            .trim_ascii_start();
            rest = match rest.strip_prefix(',') {
                Some(next) => next.trim_ascii_start(),
                None if rest == "}" => rest,
                None => return Err(KEYS.to_owned()),
            };
        }
        let missing = |key: &str| format!("a broken .npy file: its header has no `{key}`");
        Ok(Self {
            descr: descr.ok_or_else(|| missing("descr"))?,
            by_columns: by_columns.ok_or_else(|| missing("fortran_order"))?,
            dims: dims.ok_or_else(|| missing("shape"))?,
        })
    }
}

/// The text in the quotes that another begins with, and the rest.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|c| ['\'', '"'].contains(c))?;
    text[1..].split_once(quote)
}

/// A tensor as a file of version 1. bfloat16 is two raw bytes, as the package `ml_dtypes` has it.
pub fn write(tensor: &Tensor) -> Vec<u8> {
    let (dtype, dims) = (tensor.dtype(), tensor.shape().dims());
    let kind = match dtype {
        Dtype::Bf16 => 'V',
        float if float.is_float() => 'f',
        integer if integer.is_signed() => 'i',
        _ => 'u',
    };
    let order = if dtype.size() == 1 { '|' } else { '<' };
    let dims: String = dims.iter().map(|dim| format!("{dim}, ")).collect();
    let header = format!(
        "{{'descr': '{order}{kind}{}', 'fortran_order': False, 'shape': ({}), }}",
        dtype.size(),
        // A tuple of one keeps its comma.
        if tensor.shape().rank() == 1 {
            dims.trim_end()
        } else {
            dims.trim_end_matches(", ")
        },
    );
    // The elements begin at a multiple of 64 bytes.
    let length = (MAGIC.len() + 4 + header.len() + 1).next_multiple_of(64) - MAGIC.len() - 4;
    let header = format!("{header:<width$}\n", width = length - 1);
    let mut file = [MAGIC, &[1, 0]].concat();
    file.extend(
        u16::try_from(length)
            .expect("a shape has few extents")
            .to_le_bytes(),
    );
    file.extend(header.as_bytes());
    file.extend(tensor.bytes());
    file
}

/// The header's text and what stands after it. Its length is a u16 in version 1, a u32 since.
fn split(file: &[u8]) -> Result<(&[u8], &[u8]), String> {
    const SHORT: &str = "a broken .npy file: it ends within its header";
    let (version, rest) = file
        .strip_prefix(MAGIC)
        .and_then(<[u8]>::split_first_chunk::<2>)
        .ok_or(SHORT)?;
    if !(1..=3).contains(&version[0]) || version[1] != 0 {
        return Err(format!(
            "a .npy file of version {}.{}; expected 1.0, 2.0 or 3.0",
            version[0], version[1]
        ));
    }
    let (length, rest) = if version[0] == 1 {
        let (length, rest) = rest.split_first_chunk().ok_or(SHORT)?;
        (u32::from(u16::from_le_bytes(*length)), rest)
    } else {
        let (length, rest) = rest.split_first_chunk().ok_or(SHORT)?;
        (u32::from_le_bytes(*length), rest)
    };
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    if length > LONGEST_HEADER {
        return Err(format!(
            "a .npy file with a header of {length} bytes; at most {LONGEST_HEADER} are read"
        ));
    }
    rest.split_at_checked(length).ok_or_else(|| SHORT.to_owned())
}

/// The element type of `<f4`, and whether its bytes are the most significant first. Raw bytes, two at a time, are
/// bfloat16: NumPy has no such type, and the package `ml_dtypes` saves it so.
fn element(descr: &str) -> Option<(Dtype, bool)> {
    let (order, name) = descr.split_at_checked(1)?;
    let dtype = match name {
        "b1" | "u1" => Dtype::U8,
        "u2" => Dtype::U16,
        "u4" => Dtype::U32,
        "u8" => Dtype::U64,
        "i1" => Dtype::I8,
        "i2" => Dtype::I16,
        "i4" => Dtype::I32,
        "i8" => Dtype::I64,
        "f2" => Dtype::F16,
        "V2" => Dtype::Bf16,
        "f4" => Dtype::F32,
        "f8" => Dtype::F64,
        _ => return None,
    };
    ["<", ">", "|", "="]
        .contains(&order)
        .then_some((dtype, order == ">"))
}

/// The numbers of `(3, 3)`, `(3,)` or `()`, and the rest of the text. `(3)` is a number in Python, as `(03,)` is none.
fn extents(tuple: &str) -> Option<(Vec<u64>, &str)> {
    let (inside, rest) = tuple.strip_prefix('(')?.split_once(')')?;
    let inside = inside.trim_ascii();
    let list = inside.strip_suffix(',');
    if inside.is_empty() {
        return Some((Vec::new(), rest));
    }
    if list.is_none() && !inside.contains(',') {
        return None;
    }
    let is_number = |part: &&str| {
        part.bytes().all(|byte| byte.is_ascii_digit()) && (!part.starts_with('0') || *part == "0")
    };
    let parts = list.unwrap_or(inside).split(',').map(str::trim_ascii);
    let extents: Option<Vec<u64>> = parts
        .take(MOST_EXTENTS + 1)
        .map(|part| Some(part).filter(is_number)?.parse().ok())
        .collect();
    Some((extents.filter(|extents| extents.len() <= MOST_EXTENTS)?, rest))
}

/// A tensor whose elements lie in column-major order, in row-major order.
fn in_rows(columns: &Tensor) -> Tensor {
    let shape = columns.shape();
    let place = |index: usize| {
        // The first extent runs fastest.
        let place = shape.coordinates(index).into_iter().zip(shape.dims()).rev();
        place.fold(0, |place, (coordinate, extent)| place * extent + coordinate)
    };
    let rows = columns.gather((0..shape.count()).map(place));
    rows.and_then(|rows| rows.reshaped(shape.clone()))
        .expect("the elements are the same ones")
}

/// The beginning of a text that a file decides.
fn clipped(text: &str) -> String {
    text.chars().take(16).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file as NumPy writes it.
    fn file(descr: &str, fortran: &str, shape: &str, data: &[u8]) -> Vec<u8> {
        let header = format!("{{'descr': {descr}, 'fortran_order': {fortran}, 'shape': {shape}, }}\n");
        let mut file = b"\x93NUMPY\x01\x00".to_vec();
        file.extend(u16::try_from(header.len()).unwrap().to_le_bytes());
        file.extend(header.as_bytes());
        file.extend(data);
        file
    }

    fn tensor(dims: &[u64], elements: &[u16]) -> Tensor {
        Tensor::from_elements(Shape::new(dims).unwrap(), elements).unwrap()
    }

    #[test]
    fn npy_of_every_type_and_rank_is_read_as_it_was_written() {
        for &dtype in Dtype::ALL {
            for dims in [&[][..], &[3], &[2, 3], &[1, 0, 5]] {
                let shape = Shape::new(dims).unwrap();
                let bytes: Vec<u8> = (1..=255).take(shape.count() * dtype.size()).collect();
                let tensor = Tensor::new(dtype, shape, bytes).unwrap();
                let written = write(&tensor);
                assert_eq!((written.len() - tensor.bytes().len()) % 64, 0);
                assert_eq!(read(&written).unwrap().tensor, tensor);
            }
        }
        let header = String::from_utf8_lossy(&write(&tensor(&[2], &[1, 2]))).into_owned();
        assert!(
            header.contains("{'descr': '<u2', 'fortran_order': False, 'shape': (2,), }"),
            "{header}"
        );
    }

    /// NumPy asks that the elements begin at a multiple of 64 bytes, and does not pad further.
    #[test]
    fn npy_header_of_any_length_ends_at_the_next_multiple_of_64_bytes() {
        for axes in 1..=24 {
            for extent in [1_u64, 10, 100] {
                let dims = [vec![extent], vec![1; axes]].concat();
                let shape = Shape::new(&dims).unwrap();
                let bytes = vec![7; shape.count()];
                let tensor = Tensor::new(Dtype::U8, shape, bytes).unwrap();
                let written = write(&tensor);
                let header = &written[..written.len() - tensor.bytes().len()];
                let spaces = header.iter().rev().skip(1).take_while(|&&byte| byte == b' ');
                assert_eq!((header.len() % 64, spaces.count() / 64), (0, 0), "{dims:?}");
                assert_eq!(read(&written).unwrap().tensor, tensor);
            }
        }
    }

    #[test]
    fn npy_header_may_be_spaced_as_python_allows() {
        for shape in ["()", "( )", "(1,)", "(1 , )", "( 1, 1 )", "(1,1,)"] {
            let header = format!("{{ 'shape' :{shape},'descr':'<u2' , 'fortran_order':False}}");
            let mut file = b"\x93NUMPY\x01\x00".to_vec();
            file.extend(u16::try_from(header.len()).unwrap().to_le_bytes());
            file.extend(header.as_bytes());
            file.extend([7, 0]);
            assert_eq!(read(&file).unwrap().tensor.count(), 1, "{shape}");
        }
    }

    #[test]
    fn npy_header_may_have_double_quotes() {
        let mut file = file("'<u2'", "False", "(1,)", &[7, 0]);
        for byte in file.iter_mut().filter(|byte| **byte == b'\'') {
            *byte = b'"';
        }
        assert_eq!(read(&file).unwrap().tensor, tensor(&[1], &[7]));
    }

    #[test]
    fn npy_in_another_order_is_put_in_order() {
        let columns: Vec<u8> = [1_u16, 4, 2, 5, 3, 6]
            .iter()
            .flat_map(|x| x.to_be_bytes())
            .collect();
        let array = read(&file("'>u2'", "True", "(2, 3)", &columns)).unwrap();
        assert_eq!(array.tensor, tensor(&[2, 3], &[1, 2, 3, 4, 5, 6]));
        assert_eq!(array.descr, ">u2");
    }

    #[test]
    fn npy_says_what_is_broken() {
        let error = |file: &[u8]| read(file).err().unwrap();
        assert!(error(b"\x93NUMPY\x01\x00\xff").contains("it ends within its header"));
        assert!(error(b"\x93NUMPY\x02\x00\xff\xff\xff\xff").contains("a header of 4294967295 bytes"));
        assert!(error(b"\x93NUMPY\x02\x00\x01\x00\x01\x00").contains("a header of 65537 bytes"));
        assert!(error(b"\x93NUMPY\x02\x00\x00\x00\x01\x00").contains("it ends within its header"));
        assert!(error(&file("'<f2'", "False", "(2,)", &[0; 3])).contains("it takes 4 bytes, not 3"));
        assert_eq!(
            error(&file("'<c8'", "False", "(1,)", &[0; 8])),
            "a .npy file of type `<c8`, which no output has"
        );
        assert!(error(&file("[('a', '<f2')]", "False", "(1,)", &[0; 2])).contains("a .npy file of records"));
        assert!(error(&file("'<f2'", "False", "(x,)", &[])).contains("not a list of extents"));
        for version in [[0, 0], [4, 0], [255, 0], [1, 1]] {
            let mut file = file("'<f2'", "False", "(1,)", &[0; 2]);
            file[6..8].copy_from_slice(&version);
            let [major, minor] = version;
            assert_eq!(
                error(&file),
                format!("a .npy file of version {major}.{minor}; expected 1.0, 2.0 or 3.0")
            );
        }
        for fortran in [
            "False, 'descr': '<f4'",
            "False, 'more': 1",
            "False, \"descr\": '<f2'",
            "False, 'fortran_order': False",
            "False, 'shape': (1,)",
            "False, 'x': 'y'",
            "False, 3: 4",
        ] {
            assert!(
                error(&file("'<f2'", fortran, "(1,)", &[0; 2])).contains("each once"),
                "{fortran}"
            );
        }
        let mut without_a_comma = file("'<f2'", "False", "(1,)", &[0; 2]);
        let comma = without_a_comma.iter().position(|&byte| byte == b',').unwrap();
        without_a_comma[comma] = b' ';
        assert!(error(&without_a_comma).contains("each once"));
        // What NumPy refuses too.
        for (fortran, shape, complaint) in [
            ("0", "(1,)", "its fortran_order is neither"),
            ("Falsehood", "(1,)", "each once"),
            ("False", "(1)", "its shape is not a list"),
            ("False", "(,)", "its shape is not a list"),
            ("False", "(1,,)", "its shape is not a list"),
            ("False", "(01,)", "its shape is not a list"),
            ("False", "(1 1)", "its shape is not a list"),
            ("False", "[1]", "its shape is not a list"),
            ("False", "(1,), } junk", "nothing else"),
            ("False", "(1,)}{", "nothing else"),
            ("False,", "(1,)", "each once"),
        ] {
            let error = error(&file("'<f2'", fortran, shape, &[0; 2]));
            assert!(error.contains(complaint), "{fortran} {shape}: {error}");
        }
        assert!(
            error(&file("'<f2'", "False", &format!("({})", "1,".repeat(65)), &[])).contains("not a list")
        );
        assert!(
            error(&file("'<f8'", "False", "(9223372036854775807, 9)", &[]))
                .contains("does not fit this machine")
        );
    }
}
