//! The diagnoses of a run, with an index of the cases that they speak of.

use std::collections::BTreeMap;

use seedproof_corpus::CaseId;
use seedproof_ops::BackendId;

use crate::ReportError;
use crate::event::Diagnosed;
use crate::why::{Given, Why};

/// The diagnoses of a run, in the order of the logs.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Diagnoses {
    pub(super) all: Vec<Diagnosed>,
    places: BTreeMap<BackendId, BTreeMap<CaseId, Place>>,
}

/// Where diagnoses speak of a case.
#[derive(Clone, Debug, Default, PartialEq)]
struct Place {
    /// A diagnosis, an explanation of it, and the parts of it that act in the case.
    explanations: Vec<(usize, usize, Vec<usize>)>,
    /// A diagnosis that does not explain the case, and the place among those that it does not.
    unexplained: Option<(usize, usize)>,
}

impl Diagnoses {
    /// Adds a diagnosis of cases that `is_known` knows.
    pub(super) fn add(
        &mut self,
        diagnosed: Diagnosed,
        is_known: impl Fn(&CaseId) -> bool,
    ) -> Result<(), ReportError> {
        let number = self.all.len();
        let places = self.places.entry(diagnosed.backend.clone()).or_default();
        let known = |case: &CaseId| {
            let case = is_known(case).then(|| case.clone()).ok_or(case);
            case.map_err(|unknown| ReportError::UnknownCase(unknown.to_string()))
        };
        for (i, explanation) in diagnosed.diagnosis.explanations.iter().enumerate() {
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

    /// Why a case of an implementation fails, as far as the diagnoses say.
    pub(super) fn why(&self, backend: &BackendId, case: &CaseId) -> Why<'_> {
        let place = self.places.get(backend).and_then(|by_case| by_case.get(case));
        let diagnosis = |number: usize| &self.all[number].diagnosis;
        match place {
            Some(place) if !place.explanations.is_empty() => Why::Explained(
                place
                    .explanations
                    .iter()
                    .map(|(number, i, parts)| {
                        let explanation = &diagnosis(*number).explanations[*i];
                        let cases = self.explained(backend, &explanation.cause.name);
                        Given::of(explanation, parts.iter().copied(), cases)
                    })
                    .collect(),
            ),
            Some(Place {
                unexplained: Some((number, i)),
                ..
            }) => Why::Unexplained {
                nearest: diagnosis(*number).unexplained[*i].nearest.as_ref(),
                diagnosis: diagnosis(*number),
            },
            _ => Why::NotDiagnosed,
        }
    }

    /// Number of an implementation's cases that explanations of this name give in full, over all logs.
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
