//! The verdict on one implementation, alike in every document.

use std::collections::BTreeMap;

use seedproof_check::Tone;
use seedproof_ops::BackendId;

use crate::coverage::Coverage;
use crate::run::{Run, Tally};
use crate::untrusted::one_line;
use crate::words::{count, of_them_expected, thousands};

impl Tally {
    /// Good where nothing failed, odd where nothing failed but as expected. Bad also where no value was compared.
    pub(crate) const fn tone(self) -> Tone {
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
            (_, _, 0, _) if self.is_untested() => "no value was compared".to_owned(),
            (_, _, 0, _) => "conforms".to_owned(),
            (_, _, 1, 1) => "1 failure, expected".to_owned(),
            (_, _, failing, expected) => count(failing, "failure") + &of_them_expected(expected, failing),
        }
    }

    /// The score in three numbers: `1,000 / 1,024 / 6,080`, passed, claimed, and the cases that say anything about the
    /// reading.
    pub(crate) fn score(self, under_reading: usize) -> [String; 3] {
        [self.passed, self.claimed, under_reading].map(thousands)
    }
}

impl Run {
    /// The verdict on an implementation. One that conforms is followed by the part of the corpus that it was asked, and
    /// one that was asked nothing by the reason: `conforms: RandomUniform-8 TENSORFLOW f32`.
    pub fn verdict(&self, backend: &BackendId) -> String {
        let tally = self.tally(backend);
        let verdict = tally.verdict();
        match (tally.claimed, tally.unexpected()) {
            (0, _) => match self.why_idle(backend) {
                Some(reason) => format!("{verdict}: {}", one_line(reason)),
                None => verdict,
            },
            (_, 0) => match Coverage::of(self, backend).words(self.is_whole(backend)).0 {
                part if part.is_empty() || tally.values == 0 => format!("{verdict}: refusals alone"),
                part => format!("{verdict}: {part}"),
            },
            _ => verdict,
        }
    }

    /// The parts of the corpus of which an implementation that does not fail was asked nothing, where its verdict does
    /// not name them.
    pub(crate) fn part_not_asked(&self, backend: &BackendId) -> Option<String> {
        let tally = self.tally(backend);
        let concerns = tally.claimed > 0 && tally.unexpected() == 0;
        let (_, parts) = concerns.then(|| Coverage::of(self, backend).words(self.is_whole(backend)))?;
        (!parts.is_empty()).then(|| format!("nothing asked of {parts}"))
    }

    /// The implementations of whose values the run says nothing: they were asked nothing, or no value was compared.
    pub fn untested(&self) -> impl Iterator<Item = &BackendId> {
        let all = self.implementations().map(|it| &it.id);
        all.filter(|id| self.tally(id).is_untested())
    }

    /// Why the run says nothing of an implementation's values, as a sentence.
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

    /// Why an implementation was asked nothing: the commonest reason of its findings.
    fn why_idle<'a>(&'a self, backend: &'a BackendId) -> Option<&'a str> {
        let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
        for finding in self.findings(backend) {
            *reasons.entry(&finding.message).or_default() += 1;
        }
        reasons
            .into_iter()
            .max_by_key(|&(_, cases)| cases)
            .map(|(reason, _)| reason)
    }
}

/// The tone's name in the page's style.
#[cfg(feature = "documents")]
pub(crate) const fn class(tone: Tone) -> &'static str {
    match tone {
        Tone::Good => "good",
        Tone::Odd => "odd",
        Tone::Bad => "bad",
        Tone::Dim => "dim",
    }
}
