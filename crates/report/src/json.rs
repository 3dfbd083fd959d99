//! A run as one JSON document, for programs: scores, causes and every finding that did not pass. The published
//! schema is `docs/report.schema.json`; what a finding holds is the event log's.

use std::collections::BTreeMap;
use std::io::{self, Write};

use seedproof_check::{Cause, Finding, Nearest, Outcome, Tried};
use seedproof_ops::BackendId;
use serde::Serialize;

use crate::coverage::{Coverage, Part};
use crate::error::ReportError;
use crate::event::{Header, LeftOut};
use crate::group::{Group, Reason, ReasonKind, groups};
use crate::run::{Judged, Run};
use crate::text::rerun;
use crate::why::Why;

/// The version of the format that is written.
pub const REPORT_SCHEMA: u32 = 4;

/// A Seedproof run.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(deny_unknown_fields))]
struct Document<'a> {
    /// The version of this format.
    schema: u32,
    /// The header of each event log.
    runs: &'a [Header],
    /// Whether every implementation conforms as far as it was judged.
    conforms: bool,
    /// Whether every failure is an expected one, and every expectation holds.
    as_expected: bool,
    /// The reasons why the run shows less than a run of the whole corpus would.
    caveats: Vec<String>,
    /// The parts of the run that did not take place.
    left_out: &'a [LeftOut],
    /// The verdicts.
    implementations: Vec<VerdictEntry<'a>>,
    /// Each judged case with its outcome on each implementation.
    outcomes: BTreeMap<&'a str, BTreeMap<&'a str, Outcome>>,
    /// The findings that neither passed nor were unsupported.
    failures: Vec<FailureEntry<'a>>,
    /// The findings that passed with a note.
    notes: Vec<NoteEntry<'a>>,
}

/// The verdict on one implementation.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(deny_unknown_fields))]
struct VerdictEntry<'a> {
    /// Its name.
    id: String,
    /// Whether nothing failed and a value was compared.
    conforms: bool,
    /// The verdict in words, with the part of the corpus that was asked.
    verdict: String,
    /// Cases as expected.
    passed: usize,
    /// Cases that it claims.
    claimed: usize,
    /// Cases in which one of its values was compared.
    values: usize,
    /// Cases of the whole corpus.
    corpus: usize,
    /// Those that have an expectation under the reading.
    under_reading: usize,
    /// Cases that neither passed nor were unsupported.
    failing: usize,
    /// Of those, the ones that an expectation file expects.
    expected: usize,
    /// What was asked, by op, variant and element type. Cases that expect a rejection do not count.
    coverage: Vec<PartEntry>,
    /// The failures by cause, the largest group first.
    causes: Vec<CauseEntry<'a>>,
    /// The candidates that were tried on the cases without a known cause, one list for each log.
    tried: Vec<&'a [Tried]>,
}

/// The cases of one op, variant and element type.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(deny_unknown_fields))]
struct PartEntry {
    /// The op as people name it: `RandomUniform-8`.
    op: String,
    /// What the op distinguishes first: `TENSORFLOW`. Empty if it has no variants.
    variant: String,
    /// The element type of the output.
    dtype: String,
    /// Cases that were judged.
    cases: usize,
    /// Those that the implementation claims.
    asked: usize,
    /// Those that passed.
    passed: usize,
}

/// Failures with the same cause.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(deny_unknown_fields))]
struct CauseEntry<'a> {
    /// The kind of cause.
    kind: ReasonKind,
    /// The cause in a few words, for people: the id of an explanation, `as READING`, `no known cause`, an outcome.
    name: String,
    /// Whether a diagnosis explains it.
    explained: bool,
    /// Its meaning in one sentence.
    sentence: String,
    /// The property that all cases share, if the cause would also affect passing cases without it; else empty.
    only: String,
    /// The causes that it consists of: the parts of a combination, or a single one; empty if no cause is known.
    parts: Vec<&'a Cause>,
    /// Other explanations that are as good.
    rivals: Vec<String>,
    /// The cases.
    cases: Vec<String>,
}

/// A finding that passed with a note: a NaN has other bits than expected.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(deny_unknown_fields))]
struct NoteEntry<'a> {
    /// The finding, as in the event log.
    finding: &'a Finding,
    /// The note in one line.
    note: String,
}

/// A failure with the line that reruns it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(deny_unknown_fields))]
struct FailureEntry<'a> {
    /// The finding, as in the event log.
    finding: &'a Finding,
    /// The names of the causes that act in the case, of its first explanation; empty if there is none.
    causes: Vec<&'a str>,
    /// The candidate that agrees in most elements, if no cause is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(default))]
    nearest: Option<&'a Nearest>,
    /// The reason in an expectation file, if the failure is expected.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(default))]
    expected: Option<&'a str>,
    /// The command that runs it again, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(default))]
    rerun: Option<String>,
}

impl<'a> CauseEntry<'a> {
    fn of(group: &Group<'a>) -> Self {
        let parts = match group.reason {
            // Programs find the mistakes to fix in one place, whether they are one or several.
            Reason::Explained(it) if it.parts.is_empty() => vec![&it.cause],
            Reason::Explained(it) => it.parts.iter().map(|part| &part.cause).collect(),
            _ => Vec::new(),
        };
        Self {
            kind: group.reason.kind(),
            name: group.reason.name(),
            explained: matches!(group.reason, Reason::Explained(_)),
            sentence: group.sentence(),
            only: group.shared_property().to_owned(),
            parts,
            rivals: group.rivals.iter().map(|&rival| rival.to_owned()).collect(),
            cases: group
                .findings
                .iter()
                .map(|finding| finding.case.to_string())
                .collect(),
        }
    }
}

impl<'a> FailureEntry<'a> {
    fn of(run: &'a Run, finding: &'a Finding) -> Self {
        let (causes, nearest) = match run.why(&finding.backend, &finding.case) {
            Why::Explained(given) => {
                // Only of the first explanation: `rivals` of the cause has the names of the others.
                let acting = given.first().into_iter().flat_map(|it| &it.acting);
                (acting.map(|cause| cause.name.as_str()).collect(), None)
            }
            Why::Unexplained { nearest, .. } => (Vec::new(), nearest),
            Why::NotDiagnosed => (Vec::new(), None),
        };
        Self {
            finding,
            causes,
            nearest,
            expected: run.expected(finding),
            rerun: rerun(run, finding),
        }
    }
}

fn parts(run: &Run, backend: &BackendId) -> Vec<PartEntry> {
    let coverage = Coverage::of(run, backend);
    let entry = |(op, variant, dtype, part): (&str, &str, &str, Part)| PartEntry {
        op: op.to_owned(),
        variant: variant.to_owned(),
        dtype: dtype.to_owned(),
        cases: part.cases,
        asked: part.asked,
        passed: part.passed,
    };
    coverage.parts().map(entry).collect()
}

/// Writes the run as JSON with a final line feed.
pub(crate) fn write_json(run: &Run, out: &mut impl Write) -> io::Result<()> {
    let header = run.headers().first();
    let corpus = &header
        .ok_or_else(|| io::Error::other(ReportError::NoHeader))?
        .corpus;
    let implementations: Vec<VerdictEntry<'_>> = run
        .implementations()
        .map(|implementation| {
            let tally = run.tally(&implementation.id);
            VerdictEntry {
                id: implementation.id.to_string(),
                // A log that tests nothing must not hide behind another one that does.
                conforms: tally.failing == 0
                    && !tally.is_untested()
                    && run.idle_logs(&implementation.id).next().is_none(),
                verdict: run.verdict(&implementation.id),
                passed: tally.passed,
                claimed: tally.claimed,
                values: tally.values,
                corpus: corpus.cases,
                under_reading: corpus.under_reading,
                failing: tally.failing,
                expected: tally.expected,
                coverage: parts(run, &implementation.id),
                causes: groups(run, &implementation.id)
                    .iter()
                    .map(CauseEntry::of)
                    .collect(),
                tried: run
                    .diagnoses()
                    .iter()
                    .filter(|it| it.backend == implementation.id && !it.diagnosis.tried.is_empty())
                    .map(|it| &it.diagnosis.tried[..])
                    .collect(),
            }
        })
        .collect();
    let document = Document {
        schema: REPORT_SCHEMA,
        runs: run.headers(),
        conforms: implementations.iter().all(|verdict| verdict.conforms),
        as_expected: run.is_as_expected(),
        caveats: run.caveats(),
        left_out: run.left_out(),
        implementations,
        outcomes: run
            .cases()
            .map(|judged| {
                let outcomes = judged.findings().map(|it| (it.backend.as_str(), it.outcome));
                (judged.facts.id.as_str(), outcomes.collect())
            })
            .collect(),
        failures: run
            .cases()
            .flat_map(Judged::findings)
            .filter(|finding| !finding.outcome.conforms())
            .map(|finding| FailureEntry::of(run, finding))
            .collect(),
        notes: run
            .implementations()
            .flat_map(|implementation| run.notes(&implementation.id))
            .map(|(finding, note)| NoteEntry { finding, note })
            .collect(),
    };
    serde_json::to_writer(&mut *out, &document)?;
    out.write_all(b"\n")
}

#[cfg(test)]
mod tests {
    use super::Document;
    use crate::event::is_published;

    #[test]
    fn schema_of_the_json_report_is_that_of_the_code() {
        is_published("report.schema.json", &schemars::schema_for!(Document));
    }
}
