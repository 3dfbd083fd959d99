//! The distribution function of one row, and what is drawn from it.

/// The cumulative probabilities of one row's classes, of which some are excluded.
///
/// The values of a whole row are sorted. Removing a class rounds, and they need not stay so.
pub(super) struct Cdf {
    c: Vec<f64>,
    excluded: Vec<bool>,
    is_whole: bool,
    first_drawable: usize,
}

impl Cdf {
    /// The distribution function for weights of which none is negative and whose sum is finite and over zero.
    pub(super) fn new(weights: &[f64]) -> Self {
        let mut c = cumulative_sum(weights);
        normalize(&mut c);
        let excluded: Vec<bool> = weights.iter().map(|&w| w == 0.0).collect();
        Self {
            c,
            first_drawable: excluded.iter().take_while(|&&is| is).count(),
            excluded,
            is_whole: true,
        }
    }

    /// `[mn13.select]`: the first class that is not excluded with `u <= c`, else the last that is not
    /// excluded.
    ///
    /// Erratum `mn13.select.comparison`: the text compares the other way round. Erratum
    /// `mn13.select.zero-draw`: a class of probability zero is never drawn, not by a draw of zero either.
    /// Erratum `mn13.select.no-match`.
    ///
    /// In a whole row the search begins at the first match, which halving finds: many samples of many classes would
    /// take forever otherwise.
    pub(super) fn select(&self, u: f64) -> usize {
        let first = if self.is_whole {
            self.c.partition_point(|&c| c < u).max(self.first_drawable)
        } else {
            self.first_drawable
        };
        let drawable = || (first..self.c.len()).filter(|&i| !self.excluded[i]);
        drawable()
            .find(|&i| u <= self.c[i])
            .or_else(|| drawable().next_back())
            .expect("no more samples are drawn than there are classes of a probability over zero")
    }

    /// `[mn13.replacement.update]`: after class k, every value from the k-th on is lowered by its
    /// probability, and all are divided by the last. `[mn13.replacement.distinct]`: k is not drawn again.
    ///
    /// Erratum `mn13.replacement.which-probability`: it is the probability that the function has now. Erratum
    /// `mn13.replacement.divisor`: the last value is divided by as it is, were it zero or negative.
    pub(super) fn remove(&mut self, k: usize) {
        let p = self.c[k] - if k == 0 { 0.0 } else { self.c[k - 1] };
        for c_j in &mut self.c[k..] {
            *c_j -= p;
        }
        normalize(&mut self.c);
        self.excluded[k] = true;
        self.is_whole = false;
    }
}

/// `[mn13.cdf.sum]`: the i-th value is the sum of the first i, left to right.
pub(super) fn cumulative_sum(weights: &[f64]) -> Vec<f64> {
    let mut sum = 0.0;
    weights
        .iter()
        .map(|&w| {
            sum += w;
            sum
        })
        .collect()
}

/// `[mn13.cdf.normalize]`: each value divided by the last.
fn normalize(c: &mut [f64]) {
    if let Some(&c_last) = c.last() {
        for c_j in c {
            *c_j /= c_last;
        }
    }
}
