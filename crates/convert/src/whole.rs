//! The verdict on a model as a whole: what its owner asks, whatever its ops do one by one.

use std::fmt;
use std::ops::RangeInclusive;

use serde::Serialize;

use crate::drawn::Drawn;
use crate::model::{Format, Found, Model};
use crate::rules::{Rule, rule};
use crate::side::Side;
use crate::source::{Framework, Hint, Path, Source, Target};
use crate::verdict::{Cell, Verdict, judge};

/// What becomes of the random numbers of a model on a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "verdict")]
pub enum Whole {
    /// Every op draws the source's bits in every inference.
    Same,
    /// Every op draws the source's bits in the first inference, and not all do after it.
    SameAtFirst,
    /// Some ops make other values of the source's random words, and the others draw its bits.
    SameWords,
    /// Other numbers, which a new process draws again.
    OwnBits,
    /// Other numbers each time.
    NotRepeatable {
        /// The ops of which this is so.
        ops: usize,
    },
    /// Something that does not draw stands in the place of some ops.
    NotDrawn {
        /// How many.
        ops: usize,
    },
    /// The model is not taken. One op that is refused sinks all others.
    Refused {
        /// The random ops that are refused.
        ops: usize,
    },
    /// Nothing is known of some ops, and the model is not refused for another one.
    Unknown {
        /// How many.
        ops: usize,
    },
}

/// The verdict on a model: of each op the verdicts on its inferences, the first one first, and none where nothing is known of it.
/// `refuses` says that the model is refused for something beside its random ops.
///
/// ```
/// use seedproof_convert::{Verdict, Whole, whole};
///
/// let kept = [Verdict::SameBits, Verdict::SameBits];
/// let moved = [Verdict::SameBits, Verdict::OwnBits];
/// assert_eq!(whole(&[&kept, &moved], false), Whole::SameAtFirst);
/// assert_eq!(whole(&[&kept, &[Verdict::Refused]], false), Whole::Refused { ops: 1 });
/// ```
pub fn whole(ops: &[&[Verdict]], refuses: bool) -> Whole {
    let count = |verdict| {
        ops.iter()
            .filter(|inferences| inferences.contains(&verdict))
            .count()
    };
    let unknown = ops.iter().filter(|inferences| inferences.is_empty()).count();
    let refused = count(Verdict::Refused);
    if refused > 0 || refuses {
        return Whole::Refused { ops: refused };
    }
    if unknown > 0 {
        return Whole::Unknown { ops: unknown };
    }
    let worst = ops.iter().flat_map(|inferences| inferences.iter()).max();
    let is_same_at_first = ops
        .iter()
        .all(|inferences| inferences.first() == Some(&Verdict::SameBits));
    match worst {
        None | Some(Verdict::SameBits) => Whole::Same,
        Some(_) if is_same_at_first => Whole::SameAtFirst,
        Some(Verdict::SameWords) => Whole::SameWords,
        Some(Verdict::OwnBits | Verdict::Refused) => Whole::OwnBits,
        Some(Verdict::NotRepeatable) => Whole::NotRepeatable {
            ops: count(Verdict::NotRepeatable),
        },
        Some(Verdict::NotDrawn) => Whole::NotDrawn {
            ops: count(Verdict::NotDrawn),
        },
    }
}

impl fmt::Display for Whole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Same => "the same numbers in every inference",
            Self::SameAtFirst => "the same numbers in the first inference, others after it",
            Self::SameWords => "other numbers, made from the same random words",
            Self::OwnBits => "other numbers, the same in each process",
            Self::NotRepeatable { .. } => "other numbers each time",
            Self::NotDrawn { .. } => "not random any more",
            Self::Refused { .. } => "refused as a whole",
            Self::Unknown { .. } => "not known",
        })
    }
}

/// A model on a path.
#[derive(Clone, Debug)]
pub struct Assessment {
    /// Who draws before.
    pub from: Framework,
    /// The path.
    pub path: Path,
    /// The verdict on the model.
    pub whole: Whole,
    /// Ops beside the random ones that the target has no rule for.
    pub missing: Vec<String>,
    /// The random ops, in the model's order.
    pub ops: Vec<Assessed>,
}

/// A random op on a path.
#[derive(Clone, Debug)]
pub struct Assessed {
    /// What is asked of the framework that draws before.
    pub source: Source,
    /// How both ends draw; `None` where nothing is known of the op.
    pub rule: Option<Rule>,
    /// The inferences that are looked at; none where nothing is known.
    pub cells: Vec<Cell>,
}

/// The paths of a model of this form, each with who draws before.
pub fn ways(format: Format, model: &Model, hint: Hint) -> Vec<(Framework, Path)> {
    // Whoever asks has a file, which OpenVINO treats in another way than a model that it is given as bytes.
    let opset = format!("path-opset-{}", model.opset);
    let exported = format!("onnx-{opset}");
    let all: &[(Framework, Target, &str)] = match format {
        // What PyTorch drew before it wrote the file is what its owner asks about.
        Format::Onnx if model.producer == "pytorch" => &[
            (Framework::Torch, Target::Onnxruntime, &exported),
            (Framework::Torch, Target::Openvino, &exported),
            (Framework::Onnxruntime, Target::Openvino, &opset),
        ],
        Format::Onnx => &[
            (Framework::Onnxruntime, Target::Openvino, &opset),
            (Framework::Onnx, Target::Onnxruntime, &opset),
        ],
        Format::SavedModel => &[
            (Framework::Tensorflow, Target::Openvino, "saved_model"),
            (Framework::Tensorflow, Target::Litert, "saved_model"),
        ],
        Format::Tflite => &[
            (Framework::Tensorflow, Target::Openvino, "litert"),
            (Framework::Tensorflow, Target::Litert, "model"),
        ],
        Format::OpenvinoIr => &[(Framework::Openvino, Target::Openvino, "model")],
        Format::ExportedProgram => &[(Framework::Torch, Target::Openvino, "export")],
    };
    let way = |&(from, target, mode): &(Framework, Target, &str)| {
        let hint = if target == Target::Openvino {
            hint
        } else {
            Hint::Default
        };
        let mode = mode.to_owned();
        (from, Path { target, mode, hint })
    };
    all.iter().map(way).collect()
}

/// What becomes of a model on a path, over these inferences of one compiled model. Of an output whose shape the model leaves open,
/// `few` elements are drawn, and kept where they do not depend on how many there are.
pub fn assess(
    model: &Model,
    from: Framework,
    path: &Path,
    inferences: &RangeInclusive<u32>,
    few: u64,
) -> Assessment {
    let op = |found: &Found| {
        let source = Source {
            framework: from,
            ..found.source.clone()
        };
        let rule = rule(&source, path);
        let cells = rule.iter().flat_map(|rule| {
            let shape = source.shape.as_deref();
            inferences
                .clone()
                .map(move |inference| cell(rule, shape, inference, few))
        });
        let cells = cells.collect();
        Assessed { source, rule, cells }
    };
    let ops: Vec<Assessed> = model.found.iter().map(op).collect();
    let missing: Vec<String> = if path.target == Target::Openvino {
        model.without_rule.iter().cloned().collect()
    } else {
        Vec::new()
    };
    let verdicts: Vec<Vec<Verdict>> = ops
        .iter()
        .map(|op| op.cells.iter().map(|cell| cell.verdict).collect())
        .collect();
    let verdicts: Vec<&[Verdict]> = verdicts.iter().map(Vec::as_slice).collect();
    Assessment {
        from,
        path: path.clone(),
        whole: whole(&verdicts, !missing.is_empty()),
        missing,
        ops,
    }
}

fn cell(rule: &Rule, shape: Option<&[u64]>, inference: u32, few: u64) -> Cell {
    if let Some(shape) = shape {
        return judge(rule, shape, inference);
    }
    let few = few.clamp(1, 1 << 10);
    let known = |side: &Side| -> Option<Drawn> {
        let short = side.draw(&[few], inference)?;
        let begins = |count| {
            let long = side.draw(&[count], inference);
            long.is_some_and(|long| long.bits.starts_with(&short.bits))
        };
        (begins(few + 1) && begins(2 * few + 13)).then_some(short)
    };
    let target = rule
        .target
        .as_ref()
        .ok()
        .and_then(|converted| converted.side.as_ref());
    let cell = judge(rule, &[few], inference);
    Cell {
        source: cell.source.and(rule.source.as_ref().ok().and_then(known)),
        target: cell.target.and(target.and_then(known)),
        ..cell
    }
}
