//! The stages of the computation of an element, its values in them, and the blocks from which its words come.

use seedproof_ops::{Backend, Request, Scalar, Stages};
use serde::{Deserialize, Serialize};

use crate::model::json;

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

/// The stage that differs first, if one does.
pub(crate) fn first_difference(stages: &[StageResult]) -> Option<Stage> {
    stages
        .iter()
        .find(|result| !result.equal)
        .map(|result| result.stage)
}

impl StageValues {
    /// The intermediate values of the element of this row-major index.
    pub(crate) fn of(stages: &Stages, index: usize) -> Self {
        let start = index.saturating_mul(stages.words_per_element);
        let end = start.saturating_add(stages.words_per_element);
        Self {
            words: stages.words.get(start..end).unwrap_or_default().to_vec(),
            low_bits: None,
            unit: stages.unit.as_ref().and_then(|unit| unit.get(index)),
        }
    }
}

/// The low bits of an element's words, taken together as one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LowBits {
    /// How many.
    pub count: u32,
    /// Their value, under 2^53.
    pub value: u64,
}

/// The blocks in which a generator makes its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Blocks {
    /// Words that an element takes.
    pub words_per_element: usize,
    /// Words that the generator makes at a time, more than an element takes.
    pub words_per_block: usize,
}

impl Blocks {
    /// The blocks as the oracle has them; `None` where it cannot say, and where no block has a whole element and more.
    pub(crate) fn of(oracle: &dyn Backend, request: &Request) -> Option<Self> {
        let stages = match request.prefix(1) {
            Some(prefix) => oracle.stages(&prefix)?,
            None if request.work() <= LARGEST => oracle.stages(request)?,
            None => return None,
        };
        let blocks = Self {
            words_per_element: stages.words_per_element,
            words_per_block: stages.words_per_block,
        };
        (0 < blocks.words_per_element && blocks.words_per_element < blocks.words_per_block).then_some(blocks)
    }

    /// Elements per block: 4 of Philox4x32, or 2 if each takes 64 bits.
    pub(crate) fn elements(self) -> usize {
        (self.words_per_block / self.words_per_element.max(1)).max(1)
    }

    /// The block that an element comes from, counted from the request's first, and the first word in it that the
    /// element takes.
    pub fn place(self, index: usize) -> (u64, u32) {
        let word = index % self.elements() * self.words_per_element;
        let block = u64::try_from(index / self.elements()).unwrap_or(u64::MAX);
        (block, u32::try_from(word).unwrap_or(u32::MAX))
    }
}

/// The most work for which the stages of a whole output are asked for to learn its blocks.
pub(crate) const LARGEST: u64 = 1 << 20;
