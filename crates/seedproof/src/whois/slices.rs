//! Parts of a permutation: the numbers by which data sets are split, sampled and shuffled.

use seedproof_ops::{Backend as _, Kind, Named as _, OpName, Request, Shape, Tensor};

use super::answer::{Answer, Draw};
use super::derived::loader_seeds;
use super::evidence::is_certain;
use super::numbers::as_f64;
use super::python::{sample, shuffled};
use super::requests::is_order;
use super::sought::Sought;
use super::streams::Stream;
use crate::judging::Bank;

/// The most things of a permutation that are drawn.
const MOST: usize = 1 << 20;
/// The most things of the permutations of different sizes together: each size is asked of every op, and with the seeds of eight
/// epochs.
const WORK: usize = 1 << 18;
/// The numbers after the greatest one of an array that are tried as the number of things.
const AFTER: usize = 24;

/// The permutations of which an array is a part, or all of it with a seed that a `DataLoader` draws.
pub(super) fn of_slices(sought: &Sought, bank: &Bank) -> Answer {
    let mut answer = Answer::none(sought);
    let actual = &sought.actual;
    let Some(places) = distinct(actual) else {
        return answer;
    };
    let is_whole = is_order(actual);
    let loaders = loader_seeds(sought.seed);
    let mut work = WORK;
    for n in sizes(&places) {
        let Some(left) = work.checked_sub(n) else { break };
        work = left;
        let own = (!is_whole || n != places.len()).then_some((sought.seed, String::new()));
        for (seed, from) in own.into_iter().chain(loaders.iter().cloned()) {
            let requests = permutations(sought, seed, n);
            for request in requests {
                if !from.is_empty() && request.op() != OpName::TorchRandperm {
                    continue;
                }
                answer.attempts += n;
                let Ok(drawn) = bank.base().run(&request) else {
                    continue;
                };
                let Some(order) = distinct(&drawn.output) else {
                    continue;
                };
                let Some(start) = order.iter().position(|it| Some(it) == places.first()) else {
                    continue;
                };
                if order[start..].starts_with(&places) {
                    let part = match (start, start + places.len()) {
                        (0, end) if end == n => String::new(),
                        (start, end) => format!("elements {start} to {} of the {n}", end - 1),
                    };
                    let parts = [from.clone(), part].into_iter().filter(|part| !part.is_empty());
                    answer.draws.push(Draw {
                        names: vec!["spec".to_owned()],
                        from: Some(parts.collect::<Vec<_>>().join("; ")),
                        request,
                    });
                }
            }
        }
        let k = places.len();
        let shuffled = shuffled(sought.seed, n).filter(|order| order.starts_with(&places));
        let shuffled = shuffled.map(|_| format!("random.shuffle(list(range({n})))"));
        let sampled = || sample(sought.seed, n, k).filter(|order| *order == places);
        let call = shuffled.or_else(|| {
            (k <= n)
                .then(sampled)
                .flatten()
                .map(|_| format!("random.sample(range({n}), {k})"))
        });
        answer.attempts += 2;
        answer.streams.extend(call.map(|call| Stream {
            name: "python".to_owned(),
            sentence: format!("{call} after random.seed({}) of Python", sought.seed),
            elements: k,
            of: k,
            is_followed: true,
            ties: 0,
            bits: (0..k).map(|i| as_f64(n - i).log2()).sum(),
            attempts: as_f64(answer.attempts),
            parameters: usize::from(!is_whole),
        }));
        if !answer.draws.is_empty() || !answer.streams.is_empty() {
            break;
        }
    }
    answer.streams.retain(Stream::is_certain);
    answer.certain = is_certain(sought, 1, &answer.draws, answer.attempts);
    answer
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

/// The numbers of things that a permutation with these elements may have, the likeliest first: round ones, those of usual shares,
/// and the first ones that are large enough.
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
    for n in likely.filter(|&n| n >= least && n <= MOST) {
        if !all.contains(&n) {
            all.push(n);
        }
    }
    all
}

/// The requests for a permutation of `n` things.
fn permutations(sought: &Sought, seed: u64, n: usize) -> Vec<Request> {
    let dtype = sought.actual.dtype();
    let bytes: Vec<u8> = (0..n)
        .flat_map(|place| place.to_le_bytes().into_iter().take(dtype.size()))
        .collect();
    let Ok(actual) = Tensor::new(dtype, Shape::vector(n), bytes) else {
        return Vec::new();
    };
    let all = Sought {
        actual,
        within: None,
        seed,
        ..sought.clone()
    };
    let counts_things = |op: &&OpName| {
        let mut attributes = op.description().attributes.iter();
        attributes.any(|info| info.name == "n" && matches!(info.kind, Kind::Number(_)))
    };
    OpName::ALL
        .iter()
        .filter(counts_things)
        .flat_map(|&op| all.of_op(op))
        .collect()
}
