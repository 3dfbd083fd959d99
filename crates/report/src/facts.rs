//! The description of a case in reports, once for all implementations.

use std::borrow::Cow;

use seedproof_check::json;
use seedproof_corpus::{Case, CaseId, Expectation, Name, Provenance};
use seedproof_ops::{AttributeValue, Kind, Named as _, Request, Role, Scalar, Tensor};
use serde::{Deserialize, Serialize};

/// A case as reports describe it: its request and its expectation in words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CaseFacts {
    /// Its stable id.
    #[serde(rename = "case", with = "json")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub id: CaseId,
    /// The id of the op: `openvino.RandomUniform-8`.
    pub op: Cow<'static, str>,
    /// The op as people name it: `RandomUniform-8`, `DirectML RandomGenerator`.
    pub title: Cow<'static, str>,
    /// The variant of the op: RandomUniform's alignment, `with replacement`, `feature level 3.0`.
    pub variant: String,
    /// The output's element type, or the invalid text in its place.
    pub dtype: String,
    /// The extents of the output; absent where the request does not determine them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape: Option<Vec<u64>>,
    /// The seeds among its attributes: global seed and op seed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seeds: Vec<u64>,
    /// Lower and upper bound, where they are single elements.
    #[serde(default, with = "json", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<(json::ScalarJson, json::ScalarJson)>"))]
    pub range: Option<(Scalar, Scalar)>,
    /// Which successive execution of one op instance it is, from 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub execution: u32,
    /// The inputs and the other attributes in words.
    pub inputs: Vec<Input>,
    /// The expectation.
    pub expects: Expects,
    /// Ids of the clauses that it covers.
    pub clauses: Vec<Name>,
    /// Ids of the errata whose answers it tells apart.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errata: Vec<Name>,
    /// Ids of the mistakes that it is there to catch.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<Name>,
    /// Other readings for which it has an expectation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub readings: Vec<Name>,
    /// The source of the expectation.
    pub provenance: Provenance,
    /// A sentence for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// What a case expects, for programs and in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Expects {
    /// The sort of expectation.
    pub kind: ExpectsKind,
    /// The expectation in words.
    pub text: String,
}

/// The sort of a case's expectation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ExpectsKind {
    /// These bits.
    Bits,
    /// An output that is known by its digest.
    Digest,
    /// A rejection.
    Rejection,
    /// What the oracle answers.
    Oracle,
    /// Random numbers that differ in every execution.
    Random,
    /// Nothing under `spec`: the case is about other readings.
    Unspecified,
}

/// An input or attribute in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Its name in the documents.
    pub name: Cow<'static, str>,
    /// Its value: type, shape, literals and decimals, the first sixteen elements of them.
    pub text: String,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes fields by reference"
)]
const fn is_zero(execution: &u32) -> bool {
    *execution == 0
}

impl CaseFacts {
    /// The description of a case.
    pub fn of(case: &Case) -> Self {
        let request = &case.request;
        Self {
            id: case.id.clone(),
            op: request.op().name().into(),
            title: request.description().title.into(),
            variant: request.variant(),
            dtype: dtype(request),
            shape: request.output_form().map(|(_, dims)| dims),
            seeds: seeds(request),
            range: range(request),
            execution: request.execution(),
            inputs: inputs(request),
            expects: expects(case),
            clauses: case.clauses.clone(),
            errata: case.errata.clone(),
            flags: case.flags.clone(),
            readings: case.readings.keys().cloned().collect(),
            provenance: case.provenance.clone(),
            note: case.note.clone(),
        }
    }

    /// The request in one line: `RandomUniform-8 TENSORFLOW f16 [3,2,4], seeds 150/10, range [-1.5, -1.0)`.
    pub fn line(&self) -> String {
        let words: [&str; 3] = [&self.title, &self.variant, &self.dtype];
        let mut line = words
            .into_iter()
            // Some ops have no variants, and some requests name no element type.
            .filter(|word| !word.is_empty())
            .collect::<Vec<_>>()
            .join(" ");
        if let Some(shape) = &self.shape {
            line.push_str(&format!(" {}", list(shape)));
        }
        if !self.seeds.is_empty() {
            let seeds: Vec<String> = self.seeds.iter().map(u64::to_string).collect();
            line.push_str(&format!(", seeds {}", seeds.join("/")));
        }
        if let Some((low, high)) = self.range {
            line.push_str(&format!(", range [{}, {})", decimal(low), decimal(high)));
        }
        if self.execution > 0 {
            line.push_str(&format!(", execution {}", self.execution));
        }
        line
    }

    /// Whether its output has elements, so that an answer says something of how an implementation draws.
    pub(crate) fn has_elements(&self) -> bool {
        !self.shape.as_ref().is_some_and(|shape| shape.contains(&0))
    }

    /// Whether the case expects a rejection.
    pub(crate) fn is_refusal(&self) -> bool {
        self.expects.kind == ExpectsKind::Rejection
    }

    /// The group of cases that it belongs to: see [`group_of`].
    pub fn group(&self) -> &str {
        group_of(&self.id)
    }
}

/// The group of cases that a case belongs to: its id's first parts, `ru8/tensorflow/f16`.
pub fn group_of(case: &CaseId) -> &str {
    let id = case.as_str();
    // Three parts hold the op, its variant and the element type in this project's corpus. An id with
    // fewer belongs to its folder.
    let end = id
        .match_indices('/')
        .nth(2)
        .or_else(|| id.match_indices('/').next_back())
        .map_or(id.len(), |(at, _)| at);
    &id[..end]
}

/// The inputs and attributes in words, without the element types and seeds, which the line of the request has already.
fn inputs(request: &Request) -> Vec<Input> {
    let input = |name: &'static str, text: String| Input {
        name: name.into(),
        text,
    };
    let inputs = request
        .inputs()
        .into_iter()
        .map(|(info, value)| input(info.name, tensor(value)));
    let attributes = request.attributes().into_iter();
    let attributes = attributes.filter(|(info, _)| !matches!(info.kind, Kind::Dtype(_) | Kind::Seed));
    inputs
        .chain(attributes.map(|(info, value)| input(info.name, text(&value))))
        .collect()
}

/// The element type in the request's attribute, valid or not. Without such an attribute, the output's element type.
fn dtype(request: &Request) -> String {
    let named = request
        .attributes()
        .into_iter()
        .find(|(info, _)| matches!(info.kind, Kind::Dtype(_)));
    let form = || {
        request
            .output_form()
            .map_or_else(String::new, |(dtype, _)| dtype.to_string())
    };
    named.map_or_else(form, |(_, value)| text(&value))
}

fn text(value: &AttributeValue) -> String {
    match value {
        AttributeValue::Text(text) => text.clone(),
        AttributeValue::Seed(seed) => seed.to_string(),
        AttributeValue::Boolean(boolean) => boolean.to_string(),
        AttributeValue::Extents(extents) => list(extents),
        AttributeValue::Number(number) => number.to_string(),
    }
}

/// `[3,2,4]`.
fn list(extents: &[u64]) -> String {
    let extents: Vec<String> = extents.iter().map(u64::to_string).collect();
    format!("[{}]", extents.join(","))
}

fn seeds(request: &Request) -> Vec<u64> {
    let seed = |value: AttributeValue| match value {
        AttributeValue::Seed(seed) => Some(seed),
        _ => None,
    };
    request
        .attributes()
        .into_iter()
        .filter_map(|(_, value)| seed(value))
        .collect()
}

/// The bounds, if both are single elements.
fn range(request: &Request) -> Option<(Scalar, Scalar)> {
    // A bound of several elements does not fit one line. It stands among the inputs.
    let bound = |role| request.input_of(role).filter(|bound| bound.count() == 1)?.get(0);
    bound(Role::Lower).zip(bound(Role::Upper))
}

/// A tensor in words: type, shape and literals. The literal of a float is its bits, so decimals follow.
fn tensor(tensor: &Tensor) -> String {
    const MAX_SHOWN_ELEMENTS: usize = 16;
    let list = |text: fn(Scalar) -> String| {
        let mut all: Vec<String> = tensor.scalars().take(MAX_SHOWN_ELEMENTS).map(text).collect();
        if tensor.count() > MAX_SHOWN_ELEMENTS {
            all.push(format!("… {} more", tensor.count() - MAX_SHOWN_ELEMENTS));
        }
        all.join(" ")
    };
    let (dtype, shape) = (tensor.dtype(), tensor.shape());
    let literals = list(Scalar::literal);
    if dtype.is_float() && tensor.count() > 0 {
        format!("{dtype} {shape}: {literals} ({})", list(decimal))
    } else {
        format!("{dtype} {shape}: {literals}")
    }
}

fn expects(case: &Case) -> Expects {
    // The first output is the subject of the sentence.
    let outputs = case.request.outputs().into_iter().skip(1);
    let more = || {
        outputs
            .map(|output| format!(", and {}", output.name))
            .collect::<String>()
    };
    let (kind, text) = match &case.expect {
        Expectation::Bits(bits) => {
            let (count, dtype) = (bits.output.count(), bits.output.dtype());
            let text = format!("{count} {dtype} elements, bit for bit{}", more());
            (ExpectsKind::Bits, text)
        }
        Expectation::Digest(_) => {
            let text = format!("an output with known SHA-256 sums{}", more());
            (ExpectsKind::Digest, text)
        }
        Expectation::Rejected(kind) => (ExpectsKind::Rejection, format!("a rejection ({})", kind.name())),
        Expectation::Oracle => (ExpectsKind::Oracle, "what the oracle answers".to_owned()),
        Expectation::Statistical => (
            ExpectsKind::Random,
            "numbers in range, other ones each time".to_owned(),
        ),
        Expectation::Unspecified => (
            ExpectsKind::Unspecified,
            "nothing under spec; what the readings it names answer".to_owned(),
        ),
    };
    Expects { kind, text }
}

/// The shortest decimal, with a point for every finite float: `-1.0`, `3e-5`, `7`.
pub(crate) fn decimal(scalar: Scalar) -> String {
    let text = scalar.decimal();
    let plain = text.bytes().all(|b| b.is_ascii_digit() || b == b'-');
    if scalar.dtype().is_float() && plain {
        text + ".0"
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use seedproof_ops::Dtype;

    use super::tensor;
    use seedproof_ops::Tensor;

    #[test]
    fn tensors_show_sixteen_elements_and_decimals_of_floats() {
        let text = |count: u32| tensor(&Tensor::vector(&(0..count).collect::<Vec<_>>()));
        assert_eq!(text(2), "u32 [2]: 0 1");
        assert!(text(16).ends_with(" 14 15"), "{}", text(16));
        assert!(text(17).ends_with(" 14 15 … 1 more"), "{}", text(17));
        assert_eq!(tensor(&Tensor::vector(&[0.5_f32])), "f32 [1]: 3f000000 (0.5)");
        let empty = Tensor::new(
            Dtype::F32,
            seedproof_ops::Shape::new(&[0]).expect("a shape"),
            Vec::new(),
        );
        assert_eq!(tensor(&empty.expect("no elements have no bytes")), "f32 [0]: ");
    }
}
