//! The verdict on one implementation, alike in every document.

use seedproof_check::Tone;

use crate::run::Tally;
use crate::words::{count, of_them_expected, thousands};

impl Tally {
    /// Good where nothing failed, odd where nothing failed but as expected. Bad where nothing was judged, too.
    pub(crate) const fn tone(self) -> Tone {
        match (self.judged, self.failing, self.unexpected()) {
            (0, ..) => Tone::Bad,
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
    pub(crate) fn verdict(self) -> String {
        match (self.judged, self.failing, self.expected) {
            (0, ..) => "nothing was judged".to_owned(),
            (_, 0, _) => "conforms".to_owned(),
            (_, 1, 1) => "1 failure, expected".to_owned(),
            (_, failing, expected) => count(failing, "failure") + &of_them_expected(expected, failing),
        }
    }

    /// The score in three numbers: `1,000 / 1,024 / 6,080`, passed, claimed, and the cases of the corpus.
    pub(crate) fn score(self, corpus: usize) -> [String; 3] {
        [self.passed, self.claimed, corpus].map(thousands)
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
