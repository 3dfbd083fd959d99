//! Checks of log headers: whether one is consistent, and whether logs belong to one run.

use std::collections::BTreeSet;

use seedproof_ops::BackendId;

use crate::error::ReportError;
use crate::event::{Header, Implementation};

/// Checks that a header does not contradict itself. A log may have been written by hand or cut and pasted, and the
/// counts are subtracted later.
pub(super) fn header(header: &Header) -> Result<(), ReportError> {
    let invalid = |reason: String| {
        Err(ReportError::Invalid {
            what: "`run` event".to_owned(),
            reason,
        })
    };
    let corpus = &header.corpus;
    if corpus.under_reading > corpus.cases {
        return invalid(format!(
            "{} cases under the reading, of {} in the corpus",
            corpus.under_reading, corpus.cases
        ));
    }
    if let Some((shard, of)) = header.shard
        && !(1..=of).contains(&shard)
    {
        return invalid(format!("there is no shard {shard}/{of}"));
    }
    let mut names = BTreeSet::new();
    for implementation in &header.implementations {
        let (id, selected) = (&implementation.id, implementation.selected);
        // Findings name their implementation by its id alone.
        if !names.insert(id) {
            return invalid(format!("two implementations are named `{id}`"));
        }
        if selected > corpus.under_reading {
            return invalid(format!(
                "{selected} cases selected for `{id}`, of {} under the reading",
                corpus.under_reading
            ));
        }
    }
    Ok(())
}

/// Checks that two logs agree on a value, which `what` names.
fn same(what: &str, first: &dyn ToString, other: &dyn ToString) -> Result<(), ReportError> {
    let (first, other) = (first.to_string(), other.to_string());
    if first == other {
        return Ok(());
    }
    Err(ReportError::OtherRun {
        what: what.to_owned(),
        first,
        other,
    })
}

/// Checks that two logs are about the same cases, judged in the same way.
pub(super) fn same_run(first: &Header, other: &Header) -> Result<(), ReportError> {
    same("the corpus", &first.corpus.hash, &other.corpus.hash)?;
    same("the number of cases", &first.corpus.cases, &other.corpus.cases)?;
    same(
        "the number of cases under the reading",
        &first.corpus.under_reading,
        &other.corpus.under_reading,
    )?;
    // Another version may judge the same answer in another way.
    same("the program's version", &first.seedproof, &other.seedproof)?;
    same("the reading", &first.reading, &other.reading)?;
    let answers = |header: &Header| header.answers.clone().unwrap_or_default();
    same(
        "the digest of the reading's answers",
        &answers(first),
        &answers(other),
    )?;
    same(
        "the rule for NaNs",
        &first.judged_against(),
        &other.judged_against(),
    )
}

/// Checks that two logs of one implementation were judged by the same options, and that they are shards of the same
/// run, if they are shards. Each shard takes its part of what its own queries select. Shards of two different
/// selections would leave out cases of both, and no count would show it.
pub(super) fn same_selection(id: &BackendId, first: &Header, other: &Header) -> Result<(), ReportError> {
    let of = |header: &Header| header.implementations.iter().find(|it| it.id == *id).cloned();
    let (Some(known), Some(again)) = (of(first), of(other)) else {
        return Ok(());
    };
    let what = |what: &str| format!("{what} of {id}");
    same(&what("the description"), &known.description, &again.description)?;
    let shards = |header: &Header| header.shard.map_or(0, |(_, of)| of);
    same(&what("the number of shards"), &shards(first), &shards(other))?;
    // A limit makes an output unsupported that the other log judges.
    same(
        &what("the options"),
        &first.options.join(" "),
        &other.options.join(" "),
    )?;
    if shards(first) > 0 {
        same(
            &what("the filter"),
            &first.filter.join(" "),
            &other.filter.join(" "),
        )?;
        same(
            &what("the number of selected cases"),
            &known.selected,
            &again.selected,
        )?;
        let claims = |it: Implementation| it.claims.unwrap_or_default();
        same(&what("the claims"), &claims(known), &claims(again))?;
    }
    Ok(())
}
