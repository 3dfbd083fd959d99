//! The nearest candidate for each case that no cause reproduces.

use std::collections::BTreeSet;

use seedproof_ops::{Request, Response};

use super::cover::MAX_LISTED_CAUSES;
use super::passes::MAX_PASSING_WORK;
use super::refuted::Doubt;
use super::score::{SCREENED_ABOVE, baseline, elements};
use super::search::Search;
use crate::model::chance::chance;
use crate::model::diagnosis::{Cause, MOSTLY_RIGHT, Nearest, Unexplained};
use crate::model::exchange::{FailedCase, Reply, as_u64, ask, same};
use crate::search::structure::{View, rounding};

/// The entropy in bits from which on two random draws hardly ever have the same output.
const COINCIDENCE_BITS: f64 = 32.0;

/// The nearest candidates for the cases of `open`, in their order.
pub(crate) fn unexplained(
    search: &Search<'_>,
    open: &BTreeSet<usize>,
    doubtful: &[Doubt],
) -> Vec<Unexplained> {
    let anew = draws_anew(search, open);
    let near = |case: usize| {
        anew.clone()
            .or_else(|| doubted(search, doubtful, case))
            .or_else(|| nearest(search, case))
    };
    let all = open.iter().map(|&case| Unexplained {
        case: search.cases[case].case.clone(),
        nearest: near(case),
    });
    all.collect()
}

/// A cause that reproduces a case in full but is contradicted by too many others. It does not explain the case, but it is
/// the best hint available.
fn doubted(search: &Search<'_>, doubtful: &[Doubt], case: usize) -> Option<Nearest> {
    let giving = doubtful
        .iter()
        .map(|doubt| (&search.found[doubt.cause], doubt.failing))
        .filter(|(it, _)| it.is_full_on(case) && !it.is_noise());
    let (it, failing) = giving.min_by_key(|(it, failing)| (it.contradictions + failing, it.members.len()))?;
    let (which, contradictions) = match failing {
        0 => ("passing", it.contradictions),
        _ => ("failing", failing),
    };
    let noun = if contradictions == 1 { "case" } else { "cases" };
    let total = elements(search.cases[case]);
    Some(Nearest {
        cause: Cause {
            sentence: format!(
                "{}; contradicted by {contradictions} {which} {noun}",
                it.cause.sentence
            ),
            ..it.cause.clone()
        },
        elements: total,
        elements_total: total,
        first_missed: total,
    })
}

/// The candidate that reproduces most elements of a case, if that is half of them and more than the expected output has
/// in common with the answer. Otherwise the expected output, if it has half of the elements in common.
fn nearest(search: &Search<'_>, case: usize) -> Option<Nearest> {
    let failed = search.cases[case];
    let total = elements(failed);
    let wrong = failed
        .values()
        .map_or(0, |(expected, _)| first_difference(failed, expected));
    if let Some(ulps) = View::new(failed, None).and_then(|view| rounding(failed, &view)) {
        return Some(Nearest {
            cause: Cause::structure(
                format!("rounding(ulps = {ulps})"),
                format!(
                    "every element is within {ulps} {}: the words are right, a rounding is not",
                    if ulps == 1 { "ulp" } else { "ulps" }
                ),
                "round after each operation, in the output's type, without fused multiply-add",
            ),
            elements: baseline(failed),
            elements_total: total,
            first_missed: wrong,
        });
    }
    // A candidate that agrees no better than the expected output explains none of the differences.
    let right = baseline(failed);
    let (most, equals) = &search.nearest[case];
    let most = u64::from(*most);
    let (cause, elements, first_missed) = match equals.split_first() {
        Some((&first, others)) if most > right => {
            let single = &search.singles[first];
            let given = ask(single.backend.get(), &failed.request).and_then(Result::ok);
            let missed = given.map_or(0, |given| first_difference(failed, &given));
            let sentence = format!("{}{}", single.cause.sentence, as_near(search, others));
            let cause = single.cause.clone();
            (Cause { sentence, ..cause }, most, missed)
        }
        _ => {
            let right_ones = || {
                Cause::structure(
                    MOSTLY_RIGHT,
                    "no candidate has more of these elements than the right output",
                    "",
                )
            };
            let cause = search.places.get(&case).cloned();
            (cause.unwrap_or_else(right_ones), right, wrong)
        }
    };
    // A candidate that reproduces all of a small output lacked the evidence to be an explanation.
    let is_full = elements == total && !matches!(&failed.actual, Ok(actual) if !actual.more.is_empty());
    let is_near = elements > 0 && elements * 2 >= total;
    (is_near || search.places.contains_key(&case)).then_some(Nearest {
        cause: Cause {
            sentence: format!(
                "{}{}",
                cause.sentence,
                if is_full { "; this may be chance here" } else { "" }
            ),
            ..cause
        },
        elements,
        elements_total: total,
        first_missed,
    })
}

/// The end of a sentence with the names of other candidates that come as near as the first.
fn as_near(search: &Search<'_>, others: &[usize]) -> String {
    let names = others.iter().map(|&i| search.singles[i].cause.name.as_str());
    let listed: Vec<&str> = names.take(MAX_LISTED_CAUSES).collect();
    match (listed.len(), others.len() - listed.len()) {
        (0, _) => String::new(),
        (_, 0) => format!("; as near: {}", listed.join(", ")),
        (_, more) => format!("; as near: {} and {more} more", listed.join(", ")),
    }
}

/// The index of the first element at which the answer differs from this response.
fn first_difference(case: &FailedCase, given: &Response) -> u64 {
    let actual = case.actual.iter().flat_map(|actual| actual.output.scalars());
    let pairs = actual.zip(given.output.scalars());
    as_u64(pairs.take_while(|&(a, b)| case.nan.same_element(a, b)).count())
}

/// A candidate whose answer changes from run to run in all these cases, and that reproduces every passing case.
/// Elements of such answers cannot be compared, but which cases fail can.
fn draws_anew(search: &Search<'_>, open: &BTreeSet<usize>) -> Option<Nearest> {
    let count = |reply: &Reply| reply.as_ref().map_or(0, |it| it.output.count());
    let is_clear = |request: &Request, reply: &Reply| chance(request, count(reply)) >= COINCIDENCE_BITS;
    let clear: Vec<(&FailedCase, Request)> = open
        .iter()
        .map(|&case| search.cases[case])
        // An output of few bits may be the same twice by chance, and would count as repeatable.
        .filter(|case| is_clear(&case.request, &case.actual))
        // Two draws by each of a thousand candidates: of a large output the beginning tells as much, in a thousandth of the
        // time.
        .map(|case| (case, beginning(&case.request)))
        .collect();
    if clear.is_empty() || search.passes.is_empty() {
        return None;
    }
    let candidate = search
        .singles
        .iter()
        .filter(|single| !single.is_member)
        .find(|single| {
            let answer = |request: &Request| ask(single.backend.get(), request)?.ok();
            let changes = |(_, request): &(&FailedCase, Request)| {
                answer(request).is_some_and(|one| answer(request).is_some_and(|two| one != two))
            };
            let mut passes = search
                .passes
                .within(MAX_PASSING_WORK)
                .filter(|pass| is_clear(&pass.request, &pass.reply));
            clear.iter().all(changes)
                && passes.all(|pass| {
                    answer(&pass.request).is_some_and(|given| same(&pass.reply, &Ok(given), pass.nan))
                })
        })?;
    Some(Nearest {
        cause: Cause {
            sentence: format!(
                "{}; its answers change from run to run in these cases and in no others",
                candidate.cause.sentence
            ),
            ..candidate.cause.clone()
        },
        elements: 0,
        elements_total: clear.iter().map(|(case, _)| elements(case)).sum(),
        first_missed: 0,
    })
}

/// The request for the beginning of a large output, or the request itself where the output is small or has no beginning of
/// its own.
fn beginning(request: &Request) -> Request {
    let prefix = (request.work() > SCREENED_ABOVE).then(|| request.prefix(SCREENED_ABOVE));
    prefix.flatten().unwrap_or_else(|| request.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::uniform;
    use seedproof_ops::{Alignment, Dtype};

    #[test]
    fn candidates_are_asked_for_the_beginning_of_a_large_output() {
        let uniform = |shape: &[i64]| uniform(Alignment::Tensorflow, Dtype::F64, shape);
        let small = uniform(&[8, 8]);
        assert_eq!(beginning(&small), small);
        let large = beginning(&uniform(&[1000, 1000]));
        assert_eq!(
            large.output_form().map(|(_, dims)| dims),
            Some(vec![SCREENED_ABOVE])
        );
    }
}
