//! The answer of `whois`: the candidates that draw an array.

use seedproof_ops::{Distribution, Dtype, Request, Scalar, Tensor};
use seedproof_report::plural;

use super::sought::Sought;
use super::streams::Stream;

/// A request, and the readings or mistakes that draw the array for it.
#[derive(Clone, Debug)]
pub struct Draw {
    /// The names of the readings, or of the mistakes where no reading draws the array.
    pub names: Vec<String>,
    /// What makes the seeds of the request, in a sentence, where they are made of the one that was asked about.
    pub from: Option<String>,
    /// The request.
    pub request: Request,
}

/// The draw that comes nearest to an array.
///
/// ```
/// use seedproof::judging::Catalogue;
/// use seedproof::ops::{Alignment, Backend as _, Limits, RandomUniform, Request, Tensor};
/// use seedproof::whois::{Sought, who_drew};
///
/// let catalogue = Catalogue::new(Limits::default());
/// let request = RandomUniform::new(Alignment::Tensorflow, &[100], [0.0_f32, 1.0], [42, 7]);
/// let drawn = catalogue.spec().run(&Request::RandomUniform(request))?.output;
/// let mut elements: Vec<f32> = drawn.elements().expect("they are f32").collect();
/// elements[70] = 0.123;
/// let answer = who_drew(&Sought::new(Tensor::vector(&elements), 42, 7), &catalogue);
/// let near = answer.nearest.expect("all elements but one are the specification's");
/// assert_eq!((near.elements, near.of, near.first_missed), (99, 100, 70));
/// # Ok::<(), seedproof::Failure>(())
/// ```
#[derive(Clone, Debug)]
pub struct Near {
    /// The name of the reading or mistake.
    pub name: String,
    /// The request.
    pub request: Request,
    /// The number of equal elements among those that were compared.
    pub elements: usize,
    /// The number of elements that were compared, from the first on.
    pub of: usize,
    /// The index of the first element that differs.
    pub first_missed: usize,
    /// The element that would be drawn there.
    pub expected: Scalar,
    /// The largest distance in ulps among those that differ; `None` where one is a NaN.
    pub max_ulps: Option<u64>,
}

/// The answer of `whois`: the candidates that draw an array.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The draws that reproduce every element. Mistakes are among them only where no reading does.
    pub draws: Vec<Draw>,
    /// Whether the array has more bits than chance could match in this number of attempts.
    pub certain: bool,
    /// The draw that comes nearest, where none reproduces every element.
    pub nearest: Option<Near>,
    /// The streams in which the array stands, those that explain most elements first. They are searched only where no
    /// reading is certain.
    pub streams: Vec<Stream>,
    /// The element type of the draws, which may be narrower than the array's own.
    pub dtype: Dtype,
    /// The number of attempts: requests, times the readings and mistakes that answered them.
    pub attempts: usize,
}

impl Answer {
    /// An answer before anything was found.
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

    /// The answer in a word: `named`, `possible` where the array has too few bits for certainty, `nearest`, or
    /// `unknown`.
    ///
    /// ```
    /// use seedproof::judging::Catalogue;
    /// use seedproof::ops::{Limits, Tensor};
    /// use seedproof::whois::{Sought, who_drew};
    ///
    /// // `torch.manual_seed(42); torch.rand(1)`: one of thousands of attempts has these 24 bits by chance.
    /// let sought = Sought::new(Tensor::vector(&[0.882_269_26_f32]), 42, 0);
    /// assert_eq!(who_drew(&sought, &Catalogue::new(Limits::default())).word(), "possible");
    /// ```
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

/// A sentence about the elements of an array that lie outside of a request's range, or equal its upper bound, which the
/// range excludes. `None` if there are none.
///
/// ```
/// use seedproof::ops::{Alignment, RandomUniform, Request, Tensor};
/// use seedproof::whois::outside;
///
/// let request = RandomUniform::new(Alignment::Tensorflow, &[3], [0.0_f32, 1.0], [150, 10]);
/// let request = Request::RandomUniform(request);
/// assert!(outside(&Tensor::vector(&[0.5_f32, 1.0, 0.25]), &request).is_some());
/// assert_eq!(outside(&Tensor::vector(&[0.5_f32, 0.0, 0.25]), &request), None);
/// ```
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
        let elements = plural(count, ["element", "elements"]);
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
