//! Faults of style, which the parser accepts.

use std::collections::HashMap;

use rayon::prelude::*;
use seedproof_corpus::{Case, Corpus, Expectation, Location, Name, ParsedFile, VectorError};
use seedproof_ops::{
    AttributeValue, Backend, Distribution, Failure, Kind, Limits, Named as _, Request, Role, Types,
};
use seedproof_reference::Reference;

use crate::MOST_BITS;
use crate::regenerate::differs;

/// The faults, by location: a file that does not say why it exists, names out of order, an id that
/// contradicts its request, two cases that ask the same and have their answers from the same source, an output
/// written out that is long enough for a digest, bits of an output that is drawn from entropy, a judgement by statistics of an output that is determined or refused, a derived
/// expectation that is not what `oracle` answers.
pub fn lint(corpus: &Corpus, oracle: &dyn Backend) -> Vec<VectorError> {
    let mut found = Found(Vec::new());
    for file in corpus.files() {
        found.file(file);
        for case in &file.cases {
            found.case(file, case, oracle);
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

/// The parts of a case's id between the op and the topic: what the op distinguishes, then the element type. `None` where the
/// request has a value that the op does not know, so that the id may have anything there.
///
/// Only what the op has a choice of is named: an enumeration of several names, drawing with or without replacement, a type of
/// several.
pub(crate) fn id_parts(request: &Request) -> Vec<Option<String>> {
    let mut parts = Vec::new();
    for (info, value) in request.attributes() {
        if let (Kind::Enumeration(names), AttributeValue::Text(text)) = (info.kind, &value)
            && names.len() > 1
        {
            let word = text.to_lowercase().replace('_', "-");
            // A bare number says nothing in an id: `feature-level-3.0` rather than `3.0`.
            let word = if word.starts_with(|first: char| first.is_ascii_digit()) {
                format!("{}-{word}", info.name.replace('_', "-"))
            } else {
                word
            };
            parts.push(names.contains(&text.as_str()).then_some(word));
        }
    }
    if let Some(Distribution::Classes { replacement, .. }) = request.distribution() {
        parts.push(Some(
            if replacement {
                "replacement"
            } else {
                "no-replacement"
            }
            .to_owned(),
        ));
    }
    parts.extend(type_part(request));
    parts
}

/// The element type that a request is told apart by, if there is one: that of the weights, of the output, or of the first input that has
/// a choice of types. The output of a draw by weights holds classes, whose type hardly matters.
fn type_part(request: &Request) -> Vec<Option<String>> {
    let inputs = request.inputs();
    let typed = |weights: bool| {
        inputs.iter().find_map(|(info, tensor)| {
            let is_choice = matches!(info.dtypes, Types::OneOf(types) if types.len() > 1);
            (is_choice && (info.role == Role::Weights) == weights).then(|| Some(tensor.dtype().to_string()))
        })
    };
    let output = || {
        request
            .attributes()
            .into_iter()
            .find_map(|(info, value)| match (info.kind, value) {
                (Kind::Dtype(types), AttributeValue::Text(text)) => Some(
                    types
                        .iter()
                        .any(|dtype| dtype.to_string() == text)
                        .then_some(text),
                ),
                _ => None,
            })
    };
    let part = typed(true).or_else(output).or_else(|| typed(false));
    part.into_iter().collect()
}

/// Whether the answer to a request depends on entropy, so that no implementation can be held to its bits.
pub(crate) fn is_random(request: &Request) -> bool {
    let drawn = |entropy: u64| {
        Reference::new(Limits::default(), move || entropy)
            .run(request)
            .ok()
    };
    request.is_unseeded() && drawn(1) != drawn(2)
}

/// Why the answer to a request cannot be judged by statistics. The judge asks for such an output again, and the same one
/// again is not random.
fn determined(request: &Request, oracle: &dyn Backend) -> Option<String> {
    if !request.is_unseeded() {
        let message = "judge by statistics what seeds determine: expected seeds that are all zero";
        return Some(message.to_owned());
    }
    if request.input_of(Role::Draws).is_some() {
        let message = "judge by statistics what given draws determine: expected a request without them";
        return Some(message.to_owned());
    }
    match oracle.run(request) {
        Err(Failure::Rejected(error)) => {
            let kind = error.kind.map_or("", |kind| kind.name());
            Some(format!(
                "judge by statistics what is refused: expected `rejected: {kind}`"
            ))
        }
        _ => None,
    }
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

    fn case(&mut self, file: &ParsedFile, case: &Case, oracle: &dyn Backend) {
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
        if matches!(case.expect, Expectation::Bits(_) | Expectation::Digest(_)) && is_random(&case.request) {
            let message = "expect bits of what is drawn from entropy: expected `by: statistics`, or a seed that is not zero";
            self.add(&case.location, message.to_owned());
        }
        if case.expect == Expectation::Statistical
            && let Some(message) = determined(&case.request, oracle)
        {
            self.add(&case.location, message);
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
