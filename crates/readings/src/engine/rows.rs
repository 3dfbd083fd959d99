//! One row of Multinomial-13: its distribution function, and what a draw selects.

use super::arithmetic::Arithmetic;
use super::floats::openvino_min;
use crate::answers::{
    CdfType, Divisor, DrawnFlags, Excluded, Exponent, IndexIn, Lowered, Multinomial, NoMatch, Normalize,
    Select, SumOf, TakenBy,
};
use crate::round::{f32_of, f64_of};
use seedproof_ops::Dtype;

/// The weights of a row, from its inputs.
pub(super) fn weights(
    answers: &Multinomial,
    (arithmetic, of_probs): (Arithmetic, Dtype),
    log: bool,
    inputs: &[f64],
) -> Vec<f64> {
    let of_type = |&x: &f64| arithmetic.of_f64(x);
    if !log || answers.exponent == Exponent::Ignored {
        return inputs.iter().map(of_type).collect();
    }
    let finite_only = answers.exponent == Exponent::LessFinite;
    let counts = |x: &f64| x.is_finite() || !finite_only;
    let largest = inputs
        .iter()
        .copied()
        .filter(counts)
        .fold(f64::NEG_INFINITY, f64::max);
    inputs
        .iter()
        .map(of_type)
        .map(|x| match answers.exponent {
            Exponent::LessFinite if !x.is_finite() => 0.0,
            Exponent::LessMaximum | Exponent::LessFinite => libm::exp(x - largest),
            Exponent::Two => libm::exp2(x),
            Exponent::Clamped => libm::exp(x.min(0.0)),
            _ => libm::exp(x),
        })
        .map(|weight| match (answers.exponent, arithmetic.dtype) {
            (Exponent::OfProbs, _) => arithmetic.of_f64(Arithmetic::ieee(of_probs).of_f64(weight)),
            (_, Dtype::F64) => weight,
            // A C library's `expf` may be off by a unit where this is not; the sums rarely show it.
            (Exponent::Unrounded, _) => f64::from(f32_of(weight)),
            _ => arithmetic.round(f32_of(weight)),
        })
        .collect()
}

/// The running sums of a row, left to right.
pub(super) fn sums(arithmetic: Arithmetic, weights: &[f64]) -> Vec<f64> {
    let mut last = None;
    weights
        .iter()
        .map(|&weight| {
            let sum = match last {
                None => arithmetic.of_f64(weight),
                Some(before) => arithmetic.add(before, weight),
            };
            last = Some(sum);
            sum
        })
        .collect()
}

/// The class of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Chosen {
    Class(usize),
    /// Unknown: memory that was not written, or past the row.
    Unwritten,
}

/// A row while it is sampled.
pub(super) struct Row<'a> {
    answers: &'a Multinomial,
    arithmetic: Arithmetic,
    weights: &'a [f64],
    replacement: bool,
    cdf: Vec<f64>,
    original: Vec<f64>,
    excluded: Vec<bool>,
    drawn: Vec<bool>,
    /// The classes in the order of what is left of the row, where that order changes.
    left: Vec<usize>,
    /// With replacement: the largest (for [`Select::Letter`] the smallest) value up to each class, for a
    /// search by halving. `None` where the row is searched class by class.
    extremes: Option<Vec<f64>>,
}

impl<'a> Row<'a> {
    pub(super) fn new(
        answers: &'a Multinomial,
        arithmetic: Arithmetic,
        weights: &'a [f64],
        replacement: bool,
        total: Option<f64>,
        drawn: Vec<bool>,
    ) -> Self {
        let of_sums = of_sums(answers, arithmetic);
        let mut sums = match answers.sum {
            SumOf::Restarted(size) => {
                let vectors = weights.chunks(usize::try_from(size).unwrap_or(usize::MAX).max(1));
                vectors.flat_map(|vector| sums(of_sums, vector)).collect()
            }
            SumOf::Before(size) => {
                let vectors = weights.chunks(usize::try_from(size).unwrap_or(usize::MAX).max(1));
                let mut before = 0.0;
                let of_vector = |vector| {
                    let own = sums(of_sums, vector);
                    let carried = std::mem::replace(&mut before, own.last().copied().unwrap_or(0.0));
                    own.into_iter().map(move |sum| of_sums.add(carried, sum))
                };
                vectors.flat_map(of_vector).collect()
            }
            SumOf::Inclusive | SumOf::Exclusive => sums(of_sums, weights),
        };
        if answers.sum == SumOf::Exclusive {
            sums.rotate_right(1);
            sums.first_mut().into_iter().for_each(|first| *first = 0.0);
        }
        let cdf = normalized(answers, arithmetic, sums, total);
        let excluded: Vec<bool> = (0..weights.len())
            .map(|class| drawn[class] || is_empty(answers, weights, class))
            .collect();
        let mut row = Self {
            answers,
            arithmetic,
            weights,
            replacement,
            original: cdf.clone(),
            cdf,
            excluded,
            drawn,
            left: match answers.taken_by {
                TakenBy::Nothing => Vec::new(),
                TakenBy::Last => (0..weights.len()).collect(),
            },
            extremes: None,
        };
        if replacement {
            row.extremes = row.running_extremes();
        }
        row
    }

    /// The flags of the classes that are drawn for the next row to begin with: one buffer serves all rows, which a kernel may forget to
    /// clear.
    pub(super) fn flags(self) -> Vec<bool> {
        match self.answers.flags {
            DrawnFlags::Cleared => vec![false; self.weights.len()],
            DrawnFlags::Kept => self.drawn,
        }
    }

    /// The running maximum turns "the first class that a draw does not exceed" into a sorted search. A NaN
    /// never matches, and an excluded class does not count.
    fn running_extremes(&self) -> Option<Vec<f64>> {
        let sorted = self.cdf.windows(2).all(|pair| pair[0] <= pair[1]);
        let (mut extreme, pick): (f64, fn(f64, f64) -> f64) = match self.answers.select {
            Select::AtMost | Select::Below => (f64::NEG_INFINITY, f64::max),
            Select::Letter => (f64::INFINITY, f64::min),
            Select::LastInterval if sorted => (f64::NEG_INFINITY, f64::max),
            Select::LastInterval => return None,
        };
        Some(
            self.cdf
                .iter()
                .zip(&self.excluded)
                .map(|(&c, &excluded)| {
                    if !excluded {
                        extreme = pick(extreme, c);
                    }
                    extreme
                })
                .collect(),
        )
    }

    /// The class that a draw selects; without replacement the row changes.
    pub(super) fn sample(&mut self, u: f64) -> Chosen {
        if self.answers.taken_by == TakenBy::Last && !self.replacement {
            return self.swapped(u);
        }
        let u = match (self.answers.normalize, self.cdf.last()) {
            (Normalize::DrawsByLast, Some(&last)) => self.arithmetic.mul(u, last),
            _ => u,
        };
        let found = self.search(u);
        let class = match (found, self.answers.no_match) {
            (Some(class), _) => class,
            (None, NoMatch::LastLeft) => self.last_left(),
            (None, NoMatch::ZeroThenPastRow) if self.replacement => 0,
            (None, NoMatch::ZeroThenPastRow | NoMatch::Unwritten) => return Chosen::Unwritten,
            (None, NoMatch::Count) => self.cdf.len(),
        };
        if self.replacement || class >= self.cdf.len() {
            return Chosen::Class(class);
        }
        // Counted before the class is taken out, or each later sample would count it too.
        let before = || self.excluded[..class].iter().zip(self.weights);
        let place = match self.answers.index {
            IndexIn::Left => before().filter(|&(excluded, _)| !excluded).count(),
            IndexIn::LeftOrZero => {
                let is_counted = |&(&excluded, &weight): &(&bool, &f64)| !excluded || weight == 0.0;
                before().filter(is_counted).count()
            }
            IndexIn::Classes | IndexIn::Batch => class,
        };
        self.remove(class);
        Chosen::Class(place)
    }

    /// The class that a draw selects, whose place the last one takes. The sums are taken from scratch: they are of another
    /// order of classes after each draw, so that lowering them, as [`Self::remove`] does, would be of other bits.
    fn swapped(&mut self, u: f64) -> Chosen {
        let weights: Vec<f64> = self.left.iter().map(|&class| self.weights[class]).collect();
        let cdf = normalized(
            self.answers,
            self.arithmetic,
            sums(self.arithmetic, &weights),
            None,
        );
        let mut free = (0..weights.len()).filter(|&place| weights[place] > 0.0);
        let last = free.clone().next_back().unwrap_or(0);
        let place = free.find(|&place| u <= cdf[place]).unwrap_or(last);
        if place >= self.left.len() {
            return Chosen::Unwritten;
        }
        Chosen::Class(self.left.swap_remove(place))
    }

    fn search(&self, u: f64) -> Option<usize> {
        let matches = |c: f64| match self.answers.select {
            Select::AtMost | Select::LastInterval => u <= c,
            Select::Below => u < c,
            Select::Letter => c <= u,
        };
        if let Some(extremes) = &self.extremes {
            let first = extremes.partition_point(|&extreme| !matches(extreme));
            return (first < extremes.len()).then_some(first);
        }
        if self.answers.select == Select::LastInterval && self.replacement {
            return (0..self.cdf.len())
                .rev()
                .find(|&k| u <= self.cdf[k] && (k == 0 || u > self.cdf[k - 1]));
        }
        (0..self.cdf.len()).find(|&k| !self.excluded[k] && matches(self.cdf[k]))
    }

    /// The last class that is not excluded; the last of all if every one is.
    fn last_left(&self) -> usize {
        self.excluded
            .iter()
            .rposition(|&excluded| !excluded)
            .unwrap_or(self.cdf.len().saturating_sub(1))
    }

    /// Takes a class's share out of the row.
    fn remove(&mut self, class: usize) {
        self.drawn[class] = true;
        match self.answers.excluded {
            Excluded::ZeroAndDrawn | Excluded::Drawn => self.excluded[class] = true,
            Excluded::ZeroAndLast => {
                for (other, excluded) in self.excluded.iter_mut().enumerate() {
                    *excluded = other == class || is_empty(self.answers, self.weights, other);
                }
                return;
            }
            Excluded::Zero | Excluded::None => {}
        }
        let a = self.arithmetic;
        let share_of = |cdf: &[f64]| {
            if class == 0 {
                cdf[0]
            } else {
                a.sub(cdf[class], cdf[class - 1])
            }
        };
        let share = match self.answers.lowered {
            Lowered::Current | Lowered::AfterClass => share_of(&self.cdf),
            Lowered::Input => self.weights[class],
            Lowered::Original => share_of(&self.original),
            Lowered::Nothing => return,
        };
        let from = match self.answers.lowered {
            Lowered::AfterClass => class + 1,
            _ => class,
        };
        for c in &mut self.cdf[from..] {
            *c = a.sub(*c, share);
        }
        let divisor = match self.answers.divisor {
            Divisor::Last => self.cdf.last().copied().unwrap_or(1.0),
            Divisor::OneLessShare => a.sub(1.0, share),
            Divisor::Share => share,
            Divisor::Nothing => return,
        };
        for c in &mut self.cdf {
            *c = a.div(*c, divisor);
        }
    }
}

/// Whether a class is passed over since its weight is zero.
fn is_empty(answers: &Multinomial, weights: &[f64], class: usize) -> bool {
    let passes = matches!(
        answers.excluded,
        Excluded::ZeroAndDrawn | Excluded::Zero | Excluded::ZeroAndLast
    );
    passes && weights[class] == 0.0
}

/// The sum of another row by which all sums are divided.
pub(super) fn total<'a>(
    answers: &Multinomial,
    arithmetic: Arithmetic,
    rows: impl Iterator<Item = &'a [f64]>,
) -> Option<f64> {
    // Summed as the row itself is: a total of another precision would not be its last sum.
    let last = |row| sums(of_sums(answers, arithmetic), row).last().copied();
    match answers.normalize {
        Normalize::ByFirstRow => rows.take(1).find_map(last),
        Normalize::ByGreatest => rows.filter_map(last).reduce(f64::max),
        _ => None,
    }
}

fn of_sums(answers: &Multinomial, arithmetic: Arithmetic) -> Arithmetic {
    match answers.cdf {
        CdfType::SumsF32 => Arithmetic::ieee(Dtype::F32),
        CdfType::SumsF16 => Arithmetic::ieee(Dtype::F16),
        _ => arithmetic,
    }
}

fn normalized(
    answers: &Multinomial,
    arithmetic: Arithmetic,
    mut sums: Vec<f64>,
    total: Option<f64>,
) -> Vec<f64> {
    let Some(&last) = sums.last() else {
        return sums;
    };
    let divisor = match answers.normalize {
        Normalize::ByLast => last,
        Normalize::ByFirstRow | Normalize::ByGreatest => total.unwrap_or(last),
        // `max` of C++ gives its first argument where the two do not compare.
        Normalize::ByLastFloored => {
            let floor = openvino_min(arithmetic.dtype);
            if last < floor { floor } else { last }
        }
        Normalize::Raised(power) => {
            let power = i32::try_from(power).unwrap_or(i32::MAX);
            arithmetic.add(last, arithmetic.of_f64(libm::pow(10.0, f64::from(-power))))
        }
        Normalize::Never | Normalize::DrawsByLast => return sums,
        Normalize::ByCount => f64_of(u64::try_from(sums.len()).unwrap_or(u64::MAX)),
        Normalize::Reciprocal => {
            let reciprocal = arithmetic.div(1.0, last);
            for c in &mut sums {
                *c = arithmetic.mul(*c, reciprocal);
            }
            return sums;
        }
    };
    for c in &mut sums {
        *c = arithmetic.div(*c, divisor);
    }
    sums
}
