//! Every reading and every mistake, asked for an array.

use std::num::NonZero;
use std::thread;

use seedproof_ops::{Backend, Request, Scalar, Tensor, standard};

use super::answer::{Answer, Draw};
use super::bounds::solved;
use super::elements::{PREFIX, as_list, drawn};
use super::evidence::is_certain;
use super::nearest::nearest;

use super::sought::Sought;
use super::streams::streams;
use super::values::{is_wide, types};
use crate::judging::Bank;

/// Elements up to which mistakes are tried on requests that have no shorter one: each draws all of them.
const MOST_WHOLE: u64 = 1 << 14;

/// Elements up to which later calls are tried on such requests. A weight of 256 x 256 is among them, also where the calls before it
/// are drawn too; of a million elements, half a minute would go into calls that hardly anybody brings.
const MOST_LATER: u64 = 1 << 19;

/// Who drew an array, of all that the bank knows.
///
/// ```
/// use seedproof::judging::Bank;
/// use seedproof::ops::{Limits, Tensor};
/// use seedproof::whois::{Sought, who_drew};
///
/// let drawn = [0x3f337cd6, 0x3e9c5ce8, 0x3f7076a8, 0x3f721312, 0x3def8250].map(f32::from_bits);
/// let sought = Sought {
///     actual: Tensor::vector(&drawn),
///     seed: 150,
///     op_seed: 10,
///     range: None,
///     within: None,
///     known: Vec::new(),
///     execution: 0,
/// };
/// let answer = who_drew(&sought, &Bank::new(Limits::default()));
/// assert_eq!(answer.word(), "named");
/// assert!(answer.draws[0].names.contains(&"spec".to_owned()));
/// ```
pub fn who_drew(sought: &Sought, bank: &Bank) -> Answer {
    standard(|| answer(sought, bank))
}

fn answer(sought: &Sought, bank: &Bank) -> Answer {
    // A constant is the output of every seed under some mistake, so that no search could decide for one. Large ones would take
    // seconds all the same.
    let mut elements = sought.actual.scalars();
    if let Some(first) = elements.next()
        && sought.actual.count() > 1
        && elements.all(|it| it == first)
    {
        return Answer::none(sought);
    }
    let typed: Vec<Sought> = types(&sought.actual)
        .into_iter()
        // Numbers with few digits are of no narrower type for that.
        .filter(|dtype| sought.within.is_none() || *dtype == sought.actual.dtype())
        .filter_map(|dtype| sought.in_type(dtype))
        .collect();
    // Words are a generator's before they are an op's with a mistake.
    let is_named_by_mistakes = |answer: &Answer| {
        let is_mistake = |name: &String| bank.mistakes().any(|(it, _)| it.id == *name);
        answer.draws.iter().all(|draw| draw.names.iter().all(is_mistake))
    };
    let is_mistaken = |answer: &Answer| !answer.dtype.is_float() && is_named_by_mistakes(answer);
    let rank = |answer: &Answer| match answer.word() {
        "named" if answer.streams.is_empty() && is_mistaken(answer) => 4,
        "named" => 5,
        "possible" => 3,
        "nearest" if answer.nearest.is_none() => 2,
        "nearest" => 1,
        _ => 0,
    };
    let mut best = Answer::none(sought);
    let mut attempts = 0;
    let steps: [fn(&Sought, &Bank) -> Answer; 3] = [of_readings, of_later_calls, of_streams];
    let own = sought.actual.dtype();
    let turns = steps
        .iter()
        .enumerate()
        .flat_map(|(stage, step)| typed.iter().map(move |sought| (stage, step, sought)));
    for (stage, step, sought) in turns {
        if stage > 0 && rank(&best) == 5 {
            break;
        }
        // A whole number of a small range is the same in every type; only words are of one width.
        let dtype = sought.actual.dtype();
        let is_words = || dtype.size() == 4 && is_wide(&sought.actual);
        if stage > 0 && dtype != own && !dtype.is_float() && !is_words() {
            continue;
        }
        let answer = step(sought, bank);
        attempts += answer.attempts;
        // Of answers that are as good, the first: readings before streams, and narrow types before wide ones.
        if stage == 0 && rank(&best) == 5 {
            // Several types may be right, and all that readings draw are said. A mistake in a wide type is not: it is what a
            // narrow type looks like there.
            if answer.word() == "named" && !is_named_by_mistakes(&answer) {
                best.draws.extend(answer.draws);
            }
            continue;
        }
        if rank(&answer) > rank(&best) {
            let nearest = best.nearest.take();
            best = answer;
            best.nearest = best.nearest.or(nearest);
        }
    }
    best.attempts = attempts;
    best
}

/// The streams that an array stands in, of any op.
fn of_streams(sought: &Sought, _bank: &Bank) -> Answer {
    Answer {
        streams: streams(sought, &[]),
        ..Answer::none(sought)
    }
}

/// The readings of later executions, and of the seed that TensorFlow takes where its graph has none: an array that is the
/// output of a second call, or of an op that was given a seed of its own only.
fn of_later_calls(sought: &Sought, bank: &Bank) -> Answer {
    const GRAPH_SEED: u64 = 87_654_321;
    const EXECUTIONS: u32 = 3;
    let readings: Vec<(&str, &dyn Backend)> = std::iter::once(("spec", bank.spec()))
        .chain(bank.others())
        .collect();
    let given_seeds = (sought.seed, sought.op_seed);
    let mut answer = Answer::none(sought);
    for (seed, op_seed) in [given_seeds, (GRAPH_SEED, sought.seed)] {
        for execution in 0..=EXECUTIONS {
            if (seed, op_seed, execution) == (sought.seed, sought.op_seed, sought.execution) {
                continue;
            }
            let other = Sought {
                seed,
                op_seed,
                execution,
                ..sought.clone()
            };
            let mut requests = other.requests();
            requests.retain(|it| it.work() <= MOST_LATER || it.prefix(PREFIX).is_some());
            answer.attempts += requests.len() * readings.len();
            let first = first(&other, &requests, &readings);
            answer
                .draws
                .extend(given(&other, &requests, &readings, &first, bank));
        }
    }
    let free = if sought.range.is_some() { 0 } else { 2 };
    answer.certain = is_certain(sought, free, &answer.draws, answer.attempts);
    answer
}

/// What readings and mistakes give, each request in every way that its op allows.
fn of_readings(sought: &Sought, bank: &Bank) -> Answer {
    let readings: Vec<(&str, &dyn Backend)> = std::iter::once(("spec", bank.spec()))
        .chain(bank.others())
        .collect();
    let mistakes: Vec<(&str, &dyn Backend)> = bank
        .mistakes()
        .map(|(it, backend)| (it.id.as_str(), backend))
        .collect();
    let mut requests = sought.requests();
    let mut first = self::first(sought, &requests, &readings);
    let mut draws = given(sought, &requests, &readings, &first, bank);
    // Bounds that are read off are odd ones: where a round range will do, they say nothing more.
    if draws.is_empty() && sought.range.is_none() && sought.within.is_none() {
        let more = read_off(sought, &requests, bank);
        let of_more = self::first(sought, &more, &readings);
        draws = given(sought, &more, &readings, &of_more, bank);
        requests.extend(more);
        first.extend(of_more);
    }
    let mut attempts = requests.len() * readings.len();
    let mut near = None;
    if draws.is_empty() {
        let is_short = |request: &Request| request.work() <= MOST_WHOLE || request.prefix(PREFIX).is_some();
        let (short, of_short): (Vec<Request>, Vec<&mut Vec<_>>) = requests
            .iter()
            .zip(&mut first)
            .filter(|(request, _)| is_short(request))
            .map(|(request, first)| (request.clone(), first))
            .unzip();
        attempts += short.len() * mistakes.len();
        let more = self::first(sought, &short, &mistakes);
        draws = given(sought, &short, &mistakes, &more, bank);
        for (first, more) in of_short.into_iter().zip(more) {
            first.extend(more);
        }
    }
    if draws.is_empty() {
        let all: Vec<_> = readings.into_iter().chain(mistakes).collect();
        near = nearest(sought, &requests, &all, &first, bank);
    }
    // Two bounds are fitted to two elements.
    let free = if sought.range.is_some() { 0 } else { 2 };
    let certain = is_certain(sought, free, &draws, attempts);
    Answer {
        draws,
        certain,
        nearest: near,
        attempts,
        ..Answer::none(sought)
    }
}

/// The requests with bounds that are read off from the array and the streams of these requests.
fn read_off(sought: &Sought, requests: &[Request], bank: &Bank) -> Vec<Request> {
    let mut ranges: Vec<(Scalar, Scalar)> = Vec::new();
    for range in requests
        .iter()
        .flat_map(|request| solved(request, &sought.actual, bank))
    {
        if !ranges.contains(&range) {
            ranges.push(range);
        }
    }
    let mut more = Vec::new();
    for range in ranges {
        let with = Sought {
            range: Some(range),
            ..sought.clone()
        };
        for request in with.requests() {
            if !requests.contains(&request) && !more.contains(&request) {
                more.push(request);
            }
        }
    }
    more
}

/// The first elements of each request by each candidate. Some requests have no shorter one, and are drawn whole.
fn first(
    sought: &Sought,
    requests: &[Request],
    candidates: &[(&str, &dyn Backend)],
) -> Vec<Vec<Option<Tensor>>> {
    let count = u64::try_from(sought.actual.count())
        .unwrap_or(u64::MAX)
        .min(PREFIX);
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let mut first = vec![Vec::new(); requests.len()];
    thread::scope(|scope| {
        let of = |part: &[(&str, &dyn Backend)], request| -> Vec<Option<Tensor>> {
            part.iter()
                .map(|(_, backend)| drawn(*backend, request, count))
                .collect()
        };
        let parts: Vec<_> = candidates
            .chunks(candidates.len().div_ceil(threads).max(1))
            .map(|part| {
                scope.spawn(move || {
                    requests
                        .iter()
                        .map(|request| of(part, request))
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        for part in parts {
            for (first, more) in first.iter_mut().zip(part.join().expect("backends do not panic")) {
                first.extend(more);
            }
        }
    });
    first
}

/// What gives every element, the names of each request together.
fn given(
    sought: &Sought,
    requests: &[Request],
    candidates: &[(&str, &dyn Backend)],
    first: &[Vec<Option<Tensor>>],
    bank: &Bank,
) -> Vec<Draw> {
    let mut draws = Vec::new();
    for (request, first) in requests.iter().zip(first) {
        let gives = |backend: &dyn Backend, first: &Option<Tensor>| {
            if !sought.is_begun_by(first.as_ref()?, bank.nan()) {
                return None;
            }
            let whole = backend.run(request).ok()?;
            let is_whole = whole.output.count() == sought.actual.count();
            (is_whole && sought.is_begun_by(&as_list(&whole.output), bank.nan())).then_some(())
        };
        let named = candidates.iter().zip(first);
        let named = named.filter(|((_, backend), first)| gives(*backend, first).is_some());
        let names: Vec<String> = named.map(|((name, _), _)| (*name).to_owned()).collect();
        if !names.is_empty() {
            draws.push(Draw {
                names,
                request: request.clone(),
            });
        }
    }
    draws
}
