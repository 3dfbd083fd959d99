//! The judgements of a run of one backend, with the answers that a diagnosis needs, within bounds of memory.

use std::collections::BinaryHeap;

use seedproof_check::{Exchange, Judgement};
use seedproof_corpus::{Case, CaseId};

/// The work of all right answers that are kept: as much as a diagnosis tries a cause on. The cheapest are kept, because
/// a diagnosis begins with those.
const MAX_PASSES_TOGETHER: u64 = 1 << 20;
/// The most bytes of a wrong answer that is kept, together with the right one: those of 2^20 elements of f64, the largest
/// output of the corpus. An error that begins at some size, where work is split, does not show in a smaller output.
const MAX_DIAGNOSED: u64 = 16 << 20;
/// The most bytes of all wrong answers that are kept, together with the right ones. If there are more, the largest are not
/// diagnosed. A whole run of an implementation whose every answer is wrong takes as much memory more than that of a right one.
const MAX_DIAGNOSED_TOGETHER: u64 = 40 << 20;

/// Judgements in the order in which they were added. Where they are too large together, the exchanges of the largest
/// are dropped, while their findings are kept.
///
/// ```
/// use seedproof::judging::{Kept, Bank, judge_case};
/// use seedproof::ops::Limits;
///
/// let bank = Bank::new(Limits::default());
/// let id = "ru8/tensorflow/f32/spec-example-1";
/// let case = seedproof::corpus().get(id).expect("the corpus has this case");
/// let mut kept = Kept::default();
/// kept.add(judge_case(case, bank.spec(), &bank, None)?, case);
/// assert_eq!(kept.judgements().len(), 1);
/// # Ok::<(), seedproof::NotApplicable>(())
/// ```
#[derive(Debug)]
pub struct Kept {
    judgements: Vec<Judgement>,
    wrong: Largest,
    right: Largest,
}

impl Default for Kept {
    fn default() -> Self {
        Self {
            judgements: Vec::new(),
            wrong: Largest::up_to(MAX_DIAGNOSED_TOGETHER),
            right: Largest::up_to(MAX_PASSES_TOGETHER),
        }
    }
}

impl Kept {
    /// Adds the judgement of a case.
    pub fn add(&mut self, judgement: Judgement, case: &Case) {
        let place = self.judgements.len();
        let judgement = without_large_outputs(judgement);
        let given_up = match &judgement.exchange {
            Some(exchange @ Exchange::Failed(_)) => self.wrong.add(bytes(exchange), &case.id, place),
            Some(Exchange::Passed(_)) => self.right.add(case.request.work(), &case.id, place),
            None => Vec::new(),
        };
        self.judgements.push(judgement);
        for place in given_up {
            self.judgements[place].exchange = None;
        }
    }

    /// The judgements, in the order in which they were added.
    pub fn judgements(&self) -> &[Judgement] {
        &self.judgements
    }

    /// The exchanges that are kept, in the order in which they were added.
    pub fn into_exchanges(self) -> impl Iterator<Item = Exchange> {
        self.judgements.into_iter().filter_map(|it| it.exchange)
    }

    /// The judgements in the order of their cases, which does not depend on the order in which threads added them.
    pub fn sorted(mut self) -> Vec<Judgement> {
        self.judgements
            .sort_by(|a, b| a.finding.case.cmp(&b.finding.case));
        self.judgements
    }
}

/// The judgement without outputs that are too large to be kept. [`Kept::add`] drops them too. A caller that collects
/// many judgements before it adds them should drop them here, as soon as each is made.
pub fn without_large_outputs(mut judgement: Judgement) -> Judgement {
    let most = match judgement.exchange {
        Some(Exchange::Failed(_)) => MAX_DIAGNOSED,
        // No element has more bytes.
        _ => 8 * MAX_PASSES_TOGETHER,
    };
    if judgement.exchange.as_ref().is_some_and(|it| bytes(it) > most) {
        judgement.exchange = None;
    }
    judgement
}

fn bytes(exchange: &Exchange) -> u64 {
    u64::try_from(exchange.bytes()).unwrap_or(u64::MAX)
}

/// The exchanges that are kept, the largest first: their size, their case, and their index among the judgements. The
/// case decides between equal sizes, so that threads which add in another order drop the same ones.
#[derive(Debug)]
struct Largest {
    exchanges: BinaryHeap<(u64, CaseId, usize)>,
    together: u64,
    most: u64,
}

impl Largest {
    fn up_to(most: u64) -> Self {
        Self {
            exchanges: BinaryHeap::new(),
            together: 0,
            most,
        }
    }

    /// Adds an exchange. Returns the indices of those that are dropped to stay within the bound, the largest first.
    fn add(&mut self, size: u64, case: &CaseId, place: usize) -> Vec<usize> {
        self.exchanges.push((size, case.clone(), place));
        self.together = self.together.saturating_add(size);
        let mut given_up = Vec::new();
        while self.together > self.most
            && let Some((size, _, place)) = self.exchanges.pop()
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
        let case = crate::corpus().cases().next().unwrap();
        let mut kept = Largest::up_to(100);
        let mut place = 0;
        let mut given_up = |sizes: &[u64]| {
            let added = sizes.iter().flat_map(|&size| {
                place += 1;
                kept.add(size, &case.id, place - 1)
            });
            added.collect::<Vec<_>>()
        };
        assert!(given_up(&[9, 91]).is_empty());
        assert_eq!(given_up(&[1]), [1]);
        assert_eq!(given_up(&[90, 1, 4]), [3]);
        // One that is too large by itself, whatever it claims.
        assert_eq!(given_up(&[u64::MAX]), [6]);
        assert_eq!(kept.exchanges.len(), 4);
    }
}
