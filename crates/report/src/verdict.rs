//! The verdict on one implementation, which is the same in every document.

use std::collections::BTreeMap;

use seedproof_check::Tone;
use seedproof_ops::BackendId;

use crate::coverage::Coverage;
use crate::run::{Run, Tally};
use crate::untrusted::one_line;
use crate::words::{count, of_them_expected, thousands};

impl Tally {
    /// Good if nothing failed, odd if all failures are expected, else bad.
    pub(crate) const fn tone(self) -> Tone {
        // An implementation of which no value was compared is not good, although nothing failed: that is how a
        // misconfigured job would turn green.
        match (self.is_untested(), self.failing, self.unexpected()) {
            (true, ..) => Tone::Bad,
            (_, 0, _) => Tone::Good,
            (_, _, 0) => Tone::Odd,
            _ => Tone::Bad,
        }
    }

    /// The tone as a character.
    pub(crate) const fn mark(self) -> char {
        match self.tone() {
            Tone::Good => '✓',
            Tone::Odd => '≈',
            _ => '✗',
        }
    }

    /// `conforms`, `12 failures, 9 of them expected`.
    fn verdict(self) -> String {
        match (self.judged, self.claimed, self.failing, self.expected) {
            (0, ..) => "nothing was judged".to_owned(),
            (_, 0, ..) => "nothing was asked".to_owned(),
            // An implementation that refuses everything passes all cases that expect a rejection.
            (_, _, 0, _) if self.is_untested() => "no value was compared".to_owned(),
            (_, _, 0, _) => "conforms".to_owned(),
            (_, _, 1, 1) => "1 failure, expected".to_owned(),
            (_, _, failing, expected) => count(failing, "failure") + &of_them_expected(expected, failing),
        }
    }

    /// The score in three numbers: `1,000 / 1,024 / 6,080`, the cases that passed, those that are claimed, and those
    /// that have an expectation under the reading.
    pub(crate) fn score(self, under_reading: usize) -> [String; 3] {
        [self.passed, self.claimed, under_reading].map(thousands)
    }
}

impl Run {
    /// The verdict on an implementation: `conforms: RandomUniform-8 TENSORFLOW f32`. If it conforms, the tested part of
    /// the corpus follows; if nothing was asked, the reason.
    pub fn verdict(&self, backend: &BackendId) -> String {
        let tally = self.tally(backend);
        let verdict = tally.verdict();
        match (tally.claimed, tally.unexpected()) {
            (0, _) => match self.why_idle(backend) {
                Some(reason) => format!("{verdict}: {}", one_line(reason)),
                None => verdict,
            },
            (_, 0) => match Coverage::of(self, backend).words(self.is_whole(backend)).0 {
                // Coverage leaves rejections out, so it is empty for a selection of nothing else.
                part if part.is_empty() || tally.values == 0 => format!("{verdict}: refusals alone"),
                part => format!("{verdict}: {part}"),
            },
            _ => verdict,
        }
    }

    /// The untested parts of the corpus, for an implementation that does not fail and whose verdict does not name them.
    pub(crate) fn part_not_asked(&self, backend: &BackendId) -> Option<String> {
        let tally = self.tally(backend);
        let concerns = tally.claimed > 0 && tally.unexpected() == 0;
        let (_, parts) = concerns.then(|| Coverage::of(self, backend).words(self.is_whole(backend)))?;
        (!parts.is_empty()).then(|| format!("nothing asked of {parts}"))
    }

    /// The implementations that were not tested: nothing was asked of them, or no value was compared.
    pub fn untested(&self) -> impl Iterator<Item = &BackendId> {
        let all = self.implementations().map(|it| &it.id);
        all.filter(|id| self.tally(id).is_untested())
    }

    /// The logs of an implementation that do not test it although others do, a sentence each. A run of such a log alone is
    /// one in which nothing was asked or compared, and the logs beside it do not test what it selects.
    pub fn idle_logs<'a>(&'a self, backend: &'a BackendId) -> impl Iterator<Item = String> + 'a {
        // Where none of them tests it, the verdict on all of them says so.
        let is_tested = !self.tally(backend).is_untested();
        let idle = self.alone(backend).into_iter();
        idle.filter(move |(_, tally)| is_tested && tally.is_untested())
            .map(move |(header, tally)| {
                let id = one_line(backend.as_str());
                let what = if tally.claimed == 0 {
                    format!("nothing was asked of {id}")
                } else {
                    format!("no value of {id} was compared")
                };
                let selected = match one_line(&header.filter.join(" ")) {
                    all if all.is_empty() => "its log of all cases".to_owned(),
                    filter => format!("its log of cases that match {filter}"),
                };
                format!("untested: {what} in {selected}")
            })
    }

    /// The reason why an implementation was not tested, as a sentence.
    pub fn why_untested(&self, backend: &BackendId) -> String {
        let tally = self.tally(backend);
        let id = one_line(backend.as_str());
        if tally.claimed > 0 {
            let asked = count(tally.claimed, "case");
            return format!("no value of {id} was compared, in {asked} that it claims");
        }
        let why = self.why_idle(backend).unwrap_or("no case is judged on it");
        format!("nothing was asked of {id}: {}", one_line(why))
    }

    /// The reason why nothing was asked of an implementation: the most frequent message of its findings.
    fn why_idle<'a>(&'a self, backend: &'a BackendId) -> Option<&'a str> {
        let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
        for finding in self.findings(backend) {
            *reasons.entry(&finding.message).or_default() += 1;
        }
        reasons
            .into_iter()
            // Of equally frequent messages the last in their order, whatever the order of the cases.
            .max_by_key(|&(_, cases)| cases)
            .map(|(reason, _)| reason)
    }
}

/// The CSS class of a tone.
#[cfg(feature = "documents")]
pub(crate) const fn class(tone: Tone) -> &'static str {
    match tone {
        Tone::Good => "good",
        Tone::Odd => "odd",
        Tone::Bad => "bad",
        Tone::Dim => "dim",
    }
}
