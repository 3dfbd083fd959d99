//! Which word of which pair an element of up to 32 bits takes of THREE_FRY.

use seedproof_ops::Shape;

use crate::answers::{BitGenerator, HalfDimension, PairOrder, ScalarWord};

/// The pairs of a shape.
pub(super) struct Pairs<'a> {
    answers: &'a BitGenerator,
    shape: &'a Shape,
    /// The halved dimension; `None` of a scalar.
    halved: Option<usize>,
}

impl<'a> Pairs<'a> {
    pub(super) fn of(answers: &'a BitGenerator, shape: &'a Shape) -> Self {
        let dims = shape.dims();
        let even = |extent: &usize| extent.is_multiple_of(2);
        let greatest = dims.iter().max().copied().unwrap_or(0);
        let is_greatest = |extent: &usize| *extent == greatest;
        let first_greatest = dims.iter().position(is_greatest);
        let halved = match answers.half_dimension {
            HalfDimension::FirstEven => dims.iter().position(even).or(first_greatest),
            HalfDimension::LastEven => dims.iter().rposition(even).or(first_greatest),
            HalfDimension::FirstEvenOrFirst => dims.iter().position(even).or(first(dims)),
            HalfDimension::LastGreatest => dims
                .iter()
                .position(even)
                .or_else(|| dims.iter().rposition(is_greatest)),
            HalfDimension::Greatest => first_greatest,
            HalfDimension::First => first(dims),
            HalfDimension::Last => dims.len().checked_sub(1),
        };
        Self {
            answers,
            shape,
            halved,
        }
    }

    fn is_flat(&self) -> bool {
        matches!(self.answers.pair_order, PairOrder::Flat | PairOrder::FlatHalves)
    }

    /// How many pairs there are.
    pub(super) fn count(&self) -> usize {
        match self.halved {
            Some(dimension) if !self.is_flat() && self.shape.count() > 0 => {
                let extent = self.shape.dims()[dimension];
                self.shape.count() / extent * extent.div_ceil(2)
            }
            _ => self.shape.count().div_ceil(2),
        }
    }

    /// The pair of an element, and the word of the pair.
    pub(super) fn place(&self, element: usize) -> (usize, usize) {
        let Some(dimension) = self.halved else {
            return match self.answers.scalar {
                ScalarWord::First => (0, 0),
                ScalarWord::Second => (0, 1),
            };
        };
        let halves = |index: usize, length: usize| {
            let half = length.div_ceil(2);
            (index % half, index / half)
        };
        match self.answers.pair_order {
            PairOrder::Flat => return (element / 2, element % 2),
            PairOrder::FlatHalves => return halves(element, self.shape.count()),
            PairOrder::Interleaved
            | PairOrder::Concatenated
            | PairOrder::Reversed
            | PairOrder::SurplusFirst => {}
        }
        // The element is (before, index, after) about the halved dimension.
        let dims = self.shape.dims();
        let extent = dims[dimension];
        let after: usize = dims[dimension + 1..].iter().product();
        let (before, index, behind) = (
            element / after / extent,
            element / after % extent,
            element % after,
        );
        let index = match self.answers.pair_order {
            PairOrder::SurplusFirst => index + extent % 2,
            _ => index,
        };
        let (place, word) = match self.answers.pair_order {
            PairOrder::Concatenated => halves(index, extent),
            PairOrder::Reversed => (index / 2, 1 - index % 2),
            _ => (index / 2, index % 2),
        };
        ((before * extent.div_ceil(2) + place) * after + behind, word)
    }
}

fn first(dims: &[usize]) -> Option<usize> {
    (!dims.is_empty()).then_some(0)
}
