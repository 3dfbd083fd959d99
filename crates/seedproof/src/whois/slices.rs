//! Parts of a permutation: the numbers by which data sets are split, sampled and shuffled.

use seedproof_ops::{Backend as _, Kind, Named as _, OpName, Request, Shape, Tensor};
use seedproof_report::CaseFacts;

use super::answer::{Answer, Draw};
use super::choice::chosen;
use super::derived::loader_seeds;
use super::evidence::is_certain;
use super::numbers::{as_f64, choices, orders};
use super::python::{sample, shuffled};
use super::requests::{Suggested, is_order, wholes};
use super::shuffled::after_others;
use super::sought::Sought;
use super::standard_library;
use super::streams::Stream;
use crate::catalogue::{Asked, Catalogue};
use crate::judging::ad_hoc;

/// The most things of a permutation that are drawn.
const MAX_THINGS: usize = 1 << 20;
/// The most things of the permutations of different sizes together: each size is asked of every op, and with the seeds of eight
/// epochs.
const WORK: usize = 1 << 18;
/// The numbers after the greatest one of an array that are tried as the number of things.
const AFTER: usize = 24;

/// The sizes of a permutation that are tried after other draws, of which there are millions.
const LIKELY: usize = 8;

/// The permutations of which an array is a part, or all of it with a seed that a `DataLoader` draws.
pub(super) fn of_slices(sought: &Sought, catalogue: &Catalogue) -> Answer {
    let mut answer = Answer::none(sought);
    let Some(places) = distinct(&sought.actual) else {
        return answer;
    };
    let is_whole = is_order(&sought.actual);
    let counts_things = |op: &OpName| {
        let mut attributes = op.description().attributes.iter();
        attributes.any(|info| info.name == "n" && matches!(info.kind, Kind::Number(_)))
    };
    let ops: Vec<OpName> = OpName::ALL.iter().copied().filter(counts_things).collect();
    let loaders = loader_seeds(sought.seed);
    let mut work = WORK;
    for n in sizes(&places) {
        let Some(left) = work.checked_sub(n) else { break };
        work = left;
        // `of_readings` has compared the whole array with permutations of its own size.
        let own = (!is_whole || n != places.len()).then(|| permutations(sought, sought.seed, n, &ops));
        for request in own.into_iter().flatten() {
            answer.attempts += n;
            let Some(drawn) = Drawn::of(request, catalogue) else {
                continue;
            };
            answer.streams.extend(drawn.fold(&places, answer.attempts));
            answer.draws.extend(drawn.part(&places, None));
        }
        for (seed, from) in &loaders {
            for request in permutations(sought, *seed, n, &[OpName::TorchRandperm]) {
                answer.attempts += n;
                let drawn = Drawn::of(request, catalogue);
                answer
                    .draws
                    .extend(drawn.and_then(|it| it.part(&places, Some(from))));
            }
        }
        answer.attempts += 4;
        let call = by_call(sought.seed, n, &places, is_whole, answer.attempts);
        answer.streams.extend(call.filter(Stream::is_certain));
        if !answer.draws.is_empty() || !answer.streams.is_empty() {
            break;
        }
    }
    if answer.draws.is_empty() && answer.streams.is_empty() {
        let sizes = if is_whole {
            vec![places.len()]
        } else {
            sizes(&places).into_iter().take(LIKELY).collect()
        };
        answer
            .streams
            .extend(after_others(sought, &sizes, &places, answer.attempts));
    }
    answer.certain = is_certain(sought, 1, &answer.draws, answer.attempts);
    answer
}

/// A permutation that a request draws.
struct Drawn<'a> {
    request: Request,
    output: Tensor,
    order: Vec<usize>,
    catalogue: &'a Catalogue,
}

impl<'a> Drawn<'a> {
    fn of(request: Request, catalogue: &'a Catalogue) -> Option<Self> {
        let output = catalogue.base().run(&request).ok()?.output;
        let order = distinct(&output)?;
        Some(Self {
            request,
            output,
            order,
            catalogue,
        })
    }

    /// The readings that draw it.
    fn names(&self) -> Vec<String> {
        let draws_alike = |it: &Asked<'_>| {
            let answer = it.backend.run(&self.request);
            answer.is_ok_and(|answer| answer.output == self.output)
        };
        let readings = self.catalogue.asked_readings().into_iter().filter(draws_alike);
        readings.map(|it| it.name.to_owned()).collect()
    }

    /// The draw, if these stand in it one after the other.
    fn part(self, places: &[usize], seed_from: Option<&String>) -> Option<Draw> {
        let start = self.order.iter().position(|it| Some(it) == places.first())?;
        if !self.order[start..].starts_with(places) {
            return None;
        }
        let what = (places.len() < self.order.len()).then(|| self.told(start, places.len()));
        let from: Vec<String> = seed_from.cloned().into_iter().chain(what).collect();
        Some(Draw {
            names: self.names(),
            from: Some(from.join("; ")),
            request: self.request,
        })
    }

    fn told(&self, start: usize, count: usize) -> String {
        let end = start + count - 1;
        format!("elements {start} to {end} of the {}", self.order.len())
    }

    /// The part of it that these are in ascending order, as scikit-learn's folds are: which things are in a part is evidence, and
    /// their order is not.
    fn fold(&self, places: &[usize], attempts: usize) -> Option<Stream> {
        let (n, k) = (self.order.len(), places.len());
        if k >= n || !places.is_sorted() {
            return None;
        }
        let is_of_fold = |thing: &usize| places.binary_search(thing).is_ok();
        let start = self.order.iter().position(is_of_fold)?;
        if !self.order[start..].iter().take(k).all(is_of_fold) {
            return None;
        }
        let name = self.names().first().cloned().unwrap_or_default();
        let sentence = format!(
            "{}: {}, in ascending order",
            CaseFacts::of(&ad_hoc(self.request.clone())).line(),
            self.told(start, k)
        );
        let bits = choices(n, k) - as_f64(n - k + 1).log2();
        let stream = Stream::whole(name, sentence, k, [bits, as_f64(attempts)], 1);
        stream.is_certain().then_some(stream)
    }
}

/// The call of Python's `random` or of NumPy's `Generator` that returns these places.
fn by_call(seed: u64, n: usize, places: &[usize], is_whole: bool, attempts: usize) -> Option<Stream> {
    let k = places.len();
    let is = |drawn: Option<Vec<usize>>| drawn.is_some_and(|drawn| drawn == places);
    let python = |call: String| format!("{call} after random.seed({seed}) of Python");
    let begins = |drawn: Option<Vec<usize>>| drawn.is_some_and(|drawn| drawn.starts_with(places));
    let (name, sentence) = if begins(shuffled(seed, n)) {
        ("python", python(format!("random.shuffle(list(range({n})))")))
    } else if k <= n && is(sample(seed, n, k)) {
        ("python", python(format!("random.sample(range({n}), {k})")))
    } else if begins(standard_library::shuffled(seed, n)) {
        let call = format!("std::shuffle of libstdc++, of {n} things, with std::mt19937({seed})");
        ("mt19937", call)
    } else if is(chosen(seed, n, k)) {
        let call = format!("numpy.random.default_rng({seed}).choice({n}, {k}, replace=False)");
        ("numpy.random.default_rng", call)
    } else {
        return None;
    };
    let evidence = [orders(n, k), as_f64(attempts)];
    let parameters = usize::from(!is_whole);
    Some(Stream::whole(name.to_owned(), sentence, k, evidence, parameters))
}

/// The elements of a list of whole numbers of which no two are equal. An array of a few elements is a part of many permutations.
fn distinct(list: &Tensor) -> Option<Vec<usize>> {
    const FEWEST: usize = 4;
    if !list.dtype().is_signed()
        || list.dtype().is_float()
        || list.shape().dims().len() != 1
        || list.count() < FEWEST
    {
        return None;
    }
    let places: Option<Vec<usize>> = list
        .scalars()
        .map(|it| usize::try_from(it.to_i128()).ok())
        .collect();
    let places = places?;
    let mut sorted = places.clone();
    sorted.sort_unstable();
    let count = sorted.len();
    sorted.dedup();
    (sorted.len() == count).then_some(places)
}

/// The sizes that a permutation with these elements may have, the likeliest first: round numbers, those of which the elements
/// are a usual share, and the smallest ones that are large enough.
fn sizes(places: &[usize]) -> Vec<usize> {
    let most = places.iter().max().copied().unwrap_or(0);
    let (count, least) = (places.len(), most + 1);
    let tens = (0..7).map(|power| 10_usize.pow(power));
    let round = tens.flat_map(|ten| [1, 2, 5, 6].map(|digit| digit * ten));
    let shares = [90, 80, 75, 70, 67, 60, 50, 40, 33, 30, 25, 20, 15, 10];
    let of_share = |share: usize| (count * 100 / share).saturating_sub(2)..count * 100 / share + 3;
    let likely = round
        .filter(|&n| n >= least)
        .take(4)
        .chain(shares.into_iter().flat_map(of_share))
        .chain((0..AFTER).map(|more| least + more));
    let mut all: Vec<usize> = Vec::new();
    for n in likely.filter(|&n| n >= least && n <= MAX_THINGS) {
        if !all.contains(&n) {
            all.push(n);
        }
    }
    all
}

/// The requests of these ops for a permutation of `n` things.
fn permutations(sought: &Sought, seed: u64, n: usize, ops: &[OpName]) -> Vec<Request> {
    let Some(actual) = wholes(sought.actual.dtype(), &Shape::vector(n), 0..n) else {
        return Vec::new();
    };
    let all = Sought {
        actual,
        within: None,
        seed,
        ..sought.clone()
    };
    let suggested = Suggested::of(&all.actual);
    ops.iter().flat_map(|&op| all.of_op(op, &suggested)).collect()
}
