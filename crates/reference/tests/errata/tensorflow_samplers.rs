//! Errata of TensorFlow's samplers. The numbers are those of TensorFlow 2.21.0 on a CPU.

use seedproof_ops::{ErrorKind, Failure, Limits, RandomShuffle, Request, StatelessShuffle, Tensor};
use seedproof_reference::philox;

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
