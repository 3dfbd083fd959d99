//! The outcomes of a case on a backend, and one table of the words and symbols that documents use for them.

use seedproof_ops::FaultKind;
use serde::{Deserialize, Serialize};

/// The outcome of one case on one backend, in the order in which documents list them.
///
/// The word is the same everywhere: in the event log, in reports, in expectation files.
///
/// ```
/// use seedproof_check::{Outcome, TestResult};
///
/// assert_eq!(Outcome::OtherReading.word(), "other-reading");
/// assert_eq!(Outcome::Crash.result(), TestResult::Error);
/// // An unclaimed request is not a failure. A run reports separately how much was claimed.
/// assert!(Outcome::Unsupported.conforms());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The answer is a value that no named reading draws, or a value where a rejection was expected.
    Fail,
    /// The implementation refused, though the case expects a value or a refusal of another kind.
    Rejects,
    /// The same request had two different answers.
    NotRepeatable,
    /// The process ended.
    Crash,
    /// The process ended, but not when the request was tried alone.
    OrderDependentCrash,
    /// No answer in time.
    Timeout,
    /// An answer that breaks the protocol.
    ProtocolError,
    /// The implementation reported an error of its own.
    Error,
    /// The implementation claimed the request, and then answered that it does not support it.
    ClaimBroken,
    /// The answer is wrong under the requested reading and right under others, which the finding's `readings` name.
    OtherReading,
    /// A fault of the harness itself.
    Infrastructure,
    /// The request was not sent, because the implementation's process had been restarted too often before.
    NotRun,
    /// The implementation does not claim the request.
    Unsupported,
    /// The answer is the expected one.
    Pass,
}

/// How an outcome is coloured.
///
/// ```
/// use seedproof_check::Outcome;
///
/// let cell = |it: Outcome| format!("<td class=\"{}\">{}</td>", it.tone().word(), it.glyph());
/// assert_eq!(cell(Outcome::Pass), "<td class=\"good\">✓</td>");
/// assert_eq!(cell(Outcome::Timeout), "<td class=\"bad\">◷</td>");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tone {
    /// The implementation conforms.
    Good,
    /// The implementation is at fault.
    Bad,
    /// In between: another reading, a broken claim, a fault of the harness.
    Odd,
    /// There is no answer, because the request was not sent.
    Dim,
}

impl Tone {
    /// The name: `good`, `bad`, `odd`, `dim`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Bad => "bad",
            Self::Odd => "odd",
            Self::Dim => "dim",
        }
    }
}

/// The four results that test runners and JUnit distinguish.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TestResult {
    /// The implementation answered as expected.
    Success,
    /// The implementation does not claim the request.
    Skipped,
    /// The answer is wrong.
    Failure,
    /// There is no answer to judge.
    Error,
}

/// A row of the table of outcomes.
struct Row {
    word: &'static str,
    glyph: &'static str,
    tone: Tone,
    result: TestResult,
    meaning: &'static str,
}

impl Outcome {
    /// All outcomes, in their order.
    ///
    /// ```
    /// use seedproof_check::Outcome;
    ///
    /// // Reads the word of an expectation file.
    /// let outcome = Outcome::ALL.into_iter().find(|outcome| outcome.word() == "claim-broken");
    /// assert_eq!(outcome, Some(Outcome::ClaimBroken));
    /// assert_eq!(outcome.map(Outcome::meaning), Some("claimed, then answered as unsupported"));
    /// ```
    pub const ALL: [Self; 14] = [
        Self::Fail,
        Self::Rejects,
        Self::NotRepeatable,
        Self::Crash,
        Self::OrderDependentCrash,
        Self::Timeout,
        Self::ProtocolError,
        Self::Error,
        Self::ClaimBroken,
        Self::OtherReading,
        Self::Infrastructure,
        Self::NotRun,
        Self::Unsupported,
        Self::Pass,
    ];

    /// The table of outcomes. Every document takes its words, symbols and colours from here, so that they agree.
    #[rustfmt::skip]
    const fn row(self) -> Row {
        use {TestResult as Test, Tone::{Bad, Dim, Good, Odd}};
        const fn row(
            word: &'static str, glyph: &'static str, tone: Tone, result: TestResult, meaning: &'static str,
        ) -> Row {
            Row { word, glyph, tone, result, meaning }
        }
        match self {
            Self::Fail => row("fail", "✗", Bad, Test::Failure,
                "a value that no named reading draws, or a value where a rejection was expected"),
            Self::Rejects => row("rejects", "⊘", Bad, Test::Failure,
                "refused, though the case expects a value, or for another reason"),
            Self::NotRepeatable => row("not-repeatable", "↯", Bad, Test::Failure,
                "asked again, the same request has another answer"),
            Self::Crash => row("crash", "†", Bad, Test::Error, "its process ended"),
            Self::OrderDependentCrash => row("order-dependent-crash", "‡", Bad, Test::Error,
                "its process ended, but not when the request was tried alone"),
            Self::Timeout => row("timeout", "◷", Bad, Test::Error, "no answer in time"),
            Self::ProtocolError => row("protocol-error", "§", Bad, Test::Error,
                "an answer that breaks the protocol"),
            Self::Error => row("error", "!", Bad, Test::Error, "the implementation says that it could not"),
            Self::ClaimBroken => row("claim-broken", "⚑", Odd, Test::Failure,
                "claimed, then answered as unsupported"),
            Self::OtherReading => row("other-reading", "≈", Odd, Test::Failure,
                "wrong under the requested reading, right under those named"),
            Self::Infrastructure => row("infrastructure", "#", Odd, Test::Error, "the harness's own fault"),
            Self::NotRun => row("not-run", "○", Dim, Test::Error, "not asked"),
            Self::Unsupported => row("unsupported", "–", Dim, Test::Skipped, "not claimed"),
            Self::Pass => row("pass", "✓", Good, Test::Success, "as expected"),
        }
    }

    /// The name: `pass`, `fail`, `other-reading`, ….
    pub const fn word(self) -> &'static str {
        self.row().word
    }

    /// One character for tables and maps.
    pub const fn glyph(self) -> &'static str {
        self.row().glyph
    }

    /// The tone, for colours.
    pub const fn tone(self) -> Tone {
        self.row().tone
    }

    /// The result that a test runner shows.
    pub const fn result(self) -> TestResult {
        self.row().result
    }

    /// What the word means, in one lower-case fragment.
    pub const fn meaning(self) -> &'static str {
        self.row().meaning
    }

    /// Whether an implementation with this outcome conforms.
    pub const fn conforms(self) -> bool {
        // An implementation is not blamed for cases that it does not claim. Whether it claims any is checked for the run
        // as a whole, which otherwise ends with exit status 5.
        matches!(self.result(), TestResult::Success | TestResult::Skipped)
    }
}

impl From<FaultKind> for Outcome {
    fn from(kind: FaultKind) -> Self {
        match kind {
            FaultKind::Error => Self::Error,
            FaultKind::Crash => Self::Crash,
            FaultKind::OrderDependentCrash => Self::OrderDependentCrash,
            FaultKind::Timeout => Self::Timeout,
            FaultKind::Protocol => Self::ProtocolError,
            FaultKind::Infrastructure => Self::Infrastructure,
            FaultKind::NotRun => Self::NotRun,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn outcomes_have_one_name_and_one_glyph_each() {
        let glyphs: BTreeSet<&str> = Outcome::ALL.map(Outcome::glyph).into();
        assert_eq!(glyphs.len(), Outcome::ALL.len());
        for outcome in Outcome::ALL {
            let json = serde_json::to_string(&outcome).unwrap();
            assert_eq!(json, format!("\"{}\"", outcome.word()));
        }
        assert!(Outcome::ALL.is_sorted());
    }

    #[test]
    fn outcomes_have_a_meaning_of_their_own_and_tones_a_name() {
        let meanings: BTreeSet<&str> = Outcome::ALL.map(Outcome::meaning).into();
        assert_eq!(meanings.len(), Outcome::ALL.len());
        let tones = [Tone::Good, Tone::Bad, Tone::Odd, Tone::Dim].map(Tone::word);
        assert_eq!(tones, ["good", "bad", "odd", "dim"]);
    }

    #[test]
    fn outcomes_conform_only_where_nothing_is_wrong() {
        let conforming: Vec<Outcome> = Outcome::ALL.into_iter().filter(|it| it.conforms()).collect();
        assert_eq!(conforming, [Outcome::Unsupported, Outcome::Pass]);
        for outcome in Outcome::ALL {
            assert!(outcome == Outcome::Pass || outcome.tone() != Tone::Good);
            assert!(!outcome.conforms() || outcome.tone() != Tone::Bad);
        }
    }
}
