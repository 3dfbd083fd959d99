//! The outcome of a conversion: nodes and how they draw, or a refusal.

use std::borrow::Cow;

use crate::node::Node;
use crate::side::Side;

/// The prefix of the mode of a path from PyTorch through an ONNX file.
pub(super) const ONNX_FILE: &str = "onnx-";

/// The step at which a path ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum At {
    /// The source itself has no such op.
    Source,
    /// The converter refuses the model.
    Convert,
    /// The runtime refuses the converted model.
    Compile,
    /// The first inference fails.
    Infer,
}

/// A refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The step that fails.
    pub at: At,
    /// The part of the message that has the reason.
    pub message: String,
}

impl Refusal {
    pub(super) fn at(at: At, message: impl Into<String>) -> Self {
        Self {
            at,
            message: message.into(),
        }
    }

    /// OpenVINO's frontends have no rule for an op.
    pub(super) fn no_rule(op: &str) -> Self {
        Self::at(
            At::Convert,
            format!("No conversion rule found for operations: {op}"),
        )
    }
}

/// The result of converting an op.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Converted {
    /// The random nodes of the target's graph; empty if captures on this path do not record it.
    pub nodes: Vec<Node>,
    /// How the nodes draw, with everything that follows them; `None` if nothing random is left, or if the nodes write nothing.
    pub side: Option<Side>,
    /// Whether an addition and a multiplication after the draw became its bounds.
    pub is_folded: bool,
    /// What the target does in place of the op, if nothing random is left.
    pub instead: Option<Cow<'static, str>>,
}

impl Converted {
    pub(super) fn to(node: Node, side: Side) -> Self {
        Self {
            nodes: vec![node],
            ..Self::without_nodes(side)
        }
    }

    pub(super) fn without_nodes(side: Side) -> Self {
        Self {
            side: Some(side),
            ..Self::default()
        }
    }

    /// The op was replaced by one that is not random.
    pub(super) fn vanished(what: impl Into<Cow<'static, str>>) -> Self {
        Self {
            instead: Some(what.into()),
            ..Self::default()
        }
    }
}

/// Both ends of a path.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// How the source draws, or its refusal.
    pub source: Result<Side, Refusal>,
    /// The result of the conversion, or the refusal of the converter or runtime.
    pub target: Result<Converted, Refusal>,
}

impl Rule {
    /// The refusal that ends the path.
    pub fn refusal(&self) -> Option<&Refusal> {
        // The target's first: a converter reads a model without running it in its framework.
        self.target.as_ref().err().or(self.source.as_ref().err())
    }
}
