//! How much output a backend is willing to make.

use crate::dtype::Dtype;
use crate::response::Failure;
use crate::shape::Shape;

/// The most bytes that one output may take.
///
/// A request over the limit is [`Failure::Unsupported`], before anything is allocated: it is well formed, and
/// another machine could answer it.
///
/// ```
/// use seedproof_ops::{Dtype, Failure, Limits};
///
/// let small = Limits { max_output_bytes: 1 << 20 };
/// assert!(small.shape(Dtype::F32, &[512, 512]).is_ok());
/// assert!(matches!(small.shape(Dtype::F64, &[512, 512]), Err(Failure::Unsupported(_))));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes per output tensor.
    pub max_output_bytes: u64,
}

impl Default for Limits {
    /// 4 GiB.
    fn default() -> Self {
        Self {
            max_output_bytes: 4 << 30,
        }
    }
}

impl Limits {
    /// The limits that satisfy both.
    ///
    /// ```
    /// use seedproof_ops::Limits;
    ///
    /// let small = Limits { max_output_bytes: 1 << 20 };
    /// assert_eq!(Limits::default().and(small), small);
    /// ```
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            max_output_bytes: self.max_output_bytes.min(other.max_output_bytes),
        }
    }

    /// The most times that draws without replacement may bring a class up to date: under a second of a processor's time for
    /// one backend, so that a diagnosis, which asks many, takes some seconds.
    ///
    /// Each draw lowers and divides the share of every class, and rounds it twice. The next draw depends on a
    /// difference of two shares to the last bit, so that no short cut gives the same bits: what grows with the product
    /// of samples and classes is bounded instead.
    pub const MOST_STEPS: u64 = 1 << 29;

    /// Whether draws without replacement stay within [`Self::MOST_STEPS`].
    ///
    /// ```
    /// use seedproof_ops::Limits;
    ///
    /// assert!(Limits::steps(4, 1_000, 50_000).is_ok());
    /// assert!(Limits::steps(4, 50_000, 50_000).is_err());
    /// ```
    ///
    /// # Errors
    /// [`Failure::Unsupported`] if they do not.
    pub fn steps(rows: u64, samples: u64, classes: u64) -> Result<(), Failure> {
        let steps = u128::from(rows) * u128::from(samples);
        if steps.saturating_mul(u128::from(classes)) <= u128::from(Self::MOST_STEPS) {
            return Ok(());
        }
        Err(Failure::Unsupported(format!(
            "{rows} rows of {samples} samples without replacement from {classes} classes take more than {} steps, a \
             step for each sample and class",
            Self::MOST_STEPS
        )))
    }

    /// Whether what the calls before this one draw is not too much to be skipped: a generator without a counter steps over
    /// every word.
    ///
    /// # Errors
    /// [`Failure::Unsupported`] if they draw more than [`Self::MOST_STEPS`] words.
    pub fn skipped(execution: u32, words: u64) -> Result<(), Failure> {
        let skipped = u128::from(execution) * u128::from(words);
        if skipped <= u128::from(Self::MOST_STEPS) {
            return Ok(());
        }
        Err(Failure::Unsupported(format!(
            "execution {execution} comes after {skipped} words, more than {} steps of the generator",
            Self::MOST_STEPS
        )))
    }

    /// The most words of a seed that is a list: a thousand times the state of the largest generator here.
    pub const MOST_SEED_WORDS: u32 = 1 << 20;

    /// The length of a seed that is a list of words.
    ///
    /// # Errors
    /// [`Failure::Unsupported`] if it has more than [`Self::MOST_SEED_WORDS`].
    pub fn seed_words(words: u128) -> Result<usize, Failure> {
        let allowed = u32::try_from(words)
            .ok()
            .filter(|&words| words <= Self::MOST_SEED_WORDS);
        let length = allowed.and_then(|words| usize::try_from(words).ok());
        length.ok_or_else(|| {
            let most = Self::MOST_SEED_WORDS;
            Failure::Unsupported(format!("a seed of {words} words, more than {most}"))
        })
    }

    /// The shape of an output that stays within the limit.
    ///
    /// # Errors
    /// [`Failure::Unsupported`] with the size and the limit, if `dims` take more bytes of `dtype` than allowed
    /// or than this machine can count.
    pub fn shape(&self, dtype: Dtype, dims: &[u64]) -> Result<Shape, Failure> {
        let count = if dims.contains(&0) {
            Some(0)
        } else {
            dims.iter()
                .try_fold(1_u128, |n, &dim| n.checked_mul(u128::from(dim)))
        };
        let bytes = count.and_then(|n| n.checked_mul(u128::try_from(dtype.size()).unwrap_or(u128::MAX)));
        match (bytes, Shape::new(dims)) {
            (Some(bytes), Ok(shape)) if bytes <= u128::from(self.max_output_bytes) => Ok(shape),
            (Some(bytes), _) => Err(Failure::Unsupported(format!(
                "an output {dtype} {dims:?} takes {bytes} bytes, more than the limit of {} bytes",
                self.max_output_bytes
            ))),
            (None, _) => Err(Failure::Unsupported(format!(
                "an output {dtype} {dims:?} takes more bytes than can be counted; the limit is {} bytes",
                self.max_output_bytes
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_inclusive() {
        let limits = Limits { max_output_bytes: 64 };
        assert!(limits.shape(Dtype::F32, &[4, 4]).is_ok());
        assert!(limits.shape(Dtype::F64, &[4, 4]).is_err());
        assert!(limits.shape(Dtype::F16, &[33]).is_err());
    }

    #[test]
    fn limits_bound_draws_without_replacement() {
        assert_eq!(Limits::steps(1, 1 << 14, 1 << 15), Ok(()));
        assert_eq!(Limits::steps(0, u64::MAX, u64::MAX), Ok(()));
        for [rows, samples, classes] in [[1, (1 << 14) + 1, 1 << 15], [u64::MAX; 3]] {
            assert!(matches!(
                Limits::steps(rows, samples, classes),
                Err(Failure::Unsupported(_))
            ));
        }
    }

    #[test]
    fn limits_bound_the_words_of_a_seed() {
        assert_eq!(Limits::seed_words(1 << 20), Ok(1 << 20));
        for words in [(1 << 20) + 1, u128::MAX] {
            assert!(matches!(Limits::seed_words(words), Err(Failure::Unsupported(_))));
        }
    }

    #[test]
    fn limits_answer_absurd_shapes() {
        let limits = Limits::default();
        for dims in [vec![u64::MAX], vec![u64::MAX; 8], vec![1 << 32, 1 << 32]] {
            let Err(Failure::Unsupported(message)) = limits.shape(Dtype::F64, &dims) else {
                panic!("{dims:?} was accepted");
            };
            assert!(message.contains("4294967296 bytes"), "{message}");
        }
    }

    #[test]
    fn limits_allow_empty_outputs_of_any_extent() {
        let dims = [1 << 31, 0, 1 << 31];
        assert_eq!(
            Limits::default()
                .shape(Dtype::F64, &dims)
                .map(|shape| shape.count()),
            Ok(0)
        );
    }
}
