//! The corpus: all files together, checked against the registry.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};
use std::sync::OnceLock;

use data_encoding::HEXLOWER;
use seedproof_ops::{Named as _, OpName, each};
use sha2::{Digest as _, Sha256};

use crate::error::Position;
use crate::parse::Sort;
use crate::{Case, CaseId, Expectation, ParsedFile, Registry, VectorError, VectorErrors, parse};

/// The name of the list of retired ids.
pub const RETIRED: &str = "retired.txt";

/// The folder of the cases of another kind, which other tools read: what becomes of models that are converted.
pub const CONVERSIONS: &str = "conversion/";

/// Every case, with ids that are unique and names that are known.
#[derive(Clone, Debug)]
pub struct Corpus {
    files: Vec<File>,
    /// File and case within the file, in order.
    order: Vec<(usize, usize)>,
    index: HashMap<CaseId, usize>,
    hash: String,
}

/// A file. One in canonical form is parsed when a case of it is first needed: all files of the built-in corpus take a
/// second, and most questions are about the cases of one.
#[derive(Clone, Debug)]
struct File {
    canonical: Canonical,
    parsed: OnceLock<ParsedFile>,
}

/// What is known of a file that `gen` wrote before it is parsed. It is empty for one that was parsed at once.
#[derive(Clone, Debug, Default)]
pub struct Canonical {
    /// Its name within the corpus, with `/` between the parts.
    pub name: &'static str,
    /// The op of its cases.
    pub op: Option<OpName>,
    /// The ids of its cases, in order.
    pub ids: Vec<CaseId>,
    /// How many of its cases leave their answer under `spec` open.
    pub unspecified: usize,
    /// What returns its text. No text is kept: those of the built-in corpus take as much memory as their cases.
    pub text: Option<fn(&str) -> String>,
}

impl Canonical {
    fn text(&self) -> String {
        self.text.map_or_else(String::new, |text| text(self.name))
    }
}

/// A file during one pass over all files: each question of the pass may ask for its text, which is unpacked once.
pub(crate) struct Unparsed<'a> {
    pub(crate) known: &'a Canonical,
    text: OnceCell<String>,
}

impl Unparsed<'_> {
    pub(crate) fn ids(&self) -> impl Iterator<Item = &str> {
        self.known.ids.iter().map(CaseId::as_str)
    }

    pub(crate) fn text(&self) -> &str {
        self.text.get_or_init(|| self.known.text())
    }
}

impl File {
    fn parsed(&self) -> &ParsedFile {
        self.parsed.get_or_init(|| ParsedFile {
            // They are for the search for unknown names, of which a canonical file has none.
            mentions: Vec::new(),
            ..parse(self.canonical.name, &self.canonical.text()).expect("a canonical file has no mistake")
        })
    }

    fn listed(&self) -> (&str, Vec<&str>) {
        match self.parsed.get() {
            Some(parsed) => (
                &parsed.name,
                parsed.cases.iter().map(|case| case.id.as_str()).collect(),
            ),
            None => (
                self.canonical.name,
                self.canonical.ids.iter().map(CaseId::as_str).collect(),
            ),
        }
    }
}

impl From<ParsedFile> for File {
    fn from(parsed: ParsedFile) -> Self {
        Self {
            canonical: Canonical::default(),
            parsed: OnceLock::from(parsed),
        }
    }
}

impl Corpus {
    /// The corpus of these files, each a name and a text: `.yaml` files of cases, and `retired.txt` with the ids
    /// that may not be used again, one a line (`#` begins a comment). What lies in [`CONVERSIONS`] is passed over.
    ///
    /// `readings` are the names of the readings for which cases may state answers.
    ///
    /// # Errors
    /// Every mistake with its location, of all files.
    pub fn from_files(
        files: &[(String, String)],
        known: &Registry,
        readings: &[&str],
    ) -> Result<Self, VectorErrors> {
        let mut sorted: Vec<&(String, String)> = files
            .iter()
            .filter(|(name, _)| !name.starts_with(CONVERSIONS))
            .collect();
        sorted.sort();
        let hash = hash(sorted.iter().map(|(name, text)| (name.as_str(), text.as_str())));
        let mut errors = Vec::new();
        for pair in sorted.windows(2) {
            if pair[0].0 == pair[1].0 {
                errors.push(error(
                    &pair[1].0,
                    "read this file a second time: expected it once",
                ));
            }
        }
        let retired: BTreeSet<&str> = sorted
            .iter()
            .filter(|(name, _)| name == RETIRED)
            .flat_map(|(_, text)| retired_ids(text))
            .collect();
        let texts: Vec<&(String, String)> = sorted
            .iter()
            .copied()
            .filter(|(name, _)| name != RETIRED)
            .collect();
        let mut files = Vec::new();
        for file in each(&texts, |(name, text)| parse(name, text)) {
            match file {
                Ok(file) => {
                    errors.extend(file.unknown_names(known, Some(readings)));
                    files.push(file);
                }
                Err(mistakes) => errors.extend(mistakes.0),
            }
        }
        let mut order = Vec::new();
        let mut index: HashMap<CaseId, usize> = HashMap::new();
        for (f, file) in files.iter().enumerate() {
            for (c, case) in file.cases.iter().enumerate() {
                if retired.contains(case.id.as_str()) {
                    errors.push(VectorError {
                        location: case.location.clone(),
                        message: format!(
                            "use the id `{}`, which {RETIRED} lists: expected an id that no case ever had",
                            case.id
                        ),
                    });
                }
                if let Some(&first) = index.get(&case.id) {
                    let (f, c): (usize, usize) = order[first];
                    let first: &ParsedFile = &files[f];
                    errors.push(VectorError {
                        location: case.location.clone(),
                        message: format!(
                            "use the id `{}` a second time, after {}: expected an id of its own",
                            case.id, first.cases[c].location
                        ),
                    });
                } else {
                    index.insert(case.id.clone(), order.len());
                }
                order.push((f, c));
            }
        }
        VectorErrors::unless_none(
            Self {
                files: files.into_iter().map(File::from).collect(),
                order,
                index,
                hash,
            },
            errors,
        )
    }

    /// The corpus of files that `gen` wrote, by name, each of which is parsed when a case of it is first needed. `hash` is
    /// that of [`Corpus::hash`] for their texts.
    ///
    /// # Panics
    /// Later, where a file that is needed has a mistake: [`Corpus::from_files`] is for files of which nothing is known.
    pub fn of_canonical(files: impl IntoIterator<Item = Canonical>, hash: &str) -> Self {
        let mut corpus = Self {
            files: Vec::new(),
            order: Vec::new(),
            index: HashMap::new(),
            hash: hash.to_owned(),
        };
        for canonical in files.into_iter().filter(|it| it.name != RETIRED) {
            for (c, id) in canonical.ids.iter().enumerate() {
                corpus.index.insert(id.clone(), corpus.order.len());
                corpus.order.push((corpus.files.len(), c));
            }
            let parsed = OnceLock::new();
            corpus.files.push(File { canonical, parsed });
        }
        corpus
    }

    /// A corpus of cases that are in no file. Its hash is that of its name alone, which says how the cases are made.
    pub fn of_cases(name: &str, cases: Vec<Case>) -> Self {
        let index = cases.iter().enumerate().map(|(i, case)| (case.id.clone(), i));
        Self {
            order: (0..cases.len()).map(|i| (0, i)).collect(),
            index: index.collect(),
            hash: hash([(name, "")]),
            files: vec![File::from(ParsedFile {
                name: name.to_owned(),
                comment: Vec::new(),
                op: cases.first().map_or(OpName::ALL[0], |case| case.request.op()),
                clauses: Vec::new(),
                provenance: None,
                mentions: Vec::new(),
                cases,
            })],
        }
    }

    /// How many cases there are.
    pub fn size(&self) -> usize {
        self.order.len()
    }

    /// How many cases leave their answer under `spec` open: [`Expectation::Unspecified`].
    pub fn unspecified(&self) -> usize {
        let is_open = |case: &&Case| case.expect == Expectation::Unspecified;
        let of_file = |file: &File| match file.parsed.get() {
            Some(parsed) => parsed.cases.iter().filter(is_open).count(),
            None => file.canonical.unspecified,
        };
        self.files.iter().map(of_file).sum()
    }

    /// The names of the files and the ids of their cases, for which nothing is parsed.
    pub fn listed(&self) -> impl Iterator<Item = (&str, Vec<&str>)> {
        self.files.iter().map(File::listed)
    }

    /// The ids of all cases, in the order of [`Corpus::cases`], for which nothing is parsed.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.listed().flat_map(|(_, ids)| ids)
    }

    /// The cases: files by name, within a file as they stand.
    pub fn cases(&self) -> impl ExactSizeIterator<Item = &Case> + DoubleEndedIterator + Clone {
        self.parse_where(|_| true);
        self.order.iter().map(|&(f, c)| &self.files[f].parsed().cases[c])
    }

    /// The cases of the files that are parsed already, or for which `may` holds.
    pub(crate) fn cases_where(&self, may: impl Fn(&Unparsed<'_>) -> bool) -> impl Iterator<Item = &Case> {
        self.parse_where(may);
        let parsed = self.files.iter().filter_map(|file| file.parsed.get());
        parsed.flat_map(|file| &file.cases)
    }

    fn parse_where(&self, may: impl Fn(&Unparsed<'_>) -> bool) {
        let is_needed = |file: &&File| {
            file.parsed.get().is_none() && {
                let known = &file.canonical;
                let text = OnceCell::new();
                may(&Unparsed { known, text })
            }
        };
        let needed: Vec<&File> = self.files.iter().filter(is_needed).collect();
        each(&needed, |file| {
            file.parsed();
        });
    }

    /// The case with this id.
    pub fn get(&self, id: &str) -> Option<&Case> {
        let id = CaseId::new(id).ok()?;
        let &(f, c) = self.order.get(*self.index.get(&id)?)?;
        let case = self.files.get(f)?.parsed().cases.get(c);
        case.filter(|case| case.id == id)
    }

    /// The files, by name.
    pub fn files(&self) -> impl ExactSizeIterator<Item = &ParsedFile> {
        self.parse_where(|_| true);
        self.files.iter().map(File::parsed)
    }

    /// SHA-256 over the names and texts of all files, in hexadecimal: what a report names the corpus by.
    pub fn hash(&self) -> &str {
        &self.hash
    }
}

/// The ids that a list of retired ids names.
fn retired_ids(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .map(|line| line.split('#').next().unwrap_or("").trim())
        .filter(|line| !line.is_empty())
}

fn error(file: &str, message: &str) -> VectorError {
    VectorError {
        location: Position::START.in_file(file),
        message: message.to_owned(),
    }
}

impl ParsedFile {
    /// The clauses, errata and readings that the file mentions and nobody knows. `None` for `readings` lets every
    /// reading pass.
    pub fn unknown_names<'a>(
        &'a self,
        known: &'a Registry,
        readings: Option<&'a [&str]>,
    ) -> impl Iterator<Item = VectorError> + 'a {
        self.mentions.iter().filter_map(move |mention| {
            let name = &mention.name;
            let message = match (mention.sort, readings) {
                (Sort::Reading, Some(readings)) if !readings.contains(&name.as_str()) => {
                    format!(
                        "find the reading `{name}`: expected one of {}",
                        readings.join(", ")
                    )
                }
                _ => known.misses(mention)?,
            };
            Some(VectorError {
                location: mention.at.in_file(&self.name),
                message,
            })
        })
    }
}

/// Lengths are part of what is summed, so that no two sets of files have the same sum by shifting text.
fn hash<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let mut sum = Sha256::new();
    for (name, text) in files {
        for part in [name, text] {
            let length = u64::try_from(part.len()).unwrap_or(u64::MAX);
            sum.update(length.to_le_bytes());
            sum.update(part);
        }
    }
    HEXLOWER.encode(&sum.finalize())
}
