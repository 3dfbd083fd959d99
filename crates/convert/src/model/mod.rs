//! The random ops of a model file: ONNX, TensorFlow's SavedModel, LiteRT, OpenVINO's representation and PyTorch's exported
//! programs. Beside the readers, a writer of ONNX models of one node, by the same messages.
//!
//! Only the parts of each schema are read that say what is random; all else is passed over. Memory stays proportional to
//! the file.

mod found;
mod ir;
mod onnx;
mod protobuf;
mod pt2;
mod saved_model;
mod tflite;

pub use found::{Format, Found, Model};
pub use onnx::write::{OnnxAttribute, OnnxModel, OnnxValue, onnx_tensor};

/// Reads the random ops of a model. `constants` is the `.bin` of OpenVINO's representation; nothing else needs any.
///
/// # Errors
/// What is wrong with the file, with the offset or the line.
pub fn read_model(format: Format, bytes: Vec<u8>, constants: &[u8]) -> Result<Model, String> {
    match format {
        Format::Onnx => onnx::read(bytes),
        Format::SavedModel => saved_model::read(bytes),
        Format::Tflite => tflite::read(&bytes),
        Format::OpenvinoIr => ir::read(&bytes, constants),
        Format::ExportedProgram => pt2::read(&bytes),
    }
}
