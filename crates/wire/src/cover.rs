//! Finds the capabilities of a backend by asking it about the smallest request of every form.

use std::collections::BTreeSet;

use seedproof_ops::{
    AttributeInfo, AttributeValue, Backend, Dtype, InputInfo, Kind, Named, Op, OpName, Request, Role, Scalar,
    Shape, Support, Tensor, Types,
};
use serde_json::Value;

use crate::attribute;
use crate::capabilities::{Capabilities, Capability, DIGEST, EXECUTION, WINDOW};

impl Capabilities {
    /// The attribute values, input types and features for which the backend supports the smallest request. `digest` and
    /// `window` are always among the features, since a server makes them from the whole output. An op that is not
    /// supported at all is left out.
    pub fn of(backend: &dyn Backend) -> Self {
        Self::new(OpName::ALL.iter().flat_map(|&op| claims(op, backend)).collect())
    }
}

/// The name of an attribute or input, and its values or element types.
type Axis = (&'static str, Vec<Value>);

/// A product of values along some axes, and the features that hold everywhere in it. It becomes one capability.
type Region = (Vec<Axis>, BTreeSet<&'static str>);

fn claims(op: OpName, backend: &dyn Backend) -> Vec<Capability> {
    let description = op.description();
    let axes = axes(description);
    let claim = |at: &[usize]| {
        let chosen = axes
            .iter()
            .zip(at)
            .map(|((name, values), &index)| (*name, &values[index]));
        let chosen: Vec<_> = chosen.collect();
        let claimed =
            |feature: Option<&str>| backend.supports(&smallest(op, &chosen, feature)) == Support::Supported;
        // Each feature is asked about alone: a capability lists features, and cannot say that two
        // of them exclude each other.
        let own = description
            .features()
            .chain(description.successive.then_some(EXECUTION));
        claimed(None).then(|| {
            [DIGEST, WINDOW]
                .into_iter()
                .chain(own.filter(|feature| claimed(Some(feature))))
                .collect()
        })
    };
    let capability = |(chosen, features): Region| {
        let all = Capability::new(op, features);
        chosen
            .into_iter()
            .fold(all, |capability, (key, values)| capability.only(key, values))
    };
    cover(&axes, &mut Vec::new(), &claim)
        .into_iter()
        .map(capability)
        .collect()
}

/// The attributes that have a few named values, and the required inputs that have a choice of element types. Seeds,
/// extents and numbers are not axes: their values cannot be enumerated.
fn axes(op: &'static Op) -> Vec<Axis> {
    let types = |types: &[Dtype]| types.iter().map(|dtype| dtype.name().into()).collect();
    let attributes = op.attributes.iter().map(|info| {
        let values: Vec<Value> = match info.kind {
            Kind::Enumeration(names) => names.iter().map(|&name| name.into()).collect(),
            Kind::Dtype(list) => types(list),
            Kind::Boolean => vec![false.into(), true.into()],
            _ => Vec::new(),
        };
        (info.name, values)
    });
    let inputs = op
        .inputs
        .iter()
        .filter(|info| info.required)
        .map(|info| match info.dtypes {
            Types::OneOf(list) => (info.name, types(list)),
            // The type follows from an attribute, which is an axis itself.
            Types::Attribute(_) => (info.name, Vec::new()),
        });
    attributes
        .chain(inputs)
        .filter(|(_, values)| values.len() > 1)
        .collect()
}

/// Covers the supported points with regions, axis by axis: values with the same regions along the remaining axes share
/// one, and an axis along which nothing changes is not named. This is greedy, and not always the fewest regions; it is
/// deterministic and keeps the hello line of a backend that supports everything free of restrictions.
fn cover(
    axes: &[Axis],
    at: &mut Vec<usize>,
    claim: &dyn Fn(&[usize]) -> Option<BTreeSet<&'static str>>,
) -> Vec<Region> {
    let Some(((key, values), deeper)) = axes.split_first() else {
        return claim(at)
            .map(|features| (Vec::new(), features))
            .into_iter()
            .collect();
    };
    let mut groups: Vec<(Vec<Region>, Vec<Value>)> = Vec::new();
    for (index, value) in values.iter().enumerate() {
        at.push(index);
        let beyond = cover(deeper, at, claim);
        at.pop();
        match groups.iter_mut().find(|(regions, _)| *regions == beyond) {
            Some((_, alike)) => alike.push(value.clone()),
            None => groups.push((beyond, vec![value.clone()])),
        }
    }
    let named = groups.len() > 1;
    let mut regions = Vec::new();
    for (beyond, alike) in groups {
        for (mut chosen, features) in beyond {
            if named {
                chosen.insert(0, (*key, alike.clone()));
            }
            regions.push((chosen, features));
        }
    }
    regions
}

/// The smallest valid request at these values of the axes, with one feature or none.
fn smallest(op: OpName, chosen: &[(&'static str, &Value)], feature: Option<&str>) -> Request {
    let of_axis = |name: &str| {
        chosen
            .iter()
            .find(|(axis, _)| *axis == name)
            .map(|(_, value)| *value)
    };
    let attribute = |info: &AttributeInfo| match (of_axis(info.name), info.kind) {
        (Some(value), kind) => attribute::decode(kind, value),
        (None, Kind::WithOutput) => Some(AttributeValue::Boolean(feature == Some(info.name))),
        (None, _) if !info.required => None,
        (None, kind) => Some(match kind {
            Kind::Enumeration(names) => AttributeValue::Text(names[0].to_owned()),
            Kind::Dtype(types) => AttributeValue::Text(types[0].name().to_owned()),
            // Not 0: OpenVINO and TensorFlow replace two zero seeds by a random one, which a backend may not support.
            Kind::Seed => AttributeValue::Seed(1),
            Kind::Extents(smallest) => AttributeValue::Extents(smallest.to_vec()),
            Kind::Number(usual) => AttributeValue::Number(usual.first().copied().unwrap_or(1)),
            Kind::Boolean | Kind::WithOutput => AttributeValue::Boolean(false),
        }),
    };
    let dtype = |info: &InputInfo| match (of_axis(info.name), info.dtypes) {
        (Some(value), _) => value.as_str()?.parse().ok(),
        (None, Types::OneOf(types)) => types.first().copied(),
        (None, Types::Attribute(name)) => match attribute(op.description().attribute(name)?)? {
            AttributeValue::Text(text) => text.parse().ok(),
            _ => None,
        },
    };
    let input = |info: &InputInfo| {
        let wanted = info.required || feature == Some(info.name);
        wanted.then(|| tensor(info, dtype(info)?)).flatten()
    };
    let execution = u32::from(feature == Some(EXECUTION));
    Request::build(
        op,
        &mut |info| attribute(info),
        &mut |info| input(info),
        execution,
    )
    .expect("each attribute and input has a value of its kind")
}

/// A valid tensor for an input, with the smallest allowed extents.
fn tensor(info: &InputInfo, dtype: Dtype) -> Option<Tensor> {
    let words = info.role.words(|_| None);
    let dims = words.unwrap_or_else(|| vec![1; *info.ranks.start()]);
    let chosen = |choice: &[i64]| choice.first().map_or_else(String::new, i64::to_string);
    let element = match info.role {
        Role::Choice(choice) => &chosen(choice),
        Role::Parameter(usual) => usual,
        // Ones where a zero would be invalid or degenerate: no samples, an upper bound that is not over the lower one,
        // weights whose sum is zero. A backend that refuses those must not appear to lack the op.
        Role::Extents | Role::Count | Role::Upper | Role::Weights | Role::Probability => "1",
        Role::Lower | Role::Draws | Role::PerRow | Role::Elements | Role::Words(_) | Role::Key { .. } => "0",
    };
    let shape = Shape::new(&dims).ok()?;
    let bytes = Scalar::from_decimal(dtype, element)?
        .to_le_bytes()
        .repeat(shape.count());
    Tensor::new(dtype, shape, bytes).ok()
}
