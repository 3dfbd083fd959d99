//! The random ops that a reader finds in a model.

use std::collections::BTreeSet;

use crate::source::Source;

/// A random op of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The node's name in the model, after its path through functions and subgraphs.
    pub name: String,
    /// The op with its parameters.
    pub source: Source,
}

/// The format of a model.
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
    /// The format of a file, by its extension.
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

/// The random ops of a model in its order, and other properties that affect their conversion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// ONNX: the version of the op set; 0 for other formats.
    pub opset: i64,
    /// ONNX: the program that wrote the file, such as `pytorch`; empty for other formats.
    pub producer: String,
    /// Ops that are not random and for which OpenVINO has no rule: calls of an ONNX model's own functions, and the ops
    /// that make the keys of TensorFlow's stateless ops. OpenVINO refuses the model for them as for a random op.
    pub without_rule: BTreeSet<String>,
    /// The random ops.
    pub found: Vec<Found>,
}
