//! The words of a diagnosis: why an implementation fails, with the evidence.

use seedproof_ops::Backend;
use seedproof_vectors::CaseId;

use crate::Stage;

/// A possible cause that is tried on the failing cases: a reading or a mistake, as a backend that has it.
#[derive(Clone, Copy)]
pub struct Candidate<'a> {
    /// Its id.
    pub name: &'a str,
    /// What sort of cause.
    pub kind: CandidateKind,
    /// One sentence: what the implementation does.
    pub sentence: &'a str,
    /// How to mend it; empty for a reading.
    pub mend: &'a str,
    /// The clause that it departs from; empty if there are several.
    pub clause: &'a str,
    /// The erratum that it answers otherwise; empty if none.
    pub erratum: &'a str,
    /// A backend that does it.
    pub backend: &'a dyn Backend,
}

/// What sort of cause a candidate is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CandidateKind {
    /// What a named implementation does.
    Reading,
    /// One wrong answer.
    Mistake,
    /// Two wrong answers together.
    Pair,
    /// A relation between expected and actual output, whatever the cause: shifted, permuted, all zero, ….
    Structure,
}

/// How far an explanation reaches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// Elements of the failing cases that it gives as the implementation does.
    pub elements: u64,
    /// Elements of the failing cases.
    pub elements_total: u64,
    /// Failing cases that it gives in full.
    pub cases: u64,
    /// Failing cases.
    pub cases_total: u64,
    /// Passing cases that it would fail: of those that were tried.
    pub contradicted: u64,
}

/// A cause with its evidence.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The id of the cause; of a pair, both with ` + ` between; with a parameter found by search, `id(n = 256)`.
    pub name: String,
    /// What sort of cause.
    pub kind: CandidateKind,
    /// One sentence: what the implementation does.
    pub sentence: String,
    /// How to mend it; empty where there is no one way.
    pub mend: String,
    /// The stage where it departs, where that is known.
    pub stage: Option<Stage>,
    /// The clause that it departs from; empty where there is no one clause.
    pub clause: String,
    /// The erratum that it answers otherwise; empty if none.
    pub erratum: String,
    /// How far it reaches.
    pub evidence: Evidence,
    /// The failing cases that it gives in full.
    pub cases: Vec<CaseId>,
}

/// What all failing cases of one backend have in common.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnosis {
    /// Whether there is an answer.
    pub verdict: Verdict,
    /// Explanations, best first. Under [`Verdict::Unexplained`], what came nearest, to look at and not to trust.
    pub explanations: Vec<Explanation>,
}

/// Whether a diagnosis has an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The first explanation gives every failing case in full, and no other does.
    Explained,
    /// Several explanations give every failing case in full.
    Ambiguous,
    /// No single one does; the explanations given do so together, each for its own cases.
    Several,
    /// Nothing fits.
    Unexplained,
}
