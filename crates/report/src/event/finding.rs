//! Findings between the event log's JSON and the model.

use seedproof_check::{Comparison, Element, Finding, Mismatch, Outcome, StageValues, StageVerdict};
use seedproof_ops::{BackendId, Dtype, Scalar, Shape};

use super::line::{
    ElementLine, FindingLine, FormLine, MismatchLine, OutcomeWord, ScalarLine, StageLine, StageValuesLine,
};
use super::told::{Read, case_id, dtype, syntax};
use crate::ReportError;

impl From<&Finding> for FindingLine {
    fn from(finding: &Finding) -> Self {
        let (outcome, reading) = match &finding.outcome {
            Outcome::Pass => (OutcomeWord::Pass, None),
            Outcome::Fail => (OutcomeWord::Fail, None),
            Outcome::Reading(name) => (OutcomeWord::Reading, Some(name.clone())),
            Outcome::Rejects => (OutcomeWord::Rejects, None),
            Outcome::Unsupported => (OutcomeWord::Unsupported, None),
            Outcome::ClaimBroken => (OutcomeWord::ClaimBroken, None),
            Outcome::Error => (OutcomeWord::Error, None),
            Outcome::Crash {
                order_dependent: false,
            } => (OutcomeWord::Crash, None),
            Outcome::Crash {
                order_dependent: true,
            } => (OutcomeWord::OrderDependentCrash, None),
            Outcome::Timeout => (OutcomeWord::Timeout, None),
            Outcome::ProtocolError => (OutcomeWord::ProtocolError, None),
            Outcome::Infrastructure => (OutcomeWord::Infrastructure, None),
            Outcome::NotRun => (OutcomeWord::NotRun, None),
        };
        Self {
            case: finding.case.to_string(),
            backend: finding.backend.to_string(),
            outcome,
            reading,
            message: finding.message.clone(),
            mismatch: finding.mismatch.as_ref().map(MismatchLine::from),
            stderr: finding.stderr.clone(),
        }
    }
}

impl FindingLine {
    pub(super) fn finding(self) -> Read<Finding> {
        let outcome = match (self.outcome, self.reading) {
            (OutcomeWord::Reading, Some(name)) => Outcome::Reading(name),
            (OutcomeWord::Reading, None) => {
                return Err(ReportError::Syntax(
                    "the outcome `reading` needs the field `reading`".to_owned(),
                ));
            }
            (_, Some(_)) => {
                return Err(ReportError::Syntax(
                    "the field `reading` goes with the outcome `reading` only".to_owned(),
                ));
            }
            (OutcomeWord::Pass, None) => Outcome::Pass,
            (OutcomeWord::Fail, None) => Outcome::Fail,
            (OutcomeWord::Rejects, None) => Outcome::Rejects,
            (OutcomeWord::Unsupported, None) => Outcome::Unsupported,
            (OutcomeWord::ClaimBroken, None) => Outcome::ClaimBroken,
            (OutcomeWord::Error, None) => Outcome::Error,
            (OutcomeWord::Crash, None) => Outcome::Crash {
                order_dependent: false,
            },
            (OutcomeWord::OrderDependentCrash, None) => Outcome::Crash {
                order_dependent: true,
            },
            (OutcomeWord::Timeout, None) => Outcome::Timeout,
            (OutcomeWord::ProtocolError, None) => Outcome::ProtocolError,
            (OutcomeWord::Infrastructure, None) => Outcome::Infrastructure,
            (OutcomeWord::NotRun, None) => Outcome::NotRun,
        };
        Ok(Finding {
            case: case_id(&self.case)?,
            backend: BackendId::new(self.backend),
            outcome,
            message: self.message,
            mismatch: self.mismatch.map(MismatchLine::mismatch).transpose()?,
            stderr: self.stderr,
        })
    }
}

fn form((dtype, shape): &(Dtype, Shape)) -> FormLine {
    FormLine {
        dtype: dtype.to_string(),
        shape: shape
            .dims()
            .iter()
            .map(|&dim| u64::try_from(dim).unwrap_or(u64::MAX))
            .collect(),
    }
}

impl FormLine {
    fn form(self) -> Read<(Dtype, Shape)> {
        let shape = Shape::new(&self.shape).map_err(|error| syntax(&error))?;
        Ok((dtype(&self.dtype)?, shape))
    }
}

fn scalar_lines(scalars: &[Scalar]) -> Vec<ScalarLine> {
    scalars.iter().map(|&scalar| scalar.into()).collect()
}

fn scalars(lines: Vec<ScalarLine>) -> Read<Vec<Scalar>> {
    lines.into_iter().map(ScalarLine::scalar).collect()
}

impl From<&Mismatch> for MismatchLine {
    fn from(mismatch: &Mismatch) -> Self {
        match mismatch {
            Mismatch::Form { expected, actual } => Self::Form {
                expected: form(expected),
                actual: form(actual),
            },
            Mismatch::Elements(comparison) => Self::Elements {
                total: comparison.total,
                differing: comparison.differing,
                first: (&comparison.first).into(),
                max_ulps: comparison.max_ulps,
                strip: comparison.strip.clone(),
                stages: comparison
                    .stages
                    .iter()
                    .map(|&(stage, verdict)| StageLine {
                        stage: stage.into(),
                        equal: verdict == StageVerdict::Equal,
                    })
                    .collect(),
                expected_stages: comparison.expected_stages.as_ref().map(StageValuesLine::from),
                actual_stages: comparison.actual_stages.as_ref().map(StageValuesLine::from),
            },
            Mismatch::State { expected, actual } => Self::State {
                expected: scalar_lines(expected),
                actual: scalar_lines(actual),
            },
            Mismatch::Chunks {
                differing,
                total,
                first,
            } => Self::Chunks {
                differing: differing.clone(),
                total: *total,
                first: first.as_ref().map(ElementLine::from),
            },
            Mismatch::Statistics(message) => Self::Statistics {
                message: message.clone(),
            },
        }
    }
}

impl MismatchLine {
    fn mismatch(self) -> Read<Mismatch> {
        Ok(match self {
            Self::Form { expected, actual } => Mismatch::Form {
                expected: expected.form()?,
                actual: actual.form()?,
            },
            Self::Elements {
                total,
                differing,
                first,
                max_ulps,
                strip,
                stages,
                expected_stages,
                actual_stages,
            } => Mismatch::Elements(Comparison {
                total,
                differing,
                first: first.element()?,
                max_ulps,
                strip,
                stages: stages
                    .into_iter()
                    .map(|line| {
                        let verdict = if line.equal {
                            StageVerdict::Equal
                        } else {
                            StageVerdict::Differs
                        };
                        (line.stage.into(), verdict)
                    })
                    .collect(),
                expected_stages: expected_stages.map(StageValuesLine::values).transpose()?,
                actual_stages: actual_stages.map(StageValuesLine::values).transpose()?,
            }),
            Self::State { expected, actual } => Mismatch::State {
                expected: scalars(expected)?,
                actual: scalars(actual)?,
            },
            Self::Chunks {
                differing,
                total,
                first,
            } => Mismatch::Chunks {
                differing,
                total,
                first: first.map(ElementLine::element).transpose()?,
            },
            Self::Statistics { message } => Mismatch::Statistics(message),
        })
    }
}

impl From<&StageValues> for StageValuesLine {
    fn from(values: &StageValues) -> Self {
        Self {
            words: values.words.clone(),
            unit: values.unit.map(ScalarLine::from),
        }
    }
}

impl StageValuesLine {
    fn values(self) -> Read<StageValues> {
        Ok(StageValues {
            words: self.words,
            unit: self.unit.map(ScalarLine::scalar).transpose()?,
        })
    }
}

impl From<&Element> for ElementLine {
    fn from(element: &Element) -> Self {
        Self {
            index: element.index,
            at: element.coordinates.clone(),
            block: element.block,
            expected: element.expected.into(),
            actual: element.actual.into(),
            ulps: element.ulps,
        }
    }
}

impl ElementLine {
    fn element(self) -> Read<Element> {
        Ok(Element {
            index: self.index,
            coordinates: self.at,
            block: self.block,
            expected: self.expected.scalar()?,
            actual: self.actual.scalar()?,
            ulps: self.ulps,
        })
    }
}
