//! Everything that is tried on failing cases.

use seedproof_ops::Backend;

use crate::model::diagnosis::{Candidate, Cause};

/// Makes a backend with several wrong answers, named as candidates and members of families are; `None` where they
/// exclude each other, or one changes nothing beside the others.
pub type Together<'a> = dyn Fn(&[&str]) -> Option<Box<dyn Backend>> + 'a;

/// Makes the candidates with parameters: all members of all families.
pub type Families<'a> = dyn Fn() -> Vec<Found> + 'a;

/// A candidate with a parameter.
pub struct Found {
    /// The cause; its name has the parameters: `per-thread(threads = 256)`.
    pub cause: Cause,
    /// Answers as the cause makes an implementation answer.
    pub backend: Box<dyn Backend>,
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
    /// Gives the expected answers: to follow the stream beyond an output, and to name the stage.
    pub oracle: Option<&'a dyn Backend>,
}
