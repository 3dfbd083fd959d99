//! The answers of one backend that a diagnosis needs, within bounds of memory.

use std::collections::{BTreeMap, BinaryHeap};

use seedproof_check::Exchange;
use seedproof_corpus::Case;

/// The work of all right answers that are kept: as much as a diagnosis tries a cause on. The cheapest are kept, because
/// a diagnosis begins with those.
const MAX_PASSES_TOGETHER: u64 = 1 << 20;
/// The most bytes of a wrong answer that is kept, together with the right one: those of 2^20 elements of f64, the largest
/// output of the corpus. An error that begins at some size, where work is split, does not show in a smaller output.
const MAX_DIAGNOSED: u64 = 16 << 20;
/// The most bytes of all wrong answers that are kept, together with the right ones. If there are more, the largest are not
/// diagnosed. A whole run of an implementation whose every answer is wrong takes as much memory more than that of a right one. It
/// stays below 200 MB with this bound, and does not with two MiB more.
const MAX_DIAGNOSED_TOGETHER: u64 = 38 << 20;

/// The answers of a backend that a diagnosis needs. Where they are too large together, the largest are dropped: which ones
/// does not depend on the order in which they were added, so that threads may add them.
///
/// ```
/// use seedproof::judging::{Kept, Catalogue, judge_case};
/// use seedproof::ops::Limits;
///
/// let catalogue = Catalogue::new(Limits::default());
/// let id = "ru8/tensorflow/f32/spec-example-1";
/// let case = seedproof::corpus().get(id).expect("the corpus has this case");
/// let mut kept = Kept::default();
/// let judgement = judge_case(case, catalogue.spec(), &catalogue, None)?;
/// kept.add(7, judgement.exchange.expect("it was answered"), case);
/// let places = kept.into_exchanges().map(|(place, _)| place);
/// assert_eq!(places.collect::<Vec<_>>(), [7]);
/// # Ok::<(), seedproof::NotApplicable>(())
/// ```
#[derive(Debug)]
pub struct Kept<P> {
    exchanges: BTreeMap<P, Exchange>,
    wrong: Largest<P>,
    right: Largest<P>,
}

impl<P: Ord> Default for Kept<P> {
    fn default() -> Self {
        Self {
            exchanges: BTreeMap::new(),
            wrong: Largest::up_to(MAX_DIAGNOSED_TOGETHER),
            right: Largest::up_to(MAX_PASSES_TOGETHER),
        }
    }
}

impl<P: Ord + Clone> Kept<P> {
    /// Adds the answers of a case. By `place` they are ordered, and no other case of the backend has it: its number in the run,
    /// or its id. A caller with several threads should add them as soon as each case is judged, because until then they count
    /// against no bound.
    pub fn add(&mut self, place: P, exchange: Exchange, case: &Case) {
        let bytes = u64::try_from(exchange.bytes()).unwrap_or(u64::MAX);
        let given_up = match &exchange {
            Exchange::Failed(_) if bytes > MAX_DIAGNOSED => return,
            Exchange::Failed(_) => self.wrong.add(bytes, place.clone()),
            // No element has more bytes.
            Exchange::Passed(_) if bytes > 8 * MAX_PASSES_TOGETHER => return,
            Exchange::Passed(_) => self.right.add(case.request.work(), place.clone()),
        };
        self.exchanges.insert(place, exchange);
        for place in given_up {
            self.exchanges.remove(&place);
        }
    }

    /// The number of wrong answers that are kept.
    pub fn failures(&self) -> usize {
        self.wrong.places.len()
    }

    /// What is kept, by the places of the cases.
    pub fn into_exchanges(self) -> impl Iterator<Item = (P, Exchange)> {
        self.exchanges.into_iter()
    }
}

/// The places of what is kept, the largest first, each with its size. The place decides between equal sizes, so that threads
/// which add in another order drop the same ones.
#[derive(Debug)]
struct Largest<P> {
    places: BinaryHeap<(u64, P)>,
    together: u64,
    most: u64,
}

impl<P: Ord> Largest<P> {
    const fn up_to(most: u64) -> Self {
        Self {
            places: BinaryHeap::new(),
            together: 0,
            most,
        }
    }

    /// Adds a place. Returns those that are dropped to stay within the bound, the largest first.
    fn add(&mut self, size: u64, place: P) -> Vec<P> {
        self.places.push((size, place));
        self.together = self.together.saturating_add(size);
        let mut given_up = Vec::new();
        while self.together > self.most
            && let Some((size, place)) = self.places.pop()
        {
            self.together -= size;
            given_up.push(place);
        }
        given_up
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn largest_exchanges_are_given_up_first() {
        let mut kept = Largest::up_to(100);
        let mut place = 0;
        let mut given_up = |sizes: &[u64]| {
            let added = sizes.iter().flat_map(|&size| {
                place += 1;
                kept.add(size, place - 1)
            });
            added.collect::<Vec<_>>()
        };
        assert!(given_up(&[9, 91]).is_empty());
        assert_eq!(given_up(&[1]), [1]);
        assert_eq!(given_up(&[90, 1, 4]), [3]);
        // One that is too large by itself, whatever it claims.
        assert_eq!(given_up(&[u64::MAX]), [6]);
        assert_eq!(kept.places.len(), 4);
    }

    /// Threads add what they have judged when they have judged it.
    #[test]
    fn what_is_given_up_does_not_depend_on_the_order() {
        let sizes = [60, 9, 91, 30, 30, 1, 100, 20, 30, 7];
        let left = |order: &mut dyn Iterator<Item = usize>| {
            let mut kept = Largest::up_to(100);
            for place in order {
                kept.add(sizes[place], place);
            }
            let mut places: Vec<usize> = kept.places.into_iter().map(|(_, place)| place).collect();
            places.sort_unstable();
            places
        };
        let forward = left(&mut (0..10));
        assert_eq!(forward, [1, 3, 4, 5, 7, 9]);
        for step in [3, 7, 9] {
            assert_eq!(left(&mut (0..10).map(|it| it * step % 10)), forward, "{step}");
        }
    }
}
