//! Which case catches which mistake.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use rayon::prelude::*;
use seedproof::judging::{Bank, elements, judge_case};
use seedproof_corpus::{Case, CaseId, Corpus, Expectation};
use seedproof_ops::{Backend, Failure, NanRule, Response};
use seedproof_readings::Mistake;

/// Cases with more elements than this are not asked: a mistake should be caught by a small one.
const SMALL: u64 = 4096;

/// The mistakes, each with the cases that catch it.
pub struct Matrix {
    rows: Vec<(Mistake, Vec<CaseId>)>,
    /// Number of cases that were asked.
    cases: usize,
}

impl Matrix {
    /// Runs every mistake over the small cases of a corpus. A case catches a mistake if the engine with the mistake
    /// answers it otherwise than under `spec`; a case with both seeds zero, if the judge does not let the answer pass.
    pub fn of(corpus: &Corpus, bank: &Bank) -> Self {
        let asked: Vec<(&Case, Reply)> = corpus
            .cases()
            .filter(|case| elements(&case.request) <= SMALL)
            .filter(|case| case.expect != Expectation::Statistical)
            .map(|case| (case, Reply::of(bank.spec(), case)))
            .collect();
        let seedless: Vec<&Case> = corpus
            .cases()
            .filter(|case| case.expect == Expectation::Statistical)
            .collect();
        let rows = bank
            .mistakes()
            .collect::<Vec<_>>()
            .into_par_iter()
            .map(|(mistake, engine)| {
                let caught = asked
                    .iter()
                    .filter(|(case, right)| !Reply::of(engine, case).is(right, bank.nan()))
                    .map(|(case, _)| *case);
                let suspicious = seedless
                    .iter()
                    .copied()
                    .filter(|case| judged_wrong(case, engine, bank));
                (
                    mistake.clone(),
                    caught.chain(suspicious).map(|case| case.id.clone()).collect(),
                )
            })
            .collect();
        Self {
            rows,
            cases: asked.len() + seedless.len(),
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

    /// A small set of cases that catches all that is caught: greedily, the case that catches most of the rest first.
    fn cover(&self) -> Vec<&str> {
        let mut by_case: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
        for (row, (_, caught)) in self.rows.iter().enumerate() {
            for case in caught {
                by_case.entry(case.as_str()).or_default().insert(row);
            }
        }
        let mut left: BTreeSet<usize> = by_case.values().flatten().copied().collect();
        let mut chosen = Vec::new();
        while !left.is_empty() {
            let gain = |rows: &BTreeSet<usize>| rows.intersection(&left).count();
            let best = by_case.iter().rev().max_by_key(|(_, rows)| gain(rows));
            let Some((case, rows)) = best else { break };
            left.retain(|row| !rows.contains(row));
            chosen.push(*case);
        }
        chosen
    }
}

impl fmt::Display for Matrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} mistakes over {} cases of at most {SMALL} elements\n",
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

/// Whether the judge does not let an answer pass: for cases without one right answer.
fn judged_wrong(case: &Case, engine: &dyn Backend, bank: &Bank) -> bool {
    judge_case(case, engine, bank, None).is_ok_and(|judgement| !judgement.finding.outcome.conforms())
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
