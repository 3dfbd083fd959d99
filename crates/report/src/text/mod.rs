//! A run as text for a terminal: one failure, or the summary. Colour is a [`Palette`]; the plain one has none.

mod failure;
mod summary;

use anstyle::{AnsiColor, Style};
use seedproof_check::{Outcome, Tone};

use crate::Tally;

pub use failure::failure;
pub(crate) use failure::rerun;
#[cfg(feature = "documents")]
pub(crate) use failure::{at_most, distance, place, value};
pub use summary::summary;

/// Most characters of one line of others' text.
const WIDTH: usize = 400;

/// The styles of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Palette {
    /// What conforms.
    pub good: Style,
    /// What does not.
    pub bad: Style,
    /// What stands between: other readings, broken claims.
    pub odd: Style,
    /// Names and headings.
    pub strong: Style,
    /// What is there to be looked up.
    pub faint: Style,
}

impl Palette {
    /// No styles: the bytes of the text alone.
    pub const fn plain() -> Self {
        let none = Style::new();
        Self {
            good: none,
            bad: none,
            odd: none,
            strong: none,
            faint: none,
        }
    }

    /// The eight colours that every terminal has, in its own shades.
    pub const fn ansi() -> Self {
        Self {
            good: AnsiColor::Green.on_default(),
            bad: AnsiColor::Red.on_default().bold(),
            odd: AnsiColor::Yellow.on_default(),
            strong: Style::new().bold(),
            faint: Style::new().dimmed(),
        }
    }

    const fn of(&self, outcome: Outcome) -> Style {
        match outcome.tone() {
            Tone::Good => self.good,
            Tone::Dim => self.faint,
            Tone::Odd => self.odd,
            Tone::Bad => self.bad,
        }
    }
}

/// The verdict on one implementation in words: `conforms`, `12 failures, 9 of them expected`.
pub(crate) fn verdict(tally: Tally) -> String {
    let failures = count(tally.failing, "failure");
    match (tally.judged, tally.failing, tally.expected) {
        (0, ..) => "nothing was judged".to_owned(),
        (_, 0, _) => "conforms".to_owned(),
        (_, _, 0) => failures,
        (_, 1, _) => "1 failure, expected".to_owned(),
        (_, failing, expected) if failing == expected => format!("{failures}, all expected"),
        (_, _, expected) => format!("{failures}, {} of them expected", thousands(expected)),
    }
}

/// `, all expected`, `, 3 of them expected`; nothing where none is.
pub(crate) fn of_them_expected(expected: usize, failing: usize) -> String {
    match expected {
        0 => String::new(),
        n if n == failing => ", all expected".to_owned(),
        n => format!(", {} of them expected", thousands(n)),
    }
}

/// `1 case`, `1,024 cases`.
pub(crate) fn count(n: usize, noun: &str) -> String {
    if n == 1 {
        format!("1 {noun}")
    } else {
        format!("{} {noun}s", thousands(n))
    }
}

/// A number with its thousands set apart: `1,024`.
pub(crate) fn thousands(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
