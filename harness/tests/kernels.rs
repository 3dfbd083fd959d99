//! The diagnosis names the faults of kernels: `--nocapture` prints what it says of each. `FAULT=tail` tries those whose
//! id has the word.
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "kernels are written as in C"
)]

#[path = "../src/kernels/mod.rs"]
mod kernels;

use std::collections::BTreeSet;

use kernels::{Fault, KernelBackend};
use rayon::prelude::*;
use seedproof::judging::Bank;
use seedproof_check::{Diagnosis, Exchange, Explanation, Judgement};
use seedproof_ops::Limits;
use seedproof_vectors::CaseId;

/// The diagnosis of a run over the whole corpus, and the number of failing cases.
fn diagnosed(fault: &Fault, bank: &Bank) -> (Diagnosis, usize) {
    let backend = KernelBackend::new(fault);
    let judged = |case| seedproof::judging::judge_case(case, &backend, bank, None).ok();
    let judgements: Vec<Judgement> = seedproof::corpus().cases().filter_map(judged).collect();
    let is_failing = |it: &&Judgement| matches!(it.exchange, Some(Exchange::Failed(_)));
    let failing = judgements.iter().filter(is_failing).count();
    (seedproof::judging::diagnose(&judgements, bank), failing)
}

/// Whether the first cause is the fault, and all causes that are, together, give nine in ten failing cases.
fn is_named(fault: &Fault, diagnosis: &Diagnosis, failing: usize) -> bool {
    let is_fault = |it: &&Explanation| fault.named.iter().any(|name| it.cause.name.contains(name));
    let right = diagnosis.explanations.iter().filter(is_fault);
    let cases: BTreeSet<&CaseId> = right.flat_map(|it| &it.cases).collect();
    diagnosis.explanations.first().as_ref().is_some_and(is_fault) && cases.len() * 10 >= failing * 9
}

fn line(fault: &Fault, diagnosis: &Diagnosis, failing: usize, named: bool) -> String {
    let causes = diagnosis.explanations.iter().map(|it| {
        let against = match it.evidence.contradicted {
            0 => String::new(),
            more => format!(" against {more} {}", it.only),
        };
        format!("{} [{}{against}]", it.cause.name, it.cases.len())
    });
    let left = diagnosis.unexplained.iter().take(3).map(|it| {
        let nearest = it.nearest.as_ref().map_or("nothing", |it| &it.cause.name);
        format!("{} ({nearest})", it.case)
    });
    format!(
        "{} {}: {:?} of {failing}: {}; unexplained {}: {}",
        if named { "named" } else { "MISSED" },
        fault.id,
        diagnosis.verdict,
        causes.collect::<Vec<_>>().join(", "),
        diagnosis.unexplained.len(),
        left.collect::<Vec<_>>().join(", ")
    )
}

/// The number of faults whose name the diagnosis finds, of how many.
fn named<'a>(faults: impl Iterator<Item = &'a Fault>) -> (usize, usize) {
    let only = std::env::var("FAULT").unwrap_or_default();
    let faults: Vec<&Fault> = faults.filter(|fault| fault.id.contains(&only)).collect();
    let bank = Bank::new(Limits::default());
    let told: Vec<bool> = faults
        .par_iter()
        .map(|fault| {
            let (diagnosis, failing) = diagnosed(fault, &bank);
            let named = is_named(fault, &diagnosis, failing);
            println!("{}", line(fault, &diagnosis, failing, named));
            named
        })
        .collect();
    let count = told.iter().filter(|named| **named).count();
    println!("{count} of {} are named", faults.len());
    (count, faults.len())
}

#[test]
fn kernels_faults_that_users_had_are_named() {
    let (count, all) = named(kernels::reviewed());
    assert!(count + 2 >= all, "{count} of {all}");
}

#[test]
fn kernels_other_faults_are_named() {
    let (count, all) = named(kernels::others());
    assert!(count * 10 >= all * 8, "{count} of {all}");
}

#[test]
fn kernels_of_other_ops_are_named() {
    let (count, all) = named(kernels::of_other_ops());
    assert!(count * 10 >= all * 9, "{count} of {all}");
}
