//! The generated part of the corpus: requests on a grid, without their expectations.
//!
//! Each module makes the drafts of one op; the generator asks the oracle for the expectations and writes the
//! files. Nothing here is random and nothing reads a clock: the same build makes the same drafts. What does not
//! belong here is anything that somebody else computed; examples, known answers and captures are kept files.

mod dml;
mod margin;
mod multinomial;
mod multinomial_exact;
mod pairwise;
mod random_uniform;
mod ranges;
mod refusals;
mod request;

use std::collections::BTreeSet;

use seedproof_ops::{Backend, Dtype, ErrorKind, OpName, Request, Scalar, Shape, Tensor};
use seedproof_vectors::{CaseId, Name};

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
    fn new(id: &str, clauses: &[&str], request: Request) -> Self {
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

/// Every generated file. Margins are measured against the oracle's draws and samples.
pub fn files(oracle: &dyn Backend) -> Vec<GridFile> {
    let mut files = refusals::files();
    files.extend(random_uniform::files());
    files.extend(multinomial::files(oracle));
    files.push(multinomial_exact::file(oracle));
    files.extend(dml::files());
    files
}

/// The parts of a case's id between the op and the topic, each where the request decides it.
pub(crate) fn id_parts(request: &Request) -> Vec<Option<String>> {
    match request {
        Request::RandomUniform(request) => random_uniform::id_parts(request),
        Request::Multinomial(request) => multinomial::id_parts(request),
        Request::DmlRandomGenerator(request) => dml::id_parts(request),
    }
}

/// The drafts without those whose id came before: rows of a table that differ only in a level that their request
/// has no use for.
fn without_repeats(mut drafts: Vec<Draft>) -> Vec<Draft> {
    let mut seen = BTreeSet::new();
    drafts.retain(|draft| seen.insert(draft.id.clone()));
    drafts
}

fn names(texts: &[&str]) -> Vec<Name> {
    texts
        .iter()
        .map(|text| Name::new(text).expect("a grid's names are plain"))
        .collect()
}

/// The element of this type nearest to a decimal that the grid wrote down.
fn element(dtype: Dtype, decimal: &str) -> Scalar {
    Scalar::from_decimal(dtype, decimal).expect("a grid's decimals are numbers of their type")
}

/// A tensor from a grid's decimals.
fn tensor<T: AsRef<str>>(dtype: Dtype, dims: &[u64], decimals: &[T]) -> Tensor {
    let bytes = decimals
        .iter()
        .flat_map(|decimal| element(dtype, decimal.as_ref()).to_le_bytes())
        .collect();
    Tensor::new(dtype, shape(dims), bytes)
        .expect("a grid's tensors have as many elements as their shape says")
}

fn shape(dims: &[u64]) -> Shape {
    Shape::new(dims).expect("a grid's shapes are small")
}

#[cfg(test)]
mod tests {
    use seedproof_ops::{BackendId, Failure, Response, Support};

    use super::*;

    /// Answers nothing, so that drafts are made without their margins.
    struct Silent(BackendId);

    impl Backend for Silent {
        fn id(&self) -> &BackendId {
            &self.0
        }

        fn supports(&self, _request: &Request) -> Support {
            Support::No("silent".to_owned())
        }

        fn run(&self, _request: &Request) -> Result<Response, Failure> {
            Err(Failure::Unsupported("silent".to_owned()))
        }
    }

    fn drafts() -> Vec<Draft> {
        files(&Silent(BackendId::new("silent")))
            .into_iter()
            .flat_map(|file| file.drafts)
            .collect()
    }

    #[test]
    fn grid_ids_are_unique() {
        let drafts = drafts();
        let ids: BTreeSet<_> = drafts.iter().map(|draft| &draft.id).collect();
        assert_eq!(ids.len(), drafts.len());
    }

    #[test]
    fn grid_ids_begin_with_their_op_and_type() {
        for draft in drafts() {
            let parts: Vec<&str> = draft.id.as_str().split('/').collect();
            assert_eq!(parts[0], draft.request.description().prefix, "{}", draft.id);
            let expected = id_parts(&draft.request);
            assert_eq!(parts.len(), expected.len() + 2, "{}", draft.id);
            for (part, expected) in parts[1..].iter().zip(expected) {
                assert!(expected.is_none_or(|expected| expected == *part), "{}", draft.id);
            }
            assert!(!draft.clauses.is_empty(), "{}", draft.id);
        }
    }

    #[test]
    fn grid_has_few_large_cases() {
        let large = drafts()
            .iter()
            .filter_map(|draft| draft.request.output_form())
            .filter(|(_, dims)| dims.iter().copied().fold(1, u64::saturating_mul) > 65_537)
            .count();
        assert!(large <= 20, "{large}");
    }

    #[test]
    fn grid_covers_every_type_in_every_size() {
        let drafts = drafts();
        for alignment in ["tensorflow", "pytorch"] {
            for dtype in ["f16", "bf16", "f32", "f64", "i32", "i64"] {
                for size in ["-0-", "-1-", "-623-", "-65537-", "-1000003-"] {
                    let start = format!("ru8/{alignment}/{dtype}/pairs-");
                    assert!(
                        drafts
                            .iter()
                            .any(|d| d.id.as_str().starts_with(&start) && d.id.as_str().contains(size)),
                        "{start}…{size}"
                    );
                }
            }
        }
    }
}
