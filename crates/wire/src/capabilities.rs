//! What an implementation announces that it answers.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use seedproof_ops::{Attribute, Named, OpName, Request, Support, Tensor};
use serde_json::{Map, Value};

/// An extra that an implementation must announce before it is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Feature {
    /// The digest of an output in its place.
    Digest,
    /// Multinomial takes the uniform draws as an input.
    Draws,
    /// Successive executions of one op instance.
    Execution,
    /// DirectML's state after the draw.
    OutputState,
    /// Some elements of an output in its place.
    Window,
}

impl Named for Feature {
    const ALL: &'static [Self] = &[
        Self::Digest,
        Self::Draws,
        Self::Execution,
        Self::OutputState,
        Self::Window,
    ];

    const NAMES: &'static [&'static str] = &["digest", "draws", "execution", "output_state", "window"];

    fn name(self) -> &'static str {
        match self {
            Self::Digest => "digest",
            Self::Draws => "draws",
            Self::Execution => "execution",
            Self::OutputState => "output_state",
            Self::Window => "window",
        }
    }
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// One op, with the attribute values and input types that are answered, and the extras.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capability {
    op: OpName,
    values: BTreeMap<String, Vec<Value>>,
    features: BTreeSet<Feature>,
}

/// A capability that an adapter announces and that makes no sense.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidCapability {
    /// It names no op, or one of another name.
    #[error("read a capability: `op` is one of {}, not {found}", names::<OpName>(), found = .0)]
    Op(String),
    /// It names an extra that does not exist.
    #[error("read a capability: `features` is a list of {}, not {found}", names::<Feature>(), found = .0)]
    Feature(String),
    /// It restricts what the op does not have.
    #[error("read a capability: {op} has no attribute or input `{key}` (it has {})", keys(*.op).join(", "))]
    Key {
        /// The op.
        op: OpName,
        /// The unknown name.
        key: String,
    },
    /// The values of an attribute are no list.
    #[error("read a capability: `{0}` is a list of values")]
    Values(String),
}

fn names<T: Named>() -> String {
    T::ALL
        .iter()
        .map(|value| value.name())
        .collect::<Vec<_>>()
        .join(", ")
}

/// The attributes of an op and then its inputs, in the order of the protocol's table.
const fn keys(op: OpName) -> &'static [&'static str] {
    match op {
        OpName::RandomUniform => &[
            "output_type",
            "global_seed",
            "op_seed",
            "alignment",
            "shape",
            "minval",
            "maxval",
        ],
        OpName::Multinomial => &[
            "convert_type",
            "with_replacement",
            "log_probs",
            "global_seed",
            "op_seed",
            "probs",
            "num_samples",
            "draws",
        ],
        OpName::DmlRandomGenerator => &[
            "type",
            "feature_level",
            "output_sizes",
            "output_state",
            "input_state",
        ],
    }
}

/// A request's attribute values and input types, in the order of [`keys`]; `None` for an input that is absent.
fn facts(request: &Request) -> Vec<Option<Value>> {
    fn text<T: Named>(attribute: &Attribute<T>) -> Value {
        attribute.text().into()
    }
    let seed = |seed: u64| Some(Value::from(seed.to_string()));
    let dtype = |tensor: &Tensor| Some(Value::from(tensor.dtype().name()));
    match request {
        Request::RandomUniform(r) => vec![
            Some(text(&r.output_type)),
            seed(r.global_seed),
            seed(r.op_seed),
            Some(text(&r.alignment)),
            dtype(&r.shape),
            dtype(&r.minval),
            dtype(&r.maxval),
        ],
        Request::Multinomial(r) => vec![
            Some(text(&r.convert_type)),
            Some(r.with_replacement.into()),
            Some(r.log_probs.into()),
            seed(r.global_seed),
            seed(r.op_seed),
            dtype(&r.probs),
            dtype(&r.num_samples),
            r.draws.as_ref().and_then(dtype),
        ],
        Request::DmlRandomGenerator(r) => vec![
            Some(text(&r.generator)),
            Some(text(&r.feature_level)),
            Some(r.output_sizes.clone().into()),
            Some(r.output_state.into()),
            dtype(&r.input_state),
        ],
    }
}

/// The extras that a request asks for by itself.
fn features_of(request: &Request) -> impl Iterator<Item = Feature> {
    let of_its_op = match request {
        Request::Multinomial(r) if r.draws.is_some() => Some(Feature::Draws),
        Request::DmlRandomGenerator(r) if r.output_state => Some(Feature::OutputState),
        _ => None,
    };
    let again = (request.execution() > 0).then_some(Feature::Execution);
    again.into_iter().chain(of_its_op)
}

impl Capability {
    /// An op without restriction.
    pub fn new(op: OpName, features: impl IntoIterator<Item = Feature>) -> Self {
        Self {
            op,
            values: BTreeMap::new(),
            features: features.into_iter().collect(),
        }
    }

    /// The op.
    pub const fn op(&self) -> OpName {
        self.op
    }

    /// The extras.
    pub const fn features(&self) -> &BTreeSet<Feature> {
        &self.features
    }

    /// The same with only these values of an attribute, or types of an input.
    #[must_use]
    pub(crate) fn only(mut self, key: &str, values: Vec<Value>) -> Self {
        self.values.insert(key.to_owned(), values);
        self
    }

    pub(crate) fn from_json(json: &Map<String, Value>) -> Result<Self, InvalidCapability> {
        let op = json.get("op").unwrap_or(&Value::Null);
        let op = op
            .as_str()
            .and_then(|name| Attribute::parse(name).known())
            .ok_or_else(|| InvalidCapability::Op(op.to_string()))?;
        let mut capability = Self::new(op, []);
        for (key, values) in json.iter().filter(|(key, _)| *key != "op") {
            let list = values
                .as_array()
                .ok_or_else(|| InvalidCapability::Values(key.clone()))?;
            if key == "features" {
                for feature in list {
                    let known = feature.as_str().and_then(|name| Attribute::parse(name).known());
                    let known = known.ok_or_else(|| InvalidCapability::Feature(feature.to_string()))?;
                    capability.features.insert(known);
                }
            } else if keys(op).contains(&key.as_str()) {
                capability.values.insert(key.clone(), list.clone());
            } else {
                return Err(InvalidCapability::Key { op, key: key.clone() });
            }
        }
        Ok(capability)
    }

    pub(crate) fn to_json(&self) -> Map<String, Value> {
        let mut json = Map::new();
        json.insert("op".into(), self.op.name().into());
        for (key, values) in &self.values {
            json.insert(key.clone(), values.clone().into());
        }
        if !self.features.is_empty() {
            let features: Vec<_> = self.features.iter().map(|feature| feature.name()).collect();
            json.insert("features".into(), features.into());
        }
        json
    }

    fn support(&self, request: &Request) -> Support {
        for (key, fact) in keys(self.op).iter().zip(facts(request)) {
            if let (Some(values), Some(fact)) = (self.values.get(*key), fact)
                && !values.contains(&fact)
            {
                return Support::No(format!("{key} {fact} is not announced"));
            }
        }
        match features_of(request).find(|feature| !self.features.contains(feature)) {
            Some(missing) => Support::No(format!("the feature {missing} is not announced")),
            None => Support::Yes,
        }
    }
}

/// All that an implementation announces. A request is covered if one of the capabilities covers it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Capabilities(Vec<Capability>);

impl Capabilities {
    /// Capabilities, of which several may name one op.
    pub fn new(capabilities: Vec<Capability>) -> Self {
        Self(capabilities)
    }

    /// Every op without restriction, with all extras but successive executions.
    pub fn full() -> Self {
        let always = [Feature::Digest, Feature::Window];
        let with = |op, feature: Option<Feature>| Capability::new(op, always.into_iter().chain(feature));
        Self(vec![
            with(OpName::RandomUniform, None),
            with(OpName::Multinomial, Some(Feature::Draws)),
            with(OpName::DmlRandomGenerator, Some(Feature::OutputState)),
        ])
    }

    /// The capabilities.
    pub fn list(&self) -> &[Capability] {
        &self.0
    }

    /// Whether a request is covered, and if not, what is missing.
    pub fn support(&self, request: &Request) -> Support {
        let mut missing = Support::No(format!("{} is not announced", request.op()));
        let mut named = false;
        for capability in self.0.iter().filter(|capability| capability.op == request.op()) {
            match capability.support(request) {
                Support::Yes => return Support::Yes,
                no if !named => (missing, named) = (no, true),
                Support::No(_) => {}
            }
        }
        missing
    }

    /// Whether a request is covered by a capability that has this extra.
    pub fn offers(&self, request: &Request, feature: Feature) -> bool {
        self.0.iter().any(|capability| {
            capability.op == request.op()
                && capability.features.contains(&feature)
                && capability.support(request) == Support::Yes
        })
    }

    pub(crate) fn from_json(list: &[Map<String, Value>]) -> Result<Self, InvalidCapability> {
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
