//! A cause of failures, as the page's script has it.

use seedproof_check::{self as check, Evidence};
use serde::Serialize;

use crate::Reason;
use crate::group::Group;
use crate::untrusted::one_line;
use crate::words::thousands;

/// A group of failures of one implementation. Empty where the page's reader need not see them: `fix`, `clause`,
/// `erratum`, and `evidence` of a group without an explanation.
#[derive(Serialize)]
pub(super) struct Cause {
    #[serde(rename = "b")]
    implementation: usize,
    name: String,
    says: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    fix: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    clause: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    erratum: String,
    /// Other names that explain as much.
    #[serde(skip_serializing_if = "String::is_empty")]
    rivals: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    evidence: String,
}

impl Cause {
    pub(super) fn of(implementation: usize, group: &Group<'_>, failing: usize) -> Self {
        let explanation = match group.reason {
            Reason::Explained(explanation) => Some(explanation),
            _ => None,
        };
        let of_cause = |field: fn(&check::Cause) -> &String| {
            explanation.map_or_else(String::new, |it| one_line(field(&it.cause)))
        };
        Self {
            implementation,
            name: one_line(&group.reason.name()),
            says: one_line(&group.reason.sentence()),
            fix: of_cause(|it| &it.fix),
            clause: of_cause(|it| &it.clause),
            erratum: of_cause(|it| &it.erratum),
            rivals: one_line(&group.rivals.join(", ")),
            evidence: explanation.map_or_else(String::new, |it| {
                evidence(it.evidence, group.findings.len(), failing)
            }),
        }
    }
}

fn evidence(evidence: Evidence, given: usize, failing: usize) -> String {
    let against = match evidence.contradicted {
        0 => String::new(),
        n => format!("; passing cases that speak against it: {n}"),
    };
    format!(
        "explains {} of {} failing cases; gives {} of their {} elements{against}",
        thousands(given),
        thousands(failing),
        evidence.elements,
        evidence.elements_total
    )
}
