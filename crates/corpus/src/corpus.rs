//! The corpus: all files together, held against the registry.

use std::collections::{BTreeSet, HashMap};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use data_encoding::HEXLOWER;
use seedproof_ops::{Named as _, OpName};
use sha2::{Digest as _, Sha256};

use crate::error::Position;
use crate::parse::Sort;
use crate::{Case, CaseId, ParsedFile, Registry, VectorError, VectorErrors, parse};

/// The name of the list of retired ids.
pub const RETIRED: &str = "retired.txt";

/// The folder of the cases of another kind, which other tools read: what becomes of models that are converted.
pub const CONVERSIONS: &str = "conversion/";

/// Every case, with ids that are unique and names that are known.
#[derive(Clone, Debug)]
pub struct Corpus {
    files: Vec<ParsedFile>,
    /// File and case within the file, in order.
    order: Vec<(usize, usize)>,
    index: HashMap<CaseId, usize>,
    hash: String,
}

impl Corpus {
    /// The corpus of these files, each a name and a text: `.yaml` files of cases, and `retired.txt` with the ids
    /// that may not be used again, one a line (`#` begins a comment). What lies in [`CONVERSIONS`] is passed over.
    ///
    /// `readings` are the names that cases may give answers for.
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
        let hash = hash(&sorted);
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
        for file in parse_all(&texts) {
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
                files,
                order,
                index,
                hash,
            },
            errors,
        )
    }

    /// A corpus of cases that are in no file. Its hash is that of its name alone, which says how the cases are made.
    pub fn of_cases(name: &str, cases: Vec<Case>) -> Self {
        let index = cases.iter().enumerate().map(|(i, case)| (case.id.clone(), i));
        Self {
            order: (0..cases.len()).map(|i| (0, i)).collect(),
            index: index.collect(),
            hash: hash(&[&(name.to_owned(), String::new())]),
            files: vec![ParsedFile {
                name: name.to_owned(),
                comment: Vec::new(),
                op: cases.first().map_or(OpName::ALL[0], |case| case.request.op()),
                clauses: Vec::new(),
                provenance: None,
                mentions: Vec::new(),
                cases,
            }],
        }
    }

    /// The cases: files by name, within a file as they stand.
    pub fn cases(&self) -> impl ExactSizeIterator<Item = &Case> + DoubleEndedIterator + Clone {
        self.order.iter().map(|&(f, c)| &self.files[f].cases[c])
    }

    /// The case with this id.
    pub fn get(&self, id: &str) -> Option<&Case> {
        let id = CaseId::new(id).ok()?;
        let &(f, c) = self.order.get(*self.index.get(&id)?)?;
        self.files.get(f)?.cases.get(c)
    }

    /// The files, by name.
    pub fn files(&self) -> &[ParsedFile] {
        &self.files
    }

    /// SHA-256 over the names and texts of all files, in hexadecimal: what a report names the corpus by.
    pub fn hash(&self) -> &str {
        &self.hash
    }
}

/// The files in their order, parsed by as many threads as the machine has.
fn parse_all(texts: &[&(String, String)]) -> Vec<Result<ParsedFile, VectorErrors>> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut parsed = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some((name, text)) = texts.get(index) else {
                return parsed;
            };
            parsed.push((index, parse(name, text)));
        }
    };
    let mut all = thread::scope(|scope| {
        let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let parsed = workers
            .into_iter()
            .map(|worker| worker.join().expect("no text panics"));
        parsed.flatten().collect::<Vec<_>>()
    });
    all.sort_by_key(|(index, _)| *index);
    all.into_iter().map(|(_, file)| file).collect()
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
fn hash(files: &[&(String, String)]) -> String {
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
