//! Notes on findings that pass although not every bit agrees: NaNs with other bits.

use seedproof_check::{Finding, Outcome};
use seedproof_ops::BackendId;

use crate::run::Run;
use crate::untrusted::one_line;
use crate::words::count;

impl Run {
    /// The note on a finding that passes, in one line.
    pub fn note(&self, finding: &Finding) -> Option<String> {
        let reading = self.headers().first().map_or("the reading", |it| &it.reading);
        note(finding, reading)
    }

    /// The notes on an implementation's findings, each with its finding, in the order of the cases' ids.
    pub fn notes<'a>(
        &'a self,
        backend: &'a BackendId,
    ) -> impl Iterator<Item = (&'a Finding, String)> + use<'a> {
        self.findings(backend)
            .filter_map(|finding| Some((finding, self.note(finding)?)))
    }

    /// All notes on an implementation's findings in one line.
    pub(crate) fn notes_line(&self, backend: &BackendId) -> Option<String> {
        let mut notes = self.notes(backend);
        let (first, note) = notes.next()?;
        Some(format!(
            "note: NaNs with other bits in {}; first {}: {note}",
            count(1 + notes.count(), "passing case"),
            first.case
        ))
    }
}

/// The note on a finding that passes, judged against a reading.
pub(crate) fn note(finding: &Finding, reading: &str) -> Option<String> {
    let nans = finding.nans.filter(|_| finding.outcome == Outcome::Pass)?;
    Some(one_line(&nans.sentence(reading)))
}
