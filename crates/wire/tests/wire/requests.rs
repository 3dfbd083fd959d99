//! Requests of each form, for tests.

use seedproof_ops::{
    Alignment, DmlGenerator, DmlRandomGenerator, Dtype, Element, FeatureLevel, Multinomial, RandomUniform,
    Request, Shape, Tensor,
};

fn tensor<T: Element>(dims: &[u64], elements: &[T]) -> Tensor {
    let shape = Shape::new(dims).expect("small extents");
    Tensor::from_elements(shape, elements).expect("as many elements as the shape calls for")
}

/// RandomUniform-8 of f32 in `[0, 1)` with this many elements.
pub(crate) fn uniform(count: u32) -> Request {
    let (extents, seeds) = ([i64::from(count)], [u64::MAX, 10]);
    Request::RandomUniform(RandomUniform::new(
        Alignment::Tensorflow,
        &extents,
        [0.0_f32, 1.0],
        seeds,
    ))
}

/// The same with another second seed.
pub(crate) fn seeded(count: u32, op_seed: u64) -> Request {
    let Request::RandomUniform(request) = uniform(count) else {
        unreachable!("it is one");
    };
    Request::RandomUniform(RandomUniform { op_seed, ..request })
}

/// Multinomial-13 of i64, five samples for each of two rows, with or without given draws.
pub(crate) fn multinomial(draws: Option<Tensor>) -> Request {
    Request::Multinomial(Multinomial {
        probs: tensor(&[2, 2], &[0.5_f64, 0.5, 0.25, 0.75]),
        num_samples: Tensor::scalar(5_i32),
        draws,
        convert_type: Dtype::I64.into(),
        with_replacement: true,
        log_probs: false,
        global_seed: 1,
        op_seed: 2,
        execution: 0,
    })
}

/// Draws for [`multinomial`].
pub(crate) fn draws() -> Tensor {
    tensor(&[2, 5], &[0.5_f64; 10])
}

/// DirectML's generator with 4 by 5 words, with or without the state after them.
pub(crate) fn dml(output_state: bool) -> Request {
    Request::DmlRandomGenerator(DmlRandomGenerator {
        input_state: tensor(&[1, 1, 1, 6], &[1_u32, 2, 3, 4, 5, 6]),
        output_sizes: vec![1, 1, 4, 5],
        generator: DmlGenerator::Philox4x32_10.into(),
        feature_level: FeatureLevel::Level3_0.into(),
        output_state,
    })
}

/// One request of each form.
pub(crate) fn requests() -> Vec<Request> {
    vec![
        uniform(7),
        uniform(0),
        multinomial(None),
        multinomial(Some(draws())),
        dml(false),
        dml(true),
    ]
}
