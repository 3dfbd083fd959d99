//! What was found.

use seedproof_ops::{Request, Scalar};

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
    /// Number of attempts: requests by readings and mistakes.
    pub attempts: usize,
}

impl Answer {
    /// The answer in a word: `named`, `possible` where the array has too few bits to be sure, `nearest`, or `unknown`.
    pub const fn word(&self) -> &'static str {
        match (self.draws.is_empty(), self.certain, self.nearest.is_some()) {
            (false, true, _) => "named",
            (false, false, _) => "possible",
            (true, _, true) => "nearest",
            (true, _, false) => "unknown",
        }
    }
}
