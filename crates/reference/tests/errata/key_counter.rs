//! Errata of TensorFlow's StatelessRandomGetKeyCounter.

use seedproof_ops::{Limits, Request, StatelessRandomGetKeyCounter, Tensor};

fn key_and_counter(seed: Tensor) -> [u64; 3] {
    let request = Request::StatelessRandomGetKeyCounter(StatelessRandomGetKeyCounter { seed });
    let response = seedproof_reference::run(&request, &Limits::default(), 0).unwrap();
    let numbers: Vec<u64> = response
        .outputs()
        .flat_map(|output| output.elements::<u64>().unwrap())
        .collect();
    numbers.try_into().unwrap()
}

/// Captured from TensorFlow 2.21. Cut to 32 bits, the seed [2^32, 0] would be [0, 0], and [-1, -1] of i32 would not be
/// that of i64.
#[test]
fn tfkc_seed_width() {
    let wide = [9224158160331572641, 0, 1797463517025972580];
    let zero = [16103252647613272195, 0, 18388005586443337812];
    let minus_one = [2030668596929579571, 0, 15557572371844839895];
    assert_eq!(key_and_counter(Tensor::vector(&[1_i64 << 32, 0])), wide);
    assert_eq!(key_and_counter(Tensor::vector(&[0_i64, 0])), zero);
    assert_ne!(wide, zero);
    assert_eq!(key_and_counter(Tensor::vector(&[-1_i32, -1])), minus_one);
    assert_eq!(key_and_counter(Tensor::vector(&[-1_i64, -1])), minus_one);
    assert_ne!(
        key_and_counter(Tensor::vector(&[0xffff_ffff_i64, 0xffff_ffff])),
        minus_one
    );
}
