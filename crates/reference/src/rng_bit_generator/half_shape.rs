//! The order in which Threefry fills elements of up to 32 bits.

/// `[shlo.threefry.half-shape]`: the output's extents with one of them halved, rounded up. Each block fills one place of
/// the half shape with a pair.
///
/// Erratum `shlo.threefry.half-shape`.
pub(super) struct HalfShape {
    /// The dimension that is halved; a scalar has none.
    halved: Option<usize>,
    dims: Vec<usize>,
}

impl HalfShape {
    /// The half shape of these extents: the first even one is halved; if none is even, the first of the greatest.
    pub(super) fn of(dims: &[usize]) -> Self {
        let even = dims.iter().position(|extent| extent % 2 == 0);
        let greatest = dims.iter().max();
        let halved = even.or_else(|| dims.iter().position(|extent| Some(extent) == greatest));
        let mut half = dims.to_vec();
        if let Some(dimension) = halved {
            half[dimension] = dims[dimension].div_ceil(2);
        }
        Self { halved, dims: half }
    }

    /// The number of pairs. The surplus word of an odd extent is dropped.
    pub(super) fn pairs(&self) -> usize {
        if self.dims.contains(&0) {
            return 0;
        }
        self.dims.iter().product()
    }

    /// The pair that an element of these coordinates comes from, in row-major order of the half shape, and which of its
    /// two words the element is.
    pub(super) fn place(&self, coordinates: &[usize]) -> (usize, usize) {
        let mut word = 0;
        let mut pair = 0;
        for (dimension, (&coordinate, extent)) in coordinates.iter().zip(&self.dims).enumerate() {
            let of_half = if self.halved == Some(dimension) {
                word = coordinate % 2;
                coordinate / 2
            } else {
                coordinate
            };
            pair = pair * extent + of_half;
        }
        (pair, word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_shape_of_even_and_odd_extents() {
        for (dims, half) in [
            (&[3, 4][..], &[3, 2][..]),
            (&[2, 4], &[1, 4]),
            (&[3, 5, 5], &[3, 3, 5]),
            (&[7, 5], &[4, 5]),
            (&[1], &[1]),
            (&[], &[]),
        ] {
            assert_eq!(HalfShape::of(dims).dims, half, "{dims:?}");
        }
    }

    #[test]
    fn half_shape_pairs_are_neighbours_along_the_halved_dimension() {
        let half = HalfShape::of(&[3, 4]);
        assert_eq!(half.place(&[0, 0]), (0, 0));
        assert_eq!(half.place(&[0, 1]), (0, 1));
        assert_eq!(half.place(&[2, 3]), (5, 1));
        let half = HalfShape::of(&[3, 5]);
        assert_eq!(half.place(&[1, 4]), (5, 0));
        assert_eq!(half.pairs(), 9);
    }
}
