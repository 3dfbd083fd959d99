//! Every reading and every mistake, asked for an array.

use std::num::NonZero;
use std::thread;

use seedproof_ops::{Backend, Request, Scalar, Tensor, standard};

use super::answer::{Answer, Draw};
use super::bounds::solved;
use super::elements::{PREFIX, as_list, drawn, head};
use super::evidence::is_certain;
use super::nearest::nearest;
use super::sought::Sought;
use crate::judging::Bank;

/// Elements up to which mistakes are tried on requests that have no shorter one: each draws all of them.
const MOST_WHOLE: u64 = 1 << 14;

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
    let requests = requests(sought, bank);
    let readings: Vec<(&str, &dyn Backend)> = std::iter::once(("spec", bank.spec()))
        .chain(bank.others())
        .collect();
    let mistakes: Vec<(&str, &dyn Backend)> = bank.mistakes().map(|(it, backend)| (it.id, backend)).collect();
    let mut attempts = requests.len() * readings.len();
    let mut first = first(sought, &requests, &readings);
    let mut draws = given(sought, &requests, &readings, &first, bank);
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
    let certain = is_certain(&sought.actual, free, &draws, attempts);
    Answer {
        draws,
        certain,
        nearest: near,
        attempts,
    }
}

/// The requests that may have drawn the array, with bounds that are known, or suggested by its elements, or read off from
/// them.
fn requests(sought: &Sought, bank: &Bank) -> Vec<Request> {
    let mut all = sought.requests();
    if sought.range.is_some() {
        return all;
    }
    let mut ranges: Vec<(Scalar, Scalar)> = Vec::new();
    for range in all
        .iter()
        .flat_map(|request| solved(request, &sought.actual, bank))
    {
        if !ranges.contains(&range) {
            ranges.push(range);
        }
    }
    for range in ranges {
        let with = Sought {
            range: Some(range),
            ..sought.clone()
        };
        for request in with.requests() {
            if !all.contains(&request) {
                all.push(request);
            }
        }
    }
    all
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
    let actual = &sought.actual;
    let short = head(actual, PREFIX);
    let mut draws = Vec::new();
    for (request, first) in requests.iter().zip(first) {
        let gives = |backend: &dyn Backend, first: &Option<Tensor>| {
            if !bank.nan().same(first.as_ref()?, &short) {
                return None;
            }
            let whole = backend.run(request).ok()?;
            bank.nan()
                .same(&as_list(&whole.output), &as_list(actual))
                .then_some(())
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
