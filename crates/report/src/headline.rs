//! The headline of the documents: one sentence on what does not conform, and why.

use seedproof_check::Tone;
use seedproof_ops::BackendId;

use crate::event::Implementation;
use crate::group::{Group, Reason, groups};
use crate::run::Run;
use crate::untrusted::one_line;
use crate::words::{count, listed, of_them_expected, plural, thousands};

/// The most reasons, and the most implementations, that a sentence names.
const MAX_NAMED: usize = 3;
/// The most characters of a cause's sentence. A longer one is left out, and its name stands alone: a combination of
/// mistakes has a sentence for each, and a headline should fit a line or two.
const LONG: usize = 90;

impl Run {
    /// The implementations that do not conform, and why:
    /// `12 of 45 cases do not conform: 9 because a block takes nine rounds (rounds-9), 3 without a known cause`. Of several
    /// implementations, each one that fails is named with its most frequent reason. If all conform, the sentence says on
    /// how much of the corpus.
    pub fn headline(&self) -> String {
        let all: Vec<&Implementation> = self.implementations().collect();
        let is = |tone: Tone| move |it: &&&Implementation| self.tally(&it.id).tone() == tone;
        let bad: Vec<&&Implementation> = all.iter().filter(is(Tone::Bad)).collect();
        let odd = all.iter().filter(is(Tone::Odd)).count();
        // A violated expectation is a caveat too, but it does not mean that less was judged.
        let whole = self.caveats().len() == self.violations().len();
        let as_far = if whole { "" } else { ", as far as it was judged" };
        let asked = self.asked(&all);
        match (&all[..], &bad[..]) {
            ([], _) => "No implementation was asked".to_owned(),
            ([one], [_]) if self.tally(&one.id).claimed == 0 => "It was asked nothing".to_owned(),
            ([one], [_]) if self.tally(&one.id).failing == 0 => {
                format!("No value of it was compared{as_far}")
            }
            ([one], [_]) => self.failing(&one.id),
            ([_], _) if odd == 0 => format!("It conforms in {asked}{as_far}"),
            ([_], _) => format!("It fails only as expected in {asked}{as_far}"),
            (all, []) if odd == 0 => {
                let they = as_far.replace("it was", "they were");
                format!("{} implementations conform in {asked}{they}", all.len())
            }
            (all, []) => {
                let verb = plural(odd, ["fails", "fail"]);
                format!(
                    "{odd} of {} implementations {verb}, only as expected{as_far}",
                    all.len()
                )
            }
            (all, bad) => {
                let who = match bad.len() {
                    n if n == all.len() => format!("None of the {n} implementations conforms"),
                    1 => format!("1 of {} implementations does not conform", all.len()),
                    n => format!("{n} of {} implementations do not conform", all.len()),
                };
                format!("{who}: {}", self.each_bad(bad))
            }
        }
    }

    /// The number of cases on which the implementations were tested: `all 6,443 cases`, `the 4 of 6,443 cases that it
    /// claims`, `the 4 to 120 of 6,443 cases that each claims`.
    fn asked(&self, implementations: &[&Implementation]) -> String {
        let corpus = self
            .headers()
            .first()
            .map_or(0, |header| header.corpus.under_reading);
        let claimed = implementations.iter().map(|it| self.tally(&it.id).claimed);
        // Implementations may claim different numbers of cases: a range is honest where one number
        // would be that of the best.
        let (least, most) = claimed.fold((usize::MAX, 0), |(least, most), n| (least.min(n), most.max(n)));
        if least >= corpus {
            return format!("all {}", count(corpus, "case"));
        }
        let claims = plural(implementations.len(), ["it claims", "each claims"]);
        let claimed = if least == most {
            thousands(most)
        } else {
            format!("{} to {}", thousands(least), thousands(most))
        };
        format!("the {claimed} of {} that {claims}", count(corpus, "case"))
    }

    /// `12 of 45 cases do not conform: 9 because a block takes nine rounds (rounds-9), 3 without a known cause`.
    pub fn failing(&self, backend: &BackendId) -> String {
        let tally = self.tally(backend);
        let groups = groups(self, backend);
        let verb = plural(tally.failing, ["does", "do"]);
        let failing = format!(
            "{} of {} {verb} not conform{}",
            thousands(tally.failing),
            count(tally.claimed, "case"),
            of_them_expected(tally.expected, tally.failing)
        );
        match &groups[..] {
            [] => failing,
            [group] => format!("{failing}, {}", because(group)),
            all => format!("{failing}: {}", reasons(all)),
        }
    }

    /// `a (rounds-9), b (no known cause) and 3 more`.
    fn each_bad(&self, implementations: &[&&Implementation]) -> String {
        let mut named: Vec<String> = implementations
            .iter()
            .take(MAX_NAMED)
            .map(|it| {
                let id = one_line(it.id.as_str());
                match &groups(self, &it.id)[..] {
                    [] if self.tally(&it.id).claimed > 0 => format!("{id} (no value was compared)"),
                    // Bad without a failure: nothing of it was tested.
                    [] => format!("{id} was asked nothing"),
                    [group, rest @ ..] => {
                        let more = if rest.is_empty() { "" } else { ", …" };
                        format!("{id} ({}{more})", one_line(&group.reason.name()))
                    }
                }
            })
            .collect();
        if implementations.len() > MAX_NAMED {
            named.push(format!("{} more", implementations.len() - MAX_NAMED));
        }
        listed(&named)
    }
}

/// The reasons of groups, each with its number of cases.
fn reasons(groups: &[Group<'_>]) -> String {
    let mut all: Vec<String> = groups
        .iter()
        .take(MAX_NAMED)
        .map(|group| format!("{} {}", thousands(group.findings.len()), because(group)))
        .collect();
    let rest: usize = groups
        .iter()
        .skip(MAX_NAMED)
        .map(|group| group.findings.len())
        .sum();
    if rest > 0 {
        all.push(format!("{} for other reasons", thousands(rest)));
    }
    all.join(", ")
}

/// `because a block takes nine rounds (rounds-9)`, `without a known cause`.
fn because(group: &Group<'_>) -> String {
    match group.reason {
        Reason::Explained(explanation) => {
            let (name, sentence) = (one_line(&group.name()), one_line(&explanation.cause.sentence));
            if sentence.is_empty() || sentence.chars().count() > LONG {
                format!("because of {name}")
            } else {
                format!("because {sentence} ({name})")
            }
        }
        Reason::Reading(name) => format!("right under {}", one_line(&group.with_rivals(name))),
        Reason::Unexplained(_) => "without a known cause".to_owned(),
        Reason::NotDiagnosed | Reason::NotRandom => group.reason.name(),
        Reason::NoAnswer(outcome) => format!("with the outcome {}", outcome.word()),
    }
}
