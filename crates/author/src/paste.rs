//! A request as a case to paste into a corpus.

use seedproof::judging::ad_hoc;
use seedproof_corpus::{Case, CaseId, Expectation, ParsedFile};
use seedproof_ops::{Backend, Request};

use crate::emit::emit;
use crate::regenerate::expectation;

/// A file with the one case of a request, whose expectation the oracle gives: to be pasted into a corpus. A request that the
/// oracle has no answer to is left to whatever oracle judges it.
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
        expect: expectation(request, oracle).unwrap_or(Expectation::Oracle),
        ..ad_hoc(request.clone())
    });
    emit(&file)
}
