//! A request as a case to paste into a corpus.

use seedproof::judging::ad_hoc;
use seedproof_corpus::{Case, CaseId, Expectation, ParsedFile};
use seedproof_ops::{Backend, Request};

use crate::emit::emit;
use crate::lint::is_random;
use crate::regenerate::expectation;

/// A file with one case for a request, to be pasted into a corpus. The oracle computes its expectation. If it has no answer,
/// the case is written as `by: oracle`.
pub fn pasted(request: &Request, oracle: &dyn Backend) -> String {
    let prefix = request.description().prefix;
    let mut file = ParsedFile::new("pasted.yaml", request.op());
    // A case names what it covers: at first, what another case of its variant and type does.
    let variant = |request: &Request| (request.op(), request.variant(), request.filed_type());
    let alike = |case: &&Case| !case.clauses.is_empty() && variant(&case.request) == variant(request);
    let other = seedproof::corpus().cases().find(alike);
    file.cases.push(Case {
        clauses: other.map_or_else(Vec::new, |case| case.clauses.clone()),
        id: CaseId::new(&format!("{prefix}/pasted")).expect("a prefix begins an id"),
        expect: if is_random(request) {
            Expectation::Statistical
        } else {
            expectation(request, oracle).unwrap_or(Expectation::Oracle)
        },
        ..ad_hoc(request.clone())
    });
    emit(&file)
}
