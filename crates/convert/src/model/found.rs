//! What is found in a model.

use std::collections::BTreeSet;

use crate::source::Source;

/// A random op of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The node's name in the model; its path through functions and subgraphs is before it.
    pub name: String,
    /// What the node asks.
    pub source: Source,
}

/// The form of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `.onnx`.
    Onnx,
    /// `saved_model.pb`, in the folder of a SavedModel.
    SavedModel,
    /// `.tflite`.
    Tflite,
    /// `.xml`, with its constants in the `.bin` beside it.
    OpenvinoIr,
    /// `.pt2`, an archive of `torch.export.save`.
    ExportedProgram,
}

impl Format {
    /// The form of a file, by the ending of its name.
    pub fn of(name: &str) -> Option<Self> {
        let (_, ending) = name.rsplit_once('.')?;
        Some(match ending.to_ascii_lowercase().as_str() {
            "onnx" => Self::Onnx,
            "pb" => Self::SavedModel,
            "tflite" => Self::Tflite,
            "xml" => Self::OpenvinoIr,
            "pt2" => Self::ExportedProgram,
            _ => return None,
        })
    }
}

/// The random ops of a model in their order, and what else decides on what becomes of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// ONNX: the version of the op set; 0 elsewhere.
    pub opset: i64,
    /// ONNX: the program that wrote the file, such as `pytorch`; empty elsewhere.
    pub producer: String,
    /// Ops that do not draw themselves and that OpenVINO has no rule for: calls of an ONNX model's own functions, and
    /// what makes the keys of TensorFlow's stateless ops. The model is refused for them as for a random op.
    pub without_rule: BTreeSet<String>,
    /// The ops.
    pub found: Vec<Found>,
}
