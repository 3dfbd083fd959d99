//! Documents, their clauses and the errata: what cases refer to.

use std::collections::BTreeMap;
use std::fmt;

use seedproof_ops::Named;

use crate::error::Position;
use crate::parse::{At, List, Mention, Reader, Sort, Value, from_yaml};
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

/// A document that clauses and errata are about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// Its stable name: `openvino-random-uniform-8`.
    pub id: Name,
    /// Its title.
    pub title: String,
    /// Its address on the web.
    pub url: String,
}

/// One idea of a specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// Its stable name.
    pub id: Name,
    /// The id of the document that it is from.
    pub document: Name,
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
    /// The id of the document that it is about.
    pub document: Name,
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

/// All documents, clauses and errata.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Registry {
    documents: BTreeMap<Name, Document>,
    clauses: BTreeMap<Name, Clause>,
    errata: BTreeMap<Name, Erratum>,
}

impl Registry {
    /// The registry of these files, each a name and a text.
    ///
    /// A file is a mapping with the lists `documents`, `clauses` and `errata`, any of which may be absent.
    ///
    /// # Errors
    /// Every mistake with its location; of a file that is not YAML, or has a key twice, only the first. Ids are
    /// unique over all files, an adopted answer is one of the answers, and what a clause or an erratum refers to exists.
    pub fn parse(files: &[(&str, &str)]) -> Result<Self, VectorErrors> {
        let mut registry = Self::default();
        let mut errors = Vec::new();
        let mut readers = Vec::new();
        for &(file, yaml) in files {
            let mut reader = Reader::new(file);
            match from_yaml(file, yaml) {
                Ok(value) => registry.add(&mut reader, value),
                Err(no_yaml) => errors.extend(no_yaml.0),
            }
            readers.push(reader);
        }
        // Ops share documents, so that all files are read before a reference is looked up.
        for mut reader in readers {
            for mention in std::mem::take(&mut reader.mentions) {
                if let Some(message) = registry.misses(&mention) {
                    reader.fail(mention.at, message);
                }
            }
            errors.append(&mut reader.errors);
        }
        VectorErrors::unless_none(registry, errors)
    }

    /// The document with this id.
    pub fn document(&self, id: &Name) -> Option<&Document> {
        self.documents.get(id)
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

    fn add(&mut self, reader: &mut Reader<'_>, file: At<Value>) {
        let Some(mut entries) = reader.entries("this file", file, &[], &["documents", "clauses", "errata"])
        else {
            return;
        };
        let [documents, clauses, errata] = ["documents", "clauses", "errata"].map(|key| {
            let list = reader.take::<List>(&mut entries, key);
            list.map_or_else(List::new, |list| list.value)
        });
        for value in documents {
            if let Some((at, item)) = document(reader, value) {
                insert(&mut self.documents, reader, at, item.id.clone(), item, "document");
            }
        }
        for value in clauses {
            if let Some((at, item)) = clause(reader, value) {
                insert(&mut self.clauses, reader, at, item.id.clone(), item, "clause");
            }
        }
        for value in errata {
            if let Some((at, item)) = erratum(reader, value) {
                insert(&mut self.errata, reader, at, item.id.clone(), item, "erratum");
            }
        }
    }

    /// What is wrong with a mention of what the registry does not have. It has no readings, and misses none.
    pub(crate) fn misses(&self, mention: &Mention) -> Option<String> {
        let name = &mention.name;
        let (sort, is_known) = match mention.sort {
            Sort::Document => ("document", self.documents.contains_key(name)),
            Sort::Clause => ("clause", self.clauses.contains_key(name)),
            Sort::Erratum => ("erratum", self.errata.contains_key(name)),
            Sort::Reading => return None,
        };
        (!is_known).then(|| format!("find the {sort} `{name}`: expected one of the registry"))
    }
}

fn insert<T>(
    all: &mut BTreeMap<Name, T>,
    reader: &mut Reader<'_>,
    at: Position,
    id: Name,
    item: T,
    what: &str,
) {
    if all.contains_key(&id) {
        let message = format!("use the id `{id}` a second time: expected one {what} of that id");
        reader.fail(at, message);
    }
    all.insert(id, item);
}

/// A document, and where its id stands.
fn document(reader: &mut Reader<'_>, value: At<Value>) -> Option<(Position, Document)> {
    let mut entries = reader.entries("this document", value, &["id", "title", "url"], &[])?;
    let mut text = |key| reader.take::<String>(&mut entries, key);
    let (id, title, url) = (text("id")?, text("title")?, text("url")?);
    if !url.value.starts_with("https://") {
        let message = format!(
            "read `{}` as `url`: expected an address that begins with https://",
            url.value
        );
        reader.fail(url.at, message);
    }
    Some((
        id.at,
        Document {
            id: reader.name(&id.value, id.at)?,
            title: title.value,
            url: url.value,
        },
    ))
}

/// The id of a document of the registry.
fn document_id(reader: &mut Reader<'_>, id: Option<At<String>>) -> Option<Name> {
    let id = id?;
    let name = reader.name(&id.value, id.at)?;
    reader.mention(Some(Sort::Document), &name, id.at);
    Some(name)
}

/// A clause, and where its id stands.
fn clause(reader: &mut Reader<'_>, value: At<Value>) -> Option<(Position, Clause)> {
    let keys = ["id", "document", "section", "says", "level"];
    let mut entries = reader.entries("this clause", value, &keys, &[])?;
    let mut text = |key| reader.take::<String>(&mut entries, key);
    let (id, document, section, says) = (text("id"), text("document"), text("section"), text("says"));
    let level = text("level").and_then(|level| reader.one_of("a level", &level));
    let document = document_id(reader, document);
    let id = id?;
    Some((
        id.at,
        Clause {
            id: reader.name(&id.value, id.at)?,
            document: document?,
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
    let document = document_id(reader, document);
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
            document: document?,
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
