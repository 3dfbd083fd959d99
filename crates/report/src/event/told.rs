//! Runs and cases between the event log's JSON and the model.

use seedproof_check::{Finding, Outcome};
use seedproof_ops::{Attribute, BackendId, Dtype, OpName, Scalar};
use seedproof_vectors::{CaseId, Name, Provenance};

use super::line::{
    CaseLine, EndLine, ExpectationsLine, ExpectedLine, ImplementationLine, InputLine, LeftOutLine, Line,
    ProvenanceLine, RunLine, ScalarLine,
};
use super::{Event, SCHEMA};
use crate::{CaseFacts, Corpus, Expectations, Expected, Header, Implementation, Input, LeftOut, ReportError};

pub(super) type Read<T> = Result<T, ReportError>;

pub(super) fn syntax(error: &impl ToString) -> ReportError {
    ReportError::Syntax(error.to_string())
}

pub(super) fn case_id(text: &str) -> Read<CaseId> {
    CaseId::new(text).map_err(|error| syntax(&error))
}

fn names(texts: &[String]) -> Read<Vec<Name>> {
    texts
        .iter()
        .map(|text| Name::new(text).map_err(|error| syntax(&error)))
        .collect()
}

pub(super) fn dtype(name: &str) -> Read<Dtype> {
    name.parse().map_err(|error| syntax(&error))
}

pub(super) fn texts<T: ToString>(items: &[T]) -> Vec<String> {
    items.iter().map(T::to_string).collect()
}

impl From<&Event> for Line {
    fn from(event: &Event) -> Self {
        match event {
            Event::Run(header) => Self::Run((&**header).into()),
            Event::Case(facts) => Self::Case((&**facts).into()),
            Event::Finding(finding) => Self::Finding(finding.clone()),
            Event::Diagnosis(diagnosed) => Self::Diagnosis(diagnosed.clone()),
            Event::LeftOut(left_out) => Self::LeftOut(LeftOutLine {
                what: left_out.what.clone(),
                reason: left_out.reason.clone(),
            }),
            Event::Expectations(expectations) => Self::Expectations(expectations.into()),
            Event::End { findings } => Self::End(EndLine { findings: *findings }),
        }
    }
}

/// A finding whose readings go with its outcome.
fn consistent(finding: Box<Finding>) -> Read<Box<Finding>> {
    if finding.readings.is_empty() == (finding.outcome != Outcome::OtherReading) {
        return Ok(finding);
    }
    let message = "the field `readings` goes with the outcome `other-reading`, and with no other";
    Err(ReportError::Syntax(message.to_owned()))
}

impl Line {
    pub(crate) fn event(self) -> Read<Event> {
        Ok(match self {
            Self::Run(line) => Event::Run(Box::new(line.header()?)),
            Self::Case(line) => Event::Case(Box::new(line.facts()?)),
            Self::Finding(finding) => Event::Finding(consistent(finding)?),
            Self::Diagnosis(diagnosed) => Event::Diagnosis(diagnosed),
            Self::LeftOut(LeftOutLine { what, reason }) => Event::LeftOut(LeftOut { what, reason }),
            Self::Expectations(line) => Event::Expectations(line.expectations()?),
            Self::End(EndLine { findings }) => Event::End { findings },
        })
    }
}

impl From<&Expectations> for ExpectationsLine {
    fn from(expectations: &Expectations) -> Self {
        let line = |it: &Expected| ExpectedLine {
            backend: it.backend.to_string(),
            case: it.case.to_string(),
            reason: it.reason.clone(),
        };
        Self {
            file: expectations.file.clone(),
            expected: expectations.expected.iter().map(line).collect(),
            violations: expectations.violations.clone(),
        }
    }
}

impl ExpectationsLine {
    fn expectations(self) -> Read<Expectations> {
        let expected = |line: ExpectedLine| {
            Ok(Expected {
                backend: BackendId::new(line.backend),
                case: case_id(&line.case)?,
                reason: line.reason,
            })
        };
        Ok(Expectations {
            file: self.file,
            expected: self.expected.into_iter().map(expected).collect::<Read<_>>()?,
            violations: self.violations,
        })
    }
}

impl From<&Header> for RunLine {
    fn from(header: &Header) -> Self {
        let implementation = |it: &Implementation| ImplementationLine {
            id: it.id.to_string(),
            description: it.description.clone(),
            device: it.device.clone(),
            rerun: it.rerun.clone(),
        };
        Self {
            schema: SCHEMA,
            seedproof: header.seedproof.clone(),
            date: header.date.clone(),
            command: header.command.clone(),
            corpus: header.corpus.hash.clone(),
            cases: header.corpus.cases,
            reading: header.reading.clone(),
            filter: header.filter.clone(),
            shard: header.shard,
            implementations: header.implementations.iter().map(implementation).collect(),
        }
    }
}

impl RunLine {
    fn header(self) -> Read<Header> {
        if self.schema != SCHEMA {
            return Err(ReportError::Schema(self.schema));
        }
        let implementation = |it: ImplementationLine| Implementation {
            id: BackendId::new(it.id),
            description: it.description,
            device: it.device,
            rerun: it.rerun,
        };
        Ok(Header {
            seedproof: self.seedproof,
            date: self.date,
            command: self.command,
            corpus: Corpus {
                hash: self.corpus,
                cases: self.cases,
            },
            reading: self.reading,
            filter: self.filter,
            shard: self.shard,
            implementations: self.implementations.into_iter().map(implementation).collect(),
        })
    }
}

impl From<&CaseFacts> for CaseLine {
    fn from(facts: &CaseFacts) -> Self {
        let input = |input: &Input| InputLine {
            name: input.name.clone(),
            text: input.text.clone(),
        };
        Self {
            case: facts.id.to_string(),
            op: facts.op.to_string(),
            alignment: facts.alignment.clone(),
            dtype: facts.dtype.clone(),
            shape: facts.shape.clone(),
            seeds: facts.seeds,
            range: facts.range.map(|(low, high)| (low.into(), high.into())),
            execution: facts.execution,
            inputs: facts.inputs.iter().map(input).collect(),
            expects: facts.expects.clone(),
            clauses: texts(&facts.clauses),
            errata: texts(&facts.errata),
            flags: texts(&facts.flags),
            readings: texts(&facts.readings),
            provenance: (&facts.provenance).into(),
            note: facts.note.clone(),
        }
    }
}

impl CaseLine {
    fn facts(self) -> Read<CaseFacts> {
        let op = Attribute::<OpName>::parse(&self.op)
            .known()
            .ok_or_else(|| ReportError::Syntax(format!("`{}` is no op", self.op)))?;
        let range = match self.range {
            Some((low, high)) => Some((low.scalar()?, high.scalar()?)),
            None => None,
        };
        let input = |InputLine { name, text }| Input { name, text };
        Ok(CaseFacts {
            id: case_id(&self.case)?,
            op,
            alignment: self.alignment,
            dtype: self.dtype,
            shape: self.shape,
            seeds: self.seeds,
            range,
            execution: self.execution,
            inputs: self.inputs.into_iter().map(input).collect(),
            expects: self.expects,
            clauses: names(&self.clauses)?,
            errata: names(&self.errata)?,
            flags: names(&self.flags)?,
            readings: names(&self.readings)?,
            provenance: self.provenance.provenance()?,
            note: self.note,
        })
    }
}

impl From<&Provenance> for ProvenanceLine {
    fn from(provenance: &Provenance) -> Self {
        match provenance.clone() {
            Provenance::SpecExample { document, example } => Self::SpecExample { document, example },
            Provenance::KnownAnswer { source } => Self::KnownAnswer { source },
            Provenance::Capture {
                implementation,
                version,
                method,
            } => Self::Capture {
                implementation,
                version,
                method,
            },
            Provenance::Derived { reading, revision } => Self::Derived {
                reading: reading.to_string(),
                revision,
            },
        }
    }
}

impl ProvenanceLine {
    fn provenance(self) -> Read<Provenance> {
        Ok(match self {
            Self::SpecExample { document, example } => Provenance::SpecExample { document, example },
            Self::KnownAnswer { source } => Provenance::KnownAnswer { source },
            Self::Capture {
                implementation,
                version,
                method,
            } => Provenance::Capture {
                implementation,
                version,
                method,
            },
            Self::Derived { reading, revision } => Provenance::Derived {
                reading: Name::new(&reading).map_err(|error| syntax(&error))?,
                revision,
            },
        })
    }
}

impl From<Scalar> for ScalarLine {
    fn from(scalar: Scalar) -> Self {
        Self {
            dtype: scalar.dtype().to_string(),
            bits: scalar.literal(),
        }
    }
}

impl ScalarLine {
    pub(super) fn scalar(self) -> Read<Scalar> {
        Scalar::from_literal(dtype(&self.dtype)?, &self.bits).map_err(ReportError::Syntax)
    }
}
