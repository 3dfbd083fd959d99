//! The stateless ops: figures that shipped implementations gave, and what is refused, in which order.

use seedproof_ops::{
    Attribute, Backend as _, Dtype, ErrorKind, Failure, PhiloxKeyFoldIn, PhiloxKeySplit, PhiloxRandint,
    PhiloxUniform, Request, RngAlgorithm, RngBitGenerator, Shape, StatelessRandomGetKeyCounter,
    StatelessRandomUniform, StatelessRandomUniformInt, Support, Tensor,
};

use crate::requests::{backends, bits, run};

fn u64s(dims: &[u64], elements: &[u64]) -> Tensor {
    Tensor::from_elements(Shape::new(dims).unwrap(), elements).unwrap()
}

fn bit_generator() -> RngBitGenerator {
    RngBitGenerator {
        rng_algorithm: RngAlgorithm::ThreeFry.into(),
        output_type: Dtype::U16.into(),
        output_sizes: vec![5, 3],
        initial_state: Tensor::vector(&[0_u64, 0xffff_ffff]),
    }
}

fn randint() -> PhiloxRandint {
    PhiloxRandint {
        output_type: Dtype::I32.into(),
        output_sizes: vec![3, 5],
        low: Some(0),
        high: Some(100),
        key: u64s(&[3, 1, 2], &[42, 0, 5, u64::MAX - 1, 150, 1 << 32]),
    }
}

fn uniform() -> PhiloxUniform {
    PhiloxUniform {
        output_type: Dtype::F16.into(),
        output_sizes: vec![3],
        key: Tensor::vector(&[u64::MAX, u64::MAX]),
        low: Tensor::scalar(-0.1_f64),
        high: Tensor::scalar(0.3_f64),
    }
}

fn uniform_int() -> StatelessRandomUniformInt {
    StatelessRandomUniformInt {
        output_type: Dtype::I32.into(),
        shape: Tensor::vector(&[3_i64, 3]),
        key: Tensor::vector(&[1_u64]),
        counter: Tensor::vector(&[2_u64, 3]),
        alg: Tensor::scalar(1_i32),
        minval: Tensor::scalar(-5_i32),
        maxval: Tensor::scalar(5_i32),
    }
}

/// The bits of all outputs.
fn drawn(request: &Request) -> Vec<Vec<u64>> {
    run(request).unwrap().outputs().map(bits).collect()
}

fn kind(request: &Request) -> Option<ErrorKind> {
    match run(request) {
        Ok(_) => None,
        Err(Failure::Rejected(error)) => error.kind,
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn captures_of_xla() {
    let expected = [
        33453, 9103, 54111, 10211, 5405, 64044, 3166, 25223, 8791, 26324, 1189, 28733, 48483, 38877, 55918,
    ];
    assert_eq!(
        drawn(&Request::RngBitGenerator(bit_generator())),
        [expected.to_vec(), vec![0, 0x1_0000_0008]]
    );
}

#[test]
fn captures_of_pytorch() {
    let expected = [43, 71, 17, 7, 3, 52, 87, 29, 62, 10, 50, 50, 17, 86, 37];
    assert_eq!(drawn(&Request::PhiloxRandint(randint())), [expected]);
    let mut bytes = randint();
    bytes.output_type = Dtype::U8.into();
    (bytes.low, bytes.high) = (Some(3), Some(200));
    let expected = [50, 151, 84, 61, 30, 3, 21, 110, 86, 129, 8, 66, 62, 41, 15];
    assert_eq!(drawn(&Request::PhiloxRandint(bytes)), [expected]);
    assert_eq!(
        drawn(&Request::PhiloxUniform(uniform())),
        [[0x34a8, 0x32f6, 0x2033]]
    );
    let folded = PhiloxKeyFoldIn {
        data: 1,
        key: Tensor::vector(&[0_u64, 0]),
    };
    assert_eq!(
        drawn(&Request::PhiloxKeyFoldIn(folded)),
        [[6_679_402_142_117_448_868, 684_265_014_234_019_051]]
    );
}

#[test]
fn captures_of_tensorflow() {
    let expected = [-1_i32, -3, -4, -1, -4, -4, 1, 3, 1].map(|x| u64::from(x.cast_unsigned()));
    assert_eq!(
        drawn(&Request::StatelessRandomUniformInt(uniform_int())),
        [expected]
    );
    let seeded = StatelessRandomGetKeyCounter {
        seed: Tensor::vector(&[1_i32, 0]),
    };
    assert_eq!(
        drawn(&Request::StatelessRandomGetKeyCounter(seeded)),
        [
            vec![5_021_939_587_448_326_713],
            vec![0, 11_707_347_269_556_952_885]
        ]
    );
}

/// Keys of a batch are split and folded one by one, also where an offset wraps.
#[test]
fn keys_of_a_batch_are_those_of_each_key() {
    let keys = [[1, 0], [2, u64::MAX], [3, u64::MAX - 1]];
    let of = |key, num_splits| drawn(&Request::PhiloxKeySplit(PhiloxKeySplit { num_splits, key })).remove(0);
    let all = of(u64s(&[3, 2], keys.as_flattened()), 70);
    for (at, key) in keys.iter().enumerate() {
        let one = of(Tensor::vector(key), 70);
        let places = all.chunks_exact(2).skip(at).step_by(3).flatten();
        assert!(places.eq(&one));
    }
}

#[test]
fn refusals_of_stateless_ops_come_in_order() {
    let mut request = bit_generator();
    request.initial_state = Tensor::vector(&[1_u64, 2, 3]);
    assert_eq!(
        kind(&Request::RngBitGenerator(request.clone())),
        Some(ErrorKind::State)
    );
    request.initial_state = Tensor::vector(&[1_i64]);
    assert_eq!(
        kind(&Request::RngBitGenerator(request.clone())),
        Some(ErrorKind::Dtype)
    );
    request.rng_algorithm = Attribute::parse("MT19937");
    assert_eq!(
        kind(&Request::RngBitGenerator(request)),
        Some(ErrorKind::Attribute)
    );

    let mut request = uniform();
    request.high = Tensor::vector(&[1.0_f64]);
    assert_eq!(
        kind(&Request::PhiloxUniform(request.clone())),
        Some(ErrorKind::Shape)
    );
    request.low = Tensor::scalar(1.0_f32);
    assert_eq!(
        kind(&Request::PhiloxUniform(request.clone())),
        Some(ErrorKind::Dtype)
    );
    request.output_sizes = vec![3, 1];
    request.key = u64s(&[2, 2], &[0; 4]);
    assert_eq!(kind(&Request::PhiloxUniform(request)), Some(ErrorKind::Shape));

    let mut request = randint();
    request.key = Tensor::vector(&[1_i64, 2]);
    assert_eq!(
        kind(&Request::PhiloxRandint(request.clone())),
        Some(ErrorKind::Dtype)
    );
    request.high = Some((1 << 28) + 1);
    assert_eq!(
        kind(&Request::PhiloxRandint(request.clone())),
        Some(ErrorKind::Range)
    );
    request.output_type = Dtype::F32.into();
    assert_eq!(kind(&Request::PhiloxRandint(request)), Some(ErrorKind::Attribute));

    let mut request = uniform_int();
    request.maxval = Tensor::scalar(-5_i32);
    assert_eq!(
        kind(&Request::StatelessRandomUniformInt(request.clone())),
        Some(ErrorKind::Range)
    );
    request.alg = Tensor::scalar(2_i32);
    assert_eq!(
        kind(&Request::StatelessRandomUniformInt(request.clone())),
        Some(ErrorKind::Attribute)
    );
    request.shape = Tensor::vector(&[0_i64]);
    assert_eq!(kind(&Request::StatelessRandomUniformInt(request.clone())), None);
    request.counter = Tensor::vector(&[1_u64]);
    assert_eq!(
        kind(&Request::StatelessRandomUniformInt(request)),
        Some(ErrorKind::Shape)
    );
}

#[test]
fn outputs_of_stateless_ops_over_the_limit_are_unsupported() {
    let mut words = bit_generator();
    words.output_sizes = vec![1 << 40, 1 << 40];
    let floats = StatelessRandomUniform {
        output_type: Dtype::F64.into(),
        shape: Tensor::vector(&[i64::MAX]),
        key: Tensor::vector(&[1_u64]),
        counter: Tensor::vector(&[2_u64, 3]),
        alg: Tensor::scalar(3_i32),
    };
    let requests = [
        Request::RngBitGenerator(words),
        Request::StatelessRandomUniform(floats),
        Request::PhiloxKeySplit(PhiloxKeySplit {
            num_splits: i64::MAX.into(),
            key: Tensor::vector(&[0_u64, 0]),
        }),
    ];
    for request in requests {
        for cpu in backends() {
            assert!(
                matches!(cpu.supports(&request), Support::Unsupported(_)),
                "{request:?}"
            );
        }
        assert!(
            matches!(run(&request), Err(Failure::Unsupported(_))),
            "{request:?}"
        );
    }
    // Extents of any size are allowed where there is nothing to draw.
    let mut empty = bit_generator();
    empty.output_sizes = vec![1 << 40, 0, 1 << 40];
    assert_eq!(
        drawn(&Request::RngBitGenerator(empty)),
        [vec![], vec![0, 0xffff_ffff]]
    );
}
