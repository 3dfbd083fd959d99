//! The verdict on a model as a whole, which is what its owner asks for.

use std::fmt;
use std::ops::RangeInclusive;

use serde::Serialize;

use crate::drawn::Drawn;
use crate::model::{Format, Found, Model};
use crate::rules::{Rule, rule};
use crate::side::{Side, State};
use crate::source::{Body, Framework, Hint, Path, Source, TAKEN_BY, Target};
use crate::verdict::{Cell, Verdict, judge};

/// The verdict on the random numbers of a model on a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "verdict")]
pub enum Whole {
    /// The model has no random op.
    NothingRandom,
    /// Every op draws the source's bits in every inference.
    Same,
    /// Every op draws the source's bits in the first inference, but not all do in later ones.
    SameAtFirst,
    /// Some ops convert the source's random words to other values. The others draw the source's bits.
    SameWords,
    /// The numbers differ from the source's, but a new process draws the same ones again.
    OwnBits,
    /// The numbers differ each time.
    NotRepeatable {
        /// The number of ops that are not repeatable.
        ops: usize,
    },
    /// Some ops were replaced by ones that are not random.
    NotDrawn {
        /// The number of replaced ops.
        ops: usize,
    },
    /// The model is refused. One refused op is enough.
    Refused {
        /// The number of refused random ops.
        ops: usize,
    },
    /// There are ops without a rule, and the model is not refused for another one.
    Unknown {
        /// The number of ops without a rule.
        ops: usize,
    },
}

/// The verdict on a model, from the verdicts on the inferences of each op, which are empty if there is no rule for the
/// op. `refuses` means that the model is refused for an op that is not random.
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
    // Before the unknown ops: a refused model never runs them.
    if refused > 0 || refuses {
        return Whole::Refused { ops: refused };
    }
    if unknown > 0 {
        return Whole::Unknown { ops: unknown };
    }
    if ops.is_empty() {
        return Whole::NothingRandom;
    }
    // The worst of all inferences: an owner who trains or samples repeatedly needs every one.
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
            Self::NothingRandom => "no random op",
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
    /// The framework that draws before the conversion.
    pub from: Framework,
    /// The path.
    pub path: Path,
    /// The verdict on the model.
    pub whole: Whole,
    /// Other ops for which the target has no rule.
    pub missing: Vec<String>,
    /// The random ops, in the model's order.
    pub ops: Vec<Assessed>,
}

impl Assessment {
    /// Whether the target may refuse the model for an op of which that is not known: it stands behind a dropout of PyTorch
    /// of which OpenVINO leaves a slice. What is said of the numbers holds only if the model is taken.
    pub fn may_be_refused(&self) -> bool {
        self.path.target == Target::Openvino && self.ops.iter().any(|op| op.source.get(TAKEN_BY).is_some())
    }
}

/// A random op on a path.
#[derive(Clone, Debug)]
pub struct Assessed {
    /// The op in the framework that draws before the conversion.
    pub source: Source,
    /// The rule for the op, if there is one.
    pub rule: Option<Rule>,
    /// The verdict on each inference; empty if there is no rule.
    pub cells: Vec<Cell>,
}

/// The paths of a model in this format, each with the framework that draws before the conversion.
pub fn ways(format: Format, model: &Model, hint: Hint) -> Vec<(Framework, Path)> {
    // The user has a file. OpenVINO treats it in another way than the same model in memory: see `is_read_from_file`.
    let opset = format!("path-opset-{}", model.opset);
    let exported = format!("onnx-{opset}");
    let all: &[(Framework, Target, &str)] = match format {
        // A file that PyTorch exported is compared with PyTorch, which drew before.
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

/// The verdict on a model on a path, over these inferences of one compiled model. If the model leaves the shape of an
/// output open, `few` elements are drawn, and kept only if they do not depend on the number of elements.
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
            let body = source.body();
            inferences
                .clone()
                .map(move |inference| settled(cell(rule, shape, inference, few), rule, body, inference))
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

/// A cell without the values that depend on how often a loop runs its body: an end that goes on does so in each iteration,
/// so that nothing says where a later inference begins.
fn settled(cell: Cell, rule: &Rule, body: Option<Body>, inference: u32) -> Cell {
    let is_open = |side: Option<&Side>| {
        body == Some(Body::Loop)
            && inference > 0
            && side
                .is_some_and(|side| matches!(side.state, State::GoesOn | State::NextBlock | State::NextSeed))
    };
    let target = rule.target.as_ref().ok();
    let (from, to) = (
        is_open(rule.source.as_ref().ok()),
        is_open(target.and_then(|converted| converted.side.as_ref())),
    );
    Cell {
        source: cell.source.filter(|_| !from),
        target: cell.target.filter(|_| !to),
        ..cell
    }
}

fn cell(rule: &Rule, shape: Option<&[u64]>, inference: u32, few: u64) -> Cell {
    if let Some(shape) = shape {
        return judge(rule, shape, inference);
    }
    let few = few.clamp(1, 1 << 10);
    // The elements are trusted if two longer outputs begin with them: one element more would show a rounding up to
    // whole blocks, and more than twice as many a layout that depends on the size.
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
