//! The clauses, errata and mistakes that a run refers to, as events of its log.

use std::collections::{BTreeMap, BTreeSet};

use seedproof::judging::{Catalogue, elements};
use seedproof::registry;
use seedproof_check::Diagnosis;
use seedproof_corpus::{Case, Corpus, Document, Expectation, Name, Selection};
use seedproof_ops::Support;
use seedproof_readings::find_mistake;
use seedproof_report::{Answer, Clause, Erratum, Event, Mistake};

/// Ids of clauses, errata and mistakes.
#[derive(Default)]
pub struct References {
    clauses: BTreeSet<Name>,
    errata: BTreeSet<Name>,
    mistakes: BTreeSet<Name>,
}

impl References {
    /// The ids that cases name.
    pub fn of_cases<'a>(cases: impl IntoIterator<Item = &'a Case>) -> Self {
        let mut all = Self::default();
        for case in cases {
            all.clauses.extend(case.clauses.iter().cloned());
            all.errata.extend(case.errata.iter().cloned());
            all.mistakes.extend(case.flags.iter().cloned());
        }
        all
    }

    /// The ids that a diagnosis names.
    pub fn of_diagnosis(diagnosis: &Diagnosis) -> Self {
        let causes = || {
            let explanations = diagnosis.explanations.iter();
            let parts = explanations.clone().flat_map(|it| &it.parts).map(|it| &it.cause);
            let nearest = diagnosis.unexplained.iter().filter_map(|it| it.nearest.as_ref());
            explanations
                .map(|it| &it.cause)
                .chain(parts)
                .chain(nearest.map(|it| &it.cause))
        };
        Self {
            clauses: causes().filter_map(|it| Name::new(&it.clause).ok()).collect(),
            errata: causes().filter_map(|it| Name::new(&it.erratum).ok()).collect(),
            mistakes: BTreeSet::new(),
        }
    }

    /// Adds ids and returns an event for each new one; an erratum's lists its answers and the readings that follow each in the
    /// corpus.
    pub fn describe(&mut self, more: &Self, corpus: &Corpus, catalogue: &Catalogue) -> Vec<Event> {
        let new = Self {
            clauses: &more.clauses - &self.clauses,
            errata: &more.errata - &self.errata,
            mistakes: &more.mistakes - &self.mistakes,
        };
        let clauses = new.clauses.iter().filter_map(|id| registry().clause(id));
        let clauses = clauses.map(|clause| {
            Event::Clause(Clause {
                id: clause.id.clone(),
                source: source(&clause.document, &clause.section),
                url: document(&clause.document).url.clone(),
                says: clause.says.clone(),
            })
        });
        let followers = followers(&new.errata, corpus, catalogue);
        let errata = new.errata.iter().filter_map(|id| registry().erratum(id));
        let errata = errata.map(|it| Event::Erratum(erratum(it, followers.get(&it.id))));
        let mistakes = new.mistakes.iter().filter_map(|id| {
            let mistake = find_mistake(id.as_str())?;
            Some(Event::Mistake(Mistake {
                id: id.clone(),
                sentence: mistake.sentence.clone(),
                clause: mistake.clause.clone(),
            }))
        });
        let events = clauses.chain(errata).chain(mistakes).collect();
        self.clauses.extend(new.clauses);
        self.errata.extend(new.errata);
        self.mistakes.extend(new.mistakes);
        events
    }
}

/// A document of the registry.
fn document(id: &Name) -> &'static Document {
    let document = registry().document(id);
    document.expect("the registry has the documents of its clauses and errata")
}

/// A document and a section, as reports name them.
fn source(id: &Name, section: &str) -> String {
    format!("{}, {section}", document(id).title)
}

/// The readings that follow the adopted answer to an erratum, and those that depart from it.
type Followers = (Vec<String>, Vec<String>);

fn erratum(erratum: &seedproof_corpus::Erratum, followers: Option<&Followers>) -> Erratum {
    let (follow, depart) = followers.cloned().unwrap_or_default();
    // Of two answers, a reading that departs from one follows the other.
    let two = erratum.answers.len() == 2;
    let answer = |answer: &seedproof_corpus::Answer| Answer {
        id: answer.id.clone(),
        says: answer.says.clone(),
        followers: match answer.id == erratum.adopted {
            true => follow.clone(),
            false if two => depart.clone(),
            false => Vec::new(),
        },
    };
    Erratum {
        id: erratum.id.clone(),
        source: source(&erratum.document, &erratum.section),
        url: document(&erratum.document).url.clone(),
        question: erratum.question.clone(),
        answers: erratum.answers.iter().map(answer).collect(),
        others: if two { Vec::new() } else { depart.clone() },
        adopted: erratum.adopted.clone(),
        evidence: erratum.evidence.clone(),
    }
}

/// By erratum, the readings that follow the adopted answer and those that depart from it, as the cases of the corpus
/// show that tell its answers apart.
fn followers(errata: &BTreeSet<Name>, corpus: &Corpus, catalogue: &Catalogue) -> BTreeMap<Name, Followers> {
    if errata.is_empty() {
        return BTreeMap::new();
    }
    let queries: Vec<String> = errata.iter().map(|id| format!("erratum:{id}")).collect();
    let selection = Selection::parse(&queries).expect("the id of an erratum makes a query");
    let mut telling = corpus.select(&selection);
    telling.retain(|case| tells(case));
    let mut all: BTreeMap<Name, Followers> = BTreeMap::new();
    for (name, reading) in catalogue.others() {
        let mut same: BTreeMap<&Name, bool> = BTreeMap::new();
        for case in telling
            .iter()
            .filter(|case| reading.supports(&case.request) == Support::Supported)
        {
            let agrees = reading.run(&case.request) == catalogue.spec().run(&case.request);
            for erratum in &case.errata {
                *same.entry(erratum).or_insert(true) &= agrees;
            }
        }
        for (erratum, follows) in same {
            let (follow, depart) = all.entry(erratum.clone()).or_default();
            let list = if follows { follow } else { depart };
            list.push(name.to_owned());
        }
    }
    all
}

/// Whether a case can tell the answers to its errata apart, and is small.
fn tells(case: &Case) -> bool {
    let decided = matches!(case.expect, Expectation::Bits(_) | Expectation::Oracle);
    decided && case.request.execution() == 0 && elements(&case.request) <= 4096
}
