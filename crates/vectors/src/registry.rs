//! Clauses and errata: what cases refer to.

mod raw;

use std::collections::BTreeMap;
use std::fmt;

use seedproof_ops::Named;

use crate::parse::raw::{At, Field, List};
use crate::parse::{Keys, Reader, Sort, from_yaml};
use crate::{Name, VectorErrors};
use raw::{ClauseFile, ErratumFile, RawAnswer, RawClause, RawErratum};

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
    /// What it says, in the project's words.
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
    /// What it says.
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
    /// Every mistake with its location; of each file only the first if it is one of shape. Ids are unique over
    /// all files, an adopted answer is one of the answers, an erratum's clauses exist.
    pub fn parse(clauses: &[(&str, &str)], errata: &[(&str, &str)]) -> Result<Self, VectorErrors> {
        let mut registry = Self::default();
        let mut errors = Vec::new();
        for &(file, yaml) in clauses {
            let mut reader = Reader::new(file);
            match from_yaml::<ClauseFile>(file, yaml) {
                Ok(ClauseFile { clauses }) => registry.add_clauses(&mut reader, clauses),
                Err(shape) => errors.extend(shape.0),
            }
            errors.append(&mut reader.errors);
        }
        for &(file, yaml) in errata {
            let mut reader = Reader::new(file);
            match from_yaml::<ErratumFile>(file, yaml) {
                Ok(ErratumFile { errata }) => registry.add_errata(&mut reader, errata),
                Err(shape) => errors.extend(shape.0),
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

    fn add_clauses(&mut self, reader: &mut Reader<'_>, clauses: List<RawClause>) {
        for raw in clauses {
            let keys = Keys {
                owner: "this clause",
                at: raw.at,
                allowed: &["id", "document", "section", "says", "level"],
            };
            let raw = raw.value;
            let id = reader.require(&keys, "id", raw.id);
            let document = reader.require(&keys, "document", raw.document);
            let section = reader.require(&keys, "section", raw.section);
            let says = reader.require(&keys, "says", raw.says);
            let level = reader.require(&keys, "level", raw.level);
            let level = level.and_then(|level| reader.one_of("a level", &level));
            let Some(id_at) = id.as_ref().map(|id| id.at) else {
                continue;
            };
            let id = id.and_then(|id| reader.name(&id.value, id.at));
            let (Some(id), Some(document), Some(section), Some(says), Some(level)) =
                (id, document, section, says, level)
            else {
                continue;
            };
            let clause = Clause {
                id: id.clone(),
                document: document.value,
                section: section.value,
                says: says.value,
                level,
            };
            if self.clauses.insert(id.clone(), clause).is_some() {
                reader.fail(
                    id_at,
                    format!("use the id `{id}` a second time: expected one clause of that id"),
                );
            }
        }
    }

    fn add_errata(&mut self, reader: &mut Reader<'_>, errata: List<RawErratum>) {
        for raw in errata {
            let at = raw.value.id.position().unwrap_or(raw.at);
            let Some(erratum) = erratum(reader, raw) else {
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

fn erratum(reader: &mut Reader<'_>, raw: At<RawErratum>) -> Option<Erratum> {
    let keys = Keys {
        owner: "this erratum",
        at: raw.at,
        allowed: &[
            "id", "document", "section", "question", "answers", "adopted", "evidence", "clauses",
        ],
    };
    let raw = raw.value;
    let id = reader.require(&keys, "id", raw.id);
    let id = id.and_then(|id| reader.name(&id.value, id.at));
    let document = reader.require(&keys, "document", raw.document);
    let section = reader.require(&keys, "section", raw.section);
    let question = reader.require(&keys, "question", raw.question);
    let answers = reader.require(&keys, "answers", raw.answers);
    let answers = answers.map(|list| self::answers(reader, list.value));
    let adopted = reader.require(&keys, "adopted", raw.adopted);
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
    let evidence = reader.require(&keys, "evidence", raw.evidence);
    let clauses = reader.require(&keys, "clauses", raw.clauses);
    let clauses = clauses.map(|list| reader.names(Field(Some(list)), Some(Sort::Clause)));
    Some(Erratum {
        id: id?,
        document: document?.value,
        section: section?.value,
        question: question?.value,
        answers: answers?,
        adopted: adopted?,
        evidence: evidence?.value.into_iter().map(|line| line.value).collect(),
        clauses: clauses?,
    })
}

fn answers(reader: &mut Reader<'_>, list: List<RawAnswer>) -> Vec<Answer> {
    let mut answers: Vec<Answer> = Vec::new();
    for raw in list {
        let keys = Keys {
            owner: "this answer",
            at: raw.at,
            allowed: &["id", "says"],
        };
        let id = reader.require(&keys, "id", raw.value.id);
        let says = reader.require(&keys, "says", raw.value.says);
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
