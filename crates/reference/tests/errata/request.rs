//! Requests in short.

use seedproof_ops::{
    Alignment, Dtype, Element, ErrorKind, Failure, Limits, Multinomial, RandomUniform, Request, Shape, Tensor,
};

/// Seeds `(global_seed, op_seed)`, then bounds.
pub(crate) fn request<T: Element>(
    alignment: Alignment,
    seeds: (u64, u64),
    count: usize,
    bounds: (T, T),
) -> RandomUniform {
    let count = i64::try_from(count).unwrap();
    RandomUniform::new(alignment, &[count], <[T; 2]>::from(bounds), seeds.into())
}

fn draw<T: Element>(request: RandomUniform) -> Vec<T> {
    let request = Request::RandomUniform(request);
    let response = seedproof_reference::run(&request, &Limits::default(), 1).unwrap();
    response.output.elements().unwrap().collect()
}

/// RandomUniform-8 under TENSORFLOW.
pub(crate) fn tensorflow<T: Element>(seeds: (u64, u64), count: usize, range: (T, T)) -> Vec<T> {
    draw(request(Alignment::Tensorflow, seeds, count, range))
}

/// RandomUniform-8 under PYTORCH.
pub(crate) fn pytorch<T: Element>(seed: u64, count: usize, range: (T, T)) -> Vec<T> {
    draw(request(Alignment::Pytorch, (seed, 1), count, range))
}

/// The kind of refusal, if it is one.
pub(crate) fn refusal(request: &Request) -> Option<ErrorKind> {
    match seedproof_reference::run(request, &Limits::default(), 1) {
        Err(Failure::Rejected(error)) => error.kind,
        _ => None,
    }
}

/// Multinomial-13 of one row with given draws and replacement.
pub(crate) fn multinomial<T: Element>(probs: &[T], draws: &[f64]) -> Multinomial {
    let row = |count: usize| Shape::new(&[1, u64::try_from(count).unwrap()]).unwrap();
    Multinomial {
        probs: Tensor::from_elements(row(probs.len()), probs).unwrap(),
        num_samples: Tensor::scalar(i64::try_from(draws.len()).unwrap()),
        draws: Some(Tensor::from_elements(row(draws.len()), draws).unwrap()),
        convert_type: Dtype::I64.into(),
        with_replacement: true,
        log_probs: false,
        global_seed: 1,
        op_seed: 1,
        execution: 0,
    }
}

/// The classes that a Multinomial-13 draws.
pub(crate) fn classes(request: Multinomial) -> Vec<i64> {
    let request = Request::Multinomial(request);
    let response = seedproof_reference::run(&request, &Limits::default(), 1).unwrap();
    response.output.elements().unwrap().collect()
}

/// Decimals of f32 as the documents print them.
pub(crate) fn decimals(values: impl IntoIterator<Item = f32>) -> Vec<String> {
    values.into_iter().map(|value| value.to_string()).collect()
}

/// The bits of the output, or the kind of the rejection.
pub(crate) fn answer(request: &Request) -> Result<Vec<u64>, Option<ErrorKind>> {
    match seedproof_reference::run(request, &Limits::default(), 0) {
        Ok(response) => Ok(response
            .output
            .scalars()
            .map(seedproof_ops::Scalar::bits)
            .collect()),
        Err(Failure::Rejected(error)) => Err(error.kind),
        Err(failure) => panic!("{failure}"),
    }
}
