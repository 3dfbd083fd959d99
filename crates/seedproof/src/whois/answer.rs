//! What was found.

use seedproof_ops::{Distribution, Dtype, Request, Scalar, Tensor};

use super::sought::Sought;
use super::streams::Stream;

/// A reading or a mistake that gives the array, and the request for which it does.
#[derive(Clone, Debug)]
pub struct Draw {
    /// The names: those of the readings that answer alike, or one mistake's.
    pub names: Vec<String>,
    /// The request.
    pub request: Request,
}

/// What comes nearest, and how far it reaches.
#[derive(Clone, Debug)]
pub struct Near {
    /// The reading or mistake.
    pub name: String,
    /// The request.
    pub request: Request,
    /// Elements that it gives, of the first ones.
    pub elements: usize,
    /// Elements that were compared.
    pub of: usize,
    /// The first element that it does not give.
    pub first_missed: usize,
    /// That element as it would be.
    pub expected: Scalar,
    /// The largest distance in ulps among those that differ; `None` where one is a NaN.
    pub max_ulps: Option<u64>,
}

/// Who drew an array.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What gives every element: ties, if there are several. Readings where one does, else mistakes.
    pub draws: Vec<Draw>,
    /// Whether the array has more bits than chance could give.
    pub certain: bool,
    /// What comes nearest where nothing gives every element.
    pub nearest: Option<Near>,
    /// The streams that the array stands in, where no reading or mistake gives it for certain: those that explain most
    /// elements first.
    pub streams: Vec<Stream>,
    /// The element type that was asked for, which is narrower than the array's own where every element fits.
    pub dtype: Dtype,
    /// Number of attempts: requests by readings and mistakes.
    pub attempts: usize,
}

impl Answer {
    /// No answer yet.
    pub(super) fn none(sought: &Sought) -> Self {
        Self {
            draws: Vec::new(),
            certain: false,
            nearest: None,
            streams: Vec::new(),
            dtype: sought.actual.dtype(),
            attempts: 0,
        }
    }

    /// The answer in a word: `named`, `possible` where the array has too few bits to be sure, `nearest`, or `unknown`.
    pub fn word(&self) -> &'static str {
        if !self.draws.is_empty() && self.certain || self.streams.iter().any(Stream::is_whole) {
            "named"
        } else if !self.draws.is_empty() {
            "possible"
        } else if self.nearest.is_some() || !self.streams.is_empty() {
            "nearest"
        } else {
            "unknown"
        }
    }
}

/// What an array has that its range does not: how many elements are the upper bound, which is excluded, and how many lie
/// outside of the bounds. A sentence, where there are any.
pub fn outside(actual: &Tensor, request: &Request) -> Option<String> {
    let Some(Distribution::Uniform { lower, upper }) = request.distribution() else {
        return None;
    };
    let is_float = lower.dtype().is_float();
    let key = |scalar: Scalar| if is_float { scalar.to_f64() } else { 0.0 };
    let (mut reached, mut below, mut above) = (0_usize, 0_usize, 0_usize);
    for scalar in actual.scalars() {
        let order = |other: Scalar| {
            if is_float {
                key(scalar).partial_cmp(&key(other))
            } else {
                Some(scalar.to_i128().cmp(&other.to_i128()))
            }
        };
        reached += usize::from(order(upper).is_some_and(std::cmp::Ordering::is_eq));
        below += usize::from(order(lower).is_some_and(std::cmp::Ordering::is_lt));
        above += usize::from(order(upper).is_some_and(std::cmp::Ordering::is_gt));
    }
    let range = format!("[{}, {})", lower.decimal(), upper.decimal());
    let of = |count: usize, what: &str| {
        let elements = if count == 1 { "element" } else { "elements" };
        (count > 0).then(|| format!("{count} {elements} {what}"))
    };
    let parts = [
        of(reached, "equal the upper bound"),
        of(below, "below the lower bound"),
        of(above, "above the upper bound"),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| format!("outside of {range}: {}", parts.join(", ")))
}
