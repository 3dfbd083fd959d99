//! The difference between two runs, as text and as JSON.

use serde::Serialize;

use super::{Change, Changes, Diff};
use crate::text::Palette;
use crate::untrusted::one_line;
use crate::words::{count, listed, thousands};

/// The most cases of one kind that the text lists. The JSON lists all.
const MAX_LISTED_CASES: usize = 40;

/// The difference as JSON.
#[derive(Serialize)]
struct Document<'a> {
    /// Whether no failure is new.
    no_new_failures: bool,
    /// Whether the new run is worse: a failure is new, a pass is lost, or an expectation no longer holds.
    worse: bool,
    caveats: &'a [String],
    violations: &'a [String],
    implementations: &'a [Changes],
    /// Implementations that only one of the runs judged.
    unmatched: Vec<Unmatched<'a>>,
}

#[derive(Serialize)]
struct Unmatched<'a> {
    run: &'a str,
    implementation: &'a str,
}

impl Diff {
    /// The difference as text: for each implementation, the new failures come first.
    pub fn text(&self, palette: Palette) -> String {
        let mut text = String::new();
        // What makes the runs hard to compare stands above the changes that it may have made.
        for caveat in &self.caveats {
            text += &format!("{}{}{:#}\n", palette.odd, one_line(caveat), palette.odd);
        }
        for (run, implementation) in &self.unmatched {
            text += &format!(
                "{}{} is in the {run} log alone{:#}\n",
                palette.odd,
                one_line(implementation.as_str()),
                palette.odd
            );
        }
        for changes in &self.implementations {
            text += &changes.text(palette);
        }
        for violation in &self.violations {
            text += &format!("{}{}{:#}\n", palette.bad, one_line(violation), palette.bad);
        }
        let sum =
            |list: fn(&Changes) -> &Vec<Change>| self.implementations.iter().map(|it| list(it).len()).sum();
        let (new, lost): (usize, usize) = (sum(|it| &it.new_failures), sum(|it| &it.lost));
        let broken = self.violations.len();
        let mut verdict = vec![(new > 0).then(|| count(new, "new failure"))];
        verdict.push((lost > 0).then(|| format!("{} lost", count(lost, "case"))));
        verdict.push((broken > 0).then(|| format!("{} that no longer holds", count(broken, "expectation"))));
        let verdict: Vec<String> = verdict.into_iter().flatten().collect();
        let (style, verdict) = match &verdict[..] {
            // Nothing was compared then, and "no new failure" would be true of any two such runs.
            _ if self.is_empty() => (palette.bad, "the logs have no finding in common".to_owned()),
            [] => (palette.good, "no new failure".to_owned()),
            all if self.is_worse() => (palette.bad, listed(all)),
            all => (palette.odd, listed(all)),
        };
        text + &format!("{style}{verdict}{style:#}\n")
    }

    /// The difference as one JSON document, with a line end at its end.
    pub fn json(&self) -> String {
        let document = Document {
            no_new_failures: !self.has_new_failures(),
            worse: self.is_worse(),
            caveats: &self.caveats,
            violations: &self.violations,
            implementations: &self.implementations,
            unmatched: self
                .unmatched
                .iter()
                .map(|(run, implementation)| Unmatched {
                    run,
                    implementation: implementation.as_str(),
                })
                .collect(),
        };
        let text = serde_json::to_string(&document).expect("a difference has string keys only");
        text + "\n"
    }
}

impl Changes {
    fn text(&self, palette: Palette) -> String {
        let strong = palette.strong;
        let mut text = format!("{strong}{}{strong:#}\n", one_line(&self.implementation));
        let lists = [
            (&self.new_failures, "new failure", palette.bad),
            (&self.fixed, "fixed failure", palette.good),
            (
                &self.lost,
                "case that passed and is no longer judged",
                palette.bad,
            ),
            (&self.changed, "changed case", palette.odd),
            (&self.gone, "case no longer judged", palette.odd),
        ];
        for (changes, noun, style) in lists {
            if changes.is_empty() {
                continue;
            }
            let head = match noun.split_once(' ') {
                // `count` adds the plural to the end, and in these heads the noun is the first word.
                Some(("case", rest)) if changes.len() != 1 => {
                    let rest = rest.replace("is no longer", "are no longer");
                    format!("{} cases {rest}", thousands(changes.len()))
                }
                _ => count(changes.len(), noun),
            };
            text += &format!("  {style}{head}{style:#}\n");
            for change in changes.iter().take(MAX_LISTED_CASES) {
                text += &format!("    {}\n", change.text());
            }
            if changes.len() > MAX_LISTED_CASES {
                text += &format!(
                    "    … {} more: --json lists them\n",
                    thousands(changes.len() - MAX_LISTED_CASES)
                );
            }
        }
        if self.added > 0 {
            text += &format!(
                "  {} not judged before, and not failing\n",
                count(self.added, "case")
            );
        }
        text + &format!("  {} unchanged\n", thousands(self.unchanged))
    }
}

impl Change {
    fn text(&self) -> String {
        let word = |outcome: Option<seedproof_check::Outcome>| outcome.map_or("not judged", |it| it.word());
        let message = if self.message.is_empty() {
            String::new()
        } else {
            format!(": {}", one_line(&self.message))
        };
        format!("{}  {} → {}{message}", self.case, word(self.old), word(self.new))
    }
}
