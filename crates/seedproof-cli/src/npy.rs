//! The header of NumPy's `.npy` files: a Python dictionary with the element type, the order and the shape.

/// How every `.npy` file begins.
pub(crate) const MAGIC: &[u8] = b"\x93NUMPY";

/// A file's header, and the bytes after it.
pub(crate) struct Npy<'a> {
    /// NumPy's name of the element type, such as `<f4`.
    pub(crate) descr: &'a str,
    /// Whether the array is in column-major order.
    pub(crate) fortran_order: bool,
    /// The extents, outermost first.
    pub(crate) shape: Vec<u64>,
    pub(crate) data: &'a [u8],
}

/// Reads a file of version 1, 2 or 3 of the format.
///
/// # Errors
/// A sentence about the header's first error.
pub(crate) fn read(file: &[u8]) -> Result<Npy<'_>, String> {
    let (text, data) = split(file).ok_or("a broken .npy file: it ends within its header")?;
    let text = str::from_utf8(text).map_err(|error| format!("a broken .npy file: {error}"))?;
    let value = |key: &str| {
        let rest = [format!("'{key}':"), format!("\"{key}\":")]
            .iter()
            .find_map(|key| text.split_once(key.as_str()));
        rest.map(|(_, rest)| rest.trim_start())
            .ok_or_else(|| format!("a broken .npy file: its header has no `{key}`"))
    };
    let descr = value("descr")?;
    let quote = descr.chars().next().filter(|c| ['\'', '"'].contains(c));
    let Some((_, descr)) = quote.and_then(|quote| descr.split_once(quote)) else {
        return Err("a .npy file of records; expected one plain type".to_owned());
    };
    let shape = value("shape")?;
    Ok(Npy {
        descr: descr.split(['\'', '"']).next().unwrap_or(""),
        fortran_order: value("fortran_order")?.starts_with("True"),
        shape: extents(shape).ok_or("a broken .npy file: its shape is no list of extents")?,
        data,
    })
}

/// The header's text and what stands after it. Its length is a u16 in version 1, a u32 since.
fn split(file: &[u8]) -> Option<(&[u8], &[u8])> {
    let (version, rest) = file.strip_prefix(MAGIC)?.split_first_chunk::<2>()?;
    let (length, rest) = if version[0] == 1 {
        let (length, rest) = rest.split_first_chunk()?;
        (usize::from(u16::from_le_bytes(*length)), rest)
    } else {
        let (length, rest) = rest.split_first_chunk()?;
        (usize::try_from(u32::from_le_bytes(*length)).ok()?, rest)
    };
    rest.split_at_checked(length)
}

/// The numbers of `(3, 3)`, `(3,)` or `()`.
fn extents(tuple: &str) -> Option<Vec<u64>> {
    let (inside, _) = tuple.strip_prefix('(')?.split_once(')')?;
    let parts = inside.split(',').map(str::trim).filter(|part| !part.is_empty());
    parts.map(|part| part.parse().ok()).collect()
}
