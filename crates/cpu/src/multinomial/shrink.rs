//! Sampling without replacement: after each draw the sums shrink, and every one is divided again.
//!
//! The effect of a draw on a class's share depends on that class alone: subtract the drawn probability or do
//! not, then divide. So while the shares stay sorted, only those that the binary search looks at need be
//! brought up to date, by the same operations in the same order. Rounding can unsort them; then, or where
//! there are many draws, all are kept up to date and searched one by one.

use super::Row;

/// The effect of one draw on the shares.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// The class that was drawn: its share and those after it are lowered.
    class: usize,
    /// The amount by which they are lowered.
    probability: f64,
    /// The last share that results, by which all are divided.
    divisor: f64,
}

impl Step {
    #[inline(always)]
    fn apply(self, class: usize, share: f64) -> f64 {
        let lowered = if class >= self.class {
            share - self.probability
        } else {
            share
        };
        lowered / self.divisor
    }
}

/// A row of which classes are drawn one after another.
pub(crate) struct Shrinking<'a> {
    /// Class `j`'s share after the first `applied[j]` steps.
    shares: &'a mut [f64],
    /// Steps that each share has seen; empty once all shares see every step at once.
    applied: Vec<usize>,
    steps: Vec<Step>,
    /// Whether each class is drawn already, or has the weight zero.
    excluded: Vec<bool>,
}

impl<'a> Shrinking<'a> {
    /// A row of which `draws` classes are to be drawn, or `None` if it has fewer whose weight is not zero.
    pub(crate) fn new(row: Row<'a>, weightless: Vec<bool>, draws: usize) -> Option<Self> {
        let shares = row.sums;
        let classes = shares.len();
        if draws > weightless.iter().filter(|&&zero| !zero).count() {
            return None;
        }
        let total = shares[classes - 1];
        for share in &mut *shares {
            *share /= total;
        }
        // Bringing one share up to date is a chain of dependent divisions; bringing all up to date is vectors of
        // independent ones. So the lazy way is taken only if the draws look at no more than a third of the shares.
        let probes = usize::try_from(classes.ilog2()).expect("at most 64") + 2;
        let late = draws.saturating_mul(3 * probes) <= classes;
        Some(Self {
            shares,
            applied: if late { vec![0; classes] } else { Vec::new() },
            steps: Vec::new(),
            excluded: weightless,
        })
    }

    /// Draws a class: the first that is not excluded whose share is not below `draw`, else the last that is
    /// not excluded. There is one.
    pub(crate) fn draw(&mut self, draw: f64) -> usize {
        let class = if self.applied.is_empty() {
            let mut classes = self.shares.iter().zip(&self.excluded);
            classes.position(|(&share, &excluded)| !excluded && draw <= share)
        } else {
            self.search(draw)
        };
        let class = class.unwrap_or_else(|| {
            let last = self.excluded.iter().rposition(|&excluded| !excluded);
            last.expect("no more draws than classes with a weight")
        });
        self.exclude(class);
        class
    }

    /// The class of a draw where shares are sorted.
    fn search(&mut self, draw: f64) -> Option<usize> {
        let (mut start, mut end) = (0, self.shares.len());
        while start < end {
            let middle = usize::midpoint(start, end);
            if self.share(middle) < draw {
                start = middle + 1;
            } else {
                end = middle;
            }
        }
        (start..self.shares.len()).find(|&class| !self.excluded[class])
    }

    /// A class's share, up to date.
    fn share(&mut self, class: usize) -> f64 {
        if let Some(applied) = self.applied.get_mut(class) {
            for step in &self.steps[*applied..] {
                self.shares[class] = step.apply(class, self.shares[class]);
            }
            *applied = self.steps.len();
        }
        self.shares[class]
    }

    /// Takes a class out and shrinks the shares.
    fn exclude(&mut self, class: usize) {
        let before = if class == 0 { 0.0 } else { self.share(class - 1) };
        let share = self.share(class);
        let last = self.share(self.shares.len() - 1);
        let probability = share - before;
        let step = Step {
            class,
            probability,
            divisor: last - probability,
        };
        self.excluded[class] = true;
        if self.applied.is_empty() {
            self.apply(step);
        } else {
            self.steps.push(step);
            // Lowering and dividing by a positive number keep the order of all neighbours but two: the class and the
            // one before it, whose order depends on rounding.
            let sorted = before <= share - probability && step.divisor > 0.0;
            if !sorted {
                for class in 0..self.shares.len() {
                    self.share(class);
                }
                self.applied = Vec::new();
            }
        }
    }

    /// Applies a step to all shares.
    fn apply(&mut self, step: Step) {
        let (before, after) = self.shares.split_at_mut(step.class);
        for share in before {
            *share /= step.divisor;
        }
        for share in after {
            *share = (*share - step.probability) / step.divisor;
        }
    }
}
