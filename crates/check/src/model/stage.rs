//! The stages of the computation of an element, its values in them, and the blocks from which its words come.

use seedproof_ops::{Backend, Request, Scalar, Stages};
use serde::{Deserialize, Serialize};

use crate::model::json;

/// The intermediate values of one element.
///
/// ```
/// use seedproof_check::StageValues;
/// use seedproof_ops::Scalar;
///
/// let values: StageValues =
///     serde_json::from_str(r#"{"words":[3763977835],"unit":{"dtype":"f32","bits":"3f337cd6"}}"#)?;
/// // RandomUniform-8 takes the low 23 bits of a word as a fraction.
/// let fraction = f64::from(values.words[0] & 0x7f_ffff) / f64::from(1 << 23);
/// assert_eq!(values.unit.map(Scalar::to_f64), Some(fraction));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StageValues {
    /// The generator's words that the element takes.
    pub words: Vec<u32>,
    /// The low bits of the words, where an implementation does not show its words but the value determines these bits.
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
    /// Whether every value of the stage is the expected one.
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
    /// Number of bits.
    pub count: u32,
    /// The number that they form, below 2^53.
    pub value: u64,
}

/// The blocks in which a generator makes its words.
///
/// ```
/// use seedproof_check::Blocks;
///
/// // A double of Philox4x32 takes two of the four words of a block: element 5 is the second half of block 2.
/// let blocks = Blocks { words_per_element: 2, words_per_block: 4 };
/// assert_eq!(blocks.place(5), (2, 2));
/// ```
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
    /// The blocks of the oracle's generator. `None` where the oracle shows no stages, and where a block has no room for
    /// more than one element.
    pub(crate) fn of(oracle: &dyn Backend, request: &Request) -> Option<Self> {
        // Where each element has a block of its own, or a generator such as MT19937 makes one word at a time, the index
        // of an element already says all that its block would.
        Self::any(oracle, request).filter(|blocks| blocks.words_per_element < blocks.words_per_block)
    }

    /// The blocks of any generator, also of one that makes the words of one element at a time, or fewer.
    pub(crate) fn any(oracle: &dyn Backend, request: &Request) -> Option<Self> {
        // The size of a block does not depend on the number of elements, so that one element is enough to learn it.
        let stages = match request.prefix(1) {
            Some(prefix) => oracle.stages(&prefix)?,
            None if request.work() <= MAX_WORK => oracle.stages(request)?,
            None => return None,
        };
        let blocks = Self {
            words_per_element: stages.words_per_element,
            words_per_block: stages.words_per_block,
        };
        (blocks.words_per_element > 0).then_some(blocks)
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

/// The most work of a request that has no shorter form and whose stages are computed whole, only to learn the size of a
/// block. Stages take several times the memory of their output.
pub(crate) const MAX_WORK: u64 = 1 << 20;
