//! Errata of DirectML's RandomGenerator.

use seedproof_ops::{
    DmlGenerator, DmlRandomGenerator, ErrorKind, FeatureLevel, Limits, Request, Response, Shape, Tensor,
};
use seedproof_reference::philox;

use crate::request::refusal;

fn request(state_sizes: &[u64], state: [u32; 6], output_sizes: &[u64]) -> DmlRandomGenerator {
    DmlRandomGenerator {
        input_state: Tensor::from_elements(Shape::new(state_sizes).unwrap(), &state).unwrap(),
        output_sizes: output_sizes.to_vec(),
        generator: DmlGenerator::Philox4x32_10.into(),
        feature_level: FeatureLevel::Level4_0.into(),
        output_state: true,
    }
}

fn answer(state: [u32; 6], output_sizes: &[u64]) -> Response {
    let request = Request::DmlRandomGenerator(request(&[1, 1, 1, 6], state, output_sizes));
    seedproof_reference::run(&request, &Limits::default(), 0).unwrap()
}

fn words(tensor: &Tensor) -> Vec<u32> {
    tensor.elements().unwrap().collect()
}

fn state_after(state: [u32; 6], output_sizes: &[u64]) -> Vec<u32> {
    words(&answer(state, output_sizes).more[0])
}

/// The Remarks' example: HelloFromSeattle, and an output of 3 x 3 x 20 x 7219.
#[test]
fn dml_counter_example() {
    let seattle = [0x74746c65, 0x6d536561, 0x6f46726f, 0x48656c6c, 1, 2];
    let seatown = [0x746f776e, 0x6d536561, 0x6f46726f, 0x48656c6c, 1, 2];
    let sizes = [3, 3, 20, 7219];
    let sum = [0x7479615c, 0x6d536561, 0x6f46726f, 0x48656c6c, 1, 2];
    assert_eq!(state_after(seattle, &sizes), sum);
    assert_ne!(sum, seatown, "what is printed");
    assert_eq!(state_after(seatown, &sizes), seattle, "the two are swapped");
}

/// Random123 draws these for the counter fffffffe ffffffff 0 0, least significant word first, with this key.
#[test]
fn dml_counter_word_order() {
    let state = [0xffff_fffe, 0xffff_ffff, 0, 0, 409640869, 3987603457];
    let random123 = [4058961044, 2720657092, 226608934, 1841456064];
    let drawn = words(&answer(state, &[12]).output);
    assert_eq!(drawn[..4], random123);
    assert_eq!(state_after(state, &[12]), [1, 0, 1, 0, 409640869, 3987603457]);

    let key = u64::from(state[5]) << 32 | u64::from(state[4]);
    let most_first = state[..4]
        .iter()
        .fold(0_u128, |counter, &word| counter << 32 | u128::from(word));
    assert_ne!(philox::block(key, most_first.wrapping_add(1)), drawn[4..8]);
}

#[test]
fn dml_counter_wrap() {
    const MAX: u32 = u32::MAX;
    let last = [MAX, MAX, MAX, MAX, 1, 2];
    assert_eq!(state_after(last, &[4]), [0, 0, 0, 0, 1, 2]);
    let drawn = words(&answer(last, &[8]).output);
    let key = 2 << 32 | 1;
    assert_eq!(drawn[4..], philox::block(key, 0));
    assert_ne!(
        drawn[4..],
        philox::block(key, u128::MAX),
        "a counter that saturates"
    );
}

/// Random123, a chain of two executions of one element and two.
#[test]
fn dml_output_tail() {
    let first = [
        2273782871, 3995067672, 2473309047, 3757076482, 525457821, 1978544499,
    ];
    let second = [
        2273782872, 3995067672, 2473309047, 3757076482, 525457821, 1978544499,
    ];
    assert_eq!(words(&answer(first, &[1]).output), [4014951771]);
    assert_eq!(state_after(first, &[1]), second);
    let random123 = [3643502136, 3970566816];
    assert_eq!(words(&answer(second, &[2]).output), random123);
    let kept = &words(&answer(first, &[3]).output)[1..];
    assert_ne!(kept, random123);
}

#[test]
fn dml_output_zero_size() {
    for sizes in [&[0_u64][..], &[3, 0, 5]] {
        let request = request(&[6], [0; 6], sizes);
        assert_eq!(
            refusal(&Request::DmlRandomGenerator(request)),
            Some(ErrorKind::Shape)
        );
    }
    // An empty output would leave the state as it is: no block is needed for no element.
    assert_eq!(0_usize.div_ceil(4), 0);
}

#[test]
fn dml_state_rank() {
    let kind = |feature_level: FeatureLevel, sizes: &[u64]| {
        refusal(&Request::DmlRandomGenerator(DmlRandomGenerator {
            feature_level: feature_level.into(),
            ..request(sizes, [0; 6], &[1, 1, 1, 4])
        }))
    };
    for sizes in [&[6_u64][..], &[1, 6], &[1, 1, 1, 1, 1, 1, 1, 6]] {
        assert_eq!(kind(FeatureLevel::Level4_0, sizes), None);
        assert_eq!(kind(FeatureLevel::Level3_0, sizes), Some(ErrorKind::State));
    }
    assert_eq!(kind(FeatureLevel::Level3_0, &[1, 1, 1, 6]), None);
}

#[test]
fn dml_state_same_sizes() {
    for sizes in [&[6_u64][..], &[1, 1, 6], &[1, 1, 1, 1, 1, 1, 1, 6]] {
        let request = request(sizes, [0; 6], &[2, 3]);
        let form = request.input_state.shape().clone();
        let request = Request::DmlRandomGenerator(request);
        let response = seedproof_reference::run(&request, &Limits::default(), 0).unwrap();
        assert_eq!(response.more[0].shape(), &form);
        assert_ne!(response.output.shape(), &form);
    }
}
