//! What is refused, as what, and in which order.

use std::collections::BTreeSet;

use seedproof_cpu::{Cpu, Level};
use seedproof_ops::requests::requests_of;
use seedproof_ops::{
    Alignment, Attribute, Backend, DmlRandomGenerator, Dtype, ErrorKind, Failure, Limits, Multinomial,
    Named as _, OpName, RandomUniform, Request, Shape, Support, Tensor,
};

use crate::requests::{backends, bits, dml, matrix, multinomial, random_uniform, run, state};

/// The kind of a rejection; `None` for a value.
fn kind(request: impl Into<Wrapped>) -> Option<ErrorKind> {
    match run(&request.into().0) {
        Ok(_) => None,
        Err(Failure::Rejected(error)) => error.kind,
        Err(other) => panic!("{other}"),
    }
}

/// A request of any op.
struct Wrapped(Request);

impl From<RandomUniform> for Wrapped {
    fn from(request: RandomUniform) -> Self {
        Self(Request::RandomUniform(request))
    }
}

impl From<DmlRandomGenerator> for Wrapped {
    fn from(request: DmlRandomGenerator) -> Self {
        Self(Request::DmlRandomGenerator(request))
    }
}

impl From<Multinomial> for Wrapped {
    fn from(request: Multinomial) -> Self {
        Self(Request::Multinomial(request))
    }
}

#[test]
fn refusals_of_random_uniform_come_in_order() {
    let mut request = random_uniform();
    assert_eq!(kind(request.clone()), None);
    request.execution = 1;
    request.maxval = Tensor::scalar(-0.0_f32);
    assert_eq!(kind(request.clone()), Some(ErrorKind::Range));
    request.maxval = Tensor::scalar(f32::NAN);
    assert_eq!(kind(request.clone()), Some(ErrorKind::Range));
    request.maxval = Tensor::vector(&[1.0_f32, 2.0]);
    assert_eq!(kind(request.clone()), Some(ErrorKind::Shape));
    request.shape = Tensor::vector(&[3_i32, -1]);
    request.maxval = Tensor::vector(&[1.0_f32]);
    assert_eq!(kind(request.clone()), Some(ErrorKind::Shape));
    request.shape = Tensor::scalar(3_i32);
    assert_eq!(kind(request.clone()), Some(ErrorKind::Shape));
    request.minval = Tensor::vector(&[0_i32, 0]);
    assert_eq!(kind(request.clone()), Some(ErrorKind::Shape));
    request.shape = Tensor::vector(&[3_i32]);
    assert_eq!(kind(request.clone()), Some(ErrorKind::Dtype));
    request.shape = Tensor::vector(&[3.0_f32]);
    assert_eq!(kind(request.clone()), Some(ErrorKind::Dtype));
    request.alignment = Attribute::parse("JAX");
    assert_eq!(kind(request.clone()), Some(ErrorKind::Attribute));
    request.alignment = Alignment::Pytorch.into();
    request.output_type = Dtype::U32.into();
    assert_eq!(kind(request.clone()), Some(ErrorKind::Attribute));
    request.output_type = Attribute::parse("f8");
    assert_eq!(kind(request), Some(ErrorKind::Attribute));
}

/// A tensor of a zero of any element type.
fn zero(dtype: Dtype) -> Tensor {
    Tensor::new(dtype, Shape::scalar(), vec![0; dtype.size()]).unwrap()
}

#[test]
fn refusals_are_of_every_other_element_type() {
    use Dtype::{Bf16, F16, F32, F64, I32, I64, U32};
    for &dtype in Dtype::ALL {
        if ![F16, Bf16, F32, F64, I32, I64].contains(&dtype) {
            let mut request = random_uniform();
            request.output_type = dtype.into();
            assert_eq!(kind(request), Some(ErrorKind::Attribute), "output_type {dtype}");
        }
        let mut request = random_uniform();
        request.minval = zero(dtype);
        let refused = (dtype != F32).then_some(ErrorKind::Dtype);
        assert_eq!(kind(request), refused, "minval of {dtype}");
        if ![I32, I64].contains(&dtype) {
            let mut request = multinomial();
            request.convert_type = dtype.into();
            assert_eq!(kind(request), Some(ErrorKind::Attribute), "convert_type {dtype}");
            let mut request = multinomial();
            request.num_samples = zero(dtype);
            assert_eq!(kind(request), Some(ErrorKind::Dtype), "num_samples of {dtype}");
        }
        if ![F16, Bf16, F32, F64].contains(&dtype) {
            let mut request = multinomial();
            request.probs = zero(dtype);
            assert_eq!(kind(request), Some(ErrorKind::Dtype), "probs of {dtype}");
        }
        if dtype != U32 {
            let mut request = dml();
            request.input_state = zero(dtype);
            assert_eq!(kind(request), Some(ErrorKind::Dtype), "a state of {dtype}");
        }
    }
}

#[test]
fn refusals_of_multinomial_come_in_order() {
    let mut request = multinomial();
    request.with_replacement = false;
    request.probs = matrix(2, 2, &[1.0, 1.0, 0.0, 1.0]);
    request.num_samples = Tensor::scalar(1_i64);
    assert_eq!(kind(request.clone()), None);
    request.num_samples = Tensor::scalar(2_i64);
    assert_eq!(kind(request.clone()), Some(ErrorKind::Samples));
    request.num_samples = Tensor::scalar(i64::MAX);
    assert_eq!(kind(request.clone()), Some(ErrorKind::Samples));
    for probs in [
        [0.0, 0.0],
        [-1.0, 2.0],
        [f64::NAN, 1.0],
        [f64::INFINITY, 1.0],
        [f64::MAX, f64::MAX],
    ] {
        request.probs = matrix(2, 2, &[1.0, 1.0, probs[0], probs[1]]);
        assert_eq!(kind(request.clone()), Some(ErrorKind::Probabilities), "{probs:?}");
    }
    request.num_samples = Tensor::scalar(1_i64);
    request.draws = Some(matrix(2, 1, &[0.5, 1.5]));
    assert_eq!(kind(request.clone()), Some(ErrorKind::Range));
    request.draws = Some(matrix(2, 1, &[0.5, f64::NAN]));
    assert_eq!(kind(request.clone()), Some(ErrorKind::Range));
    request.draws = Some(matrix(1, 2, &[0.5, 1.5]));
    assert_eq!(kind(request.clone()), Some(ErrorKind::Shape));
    request.draws = Some(Tensor::vector(&[1.0_f32]));
    assert_eq!(kind(request.clone()), Some(ErrorKind::Dtype));
    request.num_samples = Tensor::scalar(-1_i64);
    assert_eq!(kind(request.clone()), Some(ErrorKind::Samples));
    request.num_samples = Tensor::vector(&[1_i64, 1]);
    assert_eq!(kind(request.clone()), Some(ErrorKind::Shape));
    request.num_samples = Tensor::scalar(1.0_f32);
    assert_eq!(kind(request.clone()), Some(ErrorKind::Dtype));
    request.probs = Tensor::vector(&[1.0_f64]);
    assert_eq!(kind(request.clone()), Some(ErrorKind::Shape));
    request.probs = Tensor::vector(&[1_i32]);
    assert_eq!(kind(request.clone()), Some(ErrorKind::Dtype));
    request.convert_type = Dtype::F32.into();
    assert_eq!(kind(request), Some(ErrorKind::Attribute));
}

#[test]
fn refusals_of_logarithms_are_of_infinities_and_of_sums() {
    let kind_of = |row: [f64; 2]| {
        kind(Multinomial {
            probs: matrix(1, 2, &row),
            log_probs: true,
            ..multinomial()
        })
    };
    assert_eq!(kind_of([-3.0, -700.0]), None);
    assert_eq!(kind_of([-3.0, -1e300]), None);
    for row in [
        [f64::NEG_INFINITY, 0.0],
        [0.0, f64::INFINITY],
        [-1e3, -1e3],
        [710.0, 0.0],
        [f64::NAN, 0.0],
    ] {
        assert_eq!(kind_of(row), Some(ErrorKind::Probabilities), "{row:?}");
    }
}

#[test]
fn refusals_do_not_come_for_empty_outputs() {
    let mut request = random_uniform();
    request.shape = Tensor::vector(&[4_i64, 0, i64::MAX]);
    assert_eq!(kind(request), None);
    let mut request = multinomial();
    request.num_samples = Tensor::scalar(0_i32);
    assert_eq!(kind(request.clone()), None);
    request.probs = matrix(0, 3, &[]);
    request.num_samples = Tensor::scalar(4_i32);
    assert_eq!(kind(request.clone()), None);
    for rows in [0, 3] {
        request.probs = matrix(rows, 0, &[]);
        assert_eq!(kind(request.clone()), Some(ErrorKind::Shape));
    }
    request.probs = matrix(0, 3, &[]);
    request.with_replacement = false;
    assert_eq!(kind(request), Some(ErrorKind::Samples));
}

#[test]
fn unsupported_are_later_executions_and_outputs_over_the_limit() {
    let mut later = random_uniform();
    later.execution = 1;
    let mut huge = random_uniform();
    huge.shape = Tensor::vector(&[i64::MAX, i64::MAX]);
    let mut later_samples = multinomial();
    later_samples.execution = 2;
    let mut many_samples = multinomial();
    many_samples.num_samples = Tensor::scalar(i64::MAX);
    let mut slow_samples = multinomial();
    slow_samples.probs = matrix(1, 100_000, &vec![1.0; 100_000]);
    slow_samples.num_samples = Tensor::scalar(90_000);
    slow_samples.with_replacement = false;
    let mut words = dml();
    words.output_sizes = vec![u64::MAX, 1, 1, 1];
    let requests = [
        Request::RandomUniform(later),
        Request::RandomUniform(huge),
        Request::Multinomial(later_samples),
        Request::Multinomial(many_samples),
        Request::Multinomial(slow_samples),
        Request::DmlRandomGenerator(words),
    ];
    for request in requests {
        assert!(
            matches!(run(&request), Err(Failure::Unsupported(_))),
            "{request:?}"
        );
        for cpu in backends() {
            assert!(
                matches!(cpu.supports(&request), Support::Unsupported(_)),
                "{request:?}"
            );
        }
    }
}

#[test]
fn entropy_replaces_a_pair_of_zero_seeds_alone() {
    let answer = |global_seed, op_seed, entropy: u64| {
        let cpu = Cpu::new(Level::best(), Limits::default(), move || entropy);
        let mut request = random_uniform();
        request.global_seed = global_seed;
        request.op_seed = op_seed;
        bits(&cpu.run(&Request::RandomUniform(request)).unwrap().output)
    };
    assert_eq!(answer(0, 0, 7), answer(7, 0, 1));
    assert_ne!(answer(0, 0, 7), answer(0, 0, 8));
    assert_eq!(answer(0, 5, 7), answer(0, 5, 8));
    assert_eq!(answer(5, 0, 7), answer(5, 0, 8));
}

#[test]
fn stages_end_in_the_output() {
    for (alignment, dtype) in [
        (Alignment::Tensorflow, Dtype::F64),
        (Alignment::Pytorch, Dtype::F32),
    ] {
        let mut request = random_uniform();
        request.alignment = alignment.into();
        request.output_type = dtype.into();
        if dtype == Dtype::F64 {
            request.minval = Tensor::scalar(2.0_f64);
            request.maxval = Tensor::scalar(10.0_f64);
        }
        let request = Request::RandomUniform(request);
        for cpu in backends() {
            let stages = cpu.stages(&request).unwrap();
            assert_eq!(stages.words_per_element, dtype.size() / 4);
            assert_eq!(stages.words.len(), 9 * stages.words_per_element);
            assert_eq!(stages.unit.unwrap().dtype(), dtype);
            assert_eq!(stages.scaled, cpu.run(&request).unwrap().output);
        }
    }
    let mut request = dml();
    request.input_state = state([1, 2, 3, 4, 5, 6]);
    let stages = backends()[0]
        .stages(&Request::DmlRandomGenerator(request))
        .unwrap();
    assert_eq!(
        stages.scaled,
        Tensor::from_elements(Shape::new(&[1, 1, 2, 4]).unwrap(), &stages.words).unwrap()
    );
}

/// An answer of some kind to requests of each op, the same of all levels.
#[test]
fn random_requests_are_answered_alike() {
    let mut answered = BTreeSet::new();
    for &op in OpName::ALL {
        let mut random = fastrand::Rng::with_seed(1);
        let mut requests = requests_of(op, 200, &mut || random.u64(..));
        // The backends here have no entropy.
        requests.retain(|request| !request.is_unseeded());
        for request in &requests {
            match run(request) {
                Ok(_) => answered.insert(op.name()),
                Err(Failure::Rejected(_) | Failure::Unsupported(_)) => continue,
                Err(Failure::Broken(fault)) => panic!("{request:?}: {fault:?}"),
            };
        }
    }
    assert_eq!(answered.len(), 27, "{answered:?}");
}
