use std::sync::atomic::{AtomicU64, Ordering};

use seedproof_ops::{
    Alignment, Attribute, Backend, DmlGenerator, DmlRandomGenerator, Dtype, ErrorKind, Failure, FeatureLevel,
    Limits, Multinomial, RandomUniform, Request, Shape, Support, Tensor,
};

use super::{Reference, run, stages};

fn random_uniform(extent: i64, alignment: Alignment, seeds: (u64, u64)) -> RandomUniform {
    RandomUniform::new(alignment, &[extent], [0.0_f32, 1.0], seeds.into())
}

fn multinomial(num_samples: i64, seeds: (u64, u64)) -> Multinomial {
    Multinomial {
        probs: Tensor::from_elements(Shape::new(&[1, 2]).unwrap(), &[1.0_f64, 1.0]).unwrap(),
        num_samples: Tensor::scalar(num_samples),
        draws: None,
        convert_type: Dtype::I32.into(),
        with_replacement: true,
        log_probs: false,
        global_seed: seeds.0,
        op_seed: seeds.1,
        execution: 0,
    }
}

fn dml(count: u64) -> DmlRandomGenerator {
    DmlRandomGenerator {
        input_state: Tensor::vector(&[0_u32; 6]),
        output_sizes: vec![count],
        generator: DmlGenerator::Philox4x32_10.into(),
        feature_level: FeatureLevel::Level4_0.into(),
        output_state: false,
    }
}

fn reference() -> Reference {
    let next = AtomicU64::new(1);
    Reference::new(Limits::default(), move || next.fetch_add(1, Ordering::Relaxed))
}

fn support_and_answer_agree(request: &Request, limits: Limits) -> bool {
    let supported = Reference::new(limits, || 1).supports(request);
    let answered = run(request, &limits, 1);
    match (supported, answered) {
        (Support::Unsupported(reason), Err(Failure::Unsupported(again))) => reason == again,
        (Support::Supported, Ok(_) | Err(Failure::Rejected(_))) => true,
        _ => false,
    }
}

#[test]
fn backend_support_is_what_run_answers() {
    let tensorflow = |extent| random_uniform(extent, Alignment::Tensorflow, (1, 2));
    let second = RandomUniform {
        execution: 1,
        ..tensorflow(1)
    };
    let second_draw = Multinomial {
        execution: 1,
        ..multinomial(1, (1, 2))
    };
    let unknown = RandomUniform {
        alignment: Attribute::parse("JAX"),
        ..tensorflow(1)
    };
    for request in [
        Request::RandomUniform(tensorflow(9)),
        Request::RandomUniform(tensorflow(1 << 62)),
        Request::RandomUniform(second),
        Request::RandomUniform(unknown),
        Request::Multinomial(multinomial(4, (1, 2))),
        Request::Multinomial(multinomial(i64::MAX, (1, 2))),
        Request::Multinomial(second_draw),
        Request::DmlRandomGenerator(dml(4)),
        Request::DmlRandomGenerator(dml(u64::MAX)),
        Request::DmlRandomGenerator(dml(0)),
    ] {
        assert!(
            support_and_answer_agree(&request, Limits::default()),
            "{request:?}"
        );
    }
}

#[test]
fn backend_limit_is_inclusive() {
    let limits = Limits { max_output_bytes: 16 };
    let request = |extent| Request::RandomUniform(random_uniform(extent, Alignment::Pytorch, (1, 2)));
    assert!(run(&request(4), &limits, 1).is_ok());
    assert!(matches!(
        run(&request(5), &limits, 1),
        Err(Failure::Unsupported(_))
    ));
    assert!(stages(&request(5), &limits).is_none());
}

#[test]
fn backend_checks_validity_before_size_and_execution() {
    let absurd = RandomUniform {
        maxval: Tensor::scalar(-1.0_f32),
        execution: 3,
        ..random_uniform(i64::MAX, Alignment::Tensorflow, (1, 2))
    };
    let Err(Failure::Rejected(error)) = run(&Request::RandomUniform(absurd), &Limits::default(), 1) else {
        panic!("it is invalid");
    };
    assert_eq!(error.kind, Some(ErrorKind::Range));
    assert_eq!(
        error.message,
        "draw between 0 and -1: minval must be less than maxval"
    );
}

#[test]
fn backend_two_zero_seeds_give_another_sequence_each_time() {
    let reference = reference();
    let uniform = |alignment, seeds| Request::RandomUniform(random_uniform(40, alignment, seeds));
    for alignment in [Alignment::Tensorflow, Alignment::Pytorch] {
        let zeros = uniform(alignment, (0, 0));
        assert_ne!(reference.run(&zeros), reference.run(&zeros));
        assert_eq!(
            run(&zeros, &Limits::default(), 7),
            run(&uniform(alignment, (7, 0)), &Limits::default(), 1)
        );
        assert!(reference.stages(&zeros).is_none());
        for seeds in [(0, 1), (1, 0)] {
            let one_zero = uniform(alignment, seeds);
            assert_eq!(reference.run(&one_zero), reference.run(&one_zero));
            assert!(reference.stages(&one_zero).is_some());
        }
    }
    let zeros = Request::Multinomial(multinomial(40, (0, 0)));
    assert_ne!(reference.run(&zeros), reference.run(&zeros));
    assert!(reference.stages(&zeros).is_none());
}

#[test]
fn backend_names_itself() {
    let reference = reference();
    assert_eq!(reference.id().as_str(), "reference");
    assert!(reference.description().contains("reference"));
}
