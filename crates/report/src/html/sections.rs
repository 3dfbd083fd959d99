//! The parts of the page that are rendered in Rust rather than by its script.

use std::collections::BTreeMap;

use seedproof_check::Tone;
use seedproof_corpus::Name;

use crate::event::{Header, Implementation};
use crate::facts::CaseFacts;
use crate::group::{Reason, groups};
use crate::run::Run;
use crate::untrusted::{one_line, paragraph, web};
use crate::verdict::class;
use crate::words::{count, thousands};

/// The verdict on one implementation.
pub(super) struct Card {
    pub(super) id: String,
    pub(super) description: String,
    pub(super) tone: Tone,
    pub(super) class: &'static str,
    pub(super) mark: char,
    pub(super) verdict: String,
    /// The cases that passed, those that are claimed, and those of the corpus under the reading.
    pub(super) score: [String; 3],
    /// Passed, failing unexpectedly, and failing as expected, in thousandths of the corpus.
    pub(super) bar: (usize, usize, usize),
    /// Readings under which wrong answers are right, with the number of cases.
    pub(super) follows: Vec<(String, String)>,
    pub(super) causes: Vec<CauseLine>,
    /// The note on NaNs with other bits in findings that pass.
    pub(super) notes: Option<String>,
}

/// A group of failures on a card.
pub(super) struct CauseLine {
    pub(super) name: String,
    pub(super) share: String,
    pub(super) sentence: String,
    /// The fragment that shows its cases in the matrix.
    pub(super) link: String,
}

impl Card {
    pub(super) fn of(run: &Run, implementation: &Implementation) -> Self {
        let tally = run.tally(&implementation.id);
        let corpus = run
            .headers()
            .first()
            .map_or(0, |header| header.corpus.under_reading);
        let id = one_line(implementation.id.as_str());
        // `max(1)`: a run of a corpus without cases must not divide by zero.
        let of_1000 = |n: usize| n.saturating_mul(1000) / corpus.max(1);
        let causes = groups(run, &implementation.id);
        Self {
            description: one_line(&implementation.description),
            tone: tally.tone(),
            class: class(tally.tone()),
            mark: tally.mark(),
            verdict: run.verdict(&implementation.id),
            score: tally.score(corpus),
            notes: run.notes_line(&implementation.id),
            bar: (
                of_1000(tally.passed),
                of_1000(tally.unexpected()),
                of_1000(tally.expected),
            ),
            follows: causes
                .iter()
                .filter_map(|group| match group.reason {
                    Reason::Reading(name) => Some((one_line(name), count(group.findings.len(), "case"))),
                    _ => None,
                })
                .collect(),
            causes: causes
                .iter()
                .map(|group| CauseLine {
                    name: one_line(&group.name()),
                    share: group.share(run, tally.failing),
                    sentence: paragraph(&group.sentence()),
                    link: format!(
                        "#on={}&cause={}",
                        escaped(&id),
                        escaped(&one_line(&group.reason.name()))
                    ),
                })
                .collect(),
            id,
        }
    }
}

/// A text as a value in the page's URL fragment, which the script reads with `URLSearchParams`.
pub(super) fn escaped(text: &str) -> String {
    text.bytes()
        .map(|b| match b {
            // A slash needs no escape in a fragment, and ids of cases are easier to read with theirs.
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'/' => char::from(b).to_string(),
            b => format!("%{b:02X}"),
        })
        .collect()
}

/// The tone of the heading: the worst of the cards.
pub(super) fn tone(cards: &[Card]) -> Tone {
    let any = |tone: Tone| cards.iter().any(|card| card.tone == tone);
    // A run of no implementation must not look as if all conform.
    match (any(Tone::Bad) || cards.is_empty(), any(Tone::Odd)) {
        (true, _) => Tone::Bad,
        (_, true) => Tone::Odd,
        _ => Tone::Good,
    }
}

pub(super) fn title(cards: &[Card]) -> String {
    let conforming = cards.iter().filter(|card| card.tone == Tone::Good).count();
    format!("Seedproof: {conforming} of {} conform", cards.len())
}

/// Names and values that describe the run as a whole.
pub(super) fn ran(run: &Run, header: &Header) -> Vec<(&'static str, String)> {
    vec![
        ("Corpus", count(header.corpus.cases, "case")),
        (
            "Of these under the reading",
            thousands(header.corpus.under_reading),
        ),
        ("Corpus hash", header.corpus.short()),
        (
            "Judged against",
            format!("the reading {}", header.judged_against()),
        ),
        ("Seedproof", one_line(&header.seedproof)),
        (
            "Findings",
            thousands(run.cases().map(|judged| judged.findings().len()).sum()),
        ),
    ]
}

/// A clause or a mistake, with the number of cases of the run that cover it.
pub(super) struct Coverage {
    pub(super) id: String,
    pub(super) source: String,
    pub(super) url: String,
    pub(super) says: String,
    pub(super) cases: usize,
    pub(super) failing: usize,
    /// For a clause, the mistakes that break it and that cases of the run catch.
    pub(super) mistakes: Vec<String>,
    /// The fragment that shows its cases in the matrix.
    pub(super) link: String,
}

/// The clauses that the cases of the run cover.
pub(super) fn clauses(run: &Run) -> Vec<Coverage> {
    let counts = counts(run, |facts| &facts.clauses);
    let coverage = run.clauses().map(|clause| {
        let breaks = run.mistakes().filter(|it| it.clause == clause.id.as_str());
        let mistakes = breaks.map(|it| it.id.to_string()).collect();
        Coverage::of(
            &clause.id,
            (&clause.source, &clause.url),
            &clause.says,
            mistakes,
            &counts,
        )
    });
    // A log also has the clauses that a diagnosis names, which no case of the run need cover.
    coverage.filter(|clause| clause.cases > 0).collect()
}

/// The mistakes that cases of the run catch.
pub(super) fn mistakes(run: &Run) -> Vec<Coverage> {
    let counts = counts(run, |facts| &facts.flags);
    let mistakes = run.mistakes();
    mistakes
        .map(|it| Coverage::of(&it.id, ("", ""), &it.sentence, Vec::new(), &counts))
        .collect()
}

/// For each id, the number of cases that have it, and the number of those that some implementation fails.
type Counts<'a> = BTreeMap<&'a Name, (usize, usize)>;

fn counts(run: &Run, ids: fn(&CaseFacts) -> &Vec<Name>) -> Counts<'_> {
    let mut counts = Counts::new();
    for judged in run.cases() {
        let failing = judged.findings().any(|finding| !finding.outcome.conforms());
        for id in ids(&judged.facts) {
            let (cases, fail) = counts.entry(id).or_default();
            *cases += 1;
            *fail += usize::from(failing);
        }
    }
    counts
}

impl Coverage {
    fn of(
        id: &Name,
        (source, url): (&str, &str),
        says: &str,
        mistakes: Vec<String>,
        counts: &Counts<'_>,
    ) -> Self {
        let (cases, failing) = counts.get(id).copied().unwrap_or_default();
        Self {
            id: id.to_string(),
            source: one_line(source),
            url: web(url).to_owned(),
            says: paragraph(says),
            cases,
            failing,
            mistakes,
            link: format!("#q={}", escaped(id.as_str())),
        }
    }
}
