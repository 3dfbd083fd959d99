//! The corpus alone, on the oracle: what `cargo mutants` holds a changed oracle against. Large outputs are
//! left to the conformance run.

use seedproof_ops::{Backend, Digest, Failure, Limits, Response, Tensor};
use seedproof_reference::Reference;
use seedproof_vectors::{Case, Expectation, OutputDigest, parse};
use sha2::{Digest as _, Sha256};

const LARGEST: u64 = 5000;

#[test]
fn corpus_is_what_the_oracle_answers() {
    let reference = Reference::new(Limits::default(), || 0x0123_4567_89ab_cdef);
    let other = Reference::new(Limits::default(), || 0xfedc_ba98_7654_3210);
    let mut judged = 0;
    for (file, text) in seedproof_corpus::FILES {
        if !file.ends_with("yaml") {
            continue;
        }
        let cases = parse(file, text)
            .unwrap_or_else(|errors| panic!("{errors}"))
            .cases;
        for case in cases.iter().filter(|case| is_small(case)) {
            judged += usize::from(holds(case, &reference, &other));
        }
    }
    assert!(judged > 2000, "only {judged} cases were judged");
}

fn is_small(case: &Case) -> bool {
    let count = |dims: Vec<u64>| dims.iter().fold(1, |count: u64, &dim| count.saturating_mul(dim));
    case.request
        .output_form()
        .is_none_or(|(_, dims)| count(dims) <= LARGEST)
}

/// Whether the case says anything of `spec`; panics if it is not so.
fn holds(case: &Case, reference: &dyn Backend, other: &dyn Backend) -> bool {
    let answer = reference.run(&case.request);
    match &case.expect {
        Expectation::Bits(bits) => {
            let expected = Response {
                output: bits.output.clone(),
                more: bits.more.clone(),
            };
            assert_eq!(answer, Ok(expected), "{}", case.id);
        }
        Expectation::Digest(digested) => {
            let answer = answer.unwrap_or_else(|failure| panic!("{}: {failure}", case.id));
            match &digested.digest {
                OutputDigest::Whole(sum) => assert_eq!(sum_of(answer.output.bytes()), *sum, "{}", case.id),
                OutputDigest::Chunks(sums) => assert_eq!(chunks(&answer.output), *sums, "{}", case.id),
            }
            assert_eq!(answer.more, digested.more, "{}", case.id);
        }
        Expectation::Rejected(kind) => match answer {
            Err(Failure::Rejected(error)) => assert_eq!(error.kind, Some(*kind), "{}", case.id),
            answer => panic!("{}: {answer:?}", case.id),
        },
        Expectation::Statistical => {
            let answer = answer.unwrap_or_else(|failure| panic!("{}: {failure}", case.id));
            let form = case
                .request
                .output_form()
                .expect("a case with an output has its form");
            let dims: Vec<u64> = answer
                .output
                .shape()
                .dims()
                .iter()
                .map(|&dim| dim.try_into().expect("an extent fits 64 bits"))
                .collect();
            assert_eq!((answer.output.dtype(), dims), form, "{}", case.id);
            if answer.output.bytes().len() >= 32 {
                assert_ne!(other.run(&case.request), Ok(answer), "{}", case.id);
            }
        }
        Expectation::Oracle | Expectation::Unspecified => return false,
    }
    true
}

fn chunks(output: &Tensor) -> Vec<[u8; 32]> {
    output
        .bytes()
        .chunks(Digest::CHUNK * output.dtype().size())
        .map(sum_of)
        .collect()
}

fn sum_of(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}
