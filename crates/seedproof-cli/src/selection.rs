//! The corpus that the command line names, and what is chosen from it and from the registry.

use seedproof_ops::did_you_mean;
use seedproof_vectors::{Case, Corpus, Name, Selection};

use crate::args::CorpusDir;
use crate::exit::Error;
use crate::shard::Shard;

/// The corpus of a command: a folder's, or the one that is built in.
pub(crate) enum AnyCorpus {
    BuiltIn(&'static Corpus),
    Loaded(Box<Corpus>),
}

impl std::ops::Deref for AnyCorpus {
    type Target = Corpus;

    fn deref(&self) -> &Corpus {
        match self {
            Self::BuiltIn(corpus) => corpus,
            Self::Loaded(corpus) => corpus,
        }
    }
}

/// # Errors
/// [`Error::Infrastructure`] if the folder cannot be read, [`Error::Corpus`] with every mistake in it.
pub(crate) fn corpus(dir: &CorpusDir) -> Result<AnyCorpus, Error> {
    let Some(folder) = &dir.corpus else {
        return Ok(AnyCorpus::BuiltIn(seedproof::corpus()));
    };
    match seedproof::files::load(folder) {
        Ok(corpus) => Ok(AnyCorpus::Loaded(Box::new(corpus))),
        Err(seedproof::files::LoadError::Vectors(errors)) => Err(Error::Corpus(errors.to_string())),
        Err(error) => Err(Error::Infrastructure(format!("failed to {error}"))),
    }
}

/// The cases that queries select; all of them without a query.
///
/// # Errors
/// [`Error::Usage`] for a text that is no query.
pub(crate) fn select<'a>(corpus: &'a Corpus, queries: &[String]) -> Result<Vec<&'a Case>, Error> {
    let selection = Selection::parse(queries).map_err(|error| Error::Usage(format!("failed to {error}")))?;
    Ok(corpus.cases().filter(|case| selection.matches(case)).collect())
}

/// The message about queries that select no case, with the nearest name for the first of them.
pub(crate) fn nothing_selected(corpus: &Corpus, queries: &[String], shard: Option<Shard>) -> String {
    let which = if queries.is_empty() {
        String::new()
    } else {
        format!(" for {}", queries.join(" "))
    };
    let part = shard.map(|shard| format!(" in part {shard}")).unwrap_or_default();
    let nearest = queries.first().map(|query| nearest_to_query(corpus, query));
    format!(
        "seedproof: nothing is selected{which}{part}{}\n",
        nearest.unwrap_or_default()
    )
}

fn nearest_to_query(corpus: &Corpus, query: &str) -> String {
    let cases = corpus.cases();
    match query.split_once(':') {
        None => did_you_mean(query, cases.map(|case| case.id.as_str())),
        Some(("clause", name)) => did_you_mean(name, cases.flat_map(|case| &case.clauses).map(Name::as_str)),
        Some(("erratum", name)) => did_you_mean(name, cases.flat_map(|case| &case.errata).map(Name::as_str)),
        Some(("flag", name)) => did_you_mean(name, cases.flat_map(|case| &case.flags).map(Name::as_str)),
        Some(("file", name)) => did_you_mean(name, corpus.files().iter().map(|file| file.name.as_str())),
        Some(_) => String::new(),
    }
}

/// The case of an id.
///
/// # Errors
/// [`Error::Usage`] with the nearest id.
pub(crate) fn find<'a>(corpus: &'a Corpus, id: &str) -> Result<&'a Case, Error> {
    corpus.get(id).ok_or_else(|| {
        let ids = corpus.cases().map(|case| case.id.as_str());
        let nearest = did_you_mean(id, ids);
        Error::Usage(format!(
            "there is no case `{id}`{nearest}; `seedproof list` prints the ids"
        ))
    })
}
