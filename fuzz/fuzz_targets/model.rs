//! A model of any of the five forms, of which the first byte chooses one, and what its random ops become on every path.
//!
//! For a `.xml` the last bytes are the constants, as many as the second byte says.
#![no_main]

use libfuzzer_sys::fuzz_target;
use seedproof_convert::{Format, Hint, Path, Target, judge, read_model, rule};

fuzz_target!(|data: &[u8]| {
    let [format, constants, model @ ..] = data else { return };
    let formats = [Format::Onnx, Format::SavedModel, Format::Tflite, Format::OpenvinoIr, Format::ExportedProgram];
    let format = formats[usize::from(*format) % formats.len()];
    let (model, constants) = model.split_at(model.len().saturating_sub(usize::from(*constants)));
    let model = match read_model(format, model.to_vec(), constants) {
        Ok(model) => model,
        Err(message) => {
            assert!(message.len() < 1 << 17, "a message of its own scale");
            return;
        }
    };
    for found in model.found.iter().take(4) {
        for target in [Target::Openvino, Target::Onnxruntime, Target::Litert] {
            for mode in ["opset-13", "saved_model", "litert", "model"] {
                let path = Path { target, mode: mode.to_owned(), hint: Hint::Default };
                if let Some(rule) = rule(&found.source, &path) {
                    judge(&rule, &[3], 0);
                }
            }
        }
    }
});
