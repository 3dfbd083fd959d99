//! Restrictions of a capability: the values of attributes, the element types and values of inputs, and the ranks of
//! outputs that an implementation answers.

use seedproof_ops::{Dtype, InputInfo, Kind, Named, Op, Request, Scalar, Tensor, Types, did_you_mean};
use serde_json::{Map, Value, json};

use crate::attribute;

/// The key of a capability that bounds the number of the output's extents. No op has an
/// attribute or input of this name.
pub(crate) const RANK: &str = "rank";

/// The answered values of one attribute, or tensors of one input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Restriction {
    /// Kept as JSON, so that a hello line is written as it was read.
    Attribute(Vec<Value>),
    Input {
        /// The names of element types; `None` allows any.
        types: Option<Vec<Value>>,
        /// Decimals; every element must equal one of them. `None` allows any.
        values: Option<Vec<Value>>,
    },
}

/// The ranks that an output may have, both ends included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ranks {
    min: Option<u64>,
    max: Option<u64>,
}

impl Restriction {
    /// Reads the restriction of an attribute or input of the op.
    ///
    /// # Errors
    /// The expected form, with the nearest valid value as a suggestion.
    pub(crate) fn of(op: &Op, key: &str, json: &Value) -> Result<Self, String> {
        if let Some(info) = op.attribute(key) {
            let list = json.as_array().ok_or("a list of values")?;
            list.iter().try_for_each(|value| known_value(info.kind, value))?;
            return Ok(Self::Attribute(list.clone()));
        }
        let info = op.input(key).ok_or("an attribute or input of the op")?;
        let form = "a list of element types, or an object with `types` and `values`";
        let (types, values) = match json {
            Value::Array(_) => (Some(json), None),
            Value::Object(fields)
                if fields
                    .keys()
                    .all(|key| ["types", "values"].contains(&key.as_str())) =>
            {
                (fields.get("types"), fields.get("values"))
            }
            _ => return Err(form.to_owned()),
        };
        let list = |json: &Value| json.as_array().cloned().ok_or(form);
        let types = types.map(list).transpose()?;
        let values = values.map(list).transpose()?;
        for dtype in types.iter().flatten() {
            known_value(Kind::Dtype(&[]), dtype)?;
        }
        // A decimal is checked in the types that the op allows, not in the announced ones: a value of `0.5` is fine for
        // an input that may be f32 or i32, even beside `"types": ["i32"]`.
        let dtypes = dtypes(op, info);
        for value in values.iter().flatten() {
            let is_value = |text| {
                dtypes
                    .iter()
                    .any(|&dtype| Scalar::from_decimal(dtype, text).is_some())
            };
            if !value.as_str().is_some_and(is_value) {
                return Err(format!(
                    "decimals in quotation marks as values, such as \"1\", not {value}"
                ));
            }
        }
        Ok(Self::Input { types, values })
    }

    pub(crate) fn to_json(&self) -> Value {
        match self {
            // Write a plain list where an object would say no more.
            Self::Attribute(list)
            | Self::Input {
                types: Some(list),
                values: None,
            } => list.clone().into(),
            Self::Input { types, values } => {
                let fields = [("types", types), ("values", values)].into_iter();
                let fields = fields.filter_map(|(name, list)| Some((name.to_owned(), list.clone()?.into())));
                Value::Object(fields.collect())
            }
        }
    }

    /// The value, if it is not announced, as text for the reason.
    pub(crate) fn refuses_attribute(&self, value: &Value) -> Option<String> {
        match self {
            Self::Attribute(list) if !list.contains(value) => Some(value.to_string()),
            _ => None,
        }
    }

    /// The element type or value that is not announced, as text for the reason.
    pub(crate) fn refuses_input(&self, tensor: &Tensor) -> Option<String> {
        let Self::Input { types, values } = self else {
            return None;
        };
        let dtype = tensor.dtype();
        let named = |list: &Vec<Value>| list.iter().any(|name| name.as_str() == Some(dtype.name()));
        if types.as_ref().is_some_and(|list| !named(list)) {
            return Some(json!(dtype.name()).to_string());
        }
        // The tensor's own type decides which value a decimal is, and bits are compared: `0` does not announce -0.0.
        let listed: Vec<Scalar> = values
            .as_ref()?
            .iter()
            .filter_map(|text| Scalar::from_decimal(dtype, text.as_str()?))
            .collect();
        let other = tensor.scalars().find(|element| !listed.contains(element))?;
        Some(format!("with the value {}", other.decimal()))
    }
}

impl Ranks {
    /// # Errors
    /// The expected form.
    pub(crate) fn of(json: &Value) -> Result<Self, String> {
        let form = || "an object with `min`, `max` or both, each a number".to_owned();
        let fields: &Map<String, Value> = json.as_object().ok_or_else(form)?;
        let number = |key: &str| {
            fields
                .get(key)
                .map(|value| value.as_u64().ok_or_else(form))
                .transpose()
        };
        let ranks = Self {
            min: number("min")?,
            max: number("max")?,
        };
        if fields.is_empty() || fields.keys().any(|key| !["min", "max"].contains(&key.as_str())) {
            return Err(form());
        }
        Ok(ranks)
    }

    pub(crate) fn to_json(self) -> Value {
        let fields = [("min", self.min), ("max", self.max)].into_iter();
        let fields = fields.filter_map(|(name, bound)| Some((name.to_owned(), bound?.into())));
        Value::Object(fields.collect())
    }

    /// The rank, if it is not announced, as text for the reason. A request whose output extents cannot be computed,
    /// such as one with a negative extent, is refused as well.
    pub(crate) fn refuse(self, request: &Request) -> Option<String> {
        let Some((_, dims)) = request.output_form() else {
            return Some("an output without extents".to_owned());
        };
        let rank = u64::try_from(dims.len()).unwrap_or(u64::MAX);
        let within = self.min.unwrap_or(0) <= rank && rank <= self.max.unwrap_or(u64::MAX);
        (!within).then(|| rank.to_string())
    }
}

/// The element types that the op allows for an input.
fn dtypes(op: &Op, info: &InputInfo) -> &'static [Dtype] {
    match info.dtypes {
        Types::OneOf(types) => types,
        Types::Attribute(name) => match op.attribute(name).map(|info| info.kind) {
            Some(Kind::Dtype(types)) => types,
            _ => &[],
        },
    }
}

/// Checks that an attribute may have this value. Every element type passes, even one that the op refuses: an
/// implementation may announce that it answers such requests, by rejecting them.
fn known_value(kind: Kind, value: &Value) -> Result<(), String> {
    let names = match kind {
        Kind::Enumeration(names) => names,
        Kind::Dtype(_) => Dtype::NAMES,
        _ if attribute::decode(kind, value).is_some() => return Ok(()),
        _ => return Err(format!("{}, not {value}", attribute::form(kind))),
    };
    match value.as_str() {
        Some(text) if names.contains(&text) => Ok(()),
        text => {
            let nearest = did_you_mean(text.unwrap_or_default(), names.iter().copied());
            Err(format!("one of {}, not {value}{nearest}", names.join(", ")))
        }
    }
}
