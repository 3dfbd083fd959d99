//! Tensors as ndarrays and back.

use ndarray::{ArrayD, ArrayView, CowArray, Dimension, IxDyn};

use crate::element::Element;
use crate::shape::Shape;
use crate::tensor::{Tensor, TensorError};

impl Tensor {
    /// The elements as an ndarray: a view where the bytes lie aligned on a little-endian machine, else a copy.
    ///
    /// # Errors
    /// [`TensorError::Dtype`] if the elements are of another type.
    pub fn view<T: Element + bytemuck::Pod>(&self) -> Result<CowArray<'_, T, IxDyn>, TensorError> {
        let dims = IxDyn(self.shape().dims());
        if self.dtype() != T::DTYPE {
            return Err(TensorError::Dtype {
                asked: T::DTYPE,
                actual: self.dtype(),
            });
        }
        if cfg!(target_endian = "little")
            && let Ok(slice) = bytemuck::try_cast_slice::<u8, T>(self.bytes())
        {
            return Ok(ArrayView::from_shape(dims, slice)
                .expect("a tensor has its shape's count")
                .into());
        }
        let elements = self.elements::<T>()?.collect();
        Ok(ArrayD::from_shape_vec(dims, elements)
            .expect("a tensor has its shape's count")
            .into())
    }

    /// A tensor with an ndarray's shape and its elements in row-major order, whatever its memory layout.
    pub fn from_array<T: Element, D: Dimension>(array: &ArrayView<'_, T, D>) -> Self {
        let dims: Vec<u64> = array
            .shape()
            .iter()
            .map(|&dim| u64::try_from(dim).unwrap_or(u64::MAX))
            .collect();
        let shape = Shape::new(&dims).expect("an array's count fits memory");
        let elements: Vec<T> = array.iter().copied().collect();
        Self::from_elements(shape, &elements).expect("an array has its shape's count")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use half::bf16;
    use ndarray::array;

    #[test]
    fn view_has_the_tensor_s_shape() {
        let shape = Shape::new(&[2, 3]).unwrap();
        let tensor = Tensor::from_elements(shape, &[1_i64, 2, 3, 4, 5, 6]).unwrap();
        let view = tensor.view::<i64>().unwrap();
        assert_eq!(view.shape(), [2, 3]);
        assert_eq!(view[[1, 0]], 4);
        assert!(tensor.view::<f64>().is_err());
    }

    #[test]
    fn view_of_unaligned_bytes_is_a_copy() {
        for lead in 0..8 {
            let tensor = Tensor::vector(&vec![bf16::ONE; 3 + lead]);
            assert_eq!(tensor.view::<bf16>().unwrap().len(), 3 + lead);
        }
    }

    #[test]
    fn from_array_reads_in_logical_order() {
        let array = array![[1.0_f32, 2.0], [3.0, 4.0]];
        let transposed = Tensor::from_array(&array.t());
        assert_eq!(
            transposed.elements::<f32>().unwrap().collect::<Vec<_>>(),
            [1.0, 3.0, 2.0, 4.0]
        );
        assert_eq!(Tensor::from_array(&array.view()).shape().dims(), [2, 2]);
    }

    #[test]
    fn scalar_arrays_have_rank_zero() {
        let tensor = Tensor::scalar(7_u32);
        assert_eq!(tensor.view::<u32>().unwrap().ndim(), 0);
        assert_eq!(Tensor::from_array(&tensor.view::<u32>().unwrap().view()), tensor);
    }
}
