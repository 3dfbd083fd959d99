//! Colours and styles for text on a terminal.

use anstyle::{AnsiColor, Style};
use seedproof_check::Tone;

/// The styles of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Palette {
    /// Conforming.
    pub good: Style,
    /// Wrong.
    pub bad: Style,
    /// Between the two: other readings, broken claims.
    pub odd: Style,
    /// Names and headings.
    pub strong: Style,
    /// Details.
    pub faint: Style,
}

impl Palette {
    /// No styles, for files and for terminals without colour.
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

    /// The colours of the terminal's own theme.
    pub const fn ansi() -> Self {
        // None of the 256 fixed colours: a shade that is readable on a dark background vanishes on a light one.
        Self {
            good: AnsiColor::Green.on_default(),
            bad: AnsiColor::Red.on_default().bold(),
            odd: AnsiColor::Yellow.on_default(),
            strong: Style::new().bold(),
            faint: Style::new().dimmed(),
        }
    }

    pub(super) const fn of(&self, tone: Tone) -> Style {
        match tone {
            Tone::Good => self.good,
            Tone::Bad => self.bad,
            Tone::Odd => self.odd,
            Tone::Dim => self.faint,
        }
    }
}
