//! Diagnoses between the event log's JSON and the model.

use seedproof_check::{CandidateKind, Evidence, Explanation, Stage, Verdict};
use seedproof_ops::BackendId;

use super::line::{DiagnosisLine, ExplanationLine, KindWord, StageWord, VerdictWord};
use super::told::{Read, case_id, texts};
use crate::{Diagnosed, Explained};

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
    pub(super) fn diagnosed(self) -> Read<Diagnosed> {
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
        let cases = self
            .cases
            .iter()
            .map(|case| case_id(case))
            .collect::<Read<Vec<_>>>()?;
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
