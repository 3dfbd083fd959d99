use proptest::prelude::*;
use seedproof_ops::{
    Attribute, DmlGenerator, DmlRandomGenerator, ErrorKind, Failure, FeatureLevel, Limits, Request, Response,
    Shape, Tensor,
};

use super::State;
use crate::backend::{run, stages};
use crate::philox;

fn state_of(sizes: &[u64], words: &[u32]) -> Tensor {
    Tensor::from_elements(Shape::new(sizes).unwrap(), words).unwrap()
}

fn request(state: [u32; 6], output_sizes: &[u64]) -> DmlRandomGenerator {
    DmlRandomGenerator {
        input_state: state_of(&[1, 1, 1, 6], &state),
        output_sizes: output_sizes.to_vec(),
        generator: DmlGenerator::Philox4x32_10.into(),
        feature_level: FeatureLevel::Level4_0.into(),
        output_state: true,
    }
}

fn answer(request: DmlRandomGenerator) -> Result<Response, Failure> {
    run(&Request::DmlRandomGenerator(request), &Limits::default(), 0)
}

fn state_after(state: [u32; 6], output_sizes: &[u64]) -> Vec<u32> {
    let state = answer(request(state, output_sizes)).unwrap().more.remove(0);
    state.elements().unwrap().collect()
}

#[test]
fn dml_output_is_the_words_of_random123() {
    for (state, words) in [
        ([0; 6], [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8]),
        ([u32::MAX; 6], [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd]),
        (
            [
                0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0,
            ],
            [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1],
        ),
    ] {
        let response = answer(request(state, &[2, 2])).unwrap();
        assert_eq!(response.output, state_of(&[2, 2], &words));
    }
}

#[test]
fn dml_counter_carries_through_all_words_and_wraps() {
    const MAX: u32 = u32::MAX;
    for (before, after) in [
        ([MAX, 0, 0, 0, 7, 8], [2, 1, 0, 0, 7, 8]),
        ([MAX, MAX, 0, 0, 7, 8], [2, 0, 1, 0, 7, 8]),
        ([MAX, MAX, MAX, 0, 7, 8], [2, 0, 0, 1, 7, 8]),
        ([MAX, MAX, MAX, MAX, 7, 8], [2, 0, 0, 0, 7, 8]),
        ([MAX, 5, MAX, 0, 7, 8], [2, 6, MAX, 0, 7, 8]),
    ] {
        assert_eq!(state_after(before, &[12]), after);
        let [c0, c1, c2, c3, ..] = after;
        let last = answer(request(before, &[12])).unwrap().output;
        let last: Vec<u32> = last.elements().unwrap().skip(8).collect();
        let state = State::new([c0, c1, c2, c3, 7, 8]);
        assert_eq!(last, philox::block(state.key, state.counter.wrapping_sub(1)));
    }
}

#[test]
fn dml_counter_grows_by_a_quarter_of_the_elements_rounded_up() {
    for (count, blocks) in [(1, 1), (3, 1), (4, 1), (5, 2), (8, 2), (9, 3)] {
        assert_eq!(state_after([0, 0, 0, 0, 1, 2], &[count]), [blocks, 0, 0, 0, 1, 2]);
    }
}

#[test]
fn dml_state_is_returned_only_when_asked_for() {
    let silent = DmlRandomGenerator {
        output_state: false,
        ..request([0; 6], &[1])
    };
    assert!(answer(silent).unwrap().more.is_empty());
}

#[test]
fn dml_stages_are_the_words() {
    let request = Request::DmlRandomGenerator(request([1, 2, 3, 4, 5, 6], &[3, 3]));
    let stages = stages(&request, &Limits::default()).unwrap();
    assert_eq!(stages.words.len(), 9);
    assert_eq!(stages.scaled, state_of(&[3, 3], &stages.words));
    assert_eq!((stages.words_per_element, stages.unit), (1, None));
}

#[test]
fn dml_refuses_each_fault_with_its_kind() {
    let six = [1, 2, 3, 4, 5, 6];
    let good = || request(six, &[1, 1, 1, 4]);
    let level_3 = |sizes: &[u64], output: &[u64]| DmlRandomGenerator {
        input_state: state_of(sizes, &six),
        feature_level: FeatureLevel::Level3_0.into(),
        ..request(six, output)
    };
    let level_4 = |sizes: &[u64], output: &[u64]| DmlRandomGenerator {
        input_state: state_of(sizes, &six),
        ..request(six, output)
    };
    for (expected, faulty) in [
        (
            Some(ErrorKind::Attribute),
            DmlRandomGenerator {
                generator: Attribute::parse("PHILOX_4X32_7"),
                ..good()
            },
        ),
        (
            Some(ErrorKind::Attribute),
            DmlRandomGenerator {
                feature_level: Attribute::parse("2.1"),
                ..good()
            },
        ),
        (
            Some(ErrorKind::Dtype),
            DmlRandomGenerator {
                input_state: Tensor::from_elements(Shape::new(&[1, 1, 1, 6]).unwrap(), &[0_i32; 6]).unwrap(),
                ..good()
            },
        ),
        (
            Some(ErrorKind::State),
            DmlRandomGenerator {
                input_state: state_of(&[1, 1, 1, 5], &six[..5]),
                ..good()
            },
        ),
        (
            Some(ErrorKind::State),
            DmlRandomGenerator {
                input_state: Tensor::scalar(1_u32),
                ..good()
            },
        ),
        (
            Some(ErrorKind::State),
            DmlRandomGenerator {
                input_state: state_of(&[0, 6], &[]),
                ..good()
            },
        ),
        (Some(ErrorKind::State), level_4(&[1, 1, 6, 1], &[4])),
        (Some(ErrorKind::State), level_4(&[1, 2, 1, 3], &[4])),
        (
            Some(ErrorKind::State),
            level_4(&[1, 1, 1, 1, 1, 1, 1, 1, 6], &[4]),
        ),
        (Some(ErrorKind::State), level_3(&[6], &[1, 1, 1, 4])),
        (Some(ErrorKind::State), level_3(&[1, 1, 1, 1, 6], &[1, 1, 1, 4])),
        (Some(ErrorKind::Shape), level_3(&[1, 1, 1, 6], &[4])),
        (Some(ErrorKind::Shape), level_3(&[1, 1, 1, 6], &[1, 1, 1, 1, 4])),
        (Some(ErrorKind::Shape), level_3(&[1, 1, 1, 6], &[1, 1, 1, 0])),
        (Some(ErrorKind::Shape), level_4(&[6], &[])),
        (Some(ErrorKind::Shape), level_4(&[6], &[1; 9])),
        (Some(ErrorKind::Shape), level_4(&[6], &[3, 0, 5])),
        (None, level_4(&[1, 1, 1, 1, 1, 1, 1, 6], &[1; 8])),
        (None, level_4(&[6], &[4])),
        (None, level_3(&[1, 1, 1, 6], &[1, 1, 1, 4])),
    ] {
        let kind = match answer(faulty.clone()) {
            Err(Failure::Rejected(error)) => error.kind,
            _ => None,
        };
        assert_eq!(kind, expected, "{faulty:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn dml_state_reads_back(words: [u32; 6]) {
        prop_assert_eq!(State::new(words).elements(), words);
    }

    /// Two executions, the second from the state of the first, draw what one does, if the first draws whole
    /// blocks.
    #[test]
    fn dml_executions_chain_at_whole_blocks(words: [u32; 6], blocks in 1_u64..5, rest in 1_u64..9) {
        let whole = answer(request(words, &[4 * blocks + rest])).unwrap();
        let first = answer(request(words, &[4 * blocks])).unwrap();
        let state = first.more[0].elements().unwrap().collect::<Vec<u32>>();
        let second = answer(request(<[u32; 6]>::try_from(state).unwrap(), &[rest])).unwrap();
        prop_assert_eq!(whole.output.bytes(), [first.output.bytes(), second.output.bytes()].concat());
        prop_assert_eq!(whole.more, second.more);
    }
}
