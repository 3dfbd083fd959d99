//! Which case catches which mistake.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::{self, Write as _};

use rayon::prelude::*;
use seedproof::judging::{Catalogue, elements, judge_case};
use seedproof_corpus::{Case, CaseId, Corpus, Expectation};
use seedproof_ops::{Backend, Failure, NanRule, Response};
use seedproof_readings::{Mistake, Reading, questions, with};

/// Cases with more elements than this are not asked: a small case should catch a mistake. It is one more than a power of two,
/// because a loop over whole blocks that ends too early misses the last element.
const MAX_CASE_ELEMENTS: u64 = 4097;

/// Cases with more elements than this are asked only for a mistake that no smaller one catches, and for faults of the stream
/// and of memory, which [`Matrix::kinds`] counts: they are one in forty, and would take half of the time.
const SMALLEST: u64 = 1025;

/// The mistakes, each with the cases that catch it.
pub struct Matrix {
    rows: Vec<(Mistake, Vec<CaseId>)>,
    /// Number of cases that were asked.
    cases: usize,
}

/// A case with the right answer to it.
struct Asked<'a> {
    case: &'a Case,
    right: Reply,
    /// The mistakes that may change the answer. To ask the others as well took most of the time of this table.
    acting: HashSet<&'a str>,
}

impl<'a> Asked<'a> {
    fn of(case: &'a Case, catalogue: &'a Catalogue) -> Self {
        let acting = catalogue.acting(&case.request);
        Self {
            case,
            right: Reply::of(catalogue.spec(), case),
            acting: acting.map(|mistake| mistake.id.as_str()).collect(),
        }
    }

    fn catches(&self, mistake: &Mistake, engine: &dyn Backend, nan: NanRule) -> bool {
        self.acting.contains(mistake.id.as_str()) && !Reply::of(engine, self.case).is(&self.right, nan)
    }
}

impl Matrix {
    /// Runs every mistake over the small cases of a corpus. A case catches a mistake if the engine with the mistake
    /// answers it otherwise than under `spec`; a case with both seeds zero, if the judge does not let the answer pass.
    pub fn of(corpus: &Corpus, catalogue: &Catalogue) -> Self {
        let (smallest, others): (Vec<Asked>, Vec<_>) = corpus
            .cases()
            .filter(|case| elements(&case.request) <= MAX_CASE_ELEMENTS)
            .filter(|case| case.expect != Expectation::Statistical)
            .map(|case| Asked::of(case, catalogue))
            .partition(|asked| elements(&asked.case.request) <= SMALLEST);
        let seedless: Vec<&Case> = corpus
            .cases()
            .filter(|case| case.expect == Expectation::Statistical)
            .collect();
        let rows = catalogue
            .mistakes()
            .collect::<Vec<_>>()
            .into_par_iter()
            .map(|(mistake, engine)| {
                let is_caught = |asked: &&Asked| asked.catches(mistake, engine, catalogue.nan());
                let mut caught: Vec<&Case> = smallest
                    .iter()
                    .filter(is_caught)
                    .map(|asked| asked.case)
                    .collect();
                if caught.is_empty() || kind(mistake).is_some() {
                    caught.extend(others.iter().filter(is_caught).map(|asked| asked.case));
                }
                let suspicious = seedless
                    .iter()
                    .copied()
                    .filter(|case| judged_wrong(case, engine, catalogue));
                (
                    mistake.clone(),
                    caught
                        .into_iter()
                        .chain(suspicious)
                        .map(|case| case.id.clone())
                        .collect(),
                )
            })
            .collect();
        Self {
            rows,
            cases: smallest.len() + others.len() + seedless.len(),
        }
    }

    /// Mistakes that no case catches.
    pub fn survivors(&self) -> impl Iterator<Item = &str> {
        self.rows
            .iter()
            .filter(|(_, caught)| caught.is_empty())
            .map(|(mistake, _)| mistake.id.as_str())
    }

    /// For each case of the small set that catches everything, the mistakes that it is there to catch: those that no
    /// earlier one of the set catches.
    pub fn flags(&self) -> BTreeMap<&str, Vec<&str>> {
        let mut flags: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        let cover = self.cover();
        for (mistake, caught) in &self.rows {
            if let Some(case) = cover
                .iter()
                .find(|case| caught.iter().any(|it| it.as_str() == **case))
            {
                flags.entry(case).or_default().push(&mistake.id);
            }
        }
        for ids in flags.values_mut() {
            ids.sort_unstable();
        }
        flags
    }

    /// A table of the cases of each op and type that catch each kind of fault which no op is safe from. A kind is a question about
    /// the stream or the memory, and has as many faults as mistakes that answer it wrongly.
    pub fn kinds(&self, corpus: &Corpus) -> String {
        let places: HashMap<&CaseId, (&str, String)> = corpus
            .cases()
            .map(|case| {
                let request = &case.request;
                (
                    &case.id,
                    (request.op().description().prefix, request.filed_type()),
                )
            })
            .collect();
        let is_answered = |case: &&Case| matches!(case.expect, Expectation::Bits(_) | Expectation::Digest(_));
        let answered = corpus.cases().filter(is_answered).map(|case| &places[&case.id]);
        // What is answered has its row, whether or not anything is caught.
        let mut rows: BTreeMap<(&str, &str), BTreeMap<String, Vec<usize>>> = answered
            .flat_map(|(op, filed)| ["", filed.as_str()].map(|filed| ((*op, filed), BTreeMap::new())))
            .collect();
        let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
        for (mistake, caught) in &self.rows {
            let Some(kind) = kind(mistake) else { continue };
            let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
            for (op, filed) in caught.iter().map(|id| &places[id]) {
                for filed in ["", filed] {
                    *counts.entry((op, filed)).or_default() += 1;
                }
            }
            for (place, count) in counts {
                let row = rows.entry(place).or_default();
                row.entry(kind.clone()).or_default().push(count);
            }
            *kinds.entry(kind).or_default() += 1;
        }
        let mut text = String::from(
            "faults of the stream and of memory, by op and type\n    11:36 says that 11 mistakes of a kind are caught, each by 36 \
             cases or more; under its name stands how many there are\n\n",
        );
        let mut line = |name: &str, cell: &dyn Fn(&str, usize) -> String| {
            write!(text, "{name:<8}").expect("a String takes every write");
            for (kind, mistakes) in &kinds {
                write!(text, " {:>20}", cell(kind, *mistakes)).expect("a String takes every write");
            }
            text.push('\n');
        };
        line("", &|kind, _| kind.to_owned());
        line("", &|_, mistakes| mistakes.to_string());
        for ((op, filed), row) in &rows {
            let name = if filed.is_empty() {
                (*op).to_owned()
            } else {
                format!("  {filed}")
            };
            line(&name, &|kind, _| {
                let least = row
                    .get(kind)
                    .and_then(|counts| Some((counts.len(), counts.iter().min()?)));
                least.map_or_else(|| "-".to_owned(), |(caught, least)| format!("{caught}:{least}"))
            });
        }
        text
    }

    /// A small set of cases that catches all that is caught: greedily, the case that catches most of the rest first.
    fn cover(&self) -> Vec<&str> {
        let mut by_case: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (row, (_, caught)) in self.rows.iter().enumerate() {
            for case in caught {
                by_case.entry(case.as_str()).or_default().push(row);
            }
        }
        let mut is_left = vec![true; self.rows.len()];
        let mut chosen = Vec::new();
        loop {
            let gain = |rows: &[usize]| rows.iter().filter(|row| is_left[**row]).count();
            let gains = by_case.iter().rev().map(|(case, rows)| (gain(rows), case, rows));
            let Some((1.., case, rows)) = gains.max_by_key(|(gain, ..)| *gain) else {
                break;
            };
            for row in rows {
                is_left[*row] = false;
            }
            chosen.push(*case);
        }
        chosen
    }
}

impl fmt::Display for Matrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} mistakes over {} cases of at most {MAX_CASE_ELEMENTS} elements\n",
            self.rows.len(),
            self.cases
        )?;
        writeln!(f, "{:<36} {:>6}  first case that catches it", "mistake", "caught")?;
        for (mistake, caught) in &self.rows {
            let first = caught.first().map_or("SURVIVES", CaseId::as_str);
            writeln!(f, "{:<36} {:>6}  {first}", mistake.id, caught.len())?;
        }
        let only: Vec<_> = self.rows.iter().filter(|(_, caught)| caught.len() == 1).collect();
        writeln!(f, "\ncaught by one case alone")?;
        for (mistake, caught) in &only {
            writeln!(f, "  {:<34} {}", mistake.id, caught[0])?;
        }
        let cover = self.cover();
        writeln!(f, "\n{} cases catch all that is caught", cover.len())?;
        cover.iter().try_for_each(|case| writeln!(f, "  {case}"))
    }
}

/// The question about the stream or the memory that a mistake answers wrongly.
fn kind(mistake: &Mistake) -> Option<String> {
    let changed = questions(&with(&Reading::spec(), &[mistake]));
    let mut wrong = changed.into_iter().filter(|answered| answered.spec.is_some());
    let question = wrong.next()?.question;
    (question.starts_with("stream.") || question.starts_with("memory.")).then_some(question)
}

/// Whether the judge does not let an answer pass: for cases without one right answer.
fn judged_wrong(case: &Case, engine: &dyn Backend, catalogue: &Catalogue) -> bool {
    judge_case(case, engine, catalogue, None).is_ok_and(|judgement| !judgement.finding.outcome.conforms())
}

/// An answer as far as the judge compares it.
enum Reply {
    Value(Response),
    Rejected(String),
    None,
}

impl Reply {
    fn of(backend: &dyn Backend, case: &Case) -> Self {
        match backend.run(&case.request) {
            Ok(response) => Self::Value(response),
            Err(Failure::Rejected(error)) => {
                Self::Rejected(error.kind.map(|kind| kind.to_string()).unwrap_or_default())
            }
            Err(_) => Self::None,
        }
    }

    fn is(&self, other: &Self, nan: NanRule) -> bool {
        match (self, other) {
            (Self::Value(a), Self::Value(b)) => nan.same_value(a, b),
            (Self::Rejected(a), Self::Rejected(b)) => a == b,
            (Self::None, Self::None) => true,
            _ => false,
        }
    }
}
