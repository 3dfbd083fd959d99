//! Tensors as bytes: equality is equality of bits.

use std::fmt;
use std::sync::Arc;

use crate::dtype::Dtype;
use crate::element::Element;
use crate::scalar::Scalar;
use crate::shape::Shape;

/// Elements of one type in row-major order (last extent fastest), little-endian, without padding.
///
/// Two tensors are equal when type, shape and every bit are equal: `-0.0` differs from `0.0`, and a NaN equals
/// the NaN with the same payload.
///
/// ```
/// use seedproof_ops::{Dtype, Shape, Tensor};
///
/// // Two rows of three, from an implementation's memory.
/// let bytes: Vec<u8> = [1_i32, 2, 3, 4, 5, 6].iter().flat_map(|it| it.to_le_bytes()).collect();
/// let tensor = Tensor::new(Dtype::I32, Shape::new(&[2, 3])?, bytes)?;
/// assert_eq!(tensor.get(3).map(|it| it.decimal()).as_deref(), Some("4"));
/// assert!(Tensor::new(Dtype::I32, Shape::new(&[2, 3])?, vec![0; 23]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Tensor {
    dtype: Dtype,
    shape: Shape,
    // Shared, because a search asks hundreds of questions about one output of megabytes.
    bytes: Arc<Vec<u8>>,
}

/// Why bytes or elements do not make a tensor, or a tensor not the slice that was asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TensorError {
    /// The length does not follow from type and shape.
    #[error("build a {dtype} tensor of shape {shape}: it takes {expected} bytes, not {actual}")]
    Length {
        /// Element type.
        dtype: Dtype,
        /// Shape.
        shape: Shape,
        /// Bytes that type and shape call for.
        expected: u128,
        /// Bytes that were given.
        actual: usize,
    },
    /// The elements are of another type.
    #[error("read {actual} elements as {asked}")]
    Dtype {
        /// Type that was asked for.
        asked: Dtype,
        /// Type that the tensor has.
        actual: Dtype,
    },
}

impl Tensor {
    /// A tensor from its little-endian, row-major bytes.
    ///
    /// # Errors
    /// [`TensorError::Length`] unless there are exactly `shape.count() * dtype.size()` bytes.
    pub fn new(dtype: Dtype, shape: Shape, bytes: Vec<u8>) -> Result<Self, TensorError> {
        if shape.count().checked_mul(dtype.size()) == Some(bytes.len()) {
            return Ok(Self {
                dtype,
                shape,
                bytes: Arc::new(bytes),
            });
        }
        let expected = u128::try_from(shape.count())
            .unwrap_or(u128::MAX)
            .saturating_mul(u128::try_from(dtype.size()).unwrap_or(u128::MAX));
        Err(TensorError::Length {
            dtype,
            shape,
            expected,
            actual: bytes.len(),
        })
    }

    /// A tensor from its elements in row-major order.
    ///
    /// # Errors
    /// [`TensorError::Length`] unless there are exactly `shape.count()` elements.
    pub fn from_elements<T: Element>(shape: Shape, elements: &[T]) -> Result<Self, TensorError> {
        let mut bytes = Vec::with_capacity(elements.len().saturating_mul(T::DTYPE.size()));
        for &element in elements {
            element.push_le(&mut bytes);
        }
        Self::new(T::DTYPE, shape, bytes)
    }

    /// A tensor from its elements in row-major order, each of this type.
    ///
    /// # Errors
    /// [`TensorError::Length`] unless there are exactly `shape.count()` elements.
    pub fn from_scalars(
        dtype: Dtype,
        shape: Shape,
        scalars: impl IntoIterator<Item = Scalar>,
    ) -> Result<Self, TensorError> {
        let size = dtype.size();
        let mut bytes = Vec::with_capacity(shape.count().saturating_mul(size));
        for scalar in scalars {
            bytes.extend_from_slice(&scalar.bits().to_le_bytes()[..size]);
        }
        Self::new(dtype, shape, bytes)
    }

    /// A tensor of shape `[]`.
    pub fn scalar<T: Element>(element: T) -> Self {
        let mut bytes = Vec::with_capacity(T::DTYPE.size());
        element.push_le(&mut bytes);
        Self {
            dtype: T::DTYPE,
            shape: Shape::scalar(),
            bytes: Arc::new(bytes),
        }
    }

    /// A tensor of shape `[elements.len()]`.
    pub fn vector<T: Element>(elements: &[T]) -> Self {
        Self::from_elements(Shape::vector(elements.len()), elements).expect("the shape has that count")
    }

    /// A tensor of shape `[]` with this number; `None` if the type does not have it.
    pub fn integer(dtype: Dtype, number: i64) -> Option<Self> {
        Scalar::from_decimal(dtype, &number.to_string()).map(Self::from_scalar)
    }

    /// A tensor of shape `[]` from a scalar's bits.
    pub fn from_scalar(scalar: Scalar) -> Self {
        Self {
            dtype: scalar.dtype(),
            shape: Shape::scalar(),
            bytes: Arc::new(scalar.to_le_bytes()),
        }
    }

    /// The element type.
    pub const fn dtype(&self) -> Dtype {
        self.dtype
    }

    /// The shape.
    pub const fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Number of elements.
    pub const fn count(&self) -> usize {
        self.shape.count()
    }

    /// The elements' bytes: row-major, little-endian, no padding.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The elements' bytes, by value.
    pub fn into_bytes(self) -> Vec<u8> {
        Arc::unwrap_or_clone(self.bytes)
    }

    /// The elements in row-major order.
    ///
    /// ```
    /// use seedproof_ops::{Dtype, Tensor, TensorError};
    ///
    /// let tensor = Tensor::vector(&[1_i32, -2]);
    /// assert_eq!(tensor.elements::<i32>()?.sum::<i32>(), -1);
    /// assert!(matches!(tensor.elements::<f32>(), Err(TensorError::Dtype { actual: Dtype::I32, .. })));
    /// # Ok::<(), TensorError>(())
    /// ```
    ///
    /// # Errors
    /// [`TensorError::Dtype`] if they are of another type.
    pub fn elements<T: Element>(&self) -> Result<impl ExactSizeIterator<Item = T> + '_, TensorError> {
        if self.dtype == T::DTYPE {
            Ok(self.bytes.chunks_exact(T::DTYPE.size()).map(T::from_le))
        } else {
            Err(TensorError::Dtype {
                asked: T::DTYPE,
                actual: self.dtype,
            })
        }
    }

    /// The element at a row-major index as bits, or `None` past the end.
    pub fn get(&self, index: usize) -> Option<Scalar> {
        let start = index.checked_mul(self.dtype.size())?;
        let bytes = self.bytes.get(start..start.checked_add(self.dtype.size())?)?;
        Some(Scalar::from_le_bytes(self.dtype, bytes))
    }

    /// The elements in row-major order, as bits.
    pub fn scalars(&self) -> impl ExactSizeIterator<Item = Scalar> + '_ {
        self.bytes
            .chunks_exact(self.dtype.size())
            .map(|bytes| Scalar::from_le_bytes(self.dtype, bytes))
    }

    /// The elements at these row-major indices, as a list; `None` if one of them is past the end.
    ///
    /// ```
    /// use seedproof_ops::Tensor;
    ///
    /// let tensor = Tensor::vector(&[5_i32, 6, 7]);
    /// assert_eq!(tensor.gather([2, 0]), Some(Tensor::vector(&[7_i32, 5])));
    /// assert_eq!(tensor.gather([3]), None);
    /// ```
    pub fn gather(&self, places: impl IntoIterator<Item = usize>) -> Option<Self> {
        // Not asked for at once: the places may be those of a file, of which nothing says how many there are.
        let size = self.dtype.size();
        let mut bytes = Vec::new();
        for place in places {
            let start = place.checked_mul(size)?;
            bytes.extend_from_slice(self.bytes.get(start..start.checked_add(size)?)?);
        }
        let shape = Shape::vector(bytes.len() / size);
        Self::new(self.dtype, shape, bytes).ok()
    }

    /// The same elements in another shape; `None` if that has another number of elements.
    pub fn reshaped(&self, shape: Shape) -> Option<Self> {
        (shape.count() == self.count()).then(|| Self {
            shape,
            ..self.clone()
        })
    }
}

impl fmt::Debug for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MAX_SHOWN_ELEMENTS: usize = 8;
        write!(f, "{}{}", self.dtype, self.shape)?;
        let shown: Vec<String> = self
            .scalars()
            .take(MAX_SHOWN_ELEMENTS)
            .map(Scalar::literal)
            .collect();
        let more = if self.count() > MAX_SHOWN_ELEMENTS {
            ", …"
        } else {
            ""
        };
        write!(f, "({}{more})", shown.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tensor_refuses_a_wrong_length() {
        let error = Tensor::new(Dtype::F32, Shape::vector(2), vec![0; 7]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "build a f32 tensor of shape [2]: it takes 8 bytes, not 7"
        );
        assert!(Tensor::from_elements(Shape::vector(3), &[1_i64, 2]).is_err());
        assert!(Tensor::new(Dtype::F64, Shape::new(&[1 << 62]).unwrap(), Vec::new()).is_err());
    }

    #[test]
    fn tensor_equality_is_of_bits() {
        assert_ne!(Tensor::scalar(0.0_f32), Tensor::scalar(-0.0_f32));
        assert_eq!(Tensor::scalar(f32::NAN), Tensor::scalar(f32::NAN));
        assert_ne!(Tensor::scalar(0_u32), Tensor::scalar(0_i32));
        assert_ne!(Tensor::scalar(0_u32), Tensor::vector(&[0_u32]));
    }

    #[test]
    fn tensor_bytes_are_little_endian() {
        let tensor = Tensor::vector(&[1_u32, 0x0102_0304]);
        assert_eq!(tensor.bytes(), [1, 0, 0, 0, 4, 3, 2, 1]);
        assert_eq!(
            tensor.elements::<u32>().unwrap().collect::<Vec<_>>(),
            [1, 0x0102_0304]
        );
    }

    #[test]
    fn tensor_elements_of_another_type_are_refused() {
        let tensor = Tensor::vector(&[1_u32]);
        assert_eq!(
            tensor.elements::<i32>().err().unwrap().to_string(),
            "read u32 elements as i32"
        );
    }

    #[test]
    fn tensor_get_ends_with_the_elements() {
        let tensor = Tensor::vector(&[1.0_f64, 2.0]);
        assert_eq!(tensor.get(1).unwrap().bits(), 2.0_f64.to_bits());
        assert!(tensor.get(2).is_none());
        assert!(tensor.get(usize::MAX).is_none());
    }
}
