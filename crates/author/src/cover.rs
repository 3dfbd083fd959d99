//! Which clause is implemented where and judged by which cases.

use std::collections::BTreeMap;
use std::fmt;

use seedproof_corpus::{CaseId, Corpus, Level, Name, Registry};

/// How the clauses and errata are covered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cover {
    /// Every clause, by id.
    pub clauses: Vec<ClauseCover>,
    /// Every erratum, by id.
    pub errata: Vec<ErratumCover>,
}

/// How one clause is covered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClauseCover {
    /// The clause.
    pub id: Name,
    /// How binding it is.
    pub level: Level,
    /// The items whose documentation cites it, as `file: item`.
    pub code: Vec<String>,
    /// Number of cases that name it.
    pub cases: usize,
    /// The first such case.
    pub example: Option<CaseId>,
}

/// How one erratum is covered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErratumCover {
    /// The erratum.
    pub id: Name,
    /// Number of cases that tell its answers apart.
    pub cases: usize,
    /// The first such case.
    pub example: Option<CaseId>,
}

impl Cover {
    /// The clauses of level must that no case names.
    pub fn uncovered(&self) -> impl Iterator<Item = &ClauseCover> {
        self.clauses
            .iter()
            .filter(|clause| clause.level == Level::Must && clause.cases == 0)
    }

    /// The errata that no case names.
    pub fn errata_without_a_case(&self) -> impl Iterator<Item = &ErratumCover> {
        self.errata.iter().filter(|erratum| erratum.cases == 0)
    }
}

/// Names and texts of the sources of the reference, for [`cover`].
pub const ORACLE: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/oracle.rs"));

/// How a corpus covers the clauses and errata of a registry.
///
/// `sources` are names and texts of Rust files: an item whose documentation cites a clause as `[clause.id]`, with
/// or without backticks, is where the clause is implemented.
pub fn cover(corpus: &Corpus, known: &Registry, sources: &[(&str, &str)]) -> Cover {
    let mut clauses: BTreeMap<&Name, (usize, Option<&CaseId>)> = BTreeMap::new();
    let mut errata = clauses.clone();
    for case in corpus.cases() {
        for (names, counts) in [(&case.clauses, &mut clauses), (&case.errata, &mut errata)] {
            for name in names {
                let (count, example) = counts.entry(name).or_default();
                *count += 1;
                example.get_or_insert(&case.id);
            }
        }
    }
    let mut code = citations(sources);
    Cover {
        clauses: known
            .clauses()
            .map(|clause| {
                let (cases, example) = clauses.get(&clause.id).copied().unwrap_or_default();
                ClauseCover {
                    id: clause.id.clone(),
                    level: clause.level,
                    code: code.remove(clause.id.as_str()).unwrap_or_default(),
                    cases,
                    example: example.cloned(),
                }
            })
            .collect(),
        errata: known
            .errata()
            .map(|erratum| {
                let (cases, example) = errata.get(&erratum.id).copied().unwrap_or_default();
                ErratumCover {
                    id: erratum.id.clone(),
                    cases,
                    example: example.cloned(),
                }
            })
            .collect(),
    }
}

/// The texts that documentation cites in brackets, with the documented items.
fn citations<'a>(sources: &[(&str, &'a str)]) -> BTreeMap<&'a str, Vec<String>> {
    let mut found: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut sources = sources.to_vec();
    sources.sort_unstable();
    for (file, text) in sources {
        let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
        for (i, line) in lines.iter().enumerate() {
            let item = if line.starts_with("///") {
                lines[i..].iter().find_map(|line| item(line))
            } else if line.starts_with("//!") {
                Some("the module")
            } else {
                continue;
            };
            let place = format!("{file}: {}", item.unwrap_or("at its end"));
            for cited in bracketed(line) {
                let places = found.entry(cited).or_default();
                if !places.contains(&place) {
                    places.push(place.clone());
                }
            }
        }
    }
    found
}

/// The texts in square brackets.
fn bracketed(line: &str) -> impl Iterator<Item = &str> {
    line.split('[')
        .skip(1)
        .filter_map(|rest| rest.split_once(']'))
        .map(|(inside, _)| inside)
}

/// The name of the item that a line declares.
fn item(line: &str) -> Option<&str> {
    if line.starts_with("//") || line.starts_with('#') {
        return None;
    }
    let mut words = line.split([' ', '(', '<', ':', '{', ';', ',']);
    words
        .by_ref()
        .find(|word| ["fn", "struct", "enum", "trait", "type", "const", "static", "mod"].contains(word))?;
    words.find(|word| !word.is_empty() && !["fn", "unsafe", "mut"].contains(word))
}

impl fmt::Display for Cover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = |level| self.clauses.iter().filter(move |clause| clause.level == level);
        for level in [Level::Must, Level::Should, Level::Informative] {
            let covered = all(level).filter(|clause| clause.cases > 0).count();
            writeln!(
                f,
                "{level}: {covered} of {} clauses have a case",
                all(level).count()
            )?;
        }
        let covered = self.errata.iter().filter(|erratum| erratum.cases > 0).count();
        writeln!(f, "errata: {covered} of {} have a case", self.errata.len())?;

        writeln!(f, "\nmust-clauses without a case")?;
        names(f, self.uncovered().map(|clause| &clause.id))?;
        writeln!(f, "\nerrata without a case")?;
        names(f, self.errata_without_a_case().map(|erratum| &erratum.id))?;

        writeln!(f, "\nclauses")?;
        for clause in &self.clauses {
            writeln!(f, "{} ({})", clause.id, clause.level)?;
            if clause.code.is_empty() {
                writeln!(f, "    no code cites it")?;
            }
            for place in &clause.code {
                writeln!(f, "    {place}")?;
            }
            cases(f, clause.cases, clause.example.as_ref())?;
        }
        writeln!(f, "\nerrata")?;
        for erratum in &self.errata {
            writeln!(f, "{}", erratum.id)?;
            cases(f, erratum.cases, erratum.example.as_ref())?;
        }
        Ok(())
    }
}

fn names<'a>(f: &mut fmt::Formatter<'_>, names: impl Iterator<Item = &'a Name>) -> fmt::Result {
    let mut names = names.peekable();
    if names.peek().is_none() {
        writeln!(f, "    none")?;
    }
    for name in names {
        writeln!(f, "    {name}")?;
    }
    Ok(())
}

fn cases(f: &mut fmt::Formatter<'_>, count: usize, example: Option<&CaseId>) -> fmt::Result {
    match example {
        None => writeln!(f, "    no case"),
        Some(id) if count == 1 => writeln!(f, "    1 case: {id}"),
        Some(id) => writeln!(f, "    {count} cases, such as {id}"),
    }
}
