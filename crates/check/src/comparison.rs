//! The comparison of two outputs: what differs, where, and in which stage of the computation.
//!
//! The event log is these types written as JSON.

use seedproof_ops::Scalar;
use serde::{Deserialize, Serialize};

use crate::{Differences, LowBits, json};

/// An element that differs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Element {
    /// Row-major index.
    pub index: usize,
    /// The index along each axis.
    pub coordinates: Vec<usize>,
    /// The generator's block that the element comes from, counted from the request's first, and the first of the
    /// words in it that the element takes; absent where the generator has no blocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block: Option<(u64, u32)>,
    /// The right element.
    #[serde(with = "json")]
    #[cfg_attr(feature = "schema", schemars(with = "json::ScalarJson"))]
    pub expected: Scalar,
    /// The element of the answer.
    #[serde(with = "json")]
    #[cfg_attr(feature = "schema", schemars(with = "json::ScalarJson"))]
    pub actual: Scalar,
    /// Representable values between the two, plus one; absent for a NaN.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ulps: Option<u64>,
}

/// An element-wise comparison that found a difference.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Comparison {
    /// Number of elements.
    pub total: usize,
    /// Number of elements that differ.
    pub differing: usize,
    /// The first element that differs.
    pub first: Element,
    /// The largest distance in ulps among those that differ, NaNs apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_ulps: Option<u64>,
    /// For each of up to 256 equal runs of elements, how many differ.
    pub strip: Vec<u32>,
    /// The first elements that differ.
    pub differences: Differences,
    /// The stages that can be compared, first to last; empty where the backend cannot show stages.
    pub stages: Vec<StageResult>,
    /// The values of the first differing element in the expected computation, where they are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_stages: Option<StageValues>,
    /// Its values in the backend's computation; absent where the backend cannot show stages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actual_stages: Option<StageValues>,
}

/// The intermediate values of one element.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StageValues {
    /// The generator's words that the element takes.
    pub words: Vec<u32>,
    /// The low bits of the words, where the words are not known but these follow from the value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low_bits: Option<LowBits>,
    /// Its value in the unit interval; absent for integers.
    #[serde(default, with = "json", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<json::ScalarJson>"))]
    pub unit: Option<Scalar>,
}

/// A stage of the computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// The generator's words.
    Words,
    /// Values in the unit interval.
    UnitInterval,
    /// Values in the requested range.
    Scale,
}

/// The comparison of one stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StageResult {
    /// The stage.
    pub stage: Stage,
    /// Whether every value of it is as expected.
    pub equal: bool,
}
