//! What a request alone says about its output: the form that it must have, and where in the generator's stream
//! an element comes from. No numbers are drawn here.

use seedproof_ops::{Alignment, Dtype, Request, Shape, Tensor};

/// The element type and the shape of the output that a request asks for; `None` if it does not describe one.
pub fn output_form(request: &Request) -> Option<(Dtype, Shape)> {
    let (dtype, dims) = match request {
        Request::RandomUniform(op) => (op.output_type.known()?, extents(&op.shape)?),
        Request::Multinomial(op) => {
            let [batch, _] = *op.probs.shape().dims() else {
                return None;
            };
            let samples = extents(&op.num_samples)?;
            let [samples] = samples[..] else { return None };
            (op.convert_type.known()?, vec![wide(batch), samples])
        }
        Request::DmlRandomGenerator(op) => (Dtype::U32, op.output_sizes.clone()),
    };
    Some((dtype, Shape::new(&dims).ok()?))
}

/// A list of extents as an input gives it; `None` if one is negative or the type is no integer.
fn extents(tensor: &Tensor) -> Option<Vec<u64>> {
    if tensor.dtype().is_float() {
        return None;
    }
    tensor
        .scalars()
        .map(|extent| u64::try_from(extent.to_i64()).ok())
        .collect()
}

/// How many elements one block of the generator gives; `None` where it has no blocks (PYTORCH) or draws nothing
/// (Multinomial with given draws).
///
/// Philox4x32 gives four words a block. An element of 64 bits takes two of them, any other one; Multinomial draws
/// one f64 per sample.
pub fn elements_per_block(request: &Request) -> Option<usize> {
    match request {
        Request::RandomUniform(op) => match op.alignment.known()? {
            Alignment::Tensorflow if op.output_type.known()?.size() == 8 => Some(2),
            Alignment::Tensorflow => Some(4),
            Alignment::Pytorch => None,
        },
        Request::Multinomial(op) => op.draws.is_none().then_some(2),
        Request::DmlRandomGenerator(_) => Some(4),
    }
}

/// The block that an element comes from, counted from the request's first, and the first word in it that the
/// element takes (0 to 3); `None` where the generator has no blocks.
pub fn block_and_word(request: &Request, index: usize) -> Option<(u64, u32)> {
    let per_block = elements_per_block(request)?;
    let word = index % per_block * (4 / per_block);
    Some((wide(index / per_block), u32::try_from(word).ok()?))
}

/// The same request for an output of `count` elements as one list, row or plane; `None` where no such request
/// draws the same stream.
pub(crate) fn with_count(request: &Request, count: usize) -> Option<Request> {
    let extent = i64::try_from(count).ok()?;
    Some(match request {
        Request::RandomUniform(op) => {
            let mut op = op.clone();
            op.shape = Tensor::vector(&[extent]);
            Request::RandomUniform(op)
        }
        Request::Multinomial(op) => {
            if op.draws.is_some() || !op.with_replacement || op.probs.shape().dims().first() != Some(&1) {
                return None;
            }
            let mut op = op.clone();
            op.num_samples = Tensor::scalar(extent);
            Request::Multinomial(op)
        }
        Request::DmlRandomGenerator(op) => {
            let mut op = op.clone();
            let (last, ones) = op.output_sizes.split_last_mut()?;
            ones.fill(1);
            *last = wide(count);
            op.output_state = false;
            Request::DmlRandomGenerator(op)
        }
    })
}

/// A size as `u64`. Sizes never exceed it on any machine that Rust knows.
pub(crate) fn wide(size: usize) -> u64 {
    u64::try_from(size).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{dml, multinomial, uniform};
    use seedproof_ops::Attribute;

    #[test]
    fn form_follows_from_the_request() {
        let request = uniform(Alignment::Tensorflow, Dtype::F16, &[2, 3]);
        assert_eq!(
            output_form(&request),
            Some((Dtype::F16, Shape::new(&[2, 3]).unwrap()))
        );
        assert_eq!(
            output_form(&multinomial(&[0.5, 0.5], 7)),
            Some((Dtype::I32, Shape::new(&[1, 7]).unwrap()))
        );
        assert_eq!(
            output_form(&dml(&[1, 1, 2, 3])),
            Some((Dtype::U32, Shape::new(&[1, 1, 2, 3]).unwrap()))
        );
    }

    #[test]
    fn form_of_a_malformed_request_is_unknown() {
        assert_eq!(
            output_form(&uniform(Alignment::Tensorflow, Dtype::F32, &[-1])),
            None
        );
        let Request::RandomUniform(mut op) = uniform(Alignment::Tensorflow, Dtype::F32, &[3]) else {
            unreachable!()
        };
        op.output_type = Attribute::Unknown("f8".to_owned());
        assert_eq!(output_form(&Request::RandomUniform(op.clone())), None);
        op.shape = Tensor::scalar(1.0_f32);
        op.output_type = Dtype::F32.into();
        assert_eq!(output_form(&Request::RandomUniform(op)), None);
    }

    #[test]
    fn block_and_word_follow_the_element_s_width() {
        let at = |dtype, index| block_and_word(&uniform(Alignment::Tensorflow, dtype, &[24]), index);
        assert_eq!(at(Dtype::F16, 2), Some((0, 2)));
        assert_eq!(at(Dtype::I32, 7), Some((1, 3)));
        assert_eq!(at(Dtype::F64, 3), Some((1, 2)));
        assert_eq!(at(Dtype::I64, 4), Some((2, 0)));
        assert_eq!(block_and_word(&dml(&[1, 1, 1, 9]), 8), Some((2, 0)));
        assert_eq!(block_and_word(&multinomial(&[1.0], 5), 1), Some((0, 2)));
    }

    #[test]
    fn block_is_unknown_without_blocks() {
        let request = uniform(Alignment::Pytorch, Dtype::F32, &[24]);
        assert_eq!(block_and_word(&request, 5), None);
    }

    #[test]
    fn with_count_keeps_all_but_the_count() {
        let request = uniform(Alignment::Tensorflow, Dtype::F32, &[2, 3]);
        let longer = with_count(&request, 100).unwrap();
        assert_eq!(output_form(&longer), Some((Dtype::F32, Shape::vector(100))));
        let longer = with_count(&dml(&[1, 1, 2, 3]), 9).unwrap();
        assert_eq!(output_form(&longer).unwrap().1.dims(), [1, 1, 1, 9]);
    }
}
