//! The questions of what drew an array, of which all elements are known or some.

use seedproof_ops::{Shape, standard};

use super::answer::Answer;
use super::parts::{MOST_ELEMENTS, of_parts};
use super::sought::Sought;
use super::who::{of_whole, typed};
use super::zeroed::zeroed;
use crate::catalogue::Catalogue;

/// Looks for what drew an array, among all readings, mistakes and streams that are known.
///
/// ```
/// use seedproof::judging::Catalogue;
/// use seedproof::ops::{Limits, Tensor};
/// use seedproof::whois::{Sought, who_drew};
///
/// let drawn = [0x3f337cd6, 0x3e9c5ce8, 0x3f7076a8, 0x3f721312, 0x3def8250].map(f32::from_bits);
/// let sought = Sought::new(Tensor::vector(&drawn), 150, 10);
/// let answer = who_drew(&sought, &Catalogue::new(Limits::default()));
/// assert_eq!(answer.word(), "named");
/// assert!(answer.draws[0].names.contains(&"spec".to_owned()));
/// ```
pub fn who_drew(sought: &Sought, catalogue: &Catalogue) -> Answer {
    standard(|| {
        let answer = of_whole(sought, catalogue);
        let places: Vec<usize> = (0..sought.actual.count()).collect();
        let zeroed = |it: &Sought| zeroed(it, it.actual.shape(), &places, catalogue);
        or_zeroed(answer, typed(sought).iter().map(zeroed))
    })
}

/// Looks for what drew an array of which only some elements are known: NumPy and PyTorch print three at each end of an axis.
/// Readings, mistakes, later calls and PyTorch's draws on the graphics cards that are known are tried, and then standard numbers
/// of a stream, times a number and plus another one.
///
/// `known.actual` is the list of the elements that are known, `places` their indices in the array, in ascending order, and
/// `shape` has the extents of the array. The answer is that of an array without elements where these do not agree.
///
/// ```
/// use seedproof::judging::Catalogue;
/// use seedproof::ops::{Limits, Shape, Tensor};
/// use seedproof::whois::{Sought, who_drew_parts};
///
/// // `torch.manual_seed(42); torch.rand(2000)`, of which PyTorch prints the first three and the last three.
/// let printed = [0.882_269_26_f32, 0.915_004, 0.382_863_76, 0.783_420_1, 0.177_478_2, 0.452_971_46];
/// let known = Sought::new(Tensor::vector(&printed), 42, 0);
/// let catalogue = Catalogue::new(Limits::default());
/// let places = [0, 1, 2, 1997, 1998, 1999];
/// let answer = who_drew_parts(&known, &Shape::vector(2000), &places, &catalogue);
/// assert_eq!(answer.word(), "named");
/// ```
pub fn who_drew_parts(known: &Sought, shape: &Shape, places: &[usize], catalogue: &Catalogue) -> Answer {
    let is_ascending = places.is_sorted_by(|a, b| a < b);
    let is_inside = places.last().is_some_and(|last| *last < shape.count());
    if !is_ascending || !is_inside || places.len() != known.actual.count() || shape.count() > MOST_ELEMENTS {
        return Answer::none(known);
    }
    standard(|| {
        let answer = of_parts(known, shape, places, catalogue);
        or_zeroed(
            answer,
            std::iter::once_with(|| zeroed(known, shape, places, catalogue)),
        )
    })
}

/// An answer, or one in which elements are zero since where nothing draws the whole array.
fn or_zeroed(answer: Answer, mut zeroed: impl Iterator<Item = Answer>) -> Answer {
    // A stream that is followed with an edit says which element is zero, and more than that the others are drawn.
    if !answer.draws.is_empty() || !answer.streams.is_empty() {
        return answer;
    }
    let mut attempts = answer.attempts;
    let found = zeroed.find(|it| {
        attempts += it.attempts;
        !it.streams.is_empty()
    });
    Answer {
        attempts,
        ..found.unwrap_or(answer)
    }
}
