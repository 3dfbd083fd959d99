//! What an op's module makes of a request before it draws.

use seedproof_ops::{Failure, Response, Stages, Tensor};

/// A request that will be answered.
pub(super) trait Plan {
    /// The number of elements of the first output.
    fn count(&self) -> usize;

    /// The value.
    ///
    /// # Errors
    /// [`Failure::Unsupported`] if there is not memory enough, or where the implementation's own answer is not known.
    fn run(&self, entropy: &dyn Fn() -> u64) -> Result<Response, Failure>;

    /// At least the first elements of the first output. The provided method draws all of them; a plan whose words depend
    /// on the number of all provides its own, because its requests have no shorter form.
    ///
    /// # Errors
    /// As [`Self::run`].
    fn first(&self, _count: usize, entropy: &dyn Fn() -> u64) -> Result<Tensor, Failure> {
        self.run(entropy).map(|response| response.output)
    }

    /// Whether the values decide if there is an answer.
    fn depends_on_values(&self) -> bool {
        false
    }

    /// The words and what becomes of them.
    ///
    /// # Errors
    /// As [`Self::run`], and where words do not stand for elements one by one, so that there is nothing to show.
    fn stages(&self, _: &dyn Fn() -> u64) -> Result<Stages, Failure> {
        Err(no_stages())
    }
}

pub(super) fn no_stages() -> Failure {
    Failure::Unsupported(String::from("words do not stand for elements one by one"))
}
