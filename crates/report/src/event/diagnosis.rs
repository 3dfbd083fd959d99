//! Diagnoses between the event log's JSON and the model.

use seedproof_check::{CandidateKind, Diagnosis, Evidence, Explanation, Stage, Verdict};
use seedproof_ops::BackendId;

use super::line::{DiagnosisLine, ExplanationLine, KindWord, StageWord, VerdictWord};
use super::told::{Read, case_id, texts};
use crate::Diagnosed;

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
            verdict: match diagnosed.diagnosis.verdict {
                Verdict::Explained => VerdictWord::Explained,
                Verdict::Ambiguous => VerdictWord::Ambiguous,
                Verdict::Several => VerdictWord::Several,
                Verdict::Unexplained => VerdictWord::Unexplained,
            },
            explanations: diagnosed
                .diagnosis
                .explanations
                .iter()
                .map(ExplanationLine::from)
                .collect(),
        }
    }
}

impl DiagnosisLine {
    pub(super) fn diagnosed(self) -> Read<Diagnosed> {
        Ok(Diagnosed {
            backend: BackendId::new(self.backend),
            diagnosis: Diagnosis {
                verdict: match self.verdict {
                    VerdictWord::Explained => Verdict::Explained,
                    VerdictWord::Ambiguous => Verdict::Ambiguous,
                    VerdictWord::Several => Verdict::Several,
                    VerdictWord::Unexplained => Verdict::Unexplained,
                },
                explanations: self
                    .explanations
                    .into_iter()
                    .map(ExplanationLine::explanation)
                    .collect::<Read<_>>()?,
            },
        })
    }
}

impl From<&Explanation> for ExplanationLine {
    fn from(explanation: &Explanation) -> Self {
        let evidence = explanation.evidence;
        Self {
            name: explanation.name.clone(),
            kind: match explanation.kind {
                CandidateKind::Reading => KindWord::Reading,
                CandidateKind::Mistake => KindWord::Mistake,
                CandidateKind::Pair => KindWord::Pair,
                CandidateKind::Structure => KindWord::Structure,
            },
            sentence: explanation.sentence.clone(),
            mend: explanation.mend.clone(),
            stage: explanation.stage.map(StageWord::from),
            clause: explanation.clause.clone(),
            erratum: explanation.erratum.clone(),
            elements: (evidence.elements, evidence.elements_total),
            failing: (evidence.cases, evidence.cases_total),
            contradicted: evidence.contradicted,
            cases: texts(&explanation.cases),
        }
    }
}

impl ExplanationLine {
    fn explanation(self) -> Read<Explanation> {
        Ok(Explanation {
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
            cases: self.cases.iter().map(|case| case_id(case)).collect::<Read<_>>()?,
        })
    }
}
