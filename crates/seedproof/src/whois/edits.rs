//! A stream with edits in it: where elements stand, what is skipped, repeated or replaced.

/// The most elements of a stream that are skipped at once.
const MOST_SKIPPED: usize = 1 << 12;
/// The most that are repeated at once.
const MOST_REPEATED: usize = 64;
/// The most elements in a row that are no part of the stream.
const MOST_FOREIGN: usize = 4;
/// Elements skipped at once that one element behind them is enough for: where some words are refused, two runs follow closely.
const REFUSED: usize = 8;
/// Places that are looked at in all.
const WORK: usize = 1 << 24;

/// A change between an array and a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edit {
    /// Before element `at`, so many of the stream's from `from` on are left out.
    Skipped { at: usize, from: usize, count: usize },
    /// From element `at` on the stream goes on from `from` again, which is so many back.
    Repeated { at: usize, from: usize, count: usize },
    /// So many elements from `at` on are others; what follows stands where it should.
    Replaced { at: usize, count: usize },
    /// So many elements from `at` on are no part of the stream, and it goes on after them.
    Inserted { at: usize, count: usize },
}

/// How an array follows a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Aligned {
    pub(super) edits: Vec<Edit>,
    /// The place in the stream of the first element.
    pub(super) start: usize,
    /// Elements that stand in the stream, from the first on.
    pub(super) reached: usize,
    /// Elements that are right.
    pub(super) right: usize,
    /// The first element and the length of the longest run without an edit.
    pub(super) longest: (usize, usize),
}

/// Follows a stream from an element and its place in it. `is` says whether an element of the array is one of the stream;
/// `telling` elements in a row are no coincidence, and one alone is rarely one.
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
        // The last elements tell less: what ends the array is replaced rather than skipped.
        let is_end = count - i < telling;
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
        } else {
            (1..=MOST_FOREIGN)
                .find(|&k| goes_on(i + k, p))
                .map(|count| (Edit::Inserted { at: i, count }, i + count, p))
        };
        let Some((edit, at, place)) = next else {
            // A last element or two that are others are replaced ones.
            if is_end && edits.len() < MOST_FOREIGN {
                edits.push(Edit::Replaced {
                    at: i,
                    count: count - i,
                });
                i = count;
            }
            break;
        };
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
