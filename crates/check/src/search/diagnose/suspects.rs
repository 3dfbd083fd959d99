//! The candidates of a diagnosis, which its caller supplies.

use seedproof_ops::{Backend, Failure, Request, Response};

use crate::model::diagnosis::{Candidate, Cause};

/// Makes a backend with several mistakes, given by the names of their causes. `None` where they exclude each other, and
/// where one of them changes nothing beside the others.
pub type Together<'a> = dyn Fn(&[&str]) -> Option<Box<dyn Backend>> + 'a;

/// Makes the candidates with parameters: all members of all families, and those with sizes that the failing cases show.
pub type Families<'a> = dyn Fn(&[u32]) -> Vec<Found> + 'a;

/// The implementation to which mistakes are made.
///
/// A mistake that changes nothing of what a request reads leaves its answer as it is. That is most mistakes for most ops, and
/// these are not drawn.
///
/// It returns the answer to a request without any mistake, and what that is made from, as bits: one for each group of rules that a
/// mistake may change.
///
/// ```
/// use seedproof_check::Base;
/// # use seedproof_ops::{Alignment, RandomUniform, Request, Response, Tensor, TritonRandint};
///
/// # let [seed, offset] = [7_i64, 0].map(Tensor::scalar);
/// # let words = Request::TritonRandint(TritonRandint { num: 4, seed, offset });
/// # let uniform = RandomUniform::new(Alignment::Tensorflow, &[4], [0.0_f32, 1.0], [150, 10]);
/// # let uniform = Request::RandomUniform(uniform);
/// # let answer = |_: &Request| Ok(Response::of(Tensor::scalar(0_u32)));
/// const GENERATOR: u64 = 1;
/// const SCALE: u64 = 2;
/// // An answer of words is made from the generator alone. A mistake in the scale is not drawn for it.
/// let base: &Base<'_> = &|request| match request {
///     Request::TritonRandint(_) => (answer(request), GENERATOR),
///     _ => (answer(request), GENERATOR | SCALE),
/// };
/// assert_eq!(base(&words).1 & SCALE, 0);
/// assert_eq!(base(&uniform).1 & SCALE, SCALE);
/// ```
pub type Base<'a> = dyn Fn(&Request) -> (Result<Response, Failure>, u64) + 'a;

/// A candidate with a parameter.
pub struct Found {
    /// The cause. Its name includes the parameter: `per-thread(threads = 256)`.
    pub cause: Cause,
    /// Answers as an implementation with this cause does.
    pub backend: Box<dyn Backend>,
    /// What it changes, as bits of [`Base`].
    pub changes: u64,
}

/// Everything that is tried on the failing cases.
#[derive(Clone, Copy)]
pub struct Suspects<'a> {
    /// Readings and mistakes.
    pub candidates: &'a [Candidate<'a>],
    /// Candidates whose parameters are searched for.
    pub families: &'a Families<'a>,
    /// Several candidates together.
    pub together: &'a Together<'a>,
    /// Computes the expected answers. Without it there are no structures, and no explanation names its stage.
    pub oracle: Option<&'a dyn Backend>,
    /// What the mistakes are made to. Without it each of them is tried on every request.
    pub base: Option<&'a Base<'a>>,
}
