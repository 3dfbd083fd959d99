//! The causes of failures, as the page's script reads them.

use std::collections::HashMap;

use seedproof_check::{self as check, Nearest};
use serde::Serialize;

use crate::group::{Group, Reason};
use crate::untrusted::{one_line, paragraph};
use crate::why::{CaseExplanation, Why, reach};
use crate::words::{count, listed, thousands};

/// The causes of a page, each once: thousands of failures have a few causes, with sentences of some hundred bytes.
#[derive(Default)]
pub(super) struct Causes {
    pub(super) all: Vec<Cause>,
    pub(super) acting: Vec<Acting>,
    known: HashMap<(usize, String, Vec<usize>), usize>,
    known_acting: HashMap<(String, String), usize>,
}

/// The reason for some failures of one implementation.
#[derive(Serialize)]
pub(super) struct Cause {
    #[serde(rename = "b")]
    implementation: usize,
    /// The name of the group of failures, by which the matrix is filtered.
    group: String,
    /// The causes that act, as indices; empty if no cause is known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    acting: Vec<usize>,
    /// The names of other causes that explain as much.
    #[serde(skip_serializing_if = "String::is_empty")]
    rivals: String,
    /// The number of cases that an explanation covers, or, without one, the candidates that were tried.
    #[serde(skip_serializing_if = "String::is_empty")]
    evidence: String,
}

/// A cause that acts in a case, or the nearest candidate.
#[derive(Serialize)]
pub(super) struct Acting {
    name: String,
    says: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    fix: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    clause: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    erratum: String,
}

impl Causes {
    /// The index of the cause of one finding in a group.
    pub(super) fn of(
        &mut self,
        implementation: usize,
        group: &Group<'_>,
        why: &Why<'_>,
        failing: usize,
    ) -> usize {
        let explained = match (group.reason, why) {
            (Reason::Explained(_), Why::Explained(explanations)) => explanations.first(),
            _ => None,
        };
        let acting: Vec<usize> = explained
            .iter()
            .flat_map(|explained| &explained.acting)
            .map(|cause| self.acting(cause))
            .collect();
        let group_name = one_line(&group.reason.name());
        // One group may have several causes here: of a combination, different parts act in different cases.
        let key = (implementation, group_name.clone(), acting.clone());
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let evidence = match (explained, group.reason) {
            (Some(explained), _) => evidence(explained, failing),
            (None, Reason::Unexplained(_) | Reason::NotDiagnosed | Reason::NotRandom) => {
                paragraph(&group.reason.sentence())
            }
            _ => String::new(),
        };
        self.known.insert(key, self.all.len());
        self.all.push(Cause {
            implementation,
            group: group_name,
            acting,
            rivals: one_line(&group.rivals.join(", ")),
            evidence,
        });
        self.all.len() - 1
    }

    /// The index of the nearest candidate, and a text that says how far it agrees.
    pub(super) fn nearest(&mut self, nearest: &Nearest) -> (usize, String) {
        (self.acting(&nearest.cause), reach(nearest))
    }

    fn acting(&mut self, cause: &check::Cause) -> usize {
        let key = (cause.name.clone(), cause.sentence.clone());
        if let Some(&known) = self.known_acting.get(&key) {
            return known;
        }
        self.known_acting.insert(key, self.acting.len());
        self.acting.push(Acting {
            name: one_line(&cause.name),
            says: one_line(&cause.sentence),
            fix: one_line(&cause.fix),
            clause: one_line(&cause.clause),
            erratum: one_line(&cause.erratum),
        });
        self.acting.len() - 1
    }
}

/// `Explains 30 of 31 failing cases, only where output_type is f16.`
fn evidence(explained: &CaseExplanation<'_>, failing: usize) -> String {
    let share = format!(
        "{} of {}",
        thousands(explained.cases),
        count(failing, "failing case")
    );
    let explains = match &explained.idle()[..] {
        [] => format!("Explains {share}"),
        idle => format!("With {} it explains {share}", listed(idle)),
    };
    let only = match explained.explanation.only.as_str() {
        "" => String::new(),
        only => format!(", {}", one_line(only)),
    };
    let against = explained
        .contradicted()
        .map_or_else(String::new, |it| format!(", but is {it}"));
    format!("{explains}{only}{against}.")
}
