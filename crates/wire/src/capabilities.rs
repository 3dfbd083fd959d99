//! The requests that an implementation announces that it answers.

use std::collections::{BTreeMap, BTreeSet};

use seedproof_ops::{Attribute, AttributeValue, Named, OpName, Request, Support, did_you_mean};
use serde_json::{Map, Value};

use crate::attribute;
use crate::restriction::{RANK, Ranks, Restriction};

/// The features that exist for every op, beside the op's own [`Op::features`](seedproof_ops::Op::features): the name,
/// and what the harness may then ask for.
pub const FEATURES: [(&str, &str); 3] = [
    (DIGEST, "SHA-256 of the output in place of the output"),
    (
        EXECUTION,
        "the second and later executions of one op instance: `execution` over 0",
    ),
    (WINDOW, "some elements of the output in place of all"),
];

pub(crate) const DIGEST: &str = "digest";
pub(crate) const EXECUTION: &str = "execution";
pub(crate) const WINDOW: &str = "window";

/// The features of the protocol and of every op, sorted.
pub fn features() -> BTreeSet<&'static str> {
    let of_ops = OpName::ALL.iter().flat_map(|op| op.description().features());
    FEATURES.iter().map(|(name, _)| *name).chain(of_ops).collect()
}

/// One op, with restrictions of its attributes, inputs and output rank, and with the announced features.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capability {
    op: OpName,
    /// By attribute or input.
    restrictions: BTreeMap<String, Restriction>,
    ranks: Option<Ranks>,
    features: BTreeSet<&'static str>,
}

/// Why the capabilities in a hello line are invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidCapability {
    /// The entry has no `op`, or an unknown one.
    #[error("read a capability: `op` is one of {}, not {found}{}", OpName::NAMES.join(", "), did_you_mean(.0, OpName::NAMES.iter().copied()), found = .0)]
    Op(String),
    /// A feature does not exist.
    #[error("read a capability: `features` is a list of {}, not {found}{}", list(features()), did_you_mean(.0, features()), found = .0)]
    Feature(String),
    /// The entry restricts an attribute or input that the op does not have.
    #[error("read a capability: {op} has no attribute or input `{key}` (it has {}){}", list(op.description().names()), did_you_mean(key, op.description().names()))]
    Key {
        /// The op that lacks it.
        op: OpName,
        /// The unknown name.
        key: String,
    },
    /// The entry restricts an attribute or input to values that it cannot have.
    #[error("read a capability: `{key}` of {op}: expected {expected}")]
    Restriction {
        /// The op of the entry.
        op: OpName,
        /// The attribute or input, `rank` or `features`.
        key: String,
        /// The possible values, with a suggestion.
        expected: String,
    },
}

fn list(names: impl IntoIterator<Item = &'static str>) -> String {
    names.into_iter().collect::<Vec<_>>().join(", ")
}

/// The features that a request needs: an optional input that is present, an optional output that is asked
/// for, and a later execution. `digest` and `window` are not among them, since they depend on the
/// question rather than the request.
fn features_of(request: &Request) -> impl Iterator<Item = &'static str> {
    let asked = |name: &&str| {
        request.attribute(name) == Some(AttributeValue::Boolean(true)) || request.input(name).is_some()
    };
    let again = (request.execution() > 0).then_some(EXECUTION);
    again
        .into_iter()
        .chain(request.description().features().filter(asked))
}

impl Capability {
    /// An op without restrictions.
    pub fn new(op: OpName, features: impl IntoIterator<Item = &'static str>) -> Self {
        Self {
            op,
            restrictions: BTreeMap::new(),
            ranks: None,
            features: features.into_iter().collect(),
        }
    }

    /// The op that this entry announces.
    pub const fn op(&self) -> OpName {
        self.op
    }

    /// The announced features, sorted.
    pub const fn features(&self) -> &BTreeSet<&'static str> {
        &self.features
    }

    /// The capability restricted to these values of an attribute, or element types of an input.
    #[must_use]
    pub(crate) fn only(mut self, key: &str, values: Vec<Value>) -> Self {
        let restriction = if self.op.description().attribute(key).is_some() {
            Restriction::Attribute(values)
        } else {
            Restriction::Input {
                types: Some(values),
                values: None,
            }
        };
        self.restrictions.insert(key.to_owned(), restriction);
        self
    }

    pub(crate) fn from_json(json: &Map<String, Value>) -> Result<Self, InvalidCapability> {
        let op = json.get("op").unwrap_or(&Value::Null);
        let op = op
            .as_str()
            .and_then(|name| Attribute::parse(name).known())
            .ok_or_else(|| InvalidCapability::Op(op.to_string()))?;
        let mut capability = Self::new(op, []);
        for (key, value) in json.iter().filter(|(key, _)| *key != "op") {
            let wrong = |expected: String| InvalidCapability::Restriction {
                op,
                key: key.clone(),
                expected,
            };
            if key == "features" {
                let list = value.as_array().ok_or_else(|| wrong("a list".to_owned()))?;
                // A feature of another op is accepted. It does no harm, since no request of this op can need it.
                for feature in list {
                    let known = feature.as_str().and_then(|name| features().take(name));
                    let known = known.ok_or_else(|| InvalidCapability::Feature(feature.to_string()))?;
                    capability.features.insert(known);
                }
            } else if key == RANK {
                capability.ranks = Some(Ranks::of(value).map_err(wrong)?);
            } else if op.description().names().any(|name| name == key) {
                let restriction = Restriction::of(op.description(), key, value).map_err(wrong)?;
                capability.restrictions.insert(key.clone(), restriction);
            } else {
                return Err(InvalidCapability::Key { op, key: key.clone() });
            }
        }
        Ok(capability)
    }

    pub(crate) fn to_json(&self) -> Map<String, Value> {
        let mut json = Map::new();
        json.insert("op".into(), self.op.name().into());
        for (key, restriction) in &self.restrictions {
            json.insert(key.clone(), restriction.to_json());
        }
        if let Some(ranks) = self.ranks {
            json.insert(RANK.to_owned(), ranks.to_json());
        }
        if !self.features.is_empty() {
            let features: Vec<_> = self.features.iter().copied().collect();
            json.insert("features".into(), features.into());
        }
        json
    }

    fn support(&self, request: &Request) -> Support {
        let restriction = |key: &str| self.restrictions.get(key);
        let attributes = request.attributes().into_iter().filter_map(|(info, value)| {
            let refused = restriction(info.name)?.refuses_attribute(&attribute::encode(&value))?;
            Some((info.name, refused))
        });
        let inputs = request.inputs().into_iter().filter_map(|(info, tensor)| {
            let refused = restriction(info.name)?.refuses_input(tensor)?;
            Some((info.name, refused))
        });
        let ranks = self.ranks.and_then(|ranks| Some((RANK, ranks.refuse(request)?)));
        // The first obstacle alone is named, in the order of the op's description, so that equal
        // requests have equal reasons.
        if let Some((key, refused)) = attributes.chain(inputs).chain(ranks).next() {
            return Support::Unsupported(format!("{key} {refused} is not announced"));
        }
        match features_of(request).find(|feature| !self.features.contains(feature)) {
            Some(missing) => Support::Unsupported(format!("the feature {missing} is not announced")),
            None => Support::Supported,
        }
    }
}

/// The capabilities of an implementation. A request is covered if at least one of them covers it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Capabilities(Vec<Capability>);

impl Capabilities {
    /// Several capabilities may name the same op: they add up.
    pub fn new(capabilities: Vec<Capability>) -> Self {
        Self(capabilities)
    }

    /// Every op without restrictions, with all features except successive executions, which need an implementation with
    /// a memory of earlier calls.
    pub fn full() -> Self {
        let full = |op: &OpName| {
            Capability::new(
                *op,
                [DIGEST, WINDOW].into_iter().chain(op.description().features()),
            )
        };
        Self(OpName::ALL.iter().map(full).collect())
    }

    /// Whether a request is covered; if not, the reason names what is missing.
    pub fn support(&self, request: &Request) -> Support {
        let mut missing = Support::Unsupported(format!("{} is not announced", request.op()));
        let mut named = false;
        for capability in self.0.iter().filter(|capability| capability.op == request.op()) {
            match capability.support(request) {
                Support::Supported => return Support::Supported,
                // Where several entries name the op, the reason is that of the first: they have no other order.
                no if !named => (missing, named) = (no, true),
                Support::Unsupported(_) => {}
            }
        }
        missing
    }

    /// Whether one capability both covers a request and has this feature. One with the feature and another that covers
    /// the request would not do.
    pub fn offers(&self, request: &Request, feature: &str) -> bool {
        self.0.iter().any(|capability| {
            capability.op == request.op()
                && capability.features.contains(feature)
                && capability.support(request) == Support::Supported
        })
    }

    /// The capabilities in a hello message.
    ///
    /// # Errors
    /// The first invalid one.
    pub fn from_json(list: &[Map<String, Value>]) -> Result<Self, InvalidCapability> {
        list.iter()
            .map(Capability::from_json)
            .collect::<Result<_, _>>()
            .map(Self)
    }

    pub(crate) fn to_json(&self) -> Vec<Map<String, Value>> {
        self.0.iter().map(Capability::to_json).collect()
    }
}

#[cfg(test)]
#[path = "capabilities_tests.rs"]
mod tests;
