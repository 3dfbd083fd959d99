//! Random cases, which are in no corpus.

use seedproof::judging::ad_hoc;
use seedproof_corpus::{Case, CaseId};
use seedproof_ops::{Backend as _, Limits, Multinomial, Request, Scalar, Tensor};
use seedproof_reference::Reference;

use crate::requests::{long_request, short_request};

/// One case in so many is of up to 70,000 elements.
const LONG: u64 = 64;

/// The most work of a request.
const MOST: u64 = 1 << 17;

/// So many cases for all ops, which the oracle answers: valid requests mostly, at every edge often, and invalid in every
/// way now and then, unless the specification is to answer each with a value. The same number and seed give the same
/// cases, and a smaller number gives the first of them. None hangs on the last bit of an exponential.
///
/// The id of a case is `random/`, the prefix of its op, the seed and the number of the case: `random/ru8/7-000012`.
pub fn by_chance(count: u64, seed: u64, valid: bool) -> impl Iterator<Item = Case> {
    let reference = Reference::new(Limits::default(), move || seed);
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut draw = move |i: u64| {
        let request = if i.is_multiple_of(LONG) {
            long_request
        } else {
            short_request
        };
        request(&mut || rng.u64(..))
    };
    (1..=count).map(move |i| {
        let mut request = draw(i);
        // Some ask for more than anyone would wait for.
        while request.work() > MOST
            || (valid && reference.run(&request).is_err())
            || hangs_on_exp(&request, &reference)
        {
            request = draw(i);
        }
        let id = format!("random/{}/{seed}-{i:06}", request.description().prefix);
        Case {
            id: CaseId::new(&id).expect("prefixes and digits make an id"),
            ..ad_hoc(request)
        }
    })
}

/// Tries at moving the weights of a request by a bit.
const MOVES: u64 = 16;

/// Whether the classes of a request are others where the exponentials of its logarithms are rounded otherwise. Erratum
/// `mn13.log-probs.exp`: an implementation with another `exp` is not wrong there.
///
/// The weight of each logarithm is moved to one of its neighbours or left, at random. Where classes hang on rounding, most moves change
/// one: without replacement the last classes of a row are chosen by what rounding has left of it.
fn hangs_on_exp(request: &Request, reference: &Reference) -> bool {
    let Request::Multinomial(op) = request else {
        return false;
    };
    // What nothing determines is judged by its distribution.
    if !op.log_probs || (request.is_unseeded() && op.draws.is_none()) {
        return false;
    }
    let Ok(classes) = reference.run(request) else {
        return false;
    };
    let logarithms: Vec<f64> = op.probs.scalars().map(Scalar::to_f64).collect();
    (0..MOVES).any(|seed| {
        // Any function gives equal arguments equal results, and e^0 is 1.
        let moved = logarithms.iter().map(|&x| {
            let weight = libm::exp(x);
            match fastrand::Rng::with_seed(seed ^ x.to_bits()).u8(..3) {
                _ if x == 0.0 || weight == 0.0 => weight,
                0 => weight.next_up(),
                1 => weight.next_down(),
                _ => weight,
            }
        });
        let moved: Vec<f64> = moved.collect();
        let probs = Tensor::from_elements(op.probs.shape().clone(), &moved);
        let plain = Request::Multinomial(Multinomial {
            probs: probs.expect("there is a weight for each probability"),
            log_probs: false,
            ..op.clone()
        });
        reference.run(&plain).ok().as_ref() != Some(&classes)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn cases_by_chance_do_not_hang_on_the_last_bit_of_an_exponential() {
        let reference = Reference::new(Limits::default(), || 1);
        let request = |draw: f64| {
            let shape = seedproof_ops::Shape::new(&[1, 2]).unwrap();
            Request::Multinomial(Multinomial {
                probs: Tensor::from_elements(shape, &[-1.75, 0.0]).unwrap(),
                num_samples: Tensor::scalar(1_i32),
                draws: Some(
                    Tensor::from_elements(seedproof_ops::Shape::new(&[1, 1]).unwrap(), &[draw]).unwrap(),
                ),
                convert_type: seedproof_ops::Dtype::I32.into(),
                with_replacement: true,
                log_probs: true,
                global_seed: 1,
                op_seed: 2,
                execution: 0,
            })
        };
        // The nearest number to e^-1.75 is one above FreeBSD's: between the two functions lies this draw.
        assert!(hangs_on_exp(&request(0.148_047_198_031_689_5), &reference));
        assert!(!hangs_on_exp(&request(0.148), &reference));
        // The erratum names the one case of the corpus.
        let hanging = seedproof::corpus()
            .cases()
            .filter(|case| hangs_on_exp(&case.request, &reference));
        let hanging: Vec<&str> = hanging.map(|case| case.id.as_str()).collect();
        assert_eq!(
            hanging,
            ["mn13/no-replacement/f64/openvino-cpu-log-1x33-14-234-148"]
        );
    }

    #[test]
    fn cases_by_chance_are_the_same_for_a_seed() {
        let cases = |count, seed| by_chance(count, seed, false).collect::<Vec<_>>();
        let few = cases(200, 7);
        assert_eq!(few[..], cases(300, 7)[..200]);
        assert_ne!(few, cases(200, 8));
        let ids: BTreeSet<&str> = few.iter().map(|case| case.id.as_str()).collect();
        assert_eq!(ids.len(), 200);
        let ops: BTreeSet<&str> = few
            .iter()
            .map(|case| case.request.op().description().name)
            .collect();
        assert!(ops.len() > 3, "{ops:?}");
        let reference = Reference::new(Limits::default(), || 1);
        let answered = |case: &Case| reference.run(&case.request).is_ok();
        assert!(by_chance(200, 7, true).all(|case| answered(&case)));
        assert!(!few.iter().all(answered));
    }
}
