//! Queries of a run, for the documents.

use seedproof_check::Finding;
use seedproof_corpus::CaseId;
use seedproof_ops::BackendId;

use super::{Judged, Run, Tally};
use crate::event::{Clause, Diagnosed, Ended, Erratum, Header, Implementation, LeftOut, Mistake};
use crate::why::Why;

impl Run {
    /// The headers of the logs; empty only for a run without events.
    pub fn headers(&self) -> &[Header] {
        &self.headers
    }

    /// The implementations, each once, in the order in which the logs name them.
    pub fn implementations(&self) -> impl Iterator<Item = &Implementation> {
        // Shards repeat their implementations, so later headers contribute only new ones.
        self.headers.iter().enumerate().flat_map(|(i, header)| {
            let earlier = &self.headers[..i];
            header.implementations.iter().filter(move |implementation| {
                !earlier
                    .iter()
                    .flat_map(|header| &header.implementations)
                    .any(|known| known.id == implementation.id)
            })
        })
    }

    /// An implementation by its name.
    pub fn implementation(&self, id: &BackendId) -> Option<&Implementation> {
        self.implementations().find(|known| known.id == *id)
    }

    /// The clauses that the run refers to, in the order of their ids.
    pub fn clauses(&self) -> impl Iterator<Item = &Clause> {
        self.clauses.values()
    }

    /// The errata that the run refers to, in the order of their ids.
    pub fn errata(&self) -> impl Iterator<Item = &Erratum> + Clone {
        self.errata.values()
    }

    /// The mistakes that cases of the run catch, in the order of their ids.
    pub fn mistakes(&self) -> impl Iterator<Item = &Mistake> {
        self.mistakes.values()
    }

    /// The cases with their findings, in the order of their ids.
    pub fn cases(&self) -> impl ExactSizeIterator<Item = &Judged> {
        self.cases.values().map(Box::as_ref)
    }

    /// A case by its id.
    pub fn case(&self, id: &CaseId) -> Option<&Judged> {
        self.cases.get(id).map(Box::as_ref)
    }

    /// The finding of a case on an implementation.
    pub fn finding(&self, case: &CaseId, backend: &BackendId) -> Option<&Finding> {
        self.case(case)?.finding(backend)
    }

    /// The findings of one implementation, in the order of the cases' ids.
    pub fn findings<'a>(&'a self, backend: &'a BackendId) -> impl Iterator<Item = &'a Finding> {
        self.cases
            .values()
            .filter_map(move |judged| judged.finding(backend))
    }

    /// The diagnoses, in the order of the logs.
    pub fn diagnoses(&self) -> &[Diagnosed] {
        &self.diagnoses.all
    }

    /// The parts of the run that did not take place.
    pub fn left_out(&self) -> &[LeftOut] {
        &self.left_out
    }

    /// The processes of implementations that did not end in order.
    pub fn ended(&self) -> &[Ended] {
        &self.ended
    }

    /// Number of logs that stop before their `end` event.
    pub fn cut_short(&self) -> usize {
        self.cut_short + usize::from(self.open.is_some())
    }

    /// The reason why a case of an implementation fails, as far as the diagnoses found one.
    pub fn why(&self, backend: &BackendId, case: &CaseId) -> Why<'_> {
        self.diagnoses.why(backend, case)
    }

    /// The counts of one implementation; all zero if the run does not have it.
    pub fn tally(&self, backend: &BackendId) -> Tally {
        self.tallies.get(backend).copied().unwrap_or_default()
    }

    /// The counts of one implementation in each log that is a whole run by itself, with the log's header. A shard is none.
    pub(crate) fn alone(&self, backend: &BackendId) -> Vec<(&Header, Tally)> {
        let logs = self.headers.iter().zip(&self.logs);
        logs.filter(|(header, _)| header.shard.is_none())
            .filter(|(header, _)| header.implementations.iter().any(|it| it.id == *backend))
            .map(|(header, tallies)| (header, tallies.get(backend).copied().unwrap_or_default()))
            .collect()
    }

    /// The reason in an expectation file, or `None` for a finding that is not an expected failure.
    pub fn expected(&self, finding: &Finding) -> Option<&str> {
        // The key below needs two copies of names. Every document looks up every finding, and
        // most runs expect no failure.
        if self.expected.is_empty() {
            return None;
        }
        let key = (finding.backend.clone(), finding.case.clone());
        self.expected.get(&key).map(String::as_str)
    }

    /// The violations of expectations: entries that match nothing, or whose cases pass or fail
    /// otherwise, or that are expired.
    pub fn violations(&self) -> &[String] {
        &self.violations
    }

    /// Adds what the run lacks of what its caller demands of it, a sentence. The run fails for it as for a violation, in every
    /// document.
    pub fn falls_short(&mut self, sentence: String) {
        self.shortfalls.push(sentence);
    }

    /// The sentences of [`Self::falls_short`].
    pub fn shortfalls(&self) -> &[String] {
        &self.shortfalls
    }

    /// Whether every finding conforms or is an expected failure, and every expectation holds.
    pub fn is_as_expected(&self) -> bool {
        self.violations.is_empty()
            && self
                .implementations()
                .all(|it| self.tally(&it.id).unexpected() == 0)
    }
}
