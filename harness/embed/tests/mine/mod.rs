//! What of the ops this crate's generator has, and its numbers as an answer.

use seedproof::ops::{Alignment, Dtype, Failure, Request, Response, Shape, Support, Tensor};

pub fn supports(request: &Request) -> Support {
    extents(request).map_or_else(|reason| Support::Unsupported(reason.to_owned()), |_| Support::Supported)
}

pub fn draw(request: &Request) -> Result<Response, Failure> {
    let (Ok(extents), Request::RandomUniform(asked)) = (extents(request), request) else {
        return Err(Failure::Unsupported("not claimed".to_owned()));
    };
    let shape = Shape::new(&extents).map_err(|error| Failure::error(error.to_string()))?;
    let numbers = seedproof_embed::uniform(asked.global_seed, asked.op_seed, shape.count());
    Tensor::from_elements(shape, &numbers)
        .map(Response::of)
        .map_err(|error| Failure::error(error.to_string()))
}

/// The extents, if the request is one of those that this crate is for: f32 in [0, 1) from seeds that are not both zero.
fn extents(request: &Request) -> Result<Vec<u64>, &'static str> {
    let Request::RandomUniform(asked) = request else {
        return Err("only RandomUniform-8");
    };
    if asked.output_type != Dtype::F32.into() || asked.alignment != Alignment::Tensorflow.into() {
        return Err("only f32, aligned with TENSORFLOW");
    }
    if asked.minval != Tensor::scalar(0.0_f32) || asked.maxval != Tensor::scalar(1.0_f32) {
        return Err("only [0, 1)");
    }
    if asked.execution != 0 || (asked.global_seed, asked.op_seed) == (0, 0) {
        return Err("only the first execution, from seeds that are not both zero");
    }
    if asked.shape.shape().rank() != 1 {
        return Err("only shapes that are lists");
    }
    let dims = asked.shape.elements::<i64>().map_err(|_| "only shapes of i64")?;
    dims.map(u64::try_from)
        .collect::<Result<_, _>>()
        .map_err(|_| "only extents that are not negative")
}
