//! The results of each sequence on every input of its proof, against digests of the results of the real function.
//!
//! The real functions are asked by `harness/tests/libm.rs`, which writes the digests; those of CUDA on a machine with a GPU.

use rayon::prelude::*;
use seedproof_transcend::proof::{SEQUENCES, Sequence};
use sha2::{Digest, Sha256};

const DIGESTS: [&str; SEQUENCES.len()] = [
    include_str!("digests/glibc-logf.txt"),
    include_str!("digests/glibc-sinf.txt"),
    include_str!("digests/glibc-cosf.txt"),
    include_str!("digests/xla-log.txt"),
    include_str!("digests/xla-log1p.txt"),
    include_str!("digests/xla-erf_inv.txt"),
    include_str!("digests/cuda-logf.txt"),
    include_str!("digests/cuda-logf_of_logf.txt"),
    include_str!("digests/cuda-log1pf.txt"),
    include_str!("digests/cuda-sin_approx.txt"),
    include_str!("digests/cuda-cos_approx.txt"),
];

/// The digests of every `step`th block of each set, the first among them.
fn digests(sequence: &Sequence, function: fn(f32) -> f32, step: usize) -> Vec<String> {
    let sets = sequence.sets.iter();
    let blocks: Vec<_> = sets.flat_map(|set| set.blocks().step_by(step)).collect();
    let digest = |inputs: &mut dyn Iterator<Item = f32>| {
        let results: Vec<u8> = inputs.flat_map(|x| function(x).to_le_bytes()).collect();
        data_encoding::HEXLOWER.encode(&Sha256::digest(results))
    };
    blocks
        .into_par_iter()
        .map(|mut inputs| digest(&mut inputs))
        .collect()
}

/// The lines of a file that are no comment.
fn committed(file: &str) -> Vec<&str> {
    file.lines().filter(|line| !line.starts_with('#')).collect()
}

/// The ordinary test takes one block in four of each set, since all of them take half a minute.
const STEP: usize = 4;

#[test]
fn every_sequence_has_the_results_of_the_real_function() {
    compare(STEP);
}

/// Every sequence has the results of the real function on every input of its proof.
#[test]
#[ignore = "takes a minute of CPU"]
fn every_sequence_has_all_results_of_the_real_function() {
    compare(1);
}

fn compare(step: usize) {
    for (sequence, file) in SEQUENCES.iter().zip(DIGESTS) {
        assert!(
            file.starts_with(&format!("# {}:", sequence.name)),
            "{}",
            sequence.name
        );
        let mut lines = committed(file).into_iter();
        let mut real = Vec::new();
        for set in sequence.sets {
            real.extend(lines.by_ref().take(set.blocks().count()).step_by(step));
        }
        assert_eq!(lines.next(), None, "{}", sequence.name);
        let ours = digests(sequence, sequence.function, step);
        assert_eq!(ours.len(), real.len(), "{}", sequence.name);
        let apart: Vec<usize> = (0..ours.len()).filter(|&i| ours[i] != real[i]).collect();
        assert_eq!(
            apart, [0; 0],
            "blocks of {} whose results differ, each {step}th counted",
            sequence.name
        );
    }
}

#[test]
fn a_result_that_is_off_by_one_bit_changes_a_digest() {
    // The last two sets, of a block each: 4,096 inputs, and one.
    let logf = Sequence {
        sets: &SEQUENCES[0].sets[2..],
        ..SEQUENCES[0]
    };
    let wrong = |x: f32| {
        let right = (SEQUENCES[0].function)(x);
        if x.to_bits() == 1e-7_f32.to_bits() {
            right.next_up()
        } else {
            right
        }
    };
    let file = committed(DIGESTS[0]);
    let [.., before, last] = file[..] else {
        panic!("two sets have two digests")
    };
    assert_eq!(digests(&logf, logf.function, 1), [before, last]);
    let digests = digests(&logf, wrong, 1);
    assert_eq!(digests[0], before);
    assert_ne!(digests[1], last);
}
