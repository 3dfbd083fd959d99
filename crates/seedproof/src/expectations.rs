//! `run --expect`: the findings held against an expectation file.

use std::path::Path;

use seedproof::check::Finding;
use seedproof::check::expectations::{Date, Entry, Extent, Observed, bless, is_about, parse, review};
use seedproof::report::{Cause, Run, groups};

use crate::edge;
use crate::exit::Error;

/// Whether the findings are what the file says: every finding that does not conform has an entry, and every entry
/// holds. What is wrong is printed. With `rewrite` the file becomes what was found.
pub(crate) fn hold(run: &Run, path: &Path, rewrite: bool) -> Result<bool, Error> {
    let name = path.display().to_string();
    let entries = if rewrite && !path.exists() {
        Vec::new()
    } else {
        read(path, &name)?
    };
    let causes = causes(run);
    let observed: Vec<Observed<'_>> = causes
        .iter()
        .map(|(finding, cause)| Observed {
            finding,
            diagnosis: cause.as_deref(),
        })
        .collect();
    if rewrite {
        edge::write(path, &bless(&observed, &entries, &is_about))?;
        edge::print(&format!("wrote {name}\n"));
        return Ok(true);
    }
    let whole = run
        .headers()
        .iter()
        .all(|header| header.filter.is_empty() && header.shard.is_none());
    let extent = if whole { Extent::Whole } else { Extent::Part };
    let review = review(&entries, &observed, extent, today(), &is_about);
    for violation in &review.violations {
        edge::print(&format!("{name}: {violation}\n"));
    }
    let unexpected = observed
        .iter()
        .zip(&review.expected)
        .filter(|(it, expected)| !it.finding.outcome.conforms() && !**expected)
        .count();
    let held = observed
        .iter()
        .filter(|it| !it.finding.outcome.conforms())
        .count()
        - unexpected;
    edge::print(&format!(
        "{name}: {held} findings as expected, {unexpected} not, {} violations\n",
        review.violations.len()
    ));
    Ok(unexpected == 0 && review.violations.is_empty())
}

fn read(path: &Path, name: &str) -> Result<Vec<Entry>, Error> {
    parse(name, &edge::read(path)?).map_err(|error| Error::Usage(format!("failed to {error}")))
}

/// Every finding, with the name of its explanation if it has one.
fn causes(run: &Run) -> Vec<(&Finding, Option<String>)> {
    let mut found: Vec<(&Finding, Option<String>)> = Vec::new();
    for implementation in run.implementations() {
        let groups = groups(run, &implementation.id);
        for finding in run.findings(&implementation.id) {
            let group = groups
                .iter()
                .find(|group| group.findings.iter().any(|it| it.case == finding.case));
            let cause = group.and_then(|group| match &group.cause {
                Cause::Explained(explanation) => Some(explanation.name.clone()),
                _ => None,
            });
            found.push((finding, cause));
        }
    }
    found
}

fn today() -> Date {
    let today = jiff::Timestamp::now().to_string();
    today
        .get(..10)
        .and_then(|date| date.parse().ok())
        .expect("a time stamp begins with its date")
}
