//! Random cases, which are in no corpus.

use seedproof::judging::ad_hoc;
use seedproof_corpus::{Case, CaseId};
use seedproof_ops::requests::{Profile, request_of};
use seedproof_ops::{Backend as _, Limits, Multinomial, Named as _, OpName, Request, Scalar, Tensor};
use seedproof_reference::Reference;

/// One case in this many has up to 70,000 elements.
const LONG: u64 = 64;

/// The most work of a request.
const MAX_WORK: u64 = 1 << 17;

/// Requests of one profile that are tried before nothing of it is believed to be asked for, and before it is believed to
/// have no more.
const IDLE: u64 = 200;
const EXHAUSTED: u64 = 20_000;

/// `count` random cases for which `is_asked` is true, with the oracle's answers. Most requests are valid, many of them at an
/// edge; unless `valid` is set, some are invalid. Fewer cases are returned where `is_asked` accepts too few. No answer depends
/// on the last bit of an exponential.
///
/// Ops take turns, and the variants and types of each op do. What a case asks for follows from its id alone: `random/`, the
/// prefix of its op, its profile, the seed and a number, `random/ru8/tensorflow-f32/7-000012`. So a smaller count draws a
/// prefix of the cases of a larger one, and [`case_by_chance`] makes a case again for any implementation.
pub fn by_chance(count: u64, seed: u64, valid: bool, is_asked: &dyn Fn(&Case) -> bool) -> Vec<Case> {
    let reference = Reference::new(Limits::default(), move || seed);
    let mut ops: Vec<Vec<Stream>> = OpName::ALL
        .iter()
        .map(|&op| Profile::all(op).into_iter().map(Stream::new).collect())
        .collect();
    let mut cases = Vec::new();
    let wanted = usize::try_from(count).unwrap_or(usize::MAX);
    while cases.len() < wanted && !ops.is_empty() {
        ops.retain_mut(|streams| {
            if cases.len() == wanted {
                return true;
            }
            // A stream that produced a case waits until the others of its op have had a turn.
            while !streams.is_empty() {
                let mut stream = streams.remove(0);
                if let Some(case) = stream.next(seed, valid.then_some(&reference), is_asked) {
                    cases.push(case);
                    streams.push(stream);
                    return true;
                }
            }
            false
        });
    }
    cases
}

/// The case whose id [`by_chance`] returned; `None` for any other text.
pub fn case_by_chance(id: &str) -> Option<Case> {
    let mut parts = id.strip_prefix("random/")?.split('/');
    let (prefix, word, numbers) = (parts.next()?, parts.next()?, parts.next()?);
    let (seed, number) = numbers.split_once('-')?;
    let op = OpName::ALL.iter().find(|op| op.description().prefix == prefix)?;
    let profile = Profile::all(*op)
        .into_iter()
        .find(|profile| profile.word() == word)?;
    let case = case(&profile, seed.parse().ok()?, number.parse().ok()?, None)?;
    (case.id.as_str() == id).then_some(case)
}

/// The cases of a profile.
struct Stream {
    profile: Profile,
    number: u64,
    patience: u64,
}

impl Stream {
    fn new(profile: Profile) -> Self {
        Self {
            profile,
            number: 0,
            patience: IDLE,
        }
    }

    fn next(
        &mut self,
        seed: u64,
        valid: Option<&Reference>,
        is_asked: &dyn Fn(&Case) -> bool,
    ) -> Option<Case> {
        for _ in 0..self.patience {
            self.number += 1;
            let made = case(&self.profile, seed, self.number, valid);
            if let Some(case) = made.filter(|case| is_asked(case)) {
                self.patience = EXHAUSTED;
                return Some(case);
            }
        }
        None
    }
}

/// The case of a number, unless it is more work than anyone would wait for, or is to have a value and has none.
fn case(profile: &Profile, seed: u64, number: u64, valid: Option<&Reference>) -> Option<Case> {
    let prefix = profile.op.description().prefix;
    let word = profile.word();
    // FNV-1a suffices: seeds that differ in one bit lead to unrelated streams, since the generator mixes them again.
    let text = format!("{prefix}/{word}/{seed}-{number}");
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    let mut rng = fastrand::Rng::with_seed(hash);
    let request = request_of(profile, number.is_multiple_of(LONG), &mut || rng.u64(..));
    let is_wanted = request.work() <= MAX_WORK
        && valid.is_none_or(|reference| reference.run(&request).is_ok())
        && !hangs_on_exp(&request);
    is_wanted.then(|| Case {
        id: CaseId::new(&format!("random/{prefix}/{word}/{seed}-{number:06}"))
            .expect("prefixes, names and digits make an id"),
        ..ad_hoc(request)
    })
}

/// Tries at moving the weights of a request by a bit.
const MOVES: u64 = 16;

/// Whether the classes of a request change if the exponentials of its logarithms are rounded differently. Erratum
/// `mn13.log-probs.exp`: an implementation with another `exp` is not wrong there.
///
/// The weight of each logarithm is moved to one of its neighbours or left, at random. Where classes hang on rounding, most
/// moves change one: without replacement the last classes of a row are chosen by what rounding has left of it.
pub(crate) fn hangs_on_exp(request: &Request) -> bool {
    let Request::Multinomial(op) = request else {
        return false;
    };
    // An output that nothing determines is judged by its distribution.
    if !op.log_probs || (request.is_unseeded() && op.draws.is_none()) {
        return false;
    }
    let reference = Reference::new(Limits::default(), || 1);
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
    use std::collections::BTreeSet;

    use seedproof_ops::{Alignment, Request};

    use super::*;

    fn all(_: &Case) -> bool {
        true
    }

    #[test]
    fn cases_by_chance_do_not_hang_on_the_last_bit_of_an_exponential() {
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
        assert!(hangs_on_exp(&request(0.148_047_198_031_689_5)));
        assert!(!hangs_on_exp(&request(0.148)));
        // The corpus has one such case, and the erratum names it.
        let hanging = seedproof::corpus()
            .cases()
            .filter(|case| hangs_on_exp(&case.request));
        let hanging: Vec<&str> = hanging.map(|case| case.id.as_str()).collect();
        assert_eq!(
            hanging,
            ["mn13/no-replacement/f64/openvino-cpu-log-1x33-14-234-148"]
        );
    }

    #[test]
    fn cases_by_chance_are_the_same_for_a_seed() {
        let cases = |count, seed| by_chance(count, seed, false, &all);
        let few = cases(200, 7);
        assert_eq!(few[..], cases(300, 7)[..200]);
        assert_ne!(few, cases(200, 8));
        let ids: BTreeSet<&str> = few.iter().map(|case| case.id.as_str()).collect();
        assert_eq!(ids.len(), 200);
        let ops: BTreeSet<OpName> = few.iter().map(|case| case.request.op()).collect();
        assert_eq!(ops.len(), OpName::ALL.len());
        let reference = Reference::new(Limits::default(), || 1);
        let answered = |case: &Case| reference.run(&case.request).is_ok();
        assert!(by_chance(200, 7, true, &all).iter().all(answered));
        assert!(!few.iter().all(answered));
    }

    /// A narrow adapter is asked as many as are wanted, and the id of each makes it again.
    #[test]
    fn cases_by_chance_are_those_that_are_claimed() {
        let claimed = |case: &Case| match &case.request {
            Request::RandomUniform(request) => {
                request.alignment == Alignment::Tensorflow.into() && case.request.filed_type() == "f32"
            }
            _ => false,
        };
        let cases = by_chance(1_000, 3, true, &claimed);
        assert_eq!(cases.len(), 1_000);
        for case in &cases {
            assert!(claimed(case), "{}", case.id);
            assert_eq!(case_by_chance(case.id.as_str()).as_ref(), Some(case));
        }
        let elements = |case: &Case| {
            case.request
                .output_form()
                .map_or(0, |(_, dims)| dims.iter().product())
        };
        let friendly = cases
            .iter()
            .filter(|case| elements(case) > 0 && elements(case) % 64 == 0)
            .count();
        assert!(friendly > 20, "{friendly}");
        assert_eq!(by_chance(10, 3, false, &|_| false), []);
        for other in [
            "random/ru8/tensorflow-f32/3",
            "random/ru8/odd/3-000001",
            "ru8/a",
            "random/ru8/tensorflow-f32/3-1",
        ] {
            assert_eq!(case_by_chance(other), None, "{other}");
        }
    }
}
