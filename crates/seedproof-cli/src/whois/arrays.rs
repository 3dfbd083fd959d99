//! The arrays that files hold.

use std::path::Path;

use seedproof_ops::{Dtype, Shape, Tensor};

use crate::dump::{self, Dump};
use crate::exit::Error;
use crate::io;
use seedproof_read::{self as read, Listing, Opened};

/// The array of a file, whose numbers are of this type where it is text.
pub(super) fn array(path: &Path, dtype: Dtype) -> Result<Tensor, Error> {
    let (name, file) = io::file(path)?;
    let failed = |what: String| Error::Usage(format!("failed to read {name}: {what}"));
    let arrays = arrays(&file, Some(dtype), None).map_err(failed)?;
    let first = arrays.into_iter().next();
    first
        .map(|dump| dump.output)
        .ok_or_else(|| failed("it has no array".to_owned()))
}

/// The array of a file that is asked about.
fn chosen(arrays: Vec<read::Array>, named: Option<&str>) -> Result<read::Array, String> {
    let Some(name) = named else {
        return dump::one(arrays, None).map_err(|what| format!("{what}, or choose it with --array NAME"));
    };
    let names: Vec<String> = arrays
        .iter()
        .take(8)
        .map(|array| format!("`{}`", array.name))
        .collect();
    let found = arrays.into_iter().find(|array| array.name == name);
    found.ok_or_else(|| format!("it has no array `{name}`; it has {}", names.join(", ")))
}

/// The numbers of a text, once for each element type that they may be of.
fn listed(listing: &Listing, shape: &Shape, dtype: Option<Dtype>) -> Result<Vec<Dump>, String> {
    let is_written = |dtype: &Dtype| {
        let of = |text: &String| read::is_written_of(*dtype, text);
        !dtype.is_float() || *dtype == Dtype::F64 || listing.numbers.iter().all(of)
    };
    // Words are of the type's full width. Small numbers are drawn alike in types with a sign and without.
    let is_wide = |dtype: &Dtype| {
        let quarter = 1_i128 << (8 * dtype.size() - 2);
        let of = |text: &String| read::element(*dtype, text).is_ok_and(|(it, _)| it.to_i128() >= quarter);
        dtype.is_float() || dtype.is_signed() || listing.numbers.iter().any(of)
    };
    let guessed = || {
        let types = listing.types().into_iter().filter(is_written);
        types.filter(is_wide).collect()
    };
    let types = dtype.or(listing.dtype).map_or_else(guessed, |dtype| vec![dtype]);
    let all: Vec<_> = types
        .into_iter()
        .map(|dtype| dump::listed(listing, dtype, shape.clone()))
        .collect();
    if all.iter().any(Result::is_ok) {
        Ok(all.into_iter().filter_map(Result::ok).collect())
    } else {
        Err(all
            .into_iter()
            .find_map(Result::err)
            .unwrap_or_else(|| "text that is not a list of numbers".to_owned()))
    }
}

/// The numbers of a text as an array of these extents, once for each element type that they may be of, and their places in it
/// if the text leaves elements out.
pub(super) fn shown(
    file: &[u8],
    dtype: Option<Dtype>,
    shape: &Shape,
) -> Result<(Vec<Dump>, Option<Vec<usize>>), String> {
    let Opened::Text(text) = read::open(file)? else {
        return Err("--shape is for numbers as text, and this file says its own".to_owned());
    };
    let listing = Listing::parse(&text);
    let count = listing.numbers.len();
    let of_shape = |shape: &Shape| listed(&listing, shape, dtype);
    let refused = |error| listing.stray(file).unwrap_or(error);
    if listing.leaves_out {
        let places = listing.places(&shape.to_u64())?;
        return Ok((of_shape(&Shape::vector(count)).map_err(refused)?, Some(places)));
    }
    if count != shape.count() {
        return Err(refused(format!(
            "text of {count} numbers; --shape has {}",
            shape.count()
        )));
    }
    Ok((of_shape(shape).map_err(refused)?, None))
}

/// The arrays that a file may hold: one, or one for each element type that its numbers may be of.
pub(super) fn arrays(file: &[u8], dtype: Option<Dtype>, named: Option<&str>) -> Result<Vec<Dump>, String> {
    let of_listing = |listing: &read::Listing| {
        if listing.leaves_out {
            return Err(dump::LEFT_OUT.to_owned());
        }
        let count = u64::try_from(listing.numbers.len()).unwrap_or(u64::MAX);
        let dims = listing.dims.clone().unwrap_or_else(|| vec![count]);
        let shape = Shape::new(&dims).map_err(|error| format!("failed to {error}"))?;
        listed(listing, &shape, dtype).map_err(|error| listing.stray(file).unwrap_or(error))
    };
    if let Some(name) = named
        && let Some(listing) = read::list(file, name)?
    {
        return of_listing(&listing);
    }
    let opened = read::open(file).map_err(|what| match read::names(file).len() {
        0 | 1 => what,
        _ => format!("{what}, or choose it with --array NAME"),
    });
    match opened? {
        Opened::Arrays(arrays) => {
            let array = chosen(arrays, named)?.tensor;
            let mut all = vec![Dump {
                output: array.clone(),
                notes: Vec::new(),
                within: None,
            }];
            // Doubles of a few digits each are what somebody typed or parsed.
            let is_single = || {
                array
                    .scalars()
                    .all(|scalar| scalar.to_dtype(Dtype::F32).is_some())
            };
            if let Some(listing) = dump::short_decimals(&array, Dtype::F32).filter(|_| !is_single()) {
                all.extend(dump::listed(&listing, Dtype::F32, array.shape().clone()));
                all.rotate_left(1);
            }
            Ok(all)
        }
        Opened::Text(text) => match Listing::parse(&text) {
            listing if listing.leaves_out || listing.is_numbers() => of_listing(&listing),
            listing => Err(listing
                .stray(file)
                .unwrap_or_else(|| "text that is not a list of numbers".to_owned())),
        },
        Opened::Bytes(bytes) => Err(format!(
            "{} bytes of no format that is known; save the array with numpy.save",
            bytes.len()
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn types(arrays: Result<Vec<Dump>, String>) -> Vec<Dtype> {
        let arrays = arrays.unwrap();
        arrays.iter().map(|dump| dump.output.dtype()).collect()
    }

    #[test]
    fn text_is_asked_about_in_the_types_that_would_print_it() {
        use Dtype::{Bf16, F16, F32, F64, I32, I64, U32};
        let of = |text: &str| types(arrays(text.as_bytes(), None, None));
        assert_eq!(of("0.5 0.25"), [F32, F64, F16, Bf16]);
        assert_eq!(of("0.88226932 0.91500396"), [F32, F64]);
        // More digits than any float has are still those of some program.
        assert_eq!(of("0.12345678901234567890123 0.5"), [F64]);
        // Some words are a quarter of the greatest or more. Small numbers are those of a range.
        assert_eq!(of("5 6 7"), [I32, I64]);
        assert_eq!(of("1073741823 5"), [I32, I64]);
        assert_eq!(of("1073741824 5"), [I32, U32, I64]);
    }

    #[test]
    fn what_is_no_array_is_named_with_what_helps() {
        let error = |file: &[u8]| arrays(file, None, None).unwrap_err();
        assert!(error(b"no array").starts_with("`no` is not a number, on line 1: `no array`"));
        assert_eq!(error(b"# none"), "text that is not a list of numbers");
        assert_eq!(error(b"[0.5, ..., 0.25]"), dump::LEFT_OUT);
        assert!(error(br#"{"a": [1], "b": [2]}"#).ends_with(", or choose it with --array NAME"));
        // Nothing is left to choose.
        assert!(!error(b"\x1f\x8b\x08\0\0\0\0\0\0\x03aaaaaaaaaaaaaa").contains("--array"));
    }

    #[test]
    fn array_of_a_file_is_chosen_by_its_name() {
        let header = concat!(
            r#"{"x":{"dtype":"F64","shape":[1],"data_offsets":[0,8]},"#,
            r#""y":{"dtype":"F64","shape":[1],"data_offsets":[8,16]}}"#
        );
        let length = u64::try_from(header.len()).unwrap();
        let data = [0.5_f64, 0.1].map(f64::to_le_bytes).concat();
        let file = [&length.to_le_bytes(), header.as_bytes(), &data].concat();
        let of = |name| arrays(&file, None, name);
        assert_eq!(types(of(Some("x"))), [Dtype::F64]);
        // No f32 is this double, and some f32 is printed so.
        assert_eq!(types(of(Some("y"))), [Dtype::F32, Dtype::F64]);
        assert_eq!(of(Some("z")).unwrap_err(), "it has no array `z`; it has `x`, `y`");
        assert!(
            of(None)
                .unwrap_err()
                .ends_with(", or choose it with --array NAME")
        );
    }
}
