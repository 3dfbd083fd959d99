//! Documents of a run: the page, JUnit, JSON and Markdown, all from the events.

use std::collections::BTreeMap;
use std::path::Path;

use seedproof::Bank;
use seedproof::ops::{Limits, Support};
use seedproof::report::{AnswerText, ClauseText, ErratumText, Extras, MistakeText, ReportError, Run};
use seedproof::vectors::{Case, CaseId, Erratum, Expectation, Name};
use seedproof::{corpus, registry};

use crate::args::{ReportArgs, RunArgs};
use crate::edge;
use crate::exit::{Error, Exit, Outcome};

/// Writes the documents of a run into its folder and prints where the page is.
pub(crate) fn write_run(run: &Run, args: &RunArgs) -> Result<(), Error> {
    let page = args.out.join("index.html");
    edge::write(&page, &document(seedproof::report::html(run, &extras()))?)?;
    edge::write(
        &args.out.join("junit.xml"),
        &document(seedproof::report::junit(run))?,
    )?;
    edge::write(
        &args.out.join("report.json"),
        &document(seedproof::report::json(run))?,
    )?;
    edge::write(&args.out.join("summary.md"), &seedproof::report::markdown(run))?;
    edge::print(&format!("report: {}\n", page.display()));
    open(args.open, &page)
}

/// Makes documents from event logs.
pub(crate) fn report(args: &ReportArgs) -> Outcome {
    let texts = args
        .events
        .iter()
        .map(|path| edge::read(path))
        .collect::<Result<Vec<_>, _>>()?;
    let names: Vec<String> = args
        .events
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    let logs: Vec<(&str, &str)> = names
        .iter()
        .map(String::as_str)
        .zip(texts.iter().map(String::as_str))
        .collect();
    let run = document(Run::from_events(&logs))?;
    if let Some(path) = &args.output {
        edge::write(path, &document(seedproof::report::html(&run, &extras()))?)?;
        open(args.open, path)?;
    }
    if let Some(path) = &args.junit {
        edge::write(path, &document(seedproof::report::junit(&run))?)?;
    }
    if let Some(path) = &args.json {
        edge::write(path, &document(seedproof::report::json(&run))?)?;
    }
    if let Some(path) = &args.markdown {
        edge::write(path, &seedproof::report::markdown(&run))?;
    }
    edge::print(&seedproof::report::summary(
        &run,
        seedproof::report::Palette::ansi(),
    ));
    let conforms = run.implementations().all(|it| run.tally(&it.id).failing == 0);
    Ok(if conforms {
        Exit::Conforms
    } else {
        Exit::DoesNotConform
    })
}

fn document<T>(made: Result<T, ReportError>) -> Result<T, Error> {
    made.map_err(|error| Error::Infrastructure(format!("failed to {error}")))
}

fn open(wanted: bool, page: &Path) -> Result<(), Error> {
    if wanted {
        opener::open(page).map_err(|error| Error::failed("open the page", error))
    } else {
        Ok(())
    }
}

/// What the page tells beside the run: the registries, and the mistakes that the corpus is there to catch.
fn extras() -> Extras {
    let followers = Followers::of(&Bank::new(Limits::default()));
    let text = |name: &seedproof::vectors::Name| name.as_str().to_owned();
    Extras {
        clauses: registry()
            .clauses()
            .map(|clause| ClauseText {
                id: text(&clause.id),
                source: format!("{}, {}", clause.document, clause.section),
                says: clause.says.clone(),
                level: clause.level.to_string(),
            })
            .collect(),
        errata: registry().errata().map(|it| erratum(it, &followers)).collect(),
        mistakes: mistakes(),
        bench: Vec::new(),
    }
}

fn erratum(erratum: &Erratum, followers: &Followers) -> ErratumText {
    let (follow, depart) = followers.0.get(&erratum.id).cloned().unwrap_or_default();
    let only_other = erratum.answers.len() == 2;
    let answer = |answer: &seedproof::vectors::Answer| AnswerText {
        id: answer.id.as_str().to_owned(),
        says: answer.says.clone(),
        followers: match answer.id == erratum.adopted {
            true => follow.clone(),
            false if only_other => depart.clone(),
            false => Vec::new(),
        },
    };
    ErratumText {
        id: erratum.id.as_str().to_owned(),
        source: format!("{}, {}", erratum.document, erratum.section),
        question: erratum.question.clone(),
        answers: erratum.answers.iter().map(answer).collect(),
        adopted: erratum.adopted.as_str().to_owned(),
        evidence: erratum.evidence.clone(),
    }
}

/// Each mistake with the cases whose flags say that they catch it.
fn mistakes() -> Vec<MistakeText> {
    let kills = |id: &str| -> Vec<CaseId> {
        let flagged = corpus()
            .cases()
            .filter(|case| case.flags.iter().any(|flag| flag.as_str() == id));
        flagged.map(|case| case.id.clone()).collect()
    };
    seedproof::readings::MISTAKES
        .iter()
        .map(|mistake| MistakeText {
            id: mistake.id.to_owned(),
            sentence: mistake.sentence.to_owned(),
            clause: mistake.clause.to_owned(),
            kills: kills(mistake.id),
            proof: String::new(),
        })
        .collect()
}

/// For each erratum, the readings that follow the adopted answer and those that depart from it, as the cases show
/// that tell its answers apart.
struct Followers(BTreeMap<Name, (Vec<String>, Vec<String>)>);

impl Followers {
    fn of(bank: &Bank) -> Self {
        let mut all: BTreeMap<Name, (Vec<String>, Vec<String>)> = BTreeMap::new();
        for (name, reading) in bank.others() {
            let mut same: BTreeMap<&Name, bool> = BTreeMap::new();
            for case in corpus()
                .cases()
                .filter(|case| tells(case) && reading.supports(&case.request) == Support::Yes)
            {
                let agrees = reading.run(&case.request) == bank.spec().run(&case.request);
                case.errata
                    .iter()
                    .for_each(|erratum| *same.entry(erratum).or_insert(true) &= agrees);
            }
            for (erratum, follows) in same {
                let (follow, depart) = all.entry(erratum.clone()).or_default();
                if follows {
                    follow.push(name.to_owned());
                } else {
                    depart.push(name.to_owned());
                }
            }
        }
        Self(all)
    }
}

/// Whether a case can tell the answers to its errata apart, and is small.
fn tells(case: &Case) -> bool {
    let decided = matches!(case.expect, Expectation::Bits(_) | Expectation::Oracle);
    decided
        && !case.errata.is_empty()
        && case.request.execution() == 0
        && seedproof::elements(&case.request) <= 4096
}
