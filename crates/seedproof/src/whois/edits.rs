//! The alignment of an array with a stream of which elements are skipped, repeated or replaced.

/// The most elements of a stream that are skipped in one edit.
const MOST_SKIPPED: usize = 1 << 12;
/// The most elements of a stream that are repeated in one edit, unless the stream begins again.
const MOST_REPEATED: usize = 64;
/// The most elements that were overwritten in one stretch.
const MOST_OVERWRITTEN: usize = 1 << 10;
/// The most elements in a row that do not belong to the stream.
const MOST_FOREIGN: usize = 4;
/// A skip of at most this many elements is confirmed by a single right element after it. Where a range refuses some words,
/// the runs between two skips are often that short.
const REFUSED: usize = 8;
/// The most places that are compared in all, which bounds the time for an array that soon leaves the stream.
const WORK: usize = 1 << 24;

/// A difference between an array and a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edit {
    /// Before element `at` of the array, `count` elements of the stream are left out, the first of which is `from`.
    Skipped { at: usize, from: usize, count: usize },
    /// From element `at` of the array on, the stream continues at its element `from`, which is `count` elements back.
    Repeated { at: usize, from: usize, count: usize },
    /// In place of `count` elements of the stream, from `at` on, stand others, a few of which may be right by chance. The
    /// elements after them are at their places.
    Replaced { at: usize, count: usize },
    /// Before the stream continues, `count` other elements are inserted from `at` on.
    Inserted { at: usize, count: usize },
}

impl Edit {
    /// The element of the array at which it stands.
    pub(super) const fn at(self) -> usize {
        match self {
            Self::Skipped { at, .. }
            | Self::Repeated { at, .. }
            | Self::Replaced { at, .. }
            | Self::Inserted { at, .. } => at,
        }
    }
}

/// How an array follows a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Aligned {
    pub(super) edits: Vec<Edit>,
    /// The index in the stream of the array's first element.
    pub(super) start: usize,
    /// The number of elements, from the first on, that were aligned.
    pub(super) reached: usize,
    /// The number of elements that are equal to the stream's.
    pub(super) right: usize,
    /// The index of the first element and the length of the longest run without an edit.
    pub(super) longest: (usize, usize),
}

/// Aligns an array of `count` elements with a stream, in which it begins at `start`. `is` compares an element of the
/// array with one of the stream. An edit needs `telling` equal elements in a row after it, which are not a coincidence.
pub(super) fn align(
    count: usize,
    stream: usize,
    start: usize,
    telling: usize,
    is: &dyn Fn(usize, usize) -> bool,
) -> Aligned {
    let (mut i, mut p) = (0, start);
    let mut edits = Vec::new();
    let (mut right, mut run) = (0, 0);
    let mut longest = (0, 0);
    let mut work = WORK;
    while i < count {
        if p < stream && is(i, p) {
            (i, p, right, run) = (i + 1, p + 1, right + 1, run + 1);
            if run > longest.1 {
                longest = (i - run, run);
            }
            continue;
        }
        run = 0;
        let mut goes_on = |i: usize, p: usize| {
            let left = count.saturating_sub(i).min(telling);
            work = work.saturating_sub(1);
            work > 0 && left > 0 && p + left <= stream && (0..left).all(|k| is(i + k, p + k))
        };
        // Too few elements are left to confirm where the stream continues, so that the last ones count as replaced.
        let is_end = count - i < telling;
        // The edits are tried in order of simplicity: a replaced element keeps all others in place.
        let replaced = (1..=MOST_FOREIGN).find(|&k| goes_on(i + k, p + k));
        let is_refused = |d: usize| d <= REFUSED && p + d < stream && is(i, p + d);
        let skipped = || (1..=MOST_SKIPPED).take_while(|_| !is_end);
        let next = if let Some(count) = replaced {
            Some((Edit::Replaced { at: i, count }, i + count, p + count))
        } else if let Some(d) = skipped().find(|&d| goes_on(i, p + d) || is_refused(d)) {
            Some((
                Edit::Skipped {
                    at: i,
                    from: p,
                    count: d,
                },
                i,
                p + d,
            ))
        } else if let Some(d) = (1..=MOST_REPEATED.min(p))
            .chain(p.checked_sub(start))
            .take_while(|_| !is_end)
            .find(|&d| goes_on(i, p - d))
        {
            Some((
                Edit::Repeated {
                    at: i,
                    from: p - d,
                    count: d,
                },
                i,
                p - d,
            ))
        } else if let Some(count) = (1..=MOST_FOREIGN).find(|&k| goes_on(i + k, p)) {
            Some((Edit::Inserted { at: i, count }, i + count, p))
        } else {
            // A longer stretch that was overwritten, before the rest in its own places.
            (MOST_FOREIGN + 1..(count - i).min(MOST_OVERWRITTEN))
                .find(|&k| goes_on(i + k, p + k))
                .map(|count| (Edit::Replaced { at: i, count }, i + count, p + count))
        };
        let Some((edit, at, place)) = next else {
            // Wrong elements at the very end are replaced ones, since nothing follows that could be out of place.
            if is_end && edits.len() < MOST_FOREIGN {
                edits.push(Edit::Replaced {
                    at: i,
                    count: count - i,
                });
                i = count;
            }
            break;
        };
        if let Edit::Replaced { count, .. } = edit {
            right += (0..count).filter(|k| is(i + k, p + k)).count();
        }
        edits.push(edit);
        (i, p) = (at, place);
    }
    Aligned {
        edits,
        start,
        reached: i,
        right,
        longest,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn aligned(array: &[u32], start: usize) -> Aligned {
        let stream: Vec<u32> = (0..5000_u32).map(|i| i.wrapping_mul(0x9e37_79b9)).collect();
        align(array.len(), stream.len(), start, 2, &|i, p| array[i] == stream[p])
    }

    fn stream(places: impl IntoIterator<Item = u32>) -> Vec<u32> {
        places.into_iter().map(|i| i.wrapping_mul(0x9e37_79b9)).collect()
    }

    #[test]
    fn stretch_that_was_overwritten_does_not_end_the_stream() {
        let mut array = stream(0..300);
        array[50..60].fill(7);
        array[100..160].reverse();
        let found = aligned(&array, 0);
        assert_eq!(
            found.edits,
            [
                Edit::Replaced { at: 50, count: 10 },
                Edit::Replaced { at: 100, count: 60 }
            ]
        );
        assert_eq!((found.right, found.reached), (230, 300));
    }

    #[test]
    fn edits_are_told_apart() {
        let skipped = stream((0..300).chain(301..700));
        assert_eq!(
            aligned(&skipped, 0).edits,
            [Edit::Skipped {
                at: 300,
                from: 300,
                count: 1
            }]
        );
        assert_eq!(aligned(&skipped, 0).longest, (300, 399));
        let repeated = stream((5..50).chain(47..90));
        assert_eq!(
            aligned(&repeated, 5).edits,
            [Edit::Repeated {
                at: 45,
                from: 47,
                count: 3
            }]
        );
        let mut replaced = stream(0..64);
        (replaced[17], replaced[63]) = (3, 4);
        let found = aligned(&replaced, 0);
        assert_eq!(
            found.edits,
            [
                Edit::Replaced { at: 17, count: 1 },
                Edit::Replaced { at: 63, count: 1 }
            ]
        );
        assert_eq!((found.right, found.reached), (62, 64));
        let inserted: Vec<u32> = stream(0..9)
            .into_iter()
            .chain([1, 1])
            .chain(stream(9..40))
            .collect();
        assert_eq!(aligned(&inserted, 0).edits, [Edit::Inserted { at: 9, count: 2 }]);
        let noise: Vec<u32> = stream(0..300)
            .into_iter()
            .chain((0..400).map(|i| i | 1))
            .collect();
        let found = aligned(&noise, 0);
        assert_eq!((found.reached, found.right, found.edits.len()), (300, 300, 0));
    }
}
