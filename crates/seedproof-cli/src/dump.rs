//! Reading an implementation's output from a file: raw bytes, hexadecimal text, or NumPy's `.npy`.

use seedproof_ops::{Dtype, Shape, Tensor};

use crate::npy;

/// The element type and shape that a dump must have.
pub(crate) struct Form<'a> {
    pub(crate) dtype: Dtype,
    pub(crate) shape: &'a Shape,
}

/// The output in `file`, read as what it looks like: `.npy` by its magic number, raw little-endian bytes if the
/// size is that of the output, hexadecimal text (bytes in order, white space ignored) otherwise.
///
/// # Errors
/// A sentence that says what the file was taken for and what was expected of it.
pub(crate) fn read(file: &[u8], form: &Form<'_>) -> Result<Tensor, String> {
    if file.starts_with(npy::MAGIC) {
        return read_npy(file, form);
    }
    let expected = form.shape.count() * form.dtype.size();
    if file.len() == expected {
        return tensor(form, file.to_vec());
    }
    match read_hex(file) {
        Some(bytes) if bytes.len() == expected => tensor(form, bytes),
        Some(bytes) => Err(format!(
            "{} bytes in hexadecimal; {} {} takes {expected} bytes",
            bytes.len(),
            form.dtype,
            form.shape
        )),
        None => Err(format!(
            "{} bytes, neither hexadecimal text nor .npy; {} {} takes {expected} bytes",
            file.len(),
            form.dtype,
            form.shape
        )),
    }
}

fn tensor(form: &Form<'_>, bytes: Vec<u8>) -> Result<Tensor, String> {
    Tensor::new(form.dtype, form.shape.clone(), bytes).map_err(|error| format!("failed to {error}"))
}

/// Pairs of hexadecimal digits with white space anywhere between pairs; `None` if it is anything else.
fn read_hex(text: &[u8]) -> Option<Vec<u8>> {
    let digits: Vec<u8> = text
        .iter()
        .filter(|byte| !byte.is_ascii_whitespace())
        .map(|&byte| {
            char::from(byte)
                .to_digit(16)
                .and_then(|digit| u8::try_from(digit).ok())
        })
        .collect::<Option<_>>()?;
    let (pairs, rest) = digits.as_chunks::<2>();
    rest.is_empty()
        .then(|| pairs.iter().map(|[high, low]| high << 4 | low).collect())
}

/// NumPy has no bfloat16: such arrays are saved as two raw bytes (`V2`) or as `u2`.
fn read_npy(file: &[u8], form: &Form<'_>) -> Result<Tensor, String> {
    let npy = npy::read(file)?;
    let expected = match form.dtype {
        Dtype::U8 => &["|u1"][..],
        Dtype::U16 => &["<u2"],
        Dtype::U32 => &["<u4"],
        Dtype::U64 => &["<u8"],
        Dtype::I8 => &["|i1"],
        Dtype::I16 => &["<i2"],
        Dtype::I32 => &["<i4"],
        Dtype::I64 => &["<i8"],
        Dtype::F16 => &["<f2"],
        Dtype::Bf16 => &["|V2", "<V2", "<u2", "<i2"],
        Dtype::F32 => &["<f4"],
        Dtype::F64 => &["<f8"],
    };
    if !expected.contains(&npy.descr) {
        return Err(format!(
            "a .npy file of type `{}`; {} is one of {}",
            npy.descr,
            form.dtype,
            expected.join(" ")
        ));
    }
    if npy.fortran_order && npy.shape.len() > 1 {
        return Err("a .npy file in column-major order; save numpy.ascontiguousarray(…)".to_owned());
    }
    let dims = form
        .shape
        .dims()
        .iter()
        .map(|&dim| u64::try_from(dim).ok())
        .collect::<Option<Vec<_>>>();
    if dims.as_ref() != Some(&npy.shape) {
        return Err(format!(
            "a .npy file of shape {:?}; expected {}",
            npy.shape, form.shape
        ));
    }
    tensor(form, npy.data.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(shape: &Shape) -> Form<'_> {
        Form {
            dtype: Dtype::F16,
            shape,
        }
    }

    fn npy(header: &str, data: &[u8]) -> Vec<u8> {
        let mut file = b"\x93NUMPY\x01\x00".to_vec();
        let padded = format!("{header:<117}\n");
        file.extend(u16::try_from(padded.len()).unwrap().to_le_bytes());
        file.extend(padded.as_bytes());
        file.extend(data);
        file
    }

    #[test]
    fn dump_reads_raw_hex_and_npy_alike() {
        let shape = Shape::vector(2);
        let raw = [0x00, 0x3c, 0x01, 0x80];
        let expected = Tensor::new(Dtype::F16, shape.clone(), raw.to_vec()).unwrap();
        assert_eq!(read(&raw, &form(&shape)), Ok(expected.clone()));
        assert_eq!(read(b"003c 0180\n", &form(&shape)), Ok(expected.clone()));
        let file = npy("{'descr': '<f2', 'fortran_order': False, 'shape': (2,), }", &raw);
        assert_eq!(read(&file, &form(&shape)), Ok(expected));
    }

    #[test]
    fn dump_says_what_is_wrong() {
        let shape = Shape::vector(2);
        let error = |file: &[u8]| read(file, &form(&shape)).unwrap_err();
        assert_eq!(error(b"003c00"), "3 bytes in hexadecimal; f16 [2] takes 4 bytes");
        assert!(error(&[0xff; 7]).contains("neither hexadecimal text nor .npy"));
        assert!(error(b"\x93NUMPY\x01\x00\xff").contains("broken .npy"));
        let other = npy(
            "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }",
            &[0; 8],
        );
        assert_eq!(error(&other), "a .npy file of type `<f4`; f16 is one of <f2");
        let records = npy(
            "{'descr': [('a', '<f2')], 'fortran_order': False, 'shape': (2,), }",
            &[],
        );
        assert!(error(&records).contains("a .npy file of records"));
        let columns = npy(
            "{'descr': '<f2', 'fortran_order': True, 'shape': (1, 2), }",
            &[0; 4],
        );
        assert!(error(&columns).contains("column-major"));
        let wrong = npy(
            "{'descr': '<f2', 'fortran_order': False, 'shape': (3,), }",
            &[0; 6],
        );
        assert_eq!(error(&wrong), "a .npy file of shape [3]; expected [2]");
        let nameless = npy("{'descr': '<f2', 'fortran_order': False}", &[]);
        assert!(error(&nameless).contains("no `shape`"));
        let short = npy(
            "{'descr': '<f2', 'fortran_order': False, 'shape': (2,), }",
            &[0; 3],
        );
        assert!(error(&short).contains("it takes 4 bytes, not 3"));
    }
}
