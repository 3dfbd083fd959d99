//! The diagnoses of a run, with an index by case.

use std::collections::BTreeMap;

use seedproof_corpus::CaseId;
use seedproof_ops::BackendId;

use crate::error::ReportError;
use crate::event::Diagnosed;
use crate::why::{CaseExplanation, Why};

/// The diagnoses of a run, in the order of the logs. The index exists because documents look up every failing case, and
/// an explanation may list thousands of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Diagnoses {
    pub(super) all: Vec<Diagnosed>,
    places: BTreeMap<BackendId, BTreeMap<CaseId, Place>>,
}

/// The results of the diagnoses for one case.
#[derive(Clone, Debug, Default, PartialEq)]
struct Place {
    /// The index of a diagnosis, of one of its explanations, and of the parts that act in the case.
    explanations: Vec<(usize, usize, Vec<usize>)>,
    /// The index of a diagnosis, and of the case in its list of unexplained ones.
    unexplained: Option<(usize, usize)>,
}

impl Diagnoses {
    /// Adds a diagnosis. Each of its cases must satisfy `is_known`.
    pub(super) fn add(
        &mut self,
        diagnosed: Diagnosed,
        is_known: impl Fn(&CaseId) -> bool,
    ) -> Result<(), ReportError> {
        let number = self.all.len();
        let places = self.places.entry(diagnosed.backend.clone()).or_default();
        // Anybody may have edited a log, and documents look up what is known of each case that a diagnosis names.
        let known = |case: &CaseId| {
            let case = is_known(case).then(|| case.clone()).ok_or(case);
            case.map_err(|unknown| ReportError::UnknownCase(unknown.to_string()))
        };
        for (i, explanation) in diagnosed.diagnosis.explanations.iter().enumerate() {
            // Gathered once: a search of every part for every case would take cases times cases.
            let mut acting: BTreeMap<&CaseId, Vec<usize>> = BTreeMap::new();
            for (part, cases) in explanation.parts.iter().map(|part| &part.cases).enumerate() {
                for case in cases {
                    acting.entry(case).or_default().push(part);
                }
            }
            for case in &explanation.cases {
                let parts = acting.remove(case).unwrap_or_default();
                let place = places.entry(known(case)?).or_default();
                place.explanations.push((number, i, parts));
            }
        }
        for (i, unexplained) in diagnosed.diagnosis.unexplained.iter().enumerate() {
            places.entry(known(&unexplained.case)?).or_default().unexplained = Some((number, i));
        }
        self.all.push(diagnosed);
        Ok(())
    }

    /// The reason why a case of an implementation fails, as far as the diagnoses found one.
    pub(super) fn why(&self, backend: &BackendId, case: &CaseId) -> Why<'_> {
        let Some(place) = self.places.get(backend).and_then(|by_case| by_case.get(case)) else {
            return Why::NotDiagnosed;
        };
        let diagnosis = |number: usize| &self.all[number].diagnosis;
        let explanations = place.explanations.iter().map(|(number, i, parts)| {
            let explanation = &diagnosis(*number).explanations[*i];
            let cases = self.explained(backend, &explanation.cause.name);
            CaseExplanation::of(explanation, parts.iter().copied(), cases)
        });
        let unexplained = place
            .unexplained
            .map(|(number, i)| (&diagnosis(number).unexplained[i], diagnosis(number)));
        Why::new(explanations.collect(), unexplained)
    }

    /// The number of an implementation's cases that explanations of this name reproduce, over all logs: each shard
    /// diagnoses its own failures.
    fn explained(&self, backend: &BackendId, name: &str) -> usize {
        self.all
            .iter()
            .filter(|it| it.backend == *backend)
            .flat_map(|it| &it.diagnosis.explanations)
            .filter(|explanation| explanation.cause.name == name)
            .map(|explanation| explanation.cases.len())
            .sum()
    }
}
