//! The verdict on one inference of a converted model, and the stages at which bits were lost.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::drawn::Drawn;
use crate::rules::{Converted, Rule};
use crate::side::{Seeds, Side, State, Values};

/// The verdict on a source's random bits.
// Ordered from best to worst: a model as a whole has the worst verdict of its ops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Verdict {
    /// The target draws the source's bits.
    SameBits,
    /// The target takes the same bits of the same random words, but makes other values of them.
    SameWords,
    /// The target draws other bits, and a new process draws these again.
    OwnBits,
    /// The target draws other bits after each compilation or conversion.
    NotRepeatable,
    /// The op was replaced by one that is not random.
    NotDrawn,
    /// The converter or the runtime refuses the model.
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

/// The stage of a conversion at which a model loses its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Stage {
    /// There is no rule for the op, or the rule replaces it by another op.
    OpMapping,
    /// The seeds are changed, or do not arrive.
    SeedMapping,
    /// The target has another generator.
    Generator,
    /// The target draws in another element type.
    TypeLowering,
    /// A multiplication and an addition after the draw became its bounds.
    ConstantFolding,
    /// The target applies the bounds in another way.
    Range,
    /// A second execution continues the stream at one end, and repeats it or continues elsewhere at the other.
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

/// The verdict on one inference, with the reason and the values.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The verdict.
    pub verdict: Verdict,
    /// The stages that would have to be as in the source for the bits to be kept; empty if the bits are kept.
    pub stages: Vec<Stage>,
    /// The difference in a sentence.
    pub why: String,
    /// The source's elements, if its values are modelled.
    pub source: Option<Drawn>,
    /// The target's elements, if its values are modelled.
    pub target: Option<Drawn>,
}

/// The shape on which a verdict is found, whatever the model's shape: a few elements may be equal by chance, such as
/// two that are both rounded up. An output of fewer elements has the first of these, so its verdict is the same.
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
        (_, Err(refusal)) => {
            let why = format!("refused: {}", refusal.message);
            return without(Verdict::Refused, &[Stage::OpMapping], why);
        }
        // OpenVINO accepts some models that ONNX Runtime has no kernel for. There are no bits to keep then, but the
        // owner asks whether the numbers are at least repeatable.
        (Err(refusal), Ok(converted)) => {
            let seeds = converted.side.as_ref().map(|side| side.seeds);
            let verdict = match seeds {
                Some(Seeds::Fixed(..)) => Verdict::OwnBits,
                _ => Verdict::NotRepeatable,
            };
            let why = format!(
                "the source itself refuses the op, so that there are no bits to keep: {}",
                refusal.message
            );
            let target = converted
                .side
                .as_ref()
                .and_then(|side| side.draw(shape, execution));
            return Cell {
                target,
                ..without(verdict, &[Stage::OpMapping], why)
            };
        }
    };
    let Some(target) = &converted.side else {
        let what = converted.instead.as_deref().unwrap_or("nothing draws");
        return without(Verdict::NotDrawn, &[Stage::OpMapping], what.to_owned());
    };
    // Without fixed seeds at the target nothing can be compared. The order of the arms matters: the
    // most specific reason wins.
    match (from.seeds, target.seeds) {
        (_, Seeds::AtConversion) => {
            let why = "the converter chooses the seeds: every conversion makes a different model".to_owned();
            return without(Verdict::NotRepeatable, &[Stage::SeedMapping], why);
        }
        (Seeds::OutsideModel, Seeds::AtRun | Seeds::AtProcess | Seeds::OutsideModel) => {
            let why = "the seed of torch.manual_seed is not part of the model, and the target chooses one"
                .to_owned();
            return without(Verdict::NotRepeatable, &[Stage::SeedMapping], why);
        }
        // No stage: the source is not repeatable either, so the conversion loses nothing.
        (Seeds::AtRun | Seeds::AtProcess, Seeds::AtRun | Seeds::AtProcess) => {
            let why = "neither the source nor the target has a seed".to_owned();
            return without(Verdict::NotRepeatable, &[], why);
        }
        (_, Seeds::AtProcess | Seeds::OutsideModel) => {
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

/// Finds the fewest stages of the target that must be replaced by those of the source for the draws to be equal.
fn compare(from: &Side, converted: &Converted, target: &Side, execution: u32) -> (Verdict, Vec<Stage>) {
    let folded = if converted.is_folded {
        Stage::ConstantFolding
    } else {
        Stage::Range
    };
    // The op mapping is last. It replaces everything that makes the values, so it would explain any difference, and is
    // named only if no other stage does.
    let stages = [
        Stage::SeedMapping,
        Stage::Generator,
        Stage::TypeLowering,
        folded,
        Stage::State,
        Stage::OpMapping,
    ];
    // The first iteration of a loop agrees even if the later ones do not, so the verdict is on a later one.
    let execution = if target.state == State::InLoop {
        execution.max(1)
    } else {
        execution
    };
    let differs = |stage: &Stage| exchanged(from, target, &[*stage]) != *target;
    let stages: Vec<Stage> = stages.into_iter().filter(differs).collect();
    // At most 2^6 subsets, so all are tried. Of equally small ones, the sort below keeps the order of `stages`.
    let mut subsets: Vec<Vec<Stage>> = (0..1_u32 << stages.len())
        .map(|set| {
            let is_in = |(at, _): &(u32, &Stage)| set >> at & 1 == 1;
            (0..)
                .zip(&stages)
                .filter(is_in)
                .map(|(_, stage)| *stage)
                .collect()
        })
        .collect();
    subsets.sort_by_key(Vec::len);
    // Once for all subsets: the source is the same in each.
    let wanted = from.draw(&PROBE, execution);
    let mut fewest = subsets
        .into_iter()
        .find(|taken| {
            agrees(
                from,
                wanted.as_ref(),
                &exchanged(from, target, taken),
                taken,
                execution,
            )
        })
        .expect("a target whose every part is the source's draws what the source draws");
    fewest.sort_unstable();
    let verdict = if fewest.is_empty() {
        Verdict::SameBits
    } else if agrees_plainly(from, target, execution) {
        Verdict::SameWords
    } else {
        Verdict::OwnBits
    };
    (verdict, fewest)
}

/// The target with the source's parts at these stages.
fn exchanged(from: &Side, target: &Side, stages: &[Stage]) -> Side {
    let mut side = target.clone();
    for stage in stages {
        let is_modelled = |side: &Side| matches!(side.values, Values::Reading { .. });
        match stage {
            Stage::SeedMapping => side.seeds = from.seeds,
            Stage::State => side.state = from.state,
            Stage::Generator if from.generator == target.generator => {}
            // A generator brings its own conversion of words to elements, so everything but the seeds
            // and the state comes with it.
            Stage::Generator => {
                side = Side {
                    seeds: side.seeds,
                    state: side.state,
                    ..from.clone()
                };
            }
            // A kernel without a reading has no parts that could be exchanged.
            Stage::OpMapping if !is_modelled(from) || !is_modelled(target) => {
                side = Side {
                    generator: side.generator,
                    seeds: side.seeds,
                    state: side.state,
                    ..from.clone()
                };
            }
            Stage::OpMapping => {
                side.asked.clone_from(&from.asked);
                side.choice.clone_from(&from.choice);
            }
            // The reading of an op draws its words too, so that its conversion to elements comes with the generator.
            Stage::TypeLowering | Stage::ConstantFolding | Stage::Range
                if side.asked.is_some() && side.generator != from.generator => {}
            Stage::TypeLowering => {
                if let (Values::Reading { unit, .. }, Values::Reading { range, .. }) =
                    (from.values, side.values)
                {
                    side.values = Values::Reading { unit, range };
                    side.dtype = from.dtype;
                    side.cast = from.cast;
                    // With arithmetic after the draw, the bounds are those of [0, 1) and belong to it.
                    if target.affine.is_some() {
                        side.affine = from.affine;
                        side.bounds = from.bounds;
                    }
                    let comparison = |side: &Side| side.choice.as_ref().map(|choice| choice.comparison);
                    if comparison(from) == comparison(target) {
                        side.choice.clone_from(&from.choice);
                    }
                }
            }
            Stage::ConstantFolding | Stage::Range => {
                if let (Values::Reading { unit, .. }, Values::Reading { range, .. }) =
                    (side.values, from.values)
                {
                    side.values = Values::Reading { unit, range };
                    side.bounds = from.bounds;
                    side.affine = from.affine;
                    side.then.clone_from(&from.then);
                }
            }
        }
    }
    side
}

/// Whether a target with these parts of the source draws the same as the source.
fn agrees(from: &Side, wanted: Option<&Drawn>, side: &Side, taken: &[Stage], execution: u32) -> bool {
    if let (Some(one), Some(other)) = (wanted, side.draw(&PROBE, execution)) {
        return *one == other;
    }
    // Without a model of the values at both ends, equal parts decide. An unknown kernel equals no
    // other, whatever its parts.
    let brings_values = |stage: &Stage| matches!(stage, Stage::Generator | Stage::OpMapping);
    if from.values == Values::Unknown && !taken.iter().any(brings_values) {
        return false;
    }
    let mut side = side.clone();
    // A difference in state shows only from the second execution.
    if execution == 0 {
        side.state = from.state;
    }
    if let (Values::Reading { unit, .. }, Values::Reading { range, .. }) = (from.values, side.values)
        && agrees_plainly(from, &side, execution)
    {
        side.values = Values::Reading { unit, range };
    }
    side == *from
}

/// Whether both sides take the same bits of the same words: then their draws in plain bounds are equal.
fn agrees_plainly(from: &Side, side: &Side, execution: u32) -> bool {
    let drawn = side.plain().draw(&PROBE, execution);
    drawn.is_some() && drawn == from.plain().draw(&PROBE, execution)
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
        Stage::OpMapping => "the target computes its values in another way".to_owned(),
        Stage::SeedMapping if from.seeds == Seeds::OutsideModel => {
            format!("the seed of torch.manual_seed is not part of the model, which has the seeds {}", target.seeds)
        }
        Stage::SeedMapping => format!("the seeds {} arrive as {}", from.seeds, target.seeds),
        Stage::Generator => format!("the source draws from {}, the target from {}", from.generator, target.generator),
        Stage::TypeLowering if target.choice != from.choice && target.values == from.values => {
            "what follows the draw is computed in another type".to_owned()
        }
        Stage::TypeLowering => format!(
            "the two ends make an element of {kind} from random words in different ways: the source as the reading `{}`, the \
             target as `{}`",
            from.values, target.values
        ),
        Stage::ConstantFolding => {
            "the multiplication and the addition after the draw became its bounds: one rounding in place of two".to_owned()
        }
        Stage::Range if target.bounds.is_none() => {
            "the model computes the bounds, which the two ends apply in different ways".to_owned()
        }
        Stage::Range => "the two ends apply the bounds in different ways".to_owned(),
        Stage::State if target.state == State::InLoop => {
            "from the second iteration on, the loop's body draws at another place than in the source, and each inference starts again"
                .to_owned()
        }
        Stage::State if target.state == State::Repeats => "the source goes on, and the target repeats".to_owned(),
        Stage::State if from.state == State::Repeats => "the source repeats, and the target goes on".to_owned(),
        Stage::State if [from.state, target.state].contains(&State::NextSeed) => "one end goes on to the next seed".to_owned(),
        Stage::State => "a second execution goes on at another block".to_owned(),
    }
}
