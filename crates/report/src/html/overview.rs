//! The overview: the share of cases that pass, by op, variant and element type, for each implementation.

use std::collections::{BTreeMap, BTreeSet};

use super::sections::escaped;
use crate::coverage::{Coverage, Part};
use crate::run::Run;
use crate::untrusted::one_line;
use crate::words::thousands;

/// The rows of the overview, with a cell for each implementation.
pub(super) struct Overview {
    pub(super) implementations: Vec<String>,
    pub(super) rows: Vec<Row>,
    /// The ops and variants of which nothing was asked. As rows they would hide the others: an adapter of one op lacks fifty.
    pub(super) silent: Vec<String>,
}

/// An op with its variant, or one element type of it.
pub(super) struct Row {
    /// `RandomUniform-8 TENSORFLOW`; empty if it is the same as in the row above.
    pub(super) op: String,
    pub(super) dtype: String,
    pub(super) cells: Vec<Cell>,
}

/// The result of one implementation in the cases of a row.
pub(super) struct Cell {
    /// `33/33`, or `–` if nothing was asked.
    pub(super) text: String,
    pub(super) class: &'static str,
    pub(super) title: String,
    /// The fragment that shows the cases in the matrix.
    pub(super) link: String,
}

impl Overview {
    pub(super) fn of(run: &Run) -> Self {
        let all: Vec<_> = run.implementations().collect();
        let mut parts: BTreeMap<(String, String), Vec<Part>> = BTreeMap::new();
        for (index, implementation) in all.iter().enumerate() {
            let coverage = Coverage::of(run, &implementation.id);
            for (op, variant, dtype, part) in coverage.parts() {
                let op = format!("{op} {variant}").trim().to_owned();
                let row = parts.entry((op, dtype.to_owned())).or_default();
                // An earlier implementation may have no case of this part, if its queries selected others.
                row.resize(index, Part::default());
                row.push(part);
            }
        }
        let is_asked = |row: &[Part]| row.iter().any(|part| part.asked > 0);
        let asked: BTreeSet<String> = parts
            .iter()
            .filter(|(_, row)| is_asked(row))
            .map(|((op, _), _)| op.clone())
            .collect();
        let mut silent: Vec<String> = parts.keys().map(|(op, _)| op.clone()).collect();
        silent.dedup();
        silent.retain(|op| !asked.contains(op));
        parts.retain(|(op, _), _| asked.contains(op));
        let mut rows: Vec<Row> = Vec::new();
        let mut last = String::new();
        for ((op, dtype), mut row) in parts {
            row.resize(all.len(), Part::default());
            let query = format!("{op} {dtype}");
            let cells = all.iter().zip(row);
            let cells = cells.map(|(it, part)| Cell::of(part, &query, &one_line(it.id.as_str())));
            rows.push(Row {
                cells: cells.collect(),
                op: if op == last { String::new() } else { op.clone() },
                dtype,
            });
            last = op;
        }
        Self {
            implementations: all.iter().map(|it| one_line(it.id.as_str())).collect(),
            rows,
            silent,
        }
    }
}

impl Cell {
    fn of(part: Part, query: &str, implementation: &str) -> Self {
        let Part { cases, asked, passed } = part;
        let [of, claimed, right] = [cases, asked, passed].map(thousands);
        let (class, text, title) = if asked == 0 {
            ("none", "–".to_owned(), format!("none of {of} cases is claimed"))
        } else {
            let title = format!("{right} of {claimed} that are claimed pass, of {of} cases");
            (rate(passed, asked), format!("{right}/{claimed}"), title)
        };
        // The search of the page joins words with AND, so the words are escaped one by one.
        let query: Vec<String> = query.split(' ').map(escaped).collect();
        Self {
            text,
            class,
            title,
            link: format!("#q={}&on={}", query.join("+"), escaped(implementation)),
        }
    }
}

/// The CSS class for a rate: all, at least nine tenths, at least half, some, none.
const fn rate(passed: usize, asked: usize) -> &'static str {
    match (passed, asked) {
        // All or not all is what conformance asks, so 999 of 1,000 must not look like all.
        _ if passed == asked => "all",
        _ if passed >= asked - asked / 10 => "most",
        _ if passed >= asked - asked / 2 => "half",
        _ if passed > 0 => "few",
        _ => "zero",
    }
}

#[cfg(test)]
mod tests {
    use super::rate;

    #[test]
    fn rates_have_a_colour_each() {
        let rates = [(33, 33), (30, 33), (17, 33), (16, 33), (1, 33), (0, 33)];
        assert_eq!(
            rates.map(|(passed, asked)| rate(passed, asked)),
            ["all", "most", "half", "few", "few", "zero"]
        );
    }
}
