//! The one answer that a case has under a reading.

use std::collections::BTreeMap;

use seedproof::judging::{self, Catalogue};
use seedproof_check::{Expected, is_computed};
use seedproof_corpus::Case;
use seedproof_ops::{ErrorKind, Request, Tensor};

/// The settings that all cases of an export share.
pub(super) struct Common<'a> {
    pub(super) catalogue: &'a Catalogue,
    pub(super) reading: &'a str,
    /// SHA-256 of the corpus.
    pub(super) corpus: &'a str,
    /// `None` where it is not known.
    pub(super) license: Option<&'static str>,
    pub(super) max_output: u64,
}

/// The cases that are left out, by the reason.
pub(super) type LeftOut = BTreeMap<&'static str, usize>;

/// A case and its answer.
pub(super) struct Answered<'a> {
    pub(super) case: &'a Case,
    pub(super) answer: Answer,
    /// Whether the reading computed the answer, which the case does not state.
    pub(super) computed: bool,
}

pub(super) enum Answer {
    /// The outputs by their names.
    Outputs(Vec<(&'static str, Tensor)>),
    /// The request is invalid; `None` where the kind is not known.
    Refusal(Option<ErrorKind>),
}

/// # Errors
/// Why the case is left out, as it reads after a number of cases.
pub(super) fn answered<'a>(case: &'a Case, common: &Common<'_>) -> Result<Answered<'a>, &'static str> {
    // Before anything is computed: a request is a line, and its output may be gigabytes.
    if bytes(&case.request) > common.max_output {
        return Err("with more bytes of outputs than --max-output");
    }
    let expected = judging::expected(case, common.catalogue, common.reading)
        .map_err(|_| "without an answer under the reading")?;
    Ok(Answered {
        case,
        answer: match expected {
            Expected::Value(response) => {
                let names = case.request.outputs().into_iter().map(|info| info.name);
                let outputs = std::iter::once(response.output).chain(response.more);
                Answer::Outputs(names.zip(outputs).collect())
            }
            Expected::Rejection(kind) => Answer::Refusal(kind),
            Expected::Digest(_) => return Err("known only by a digest that the reading does not reproduce"),
            Expected::Random => return Err("drawn from entropy"),
        },
        computed: is_computed(case, common.reading),
    })
}

/// Bytes of all outputs; 0 where the request does not say, which makes it one that is refused.
fn bytes(request: &Request) -> u64 {
    let forms = request.output_forms().unwrap_or_default();
    let of_form = |(dtype, dims): &(seedproof_ops::Dtype, Vec<u64>)| {
        let size = u64::try_from(dtype.size()).unwrap_or(u64::MAX);
        // An extent of 0 makes nothing of the others, however large they are.
        if dims.contains(&0) {
            0
        } else {
            dims.iter().fold(size, |bytes, &dim| bytes.saturating_mul(dim))
        }
    };
    forms.iter().map(of_form).fold(0, u64::saturating_add)
}
