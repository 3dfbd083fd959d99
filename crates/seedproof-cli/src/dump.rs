//! An implementation's output as a file has it, held against the element type and shape that it must have.

use seedproof_ops::{Dtype, Scalar, Shape, Tensor};
use seedproof_read::literal::clipped;
use seedproof_read::{self as read, Array, Listing, Opened};

/// The element type and shape that a dump must have.
pub(crate) struct Form<'a> {
    pub(crate) dtype: Dtype,
    pub(crate) shape: &'a Shape,
}

/// An output that was read, and what was made of its file, a sentence each, where that is not plain.
#[derive(Debug, PartialEq)]
pub(crate) struct Dump {
    pub(crate) output: Tensor,
    pub(crate) notes: Vec<String>,
    /// For each element the least and the greatest number that would have been written so, where decimals have fewer
    /// digits than the type; the elements of `output` are then the nearest.
    pub(crate) within: Option<Vec<[f64; 2]>>,
}

/// The output in `file`, read as what it looks like: an array of a known format; text of as many numbers as the output
/// has elements, in decimal or in hexadecimal; bytes in hexadecimal, in the order of memory; else raw bytes, the least
/// significant first.
///
/// # Errors
/// A sentence that says what the file was taken for and what was expected of it.
pub(crate) fn read(file: &[u8], form: &Form<'_>) -> Result<Dump, String> {
    let expected = form.shape.count() * form.dtype.size();
    let (len, dtype, shape) = (file.len(), form.dtype, form.shape);
    let listing = match read::open(file)? {
        Opened::Arrays(arrays) => return of_array(&one(arrays, Some(shape))?, form),
        Opened::Text(text) => Listing::parse(&text),
        Opened::Bytes(bytes) if len == expected => return plain(form, bytes),
        Opened::Bytes(_) => {
            return Err(format!(
                "expected {expected} bytes for {dtype} {shape}, found {len}; the file is neither text nor .npy"
            ));
        }
    };
    let numbers = listing.is_numbers().then(|| of_text(&listing, form));
    let hex = str::from_utf8(file).ok().and_then(read_hex);
    match (numbers, hex) {
        (Some(Ok(dump)), _) => Ok(dump),
        (_, Some(bytes)) if bytes.len() == expected => plain(form, bytes),
        _ if len == expected => plain(form, file.to_vec()),
        (_, Some(bytes)) => Err(format!(
            "{} bytes in hexadecimal; {dtype} {shape} takes {expected} bytes",
            bytes.len()
        )),
        (Some(Err(error)), _) => Err(listing.stray(file).unwrap_or(error)),
        (None, None) => Err(format!(
            "expected {expected} bytes for {dtype} {shape}, found {len}; the file is neither text nor .npy"
        )),
    }
}

/// The only array of a file, or the only one of these extents.
///
/// # Errors
/// The names of the arrays, where it is not clear which is meant.
pub(crate) fn one(mut arrays: Vec<Array>, shape: Option<&Shape>) -> Result<Array, String> {
    let names: Vec<String> = arrays
        .iter()
        .take(8)
        .map(|array| format!("`{}`", array.name))
        .collect();
    let all = arrays.len();
    if all > 1 {
        arrays.retain(|array| shape.is_some_and(|shape| array.tensor.shape() == shape));
    }
    match arrays.pop() {
        Some(array) if arrays.is_empty() => Ok(array),
        _ => Err(format!(
            "it holds {all} arrays ({}); save the one that you mean in a file of its own",
            names.join(", ")
        )),
    }
}

fn plain(form: &Form<'_>, bytes: Vec<u8>) -> Result<Dump, String> {
    let output = tensor(form, bytes)?;
    Ok(Dump {
        output,
        notes: Vec::new(),
        within: None,
    })
}

fn tensor(form: &Form<'_>, bytes: Vec<u8>) -> Result<Tensor, String> {
    Tensor::new(form.dtype, form.shape.clone(), bytes).map_err(|error| format!("failed to {error}"))
}

/// Pairs of hexadecimal digits with white space anywhere between pairs; `None` if it is anything else.
pub(crate) fn read_hex(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = text
        .bytes()
        .filter(|byte| !byte.is_ascii_whitespace())
        .map(|byte| {
            char::from(byte)
                .to_digit(16)
                .and_then(|digit| u8::try_from(digit).ok())
        })
        .collect::<Option<_>>()?;
    let (pairs, rest) = digits.as_chunks::<2>();
    (rest.is_empty() && !pairs.is_empty()).then(|| pairs.iter().map(|[high, low]| high << 4 | low).collect())
}

/// The message for a printed array that was abbreviated with `...`.
pub(crate) const LEFT_OUT: &str = "text with elements left out (`...`); print all of them, with numpy.set_printoptions(threshold=sys.maxsize) \
     or torch.set_printoptions(threshold=10**9), or save a .npy file; `whois --shape` takes them as they are";

/// Numbers apart from each other, one for each element.
fn of_text(listing: &Listing, form: &Form<'_>) -> Result<Dump, String> {
    let (dtype, count) = (form.dtype, form.shape.count());
    if listing.leaves_out {
        return Err(LEFT_OUT.to_owned());
    }
    if listing.numbers.len() != count {
        return Err(format!(
            "text of {} numbers; {dtype} {} has {count} elements",
            listing.numbers.len(),
            form.shape
        ));
    }
    listed(listing, dtype, form.shape.clone())
}

/// The numbers of a text as elements of a type.
///
/// # Errors
/// A sentence about the first number that is not of the type.
pub(crate) fn listed(listing: &Listing, dtype: Dtype, shape: Shape) -> Result<Dump, String> {
    let in_hex = listing.is_plain_hex(dtype);
    let mut bytes = Vec::with_capacity(shape.count() * dtype.size());
    let mut within = Vec::new();
    let mut is_wide = false;
    for number in &listing.numbers {
        let (scalar, ends) = if in_hex {
            read::element(dtype, &format!("0x{number}"))?
        } else {
            read::element(dtype, number)?
        };
        bytes.extend(scalar.to_le_bytes());
        is_wide |= ends.is_some();
        within.push(ends.unwrap_or([scalar.to_f64(); 2]));
    }
    let mut notes = Vec::new();
    if in_hex {
        notes.push(format!(
            "read as words in hexadecimal, the most significant digit first; bytes in the order of memory are run \
             together, such as {}",
            Scalar::from_decimal(dtype, "1").map_or_else(String::new, |one| hex(&one.to_le_bytes()))
        ));
    } else if is_wide {
        notes.push(format!(
            "the decimals have too few digits to tell all {dtype} values apart (that takes {}): elements count as equal if they \
             would be printed alike",
            digits(dtype)
        ));
    }
    let output = Tensor::new(dtype, shape, bytes).map_err(|error| format!("failed to {error}"))?;
    Ok(Dump {
        output,
        notes,
        within: is_wide.then_some(within),
    })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Significant digits in decimal that tell all values of a float apart.
const fn digits(dtype: Dtype) -> u32 {
    match dtype {
        Dtype::F16 => 5,
        Dtype::Bf16 => 4,
        Dtype::F64 => 17,
        _ => 9,
    }
}

fn of_array(array: &Array, form: &Form<'_>) -> Result<Dump, String> {
    let Array {
        tensor: array, what, ..
    } = array;
    let mut notes = Vec::new();
    if array.shape() != form.shape {
        // What was saved as one row has its elements in the same order.
        if array.shape().rank() != 1 || array.count() != form.shape.count() {
            let kind = what.split(" of type").next().unwrap_or(what);
            return Err(format!(
                "{kind} of shape {}; expected {}",
                array.shape(),
                form.shape
            ));
        }
        notes.push(format!(
            "the file has the shape {}; its elements are taken in order",
            array.shape()
        ));
    }
    let stored = array.dtype();
    let bits = match converted(array, form.dtype) {
        Ok(bits) => bits,
        Err(_) if let Some(listing) = short_decimals(array, form.dtype) => {
            let mut dump = listed(&listing, form.dtype, form.shape.clone())?;
            notes.push(format!("{what}, whose elements are short decimals"));
            dump.notes.splice(0..0, notes);
            return Ok(dump);
        }
        Err(element) => return Err(format!("{what}; expected {}, and {element}", form.dtype)),
    };
    if stored != form.dtype {
        notes.push(format!(
            "{what}, and the output of {}: {}",
            form.dtype,
            if is_bits(stored, form.dtype) {
                "its elements are taken as bits"
            } else {
                "every element has the same value there"
            }
        ));
    }
    let output = tensor(form, bits)?;
    Ok(Dump {
        output,
        notes,
        within: None,
    })
}

/// The elements of doubles that were read from decimals, as such: what JSON or a spreadsheet makes of printed numbers.
pub(crate) fn short_decimals(array: &Tensor, dtype: Dtype) -> Option<Listing> {
    // Of 17 digits that a double has, these are all that a narrower type prints.
    const LONGEST: usize = 10;
    if array.dtype() != Dtype::F64 || !dtype.is_float() {
        return None;
    }
    let numbers: Vec<String> = array.scalars().map(Scalar::decimal).collect();
    let is_short = |text: &String| {
        let mantissa = text.split('e').next().unwrap_or("");
        let digits = mantissa.bytes().filter(u8::is_ascii_digit).collect::<Vec<_>>();
        digits.iter().skip_while(|&&digit| digit == b'0').count() <= LONGEST
    };
    numbers.iter().all(is_short).then(|| Listing::of(numbers, dtype))
}

/// Whether elements of the one type stand for the bits of the other: integers that are as wide, for languages and
/// files without bfloat16 or without unsigned types.
const fn is_bits(stored: Dtype, wanted: Dtype) -> bool {
    !stored.is_float() && stored.size() == wanted.size()
}

/// The elements of a tensor as bytes of another type.
///
/// # Errors
/// The first element that the other type does not have.
pub(crate) fn converted(array: &Tensor, dtype: Dtype) -> Result<Vec<u8>, String> {
    if array.dtype() == dtype || is_bits(array.dtype(), dtype) {
        return Ok(array.bytes().to_vec());
    }
    let mut bytes = Vec::with_capacity(array.count() * dtype.size());
    for (index, scalar) in array.scalars().enumerate() {
        let value = scalar.to_dtype(dtype);
        let value = value.ok_or_else(|| {
            let decimal = clipped(&scalar.decimal());
            format!("element {index}, {decimal}, does not fit; save the array as it was drawn")
        })?;
        bytes.extend(value.to_le_bytes());
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(dtype: Dtype, shape: &Shape) -> Form<'_> {
        Form { dtype, shape }
    }

    /// Reads a file as two elements.
    fn pair(dtype: Dtype, file: &[u8]) -> Result<(Vec<String>, Vec<String>), String> {
        let shape = Shape::vector(2);
        let dump = read(file, &form(dtype, &shape))?;
        assert_eq!((dump.output.dtype(), dump.output.shape()), (dtype, &shape));
        Ok((dump.output.scalars().map(Scalar::literal).collect(), dump.notes))
    }

    /// The elements alone, of a file that needs no note.
    fn plainly(dtype: Dtype, file: &[u8]) -> [String; 2] {
        let (elements, notes) = pair(dtype, file).unwrap();
        assert_eq!(notes, Vec::<String>::new());
        elements.try_into().unwrap()
    }

    /// The elements of a file, and what its note says.
    #[track_caller]
    fn noted(dtype: Dtype, file: &[u8], note: &str) -> [String; 2] {
        let (elements, notes) = pair(dtype, file).unwrap();
        assert!(notes.len() == 1 && notes[0].contains(note), "{notes:?}");
        elements.try_into().unwrap()
    }

    fn saved<T: seedproof_ops::Element>(elements: &[T]) -> Vec<u8> {
        seedproof_read::npy::write(&Tensor::vector(elements))
    }

    #[test]
    fn dump_reads_raw_text_and_npy_alike() {
        let raw = [0x00, 0x3c, 0x01, 0x80];
        let both = ["3c00".to_owned(), "8001".to_owned()];
        assert_eq!(plainly(Dtype::F16, &raw), both);
        assert_eq!(plainly(Dtype::F16, b"003c0180\n"), both);
        assert_eq!(plainly(Dtype::F16, b"00 3c 01 80\n"), both);
        assert_eq!(plainly(Dtype::F16, b"0x3c00, 0x8001"), both);
        assert_eq!(
            noted(
                Dtype::F16,
                b"[3c00\n 8001]",
                "most significant digit first; bytes in the order of memory are run together, such as 003c"
            ),
            both
        );
        let file =
            seedproof_read::npy::write(&Tensor::new(Dtype::F16, Shape::vector(2), raw.to_vec()).unwrap());
        assert_eq!(plainly(Dtype::F16, &file), both);
    }

    #[test]
    fn dump_of_decimals_is_taken_with_a_warning() {
        let text = b"tensor([[ 1.0000, -2.5e-1]], dtype=torch.float32)";
        assert_eq!(
            noted(Dtype::F32, text, "all f32 values apart (that takes 9)"),
            ["3f800000", "be800000"]
        );
        for (dtype, digits) in [(Dtype::F16, 5), (Dtype::Bf16, 4), (Dtype::F64, 17)] {
            noted(
                dtype,
                b"0.5 0.25",
                &format!("all {dtype} values apart (that takes {digits})"),
            );
        }
        assert_eq!(plainly(Dtype::F64, b"inf nan")[0], "7ff0000000000000");
        assert_eq!(plainly(Dtype::I32, b"[10000000, -7]"), ["10000000", "-7"]);
        assert_eq!(
            noted(Dtype::U32, b"10000000 ffffffff", "hexadecimal")[0],
            "268435456"
        );
        let error = |text: &[u8]| pair(Dtype::F32, text).unwrap_err();
        assert_eq!(error(b"0.5"), "text of 1 numbers; f32 [2] has 2 elements");
        assert!(error(b"[0.5 ... 0.25]").starts_with("text with elements left out"));
        assert!(
            error(b"0.5 halves").starts_with("`halves` is not a number, on line 1: `0.5 halves`; remove")
        );
        assert!(error(b"halves 0.5").contains("neither text nor .npy"));
    }

    #[test]
    fn dump_of_another_type_keeps_its_values_or_its_bits() {
        let one = ["3f800000", "3e800000"];
        let same = "every element has the same value there";
        assert_eq!(noted(Dtype::F32, &saved(&[1.0_f64, 0.25]), same), one);
        assert_eq!(
            noted(
                Dtype::F32,
                &saved(&[0x3f80_0000_u32, 0x3e80_0000]),
                "taken as bits"
            ),
            one
        );
        assert_eq!(
            noted(Dtype::U32, &saved(&[-1_i32, 1]), "taken as bits")[0],
            "4294967295"
        );
        assert_eq!(
            noted(Dtype::Bf16, &saved(&[0x3f80_u16, 0]), "taken as bits")[0],
            "3f80"
        );
        assert_eq!(noted(Dtype::I64, &saved(&[-7_i8, 0]), same), ["-7", "0"]);
        assert_eq!(
            pair(Dtype::F32, &saved(&[0.5, 4.0_f64 / 3.0])),
            Err("a .npy file of type `<f8`, which is f64; expected f32, and element 1, 1.3333333333333333, does not fit; save the array \
                 as it was drawn"
                .to_owned())
        );
        // JSON makes doubles of printed numbers. An f32 was drawn as it is.
        let (elements, notes) = pair(Dtype::F32, &saved(&[0.1_f64, 0.25])).unwrap();
        assert_eq!(elements, ["3dcccccd", "3e800000"]);
        assert!(
            notes[0].contains("whose elements are short decimals"),
            "{notes:?}"
        );
        let error = pair(Dtype::F16, &saved(&[0.1_f32, 0.25])).unwrap_err();
        assert!(error.contains("element 0, 0.1, does not fit"), "{error}");
    }

    #[test]
    fn dump_is_the_only_array_of_its_shape() {
        let file = |header: &str, data: &[u8]| {
            let length = u64::try_from(header.len()).unwrap().to_le_bytes();
            [&length[..], header.as_bytes(), data].concat()
        };
        let elements = [0, 0, 0, 7, 9].map(i32::to_le_bytes).concat();
        let one = r#"{"other":{"dtype":"I32","shape":[3],"data_offsets":[0,12]},
            "drawn":{"dtype":"I32","shape":[2],"data_offsets":[12,20]}}"#;
        assert_eq!(plainly(Dtype::I32, &file(one, &elements)), ["7", "9"]);
        let two = r#"{"a":{"dtype":"I32","shape":[2],"data_offsets":[0,8]},
            "b":{"dtype":"I32","shape":[2],"data_offsets":[8,16]}}"#;
        assert_eq!(
            pair(Dtype::I32, &file(two, &elements)).unwrap_err(),
            "it holds 2 arrays (`a`, `b`); save the one that you mean in a file of its own"
        );
    }

    #[test]
    fn dump_says_what_is_wrong() {
        let error = |file: &[u8]| pair(Dtype::F16, file).unwrap_err();
        assert_eq!(error(b"003c00"), "3 bytes in hexadecimal; f16 [2] takes 4 bytes");
        assert_eq!(error(b"003c08001"), "text of 1 numbers; f16 [2] has 2 elements");
        assert_eq!(
            error(&[0xff; 7]),
            "expected 4 bytes for f16 [2], found 7; the file is neither text nor .npy"
        );
        assert!(error(b"\x93NUMPY\x01\x00\xff").contains("broken .npy"));
        assert_eq!(
            error(&saved(&[0_u16; 3])),
            "a .npy file of shape [3]; expected [2]"
        );
        let shape = Shape::new(&[2, 1]).unwrap();
        let flat = read(&saved(&[1_i32, 2]), &form(Dtype::I32, &shape)).unwrap();
        assert_eq!(flat.output.shape(), &shape);
        assert!(flat.notes[0].contains("the shape [2]"));
    }
}
