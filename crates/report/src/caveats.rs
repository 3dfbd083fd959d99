//! Caveats: the reasons why a run shows less than a run of the whole corpus would. They stand at
//! the top of every document.
//!
//! For each implementation, the cases that passed, failed, are unsupported or were left out add up to all cases under
//! the reading, or one of these sentences says which are missing. Nothing is skipped in silence.

use std::collections::{BTreeMap, BTreeSet};

use seedproof_check::Outcome;
use seedproof_ops::BackendId;

use crate::event::Header;
use crate::run::{Judged, Run};
use crate::untrusted::one_line;
use crate::words::{count, listed, thousands};

impl Run {
    /// One sentence for each reason why the run shows less than a run of the whole corpus would.
    pub fn caveats(&self) -> Vec<String> {
        self.reservations()
            .into_iter()
            .map(|(_, sentence)| sentence)
            .collect()
    }

    /// Those of [`Self::caveats`] for which a run fails although every finding may be as expected.
    pub fn faults(&self) -> Vec<String> {
        let faults = self.reservations().into_iter().filter(|(is_fault, _)| *is_fault);
        faults.map(|(_, sentence)| sentence).collect()
    }

    /// The caveats, each with whether it is a fault and not what a user asked for, as a query or a single shard is.
    fn reservations(&self) -> Vec<(bool, String)> {
        let mut all = Vec::new();
        if self.cut_short() > 0 {
            let cut = "cut short: an event log has no end, so findings are missing";
            all.push((true, cut.to_owned()));
        }
        all.extend(
            self.each(|id| self.filtered(id))
                .into_iter()
                .map(|it| (false, it)),
        );
        // A run of one shard was asked for as such. Several logs are joined for the whole.
        let is_joined = self.headers().len() > 1;
        let sharded = |id: &BackendId| Some(format!("sharded: only {}", self.present_shards(id)?));
        let shards = self.each(sharded);
        all.extend(shards.into_iter().map(|it| (is_joined, it)));
        for implementation in self.implementations() {
            let id = &implementation.id;
            let tally = self.tally(id);
            // The sentence about missing shards covers their cases.
            if tally.missing() > 0 && self.present_shards(id).is_none() {
                let sentence = format!(
                    "incomplete: {} has findings for {} of {}",
                    one_line(id.as_str()),
                    thousands(tally.judged),
                    count(tally.selected - tally.left_out, "selected case"),
                );
                all.push((true, sentence));
            }
        }
        // Each of these findings is an error by itself.
        let absent = self.count_of(Outcome::NotRun);
        if absent > 0 {
            all.push((
                false,
                format!("incomplete: {} not asked", count(absent, "request")),
            ));
        }
        // A fault of the harness tells nothing about the implementation, but its case was not judged either.
        let ours = self.count_of(Outcome::Infrastructure);
        if ours > 0 {
            let sentence = format!(
                "infrastructure: {}: the harness's own fault",
                count(ours, "finding")
            );
            all.push((false, sentence));
        }
        all.extend(self.ended().iter().map(|it| (false, it.sentence())));
        let idle = self.implementations().flat_map(|it| self.idle_logs(&it.id));
        all.extend(idle.map(|it| (true, it)));
        all.extend(self.shortfalls().iter().map(|it| (true, it.clone())));
        let violations = self.violations().iter();
        all.extend(violations.map(|it| (true, format!("expectations: {it}"))));
        all
    }

    /// Whether requested findings are missing: a log has no `end`, shards are missing, or a log has fewer
    /// findings than it announces.
    pub fn is_partial(&self) -> bool {
        self.cut_short() > 0 || self.implementations().any(|it| self.tally(&it.id).missing() > 0)
    }

    /// Whether an implementation was judged on every case of the corpus that has an expectation under the reading.
    pub(crate) fn is_whole(&self, backend: &BackendId) -> bool {
        let tally = self.tally(backend);
        let corpus = self
            .headers()
            .first()
            .map_or(0, |header| header.corpus.under_reading);
        tally.judged == corpus
    }

    /// The headers of the logs with findings of an implementation.
    fn headers_of<'a>(&'a self, backend: &'a BackendId) -> impl Iterator<Item = &'a Header> {
        let is_about = |header: &&Header| header.implementations.iter().any(|it| it.id == *backend);
        self.headers().iter().filter(is_about)
    }

    /// Collects a sentence about each implementation. One that is true of all stands once, others with the names.
    fn each(&self, sentence: impl Fn(&BackendId) -> Option<String>) -> Vec<String> {
        let mut named: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut implementations = 0;
        for implementation in self.implementations() {
            implementations += 1;
            if let Some(sentence) = sentence(&implementation.id) {
                let names = named.entry(sentence).or_default();
                names.push(one_line(implementation.id.as_str()));
            }
        }
        let of = |(sentence, names): (String, Vec<String>)| {
            if names.len() == implementations {
                sentence
            } else {
                format!("{sentence}, of {}", listed(&names))
            }
        };
        named.into_iter().map(of).collect()
    }

    /// The selection of an implementation's cases, unless it is all of them.
    fn filtered(&self, backend: &BackendId) -> Option<String> {
        let header = self.headers().first()?;
        let selected = self.tally(backend).selected;
        if selected >= header.corpus.under_reading {
            return None;
        }
        let filters: BTreeSet<String> = self
            .headers_of(backend)
            .map(|header| header.filter.join(" "))
            .collect();
        let filters: Vec<String> = filters.into_iter().filter(|it| !it.is_empty()).collect();
        Some(if filters.is_empty() {
            // Without a query, the header does not say what selected the cases, and their number must do.
            let corpus = count(header.corpus.under_reading, "case");
            format!("filtered: only {} of {corpus}", thousands(selected))
        } else {
            format!("filtered: only cases that match {}", filters.join(" or "))
        })
    }

    /// The present shards of an implementation if some are missing: `1/4, 3/4`.
    pub(crate) fn present_shards(&self, backend: &BackendId) -> Option<String> {
        let shards: BTreeSet<(u32, u32)> = self.headers_of(backend).filter_map(|it| it.shard).collect();
        // All shards of an implementation have the same number of shards: `same_selection` checks it.
        let (_, of) = *shards.first()?;
        if shards.len() == usize::try_from(of).unwrap_or(usize::MAX) {
            return None;
        }
        let present: Vec<String> = shards.iter().map(|(shard, of)| format!("{shard}/{of}")).collect();
        Some(present.join(", "))
    }

    fn count_of(&self, outcome: Outcome) -> usize {
        self.cases()
            .flat_map(Judged::findings)
            .filter(|finding| finding.outcome == outcome)
            .count()
    }
}
