//! Reports to the projects whose conversions lose random bits. The reports are data, in `upstream.yaml`; what is here
//! reads them, and decides which captures show one.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::case::Capture;
use crate::source::{Framework, Target};
use crate::verdict::Verdict;

/// An erratum of a conversion: a report, and the captures that are its evidence.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Upstream {
    /// Its name, which is also its anchor in `reports/conversion.md`.
    pub id: String,
    /// The project to which it is reported.
    pub project: String,
    /// The versions that were run.
    pub version: String,
    /// The fault in one line.
    pub title: String,
    /// The cause of the fault.
    pub cause: String,
    /// The proposed fix.
    pub proposal: String,
    /// A program that exits with an error once the fault is fixed.
    pub program: String,
    shows: Evidence,
}

/// The captures that show a fault: all parts that are present must hold.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Evidence {
    framework: Option<Framework>,
    target: Option<Target>,
    mode: Option<String>,
    ops: Vec<String>,
    kinds: Vec<String>,
    /// A parameter that the model sets.
    has: Option<String>,
    /// A parameter that the model does not set.
    lacks: Option<String>,
    /// Whether an inference must have other bits than the source, or be refused.
    loses: bool,
    /// Whether the model must be taken although a refusal would be a loss too.
    answers: bool,
    /// A verdict on one of the inferences.
    verdict: Option<Verdict>,
    /// A part of the message of the refusal.
    refused: Option<String>,
}

impl Upstream {
    /// Whether a capture shows the fault.
    pub fn shows(&self, capture: &Capture) -> bool {
        let Evidence {
            framework,
            target,
            mode,
            ops,
            kinds,
            has,
            lacks,
            loses,
            answers,
            verdict,
            refused,
        } = &self.shows;
        let source = &capture.source;
        let judged =
            |wanted: &dyn Fn(Verdict) -> bool| capture.verdicts.iter().any(|each| wanted(each.verdict));
        let answer = match (refused, &capture.refused) {
            (None, None) => true,
            (None, Some(_)) => *loses && !answers,
            (Some(part), Some(refused)) => refused.message.contains(part),
            _ => false,
        };
        answer
            && framework.is_none_or(|framework| framework == source.framework)
            && target.is_none_or(|target| target == capture.path.target)
            && mode.as_ref().is_none_or(|mode| *mode == capture.path.mode)
            && (ops.is_empty() || ops.contains(&source.op))
            && (kinds.is_empty() || kinds.contains(&source.kind))
            && has.as_ref().is_none_or(|name| source.get(name).is_some())
            && lacks.as_ref().is_none_or(|name| source.get(name).is_none())
            && (!loses || judged(&|verdict| verdict != Verdict::SameBits))
            && verdict.is_none_or(|wanted| judged(&|verdict| verdict == wanted))
    }
}

/// The reports, in the order of their projects.
pub static UPSTREAM: LazyLock<Vec<Upstream>> =
    LazyLock::new(|| serde_yaml::from_str(include_str!("upstream.yaml")).expect("a test reads the file"));

/// The errata that a capture with verdicts shows.
pub(crate) fn errata(capture: &Capture) -> impl Iterator<Item = &'static Upstream> {
    UPSTREAM.iter().filter(|report| report.shows(capture))
}
