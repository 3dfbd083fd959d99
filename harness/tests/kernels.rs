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
use seedproof::judging::Catalogue;
use seedproof_check::{Diagnosis, Exchange, Explanation, Judgement};
use seedproof_corpus::{Case, CaseId};
use seedproof_ops::Limits;

/// The ordinary tests run the small cases and one large case in this many, which takes half a minute of CPU time. The
/// ignored test runs all.
const EVERY: usize = 32;

/// Elements of a small case.
const SMALL: u64 = 1024;

/// The diagnosis of a run, and the number of failing cases.
fn diagnosed(fault: &Fault, every: usize, catalogue: &Catalogue) -> (Diagnosis, usize) {
    let backend = KernelBackend::new(fault);
    let judged = |case| seedproof::judging::judge_case(case, &backend, catalogue, None).ok();
    let is_small = |case: &&Case| seedproof::judging::elements(&case.request) <= SMALL;
    let (small, large): (Vec<&Case>, Vec<&Case>) = seedproof::corpus().cases().partition(is_small);
    let cases = small.into_iter().chain(large.into_iter().step_by(every));
    let judgements: Vec<Judgement> = cases.filter_map(judged).collect();
    let is_failing = |it: &&Judgement| matches!(it.exchange, Some(Exchange::Failed(_)));
    let failing = judgements.iter().filter(is_failing).count();
    (seedproof::judging::diagnose(&judgements, catalogue), failing)
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
fn named<'a>(faults: impl Iterator<Item = &'a Fault>, every: usize) -> (usize, usize) {
    let only = std::env::var("FAULT").unwrap_or_default();
    let faults: Vec<&Fault> = faults.filter(|fault| fault.id.contains(&only)).collect();
    let catalogue = Catalogue::new(Limits::default());
    let told: Vec<bool> = faults
        .par_iter()
        .map(|fault| {
            let (diagnosis, failing) = diagnosed(fault, every, &catalogue);
            let named = is_named(fault, &diagnosis, failing);
            println!("{}", line(fault, &diagnosis, failing, named));
            named
        })
        .collect();
    let count = told.iter().filter(|named| **named).count();
    println!("{count} of {} are named", faults.len());
    (count, faults.len())
}

fn faults_that_users_had(every: usize) {
    let (count, all) = named(kernels::reviewed(), every);
    assert!(count + 2 >= all, "{count} of {all}");
}

fn other_faults(every: usize) {
    let (count, all) = named(kernels::others(), every);
    assert!(count * 10 >= all * 8, "{count} of {all}");
}

fn faults_of_other_ops(every: usize) {
    let (count, all) = named(kernels::of_other_ops(), every);
    assert!(count * 10 >= all * 9, "{count} of {all}");
}

#[test]
fn kernels_faults_that_users_had_are_named() {
    faults_that_users_had(EVERY);
}

#[test]
fn kernels_other_faults_are_named() {
    other_faults(EVERY);
}

#[test]
fn kernels_of_other_ops_are_named() {
    faults_of_other_ops(EVERY);
}

/// Faults of kernels are named in runs of the whole corpus.
#[test]
#[ignore = "takes minutes"]
fn kernels_are_named_over_the_whole_corpus() {
    faults_that_users_had(1);
    other_faults(1);
    faults_of_other_ops(1);
}
