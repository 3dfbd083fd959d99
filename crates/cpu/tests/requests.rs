//! Requests to begin from, and backends to send them to.

use seedproof_cpu::{Cpu, Level};
use seedproof_ops::{
    Alignment, Ask, Backend, Digest, DmlGenerator, DmlRandomGenerator, Dtype, Failure, FeatureLevel, Limits,
    Multinomial, RandomUniform, Request, Response, Scalar, Shape, Tensor, Value, Want,
};

/// Every level present.
pub(crate) fn backends() -> Vec<Cpu> {
    Level::detect()
        .into_iter()
        .map(|level| {
            Cpu::new(level, Limits::default(), || {
                panic!("no request here has both seeds zero")
            })
        })
        .collect()
}

/// The one answer of all levels, as tensors, in a caller's memory, and as a digest.
pub(crate) fn run(request: &Request) -> Result<Response, Failure> {
    let answers: Vec<_> = backends()
        .iter()
        .map(|cpu| {
            let answer = cpu.run(request);
            if let Ok(response) = &answer {
                let mut out = vec![0xa5; response.output.bytes().len()];
                assert_eq!(cpu.fill(request, &mut out), Ok(response.more.clone()));
                assert!(out == response.output.bytes(), "{}", cpu.id());
                let digest = match digest(cpu, request) {
                    Value::Digest(digest, more) => {
                        assert_eq!(more, response.more, "{}", cpu.id());
                        digest
                    }
                    Value::Full(whole) => Digest::of(&whole.output),
                    Value::Window(_) => panic!("no window was wanted"),
                };
                assert_eq!(digest, Digest::of(&response.output), "{}", cpu.id());
            }
            (cpu.id().clone(), answer)
        })
        .collect();
    for (id, answer) in &answers {
        assert_eq!(
            answer, &answers[0].1,
            "{id} answers otherwise than {}",
            answers[0].0
        );
    }
    answers[0].1.clone()
}

/// What a valid request is answered with where the digest is enough.
pub(crate) fn digest(cpu: &Cpu, request: &Request) -> Value {
    let (case, want) = ("", Want::Digest);
    cpu.ask(&Ask { case, request, want })
        .result
        .expect("the request is valid")
}

/// f32 in [0, 1) of shape [3, 3]: the first example of RandomUniform-8.
pub(crate) fn random_uniform() -> RandomUniform {
    RandomUniform::new(Alignment::Tensorflow, &[3, 3], [0.0_f32, 1.0], [150, 10])
}

/// Three classes, five samples with replacement.
pub(crate) fn multinomial() -> Multinomial {
    Multinomial {
        probs: matrix(1, 3, &[0.1, 0.5, 0.4]),
        num_samples: Tensor::scalar(5_i32),
        draws: None,
        convert_type: Dtype::I32.into(),
        with_replacement: true,
        log_probs: false,
        global_seed: 234,
        op_seed: 148,
        execution: 0,
    }
}

/// Eight words of a zero state.
pub(crate) fn dml() -> DmlRandomGenerator {
    DmlRandomGenerator {
        input_state: state([0; 6]),
        output_sizes: vec![1, 1, 2, 4],
        generator: DmlGenerator::Philox4x32_10.into(),
        feature_level: FeatureLevel::Level3_0.into(),
        output_state: true,
    }
}

/// A state of shape [1, 1, 1, 6].
pub(crate) fn state(words: [u32; 6]) -> Tensor {
    Tensor::from_elements(Shape::new(&[1, 1, 1, 6]).unwrap(), &words).unwrap()
}

/// f64 elements of shape [rows, columns].
pub(crate) fn matrix(rows: u64, columns: u64, elements: &[f64]) -> Tensor {
    Tensor::from_elements(Shape::new(&[rows, columns]).unwrap(), elements).unwrap()
}

/// The bits of all elements.
pub(crate) fn bits(tensor: &Tensor) -> Vec<u64> {
    tensor.scalars().map(Scalar::bits).collect()
}
