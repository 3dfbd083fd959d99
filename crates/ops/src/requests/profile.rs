//! The variants of an op that an implementation claims or does not: which values its enumerations and element types have.

use crate::op::{AttributeInfo, AttributeValue, Kind};
use crate::request::OpName;

/// One value for each attribute of an op that has a few, and none for those that have many.
///
/// Adapters mostly claim an op for some of these. Requests that are drawn within one profile are claimed almost always,
/// where of requests of any op and type a narrow adapter claims one in hundreds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// The op.
    pub op: OpName,
    /// In the order of the op's attributes. An optional attribute may be absent.
    values: Vec<Option<&'static str>>,
}

impl Profile {
    /// Every profile of an op.
    pub fn all(op: OpName) -> Vec<Self> {
        let mut all = vec![Vec::new()];
        for info in op.description().attributes {
            let mut values: Vec<Option<&'static str>> = names(info).into_iter().map(Some).collect();
            if values.is_empty() || !info.required {
                values.push(None);
            }
            let longer = |shorter: &Vec<_>| {
                let longer = values
                    .iter()
                    .map(|&value| [shorter.as_slice(), &[value]].concat());
                longer.collect::<Vec<_>>()
            };
            all = all.iter().flat_map(longer).collect();
        }
        all.into_iter().map(|values| Self { op, values }).collect()
    }

    /// Its values as part of an id: `tensorflow-f32`. An op without any has `any`.
    pub fn word(&self) -> String {
        let infos = self.op.description().attributes.iter().zip(&self.values);
        let mut values: Vec<_> = infos
            .filter_map(|(info, value)| Some((info.kind, (*value)?)))
            .collect();
        // What an op distinguishes first stands before the types, as in the ids of the corpus.
        values.sort_by_key(|(kind, _)| matches!(kind, Kind::Dtype(_)));
        let values: Vec<String> = values
            .into_iter()
            .map(|(_, value)| value.to_ascii_lowercase().replace('_', ""))
            .collect();
        if values.is_empty() {
            "any".to_owned()
        } else {
            values.join("-")
        }
    }

    /// Whether the profile says what the attribute at this place is. It leaves open those that have many values.
    pub(super) fn decides(&self, at: usize) -> bool {
        !names(&self.op.description().attributes[at]).is_empty()
    }

    /// The value of the attribute at this place; `None` where it is absent.
    pub(super) fn value(&self, at: usize) -> Option<AttributeValue> {
        self.values[at].map(|name| AttributeValue::Text(name.to_owned()))
    }
}

/// The values of an attribute that has a few.
fn names(info: &AttributeInfo) -> Vec<&'static str> {
    match info.kind {
        Kind::Enumeration(names) => names.to_vec(),
        Kind::Dtype(types) => types.iter().map(|dtype| dtype.name()).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use crate::named::Named as _;

    use super::*;

    #[test]
    fn profiles_of_an_op_have_words_of_their_own() {
        let mut count = 0;
        for &op in OpName::ALL {
            let all = Profile::all(op);
            let words: BTreeSet<String> = all.iter().map(Profile::word).collect();
            assert_eq!(words.len(), all.len(), "{op}");
            count += all.len();
        }
        // As many as are tried on an adapter before anything is asked.
        assert!((OpName::ALL.len()..1_000).contains(&count), "{count}");
    }
}
