//! The answer of a reading to a request, and the readings that answer differently.

use seedproof::judging::Catalogue;
use seedproof_ops::{Backend, Failure, NanRule, Request, Response, Stages};

use crate::exit::Error;
use crate::implementations::unknown_reading;

/// The most elements over which readings are compared, and whose stages are shown.
const COMPARED: u64 = 1 << 16;

/// The parts of an answer that are printed.
#[derive(Clone, Copy)]
pub(super) struct Shown {
    /// The most elements of each output.
    pub(super) elements: usize,
    pub(super) stages: bool,
    /// Whether the outputs of other readings are printed too.
    pub(super) others: bool,
}

/// The answer of a reading, beside those of the others.
pub(super) struct Drawn {
    pub(super) reading: String,
    pub(super) answer: Result<Response, Failure>,
    /// Whether a second draw would return a different output.
    pub(super) is_random: bool,
    pub(super) stages: Option<Stages>,
    /// The other named readings, each with what it answers.
    pub(super) others: Vec<(String, Other)>,
    /// The number of elements that readings are compared over, where that is not the whole output.
    pub(super) compared: Option<u64>,
}

/// The answer of another reading.
pub(super) enum Other {
    Same,
    /// Another value, and the number of elements of the first output that differ.
    Differs(Response, usize),
    Rejects(String),
    /// None: the reading does not say.
    Unanswered(String),
}

/// Draws as a reading does.
///
/// # Errors
/// [`Error::Usage`] for an unknown reading.
pub(super) fn draw(catalogue: &Catalogue, reading: &str, request: &Request) -> Result<Drawn, Error> {
    let backend = named(catalogue, reading).ok_or_else(|| unknown_reading(reading))?;
    let answer = backend.run(request);
    let is_random = answer.is_ok() && is_random(backend, request, &answer);
    let small = (request.work() <= COMPARED).then(|| request.clone());
    let stages = small.as_ref().and_then(|request| backend.stages(request));
    let prefix = if small.is_some() {
        None
    } else {
        request.prefix(COMPARED)
    };
    let compared = prefix.as_ref().map(|_| COMPARED);
    let others = match (small.or(prefix), &answer) {
        (Some(request), Ok(_)) if !is_random => others(catalogue, reading, &request),
        (Some(request), Err(Failure::Rejected(_))) => others(catalogue, reading, &request),
        _ => Vec::new(),
    };
    Ok(Drawn {
        reading: reading.to_owned(),
        answer,
        is_random,
        stages,
        others,
        compared,
    })
}

/// A reading: `spec` is the oracle itself.
fn named<'a>(catalogue: &'a Catalogue, reading: &str) -> Option<&'a dyn Backend> {
    match reading {
        "spec" => Some(catalogue.reference()),
        _ => catalogue.reading(reading),
    }
}

/// Whether two draws differ, as they do where both seeds are zero. The beginning of the stream tells.
pub(super) fn is_random(
    backend: &dyn Backend,
    request: &Request,
    answer: &Result<Response, Failure>,
) -> bool {
    // Enough that whole numbers in a small range do not agree by chance.
    const TELLING: u64 = 256;
    request.prefix(TELLING).map_or_else(
        || backend.run(request) != *answer,
        |request| backend.run(&request) != backend.run(&request),
    )
}

/// The readings under which a request has one output. The last ones come first, since versions are listed in their order.
pub(super) fn determining<'a>(catalogue: &'a Catalogue, request: &Request) -> Vec<&'a str> {
    let determines = |backend: &dyn Backend| {
        let answer = backend.run(request);
        answer.is_ok() && !is_random(backend, request, &answer)
    };
    let all = catalogue.others().into_iter().rev();
    all.filter(|(_, backend)| determines(*backend))
        .map(|(name, _)| name)
        .collect()
}

/// The answers of the other readings to a request.
fn others(catalogue: &Catalogue, reading: &str, request: &Request) -> Vec<(String, Other)> {
    let Some(right) = named(catalogue, reading).map(|backend| backend.run(request)) else {
        return Vec::new();
    };
    let spec = ["spec"]
        .into_iter()
        .filter_map(|name| Some((name, named(catalogue, name)?)));
    spec.chain(catalogue.others())
        .filter(|(name, _)| *name != reading)
        .map(|(name, backend)| {
            (
                name.to_owned(),
                compare(&right, backend.run(request), catalogue.nan()),
            )
        })
        .collect()
}

fn compare(right: &Result<Response, Failure>, other: Result<Response, Failure>, nan: NanRule) -> Other {
    match (right, other) {
        (Ok(right), Ok(other)) if nan.same_value(right, &other) => Other::Same,
        (Err(Failure::Rejected(_)), Err(Failure::Rejected(_))) => Other::Same,
        (Ok(right), Ok(other)) => {
            let differing = other.output.count() - nan.agreeing(&right.output, &other.output);
            Other::Differs(other, differing)
        }
        (_, Ok(other)) => {
            let all = other.output.count();
            Other::Differs(other, all)
        }
        (_, Err(Failure::Rejected(error))) => Other::Rejects(error.to_string()),
        (_, Err(failure)) => Other::Unanswered(failure.to_string()),
    }
}
