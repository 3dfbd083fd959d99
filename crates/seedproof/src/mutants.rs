//! Which case catches which mistake.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use rayon::prelude::*;
use seedproof::Bank;
use seedproof::ops::{Backend, Failure, Response};
use seedproof::readings::Mistake;
use seedproof::vectors::{Case, Corpus, Expectation};

/// Cases with more elements than this are not asked: a mistake should be caught by a small one.
const SMALL: u64 = 4096;

/// The mistakes, each with the cases that catch it.
pub(crate) struct Matrix {
    rows: Vec<(&'static Mistake, Vec<String>)>,
    cases: usize,
}

impl Matrix {
    /// Runs every mistake over the small cases of a corpus. A case catches a mistake if the engine with the mistake
    /// answers it otherwise than under `spec`.
    pub(crate) fn of(corpus: &Corpus, bank: &Bank) -> Self {
        let asked: Vec<(&Case, Reply)> = corpus
            .cases()
            .filter(|case| crate::run::elements(&case.request) <= SMALL)
            .filter(|case| case.expect != Expectation::Statistical)
            .map(|case| (case, Reply::of(bank.spec(), case)))
            .collect();
        let rows = bank
            .mistakes()
            .collect::<Vec<_>>()
            .into_par_iter()
            .map(|(mistake, engine)| {
                let caught = asked.iter().filter(|(case, right)| Reply::of(engine, case) != *right);
                (mistake, caught.map(|(case, _)| case.id.to_string()).collect())
            })
            .collect();
        Self { rows, cases: asked.len() }
    }

    /// Mistakes that no case catches.
    pub(crate) fn survivors(&self) -> impl Iterator<Item = &'static str> {
        self.rows
            .iter()
            .filter(|(_, caught)| caught.is_empty())
            .map(|(mistake, _)| mistake.id)
    }

    /// For the page of a report: mistake and the cases that catch it.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (&'static str, &[String])> {
        self.rows.iter().map(|(mistake, caught)| (mistake.id, caught.as_slice()))
    }

    /// A small set of cases that catches all that is caught: greedily, the case that catches most of the rest first.
    fn cover(&self) -> Vec<&str> {
        let mut by_case: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
        for (row, (_, caught)) in self.rows.iter().enumerate() {
            for case in caught {
                by_case.entry(case).or_default().insert(row);
            }
        }
        let mut left: BTreeSet<usize> = by_case.values().flatten().copied().collect();
        let mut chosen = Vec::new();
        while !left.is_empty() {
            let gain = |rows: &BTreeSet<usize>| rows.intersection(&left).count();
            let best = by_case.iter().rev().max_by_key(|(_, rows)| gain(rows)).map(|(case, rows)| (*case, rows.clone()));
            let Some((case, rows)) = best else { break };
            left.retain(|row| !rows.contains(row));
            chosen.push(case);
        }
        chosen
    }
}

impl fmt::Display for Matrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} mistakes over {} cases of at most {SMALL} elements\n", self.rows.len(), self.cases)?;
        writeln!(f, "{:<36} {:>6}  first case that catches it", "mistake", "caught")?;
        for (mistake, caught) in &self.rows {
            let first = caught.first().map_or("SURVIVES", String::as_str);
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

/// An answer as far as the judge compares it.
#[derive(PartialEq)]
enum Reply {
    Value(Response),
    Rejected(String),
    None,
}

impl Reply {
    fn of(backend: &dyn Backend, case: &Case) -> Self {
        match backend.run(&case.request) {
            Ok(response) => Self::Value(response),
            Err(Failure::Rejected(error)) => Self::Rejected(error.kind.map(|kind| kind.to_string()).unwrap_or_default()),
            Err(_) => Self::None,
        }
    }
}
