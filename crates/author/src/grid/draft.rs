//! What every part of the grid is made of: files of drafts, and their elements, names and tensors.

use std::collections::BTreeSet;

use seedproof_corpus::{CaseId, Name};
use seedproof_ops::{Dtype, ErrorKind, OpName, Request, Scalar, Shape, Tensor};

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

impl GridFile {
    pub(super) const fn new(
        op: OpName,
        path: &'static str,
        comment: &'static str,
        drafts: Vec<Draft>,
    ) -> Self {
        Self {
            path,
            comment,
            op,
            drafts,
        }
    }
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
    /// For an op that draws by weights: how far every draw is from the nearest step of the distribution function.
    pub margin: Option<f64>,
    /// The request.
    pub request: Request,
    /// The kind of its answer.
    pub expect: Planned,
}

/// The kind of a draft's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Planned {
    /// The output that the oracle computes.
    Answer,
    /// A rejection of this kind. The oracle must agree.
    Rejected(ErrorKind),
    /// Both seeds are zero: judged by statistics.
    Statistics,
}

impl Draft {
    pub(super) fn new(id: &str, clauses: &[&str], request: Request) -> Self {
        Self {
            id: CaseId::new(id).expect("a grid's ids are plain"),
            clauses: names(clauses),
            errata: Vec::new(),
            note: None,
            margin: None,
            request,
            expect: Planned::Answer,
        }
    }
}

/// The drafts without those whose id came before: rows of a table that differ only in a level that their request
/// has no use for.
pub(super) fn without_repeats(mut drafts: Vec<Draft>) -> Vec<Draft> {
    let mut seen = BTreeSet::new();
    drafts.retain(|draft| seen.insert(draft.id.clone()));
    drafts
}

pub(super) fn names(texts: &[&str]) -> Vec<Name> {
    texts
        .iter()
        .map(|text| Name::new(text).expect("a grid's names are plain"))
        .collect()
}

/// The element of this type nearest to a decimal that the grid wrote down.
pub(super) fn element(dtype: Dtype, decimal: &str) -> Scalar {
    Scalar::from_decimal(dtype, decimal).expect("a grid's decimals are numbers of their type")
}

/// A tensor from a grid's decimals.
pub(super) fn tensor<T: AsRef<str>>(dtype: Dtype, dims: &[u64], decimals: &[T]) -> Tensor {
    let bytes = decimals
        .iter()
        .flat_map(|decimal| element(dtype, decimal.as_ref()).to_le_bytes())
        .collect();
    Tensor::new(dtype, shape(dims), bytes)
        .expect("a grid's tensors have as many elements as their shape says")
}

pub(super) fn shape(dims: &[u64]) -> Shape {
    Shape::new(dims).expect("a grid's shapes are small")
}
