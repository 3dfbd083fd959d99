//! The search for an array among every reading and every mistake, and then among streams.

use std::cell::LazyCell;

use seedproof_ops::{Failure, Request, Response, Scalar, Tensor};

use super::answer::{Answer, Draw};
use super::arranged::{Arrangement, arrangements};
use super::bounds::solved;
use super::compared::Compared;
use super::derived::later_requests;
use super::elements::head;
use super::evidence::is_certain;
use super::first::{MOST_WHOLE, first, is_short};
use super::nearest::nearest;
use super::numbers::is_same;
use super::scaled::of_scaled;
use super::slices::of_slices;
use super::sought::Sought;
use super::streams::{Stream, begun_streams, later_streams, sorted_streams, streams};
use super::values::{is_wide, types};
use crate::catalogue::{Asked, Catalogue};

/// The most work of a request without a shorter form that is tried as a later call. That includes a weight of 256 x
/// 256, with the calls before it. A million elements would take half a minute, for a question that is seldom asked.
const MOST_LATER: u64 = 1 << 19;

/// The question in each type that the array may have, the narrowest first.
pub(super) fn typed(sought: &Sought) -> Vec<Sought> {
    types(&sought.actual)
        .into_iter()
        // A number that is written with few digits fits a narrower type, and need not be of it.
        .filter(|dtype| *dtype == sought.actual.dtype() || sought.within.as_deref().is_none_or(are_exact))
        .filter(|dtype| Some(*dtype) != sought.asked)
        .filter_map(|dtype| sought.in_type(dtype))
        .collect()
}

/// The answer for an array of which every element is as it was drawn.
pub(super) fn of_whole(sought: &Sought, catalogue: &Catalogue) -> Answer {
    // Some mistake draws this constant from every seed, so that no search could decide for one. It would take seconds
    // for a large array all the same.
    let mut elements = sought.actual.scalars();
    if sought.actual.count() == 0 {
        return Answer::none(sought);
    }
    if let Some(first) = elements.next()
        && sought.actual.count() > 1
        && elements.all(|it| it == first)
    {
        return Answer::none(sought);
    }
    // Nor does it take a seed to count.
    let mut counted = (0_u32..).zip(sought.actual.scalars());
    if sought.actual.count() > 2 && counted.all(|(i, it)| is_same(it.to_f64(), i.into())) {
        return Answer::none(sought);
    }
    let typed = typed(sought);
    // A generator's own words are a better answer for integers than an op with a mistake that passes them on. So a draw
    // by mistakes alone ranks below the streams, which are searched next.
    let is_mistaken = |answer: &Answer| !answer.dtype.is_float() && is_named_by_mistakes(answer, catalogue);
    // Among answers that are merely nearest, one with a stream explains more than a draw with wrong elements.
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
    let steps: [fn(&Sought, &Catalogue) -> Answer; 7] = [
        of_readings,
        of_slices,
        of_later_calls,
        of_scaled,
        of_streams,
        of_arranged,
        of_sorted,
    ];
    let own = sought.actual.dtype();
    let turns = steps
        .iter()
        .enumerate()
        .flat_map(|(stage, step)| typed.iter().map(move |sought| (stage, step, sought)));
    for (stage, step, sought) in turns {
        // Elements that are near to those of a stream are not these in another order.
        if stage > 0 && rank(&best) == 5 || stage + 1 == steps.len() && rank(&best) > 0 {
            break;
        }
        // Small whole numbers are the same in every type, and one search finds them all. Words have the width of their
        // type.
        let dtype = sought.actual.dtype();
        let is_words = || dtype.size() == 4 && is_wide(&sought.actual);
        if stage > 0 && dtype != own && !dtype.is_float() && !is_words() {
            continue;
        }
        let answer = step(sought, catalogue);
        attempts += answer.attempts;
        // Of equally good answers the first one is kept: readings before streams, and narrow types before wide ones.
        if stage == 0 && rank(&best) == 5 {
            // The array may be an output in several types, and the readings of each are named. A mistake in a wide type
            // is left out: an output of a narrow type, saved in a wide one, looks like lost bits there.
            if answer.word() == "named" && !is_named_by_mistakes(&answer, catalogue) {
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
    Answer {
        attempts,
        ..unless_by_chance(best, sought, catalogue)
    }
}

/// Whether the names of an answer are those of mistakes alone.
fn is_named_by_mistakes(answer: &Answer, catalogue: &Catalogue) -> bool {
    let is_mistake = |name: &String| catalogue.mistakes().any(|(it, _)| it.id == *name);
    answer.draws.iter().all(|draw| draw.names.iter().all(is_mistake))
}

/// The answer, unless mistakes alone draw an array that has too few bits. Of hundreds of mistakes, some draw any such array.
pub(super) fn unless_by_chance(answer: Answer, sought: &Sought, catalogue: &Catalogue) -> Answer {
    if answer.word() == "possible" && !answer.draws.is_empty() && is_named_by_mistakes(&answer, catalogue) {
        Answer::none(sought)
    } else {
        answer
    }
}

/// Whether most numbers are written with the digits of a double. If a narrower type has them all the same, they are of that
/// type: `tolist()` of an array of f32 prints each element as a double.
fn are_exact(within: &[[f64; 2]]) -> bool {
    let exact = within
        .iter()
        .filter(|[low, high]| high - low < low.abs() * 2.0_f64.powi(-40));
    2 * exact.count() >= within.len()
}

/// The streams in which an array stands, whatever op it is from.
fn of_streams(sought: &Sought, _catalogue: &Catalogue) -> Answer {
    Answer {
        streams: streams(sought, &[]),
        ..Answer::none(sought)
    }
}

/// The orders of elements, the usual ones first, that are looked for at later places of streams. Each takes a tenth of a second.
const USUAL: usize = 5;

/// The readings and the streams that begin with the array in another order of its elements.
fn of_arranged(sought: &Sought, catalogue: &Catalogue) -> Answer {
    let readings = catalogue.asked_readings();
    let mut answer = Answer::none(sought);
    let orders = arrangements(&sought.actual);
    let said = |mut streams: Vec<Stream>, what: &str| {
        for stream in &mut streams {
            stream.sentence.push_str(&format!("; {what}"));
        }
        streams
    };
    for it in &orders {
        let Some(other) = &it.of(sought) else { continue };
        let what = &it.what;
        let mut requests = other.requests();
        requests.retain(|it| is_short(it, 0));
        answer.attempts += requests.len() * readings.len();
        let draws = drawn_by(&Compared::whole(other), &requests, &readings, catalogue);
        answer.draws.extend(draws.map(|draw| Draw {
            from: Some(what.clone()),
            ..draw
        }));
        if answer.draws.is_empty() {
            answer.streams = said(begun_streams(other), what);
        }
        if !answer.draws.is_empty() || !answer.streams.is_empty() {
            break;
        }
    }
    // Frameworks draw it with seeds that they make of the one that was given.
    for it in orders.iter().take(USUAL) {
        if !answer.draws.is_empty() || !answer.streams.is_empty() {
            break;
        }
        let Some(other) = &it.of(sought) else { continue };
        let later = later_calls_of(other, &Compared::whole(other), catalogue);
        answer.attempts += later.attempts;
        answer.draws.extend(later.draws.into_iter().map(|draw| Draw {
            from: Some(match draw.from {
                Some(from) => format!("{from}; {}", it.what),
                None => it.what.clone(),
            }),
            ..draw
        }));
    }
    // Others may have been drawn before it.
    if answer.draws.is_empty() && answer.streams.is_empty() {
        let later = |it: &Arrangement| Some(said(later_streams(&it.of(sought)?), &it.what));
        // One after the other: each search uses all processors by itself.
        let mut later = orders.iter().take(USUAL).filter_map(later);
        answer.streams = later.find(|found| !found.is_empty()).unwrap_or_default();
    }
    answer.certain = is_certain(sought, sought.free(), &answer.draws, answer.attempts);
    answer
}

/// The streams that begin with the elements in an order that is not known: they were sorted, or shuffled.
fn of_sorted(sought: &Sought, _catalogue: &Catalogue) -> Answer {
    /// The most elements: the numbers of every key are sorted.
    const MOST: usize = 1 << 13;
    let nothing = Answer::none(sought);
    if sought.actual.count() > MOST {
        return nothing;
    }
    let Some(sorted) = sought.sorted() else {
        return nothing;
    };
    let is_own_order = sorted.actual == sought.actual;
    let what = if is_own_order {
        "; then its numbers were sorted"
    } else {
        "; then its numbers were shuffled, in an order that is not known"
    };
    let mut streams = sorted_streams(&sorted);
    for stream in &mut streams {
        stream.sentence.push_str(what);
    }
    Answer { streams, ..nothing }
}

/// The readings that reproduce the array as a later execution, or with seeds that a framework makes of the one that was asked
/// about.
fn of_later_calls(sought: &Sought, catalogue: &Catalogue) -> Answer {
    later_calls_of(sought, &Compared::whole(sought), catalogue)
}

/// [`of_later_calls`], of which the elements that are known are compared.
pub(super) fn later_calls_of(sought: &Sought, compared: &Compared<'_>, catalogue: &Catalogue) -> Answer {
    let readings = catalogue.asked_readings();
    let mut answer = Answer::none(sought);
    later_requests(sought, |mut requests, from| {
        let most = if from.is_none() { MOST_LATER } else { MOST_WHOLE };
        requests.retain(|it| is_short(it, most));
        answer.attempts += requests.len() * readings.len();
        let draws = drawn_by(compared, &requests, &readings, catalogue);
        answer.draws.extend(draws.map(|draw| Draw {
            from: from.map(str::to_owned),
            ..draw
        }));
    });
    answer.certain = is_certain(compared.sought, sought.free(), &answer.draws, answer.attempts);
    answer
}

/// The readings and mistakes that reproduce the array, over every request that the ops allow.
fn of_readings(sought: &Sought, catalogue: &Catalogue) -> Answer {
    readings_of(sought, &Compared::whole(sought), catalogue)
}

/// [`of_readings`], of which the elements that are known are compared.
pub(super) fn readings_of(sought: &Sought, compared: &Compared<'_>, catalogue: &Catalogue) -> Answer {
    let readings = catalogue.asked_readings();
    let mistakes = catalogue.asked_mistakes();
    let mut requests = sought.requests();
    let is_whole = compared.places.is_none();
    if !is_whole && sought.known.is_empty() {
        // A printed text may stand for an array of any size, which few requests that are not known to fit may draw whole.
        requests.retain(|it| is_short(it, MOST_LATER));
    }
    let mut first = if is_whole || sought.known.is_empty() {
        self::first(compared, &requests, &readings, catalogue)
    } else {
        // A request with a card's geometry has no prefix, so it is drawn whole, and once.
        let nothing = Some(head(&compared.sought.actual, 0));
        vec![vec![nothing; readings.len()]; requests.len()]
    };
    let mut draws = given(compared, &requests, &readings, &first, catalogue);
    // Bounds that are computed from the array are seldom round numbers. They are tried only if no round range fits.
    if draws.is_empty() && sought.range.is_none() && sought.within.is_none() && is_whole {
        let more = read_off(sought, &requests, catalogue);
        let of_more = self::first(compared, &more, &readings, catalogue);
        draws = given(compared, &more, &readings, &of_more, catalogue);
        requests.extend(more);
        first.extend(of_more);
    }
    let mut attempts = requests.len() * readings.len();
    let mut near = None;
    // Mistakes follow only where no reading fits: a mistake that changes nothing in this request would be named beside
    // it.
    if draws.is_empty() {
        let (short, of_short): (Vec<Request>, Vec<&mut Vec<_>>) = requests
            .iter()
            .zip(&mut first)
            .filter(|(request, _)| is_short(request, MOST_WHOLE))
            .map(|(request, first)| (request.clone(), first))
            .unzip();
        attempts += short.len() * mistakes.len();
        let more = self::first(compared, &short, &mistakes, catalogue);
        draws = given(compared, &short, &mistakes, &more, catalogue);
        for (first, more) in of_short.into_iter().zip(more) {
            first.extend(more);
        }
    }
    if draws.is_empty() && is_whole {
        let all: Vec<_> = readings.into_iter().chain(mistakes).collect();
        near = nearest(sought, &requests, &all, &first, catalogue);
    }
    let certain = is_certain(compared.sought, sought.free(), &draws, attempts);
    Answer {
        draws,
        certain,
        nearest: near,
        attempts,
        ..Answer::none(sought)
    }
}

/// The requests with bounds that are computed from the array and the streams of these requests.
fn read_off(sought: &Sought, requests: &[Request], catalogue: &Catalogue) -> Vec<Request> {
    let mut ranges: Vec<(Scalar, Scalar)> = Vec::new();
    for range in requests
        .iter()
        .flat_map(|request| solved(request, &sought.actual, catalogue))
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

/// [`given`], of which no first elements are known.
fn drawn_by(
    compared: &Compared<'_>,
    requests: &[Request],
    candidates: &[Asked<'_>],
    catalogue: &Catalogue,
) -> impl Iterator<Item = Draw> + use<> {
    let first = first(compared, requests, candidates, catalogue);
    given(compared, requests, candidates, &first, catalogue).into_iter()
}

/// The candidates that reproduce every element, those of the same request together.
fn given(
    compared: &Compared<'_>,
    requests: &[Request],
    candidates: &[Asked<'_>],
    first: &[Vec<Option<Tensor>>],
    catalogue: &Catalogue,
) -> Vec<Draw> {
    let mut draws = Vec::new();
    for (request, first) in requests.iter().zip(first) {
        let fits = |answer: Result<Response, Failure>| {
            answer.is_ok_and(|whole| compared.is(&whole.output, catalogue.nan()))
        };
        // Drawn only once a candidate begins the array, since hardly any does.
        let usual = LazyCell::new(|| {
            let (answer, reads) = catalogue.base().noted(request);
            (fits(answer), reads)
        });
        let gives = |it: &Asked<'_>, first: &Option<Tensor>| {
            // The first elements were drawn already and exclude nearly every candidate.
            let begins = |first: &Tensor| compared.is_begun_by(first, catalogue.nan());
            if !first.as_ref().is_some_and(begins) {
                return false;
            }
            let (is_usual, reads) = *usual;
            if it.may_differ(request.op(), reads) {
                fits(it.backend.run(request))
            } else {
                is_usual
            }
        };
        let named = candidates.iter().zip(first);
        let named = named.filter(|(it, first)| gives(it, first));
        let names: Vec<String> = named.map(|(it, _)| it.name.to_owned()).collect();
        if !names.is_empty() {
            draws.push(Draw {
                names,
                request: request.clone(),
                from: None,
            });
        }
    }
    draws
}
