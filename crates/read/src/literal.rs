//! Elements and tensors as a command line or a text has them: `0.25`, `0x3e800000`, `[[0.1, 0.9]]`, `f32:[0.1, 0.9]`.

use seedproof_ops::{Dtype, Named as _, Scalar, Shape, Tensor, did_you_mean};

/// The most brackets that stand within each other: as many extents as NumPy gives an array.
const DEEPEST: usize = 64;

/// One element: a decimal number, which is rounded to the nearest value of the type, or its bits after `0x`.
///
/// # Errors
/// A sentence that says what was expected.
pub fn element(dtype: Dtype, text: &str) -> Result<Scalar, String> {
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        let width = 2 * dtype.size();
        let bits = u64::from_str_radix(digits, 16)
            .ok()
            .filter(|_| digits.len() <= width);
        return bits.map(|bits| Scalar::new(dtype, bits)).ok_or_else(|| {
            format!(
                "`{}` is not the bits of a {dtype}: expected at most {width} digits",
                clipped(text)
            )
        });
    }
    Scalar::from_decimal(dtype, text).ok_or_else(|| match dtype.integers() {
        Some(range) => format!(
            "`{}` is not a valid {dtype}: expected a whole number from {} to {}",
            clipped(text),
            range.start(),
            range.end()
        ),
        None => format!(
            "`{}` is not a valid {dtype}: expected a decimal number, or bits such as 0x{}",
            clipped(text),
            Scalar::from_decimal(dtype, "0.5").map_or_else(String::new, Scalar::literal)
        ),
    })
}

/// An element type by its name.
///
/// # Errors
/// A sentence with the nearest name.
pub fn dtype(name: &str) -> Result<Dtype, String> {
    name.parse().map_err(|_| {
        format!(
            "`{}` is not an element type{}; the types are {}",
            clipped(name),
            did_you_mean(name, Dtype::NAMES.iter().copied()),
            Dtype::NAMES.join(", ")
        )
    })
}

/// A list of lists as it is written: its extents, and its elements one after another.
#[derive(Debug, PartialEq, Eq)]
pub struct Literal<'a> {
    /// The extents; none for a single element.
    pub dims: Vec<u64>,
    /// The elements as they are written, in row-major order.
    pub elements: Vec<&'a str>,
}

impl<'a> Literal<'a> {
    /// `1`, `1,2`, `[1, 2]`, `[[1], [2]]`. A list without brackets is one of rank 1.
    ///
    /// # Errors
    /// A sentence that says where rows differ or brackets do not match.
    pub fn parse(text: &'a str) -> Result<Self, String> {
        let text = text.trim();
        let mut elements = Vec::new();
        let dims = if text.starts_with('[') {
            let (dims, rest) = list(text, 0, &mut elements)?;
            if !rest.trim().is_empty() {
                return Err(format!(
                    "unexpected `{}` after the last bracket",
                    clipped(rest.trim())
                ));
            }
            dims
        } else {
            if !text.is_empty() {
                elements.extend(text.split(',').map(str::trim));
            }
            if elements.len() == 1 {
                Vec::new()
            } else {
                vec![extent(elements.len())]
            }
        };
        if elements.contains(&"") {
            return Err(format!("`{}` lacks an element between two commas", clipped(text)));
        }
        Ok(Self { dims, elements })
    }

    /// The tensor of its elements, with these extents.
    ///
    /// # Errors
    /// A sentence about the first element that is not of the type.
    pub fn tensor(&self, dtype: Dtype, dims: &[u64]) -> Result<Tensor, String> {
        let mut bytes = Vec::with_capacity(self.elements.len() * dtype.size());
        for text in &self.elements {
            bytes.extend(element(dtype, text)?.to_le_bytes());
        }
        let shape = Shape::new(dims).map_err(|error| format!("failed to {error}"))?;
        Tensor::new(dtype, shape, bytes).map_err(|error| format!("failed to {error}"))
    }
}

/// The extents of the list that begins a text, and what stands after it. Its elements are appended.
fn list<'a>(text: &'a str, depth: usize, elements: &mut Vec<&'a str>) -> Result<(Vec<u64>, &'a str), String> {
    if depth == DEEPEST {
        return Err(format!("more than {DEEPEST} nested brackets"));
    }
    let unclosed = || "a bracket is never closed".to_owned();
    let mut rest = text.strip_prefix('[').ok_or_else(unclosed)?.trim_start();
    let mut rows: Option<Vec<u64>> = None;
    let mut count = 0;
    while !rest.starts_with(']') {
        let (row, after) = if rest.starts_with('[') {
            list(rest, depth + 1, elements)?
        } else {
            let end = rest.find([',', ']', '[']).ok_or_else(unclosed)?;
            elements.push(rest[..end].trim());
            (Vec::new(), &rest[end..])
        };
        if rows.get_or_insert_with(|| row.clone()) != &row {
            return Err("two rows have different lengths".to_owned());
        }
        count += 1;
        rest = after.trim_start();
        match rest.strip_prefix(',') {
            Some(next) => rest = next.trim_start(),
            None if rest.starts_with(']') => {}
            None if rest.is_empty() => return Err(unclosed()),
            None => return Err(format!("a comma is missing before `{}`", clipped(rest))),
        }
    }
    Ok((
        [vec![extent(count)], rows.unwrap_or_default()].concat(),
        &rest[1..],
    ))
}

fn extent(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

/// The beginning of a text, as far as a message has room for it.
pub fn clipped(text: &str) -> String {
    const MAX_SHOWN_CHARACTERS: usize = 40;
    match text.char_indices().nth(MAX_SHOWN_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> (Vec<u64>, Vec<&str>) {
        let literal = Literal::parse(text).unwrap();
        (literal.dims, literal.elements)
    }

    #[test]
    fn literal_has_the_extents_of_its_brackets() {
        assert_eq!(parsed("0.5"), (vec![], vec!["0.5"]));
        assert_eq!(parsed("3, 4"), (vec![2], vec!["3", "4"]));
        assert_eq!(parsed("[3]"), (vec![1], vec!["3"]));
        assert_eq!(parsed("[]"), (vec![0], vec![]));
        assert_eq!(parsed(""), (vec![0], vec![]));
        assert_eq!(
            parsed(" [[1, 2], [3,4] ,] "),
            (vec![2, 2], vec!["1", "2", "3", "4"])
        );
        assert_eq!(parsed("[[[-1]]]"), (vec![1, 1, 1], vec!["-1"]));
    }

    #[test]
    fn literal_says_what_is_wrong() {
        let error = |text: &str| Literal::parse(text).unwrap_err();
        assert_eq!(error("[[1, 2], [3]]"), "two rows have different lengths");
        assert_eq!(error("[1, [2]]"), "two rows have different lengths");
        assert_eq!(error("[1, 2"), "a bracket is never closed");
        assert_eq!(error("[[1], [2]"), "a bracket is never closed");
        assert_eq!(error("[1] 2"), "unexpected `2` after the last bracket");
        assert_eq!(error("[[1] [2]]"), "a comma is missing before `[2]]`");
        assert_eq!(error("1,,2"), "`1,,2` lacks an element between two commas");
        assert_eq!(error(&"[".repeat(100_000)), "more than 64 nested brackets");
    }

    #[test]
    fn elements_are_decimals_or_bits() {
        let read = |dtype, text: &str| element(dtype, text).map(Scalar::literal);
        assert_eq!(read(Dtype::F32, "0.1"), Ok("3dcccccd".to_owned()));
        assert_eq!(read(Dtype::F32, "-inf"), Ok("ff800000".to_owned()));
        assert_eq!(read(Dtype::F16, "0x3c00"), Ok("3c00".to_owned()));
        assert_eq!(read(Dtype::I32, "0xffffffff"), Ok("-1".to_owned()));
        assert_eq!(read(Dtype::I64, "-7"), Ok("-7".to_owned()));
        assert_eq!(
            read(Dtype::I32, "2.5"),
            Err(
                "`2.5` is not a valid i32: expected a whole number from -2147483648 to 2147483647".to_owned()
            )
        );
        assert_eq!(
            read(Dtype::F16, "half"),
            Err("`half` is not a valid f16: expected a decimal number, or bits such as 0x3800".to_owned())
        );
        assert_eq!(
            read(Dtype::F16, "0x3c000"),
            Err("`0x3c000` is not the bits of a f16: expected at most 4 digits".to_owned())
        );
        assert!(dtype("fp32").unwrap_err().contains("the types are u8"));
        assert!(dtype("bf61").unwrap_err().contains("not an element type"));
    }
}
