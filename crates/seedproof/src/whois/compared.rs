//! What outputs are compared with: an array, or those of its elements that are known.

use seedproof_ops::{NanRule, Tensor};

use super::elements::as_list;
use super::sought::Sought;

/// An array, or those of its elements that are known.
pub(super) struct Compared<'a> {
    /// The question about the array; about the list of the elements that are known, if not all are.
    pub(super) sought: &'a Sought,
    /// The indices of the elements that are known, in ascending order; `None` if all are.
    pub(super) places: Option<&'a [usize]>,
    /// The number of elements of the array.
    pub(super) count: usize,
}

impl<'a> Compared<'a> {
    /// An array of which every element is known.
    pub(super) fn whole(sought: &'a Sought) -> Self {
        Self {
            sought,
            places: None,
            count: sought.actual.count(),
        }
    }

    /// Whether the array may begin with the drawn elements, which are a list.
    pub(super) fn is_begun_by(&self, drawn: &Tensor, nan: NanRule) -> bool {
        let Some(places) = self.places else {
            return self.sought.is_begun_by(drawn, nan);
        };
        let drawn_places = &places[..places.partition_point(|place| *place < drawn.count())];
        let known = drawn.gather(drawn_places.iter().copied());
        known.is_some_and(|known| self.sought.is_begun_by(&known, nan))
    }

    /// Whether an output is the array.
    pub(super) fn is(&self, output: &Tensor, nan: NanRule) -> bool {
        output.count() == self.count && self.is_begun_by(&as_list(output), nan)
    }
}
