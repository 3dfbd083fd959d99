//! Which key of a batch draws which element.

use seedproof_ops::{ErrorKind, Failure, Shape, Tensor};

use crate::answers::BatchFill;
use crate::engine::check;

/// A batch of keys over an output.
#[derive(Clone)]
pub(crate) struct Batch {
    fill: BatchFill,
    /// The keys' extents; none of a single key.
    extents: Vec<usize>,
}

impl Batch {
    /// # Errors
    /// A batch that is not as the output is.
    pub(crate) fn new(fill: BatchFill, key: &Tensor, sizes: &[u64]) -> Result<Self, Failure> {
        let mut extents = key.shape().dims().to_vec();
        extents.pop();
        let pairs = || extents.iter().zip(sizes);
        let fits = pairs().all(|(&own, &size)| own == 1 || usize::try_from(size) == Ok(own));
        if extents.is_empty() || (extents.len() == sizes.len() && fits) {
            return Ok(Self { fill, extents });
        }
        let message = format!("keys of the shape {} do not fit {sizes:?}", key.shape());
        check::refuse(ErrorKind::Shape, message)
    }

    /// How many trailing extents each key fills.
    fn trailing(&self) -> usize {
        let ones = self
            .extents
            .iter()
            .rev()
            .take_while(|&&extent| extent == 1)
            .count();
        match self.fill {
            BatchFill::OneEach => 0,
            _ => ones,
        }
    }

    fn keys(&self) -> usize {
        self.extents.iter().product()
    }

    /// Elements that a key must draw.
    pub(super) fn drawn(&self, shape: &Shape) -> usize {
        let dims = shape.dims();
        match self.fill {
            _ if self.extents.is_empty() || shape.count() == 0 => shape.count(),
            BatchFill::FirstKey | BatchFill::OwnPlaces => shape.count(),
            BatchFill::Further => shape.count().checked_div(self.keys()).unwrap_or(0),
            BatchFill::InTurn => shape.count().div_ceil(self.keys().max(1)),
            BatchFill::TrailingOnes | BatchFill::OneEach | BatchFill::FirstKeyAgain => {
                dims[dims.len() - self.trailing()..].iter().product()
            }
        }
    }

    /// The key of an element, and its number in that key's stream.
    pub(crate) fn place(&self, shape: &Shape, element: usize) -> (usize, usize) {
        if self.extents.is_empty() || self.fill == BatchFill::FirstKey {
            return (0, element);
        }
        if self.fill == BatchFill::InTurn {
            return (element % self.keys(), element / self.keys());
        }
        // From the last extent to the first: the key's index, and that of the element in what a key draws.
        let dims = shape.dims();
        let (mut rest, mut key, mut keys, mut own, mut owned) = (element, 0, 1, 0, 1);
        let last_filled = dims.len() - self.trailing();
        for (axis, (&extent, &dim)) in self.extents.iter().zip(dims).enumerate().rev() {
            let coordinate = rest % dim;
            rest /= dim;
            if extent > 1 {
                key += coordinate * keys;
                keys *= extent;
            } else if axis >= last_filled || self.fill == BatchFill::Further {
                own += coordinate * owned;
                owned *= dim;
            }
        }
        match self.fill {
            BatchFill::OwnPlaces => (key, element),
            BatchFill::FirstKeyAgain => (0, own),
            _ => (key, own),
        }
    }
}
