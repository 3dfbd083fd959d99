//! Clauses and errata: what cases refer to.

use std::collections::BTreeMap;
use std::fmt;

use seedproof_ops::Named;

use crate::error::Position;
use crate::parse::{At, List, Reader, Sort, Value, from_yaml};
use crate::{Name, VectorErrors};

/// How binding a clause is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Level {
    /// A conforming implementation has no choice.
    Must,
    /// The document expects it without forbidding other ways.
    Should,
    /// It explains.
    Informative,
}

impl Named for Level {
    const ALL: &'static [Self] = &[Self::Must, Self::Should, Self::Informative];
    const NAMES: &'static [&'static str] = &["must", "should", "informative"];

    fn name(self) -> &'static str {
        match self {
            Self::Must => "must",
            Self::Should => "should",
            Self::Informative => "informative",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// One idea of a specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// Its stable name.
    pub id: Name,
    /// The document that it is from.
    pub document: String,
    /// The section of the document.
    pub section: String,
    /// Its content, in the project's words.
    pub says: String,
    /// How binding it is.
    pub level: Level,
}

/// A question that a specification answers wrongly, twice or not at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Erratum {
    /// Its stable name.
    pub id: Name,
    /// The document that it is about.
    pub document: String,
    /// The section of the document.
    pub section: String,
    /// The question.
    pub question: String,
    /// The possible answers.
    pub answers: Vec<Answer>,
    /// The id of the answer that the reading `spec` adopts: one of [`Self::answers`].
    pub adopted: Name,
    /// Why that one: a sentence each.
    pub evidence: Vec<String>,
    /// The clauses that depend on it.
    pub clauses: Vec<Name>,
}

/// A possible answer to an erratum's question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Its name within the erratum.
    pub id: Name,
    /// Its content: a sentence.
    pub says: String,
}

/// All clauses and errata.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Registry {
    clauses: BTreeMap<Name, Clause>,
    errata: BTreeMap<Name, Erratum>,
}

impl Registry {
    /// The clauses and errata of these files, each a name and a text.
    ///
    /// A file is a list of clauses or of errata, at its top or under the key `clauses` or `errata`.
    ///
    /// # Errors
    /// Every mistake with its location; of a file that is no YAML, or has a key twice, only the first. Ids are
    /// unique over all files, an adopted answer is one of the answers, an erratum's clauses exist.
    pub fn parse(clauses: &[(&str, &str)], errata: &[(&str, &str)]) -> Result<Self, VectorErrors> {
        let mut registry = Self::default();
        let mut errors = Vec::new();
        for &(file, yaml) in clauses {
            let mut reader = Reader::new(file);
            match from_yaml(file, yaml) {
                Ok(value) => registry.add_clauses(&mut reader, value),
                Err(no_yaml) => errors.extend(no_yaml.0),
            }
            errors.append(&mut reader.errors);
        }
        for &(file, yaml) in errata {
            let mut reader = Reader::new(file);
            match from_yaml(file, yaml) {
                Ok(value) => registry.add_errata(&mut reader, value),
                Err(no_yaml) => errors.extend(no_yaml.0),
            }
            errors.append(&mut reader.errors);
        }
        VectorErrors::unless_none(registry, errors)
    }

    /// The clauses, by id.
    pub fn clauses(&self) -> impl ExactSizeIterator<Item = &Clause> {
        self.clauses.values()
    }

    /// The errata, by id.
    pub fn errata(&self) -> impl ExactSizeIterator<Item = &Erratum> {
        self.errata.values()
    }

    /// The clause with this id.
    pub fn clause(&self, id: &Name) -> Option<&Clause> {
        self.clauses.get(id)
    }

    /// The erratum with this id.
    pub fn erratum(&self, id: &Name) -> Option<&Erratum> {
        self.errata.get(id)
    }

    fn add_clauses(&mut self, reader: &mut Reader<'_>, file: At<Value>) {
        for value in items(reader, "clauses", file) {
            let Some((id_at, clause)) = clause(reader, value) else {
                continue;
            };
            let id = clause.id.clone();
            if self.clauses.insert(id.clone(), clause).is_some() {
                reader.fail(
                    id_at,
                    format!("use the id `{id}` a second time: expected one clause of that id"),
                );
            }
        }
    }

    fn add_errata(&mut self, reader: &mut Reader<'_>, file: At<Value>) {
        for value in items(reader, "errata", file) {
            let Some((at, erratum)) = erratum(reader, value) else {
                continue;
            };
            let id = erratum.id.clone();
            if self.errata.insert(id.clone(), erratum).is_some() {
                reader.fail(
                    at,
                    format!("use the id `{id}` a second time: expected one erratum of that id"),
                );
            }
        }
        for mention in std::mem::take(&mut reader.mentions) {
            if !self.clauses.contains_key(&mention.name) {
                reader.fail(
                    mention.at,
                    format!("find the clause `{}`: expected one of the registry", mention.name),
                );
            }
        }
    }
}

/// The items of a file: a list, bare or under one key.
fn items(reader: &mut Reader<'_>, key: &str, file: At<Value>) -> List {
    if let Value::List(list) = file.value {
        return list;
    }
    let entries = reader.entries("this file", file, &[key], &[]);
    let list = entries.and_then(|mut entries| reader.take::<List>(&mut entries, key));
    list.map_or_else(List::new, |list| list.value)
}

/// A clause, and where its id stands.
fn clause(reader: &mut Reader<'_>, value: At<Value>) -> Option<(Position, Clause)> {
    let keys = ["id", "document", "section", "says", "level"];
    let mut entries = reader.entries("this clause", value, &keys, &[])?;
    let mut text = |key| reader.take::<String>(&mut entries, key);
    let (id, document, section, says) = (text("id"), text("document"), text("section"), text("says"));
    let level = text("level").and_then(|level| reader.one_of("a level", &level));
    let id = id?;
    Some((
        id.at,
        Clause {
            id: reader.name(&id.value, id.at)?,
            document: document?.value,
            section: section?.value,
            says: says?.value,
            level: level?,
        },
    ))
}

/// An erratum, and where its id stands.
fn erratum(reader: &mut Reader<'_>, value: At<Value>) -> Option<(Position, Erratum)> {
    let keys = [
        "id", "document", "section", "question", "answers", "adopted", "evidence", "clauses",
    ];
    let mut entries = reader.entries("this erratum", value, &keys, &[])?;
    let mut text = |key| reader.take::<String>(&mut entries, key);
    let (id, document, section) = (text("id"), text("document"), text("section"));
    let (question, adopted) = (text("question"), text("adopted"));
    let answers = reader.take::<List>(&mut entries, "answers");
    let answers = answers.map(|list| self::answers(reader, list.value));
    let adopted = adopted.and_then(|adopted| {
        let name = reader.name(&adopted.value, adopted.at)?;
        if !answers.iter().flatten().any(|answer| answer.id == name) {
            reader.fail(
                adopted.at,
                format!("adopt `{name}`: expected the id of one of the answers"),
            );
        }
        Some(name)
    });
    let evidence = reader.take_all::<String>(&mut entries, "evidence");
    let clauses = reader.names(&mut entries, "clauses", Some(Sort::Clause));
    let id = id?;
    Some((
        id.at,
        Erratum {
            id: reader.name(&id.value, id.at)?,
            document: document?.value,
            section: section?.value,
            question: question?.value,
            answers: answers?,
            adopted: adopted?,
            evidence: evidence?.value.into_iter().map(|line| line.value).collect(),
            clauses,
        },
    ))
}

fn answers(reader: &mut Reader<'_>, list: List) -> Vec<Answer> {
    let mut answers: Vec<Answer> = Vec::new();
    for value in list {
        let Some(mut entries) = reader.entries("this answer", value, &["id", "says"], &[]) else {
            continue;
        };
        let id = reader.take::<String>(&mut entries, "id");
        let says = reader.take::<String>(&mut entries, "says");
        let (Some(id), Some(says)) = (id, says) else {
            continue;
        };
        let Some(name) = reader.name(&id.value, id.at) else {
            continue;
        };
        if answers.iter().any(|answer| answer.id == name) {
            reader.fail(
                id.at,
                format!("use the id `{name}` a second time: expected one answer of that id"),
            );
        }
        answers.push(Answer {
            id: name,
            says: says.value,
        });
    }
    answers
}
