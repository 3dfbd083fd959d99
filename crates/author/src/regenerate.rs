//! Writing the corpus anew: derived expectations from the oracle, every file in canonical form.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use seedproof_corpus::{
    Bits, Case, Digested, Expectation, Location, Name, OutputDigest, ParsedFile, Provenance, RETIRED,
    Registry, SHOWN, VectorError, VectorErrors, parse,
};
use seedproof_ops::{Backend, Digest, Failure, Request, Response, Scalar, Tensor};

use crate::emit;
use crate::grid::{self, Draft, GridFile, Planned};

/// The reading whose answers derived cases expect.
pub const SPEC: &str = "spec";

/// The revision of [`SPEC`] that this version computes. It is raised when its answers change.
pub const SPEC_REVISION: u32 = 1;

/// The most elements whose bits are written out; more are summed.
pub const MOST_BITS: usize = 64;

/// The corpus as it should be: names and texts, sorted by name.
///
/// Generated files are written from the grid, whatever `files` has under their names. In every other file the
/// expectation of each case derived from [`SPEC`] is computed with `oracle`, and its revision is set; all else stays, in
/// canonical form with clauses, errata and flags sorted. Both are the same on every run and for any number of
/// threads. `retired.txt` is passed on.
///
/// # Errors
/// Every mistake in a file that is kept, and every case for which the oracle has no answer.
pub fn regenerate(
    files: &[(String, String)],
    known: &Registry,
    oracle: &dyn Backend,
) -> Result<Vec<(String, String)>, VectorErrors> {
    regenerate_with(files, known, oracle, grid::files(oracle))
}

/// As [`regenerate`] for a corpus of one's own: only what is in `files`, no file of the grid.
///
/// # Errors
/// As [`regenerate`].
pub fn fill_in(
    files: &[(String, String)],
    known: &Registry,
    oracle: &dyn Backend,
) -> Result<Vec<(String, String)>, VectorErrors> {
    regenerate_with(files, known, oracle, Vec::new())
}

fn regenerate_with(
    files: &[(String, String)],
    known: &Registry,
    oracle: &dyn Backend,
    grid: Vec<GridFile>,
) -> Result<Vec<(String, String)>, VectorErrors> {
    let generated: BTreeSet<&str> = grid.iter().map(|file| file.path).collect();
    let kept: Vec<Result<(String, String), VectorErrors>> = files
        .par_iter()
        .filter(|(name, _)| !generated.contains(name.as_str()))
        .map(|(name, text)| {
            if name == RETIRED {
                Ok((name.clone(), text.clone()))
            } else {
                keep(name, text, known, oracle).map(|text| (name.clone(), text))
            }
        })
        .collect();
    let made: Vec<Result<(String, String), VectorErrors>> =
        grid.into_par_iter().map(|file| generate(file, oracle)).collect();
    let mut texts = Vec::new();
    let mut errors = Vec::new();
    for file in kept.into_iter().chain(made) {
        match file {
            Ok(file) => texts.push(file),
            Err(mistakes) => errors.extend(mistakes.0),
        }
    }
    texts.sort();
    VectorErrors::unless_none(texts, errors)
}

/// A kept file with its derived expectations computed anew.
fn keep(name: &str, text: &str, known: &Registry, oracle: &dyn Backend) -> Result<String, VectorErrors> {
    let mut file = parse(name, text)?;
    let mut errors: Vec<VectorError> = file.unknown_names(known, None).collect();
    for case in &mut file.cases {
        if !is_computed(case) {
            continue;
        }
        if let Provenance::Derived { revision, .. } = &mut case.provenance {
            *revision = SPEC_REVISION;
        }
        match expectation(&case.request, oracle) {
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

/// Says what is wrong with a case whose expectation the oracle computes: it is another.
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

/// A generated file with its expectations.
fn generate(file: GridFile, oracle: &dyn Backend) -> Result<(String, String), VectorErrors> {
    let provenance = Provenance::Derived {
        reading: Name::new(SPEC).expect("a plain name"),
        revision: SPEC_REVISION,
    };
    let clauses = shared_clauses(&file.drafts);
    let location = Location::start(file.path);
    let cases: Vec<Result<Case, VectorError>> = file
        .drafts
        .into_par_iter()
        .map(|draft| {
            let expect = planned(&draft, oracle).map_err(|reason| VectorError {
                location: location.clone(),
                message: format!("compute what `{}` expects: {reason}", draft.id),
            })?;
            Ok(Case {
                id: draft.id,
                location: location.clone(),
                clauses: draft.clauses,
                errata: draft.errata,
                flags: Vec::new(),
                provenance: provenance.clone(),
                request: draft.request,
                expect,
                readings: BTreeMap::new(),
                printed: None,
                margin: draft.margin,
                note: draft.note,
            })
        })
        .collect();
    let mut errors = Vec::new();
    let cases = cases
        .into_iter()
        .filter_map(|case| case.map_err(|error| errors.push(error)).ok())
        .collect();
    let mut parsed = ParsedFile::new(file.path, file.op);
    parsed.comment = file.comment.lines().map(str::to_owned).collect();
    parsed.clauses = clauses;
    parsed.provenance = Some(provenance);
    parsed.cases = cases;
    sort_names(&mut parsed);
    VectorErrors::unless_none((parsed.name.clone(), emit(&parsed)), errors)
}

/// The clauses that every draft names.
fn shared_clauses(drafts: &[Draft]) -> Vec<Name> {
    let Some((first, others)) = drafts.split_first() else {
        return Vec::new();
    };
    first
        .clauses
        .iter()
        .filter(|clause| others.iter().all(|draft| draft.clauses.contains(clause)))
        .cloned()
        .collect()
}

/// Sorts the names of a file and of its cases, those of the file first.
fn sort_names(file: &mut ParsedFile) {
    file.clauses.sort();
    for case in &mut file.cases {
        case.clauses
            .sort_by_cached_key(|name| (!file.clauses.contains(name), name.clone()));
        case.errata.sort();
        case.flags.sort();
    }
}

fn planned(draft: &Draft, oracle: &dyn Backend) -> Result<Expectation, String> {
    if draft.expect == Planned::Statistics {
        return Ok(Expectation::Statistical);
    }
    let expect = expectation(&draft.request, oracle)?;
    match (draft.expect, &expect) {
        (Planned::Answer, Expectation::Rejected(kind)) => {
            Err(format!("the oracle refuses it as `{kind}`, expected an output"))
        }
        (Planned::Rejected(planned), Expectation::Rejected(kind)) if *kind == planned => Ok(expect),
        (Planned::Rejected(planned), _) => Err(format!("the oracle does not refuse it as `{planned}`")),
        _ => Ok(expect),
    }
}

/// The oracle's answer as an expectation.
fn expectation(request: &Request, oracle: &dyn Backend) -> Result<Expectation, String> {
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
        last: window(&output, output.count() - SHOWN),
        more,
    })
}

/// The elements that a digest shows from here on.
fn window(output: &Tensor, start: usize) -> Vec<Scalar> {
    (start..).map_while(|i| output.get(i)).take(SHOWN).collect()
}

#[cfg(test)]
mod tests;
