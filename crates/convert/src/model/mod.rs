//! Readers of model files: ONNX, TensorFlow's SavedModel, LiteRT, OpenVINO's representation and PyTorch's exported
//! programs. A writer of ONNX models of one node uses the same messages.
//!
//! Only the parts of each schema that concern random ops are read. A file may come from anywhere, so memory
//! stays proportional to its size.

mod found;
mod ir;
mod onnx;
mod protobuf;
mod pt2;
mod saved_model;
mod slices;
mod tflite;

pub use found::{Format, Found, Model};
pub use onnx::write::{OnnxAttribute, OnnxModel, OnnxValue, onnx_tensor};

/// Reads the random ops of a model. `constants` is the `.bin` of OpenVINO's representation; other formats need none.
///
/// # Errors
/// The fault of the file, with its offset or line.
pub fn read_model(format: Format, bytes: Vec<u8>, constants: &[u8]) -> Result<Model, String> {
    match format {
        Format::Onnx => onnx::read(bytes),
        Format::SavedModel => saved_model::read(bytes),
        Format::Tflite => tflite::read(&bytes),
        Format::OpenvinoIr => ir::read(&bytes, constants),
        Format::ExportedProgram => pt2::read(&bytes),
    }
}
