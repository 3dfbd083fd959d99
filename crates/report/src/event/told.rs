//! Between the event log's JSON and the model.

use seedproof_check::{
    CandidateKind, Comparison, Element, Evidence, Explanation, Finding, Mismatch, Outcome, Stage,
    StageVerdict, Verdict,
};
use seedproof_ops::{Attribute, BackendId, Dtype, OpName, Scalar, Shape};
use seedproof_vectors::{CaseId, Name, Provenance};

use super::line::{
    CaseLine, DiagnosisLine, ElementLine, EndLine, ExplanationLine, FindingLine, FormLine,
    ImplementationLine, InputLine, KindWord, LeftOutLine, Line, MismatchLine, OutcomeWord, ProvenanceLine,
    RunLine, ScalarLine, StageLine, StageWord, VerdictWord,
};
use super::{Event, SCHEMA};
use crate::{CaseFacts, Corpus, Diagnosed, Explained, Header, Implementation, Input, LeftOut, ReportError};

type Read<T> = Result<T, ReportError>;

fn syntax(error: &impl ToString) -> ReportError {
    ReportError::Syntax(error.to_string())
}

fn case_id(text: &str) -> Read<CaseId> {
    CaseId::new(text).map_err(|error| syntax(&error))
}

fn names(texts: &[String]) -> Read<Vec<Name>> {
    texts
        .iter()
        .map(|text| Name::new(text).map_err(|error| syntax(&error)))
        .collect()
}

fn dtype(name: &str) -> Read<Dtype> {
    name.parse().map_err(|error| syntax(&error))
}

fn texts<T: ToString>(items: &[T]) -> Vec<String> {
    items.iter().map(T::to_string).collect()
}

impl From<&Event> for Line {
    fn from(event: &Event) -> Self {
        match event {
            Event::Run(header) => Self::Run((&**header).into()),
            Event::Case(facts) => Self::Case((&**facts).into()),
            Event::Finding(finding) => Self::Finding((&**finding).into()),
            Event::Diagnosis(diagnosed) => Self::Diagnosis(diagnosed.into()),
            Event::LeftOut(left_out) => Self::LeftOut(LeftOutLine {
                what: left_out.what.clone(),
                reason: left_out.reason.clone(),
            }),
            Event::End { findings } => Self::End(EndLine { findings: *findings }),
        }
    }
}

impl Line {
    pub(crate) fn event(self) -> Read<Event> {
        Ok(match self {
            Self::Run(line) => Event::Run(Box::new(line.header()?)),
            Self::Case(line) => Event::Case(Box::new(line.facts()?)),
            Self::Finding(line) => Event::Finding(Box::new(line.finding()?)),
            Self::Diagnosis(line) => Event::Diagnosis(line.diagnosed()?),
            Self::LeftOut(LeftOutLine { what, reason }) => Event::LeftOut(LeftOut { what, reason }),
            Self::End(EndLine { findings }) => Event::End { findings },
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
    fn scalar(self) -> Read<Scalar> {
        Scalar::from_literal(dtype(&self.dtype)?, &self.bits).map_err(ReportError::Syntax)
    }
}

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
    fn finding(self) -> Read<Finding> {
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

impl From<Stage> for StageWord {
    fn from(stage: Stage) -> Self {
        match stage {
            Stage::Words => Self::Words,
            Stage::UnitInterval => Self::UnitInterval,
            Stage::Scale => Self::Scale,
        }
    }
}

impl From<StageWord> for Stage {
    fn from(word: StageWord) -> Self {
        match word {
            StageWord::Words => Self::Words,
            StageWord::UnitInterval => Self::UnitInterval,
            StageWord::Scale => Self::Scale,
        }
    }
}

impl From<&Diagnosed> for DiagnosisLine {
    fn from(diagnosed: &Diagnosed) -> Self {
        Self {
            backend: diagnosed.backend.to_string(),
            verdict: match diagnosed.verdict {
                Verdict::Explained => VerdictWord::Explained,
                Verdict::Ambiguous => VerdictWord::Ambiguous,
                Verdict::Several => VerdictWord::Several,
                Verdict::Unexplained => VerdictWord::Unexplained,
            },
            explanations: diagnosed.explanations.iter().map(ExplanationLine::from).collect(),
        }
    }
}

impl DiagnosisLine {
    fn diagnosed(self) -> Read<Diagnosed> {
        Ok(Diagnosed {
            backend: BackendId::new(self.backend),
            verdict: match self.verdict {
                VerdictWord::Explained => Verdict::Explained,
                VerdictWord::Ambiguous => Verdict::Ambiguous,
                VerdictWord::Several => Verdict::Several,
                VerdictWord::Unexplained => Verdict::Unexplained,
            },
            explanations: self
                .explanations
                .into_iter()
                .map(ExplanationLine::explained)
                .collect::<Read<_>>()?,
        })
    }
}

impl From<&Explained> for ExplanationLine {
    fn from(explained: &Explained) -> Self {
        let it = explained.explanation.clone();
        Self {
            name: it.name,
            kind: match it.kind {
                CandidateKind::Reading => KindWord::Reading,
                CandidateKind::Mistake => KindWord::Mistake,
                CandidateKind::Pair => KindWord::Pair,
                CandidateKind::Structure => KindWord::Structure,
            },
            sentence: it.sentence,
            mend: it.mend,
            stage: it.stage.map(StageWord::from),
            clause: it.clause,
            erratum: it.erratum,
            elements: (it.evidence.elements, it.evidence.elements_total),
            failing: (it.evidence.cases, it.evidence.cases_total),
            contradicted: it.evidence.contradicted,
            cases: texts(&explained.cases),
        }
    }
}

impl ExplanationLine {
    fn explained(self) -> Read<Explained> {
        let cases: Vec<CaseId> = self.cases.iter().map(|case| case_id(case)).collect::<Read<_>>()?;
        Ok(Explained {
            explanation: Explanation {
                name: self.name,
                kind: match self.kind {
                    KindWord::Reading => CandidateKind::Reading,
                    KindWord::Mistake => CandidateKind::Mistake,
                    KindWord::Pair => CandidateKind::Pair,
                    KindWord::Structure => CandidateKind::Structure,
                },
                sentence: self.sentence,
                mend: self.mend,
                stage: self.stage.map(Stage::from),
                clause: self.clause,
                erratum: self.erratum,
                evidence: Evidence {
                    elements: self.elements.0,
                    elements_total: self.elements.1,
                    cases: self.failing.0,
                    cases_total: self.failing.1,
                    contradicted: self.contradicted,
                },
                cases: cases.clone(),
            },
            cases,
        })
    }
}
