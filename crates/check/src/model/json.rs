//! Types of other crates as JSON, for `#[serde(with = "seedproof_check::json")]`: ids and element types as text, a
//! shape as its extents, an element as [`ScalarJson`].

use seedproof_corpus::{CaseId, Name};
use seedproof_ops::{BackendId, Dtype, Scalar, Shape, UnknownDtype};
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A type of another crate that is converted to a form which serde can write.
///
/// ```
/// use seedproof_check::json::Json;
/// use seedproof_ops::Shape;
///
/// let shape = Shape::new(&[2, 3])?;
/// assert_eq!(shape.form(), [2, 3]);
/// assert_eq!(Shape::of_form(vec![2, 3]), Ok(shape));
/// # Ok::<(), seedproof_ops::ShapeError>(())
/// ```
pub trait Json: Sized {
    /// The type that is written as JSON.
    type Form: Serialize + DeserializeOwned;

    /// The value in the form that is written.
    fn form(&self) -> Self::Form;

    /// The inverse of [`Self::form`].
    ///
    /// # Errors
    /// A message that says what was expected, in one line.
    fn of_form(form: Self::Form) -> Result<Self, String>;
}

/// For `#[serde(with)]`.
///
/// ```
/// use seedproof_corpus::CaseId;
/// use seedproof_ops::Scalar;
/// use serde::Serialize;
///
/// #[derive(Serialize)]
/// struct Line {
///     #[serde(with = "seedproof_check::json")]
///     case: CaseId,
///     #[serde(with = "seedproof_check::json")]
///     element: Scalar,
/// }
/// let line = Line { case: CaseId::new("ru8/a")?, element: 1.0_f32.into() };
/// let json = r#"{"case":"ru8/a","element":{"dtype":"f32","bits":"3f800000"}}"#;
/// assert_eq!(serde_json::to_string(&line)?, json);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The serializer's own.
pub fn serialize<T: Json, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    value.form().serialize(serializer)
}

/// For `#[serde(with)]`.
///
/// # Errors
/// The deserializer's own, and those of [`Json::of_form`].
pub fn deserialize<'de, T: Json, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    T::of_form(T::Form::deserialize(deserializer)?).map_err(D::Error::custom)
}

/// An element: `{"dtype": "f32", "bits": "3f800000"}`. A float is the hexadecimal digits of its bits, an integer a
/// decimal number. Both are text, since many readers take a JSON number for an f64, which has no room for 64 bits.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Scalar"))]
#[serde(deny_unknown_fields)]
pub struct ScalarJson {
    /// Element type.
    dtype: String,
    /// Bits of a float, value of an integer.
    bits: String,
}

impl Json for Scalar {
    type Form = ScalarJson;

    fn form(&self) -> ScalarJson {
        ScalarJson {
            dtype: self.dtype().to_string(),
            bits: self.literal(),
        }
    }

    fn of_form(ScalarJson { dtype, bits }: ScalarJson) -> Result<Self, String> {
        Self::from_literal(Dtype::of_form(dtype)?, &bits)
    }
}

/// Elements of one type: `{"dtype": "f32", "bits": ["3f800000", "40000000"]}`, each as in an element.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Row"))]
#[serde(deny_unknown_fields)]
pub struct RowJson {
    /// Element type.
    dtype: String,
    /// Bits of floats, values of integers.
    bits: Vec<String>,
}

/// Elements of one type, for `#[serde(with = "seedproof_check::json::row")]`.
///
/// ```
/// use seedproof_ops::Scalar;
/// use serde::Serialize;
///
/// #[derive(Serialize)]
/// struct Line {
///     #[serde(with = "seedproof_check::json::row")]
///     elements: Vec<Scalar>,
/// }
/// let line = Line { elements: vec![1.0_f32.into(), 2.0_f32.into()] };
/// let json = r#"{"elements":{"dtype":"f32","bits":["3f800000","40000000"]}}"#;
/// assert_eq!(serde_json::to_string(&line)?, json, "the type is written once");
/// # Ok::<(), serde_json::Error>(())
/// ```
pub mod row {
    use super::{Deserialize, Deserializer, Dtype, Json as _, RowJson, Scalar, Serialize, Serializer};
    use serde::de::Error as _;

    /// For `#[serde(with)]`.
    ///
    /// # Errors
    /// The serializer's own.
    pub fn serialize<S: Serializer>(row: &[Scalar], serializer: S) -> Result<S::Ok, S::Error> {
        let dtype = row
            .first()
            .map_or(String::new(), |first| first.dtype().to_string());
        let bits = row.iter().map(|element| element.literal()).collect();
        RowJson { dtype, bits }.serialize(serializer)
    }

    /// For `#[serde(with)]`.
    ///
    /// # Errors
    /// The deserializer's own, and a message about text that is not an element of the type.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Scalar>, D::Error> {
        let RowJson { dtype, bits } = RowJson::deserialize(deserializer)?;
        // The type is that of the first element, so that a list without elements was written without a type.
        if bits.is_empty() {
            return Ok(Vec::new());
        }
        let dtype = Dtype::of_form(dtype).map_err(D::Error::custom)?;
        let elements = bits.iter().map(|bits| Scalar::from_literal(dtype, bits));
        elements.collect::<Result<_, _>>().map_err(D::Error::custom)
    }
}

/// Implements [`Json`] for types that are written as their `Display` text.
macro_rules! texts {
    ($($type:ty: $read:expr;)*) => {$(
        impl Json for $type {
            type Form = String;

            fn form(&self) -> String {
                self.to_string()
            }

            fn of_form(text: String) -> Result<Self, String> {
                $read(text)
            }
        }
    )*};
}

texts! {
    Dtype: |text: String| text.parse().map_err(|error: UnknownDtype| error.to_string());
    BackendId: |text| Ok(Self::new(text));
    CaseId: |text: String| Self::new(&text).map_err(|error| error.to_string());
    Name: |text: String| Self::new(&text).map_err(|error| error.to_string());
}

impl Json for Shape {
    type Form = Vec<u64>;

    fn form(&self) -> Vec<u64> {
        self.to_u64()
    }

    fn of_form(dims: Vec<u64>) -> Result<Self, String> {
        Self::new(&dims).map_err(|error| error.to_string())
    }
}

impl<T: Json> Json for Option<T> {
    type Form = Option<T::Form>;

    fn form(&self) -> Self::Form {
        self.as_ref().map(T::form)
    }

    fn of_form(form: Self::Form) -> Result<Self, String> {
        form.map(T::of_form).transpose()
    }
}

impl<T: Json> Json for Vec<T> {
    type Form = Vec<T::Form>;

    fn form(&self) -> Self::Form {
        self.iter().map(T::form).collect()
    }

    fn of_form(form: Self::Form) -> Result<Self, String> {
        form.into_iter().map(T::of_form).collect()
    }
}

impl<T: Json> Json for (T, T) {
    type Form = (T::Form, T::Form);

    fn form(&self) -> Self::Form {
        (self.0.form(), self.1.form())
    }

    fn of_form(form: Self::Form) -> Result<Self, String> {
        Ok((T::of_form(form.0)?, T::of_form(form.1)?))
    }
}
