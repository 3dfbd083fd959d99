//! Numbers as text: a list, what Python prints of an array or a tensor, the initialiser of an array in C, rows of decimals or
//! hexadecimal digits.

use seedproof_ops::{Dtype, Scalar};

use crate::literal::{self, clipped};
use crate::{array, elided, table};

/// Numbers as they are written, without what stands around them.
#[derive(Debug)]
pub struct Listing {
    /// The numbers, without the suffixes of C.
    pub numbers: Vec<String>,
    /// The extents, as the outermost brackets or the lines have them; none with rows of different lengths.
    pub dims: Option<Vec<u64>>,
    /// The element type that the text names: `dtype=float32`, `uint32_t words[] = {`.
    pub dtype: Option<Dtype>,
    /// Whether the text leaves numbers out, as `[0.5 ... 0.25]` does.
    pub leaves_out: bool,
    /// Where the numbers stand along each axis, if the text leaves others out.
    indices: Option<Vec<Vec<isize>>>,
}

/// The zeros and ones of a mask.
fn mask(words: &[&str]) -> Option<Vec<String>> {
    let bit = |word: &&str| table::truth(word).map(str::to_owned);
    let bits: Vec<String> = words.iter().map(bit).collect::<Option<_>>()?;
    (!bits.is_empty()).then_some(bits)
}

impl Listing {
    /// Numbers of a type.
    pub fn of(numbers: Vec<String>, dtype: Dtype) -> Self {
        Self {
            numbers,
            dims: None,
            dtype: Some(dtype),
            leaves_out: false,
            indices: None,
        }
    }

    /// Takes the numbers of a text apart from what stands around them. Whether they are numbers is seen later, by their type.
    pub fn parse(text: &str) -> Self {
        // Web pages write a minus sign for the hyphen.
        let text = text.trim_start_matches('\u{feff}').replace('\u{2212}', "-");
        let text = with_points(text);
        let kept = text.lines().filter(|line| {
            let line = line.trim_start();
            // `#include` is not a comment, but it has no numbers either.
            !line.starts_with('#') && !line.starts_with("//")
        });
        let text = kept.collect::<Vec<_>>().join("\n");
        let dtype = named_dtype(&text);
        let text = table::in_brackets(&text)
            .unwrap_or_else(|| text.lines().map(table::value).collect::<Vec<_>>().join("\n"));
        // What stands before, such as the prefix of a log, may have brackets of its own.
        let from = ["tensor(", "array("]
            .iter()
            .filter_map(|name| text.find(name))
            .min();
        let (inside, dims) = bracketed(&text[from.unwrap_or(0)..]);
        let mut leaves_out = false;
        let mut words = Vec::new();
        for word in inside.split(table::is_between).filter(|word| !word.is_empty()) {
            if word.starts_with("...") || word == "…" {
                leaves_out = true;
            } else if !["array", "tensor"].contains(&word)
                && !word.contains('=')
                && numpy_type(word).is_none()
            {
                words.push(word);
            }
        }
        let is_hex = are_plain_hex(&words);
        let number = |word: &&str| if is_hex { *word } else { without_suffix(word) }.to_owned();
        let masked = mask(&words);
        let dtype = masked.as_ref().map_or(dtype, |_| Some(Dtype::U8));
        let numbers: Vec<String> = masked.unwrap_or_else(|| words.iter().map(number).collect());
        let count = u64::try_from(numbers.len()).ok();
        let dims = dims.filter(|dims| dims.iter().try_fold(1_u64, |all, &dim| all.checked_mul(dim)) == count);
        let indices = leaves_out.then(|| elided::indices(&inside)).flatten();
        Self {
            numbers,
            dims,
            dtype,
            leaves_out,
            indices,
        }
    }

    /// The places of the numbers in an array of these extents, of which the text leaves out the others.
    ///
    /// # Errors
    /// A sentence that says what contradicts the extents.
    pub fn places(&self, extents: &[u64]) -> Result<Vec<usize>, String> {
        match &self.indices {
            Some(indices) if indices.len() == self.numbers.len() => elided::places(indices, extents),
            _ => Err("the text does not say along which axis it leaves elements out".to_owned()),
        }
    }

    /// Whether the first of the numbers is one at all.
    pub fn is_numbers(&self) -> bool {
        let is_number = |text: &String| {
            element(Dtype::F64, text).is_ok()
                || text.len() <= 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
        };
        self.numbers.first().is_some_and(is_number)
    }

    /// A sentence about the first word that is not a number, for a file that was refused.
    pub fn stray(&self, file: &[u8]) -> Option<String> {
        let is_hex = |word: &String| word.bytes().all(|byte| byte.is_ascii_hexdigit());
        if self.numbers.iter().all(is_hex) {
            return None;
        }
        let word = self
            .numbers
            .iter()
            .find(|word| element(Dtype::F64, word).is_err())?;
        let text = str::from_utf8(file).ok()?;
        let has_word = |line: &str| {
            let mut words = line.split(table::is_between);
            words.any(|other| other.trim_matches('"') == word)
        };
        let (number, line) = (1..).zip(text.lines()).find(|(_, line)| has_word(line))?;
        Some(format!(
            "`{}` is not a number, on line {number}: `{}`; remove what is not numbers, or save the array with numpy.save",
            clipped(word),
            clipped(line.trim())
        ))
    }

    /// Whether all numbers are words in hexadecimal without `0x`, of as many digits as an element has.
    pub fn is_plain_hex(&self, dtype: Dtype) -> bool {
        let width = 2 * dtype.size();
        let is_hex = |word: &String| word.len() == width && word.bytes().all(|byte| byte.is_ascii_hexdigit());
        // Eight digits may be a whole number in decimal. Floats are rarely printed so, and integers mostly.
        let has_letters = || {
            let mut bytes = self.numbers.iter().flat_map(|word| word.bytes());
            bytes.any(|byte| byte.is_ascii_alphabetic())
        };
        dtype.size() > 1 && self.numbers.iter().all(is_hex) && (dtype.is_float() || has_letters())
    }

    /// The element types that the numbers may be of, the likeliest first.
    pub fn types(&self) -> Vec<Dtype> {
        if let Some(dtype) = self.dtype {
            return vec![dtype];
        }
        let is_float = |text: &String| {
            !text.starts_with("0x") && text.bytes().any(|byte| matches!(byte, b'.' | b'n' | b'N'))
                || text.contains("e-")
                || text.contains("e+")
        };
        let widths: Vec<usize> = [Dtype::U32, Dtype::U64, Dtype::U16]
            .into_iter()
            .filter(|&dtype| self.is_plain_hex(dtype))
            .map(Dtype::size)
            .collect();
        let prefixed = self.numbers.iter().filter_map(|text| text.strip_prefix("0x"));
        let width = widths
            .first()
            .copied()
            .or_else(|| prefixed.map(|digits| digits.len().div_ceil(2)).max());
        match width {
            Some(0..=2) => vec![Dtype::F16, Dtype::Bf16, Dtype::U16],
            Some(3..=4) => vec![Dtype::U32, Dtype::F32],
            Some(_) => vec![Dtype::U64, Dtype::F64],
            None if self.numbers.iter().any(is_float) => {
                // Significant ones: zeros before them say where the point stands.
                let digits = |text: &String| {
                    let mantissa = text.split(['e', 'E']).next().unwrap_or(text);
                    let significant = mantissa.trim_start_matches(['-', '+', '0', '.']);
                    significant.bytes().filter(u8::is_ascii_digit).count()
                };
                // More digits than nine tell no two f32 apart.
                if self.numbers.iter().any(|text| digits(text) > 11) {
                    vec![Dtype::F64, Dtype::F32]
                } else {
                    vec![Dtype::F32, Dtype::F64, Dtype::F16, Dtype::Bf16]
                }
            }
            None => [Dtype::I32, Dtype::U32, Dtype::I64, Dtype::U64]
                .into_iter()
                .filter(|dtype| dtype.is_signed() || !self.numbers.iter().any(|text| text.starts_with('-')))
                .filter(|&dtype| self.numbers.iter().all(|text| element(dtype, text).is_ok()))
                .collect(),
        }
    }
}

/// A text whose decimals have a comma in place of the point, with points. Such numbers have more digits than people write
/// after a comma between two whole numbers.
fn with_points(text: String) -> String {
    let is_decimal = |word: &str| {
        let digits = |text: &str, lengths: std::ops::Range<usize>| {
            lengths.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
        };
        word.split_once(',')
            .is_some_and(|(whole, rest)| digits(whole.trim_start_matches('-'), 1..4) && digits(rest, 4..20))
    };
    let between = |c: char| c.is_whitespace() || c == ';';
    let mut words = text.split(between).filter(|word| !word.is_empty()).peekable();
    if words.peek().is_some() && words.all(is_decimal) {
        text.replace(',', ".")
    } else {
        text
    }
}

/// The type that `np.float32(0.5)` names, as a list of NumPy's numbers is printed.
fn numpy_type(word: &str) -> Option<Dtype> {
    let name = word.strip_prefix("np.").or_else(|| word.strip_prefix("numpy."))?;
    array::dtype(name)
}

/// The most extents of an array of NumPy.
const MOST_EXTENTS: usize = 64;

/// The part of a text that contains the numbers, and the extents that its brackets imply. It is the text inside the outermost
/// braces or brackets, or all of it if there are none.
fn bracketed(text: &str) -> (String, Option<Vec<u64>>) {
    // The first bracket of `float x[4] = {…}` does not begin a list.
    let (opening, closing) = if text.contains('{') {
        ('{', '}')
    } else {
        ('[', ']')
    };
    // Python writes extents in brackets too.
    let text = text.replace("torch.Size([", "(");
    if !text.contains(opening) {
        return (text, None);
    }
    let mut inside = String::new();
    let mut depth = 0_usize;
    // For each depth: how many lists or numbers stand at it, and the extents found below.
    let mut lengths: Vec<Option<u64>> = Vec::new();
    let mut counts: Vec<u64> = Vec::new();
    let mut is_even = true;
    let mut in_number = false;
    for c in text.chars() {
        if c == opening {
            if let Some(count) = counts.last_mut() {
                *count += 1;
            }
            depth += 1;
            counts.push(0);
            if lengths.len() < depth {
                lengths.push(None);
            }
        } else if c == closing {
            if let Some(count) = counts.pop() {
                let known = lengths[depth - 1].get_or_insert(count);
                is_even &= *known == count;
                depth -= 1;
            }
        } else if depth > 0 {
            let is_separator = c.is_whitespace() || ",;".contains(c);
            if !is_separator && !in_number {
                *counts.last_mut().expect("a list is open") += 1;
            }
            in_number = !is_separator;
        }
        if c == opening || c == closing {
            in_number = false;
        }
        if depth > 0 || c == closing {
            inside.push(c);
        }
    }
    // Brackets within each other of more levels than arrays have are taken for noise around the numbers.
    let is_array = is_even && depth == 0 && lengths.len() <= MOST_EXTENTS;
    let dims: Option<Vec<u64>> = lengths.into_iter().collect();
    (inside, dims.filter(|_| is_array))
}

/// The element type that a text names beside its numbers.
fn named_dtype(text: &str) -> Option<Dtype> {
    if let Some((_, rest)) = text.split_once("dtype=") {
        let name: String = rest
            .chars()
            .take_while(|&c| c.is_ascii_alphanumeric() || "._<: '\"".contains(c))
            .collect();
        return array::dtype(name.trim().split(' ').next_back()?);
    }
    let mut words = text.split(|c: char| !(c.is_ascii_alphanumeric() || "._".contains(c)));
    if let Some(dtype) = words.find_map(numpy_type) {
        return Some(dtype);
    }
    // A declaration of C: the last word before the braces that is a type.
    let (before, _) = text.split_once('{')?;
    before
        .split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .filter_map(array::dtype)
        .next_back()
}

/// Whether all words have the digits of one width in hexadecimal: the last digit of `0937424f` is no suffix then.
fn are_plain_hex(words: &[&str]) -> bool {
    let width = words.first().map_or(0, |word| word.len());
    let is_hex = |word: &&str| word.len() == width && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    matches!(width, 4 | 8 | 16) && words.iter().all(is_hex)
}

/// A number without the suffixes of C and C++.
fn without_suffix(word: &str) -> &str {
    let is_hex = word.trim_start_matches('-').starts_with("0x") || word.starts_with("0X");
    let plain = word.trim_end_matches(['u', 'U', 'l', 'L']);
    let is_decimal =
        |text: &str| text.parse::<f64>().is_ok() && text.ends_with(|c: char| c.is_ascii_digit() || c == '.');
    match plain.strip_suffix(['f', 'F']) {
        Some(float) if !is_hex && is_decimal(float) => float,
        _ if plain.len() < word.len() && (is_hex || is_decimal(plain)) => plain,
        _ => word,
    }
}

/// An element, and the numbers that would have been written so, where it is a decimal of a float.
///
/// # Errors
/// A sentence that says what was expected.
pub fn element(dtype: Dtype, text: &str) -> Result<(Scalar, Option<[f64; 2]>), String> {
    if text.starts_with("0x") || text.starts_with("0X") {
        return literal::element(dtype, text).map(|scalar| (scalar, None));
    }
    if dtype.is_float() {
        let scalar = literal::element(dtype, text)?;
        return Ok((scalar, within(text, scalar)));
    }
    // A whole number that is stored as a float is printed as `7.` or `7.0`.
    let whole = text
        .split_once('.')
        .filter(|(_, rest)| rest.bytes().all(|byte| byte == b'0'));
    let number = whole.map_or(text, |(whole, _)| whole);
    // Languages without unsigned types print words as signed numbers.
    let signed = number
        .parse::<i64>()
        .ok()
        .filter(|&number| number < 0 && !dtype.is_signed());
    let wrapped = signed.filter(|number| number.unsigned_abs() <= 1 << (8 * dtype.size() - 1));
    match wrapped {
        Some(number) => Ok((Scalar::new(dtype, u64::from_le_bytes(number.to_le_bytes())), None)),
        None => literal::element(dtype, number).map(|scalar| (scalar, None)),
    }
}

/// The numbers that a decimal stands for: half a unit of its last digit to each side, and the element nearest to it.
/// `None` where that is the element alone, or where the text has more digits than any type.
fn within(text: &str, scalar: Scalar) -> Option<[f64; 2]> {
    let (digits, negative, [low, high]) = written(text)?;
    let nearest = scalar.to_f64();
    let (low, high) = (low.min(nearest), high.max(nearest));
    let (low, high) = match (digits, negative) {
        (0, true) => (low, 0.0),
        (0, false) => (0.0, high),
        _ => (low, high),
    };
    let [below, above] = [low, high].map(|end| rounded(scalar.dtype(), end));
    (below != Some(scalar) || above != Some(scalar)).then_some([low, high])
}

/// Whether an element of a float type would have been written so, with as many digits as the text has. `0.8831` is not an f16:
/// the nearest one is 0.8833. Without this, numbers that are 1e-6 off would be the nearest half, and a right one.
pub fn is_written_of(dtype: Dtype, text: &str) -> bool {
    let Some((_, _, [low, high])) = written(text) else {
        return true;
    };
    let nearest = Scalar::from_decimal(dtype, text).map(Scalar::to_f64);
    nearest.is_none_or(|nearest| !nearest.is_finite() || (low..=high).contains(&nearest))
}

/// The digits of a decimal, whether it is negative, and the numbers half a unit of its last digit to each side. `None` if
/// the text is not a decimal, or has more digits than any type.
fn written(text: &str) -> Option<(i128, bool, [f64; 2])> {
    let lower = text.to_ascii_lowercase();
    let (mantissa, exponent) = lower.split_once('e').unwrap_or((&lower, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: i128 = format!("{whole}{fraction}")
        .parse()
        .ok()
        .filter(|_| mantissa.len() < 34)?;
    let negative = mantissa.starts_with('-');
    let exponent = exponent.parse::<i64>().ok()? - i64::try_from(fraction.len()).ok()? - 1;
    // `-0.0001` and `-0.0000` have the sign apart from the digits.
    let ends = [10 * digits - 5, 10 * digits + 5].map(|end| format!("{end}e{exponent}").parse::<f64>().ok());
    let [low, high] = [ends[0]?, ends[1]?];
    Some((digits, negative, [low.min(high), high.max(low)]))
}

/// The element nearest to a number.
fn rounded(dtype: Dtype, number: f64) -> Option<Scalar> {
    Scalar::from_decimal(dtype, &format!("{number:e}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(text: &str) -> Vec<String> {
        Listing::parse(text).numbers
    }

    #[test]
    fn text_may_be_of_the_types_that_would_print_it() {
        let first = |text: &str| Listing::parse(text).types()[0];
        assert_eq!(first("0.71963549 0.00074160099"), Dtype::F32);
        assert_eq!(first("0.7196354866027832 0.5"), Dtype::F64);
        // As C prints a float by `%.10f`.
        assert_eq!(first("1.9269152880"), Dtype::F32);
        // As wide as a word in hexadecimal, and none.
        assert_eq!(first("1.25e-03 5.00e-01"), Dtype::F32);
        // Bytes in hexadecimal are those of memory, and no words.
        assert!(!Listing::parse("2a 1b").is_plain_hex(Dtype::U8));
        assert!(is_written_of(Dtype::F16, "0.8823"));
        assert!(!is_written_of(Dtype::F16, "0.8831"));
        assert!(!is_written_of(Dtype::Bf16, "0.882269"));
        assert!(is_written_of(Dtype::F32, "-1.25e-3"));
        assert!(is_written_of(Dtype::F16, "nan"));
    }

    #[test]
    fn text_is_of_numbers_if_its_first_word_is_one() {
        for (text, is) in [
            ("0.5 x", true),
            ("ff 1b", true),
            ("0123456789abcdef", true),
            ("deadbeefdeadbeefd", false),
            ("hello 0.5", false),
            ("", false),
        ] {
            assert_eq!(Listing::parse(text).is_numbers(), is, "{text:?}");
        }
    }

    #[test]
    fn brackets_of_more_levels_than_arrays_have_are_no_extents() {
        let dims = |levels: usize| {
            let text = format!("{}0.5{}", "[".repeat(levels), "]".repeat(levels));
            Listing::parse(&text).dims.map(|dims| dims.len())
        };
        assert_eq!((dims(64), dims(65), dims(30_000)), (Some(64), None, None));
    }

    #[test]
    fn text_is_taken_apart_as_people_paste_it() {
        let four = ["0.4963", "0.7682", "0.0885", "0.1320"];
        for text in [
            "0.4963 0.7682 0.0885 0.1320",
            "\u{feff}0.4963,0.7682\r\n0.0885,0.1320\r\n",
            "# torch.rand(2, 2)\ntensor([[0.4963, 0.7682],\n        [0.0885, 0.1320]], dtype=torch.float32)",
            "array([0.4963, 0.7682, 0.0885, 0.1320], dtype=float32)",
            "<tf.Tensor: shape=(4,), dtype=float32, numpy=array([0.4963, 0.7682, 0.0885, 0.1320], dtype=float32)>",
            "tensor([0.4963, 0.7682, 0.0885, 0.1320], device='cuda:0', size=torch.Size([4]))",
            "static const float x[4] = {\n  0.4963f, 0.7682F,\n  0.0885f, 0.1320f,\n};",
            "std::array<double, 4> x{{0.4963, 0.7682, 0.0885, 0.1320}};",
            "Out[3]: \ntensor([0.4963, 0.7682, 0.0885, 0.1320])",
            "[INFO] 2026-03-02 12:00:01 sample: tensor([0.4963, 0.7682, 0.0885, 0.1320])",
            "OrderedDict([('weight', tensor([0.4963, 0.7682, 0.0885, 0.1320]))])",
            "[np.float32(0.4963), np.float32(0.7682), np.float32(0.0885), np.float32(0.1320)]",
            "x[0] = 0.4963\nx[1] = 0.7682\nx[2] = 0.0885\nx[3] = 0.1320\n",
            ",A,B\n0,0.4963,0.7682\n1,0.0885,0.1320\n",
            "A,B\n0.4963,0.7682\n0.0885,0.1320\n",
            "\"x\"\n0.4963\n0.7682\n0.0885\n0.1320\n",
            ",0.4963,0.7682\n,0.0885,0.1320\n",
            "# seed 42\n// of 2026\n0.4963 0.7682 0.0885 0.1320",
            "[tensor(0.4963), tensor(0.7682), tensor(0.0885), tensor(0.1320)]",
        ] {
            assert_eq!(numbers(text), four, "{text}");
        }
        assert_eq!(numbers("uint32_t w[2] = {0x1fu, 31UL};"), ["0x1f", "31"]);
        assert_eq!(numbers("array([7, 9], dtype=uint32)"), ["7", "9"]);
        assert_eq!(numbers("face\n1234\n"), ["face", "1234"]);
        assert_eq!(numbers("ab\n12\n"), ["ab", "12"]);
        // A word in hexadecimal may end as a float of C does.
        assert_eq!(
            numbers("6ac1f425 0937424f 12e4567f"),
            ["6ac1f425", "0937424f", "12e4567f"]
        );
        assert_eq!(numbers("0xdeadbeef"), ["0xdeadbeef"]);
        assert_eq!(numbers("float x[] = {1.f, 0.5F};"), ["1.", "0.5"]);
        // As wide as words in hexadecimal, and decimals of C.
        assert_eq!(numbers("{0.5f, 1.5f}"), ["0.5", "1.5"]);
        // Of no such width: a message repeats the word as it was written.
        assert_eq!(numbers("1a0f0f 22"), ["1a0f0f", "22"]);
        // The first line of a column is a number of C, or its name.
        assert_eq!(numbers("4294967295u\n5\n6\n"), ["4294967295", "5", "6"]);
        assert_eq!(numbers("loss\n0.5\n0.25\n"), ["0.5", "0.25"]);
        assert_eq!(numbers("face cafe\n1234\n"), ["face", "cafe", "1234"]);
        // What only ends as a suffix does.
        assert_eq!(numbers("[0.5, null]"), ["0.5", "null"]);
        assert_eq!(numbers("tensor([0.5, \u{2212}0.25])"), ["0.5", "-0.25"]);
        assert_eq!(numbers("0,1\n2,3\n"), ["0", "1", "2", "3"]);
        assert_eq!(Listing::parse("[np.float16(0.5)]").dtype, Some(Dtype::F16));
        assert!(Listing::parse("[0.5 ... 0.25]").leaves_out);
    }

    #[test]
    fn words_may_be_printed_as_signed_numbers() {
        let of = |dtype, text| element(dtype, text).map(|(scalar, _)| scalar.bits());
        assert_eq!(of(Dtype::U64, "-1"), Ok(u64::MAX));
        assert_eq!(of(Dtype::U64, "-9223372036854775808"), Ok(1 << 63));
    }

    #[test]
    fn places_are_those_of_all_numbers_or_of_none() {
        let places = |text: &str| Listing::parse(text).places(&[10]);
        assert_eq!(places("[1 2 ... 9]"), Ok(vec![0, 1, 9]));
        // The index takes no semicolon for the end of a number.
        assert!(places("[1;2 ... 9]").is_err());
    }

    #[test]
    fn text_says_its_type_and_extents() {
        let listing = Listing::parse("tensor([[1, 2, 3], [4, 5, 6]], dtype=torch.int16)");
        assert_eq!(
            (listing.dims, listing.dtype),
            (Some(vec![2, 3]), Some(Dtype::I16))
        );
        let listing = Listing::parse("const unsigned x[] = {1, 2};");
        assert_eq!((listing.dims, listing.dtype), (Some(vec![2]), Some(Dtype::U32)));
        assert_eq!(Listing::parse("[[1, 2], [3]]").dims, None);
        assert_eq!(Listing::parse("[[1, 2], [3], [4, 5, 6]]").dims, None);
        assert_eq!(Listing::parse("[[1 2][3 4]]").dims, Some(vec![2, 2]));
        assert_eq!(Listing::parse("0.5 1e-3").types()[0], Dtype::F32);
        assert_eq!(Listing::parse("4294967295 1").types()[0], Dtype::U32);
        assert_eq!(
            Listing::parse("3f1ceaf0 3c24cdda").types(),
            [Dtype::U32, Dtype::F32]
        );
        assert_eq!(Listing::parse("-7 1").types(), [Dtype::I32, Dtype::I64]);
    }

    #[test]
    fn numbers_of_other_languages_are_read() {
        let r = Listing::parse("[1] 0.9148060 0.9370754\n[3] 0.2861395\n");
        assert_eq!(r.numbers, ["0.9148060", "0.9370754", "0.2861395"]);
        let commas = Listing::parse("0,37454012; -1,9507\n0,7319939");
        assert_eq!(commas.numbers, ["0.37454012", "-1.9507", "0.7319939"]);
        // A table of whole numbers, and a list in brackets.
        assert_eq!(Listing::parse("1,20\n3,4123").numbers, ["1", "20", "3", "4123"]);
        assert_eq!(Listing::parse("[12] [3]").numbers, ["12", "3"]);
    }

    #[test]
    fn a_decimal_is_as_wide_as_its_last_digit() {
        let of = |dtype, text| element(dtype, text).unwrap().1;
        assert_eq!(of(Dtype::F32, "0.5349"), Some([0.53485, 0.53495]));
        assert_eq!(of(Dtype::F32, "-5.349e-1"), Some([-0.53495, -0.53485]));
        assert_eq!(of(Dtype::F64, "3."), Some([2.5, 3.5]));
        assert_eq!(of(Dtype::F16, "0.0000"), Some([0.0, 0.00005]));
        assert_eq!(of(Dtype::F16, "-0.0000"), Some([-0.00005, 0.0]));
        assert_eq!(of(Dtype::F32, "1e2"), Some([50.0, 150.0]));
        // Nine digits tell all f32 apart, and five all f16.
        assert_eq!(of(Dtype::F32, "0.534907341"), None);
        assert_eq!(of(Dtype::F16, "0.53467"), None);
        assert_eq!(of(Dtype::F32, "inf"), None);
        assert_eq!(of(Dtype::I32, "7."), None);
        assert_eq!(element(Dtype::U32, "-1").unwrap().0.bits(), 0xffff_ffff);
        assert_eq!(element(Dtype::U32, "-2147483648").unwrap().0.bits(), 0x8000_0000);
        assert!(element(Dtype::U32, "-2147483649").is_err());
        assert!(element(Dtype::U32, "-4294967297").is_err());
        assert!(element(Dtype::I32, "2.5").is_err());
    }
}
