//! The comparison of two outputs: what differs, where, and in which stage of the computation.
//!
//! The event log is these types written as JSON.

use seedproof_ops::Scalar;
use serde::{Deserialize, Serialize};

use crate::model::json;
use crate::model::stage::{Blocks, Stage, StageResult, StageValues};

/// An element that differs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Element {
    /// Row-major index.
    pub index: usize,
    /// The index along each axis.
    pub coordinates: Vec<usize>,
    /// The generator's block from which the element comes, counted from the request's first, and the index of the first
    /// word in it that the element takes; absent where the generator has no blocks.
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
    /// The distance between the two in representable values, 1 for neighbours; absent if one is a NaN.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ulps: Option<u64>,
}

/// An element-wise comparison that found a difference.
///
/// ```
/// use seedproof_check::{Comparison, Stage, differ};
///
/// let comparison: Comparison = serde_json::from_str(
///     r#"{"total":6,"differing":1,"first":{"index":5,"coordinates":[1,2],"block":[1,1],
///         "expected":{"dtype":"f32","bits":"fdaa2a70"},"actual":{"dtype":"f32","bits":"fdaa2a72"},"ulps":2},
///         "max_ulps":2,"strip":[0,0,0,0,0,1],"differences":{"indices":[5],
///         "expected":{"dtype":"f32","bits":["fdaa2a70"]},"actual":{"dtype":"f32","bits":["fdaa2a72"]}},
///         "stages":[{"stage":"words","equal":true},{"stage":"unit-interval","equal":true},
///         {"stage":"scale","equal":false}]}"#,
/// )?;
/// let line = differ(comparison.differing, comparison.total, ["element", "elements"], |n| n.to_string());
/// assert_eq!(line, "1 of 6 elements differs");
/// let wrong = comparison.stages.iter().find(|it| !it.equal).map(|it| it.stage);
/// assert_eq!(wrong, Some(Stage::Scale), "the generator is right, and the fault is in the scaling");
/// # Ok::<(), serde_json::Error>(())
/// ```
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
    /// The largest distance in ulps among the elements that differ. NaNs do not count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_ulps: Option<u64>,
    /// The number of elements that differ in each of up to 256 runs of nearly equal length.
    pub strip: Vec<u32>,
    /// The first elements that differ.
    pub differences: Differences,
    /// The stages that can be compared, first to last; empty where the backend cannot show stages.
    pub stages: Vec<StageResult>,
    /// The values of the first differing element in the expected computation, where they are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_stages: Option<StageValues>,
    /// The values of the same element in the backend's computation; absent where the backend cannot show stages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actual_stages: Option<StageValues>,
}

/// The first elements that differ, as the columns of a table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Differences {
    /// Row-major indices, in order; at most 64.
    pub indices: Vec<usize>,
    /// The right elements.
    #[serde(with = "json::row")]
    #[cfg_attr(feature = "schema", schemars(with = "json::RowJson"))]
    pub expected: Vec<Scalar>,
    /// The elements of the answer.
    #[serde(with = "json::row")]
    #[cfg_attr(feature = "schema", schemars(with = "json::RowJson"))]
    pub actual: Vec<Scalar>,
    /// The first stage in which each element differs, or none where that is not known; empty where it is known for no
    /// element.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<Option<Stage>>,
    /// Where the actual elements stand in the expected stream. Absent where the words are known to be right, and where
    /// values recur in the stream by chance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<Places>,
    /// The generator's blocks; absent where it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocks: Option<Blocks>,
}

/// The places of elements in the expected stream, which continues after the output.
///
/// ```
/// use seedproof_check::Places;
///
/// // Elements 1, 2 and 3 of a kernel that stores two blocks side by side, word by word, are elements 4, 1 and 5 of the
/// // stream. The range is small, so that element 2 has the first of these values too.
/// let found: Places = serde_json::from_str(r#"{"searched":100,"places":[[2,4],[1],[5]]}"#)?;
/// assert!(found.places.iter().all(|places| !places.is_empty()), "the words are right, and their order is not");
/// let from: Vec<usize> = found.places.iter().filter_map(|places| places.last().copied()).collect();
/// assert_eq!(from, [4, 1, 5]);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Places {
    /// Number of elements of the stream that were searched, from the first on.
    pub searched: usize,
    /// For each element, its places in the stream, at most four; empty where it does not occur.
    pub places: Vec<Vec<usize>>,
}
