//! Faults of style, which the parser accepts.

use std::collections::HashMap;

use rayon::prelude::*;
use seedproof_corpus::{Case, Corpus, Expectation, Location, Name, ParsedFile, VectorError};
use seedproof_ops::{Backend, Request};

use crate::MOST_BITS;
use crate::grid::id_parts;
use crate::regenerate::differs;

/// The faults, by location: a file that does not say why it exists, names out of order, an id that
/// contradicts its request, two cases that ask the same and have their answers from the same source, an output
/// written out that is long enough for a digest, a derived expectation that is not what `oracle` answers.
pub fn lint(corpus: &Corpus, oracle: &dyn Backend) -> Vec<VectorError> {
    let mut found = Found(Vec::new());
    for file in corpus.files() {
        found.file(file);
        for case in &file.cases {
            found.case(file, case);
        }
    }
    found.repeats(corpus);
    let cases: Vec<&Case> = corpus.cases().collect();
    found.0.par_extend(cases.into_par_iter().filter_map(|case| {
        differs(case, oracle).map(|message| VectorError {
            location: case.location.clone(),
            message,
        })
    }));
    found.0.sort();
    found.0
}

struct Found(Vec<VectorError>);

impl Found {
    fn add(&mut self, location: &Location, message: String) {
        self.0.push(VectorError {
            location: location.clone(),
            message,
        });
    }

    fn file(&mut self, file: &ParsedFile) {
        let start = Location::start(&file.name);
        if file.comment.iter().all(String::is_empty) {
            let message = "find why this file exists: expected a comment at its beginning";
            self.add(&start, message.to_owned());
        }
        self.sorted(&start, "clauses", &file.clauses);
    }

    fn case(&mut self, file: &ParsedFile, case: &Case) {
        let own = case.clauses.get(file.clauses.len()..).unwrap_or(&[]);
        self.sorted(&case.location, "clauses", own);
        self.sorted(&case.location, "errata", &case.errata);
        self.sorted(&case.location, "flags", &case.flags);
        let parts: Vec<&str> = case.id.as_str().split('/').collect();
        let expected = id_parts(&case.request);
        let fits = expected.iter().enumerate().all(|(i, part)| {
            part.as_ref()
                .is_none_or(|part| parts.get(i + 1) == Some(&part.as_str()))
        });
        if !fits || parts.len() != expected.len() + 2 {
            let pattern: Vec<&str> = expected
                .iter()
                .map(|part| part.as_deref().unwrap_or("…"))
                .collect();
            self.add(
                &case.location,
                format!(
                    "match the id `{}` with its request: expected {}/{}/topic",
                    case.id,
                    parts.first().unwrap_or(&""),
                    pattern.join("/")
                ),
            );
        }
        if let Expectation::Bits(bits) = &case.expect
            && bits.output.count() > MOST_BITS
        {
            self.add(
                &case.location,
                format!(
                    "write out {} elements: expected a digest over {MOST_BITS}",
                    bits.output.count()
                ),
            );
        }
    }

    fn sorted(&mut self, location: &Location, what: &str, names: &[Name]) {
        if let Some((before, after)) = names.iter().zip(names.iter().skip(1)).find(|(a, b)| a > b) {
            self.add(
                location,
                format!("list {what} in order: expected `{after}` before `{before}`"),
            );
        }
    }

    fn repeats(&mut self, corpus: &Corpus) {
        let mut asked: HashMap<&Request, Vec<&Case>> = HashMap::new();
        for case in corpus.cases() {
            let earlier = asked.entry(&case.request).or_default();
            if let Some(first) = earlier.iter().find(|first| first.provenance == case.provenance) {
                self.add(
                    &case.location,
                    format!(
                        "find what `{}` asks that `{}` does not: expected one case for a request and a source",
                        case.id, first.id
                    ),
                );
            }
            earlier.push(case);
        }
    }
}
