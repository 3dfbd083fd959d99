//! Batches of keys: a structure of the whole output, and of what each key draws.

use super::*;
use seedproof_ops::PhiloxRandint;

/// Words of these keys, in an output of these extents.
fn words(seeds: &[u64], batch: &[u64], sizes: &[u64]) -> Request {
    let key: Vec<u64> = seeds.iter().flat_map(|&seed| [seed, 0]).collect();
    let dims: Vec<u64> = batch.iter().copied().chain([2]).collect();
    Request::PhiloxRandint(PhiloxRandint {
        key: Tensor::from_elements(Shape::new(&dims).unwrap(), &key).unwrap(),
        output_type: Dtype::U64.into(),
        output_sizes: sizes.to_vec(),
        low: None,
        high: None,
    })
}

fn mixed(seed: u64) -> u64 {
    let z = (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (z ^ (z >> 29))
        .wrapping_mul(0xbf58_476d_1ce4_e5b9)
        .rotate_left(31)
}

/// What each key draws goes through `made`, and then the whole does.
fn drawn(request: &Request, each: fn(&mut Vec<u64>), whole: fn(&mut Vec<u64>)) -> Tensor {
    let items = request.items().unwrap_or_else(|| vec![request.clone()]);
    let mut all = Vec::new();
    for item in items {
        let key = item.input("key").unwrap().get(0).unwrap().bits();
        let (_, dims) = item.output_form().unwrap();
        let mut its = (0..dims.iter().product())
            .map(|i: u64| mixed(key << 32 | i))
            .collect();
        each(&mut its);
        all.extend(its);
    }
    whole(&mut all);
    Tensor::from_elements(Shape::new(&request.output_form().unwrap().1).unwrap(), &all).unwrap()
}

fn causes(requests: &[Request], each: fn(&mut Vec<u64>), whole: fn(&mut Vec<u64>)) -> Vec<(String, usize)> {
    let nothing = |_: &mut Vec<u64>| ();
    let oracle = Fake::new("spec", move |request| {
        Ok(Response::of(drawn(request, nothing, nothing)))
    });
    let failed = |(i, request): (usize, &Request)| FailedCase {
        case: CaseId::new(&format!("tkr/toy/{i}")).unwrap(),
        request: request.clone(),
        expected: Expected::Value(Response::of(drawn(request, nothing, nothing))),
        actual: Ok(Response::of(drawn(request, each, whole))),
        again: None,
        nan: NanRule::Class,
    };
    let failures: Vec<FailedCase> = requests.iter().enumerate().map(failed).collect();
    let suspects = suspects(&[], Some(&oracle));
    let found = diagnose(&failures, &[], &suspects).explanations.into_iter();
    found.map(|it| (it.cause.name, it.cases.len())).collect()
}

#[test]
fn structures_of_a_batch_are_those_of_each_key_or_of_the_whole() {
    let nothing = |_: &mut Vec<u64>| ();
    let requests = [
        words(&[7], &[], &[3, 6]),
        words(&[7, 8], &[2, 1, 1], &[2, 3, 5]),
        words(&[1, 2, 3], &[1, 3, 1, 1], &[2, 3, 2, 7]),
    ];
    let reversed = |all: &mut Vec<u64>| all.reverse();
    let of = |name: &str, cases| vec![(name.to_owned(), cases)];
    assert_eq!(
        causes(&requests, reversed, nothing),
        of("reversed of each key", 3)
    );
    assert_eq!(causes(&requests, nothing, reversed), of("reversed", 3));
    assert_eq!(causes(&requests[..1], reversed, nothing), of("reversed", 1));
    let zeroed = |all: &mut Vec<u64>| {
        let from = all.len() - all.len() % 8;
        all[from..].fill(0);
    };
    assert_eq!(
        causes(&requests[..2], zeroed, nothing),
        of("tail(group = 8, zero) of each key", 2)
    );
}

#[test]
fn batches_of_keys_that_are_exchanged_are_so_told() {
    // Key by key along the axis that is broadcast, in place of batch by batch.
    let repeated = |all: &mut Vec<u64>| {
        let runs: Vec<Vec<u64>> = all.chunks(all.len() / 6).map(<[u64]>::to_vec).collect();
        *all = (0..6).flat_map(|run| runs[run / 2].clone()).collect();
    };
    let requests = [5, 1, 4].map(|each| words(&[1, 2, 3], &[1, 3, 1], &[2, 3, each]));
    let nothing = |_: &mut Vec<u64>| ();
    assert_eq!(
        causes(&requests, nothing, repeated),
        [("runs-of-other-keys".to_owned(), 3)]
    );
    // What no key draws is no other key's.
    let other = |all: &mut Vec<u64>| all[0] ^= 1;
    assert_eq!(causes(&requests[..1], nothing, other), []);
}
