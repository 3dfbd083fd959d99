//! Selections, whatever draws them: the greatest of scores.

/// The first of the greatest scores, and its place.
pub(super) fn greatest(scores: &[f64]) -> Option<usize> {
    let mut places = 0..scores.len();
    let first = places.next()?;
    Some(places.fold(
        first,
        |best, place| {
            if scores[place] > scores[best] { place } else { best }
        },
    ))
}

/// The place of the greatest score that is greatest by more than the errors of both; `None` where there is no such score. An
/// infinity has no error.
pub(super) fn clearly_greatest(scores: &[f64], errors: &[f64]) -> Option<usize> {
    let best = greatest(scores)?;
    let least = scores[best] - errors[best];
    let is_close = |place: usize| place != best && scores[place] + errors[place] >= least;
    let is_clear = scores[best].is_infinite() || !(0..scores.len()).any(is_close);
    is_clear.then_some(best)
}
