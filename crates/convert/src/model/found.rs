//! What is found in a model.

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
            _ => return None,
        })
    }
}

/// The version of the operator set that an ONNX model imports, and the random ops of a model in their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// ONNX: the version of the op set; 0 elsewhere.
    pub opset: i64,
    /// The ops.
    pub found: Vec<Found>,
}
