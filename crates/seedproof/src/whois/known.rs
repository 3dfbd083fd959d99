//! Explains how an output differs from that of a known request.
//!
//! The diagnosis of the judge comes first, with readings, mistakes and structures. An output that it does not explain
//! is then looked for in the streams of all generators.

use std::sync::Arc;

use seedproof_check::{Cause, CauseKind, Diagnosis, Evidence, Explanation, Unexplained, Verdict};
use seedproof_corpus::CaseId;
use seedproof_ops::{
    AttributeInfo, AttributeValue, Backend, Distribution, Dtype, InputInfo, Kind, Request, Role, Scalar,
    Tensor, Types,
};

use super::numbers::EVIDENCE;
use super::seen::Seen;
use super::sought::Sought;
use super::streams::{Stream, streams};
use super::values::{agreeing, in_type, types};
use crate::judging::Catalogue;

/// The number of elements after an output in which it is also looked for.
const LOOKAHEAD: usize = 1 << 13;

/// The question which candidate drew `actual`, with the seeds, words and bounds of a known request.
///
/// ```
/// use seedproof::ops::{Alignment, RandomUniform, Request, Tensor};
/// use seedproof::whois::of_request;
///
/// let request = RandomUniform::new(Alignment::Tensorflow, &[2], [-1.0_f32, 1.0], [150, 10]);
/// let sought = of_request(&Request::RandomUniform(request), &Tensor::vector(&[0.5_f32, -0.25]), None);
/// assert_eq!((sought.seed, sought.op_seed), (150, 10));
/// assert_eq!(sought.range.map(|(low, _)| low.to_f64()), Some(-1.0));
/// ```
pub fn of_request(request: &Request, actual: &Tensor, within: Option<Arc<[[f64; 2]]>>) -> Sought {
    let seeds = request
        .attributes()
        .into_iter()
        .filter_map(|(_, value)| match value {
            AttributeValue::Seed(seed) => Some(seed),
            _ => None,
        });
    let words = request
        .inputs()
        .into_iter()
        .filter(|(info, _)| matches!(info.role, Role::Words(_)));
    let words = words.flat_map(|(_, tensor)| {
        let wide = tensor.bytes().chunks(8).map(|bytes| {
            bytes
                .iter()
                .rev()
                .fold(0_u64, |number, &byte| number << 8 | u64::from(byte))
        });
        // DirectML's state has two words of 64 bits for the counter, and then one for the key, which is the seed here.
        let mut wide: Vec<u64> = wide.collect();
        if wide.len() == 3 {
            wide.rotate_left(2);
        }
        wide
    });
    let mut numbers = seeds.chain(words);
    let range = match request.distribution() {
        Some(Distribution::Uniform { lower, upper }) => Some((lower, upper)),
        _ => None,
    };
    let mut number = || numbers.next().unwrap_or(0);
    Sought {
        within,
        range,
        execution: request.execution(),
        ..Sought::new(actual.clone(), number(), number())
    }
}

/// The streams in which an output stands, where its request is known. The request's own words are searched first, with
/// other conversions.
pub fn streams_of(request: &Request, sought: &Sought, catalogue: &Catalogue) -> Vec<Stream> {
    let count = u64::try_from(sought.actual.count() + LOOKAHEAD).unwrap_or(u64::MAX);
    let longer = request.prefix(count);
    let stages = catalogue.reference().stages(longer.as_ref().unwrap_or(request));
    let given: Vec<Vec<u32>> = stages.into_iter().map(|stages| stages.words).collect();
    streams(sought, &given)
}

/// The output that was most likely printed, for an array of decimals with few digits: the expected output, or that of a
/// reading or mistake, if its digits are the same. Otherwise each element is the expected one if its digits are, and
/// else the nearest value.
pub fn likeliest(request: &Request, sought: &Sought, expected: &Tensor, catalogue: &Catalogue) -> Tensor {
    let Some(within) = &sought.within else {
        return sought.actual.clone();
    };
    let fits = |output: &Tensor| output.count() == within.len() && agreeing(within, output) == within.len();
    if fits(expected) {
        return expected.clone();
    }
    let families = catalogue.families(&[]);
    let candidates: Vec<&dyn Backend> = catalogue
        .others()
        .into_iter()
        .map(|(_, backend)| backend)
        .chain(catalogue.mistakes().map(|(_, backend)| backend))
        .chain(families.iter().map(|found| &*found.backend))
        .collect();
    // Few digits fit many outputs by chance, and a candidate must not be named for that.
    if is_telling(sought, candidates.len()) {
        let outputs = candidates.iter().filter_map(|backend| backend.run(request).ok());
        if let Some(response) = outputs.into_iter().find(|response| fits(&response.output)) {
            return response.output;
        }
    }
    let element = |(index, nearest): (usize, Scalar)| {
        let expected = expected.get(index).filter(|expected| {
            let [low, high] = within[index];
            (low..=high).contains(&expected.to_f64())
        });
        expected.unwrap_or(nearest)
    };
    let elements = sought.actual.scalars().enumerate().map(element);
    let shape = sought.actual.shape().clone();
    Tensor::from_scalars(sought.actual.dtype(), shape, elements).expect("it has as many elements")
}

/// Whether printed numbers are written with enough digits to tell a right output from a wrong one. Where floats are continuous,
/// a buffer of zeros that is printed as `0 0 0 0` agrees with every output of a range below one half.
pub fn is_decided(request: &Request, sought: &Sought) -> bool {
    /// One wrong output in 256 agrees by chance.
    const NEEDED: f64 = 8.0;
    let range = match request.distribution() {
        Some(Distribution::Uniform { lower, upper }) => upper.to_f64() - lower.to_f64(),
        Some(Distribution::Normal { .. }) => 1.0,
        _ => return true,
    };
    let Some(within) = sought.within.as_ref().filter(|_| range > 0.0) else {
        return true;
    };
    let bits = |&[low, high]: &[f64; 2]| (range / (high - low)).log2().max(0.0);
    within.iter().map(bits).sum::<f64>() >= NEEDED
}

/// Whether an array has more bits than that many candidates agree with by chance.
fn is_telling(sought: &Sought, candidates: usize) -> bool {
    let range = sought
        .range
        .map_or(1.0, |(low, high)| high.to_f64() - low.to_f64());
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    let [count, candidates] = [sought.actual.count() as f64, candidates as f64];
    Seen::of(sought).bits(range, 32.0) * count > EVIDENCE + candidates.log2()
}

/// The diagnosis of one case by a stream that explains every element, if that is a better explanation than `known`. To
/// the search for causes, a stream with an edit in it looks like a list of chunks, or like several causes together.
pub fn diagnosed(case: &CaseId, known: Diagnosis, streams: &[Stream]) -> Diagnosis {
    let is_better = match (known.verdict, known.explanations.first()) {
        (Verdict::Unexplained | Verdict::Partly, _) | (_, None) => true,
        (_, Some(first)) => match first.cause.kind {
            CauseKind::Reading | CauseKind::Mistake => false,
            CauseKind::Structure => first.cause.name.starts_with("chunks"),
            CauseKind::Combination => true,
        },
    };
    let Some(stream) = streams.first().filter(|stream| is_better && stream.is_whole()) else {
        // A stream that the output follows with a few edits says more than the nearest candidate.
        let is_followed = streams.first().is_some_and(|stream| stream.is_followed);
        let unexplained = known.unexplained.into_iter().map(|case| Unexplained {
            nearest: case.nearest.filter(|_| !is_followed),
            ..case
        });
        return Diagnosis {
            unexplained: unexplained.collect(),
            ..known
        };
    };
    let cause = Cause::structure(stream.name.clone(), stream.sentence.clone(), "");
    explained(case, cause, [stream.elements, stream.of])
}

/// The diagnosis of an output whose elements are those of a narrower type, drawn by a reading and saved in the type of the
/// request. To the search for causes, it looks like a computation with a rounding in it.
pub fn narrowed(
    case: &CaseId,
    request: &Request,
    sought: &Sought,
    catalogue: &Catalogue,
) -> Option<Diagnosis> {
    let actual = &sought.actual;
    let own = actual.dtype();
    let narrower = types(actual)
        .into_iter()
        .filter(|dtype| *dtype != own && dtype.is_float());
    narrower.into_iter().find_map(|dtype| {
        let other = of_type(request, dtype)?;
        let wanted = sought.in_type(dtype)?;
        // A half has few values, and one of the readings draws a few of them by chance.
        let readings = catalogue.others().len() + 1;
        if !is_telling(&wanted, readings) {
            return None;
        }
        let draws = |backend: &dyn Backend| {
            let drawn = backend.run_supported(&other);
            drawn.is_ok_and(|drawn| drawn.output == wanted.actual)
        };
        let names: Vec<&str> = [("spec", catalogue.spec())]
            .into_iter()
            .chain(catalogue.others())
            .filter(|(_, backend)| draws(*backend))
            .map(|(name, _)| name)
            .collect();
        let sentence = format!(
            "every element is of {dtype}, as drawn by {} for {dtype}, and was saved as {own}",
            names.join(", ")
        );
        let fix = "ask for the type in which the output was drawn";
        let count = actual.count();
        let cause = Cause::structure(format!("saved-from({dtype})"), sentence, fix);
        (!names.is_empty()).then(|| explained(case, cause, [count, count]))
    })
}

/// The request for an output of another type; `None` for an op that leaves the type to its inputs.
fn of_type(request: &Request, dtype: Dtype) -> Option<Request> {
    let is_type = |kind: Kind| matches!(kind, Kind::Dtype(_));
    let named = request
        .attributes()
        .iter()
        .find(|(info, _)| is_type(info.kind))
        .map(|(info, _)| info.name)?;
    let attribute = &mut |info: &'static AttributeInfo| {
        if info.name == named {
            Some(AttributeValue::Text(dtype.name().to_owned()))
        } else {
            request.attribute(info.name)
        }
    };
    let input = &mut |info: &'static InputInfo| {
        let input = request.input(info.name)?;
        match info.dtypes {
            Types::Attribute(name) if name == named => in_type(input, dtype),
            _ => Some(input.clone()),
        }
    };
    Request::build(request.op(), attribute, input, request.execution()).ok()
}

/// The diagnosis of a case by one cause.
fn explained(case: &CaseId, cause: Cause, elements: [usize; 2]) -> Diagnosis {
    let [elements, of] = elements.map(|count| u64::try_from(count).unwrap_or(u64::MAX));
    Diagnosis {
        verdict: Verdict::Explained,
        explanations: vec![Explanation {
            cause,
            stage: None,
            evidence: Evidence {
                elements,
                elements_total: of,
                cases: 1,
                cases_total: 1,
                contradicted: 0,
            },
            cases: vec![case.clone()],
            only: String::new(),
            parts: Vec::new(),
        }],
        unexplained: Vec::new(),
        tried: Vec::new(),
    }
}
