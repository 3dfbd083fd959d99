//! `seedproof convert`: what becomes of the random bits of a model that is converted.

use std::path::{Path as FilePath, PathBuf};

use clap::{Args, ValueEnum};
use seedproof_convert::{Assessment, Format, Hint, Target, Whole, assess, read_model, ways};

use crate::exit::{CommandResult, Error, Exit};
use crate::io;

mod show;

use show::Shown;

#[derive(Debug, Args)]
pub(crate) struct ConvertArgs {
    /// The model: .onnx, a folder of a SavedModel, .tflite, .pt2, or OpenVINO's .xml with its .bin beside it
    pub(crate) model: PathBuf,
    /// The runtime; without it, each that is known for the form of the model
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) to: Option<Runtime>,
    /// OpenVINO's `INFERENCE_PRECISION_HINT`
    #[arg(long, value_enum, value_name = "TYPE", default_value_t = Precision::Default)]
    pub(crate) hint: Precision,
    /// Look at this inference of one compiled model alone, from 0; without it, at the first three
    #[arg(long, value_name = "N")]
    pub(crate) inference: Option<u32>,
    /// Print at most this many of the values that the converted model draws
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub(crate) elements: usize,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Runtime {
    Openvino,
    Onnxruntime,
    Litert,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Precision {
    Default,
    F32,
    F16,
    Bf16,
}

/// The number of inferences that are compared. A generator that continues or repeats shows it in the second inference, and the
/// third shows that the second was not an exception.
const INFERENCES: u32 = 3;

/// `seedproof convert`.
pub(crate) fn convert(args: &ConvertArgs) -> CommandResult {
    let file = if args.model.is_dir() {
        args.model.join("saved_model.pb")
    } else {
        args.model.clone()
    };
    let name = file.display().to_string();
    let format = Format::of(&name).ok_or_else(|| {
        Error::Usage(format!(
            "{name} is not a known kind of model: expected .onnx, a SavedModel, .tflite, .pt2 or .xml"
        ))
    })?;
    let constants = if format == Format::OpenvinoIr {
        constants(&file)?
    } else {
        Vec::new()
    };
    let model = read_model(format, io::read_bytes(&file)?, &constants)
        .map_err(|error| Error::Usage(format!("{name}: {error}")))?;
    let hint = match args.hint {
        Precision::Default => Hint::Default,
        Precision::F32 => Hint::F32,
        Precision::F16 => Hint::F16,
        Precision::Bf16 => Hint::Bf16,
    };
    let wanted = args.to.map(|runtime| match runtime {
        Runtime::Openvino => Target::Openvino,
        Runtime::Onnxruntime => Target::Onnxruntime,
        Runtime::Litert => Target::Litert,
    });
    let inferences = match args.inference {
        Some(inference) => inference..=inference,
        None => 0..=INFERENCES - 1,
    };
    let few = u64::try_from(args.elements).unwrap_or(u64::MAX);
    let ways: Vec<Assessment> = ways(format, &model, hint)
        .into_iter()
        .filter(|(_, path)| wanted.is_none_or(|wanted| wanted == path.target))
        .map(|(from, path)| assess(&model, from, &path, &inferences, few))
        .collect();
    if ways.is_empty() {
        return Err(Error::Usage(format!(
            "no conversion of {name} to this runtime is known; run without --to to list the known ones"
        )));
    }
    let shown = Shown {
        inference: args.inference.unwrap_or(0),
        elements: args.elements,
    };
    io::print(&if args.json {
        show::document(&name, &model, &ways, shown)
    } else {
        show::text(&name, &model, &ways, shown)
    });
    Ok(if model.found.is_empty() {
        Exit::NothingSelected
    } else if ways.iter().all(|way| way.whole == Whole::Same) {
        Exit::Conforms
    } else {
        Exit::DoesNotConform
    })
}

/// The constants beside the XML. A model without any may lack the file.
fn constants(xml: &FilePath) -> Result<Vec<u8>, Error> {
    let file = xml.with_extension("bin");
    if file.exists() {
        io::read_bytes(&file)
    } else {
        Ok(Vec::new())
    }
}
