//! Selections, whatever draws them: the greatest of scores, a search in sums, a shuffle.

use crate::answers::{
    Bound, SearchFrom, Selection, ShuffleBy, ShuffleFrom, ShuffleOrder, ShuffleRange, ShuffleReduction,
    ShuffleWord, SumsOver,
};

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

/// The running sums of weights, rounded by `round`, and what a number of the unit interval is multiplied by before it is
/// looked for.
pub(super) fn sums(answer: SumsOver, weights: &[f64], round: impl Fn(f64) -> f64) -> (Vec<f64>, f64) {
    let mut total = 0.0;
    let mut sums = Vec::with_capacity(weights.len());
    for weight in weights {
        total = round(total + weight);
        sums.push(total);
    }
    if answer == SumsOver::Nothing {
        return (sums, total);
    }
    for sum in &mut sums {
        *sum = round(*sum / total);
    }
    if let Some(last) = sums.last_mut() {
        *last = 1.0;
    }
    (sums, 1.0)
}

/// The place in sums at which a search for a number ends, by halving: their number, where no sum is passed.
pub(super) fn search(answer: Bound, sums: &[f64], number: f64) -> usize {
    let is_before = |sum: &f64| match answer {
        Bound::Lower => *sum < number,
        Bound::Upper => *sum <= number,
    };
    // A NaN among the sums is not before anything, and the halves are those of every binary search that rounds down.
    let (mut first, mut end) = (0, sums.len());
    while first != end {
        let half = first.midpoint(end);
        if is_before(&sums[half]) {
            first = half + 1;
        } else {
            end = half;
        }
    }
    first
}

/// The class of a sample that a search found, where the samples of the row before it end at `previous`. A merge of sorted draws and
/// sums goes on there; draws that are not sorted never get back.
pub(super) fn searched_from(answer: SearchFrom, previous: &mut usize, found: usize) -> usize {
    match answer {
        SearchFrom::First => found,
        SearchFrom::Previous => {
            *previous = found.max(*previous);
            *previous
        }
    }
}

/// The elements that a shuffle of `count` elements leaves in each place, of which the first `taken` are asked for.
pub(super) fn shuffle(
    answers: &Selection,
    [taken, count]: [usize; 2],
    mut word: impl FnMut() -> u32,
) -> Vec<usize> {
    if answers.word == ShuffleWord::Later {
        word();
    }
    let elements = match answers.by {
        ShuffleBy::Exchanges => {
            // From the first place on, no later step exchanges what stands in an earlier place.
            let settles = answers.from == ShuffleFrom::Start
                && answers.range != ShuffleRange::All
                && answers.places == ShuffleOrder::Sources;
            exchanged(answers, [if settles { taken } else { count }, count], word)
        }
        ShuffleBy::InsideOut => {
            let mut elements = Vec::with_capacity(count);
            for element in 0..count {
                let place = if element == 0 {
                    0
                } else {
                    usize::try_from(word()).unwrap_or(0) % (element + 1)
                };
                elements.push(element);
                elements.swap(place, element);
            }
            elements
        }
        ShuffleBy::Sorting => {
            let words: Vec<u32> = (0..count).map(|_| word()).collect();
            let mut elements: Vec<usize> = (0..count).collect();
            elements.sort_by_key(|&element| words[element]);
            elements
        }
    };
    match answers.places {
        ShuffleOrder::Sources => elements,
        ShuffleOrder::Targets => {
            let mut targets = vec![0; count];
            for (place, &element) in elements.iter().enumerate() {
                targets[element] = place;
            }
            targets
        }
    }
}

/// The elements after as many steps as are asked for.
fn exchanged(answers: &Selection, [steps, count]: [usize; 2], mut word: impl FnMut() -> u32) -> Vec<usize> {
    let mut draw = |places: usize| {
        let places = u64::try_from(places.max(1)).unwrap_or(u64::MAX);
        let (word, bits) = match answers.word {
            ShuffleWord::One | ShuffleWord::Later => (u64::from(word()), 32),
            ShuffleWord::Upper31 => (u64::from(word() >> 1), 31),
            ShuffleWord::Bits31 => (u64::from(word() & 0x7fff_ffff), 31),
            ShuffleWord::Two => (u64::from(word()) | u64::from(word()) << 32, 64),
            ShuffleWord::TwoHighFirst => (u64::from(word()) << 32 | u64::from(word()), 64),
        };
        match answers.reduction {
            ShuffleReduction::TopOfPower if places.is_power_of_two() => {
                let top = word.checked_shr(bits - places.trailing_zeros()).unwrap_or(0);
                usize::try_from(top).unwrap_or(0)
            }
            ShuffleReduction::Remainder | ShuffleReduction::TopOfPower => {
                usize::try_from(word % places).unwrap_or(0)
            }
            ShuffleReduction::Product => {
                usize::try_from((u128::from(word) * u128::from(places)) >> bits).unwrap_or(0)
            }
        }
    };
    let mut elements: Vec<usize> = (0..count).collect();
    for step in 0..count.saturating_sub(1).min(steps) {
        let left = count - step;
        let is_first = answers.from == ShuffleFrom::Start;
        // From the last place on the same numbers are counted from the first place.
        let (from, own) = if is_first { (step, step) } else { (0, left - 1) };
        let other = match answers.range {
            ShuffleRange::Left => from + draw(left),
            ShuffleRange::All => draw(count),
            ShuffleRange::Others => from + usize::from(is_first) + draw(left - 1),
            ShuffleRange::ButLast => from + draw(left - 1),
        };
        elements.swap(own, other);
    }
    elements
}

/// The places of the `count` greatest scores, the greatest first, where a score is off by at most `error` of itself; a NaN is the
/// greatest. `None` where errors decide, or which of equal scores is greater: the first is where one is asked for.
pub(super) fn several_greatest(scores: &[f64], count: usize, error: f64) -> Option<Vec<usize>> {
    let mut places: Vec<usize> = (0..scores.len()).collect();
    places.sort_by(|&a, &b| {
        let key = |place: usize| {
            if scores[place].is_nan() {
                (1, 0.0)
            } else {
                (0, scores[place] + 0.0)
            }
        };
        let ((nan_a, a), (nan_b, b)) = (key(a), key(b));
        nan_b.cmp(&nan_a).then(b.total_cmp(&a))
    });
    let near = |above: f64, below: f64| {
        let equal = (above + 0.0).total_cmp(&(below + 0.0)).is_eq() || above.is_nan() && below.is_nan();
        if error > 0.0 {
            above - below <= above.abs() * error
        } else {
            equal && count > 1
        }
    };
    let pairs = places.iter().zip(places.iter().skip(1)).take(count);
    if pairs
        .clone()
        .any(|(&above, &below)| near(scores[above], scores[below]))
    {
        return None;
    }
    places.truncate(count);
    Some(places)
}
