//! What becomes of an op on a path.

use crate::node::Node;
use crate::side::Side;

/// How the mode of a path from PyTorch begins that goes through a file of ONNX.
pub(super) const ONNX_FILE: &str = "onnx-";

/// When a path ends.
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
    /// When.
    pub at: At,
    /// A part of the message that says why.
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

/// What an op becomes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Converted {
    /// The random nodes of the target's graph, where it has a graph.
    pub nodes: Vec<Node>,
    /// How they draw, with all that follows them.
    pub side: Option<Side>,
    /// Whether an addition and a multiplication after the draw went into its bounds.
    pub is_folded: bool,
    /// What the target does in place of the op, where that is another thing.
    pub instead: Option<&'static str>,
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

    /// The op is gone, and something that does not draw stands in its place.
    pub(super) fn vanished(what: &'static str) -> Self {
        Self {
            instead: Some(what),
            ..Self::default()
        }
    }
}

/// Both ends of a path.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// How the source draws.
    pub source: Result<Side, Refusal>,
    /// What becomes of it.
    pub target: Result<Converted, Refusal>,
}

impl Rule {
    /// The refusal that ends the path. A converter comes to a model that its source would not run.
    pub fn refusal(&self) -> Option<&Refusal> {
        self.target.as_ref().err().or(self.source.as_ref().err())
    }
}
