//! Regenerates the corpus: derived expectations from the oracle, every file in canonical form.

use rayon::prelude::*;
use seedproof_check::SPEC;
use seedproof_corpus::{
    Bits, Case, Digested, Expectation, OutputDigest, ParsedFile, Provenance, RETIRED, Registry,
    SHOWN_AT_EITHER_END, VectorError, VectorErrors, parse,
};
use seedproof_ops::{Backend, Digest, Failure, Request, Response, Scalar, Tensor};

use crate::emit;

/// The revision of [`SPEC`] that this version computes. It is raised when its answers change.
pub const SPEC_REVISION: u32 = 1;

/// The most elements whose bits are written out; more are summed.
pub const MOST_BITS: usize = 64;

/// The corpus as it should be: names and texts, sorted by name.
///
/// The expectation of each case derived from [`SPEC`] is computed with `oracle`, and its revision is set; all else stays, in
/// canonical form with clauses, errata and flags sorted. Both are the same on every run and for any number of
/// threads. `retired.txt` is passed on.
///
/// # Errors
/// Every mistake in a file, and every case for which the oracle has no answer or an answer of another kind: a case
/// that is written as a refusal tests the refusal, and must not become a value unnoticed.
pub fn regenerate(
    files: &[(String, String)],
    known: &Registry,
    oracle: &dyn Backend,
) -> Result<Vec<(String, String)>, VectorErrors> {
    let results: Vec<Result<(String, String), VectorErrors>> = files
        .par_iter()
        .map(|(name, text)| {
            if name == RETIRED {
                Ok((name.clone(), text.clone()))
            } else {
                regenerate_file(name, text, known, oracle).map(|text| (name.clone(), text))
            }
        })
        .collect();
    let mut texts = Vec::new();
    let mut errors = Vec::new();
    for file in results {
        match file {
            Ok(file) => texts.push(file),
            Err(mistakes) => errors.extend(mistakes.0),
        }
    }
    texts.sort();
    VectorErrors::unless_none(texts, errors)
}

/// A file with its derived expectations recomputed.
fn regenerate_file(
    name: &str,
    text: &str,
    known: &Registry,
    oracle: &dyn Backend,
) -> Result<String, VectorErrors> {
    let mut file = parse(name, text)?;
    let mut errors: Vec<VectorError> = file.unknown_names(known, None).collect();
    for case in &mut file.cases {
        if !is_computed(case) {
            continue;
        }
        if let Provenance::Derived { revision, .. } = &mut case.provenance {
            *revision = SPEC_REVISION;
        }
        match recomputed(case, oracle) {
            Ok(expect) => case.expect = expect,
            Err(reason) => errors.push(VectorError {
                location: case.location.clone(),
                message: format!("compute what `{}` expects: {reason}", case.id),
            }),
        }
    }
    if let Some(Provenance::Derived { reading, revision }) = &mut file.provenance
        && reading.as_str() == SPEC
    {
        *revision = SPEC_REVISION;
    }
    sort_names(&mut file);
    VectorErrors::unless_none(emit(&file), errors)
}

/// Whether a case's expectation is computed by the oracle, and not kept as it is written.
fn is_computed(case: &Case) -> bool {
    let Provenance::Derived { reading, .. } = &case.provenance else {
        return false;
    };
    let answered = matches!(
        case.expect,
        Expectation::Bits(_) | Expectation::Digest(_) | Expectation::Rejected(_)
    );
    reading.as_str() == SPEC && answered
}

/// Says how the expectation of a computed case differs from what the oracle computes.
pub(crate) fn differs(case: &Case, oracle: &dyn Backend) -> Option<String> {
    if !is_computed(case) {
        return None;
    }
    let is_right = match (&case.expect, oracle.run(&case.request)) {
        // Also where there are more of them than are written out.
        (Expectation::Bits(bits), Ok(response)) => {
            bits.output == response.output && bits.more == response.more
        }
        _ => match expectation(&case.request, oracle) {
            Ok(expect) => expect == case.expect,
            Err(reason) => return Some(format!("compute what `{}` expects: {reason}", case.id)),
        },
    };
    (!is_right).then(|| {
        format!(
            "match the expectation of `{}` with what `{SPEC}` answers: `seedproof gen` computes it",
            case.id
        )
    })
}

/// Sorts the clauses of a file, and the clauses, errata and flags of its cases. Clauses that a case shares with its file come
/// first.
pub(crate) fn sort_names(file: &mut ParsedFile) {
    file.clauses.sort();
    for case in &mut file.cases {
        case.clauses
            .sort_by_cached_key(|name| (!file.clauses.contains(name), name.clone()));
        case.errata.sort();
        case.flags.sort();
    }
}

/// The oracle's answer to a case as its expectation, if it is of the kind that the case is written for.
fn recomputed(case: &Case, oracle: &dyn Backend) -> Result<Expectation, String> {
    let answer = expectation(&case.request, oracle)?;
    match (&case.expect, &answer) {
        (Expectation::Rejected(written), Expectation::Rejected(kind)) if kind == written => Ok(answer),
        (Expectation::Rejected(written), _) => Err(format!("the oracle does not refuse it as `{written}`")),
        (_, Expectation::Rejected(kind)) => {
            Err(format!("the oracle refuses it as `{kind}`, expected an output"))
        }
        _ => Ok(answer),
    }
}

/// The oracle's answer as an expectation.
pub(crate) fn expectation(request: &Request, oracle: &dyn Backend) -> Result<Expectation, String> {
    match oracle.run(request) {
        Ok(response) => Ok(answered(response)),
        Err(Failure::Rejected(error)) => error
            .kind
            .map(Expectation::Rejected)
            .ok_or_else(|| format!("the oracle refuses it without a kind: {error}")),
        Err(failure) => Err(failure.to_string()),
    }
}

/// The bits of a small output, the digest of a large one.
fn answered(Response { output, more }: Response) -> Expectation {
    if output.count() <= MOST_BITS {
        return Expectation::Bits(Bits { output, more });
    }
    Expectation::Digest(Digested {
        digest: OutputDigest::Chunks(Digest::of(&output).chunks),
        first: window(&output, 0),
        last: window(&output, output.count() - SHOWN_AT_EITHER_END),
        more,
    })
}

/// The elements that a digest shows from here on.
fn window(output: &Tensor, start: usize) -> Vec<Scalar> {
    (start..)
        .map_while(|i| output.get(i))
        .take(SHOWN_AT_EITHER_END)
        .collect()
}

#[cfg(test)]
mod tests;
