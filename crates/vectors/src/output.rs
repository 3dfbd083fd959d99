//! The form of an output: what type and extents follow from a request.

use seedproof_ops::{Dtype, Request, Tensor};

/// The element type and the extents, outermost first, of the output that a request asks for.
///
/// `None` where the request does not say, which makes it one that its op refuses: an attribute of unknown value,
/// an output shape that is no list of i32 or i64, a negative extent. Nothing else is checked.
pub fn output_form(request: &Request) -> Option<(Dtype, Vec<u64>)> {
    match request {
        Request::RandomUniform(request) => {
            let dims = (request.shape.shape().rank() == 1)
                .then(|| whole_numbers(&request.shape))
                .flatten()?;
            Some((request.output_type.known()?, dims))
        }
        Request::Multinomial(request) => {
            let [batch, _] = *request.probs.shape().dims() else {
                return None;
            };
            let [samples] = *whole_numbers(&request.num_samples)? else {
                return None;
            };
            Some((
                request.convert_type.known()?,
                vec![u64::try_from(batch).ok()?, samples],
            ))
        }
        Request::DmlRandomGenerator(request) => Some((Dtype::U32, request.output_sizes.clone())),
    }
}

/// The number of elements of these extents; `None` if it does not fit the machine.
pub(crate) fn element_count(dims: &[u64]) -> Option<usize> {
    seedproof_ops::Shape::new(dims).ok().map(|shape| shape.count())
}

/// The elements of an i32 or i64 tensor, if none is negative.
fn whole_numbers(tensor: &Tensor) -> Option<Vec<u64>> {
    matches!(tensor.dtype(), Dtype::I32 | Dtype::I64)
        .then(|| {
            tensor
                .scalars()
                .map(|scalar| u64::try_from(scalar.to_i64()).ok())
                .collect()
        })
        .flatten()
}
