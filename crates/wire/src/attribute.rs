//! The values of attributes in JSON.

use seedproof_ops::{AttributeValue, Kind};
use serde_json::Value;

/// The JSON of an attribute's value. Seeds and numbers are decimal strings, because many languages read JSON numbers as
/// binary64, in which a seed over 2^53 would change.
pub fn encode(value: &AttributeValue) -> Value {
    match value {
        AttributeValue::Text(text) => text.as_str().into(),
        AttributeValue::Seed(seed) => seed.to_string().into(),
        AttributeValue::Boolean(truth) => (*truth).into(),
        AttributeValue::Extents(list) => list.clone().into(),
        AttributeValue::Number(number) => number.to_string().into(),
    }
}

/// The value of an attribute, or `None` if the JSON has another form than [`form`] describes.
pub(crate) fn decode(kind: Kind, json: &Value) -> Option<AttributeValue> {
    match kind {
        // Any text is accepted. An unknown name is for the backend to reject, which some cases expect it to do.
        Kind::Enumeration(_) | Kind::Dtype(_) => {
            json.as_str().map(|text| AttributeValue::Text(text.to_owned()))
        }
        Kind::Seed => decimal(json).map(AttributeValue::Seed),
        Kind::Boolean | Kind::WithOutput => json.as_bool().map(AttributeValue::Boolean),
        Kind::Extents(_) => {
            let extents: Option<Vec<u64>> = json.as_array()?.iter().map(Value::as_u64).collect();
            extents.map(AttributeValue::Extents)
        }
        Kind::Number(_) => decimal(json).map(AttributeValue::Number),
    }
}

pub(crate) const fn form(kind: Kind) -> &'static str {
    match kind {
        Kind::Enumeration(_) | Kind::Dtype(_) => "a string",
        Kind::Seed => "a u64 as a decimal string, such as \"150\"",
        Kind::Boolean | Kind::WithOutput => "true or false",
        Kind::Extents(_) => "a list of numbers from 0 to 2^64 - 1",
        Kind::Number(_) => "an i128 as a decimal string, such as \"-150\"",
    }
}

/// An integer that is written as a decimal string without leading zeros.
fn decimal<T: std::str::FromStr + ToString>(json: &Value) -> Option<T> {
    let text = json.as_str()?;
    // `parse` also takes `+1`, `01` and, for an i128, `-0`, which the protocol's schemas refuse.
    text.parse::<T>().ok().filter(|number| number.to_string() == text)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn seed_is_a_canonical_u64() {
        let seed = |json| decode(Kind::Seed, &json);
        assert_eq!(
            seed(json!("18446744073709551615")),
            Some(AttributeValue::Seed(u64::MAX))
        );
        assert_eq!(seed(json!("0")), Some(AttributeValue::Seed(0)));
        for json in [
            json!("18446744073709551616"),
            json!("+1"),
            json!("-1"),
            json!("01"),
            json!(""),
            json!(" 1"),
            json!(1),
        ] {
            assert_eq!(seed(json.clone()), None, "{json}");
        }
    }

    #[test]
    fn values_travel_unchanged() {
        let values = [
            (Kind::Enumeration(&["A"]), AttributeValue::Text("odd".into())),
            (Kind::Seed, AttributeValue::Seed(7)),
            (Kind::Boolean, AttributeValue::Boolean(true)),
            (Kind::Extents(&[]), AttributeValue::Extents(vec![0, u64::MAX])),
            (Kind::Number(&[]), AttributeValue::Number(i128::MIN)),
        ];
        for (kind, value) in values {
            assert_eq!(
                decode(kind, &encode(&value)),
                Some(value.clone()),
                "{}",
                form(kind)
            );
            assert_eq!(decode(kind, &json!({})), None);
        }
        assert_eq!(decode(Kind::Number(&[]), &json!("-0")), None);
        assert_eq!(decode(Kind::Extents(&[]), &json!([1.5])), None);
    }
}
