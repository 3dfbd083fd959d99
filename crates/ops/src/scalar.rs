//! One element as bits, and its two ways of being written.

use half::{bf16, f16};

use crate::dtype::Dtype;
use crate::element::Element;
use crate::environment::standard;

/// One element: its type and its bits, zero-extended to 64.
///
/// Written as a **literal** (what vectors hold: hexadecimal digits of the element's own width for floats, a
/// decimal number for integers) or as a **decimal** (what people read: the shortest decimal that reads back as
/// the same value).
///
/// ```
/// use seedproof_ops::{Dtype, Scalar};
///
/// let tenth = Scalar::from_decimal(Dtype::F16, "0.1").expect("a number");
/// assert_eq!((tenth.literal().as_str(), tenth.decimal().as_str()), ("2e66", "0.1"));
/// // As wide as its type: a conversion that loses anything is refused.
/// assert_eq!(tenth.to_dtype(Dtype::F32).map(|it| it.decimal()).as_deref(), Some("0.099975586"));
/// assert_eq!(Scalar::new(Dtype::F32, 0x7f80_0000).to_dtype(Dtype::I32), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scalar {
    dtype: Dtype,
    bits: u64,
}

impl<T: Element> From<T> for Scalar {
    fn from(element: T) -> Self {
        let mut bytes = Vec::with_capacity(T::DTYPE.size());
        element.push_le(&mut bytes);
        Self::from_le_bytes(T::DTYPE, &bytes)
    }
}

impl Scalar {
    /// A scalar from bits; bits above the element's width are dropped.
    pub const fn new(dtype: Dtype, bits: u64) -> Self {
        let mask = match dtype.size() {
            1 => 0xff,
            2 => 0xffff,
            4 => 0xffff_ffff,
            _ => u64::MAX,
        };
        Self {
            dtype,
            bits: bits & mask,
        }
    }

    /// A scalar from its bytes, least significant first.
    ///
    /// # Panics
    /// If the length is not [`Dtype::size`].
    #[inline]
    pub fn from_le_bytes(dtype: Dtype, bytes: &[u8]) -> Self {
        assert_eq!(bytes.len(), dtype.size(), "a scalar takes exactly its own bytes");
        // Each width has its own load: arrays are scanned through here, and a copy of a length that is not known is a call.
        let bits = match *bytes {
            [byte] => byte.into(),
            [a, b] => u16::from_le_bytes([a, b]).into(),
            [a, b, c, d] => u32::from_le_bytes([a, b, c, d]).into(),
            _ => u64::from_le_bytes(*bytes.first_chunk().expect("an element takes at most eight bytes")),
        };
        Self { dtype, bits }
    }

    /// Its bytes, least significant first; [`Dtype::size`] of them.
    pub fn to_le_bytes(self) -> Vec<u8> {
        self.bits.to_le_bytes()[..self.dtype.size()].to_vec()
    }

    /// The element type.
    pub const fn dtype(self) -> Dtype {
        self.dtype
    }

    /// The bits, zero-extended.
    pub const fn bits(self) -> u64 {
        self.bits
    }

    /// Whether it is a NaN.
    pub const fn is_nan(self) -> bool {
        self.dtype.is_float() && self.bits & !self.sign() > self.infinity()
    }

    /// The bits of the positive quiet NaN without payload of its type, which is a float.
    pub(crate) const fn quiet_nan(self) -> u64 {
        self.infinity() | 1 << (self.dtype.mantissa_bits() - 1)
    }

    /// The bits of infinity of its type, which is a float.
    const fn infinity(self) -> u64 {
        self.sign() - (1 << self.dtype.mantissa_bits())
    }

    /// The highest bit of its type.
    const fn sign(self) -> u64 {
        1 << (8 * self.dtype.size() - 1)
    }

    /// The value as an `f64`: exact for every type but i64 and u64, which are rounded to nearest even.
    #[expect(
        clippy::cast_precision_loss,
        reason = "documented: 64-bit integers are rounded"
    )]
    pub fn to_f64(self) -> f64 {
        match self.dtype {
            Dtype::F16 => f16::from_bits(self.low_16()).to_f64(),
            Dtype::Bf16 => bf16::from_bits(self.low_16()).to_f64(),
            Dtype::F32 => f64::from(f32::from_bits(self.low_32())),
            Dtype::F64 => f64::from_bits(self.bits),
            _ => self.to_i128() as f64,
        }
    }

    /// The value of an integer; for a float, its bits.
    pub fn to_i128(self) -> i128 {
        let bits = 8 * self.dtype.size();
        let negative = self.dtype.is_signed() && self.bits >> (bits - 1) == 1;
        i128::from(self.bits) - if negative { 1 << bits } else { 0 }
    }

    /// The value of an integer as an `i64`, where 2^63 and more, which only a u64 has, become negative; for a float,
    /// its bits.
    pub fn to_i64(self) -> i64 {
        let bytes = self.to_i128().to_le_bytes();
        i64::from_le_bytes(*bytes.first_chunk().expect("sixteen bytes begin with eight"))
    }

    fn low_16(self) -> u16 {
        let [a, b, ..] = self.bits.to_le_bytes();
        u16::from_le_bytes([a, b])
    }

    fn low_32(self) -> u32 {
        let [a, b, c, d, ..] = self.bits.to_le_bytes();
        u32::from_le_bytes([a, b, c, d])
    }

    /// As vectors write it: `3f800000` for a float, `-7` for an integer.
    pub fn literal(self) -> String {
        if self.dtype.is_float() {
            format!("{:0width$x}", self.bits, width = self.dtype.size() * 2)
        } else {
            self.to_i128().to_string()
        }
    }

    /// The inverse of [`Self::literal`]: exactly the element's number of hexadecimal digits for a float, a
    /// decimal number in range for an integer.
    ///
    /// ```
    /// use seedproof_ops::{Dtype, Scalar};
    ///
    /// assert_eq!(Scalar::from_literal(Dtype::F32, "3f800000")?.to_f64(), 1.0);
    /// assert_eq!(Scalar::from_literal(Dtype::I8, "-7")?.literal(), "-7");
    /// assert!(Scalar::from_literal(Dtype::I8, "128").is_err());
    /// # Ok::<(), String>(())
    /// ```
    ///
    /// # Errors
    /// A sentence that says what was expected.
    pub fn from_literal(dtype: Dtype, text: &str) -> Result<Self, String> {
        if dtype.is_float() {
            let digits = dtype.size() * 2;
            if text.len() != digits
                || !text
                    .bytes()
                    .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
            {
                return Err(format!(
                    "`{text}` is not a {dtype}: expected {digits} hexadecimal digits in lower case"
                ));
            }
            let bits = u64::from_str_radix(text, 16).map_err(|error| format!("`{text}`: {error}"))?;
            return Ok(Self { dtype, bits });
        }
        let number = text.parse().ok();
        number
            .and_then(|number| Self::from_i128(dtype, number))
            .ok_or_else(|| format!("`{text}` is not a {dtype}: expected a decimal number in its range"))
    }

    /// The element of an integer type with this value; `None` where it is out of range, and for floats.
    pub fn from_i128(dtype: Dtype, value: i128) -> Option<Self> {
        let bytes = value.to_le_bytes();
        let low = bytes.first_chunk().expect("sixteen bytes begin with eight");
        let in_range = dtype.integers().is_some_and(|range| range.contains(&value));
        in_range.then(|| Self::new(dtype, u64::from_le_bytes(*low)))
    }

    /// The element of another type with the same value; `None` where that type does not have it. A NaN keeps its sign
    /// alone.
    ///
    /// ```
    /// use seedproof_ops::{Dtype, Scalar};
    ///
    /// let half = Scalar::from(0.5_f32);
    /// assert_eq!(half.to_dtype(Dtype::F16).map(Scalar::bits), Some(0x3800));
    /// // f16 has no tenth, nor has f32; and an integer has no half.
    /// assert_eq!(Scalar::from(0.1_f32).to_dtype(Dtype::F16), None);
    /// assert_eq!(half.to_dtype(Dtype::I32), None);
    /// ```
    pub fn to_dtype(self, dtype: Dtype) -> Option<Self> {
        if !self.dtype.is_float() && !dtype.is_float() {
            return Self::from_i128(dtype, self.to_i128());
        }
        let value = self.to_f64();
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a value that rounding or saturation changes is found by the comparison below"
        )]
        let (narrow, whole) = (value as f32, value as i128);
        if !self.dtype.is_float() && whole != self.to_i128() {
            return None;
        }
        let converted = match dtype {
            Dtype::F16 => Self::new(dtype, f16::from_f64(value).to_bits().into()),
            Dtype::Bf16 => Self::new(dtype, bf16::from_f64(value).to_bits().into()),
            Dtype::F32 => Self::new(dtype, narrow.to_bits().into()),
            Dtype::F64 => Self::new(dtype, value.to_bits()),
            _ => Self::from_i128(dtype, whole)?,
        };
        let is_same = converted.to_f64().total_cmp(&value).is_eq();
        (is_same || value == 0.0 || value.is_nan() && dtype.is_float()).then_some(converted)
    }

    /// The shortest decimal that [`Self::from_decimal`] reads back as the same value. NaN is `NaN`, infinities
    /// are `inf` and `-inf`.
    ///
    /// ```
    /// use seedproof_ops::{Dtype, Scalar};
    ///
    /// assert_eq!(Scalar::from(0.1_f32).decimal(), "0.1");
    /// assert_eq!(Scalar::from(f64::from(0.1_f32)).decimal(), "0.10000000149011612");
    /// assert_eq!(Scalar::new(Dtype::F16, 0x2e66).decimal(), "0.1");
    /// ```
    pub fn decimal(self) -> String {
        // Under another rounding the candidates of sixteen bits are read as other numbers.
        standard(|| match self.dtype {
            Dtype::F16 => shortest_16(
                self.to_f64(),
                |x| u64::from(f16::from_f64(x).to_bits()),
                self.bits,
            ),
            Dtype::Bf16 => shortest_16(
                self.to_f64(),
                |x| u64::from(bf16::from_f64(x).to_bits()),
                self.bits,
            ),
            Dtype::F32 => shortest(f32::from_bits(self.low_32())),
            Dtype::F64 => shortest(f64::from_bits(self.bits)),
            _ => self.to_i128().to_string(),
        })
    }

    /// The value nearest to a decimal, ties to even; `None` if the text is not a number.
    pub fn from_decimal(dtype: Dtype, text: &str) -> Option<Self> {
        // The standard library multiplies where a decimal is short, and the product is rounded as the thread has it.
        standard(|| Self::read_decimal(dtype, text))
    }

    fn read_decimal(dtype: Dtype, text: &str) -> Option<Self> {
        let bits = match dtype {
            Dtype::F16 => u64::from(f16::from_f64(text.parse().ok()?).to_bits()),
            Dtype::Bf16 => u64::from(bf16::from_f64(text.parse().ok()?).to_bits()),
            Dtype::F32 => u64::from(text.parse::<f32>().ok()?.to_bits()),
            Dtype::F64 => text.parse::<f64>().ok()?.to_bits(),
            _ => return Self::from_literal(dtype, text).ok(),
        };
        Some(Self { dtype, bits })
    }
}

/// Plain notation in the middle range, scientific outside it.
fn shortest<F: std::fmt::Display + std::fmt::LowerExp + Copy + Into<f64>>(value: F) -> String {
    let magnitude = value.into().abs();
    if magnitude == 0.0 || (1e-5..1e17).contains(&magnitude) || !magnitude.is_finite() {
        value.to_string()
    } else {
        format!("{value:e}")
    }
}

/// The first precision whose decimal rounds back to `bits`. Five significant digits tell all f16 apart, four
/// all bf16.
fn shortest_16(value: f64, round: impl Fn(f64) -> u64, bits: u64) -> String {
    if !value.is_finite() || value == 0.0 {
        return value.to_string();
    }
    (0..6)
        .map(|precision| format!("{value:.precision$e}"))
        .filter_map(|text| text.parse::<f64>().ok())
        .find(|&candidate| round(candidate) == bits)
        .map_or_else(|| shortest(value), shortest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalar_literals_are_bits_for_floats_and_numbers_for_integers() {
        assert_eq!(Scalar::new(Dtype::F32, 0x3f80_0000).literal(), "3f800000");
        assert_eq!(Scalar::new(Dtype::F16, 0x1).literal(), "0001");
        assert_eq!(
            Scalar::new(Dtype::I32, u64::from((-7_i32).cast_unsigned())).literal(),
            "-7"
        );
        assert_eq!(Scalar::new(Dtype::I64, u64::MAX).literal(), "-1");
        assert_eq!(Scalar::new(Dtype::U32, u64::MAX).literal(), "4294967295");
    }

    #[test]
    fn scalar_literals_read_back() {
        for &dtype in Dtype::ALL {
            for bits in [
                0,
                1,
                0x7f,
                0x7fff,
                0x8000,
                0x7fff_ffff,
                0x8000_0000,
                1 << 63,
                u64::MAX,
            ] {
                let scalar = Scalar::new(dtype, bits);
                assert_eq!(Scalar::from_literal(dtype, &scalar.literal()), Ok(scalar));
            }
        }
    }

    #[test]
    fn scalar_literals_of_another_width_are_refused() {
        assert!(Scalar::from_literal(Dtype::F16, "3f800000").is_err());
        assert!(Scalar::from_literal(Dtype::F32, "3F800000").is_err());
        assert!(Scalar::from_literal(Dtype::F32, "+3f80000").is_err());
        assert!(Scalar::from_literal(Dtype::U32, "-1").is_err());
        assert!(Scalar::from_literal(Dtype::I32, "2147483648").is_err());
        assert!(Scalar::from_literal(Dtype::I64, "9223372036854775808").is_err());
    }

    #[test]
    fn scalar_keeps_its_value_in_another_type_or_is_none() {
        let decimal = |from, to, text: &str| {
            let scalar = Scalar::from_decimal(from, text).unwrap();
            scalar.to_dtype(to).map(Scalar::decimal)
        };
        let same = |from, to, text: &str| assert_eq!(decimal(from, to, text), Some(text.to_owned()));
        same(Dtype::F64, Dtype::F16, "0.5");
        same(Dtype::F32, Dtype::Bf16, "-inf");
        same(Dtype::F64, Dtype::F32, "NaN");
        same(Dtype::F64, Dtype::I64, "-7");
        same(Dtype::U64, Dtype::I32, "7");
        same(Dtype::I64, Dtype::F64, "9007199254740992");
        assert_eq!(decimal(Dtype::F64, Dtype::F32, "0.1"), None);
        assert_eq!(decimal(Dtype::F64, Dtype::I32, "0.5"), None);
        assert_eq!(decimal(Dtype::F64, Dtype::I32, "NaN"), None);
        assert_eq!(decimal(Dtype::I64, Dtype::U32, "-1"), None);
        assert_eq!(decimal(Dtype::I64, Dtype::F64, "9007199254740993"), None);
        assert_eq!(decimal(Dtype::I64, Dtype::F16, "65520"), None);
        assert_eq!(decimal(Dtype::F64, Dtype::U64, "1e300"), None);
    }

    #[test]
    fn scalar_decimals_of_every_16_bit_float_read_back() {
        for dtype in [Dtype::F16, Dtype::Bf16] {
            for bits in 0..=0xffff {
                let scalar = Scalar::new(dtype, bits);
                let back = Scalar::from_decimal(dtype, &scalar.decimal()).unwrap();
                let nan = scalar.to_f64().is_nan();
                assert!(
                    back == scalar || (nan && back.to_f64().is_nan()),
                    "{dtype} {bits:04x}"
                );
            }
        }
    }

    #[test]
    fn scalar_decimals_are_short() {
        assert_eq!(Scalar::new(Dtype::F16, 0x2e66).decimal(), "0.1");
        assert_eq!(Scalar::new(Dtype::F32, 0x3f33_7cd6).decimal(), "0.7011236");
        assert_eq!(Scalar::new(Dtype::F32, 1).decimal(), "1e-45");
        assert_eq!(Scalar::new(Dtype::F64, f64::INFINITY.to_bits()).decimal(), "inf");
        assert_eq!(Scalar::new(Dtype::Bf16, 0x8000).decimal(), "-0");
    }
}
