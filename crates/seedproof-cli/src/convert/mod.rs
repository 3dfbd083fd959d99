//! `seedproof convert`: what becomes of the random bits of a model that is converted.

use std::path::{Path as FilePath, PathBuf};

use clap::{Args, ValueEnum};
use seedproof_convert::{
    Format, Found, Framework, Hint, Model, Path, Seeds, Target, Verdict, advice, judge, read_model, rule,
};

use crate::exit::{CommandResult, Error, Exit};
use crate::io;

mod show;

use show::{Line, Shown};

#[derive(Debug, Args)]
pub(crate) struct ConvertArgs {
    /// The model: .onnx, a folder of a SavedModel, .tflite, or OpenVINO's .xml with its .bin beside it
    pub(crate) model: PathBuf,
    /// The runtime; without it, each that is known for the form of the model
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) to: Option<Runtime>,
    /// OpenVINO's `INFERENCE_PRECISION_HINT`
    #[arg(long, value_enum, value_name = "TYPE", default_value_t = Precision::Default)]
    pub(crate) hint: Precision,
    /// Which inference of one compiled model, from 0
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) inference: u32,
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
            "{name} is no model that is known: expected .onnx, a SavedModel, .tflite or .xml"
        ))
    })?;
    let constants = if format == Format::OpenvinoIr {
        constants(&file)?
    } else {
        Vec::new()
    };
    let model = read_model(format, io::read_bytes(&file)?, &constants)
        .map_err(|error| Error::Usage(format!("{name}: {error}")))?;
    let ways = ways(format, &model, args);
    let lines: Vec<(&Found, Vec<Line>)> = model
        .found
        .iter()
        .map(|found| {
            (
                found,
                ways.iter()
                    .map(|(from, path)| line(found, *from, path, args))
                    .collect(),
            )
        })
        .collect();
    let shown = Shown {
        inference: args.inference,
        elements: args.elements,
    };
    io::print(&if args.json {
        show::document(&name, &lines, shown)
    } else {
        show::text(&name, &lines, shown)
    });
    let cells = || lines.iter().flat_map(|(_, lines)| lines);
    Ok(if lines.is_empty() {
        Exit::NothingSelected
    } else if cells().all(|line| {
        line.cell
            .as_ref()
            .is_some_and(|cell| cell.verdict == Verdict::SameBits)
    }) {
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

/// The ways that a model of this form goes: who drew before, and the path.
fn ways(format: Format, model: &Model, args: &ConvertArgs) -> Vec<(Framework, Path)> {
    let hint = match args.hint {
        Precision::Default => Hint::Default,
        Precision::F32 => Hint::F32,
        Precision::F16 => Hint::F16,
        Precision::Bf16 => Hint::Bf16,
    };
    let opset = format!("opset-{}", model.opset);
    let all = match format {
        Format::Onnx => vec![
            (Framework::Onnxruntime, Target::Openvino, opset.as_str()),
            (Framework::Onnx, Target::Onnxruntime, opset.as_str()),
        ],
        Format::SavedModel => vec![
            (Framework::Tensorflow, Target::Openvino, "saved_model"),
            (Framework::Tensorflow, Target::Litert, "saved_model"),
        ],
        Format::Tflite => vec![
            (Framework::Tensorflow, Target::Openvino, "litert"),
            (Framework::Tensorflow, Target::Litert, "model"),
        ],
        Format::OpenvinoIr => vec![(Framework::Openvino, Target::Openvino, "model")],
    };
    let wanted = args.to.map(|runtime| match runtime {
        Runtime::Openvino => Target::Openvino,
        Runtime::Onnxruntime => Target::Onnxruntime,
        Runtime::Litert => Target::Litert,
    });
    all.into_iter()
        .filter(|(_, target, _)| wanted.is_none_or(|wanted| wanted == *target))
        .map(|(from, target, mode)| {
            let hint = if target == Target::Openvino {
                hint
            } else {
                Hint::Default
            };
            (
                from,
                Path {
                    target,
                    mode: mode.to_owned(),
                    hint,
                },
            )
        })
        .collect()
}

fn line(found: &Found, from: Framework, path: &Path, args: &ConvertArgs) -> Line {
    let mut source = found.source.clone();
    source.framework = from;
    let rule = rule(&source, path);
    let nodes = rule
        .iter()
        .filter_map(|rule| rule.target.as_ref().ok())
        .flat_map(|converted| &converted.nodes);
    let nodes = nodes
        .map(|node| {
            let alignment = match (node.op, node.is_pytorch) {
                ("Multinomial", _) => "",
                (_, true) => " PYTORCH",
                (_, false) => " TENSORFLOW",
            };
            let seeds = match node.seeds {
                Seeds::AtRun | Seeds::AtProcess => "0 and 0".to_owned(),
                Seeds::AtConversion => "that the converter chooses".to_owned(),
                Seeds::Fixed(..) => node.seeds.to_string(),
            };
            let bounds = node.bounds.map_or(String::new(), |(low, high)| {
                format!(", [{}, {})", low.decimal(), high.decimal())
            });
            format!("{}{alignment} {}, seeds {seeds}{bounds}", node.op, node.dtype)
        })
        .collect();
    // A model that leaves extents open is asked for a few elements.
    let few = [u64::try_from(args.elements).unwrap_or(u64::MAX)];
    let shape = source.shape.as_deref().unwrap_or(&few);
    let cell = rule.map(|rule| judge(&rule, shape, args.inference));
    let advice = cell.as_ref().and_then(|cell| advice(&source, path, cell));
    Line {
        path: path.clone(),
        from,
        cell,
        nodes,
        advice,
    }
}
