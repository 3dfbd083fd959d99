//! The first elements of what many candidates draw for many requests.

use seedproof_ops::{Request, Tensor, each};
use seedproof_readings::Subjects;

use super::compared::Compared;
use super::elements::{PREFIX, drawn, noted};
use crate::catalogue::{Asked, Catalogue};

/// The most work of a request without a shorter form on which mistakes and the seeds of frameworks are tried: hundreds of
/// mistakes draw it whole, and a dozen seeds do.
pub(super) const MOST_WHOLE: u64 = 1 << 14;

/// Whether a request is drawn with little work: it has a shorter form, or it is short.
pub(super) fn is_short(request: &Request, most: u64) -> bool {
    request.work() <= most || request.prefix(PREFIX).is_some()
}

/// The first elements that each candidate draws for each request. A request without a shorter form is drawn whole.
pub(super) fn first(
    compared: &Compared<'_>,
    requests: &[Request],
    candidates: &[Asked<'_>],
    catalogue: &Catalogue,
) -> Vec<Vec<Option<Tensor>>> {
    // As many of the elements that are known, the first of which may stand behind a row that is not.
    let unknown = compared
        .places
        .and_then(|places| places.first())
        .copied()
        .unwrap_or(0);
    let count = u64::try_from(unknown).unwrap_or(u64::MAX).saturating_add(PREFIX);
    let count = count.min(u64::try_from(compared.count).unwrap_or(u64::MAX));
    let usual = each(requests, |request| noted(catalogue.base(), request, count));
    // Nearly all candidates differ in something that a request does not ask for, and draw the same elements.
    let differs =
        |request: &Request, (_, reads): &(_, Subjects), it: &Asked<'_>| it.may_differ(request.op(), *reads);
    let pairs = requests.iter().zip(&usual).flat_map(|(request, usual)| {
        let others = candidates.iter().filter(|it| differs(request, usual, it));
        others.map(move |it| (request, it))
    });
    // One by one, and not by requests: of a permutation, which is drawn whole, a single request takes most of the time.
    let pairs: Vec<(&Request, &Asked<'_>)> = pairs.collect();
    let mut drawn = each(&pairs, |(request, it)| drawn(it.backend, request, count)).into_iter();
    let mut of = |(request, usual): (&Request, &(Option<Tensor>, _))| {
        let own = |it: &Asked<'_>| {
            if differs(request, usual, it) {
                drawn.next().flatten()
            } else {
                usual.0.clone()
            }
        };
        candidates.iter().map(own).collect()
    };
    requests.iter().zip(&usual).map(&mut of).collect()
}
