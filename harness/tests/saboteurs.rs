//! Every saboteur is caught: by the corpus, with the outcome that is due and no other, and with a text that says what
//! is wrong. The texts are snapshots; `INSTA_UPDATE=always cargo test -p seedproof-harness --test saboteurs` renews
//! them.

#[path = "../src/saboteur/mod.rs"]
mod saboteur;

use std::collections::BTreeSet;
use std::process::ExitCode;
use std::sync::LazyLock;

use libtest_mimic::{Arguments, Failed, Trial};
use saboteur::Saboteur;
use seedproof::judging::Catalogue;
use seedproof_check::{Judgement, Outcome};
use seedproof_corpus::Case;
use seedproof_ops::{Backend, Limits, Request};
use seedproof_report::Palette;

/// A case with more elements is asked only where it is the one that catches a saboteur.
const SMALL: u64 = 4096;

static BANK: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::new(Limits::default()));

/// A trial for each saboteur; under nextest, which starts a process per trial and each parses the corpus, one for each
/// group of them.
fn main() -> ExitCode {
    seedproof::judging::quiet_panics();
    let arguments = Arguments::from_args();
    let coarse = std::env::var_os("NEXTEST").is_some();
    let mut trials = Vec::new();
    for (group, saboteurs) in saboteur::GROUPS {
        if coarse {
            let run = || saboteurs.iter().try_for_each(is_caught);
            trials.push(Trial::test(format!("saboteurs_of_{group}_are_caught"), run));
            continue;
        }
        let each = saboteurs
            .iter()
            .map(|it| Trial::test(format!("saboteur_{}_is_caught", it.id), || is_caught(it)));
        trials.extend(each);
    }
    trials.push(Trial::test("saboteur_without_sabotage_passes", || {
        expect_outcome(saboteur::honest().as_ref(), "pass")
    }));
    trials.push(Trial::test(
        "saboteurs_show_every_outcome",
        every_outcome_is_shown,
    ));
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn is_caught(saboteur: &Saboteur) -> Result<(), Failed> {
    let backend = saboteur.backend();
    let case = seedproof::corpus()
        .get(saboteur.case)
        .ok_or_else(|| format!("the corpus has no case {}", saboteur.case))?;
    let judgement = judge(case, backend.as_ref()).ok_or("the case says nothing")?;
    let word = judgement.finding.outcome.word();
    let text = seedproof::judging::failure_text(
        "seedproof run ",
        "spec",
        &[(case, judgement)],
        &BANK,
        Palette::plain(),
    );
    if word != saboteur.outcome {
        return Err(format!("{word}, expected {}:\n{text}", saboteur.outcome).into());
    }
    // Settings belong to the thread, and trials run on threads of their own.
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_description(saboteur.sentence);
    settings.bind(|| insta::assert_snapshot!(format!("saboteur_{}", saboteur.id), text));
    expect_outcome(backend.as_ref(), saboteur.outcome)
}

/// Judges the small cases of the corpus: each passes, is not claimed, or has this outcome. A wrong answer of few
/// elements may happen to be a reading's.
fn expect_outcome(backend: &dyn Backend, expected: &str) -> Result<(), Failed> {
    let mut allowed = vec!["pass", "unsupported", expected];
    if ["fail", "rejects"].contains(&expected) {
        allowed.push("other-reading");
    }
    let mut small = seedproof::corpus()
        .cases()
        .filter(|case| seedproof::judging::elements(&case.request) <= SMALL);
    let surprise = small.find_map(|case| {
        let word = judge(case, backend)?.finding.outcome.word();
        // Of other words a normal may be one that the last bit of a logarithm decides, which no engine answers.
        let is_normal = matches!(case.request, Request::RandomStateRandn(_));
        let is_open = is_normal && expected == "fail" && word == "claim-broken";
        (!is_open && !allowed.contains(&word)).then(|| format!("{}: {word}, expected {expected}", case.id))
    });
    surprise.map_or(Ok(()), |surprise| Err(surprise.into()))
}

fn judge(case: &Case, backend: &dyn Backend) -> Option<Judgement> {
    seedproof::judging::judge_case(case, backend, &BANK, None).ok()
}

fn every_outcome_is_shown() -> Result<(), Failed> {
    let shown: BTreeSet<&str> = saboteur::GROUPS
        .iter()
        .flat_map(|(_, group)| group.iter())
        .map(|it| it.outcome)
        .chain(["pass"])
        .collect();
    let missing: Vec<&str> = Outcome::ALL
        .map(Outcome::word)
        .into_iter()
        .filter(|word| !shown.contains(word))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(format!("no saboteur shows {missing:?}").into())
}
