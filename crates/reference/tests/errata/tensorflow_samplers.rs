//! Errata of TensorFlow's samplers. The numbers are those of TensorFlow 2.21.0 on a CPU.

use half::bf16;
use seedproof_ops::{
    Dtype, Element, ErrorKind, Failure, Limits, RandomShuffle, Request, Shape, StatelessMultinomial,
    StatelessShuffle, Tensor, TensorflowMultinomial,
};
use seedproof_reference::{convert, philox};

use crate::request::{answer, refusal};

fn shuffle(n: i32, execution: u32) -> Request {
    Request::RandomShuffle(RandomShuffle {
        value: Tensor::vector(&(0..n).collect::<Vec<i32>>()),
        seed: 150,
        seed2: 10,
        execution,
    })
}

/// The stream of the two seeds.
fn words() -> impl Iterator<Item = u32> {
    philox::words(150, 10 << 64)
}

#[test]
fn tfrs_bias() {
    const N: u32 = 100_000;
    // A single word lies past the last multiple of the places that are left; the rows before it are the same either way.
    let is_past = |(place, word): (u32, u32)| word >= u32::MAX / (N - place) * (N - place);
    let first = (0..N - 1).zip(words()).position(is_past).unwrap();
    assert_eq!(first, 63_972);
    let real = answer(&shuffle(100_000, 0)).unwrap();
    assert_eq!(real[first - 2..first + 3], [4532, 31_717, 360, 17_837, 99_504]);
    let mut rejected: Vec<u64> = (0..u64::from(N)).collect();
    let mut left = words();
    for place in 0..N - 1 {
        let word = left.find(|&word| !is_past((place, word))).unwrap();
        let [from, to] = [place, place + word % (N - place)].map(|it| usize::try_from(it).unwrap());
        rejected.swap(from, to);
    }
    assert_eq!(rejected[..first], real[..first]);
    assert_ne!(rejected[first], real[first]);
}

#[test]
fn tfrs_seeds_zero() {
    let request = Request::RandomShuffle(RandomShuffle {
        value: Tensor::vector(&[1_i32, 2, 3]),
        seed: 0,
        seed2: 0,
        execution: 0,
    });
    let answer = seedproof_reference::run(&request, &Limits::default(), 1);
    assert!(matches!(answer, Err(Failure::Unsupported(_))));
}

#[test]
fn tfrs_advance_blocks() {
    assert_eq!(answer(&shuffle(6, 0)), Ok(vec![1, 0, 2, 3, 5, 4]));
    let second = [0, 2, 4, 1, 3, 5];
    assert_eq!(answer(&shuffle(6, 1)), Ok(second.to_vec()));
    // Five words are those of two blocks; 256 blocks for each of six rows lead elsewhere.
    let first_place = |blocks: u128| u64::from(philox::block(150, (10 << 64) + blocks)[0] % 6);
    assert_eq!(first_place(2), second[0]);
    assert_ne!(first_place(256 * 6), second[0]);
}

#[test]
fn tfss_algorithm_always() {
    let shuffle = |value: Tensor, alg: i32| {
        Request::StatelessShuffle(StatelessShuffle {
            value,
            key: Tensor::vector(&[5_u64]),
            counter: Tensor::vector(&[1_u64, 2]),
            alg: Tensor::scalar(alg),
        })
    };
    assert_eq!(
        answer(&shuffle(Tensor::vector(&[0_i32, 1, 2, 3, 4, 5]), 3)),
        Ok(vec![1, 3, 2, 4, 5, 0])
    );
    for value in [
        Tensor::scalar(7_i32),
        Tensor::vector(&[7_i32]),
        Tensor::vector::<i32>(&[]),
    ] {
        assert_eq!(answer(&shuffle(value.clone(), 1)).unwrap().len(), value.count());
        assert_eq!(refusal(&shuffle(value, 2)), Some(ErrorKind::Attribute));
    }
}

fn matrix<T: Element>(rows: u64, numbers: &[T]) -> Tensor {
    let columns = u64::try_from(numbers.len()).unwrap() / rows;
    Tensor::from_elements(Shape::new(&[rows, columns]).unwrap(), numbers).unwrap()
}

fn stateless(logits: Tensor, samples: i32) -> Request {
    Request::StatelessMultinomial(StatelessMultinomial {
        output_type: Dtype::I64.into(),
        logits,
        num_samples: Tensor::scalar(samples),
        seed: Tensor::vector(&[5_i64, 6]),
    })
}

/// The stream of the seed [5, 6].
fn key_and_counter() -> (u64, u128) {
    let [k0, k1, c0, c1] = philox::block(0x0246_1e29_3ec8_f720, (6 << 64) + 5);
    let joined = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
    (joined(k0, k1), u128::from(joined(c0, c1)) << 64)
}

/// The numbers of a stream.
fn numbers((key, counter): (u64, u128)) -> impl Iterator<Item = f64> {
    let mut words = philox::words(key, counter);
    std::iter::from_fn(move || Some(convert::f64::tensorflow(words.next()?, words.next()?)))
}

/// The classes that numbers select by weights.
fn selected(weights: &[f64], numbers: impl Iterator<Item = f64>) -> Vec<u64> {
    let mut total = 0.0;
    let mut sums: Vec<f64> = Vec::new();
    for weight in weights {
        total += weight;
        sums.push(total);
    }
    numbers
        .map(|u| u64::try_from(sums.partition_point(|&sum| sum <= u * total)).unwrap())
        .collect()
}

#[test]
fn tfmu_draw_threads() {
    const SAMPLES: usize = 8;
    let logits: Vec<f32> = (0_u16..45)
        .flat_map(|row| (0_u16..50).map(move |class| f32::from((row * 7 + class * 3) % 16) / 4.0 - 2.0))
        .collect();
    let all = answer(&stateless(matrix(45, &logits), 8)).unwrap();
    let row = |row: usize| &all[row * SAMPLES..][..SAMPLES];
    // TensorFlow returns these rows where one thread draws.
    assert_eq!(row(8), [7, 12, 18, 29, 39, 23, 39, 21]);
    assert_eq!(row(12), [9, 9, 9, 41, 41, 45, 11, 19]);
    // With two threads a share begins at row 8, and with four at row 12.
    for (first, shared) in [
        (8, [49, 12, 23, 10, 23, 13, 12, 44]),
        (12, [19, 30, 40, 25, 40, 23, 25, 25]),
    ] {
        let weights: Vec<f64> = logits[first * 50..][..50]
            .iter()
            .map(|&logit| f64::from(logit).exp())
            .collect();
        let (key, counter) = key_and_counter();
        let block = u128::try_from(first * (SAMPLES + 3) / 4).unwrap();
        let taken = numbers((key, counter + block)).take(SAMPLES);
        assert_eq!(selected(&weights, taken), shared);
        assert_ne!(shared, row(first));
    }
}

#[test]
fn tfmu_weights_type() {
    let logits: Vec<bf16> = (0_i16..40)
        .map(|class| {
            bf16::from_f32(if class == 0 {
                0.5
            } else {
                -f32::from(class * 7 % 41) / 100.0 - 0.6
            })
        })
        .collect();
    let real = answer(&stateless(matrix(1, &logits), 600)).unwrap();
    let wide: Vec<f64> = logits.iter().map(|logit| (logit.to_f64() - 0.5).exp()).collect();
    let own: Vec<f64> = logits
        .iter()
        .map(|logit| bf16::from_f64(logit.to_f64() - 0.5).to_f64().exp())
        .collect();
    assert_eq!(selected(&wide, numbers(key_and_counter()).take(600)), real);
    assert_ne!(selected(&own, numbers(key_and_counter()).take(600)), real);
}

#[test]
fn tfmu_weights_finite() {
    let logits = [f32::INFINITY, 0.0, 0.0, f32::NAN, f32::NEG_INFINITY];
    let real = [1, 1, 1, 1, 1, 1, 1, 2, 1, 2, 1, 1];
    assert_eq!(answer(&stateless(matrix(1, &logits), 12)), Ok(real.to_vec()));
    // The class of infinity would be drawn each time.
    assert!(!real.contains(&0));
}

#[test]
fn tfmu_weights_exp() {
    // The first number lies at the sum of the first class.
    let u = numbers(key_and_counter()).next().unwrap();
    assert!(u < 0.5);
    let weight = u / (1.0 - u);
    let draw = |logit: f64| {
        let request = stateless(matrix(1, &[logit, 0.0]), 1);
        seedproof_reference::run(&request, &Limits::default(), 1).map(|response| response.output)
    };
    assert!(matches!(draw(weight.ln()), Err(Failure::Unsupported(_))));
    assert_eq!(draw(weight.ln() + 1e-9), Ok(matrix(1, &[0_i64])));
    assert_eq!(draw(weight.ln() - 1e-9), Ok(matrix(1, &[1_i64])));
    // Exponentials that are a few ulps apart select different classes.
    let ulps = |ulps: f64| selected(&[weight * (1.0 + ulps * f64::EPSILON), 1.0], [u].into_iter());
    assert_ne!(ulps(4.0), ulps(-4.0));
}

#[test]
fn tfmu_search_bound() {
    // Every sum is 0, and so is the number: none is greater.
    let logits = [f32::NEG_INFINITY; 3];
    assert_eq!(answer(&stateless(matrix(1, &logits), 2)), Ok(vec![3, 3]));
    let own = [0.0_f64; 3].partition_point(|&sum| sum < 0.0);
    assert_eq!(own, 0);
}

#[test]
fn tfmu_search_none() {
    let logits = [f32::NAN, f32::INFINITY, f32::NAN, 0.0, 1.0, 0.0];
    let drawn = answer(&stateless(matrix(2, &logits), 2)).unwrap();
    assert_eq!(drawn[..2], [3, 3]);
    assert!(drawn[2..].iter().all(|&class| class < 3));
}

#[test]
fn tfmu_advance_reserved() {
    let draw = |execution: u32| {
        answer(&Request::TensorflowMultinomial(TensorflowMultinomial {
            output_type: Dtype::I64.into(),
            logits: matrix(2, &[0.0_f32, 1.0, 2.0, 3.0, 1.0, 0.5]),
            num_samples: Tensor::scalar(3_i32),
            seed: 150,
            seed2: 10,
            execution,
        }))
    };
    assert_eq!(draw(0), Ok(vec![2, 2, 2, 0, 1, 0]));
    assert_eq!(draw(1), Ok(vec![2, 2, 2, 0, 0, 0]));
    assert_eq!(draw(2), Ok(vec![2, 2, 2, 1, 0, 0]));
    // Two rows of four numbers reserve 4096 blocks; the three blocks that were used lead elsewhere.
    let second_row = |blocks: u128| {
        let weights = [3.0_f64, 1.0, 0.5].map(f64::exp);
        selected(&weights, numbers((150, (10 << 64) + blocks)).skip(3).take(3))
    };
    assert_eq!(second_row(2 * 4096), [1, 0, 0]);
    assert_ne!(second_row(2 * 3), [1, 0, 0]);
}

#[test]
fn tfsm_stream_scrambled() {
    let logits = [0.0_f32, 1.0, 2.0];
    let real = [1, 1, 1, 2, 1, 1];
    assert_eq!(answer(&stateless(matrix(1, &logits), 6)), Ok(real.to_vec()));
    let plain = selected(&[0.0_f64, 1.0, 2.0].map(f64::exp), numbers((5, 6 << 64)).take(6));
    assert_ne!(plain, real);
}
