//! The corpus that the command line names, and what is chosen from it and from the registry.

use std::ffi::OsString;
use std::path::Path;

use clap::CommandFactory as _;
use seedproof_corpus::{Case, CaseId, Corpus, Query, Selection};
use seedproof_ops::{Support, did_you_mean, nearest};

use crate::args::{Cli, CorpusDir, RunArgs};
use crate::exit::Error;
use crate::implementations::Implementation;
use crate::io;
use crate::shard::Shard;

/// The most queries without a case that are named beside those that have one.
const MAX_NAMED_QUERIES: usize = 20;

/// The corpus of a command: a folder's, or the one that is built in.
pub(crate) enum AnyCorpus {
    BuiltIn,
    Loaded(Box<Corpus>),
}

impl std::ops::Deref for AnyCorpus {
    type Target = Corpus;

    fn deref(&self) -> &Corpus {
        match self {
            Self::BuiltIn => seedproof::corpus(),
            Self::Loaded(corpus) => corpus,
        }
    }
}

/// # Errors
/// [`Error::Infrastructure`] if the folder cannot be read, [`Error::Corpus`] with every mistake in it.
pub(crate) fn corpus(dir: &CorpusDir) -> Result<AnyCorpus, Error> {
    let Some(folder) = &dir.corpus else {
        return Ok(AnyCorpus::BuiltIn);
    };
    match seedproof::files::load(folder) {
        Ok(corpus) => Ok(AnyCorpus::Loaded(Box::new(corpus))),
        Err(seedproof::files::LoadError::Vectors(errors)) => Err(Error::Corpus(errors.to_string())),
        Err(error) => Err(Error::Infrastructure(format!("failed to {error}"))),
    }
}

/// The most random requests: some hundred megabytes.
const MOST_BY_CHANCE: u64 = 1_000_000;

/// A corpus of as many random requests as are asked for: of those that one of these implementations claims and the queries
/// select, with or without the `random/` before an id. A query that is the id of a random request selects that one, whoever
/// claims it.
///
/// # Errors
/// [`Error::Usage`] for too many, and for a text that is not a query.
pub(crate) fn by_chance(
    count: u64,
    args: &RunArgs,
    implementations: &[Implementation],
) -> Result<AnyCorpus, Error> {
    if count > MOST_BY_CHANCE {
        return Err(Error::Usage(format!(
            "`--random {count}` is too many: at most {MOST_BY_CHANCE} are drawn for one seed. Use another `--random-seed` for more"
        )));
    }
    let queries = &args.selection.queries;
    let selection = parsed(queries)?;
    let single: Option<Vec<Case>> = queries
        .iter()
        .map(|query| seedproof_author::case_by_chance(query))
        .collect();
    let is_selected = |case: &Case| {
        let id = case.id.as_str().trim_start_matches("random/");
        let short = CaseId::new(id).map(|id| Case { id, ..case.clone() });
        selection.matches(case) || short.is_ok_and(|case| selection.matches(&case))
    };
    let is_claimed = |case: &Case| {
        let supports = |it: &Implementation| it.backend.supports(&case.request) == Support::Supported;
        implementations.iter().any(supports)
    };
    let cases = match single.filter(|cases| !cases.is_empty()) {
        Some(cases) => cases,
        None => seedproof_author::by_chance(count, args.random_seed, args.random_valid, &|case| {
            (queries.is_empty() || is_selected(case)) && is_claimed(case)
        }),
    };
    if u64::try_from(cases.len()).unwrap_or(u64::MAX) < count && !cases.is_empty() && queries.is_empty() {
        io::print_error(&format!(
            "seedproof: found {} of {count} random requests that an implementation claims\n",
            cases.len()
        ));
    }
    let name = format!("{count} random requests, seed {}", args.random_seed);
    Ok(AnyCorpus::Loaded(Box::new(Corpus::of_cases(&name, cases))))
}

fn parsed(queries: &[String]) -> Result<Selection, Error> {
    Selection::parse(queries).map_err(|error| Error::Usage(format!("failed to {error}")))
}

/// The queries that select no case, though others do, each with what is to be said of it: it may be misspelt.
pub(crate) fn idle_queries<'a>(
    corpus: &'a Corpus,
    queries: &'a [String],
) -> impl Iterator<Item = (&'a str, String)> {
    let idle = queries.iter().filter_map(|text| {
        let nearest = idle(corpus, text)?;
        Some((text.as_str(), format!("selects no case{nearest}")))
    });
    idle.take(MAX_NAMED_QUERIES)
}

/// The cases that queries select; all of them without a query. A query that adds none to the others' is named on standard
/// error.
///
/// # Errors
/// [`Error::Usage`] for a text that is not a query.
pub(crate) fn select<'a>(corpus: &'a Corpus, queries: &[String]) -> Result<Vec<&'a Case>, Error> {
    let selection = parsed(queries)?;
    let selected = corpus.select(&selection);
    if !selected.is_empty() {
        for (query, what) in idle_queries(corpus, queries) {
            io::print_error(&format!("seedproof: the query `{query}` {what}\n"));
        }
    }
    Ok(selected)
}

/// The message about queries that select no case, with what the first of them probably means.
pub(crate) fn nothing_selected(corpus: &Corpus, queries: &[String], shard: Option<Shard>) -> String {
    let which = if queries.is_empty() {
        String::new()
    } else {
        format!(" for {}", queries.join(" "))
    };
    let part = shard.map(|shard| format!(" in part {shard}")).unwrap_or_default();
    let first = queries.first();
    let nearest = first.and_then(|query| command(query).or_else(|| idle(corpus, query)));
    format!(
        "seedproof: nothing is selected{which}{part}{}\n",
        nearest.unwrap_or_default()
    )
}

/// Of a query that no case satisfies, the one that it probably means, as [`did_you_mean`] has it.
fn idle(corpus: &Corpus, text: &str) -> Option<String> {
    let query = Query::parse(text).ok()?;
    let nearest = || query.nearest(corpus);
    query
        .is_idle(corpus)
        .then(|| nearest().map_or_else(String::new, |it| format!("; did you mean `{it}`?")))
}

/// What is to be said of a query that is a command, or nearly one.
fn command(query: &str) -> Option<String> {
    let cli = Cli::command();
    let names: Vec<&str> = cli.get_subcommands().map(clap::Command::get_name).collect();
    let query = query.split_whitespace().next()?;
    if names.contains(&query) {
        return Some(format!("; put the command `{query}` before the options"));
    }
    let is_word = query
        .bytes()
        .all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    let nearest = nearest(query, names).filter(|_| is_word)?;
    Some(format!("; did you mean the command `{nearest}`?"))
}

/// A line for each of an adapter's last arguments that is a query of the corpus and no file: it was probably meant for
/// this program.
pub(crate) fn queries_after_dashes(corpus: &AnyCorpus, argv: &[OsString]) -> String {
    let is_query = |word: &&str| {
        let query = Query::parse(word).ok();
        word.contains(['/', ':'])
            && !Path::new(word).exists()
            && query.is_some_and(|query| !query.excludes() && !query.is_idle(corpus))
    };
    let arguments = argv.iter().skip(1).rev().filter_map(|word| word.to_str());
    let mut lines: Vec<String> = arguments
        .take_while(is_query)
        .map(|word| {
            format!(
                "seedproof: `{word}` comes after `--` and is passed to the adapter; queries come before `--`\n"
            )
        })
        .collect();
    lines.reverse();
    lines.concat()
}

/// The case of an id.
///
/// # Errors
/// [`Error::Usage`] with the nearest id.
pub(crate) fn find<'a>(corpus: &'a Corpus, id: &str) -> Result<&'a Case, Error> {
    corpus.get(id).ok_or_else(|| {
        let nearest = did_you_mean(id, corpus.ids());
        Error::Usage(format!(
            "there is no case `{id}`{nearest}; `seedproof list` prints the ids"
        ))
    })
}
