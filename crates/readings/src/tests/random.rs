//! Requests by chance.

use seedproof_ops::Alignment::{Pytorch, Tensorflow};
use seedproof_ops::requests::short_request;
use seedproof_ops::{Backend, Dtype, Limits};

use super::first;
use crate::requests::uniform;
use crate::{Engine, MISTAKES, Reading, named, with};

/// Whatever the request and the reading: no panic, and the same answer again.
#[test]
fn readings_answer_alike_twice() {
    // Otherwise a few requests take most of the time.
    let limits = Limits {
        max_output_bytes: 1 << 16,
    };
    let mut random = fastrand::Rng::with_seed(1);
    let mistaken = MISTAKES.iter().map(|mistake| with(&Reading::spec(), &[mistake]));
    for reading in named().iter().cloned().chain(mistaken) {
        let engine = Engine::new(reading, limits, || 7);
        for _ in 0..8 {
            let request = short_request(&mut || random.u64(..));
            assert_eq!(
                engine.run(&request),
                engine.run(&request),
                "{} {request:?}",
                engine.id()
            );
        }
    }
}

/// A prefix of a longer draw is the shorter draw.
#[test]
fn spec_draws_a_prefix() {
    let mut random = fastrand::Rng::with_seed(1);
    for count in 0..50_u8 {
        let seeds = [random.u64(..), random.u64(..)];
        for (alignment, dtype, bounds) in [
            (Tensorflow, Dtype::F64, ["0000000000000000", "3ff0000000000000"]),
            (Pytorch, Dtype::I32, ["-5", "2000000000"]),
        ] {
            let shorter = first(
                "spec",
                &uniform(alignment, dtype, count.into(), bounds, seeds),
                50,
            );
            let longer = first(
                "spec",
                &uniform(alignment, dtype, 60, bounds, seeds),
                count.into(),
            );
            assert_eq!(shorter, longer);
        }
    }
}
