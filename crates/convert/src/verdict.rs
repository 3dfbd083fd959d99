//! The verdict on one inference of a converted model, and the stages at which bits were lost.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::drawn::Drawn;
use crate::rules::{Converted, Rule};
use crate::side::{Seeds, Side, State};

/// What becomes of a source's random bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Verdict {
    /// The target draws the source's bits.
    SameBits,
    /// The target takes the same bits of the same random words, and makes other values of them.
    SameWords,
    /// Other bits, which a new process draws again.
    OwnBits,
    /// Other bits at each compilation or conversion.
    NotRepeatable,
    /// Something that does not draw stands in the place of the op.
    NotDrawn,
    /// The converter or the runtime does not take the model.
    Refused,
}

impl Verdict {
    /// Every verdict, the best first.
    pub const ALL: [Self; 6] = [
        Self::SameBits,
        Self::SameWords,
        Self::OwnBits,
        Self::NotRepeatable,
        Self::NotDrawn,
        Self::Refused,
    ];
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::SameBits => "same bits",
            Self::SameWords => "same words, other values",
            Self::OwnBits => "own bits, repeatable",
            Self::NotRepeatable => "not repeatable",
            Self::NotDrawn => "not drawn",
            Self::Refused => "refused",
        })
    }
}

/// Where on its way a model loses its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Stage {
    /// There is no rule for the op, or the rule makes another op of it.
    OpMapping,
    /// Seeds arrive as others, or not at all.
    SeedMapping,
    /// The target has another generator.
    Generator,
    /// The draw is made in another element type.
    TypeLowering,
    /// A multiplication and an addition after the draw became its bounds.
    ConstantFolding,
    /// The target takes the bounds otherwise.
    Range,
    /// A second execution goes on in one and repeats in the other.
    State,
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OpMapping => "op mapping",
            Self::SeedMapping => "seed mapping",
            Self::Generator => "generator",
            Self::TypeLowering => "type lowering",
            Self::ConstantFolding => "constant folding",
            Self::Range => "range",
            Self::State => "state",
        })
    }
}

/// What is known of one inference.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The verdict.
    pub verdict: Verdict,
    /// The stages that have to be as in the source for the bits to be kept; none if they are.
    pub stages: Vec<Stage>,
    /// What differs, in a sentence.
    pub why: String,
    /// What the source draws, where there is a model of its values.
    pub source: Option<Drawn>,
    /// What the target draws, likewise.
    pub target: Option<Drawn>,
}

/// Elements on which a verdict is found, whatever an output has: few may be equal by chance, and the first of many are
/// those of an output of few.
const PROBE: [u64; 1] = [1024];

/// The verdict on an execution (from 0) of an op, and what both ends draw for an output of this shape.
pub fn judge(rule: &Rule, shape: &[u64], execution: u32) -> Cell {
    let source = rule
        .source
        .as_ref()
        .ok()
        .and_then(|side| side.draw(shape, execution));
    let without = |verdict, stages: &[Stage], why: String| Cell {
        verdict,
        stages: stages.to_vec(),
        why,
        source: source.clone(),
        target: None,
    };
    let (from, converted) = match (&rule.source, &rule.target) {
        (Ok(from), Ok(converted)) => (from, converted),
        (_, Err(refusal)) | (Err(refusal), _) => {
            let why = format!("refused: {}", refusal.message);
            return without(Verdict::Refused, &[Stage::OpMapping], why);
        }
    };
    let Some(target) = &converted.side else {
        let what = converted.instead.unwrap_or("nothing draws");
        return without(Verdict::NotDrawn, &[Stage::OpMapping], what.to_owned());
    };
    match (from.seeds, target.seeds) {
        (_, Seeds::AtConversion) => {
            let why = "the converter chooses the seeds: every conversion is another model".to_owned();
            return without(Verdict::NotRepeatable, &[Stage::SeedMapping], why);
        }
        (Seeds::AtRun | Seeds::AtProcess, Seeds::AtRun | Seeds::AtProcess) => {
            let why = "neither the source nor the target has a seed".to_owned();
            return without(Verdict::NotRepeatable, &[], why);
        }
        (_, Seeds::AtProcess) => {
            let why = "the target has no seed, and chooses one for each process".to_owned();
            return without(Verdict::NotRepeatable, &[Stage::SeedMapping], why);
        }
        (_, Seeds::AtRun) => {
            let why = format!(
                "the seeds {} do not arrive: both are 0, for which the clock stands in",
                from.seeds
            );
            return without(Verdict::NotRepeatable, &[Stage::SeedMapping], why);
        }
        (_, Seeds::Fixed(..)) => {}
    }
    let drawn = target.draw(shape, execution);
    let (verdict, stages) = compare(from, converted, target, execution);
    let why = sentence(&stages, from, target);
    Cell {
        verdict,
        stages,
        why,
        source,
        target: drawn,
    }
}

/// Looks for the fewest stages of the target that have to be those of the source for the draws to be equal.
fn compare(from: &Side, converted: &Converted, target: &Side, execution: u32) -> (Verdict, Vec<Stage>) {
    if from == target {
        return (Verdict::SameBits, Vec::new());
    }
    if from.generator != target.generator {
        return (Verdict::OwnBits, vec![Stage::Generator]);
    }
    let fits = |side: &Side, of: &Side| {
        let drawn = side.draw(&PROBE, execution);
        drawn.is_some() && drawn == of.draw(&PROBE, execution)
    };
    let exchanged = [
        (vec![], target.clone()),
        (
            vec![Stage::State],
            Side {
                state: from.state,
                ..target.clone()
            },
        ),
        (
            vec![Stage::SeedMapping],
            Side {
                seeds: from.seeds,
                ..target.clone()
            },
        ),
        (
            vec![Stage::SeedMapping, Stage::State],
            Side {
                seeds: from.seeds,
                state: from.state,
                ..target.clone()
            },
        ),
    ];
    let verdict = |stages: &[Stage], best| if stages.is_empty() { best } else { Verdict::OwnBits };
    for (stages, side) in &exchanged {
        if fits(side, from) {
            return (verdict(stages, Verdict::SameBits), stages.clone());
        }
    }
    let last = if converted.is_folded {
        Stage::ConstantFolding
    } else {
        Stage::Range
    };
    for (stages, side) in &exchanged {
        if fits(&side.plain(), &from.plain()) {
            let found = verdict(stages, Verdict::SameWords);
            return (found, stages.iter().copied().chain([last]).collect());
        }
    }
    // Without a model of the values, the stages that differ by themselves. The same kernel draws the same.
    let mut stages = Vec::new();
    if from.seeds != target.seeds {
        stages.push(Stage::SeedMapping);
    }
    if from.state != target.state && execution > 0 {
        stages.push(Stage::State);
    }
    let is_one_kernel = from.dtype.is_none() && !from.reading.is_empty() && from.reading == target.reading;
    if is_one_kernel {
        return (verdict(&stages, Verdict::SameBits), stages);
    }
    if from.dtype.is_some() && target.dtype.is_some() {
        stages.push(Stage::TypeLowering);
    } else if stages.is_empty() {
        stages.push(Stage::OpMapping);
    }
    (Verdict::OwnBits, stages)
}

fn sentence(stages: &[Stage], from: &Side, target: &Side) -> String {
    let words: Vec<String> = stages
        .iter()
        .map(|stage| difference(*stage, from, target))
        .collect();
    if words.is_empty() {
        "every stage keeps them".to_owned()
    } else {
        words.join("; ")
    }
}

fn difference(stage: Stage, from: &Side, target: &Side) -> String {
    let kind = target.dtype.map_or("the type", |dtype| dtype.name());
    match stage {
        Stage::OpMapping => "the target makes its values by another way".to_owned(),
        Stage::SeedMapping => format!("the seeds {} arrive as {}", from.seeds, target.seeds),
        Stage::Generator => format!("the source draws from {}, the target from {}", from.generator, target.generator),
        Stage::TypeLowering => format!(
            "{kind} is drawn otherwise: as `{}` says in the source, as `{}` says in the target",
            from.reading, target.reading
        ),
        Stage::ConstantFolding => {
            "the multiplication and the addition after the draw became its bounds: one rounding in place of two".to_owned()
        }
        Stage::Range => "the target takes the bounds otherwise".to_owned(),
        Stage::State if target.state == State::Repeats => "the source goes on, and the target repeats".to_owned(),
        Stage::State if from.state == State::Repeats => "the source repeats, and the target goes on".to_owned(),
        Stage::State => "a second execution goes on at another block".to_owned(),
    }
}
