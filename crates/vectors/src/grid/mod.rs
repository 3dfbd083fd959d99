//! The generated part of the corpus: requests on a grid, without their expectations.

use seedproof_ops::{Backend, ErrorKind, OpName, Request};

use crate::{CaseId, Name};

/// A file of generated cases.
#[derive(Clone, Debug)]
pub struct GridFile {
    /// Where it stands in the corpus.
    pub path: &'static str,
    /// Its leading comment: what goes wrong in the world that these cases catch.
    pub comment: &'static str,
    /// The op of all its cases.
    pub op: OpName,
    /// The cases.
    pub drafts: Vec<Draft>,
}

/// A case whose expectation is still to be computed. Its provenance is `derived`.
#[derive(Clone, Debug)]
pub struct Draft {
    /// Its stable name.
    pub id: CaseId,
    /// The clauses that it covers.
    pub clauses: Vec<Name>,
    /// The errata whose answers it tells apart.
    pub errata: Vec<Name>,
    /// A sentence for people.
    pub note: Option<String>,
    /// For Multinomial: how far every draw is from the nearest step of the distribution function.
    pub margin: Option<f64>,
    /// What is asked.
    pub request: Request,
    /// What kind of answer it has.
    pub expect: Planned,
}

/// What kind of answer a draft has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Planned {
    /// The output that the oracle computes.
    Answer,
    /// A rejection of this kind. The oracle must agree.
    Rejected(ErrorKind),
    /// Both seeds are zero: judged by statistics.
    Statistics,
}

/// Every generated file. The oracle lends the uniform draws and the samples from which margins are measured.
pub const fn files(_oracle: &dyn Backend) -> Vec<GridFile> {
    Vec::new()
}
