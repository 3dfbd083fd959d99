//! Structure: the form of the difference between an actual output and the expected one, whatever its cause.
//!
//! A *relation* (the output is shifted by 4) gives every element, and is proof in the way a candidate is. An
//! *observation* (every third element is right) only describes.

mod observe;
mod relation;
mod search;
mod view;

use std::collections::BTreeMap;

use seedproof_ops::Backend;
use seedproof_vectors::CaseId;

use view::View;

use crate::score::as_u64;
use crate::{Cause, CauseKind, Evidence, Explanation, FailedCase};
use observe::Observation;

/// The common structure of failing cases: relations, then observations. Evidence counts all of `cases`.
pub(crate) fn structures(cases: &[&FailedCase], oracle: Option<&dyn Backend>) -> Vec<Explanation> {
    let blank = Evidence {
        cases_total: as_u64(cases.len()),
        elements_total: cases.iter().map(|case| crate::score::elements(case)).sum(),
        ..Evidence::default()
    };
    let views: Vec<View> = cases.iter().filter_map(|case| View::new(case, oracle)).collect();
    let mut explanations = relations(&views, blank);
    explanations.extend(observations(cases, &views, blank));
    explanations
}

/// The most relations of one sort that are each held against every case.
const ALIKE: usize = 8;

fn relations(views: &[View], blank: Evidence) -> Vec<Explanation> {
    let found: Vec<Vec<relation::Relation>> = views.iter().map(search::relations).collect();
    let mut by_id: BTreeMap<&str, Vec<relation::Relation>> = BTreeMap::new();
    for &relation in found.iter().flatten() {
        let same = by_id.entry(relation.id()).or_default();
        if !same.contains(&relation) {
            same.push(relation);
        }
    }
    let mut explanations = Vec::new();
    for (id, relations) in by_id {
        let explain =
            |name: String, sentence: String, (evidence, cases): (Evidence, Vec<CaseId>)| Explanation {
                cause: structure(name, sentence, relations[0].fix()),
                stage: None,
                only: String::new(),
                parts: Vec::new(),
                evidence,
                cases,
            };
        // If each case has a parameter of its own, none of them is common.
        for &relation in relations.iter().take_while(|_| relations.len() <= ALIKE) {
            let parameter = views.first().and_then(|view| relation.parameter(view.dtype));
            let evidence = tally(
                blank,
                views.iter().map(|view| (view, search::matched(relation, view))),
            );
            explanations.push(explain(
                named(id, parameter),
                relation.sentence().to_owned(),
                evidence,
            ));
        }
        if relations.len() > 1 {
            // Each case by its own parameter: a tail that begins elsewhere, another constant.
            let evidence = tally(
                blank,
                views.iter().zip(&found).map(|(view, found)| {
                    let own = found.iter().find(|relation| relation.id() == id);
                    (view, own.map_or(0, |&relation| search::matched(relation, view)))
                }),
            );
            let sentence = format!("{}, not alike in every case", relations[0].sentence());
            explanations.push(explain(named(id, Some("varies".to_owned())), sentence, evidence));
        }
    }
    explanations
}

fn observations(cases: &[&FailedCase], views: &[View], blank: Evidence) -> Vec<Explanation> {
    let seen = cases
        .iter()
        .filter_map(|case| Some((&case.case, observe::form(case)?)))
        .chain(
            views
                .iter()
                .flat_map(|view| observe::elements(view).into_iter().map(|seen| (&view.case, seen))),
        );
    let mut by_id: BTreeMap<&str, Vec<(&CaseId, Observation)>> = BTreeMap::new();
    for (case, observation) in seen {
        by_id.entry(observation.id).or_default().push((case, observation));
    }
    by_id
        .into_iter()
        .map(|(id, seen)| {
            let first = &seen[0].1;
            let alike = seen.iter().all(|(_, other)| other.parameter == first.parameter);
            let mut evidence = blank;
            for (_, observation) in &seen {
                evidence.elements += as_u64(observation.elements);
                evidence.cases += u64::from(observation.full);
            }
            let parameter = if alike {
                first.parameter.clone()
            } else {
                Some("varies".to_owned())
            };
            Explanation {
                cause: structure(named(id, parameter), first.sentence.clone(), first.fix),
                stage: None,
                only: String::new(),
                parts: Vec::new(),
                evidence,
                cases: seen
                    .iter()
                    .filter(|(_, it)| it.full)
                    .map(|&(case, _)| case.clone())
                    .collect(),
            }
        })
        .collect()
}

/// The evidence of a relation that gives so many elements of each view, and the cases that it gives in full.
fn tally<'a>(blank: Evidence, matched: impl Iterator<Item = (&'a View, usize)>) -> (Evidence, Vec<CaseId>) {
    matched.fold(
        (blank, Vec::new()),
        |(mut evidence, mut cases), (view, matched)| {
            evidence.elements += as_u64(matched);
            if matched == view.count() {
                evidence.cases += 1;
                cases.push(view.case.clone());
            }
            (evidence, cases)
        },
    )
}

fn structure(name: String, sentence: String, fix: &str) -> Cause {
    Cause {
        name,
        kind: CauseKind::Structure,
        sentence,
        fix: fix.to_owned(),
        clause: String::new(),
        erratum: String::new(),
    }
}

fn named(id: &str, parameter: Option<String>) -> String {
    parameter.map_or_else(|| id.to_owned(), |parameter| format!("{id}({parameter})"))
}

#[cfg(test)]
mod tests;
