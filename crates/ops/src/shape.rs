//! Shapes whose element count is known to fit the machine.

use std::fmt;

/// The extents of a tensor, outermost first. `[]` is a scalar: one element.
///
/// The product of the extents fits `usize`; a shape that would overflow cannot be built.
///
/// ```
/// use seedproof_ops::Shape;
///
/// let shape = Shape::new(&[2, 0, 3])?;
/// assert_eq!((shape.rank(), shape.count()), (3, 0));
/// assert_eq!(Shape::new(&[2, 3])?.coordinates(4), [1, 1]);
/// assert!(Shape::new(&[1 << 40, 1 << 40]).is_err());
/// # Ok::<(), seedproof_ops::ShapeError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Shape {
    dims: Vec<usize>,
    count: usize,
}

/// Why extents do not make a shape.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShapeError {
    /// The element count does not fit the machine's address space.
    #[error("count the elements of {0:?}: the product of the extents does not fit this machine")]
    TooLarge(Vec<u64>),
}

impl Shape {
    /// A shape from extents, outermost first.
    ///
    /// # Errors
    /// [`ShapeError::TooLarge`] if an extent or the product of all extents does not fit `usize`. A zero extent
    /// makes the product zero, whatever the others are.
    pub fn new(dims: &[u64]) -> Result<Self, ShapeError> {
        let too_large = || ShapeError::TooLarge(dims.to_vec());
        let extents = dims
            .iter()
            .map(|&dim| usize::try_from(dim).map_err(|_| too_large()))
            .collect::<Result<Vec<_>, _>>()?;
        let count = if extents.contains(&0) {
            0
        } else {
            extents
                .iter()
                .try_fold(1_usize, |n, &dim| n.checked_mul(dim))
                .ok_or_else(too_large)?
        };
        Ok(Self { dims: extents, count })
    }

    /// The shape of a scalar, `[]`.
    pub const fn scalar() -> Self {
        Self {
            dims: Vec::new(),
            count: 1,
        }
    }

    /// The shape of a list of `count` elements, `[count]`.
    pub fn vector(count: usize) -> Self {
        Self {
            dims: vec![count],
            count,
        }
    }

    /// The extents, outermost first.
    pub fn dims(&self) -> &[usize] {
        &self.dims
    }

    /// The extents in the type that requests have them in.
    pub fn to_u64(&self) -> Vec<u64> {
        self.dims
            .iter()
            .map(|&dim| u64::try_from(dim).unwrap_or(u64::MAX))
            .collect()
    }

    /// Number of extents.
    pub fn rank(&self) -> usize {
        self.dims.len()
    }

    /// Number of elements.
    pub const fn count(&self) -> usize {
        self.count
    }

    /// The coordinates of a row-major (last extent fastest) element index below [`Self::count`].
    ///
    /// ```
    /// use seedproof_ops::Shape;
    ///
    /// assert_eq!(Shape::new(&[2, 3])?.coordinates(4), [1, 1]);
    /// # Ok::<(), seedproof_ops::ShapeError>(())
    /// ```
    pub fn coordinates(&self, index: usize) -> Vec<usize> {
        let mut rest = index;
        let mut coordinates: Vec<usize> = self
            .dims
            .iter()
            .rev()
            .map(|&dim| {
                let coordinate = rest % dim.max(1);
                rest /= dim.max(1);
                coordinate
            })
            .collect();
        coordinates.reverse();
        coordinates
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (i, dim) in self.dims.iter().enumerate() {
            if i > 0 {
                f.write_str(",")?;
            }
            write!(f, "{dim}")?;
        }
        f.write_str("]")
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shape_counts_its_elements() {
        assert_eq!(Shape::new(&[2, 3, 4]).unwrap().count(), 24);
        assert_eq!(Shape::new(&[]).unwrap(), Shape::scalar());
        assert_eq!(Shape::scalar().count(), 1);
        assert_eq!(Shape::vector(7).dims(), [7]);
    }

    #[test]
    fn shape_refuses_a_count_that_overflows() {
        assert!(Shape::new(&[u64::MAX, 2]).is_err());
        assert!(Shape::new(&[1 << 33, 1 << 33]).is_err());
    }

    #[test]
    fn shape_zero_extent_wins_over_overflow() {
        let shape = Shape::new(&[1 << 40, 1 << 40, 0]).unwrap();
        assert_eq!(shape.count(), 0);
    }

    #[test]
    fn shape_coordinates_are_row_major() {
        let shape = Shape::new(&[2, 3, 4]).unwrap();
        assert_eq!(shape.coordinates(0), [0, 0, 0]);
        assert_eq!(shape.coordinates(5), [0, 1, 1]);
        assert_eq!(shape.coordinates(23), [1, 2, 3]);
        assert!(Shape::scalar().coordinates(0).is_empty());
    }

    #[test]
    fn shape_prints_like_a_list() {
        assert_eq!(Shape::new(&[3, 1, 2]).unwrap().to_string(), "[3,1,2]");
        assert_eq!(format!("{:?}", Shape::scalar()), "[]");
    }
}
