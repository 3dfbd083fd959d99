//! The inputs of the three ops, and what they are under a reading.

use seedproof_ops::{Attribute, Dtype, ErrorKind, Failure, Request, Scalar, Tensor};

use crate::answers::{AutoAlgorithm, CounterLength, CounterUse, NothingToDraw, ThreeFryAlgorithm, WordOrder};
use crate::engine::check::{self, FLOATS};
use crate::engine::seeds::cut;
use crate::reading::Reading;

/// A request of any of the three ops.
pub(super) struct Fields<'a> {
    pub(super) output_type: &'a Attribute<Dtype>,
    pub(super) shape: &'a Tensor,
    pub(super) key: &'a Tensor,
    pub(super) counter: &'a Tensor,
    pub(super) alg: &'a Tensor,
    pub(super) bounds: Option<[(&'static str, &'a Tensor); 2]>,
    pub(super) types: [Dtype; 4],
}

const INTEGERS: [Dtype; 4] = [Dtype::I32, Dtype::I64, Dtype::U32, Dtype::U64];

/// The fields of a request; `None` of another op.
pub(super) fn fields(request: &Request) -> Option<Fields<'_>> {
    macro_rules! of {
        ($it:ident, $types:ident, $bounds:expr) => {
            Some(Fields {
                output_type: &$it.output_type,
                shape: &$it.shape,
                key: &$it.key,
                counter: &$it.counter,
                alg: &$it.alg,
                bounds: $bounds,
                types: $types,
            })
        };
    }
    match request {
        Request::StatelessRandomUniform(it) => of!(it, FLOATS, None),
        Request::StatelessRandomUniformFullInt(it) => of!(it, INTEGERS, None),
        Request::StatelessRandomUniformInt(it) => {
            of!(
                it,
                INTEGERS,
                Some([("minval", &it.minval), ("maxval", &it.maxval)])
            )
        }
        _ => None,
    }
}

/// A list of u64.
pub(super) fn list(name: &str, tensor: &Tensor) -> Result<Vec<u64>, Failure> {
    check::dtype_is(name, tensor, &[Dtype::U64])?;
    if tensor.shape().rank() != 1 {
        return check::shape(name, tensor);
    }
    Ok(tensor.scalars().map(Scalar::bits).collect())
}

pub(super) fn counter_is_long_enough(reading: &Reading, counter: &[u64], alg: i64) -> Result<(), Failure> {
    let is_three_fry = alg == 2;
    let (least, most) = match reading.stateless.counter_length {
        CounterLength::Two => (2, usize::MAX),
        CounterLength::TwoAlone => (2, 2),
        CounterLength::ByAlgorithm => (if is_three_fry { 1 } else { 2 }, usize::MAX),
        CounterLength::ByNumber => {
            let number = if alg == 3 { 1 } else { alg };
            (usize::try_from(number).unwrap_or(0), usize::MAX)
        }
    };
    if counter.len() < least || counter.len() > most {
        return check::refuse(
            ErrorKind::Shape,
            format!("counter has {} elements", counter.len()),
        );
    }
    if counter.len() < 2 && !is_three_fry {
        let message = format!("{} reads past the end of this counter", reading.name);
        return Err(Failure::Unsupported(message));
    }
    Ok(())
}

/// Whether ThreeFry draws.
pub(crate) fn algorithm(reading: &Reading, alg: i64, drawn: bool) -> Result<bool, Failure> {
    let answers = &reading.stateless;
    let known = match alg {
        1 => Some(false),
        2 => match answers.three_fry {
            ThreeFryAlgorithm::Drawn => Some(true),
            ThreeFryAlgorithm::Philox => Some(false),
            ThreeFryAlgorithm::Refused => None,
        },
        3 => match answers.auto {
            AutoAlgorithm::Philox => Some(false),
            AutoAlgorithm::ThreeFry => Some(true),
            AutoAlgorithm::Refused => None,
        },
        _ => None,
    };
    let looked_at = drawn || answers.empty_output != NothingToDraw::NotLookedAt;
    match known {
        Some(three_fry) => Ok(three_fry),
        None if looked_at => check::attribute(format!("alg is {alg}")),
        None => Ok(false),
    }
}

pub(super) fn halves(reading: &Reading, counter: &[u64]) -> u128 {
    let at = |index: usize| {
        let number = counter.get(index).copied().unwrap_or(0);
        u128::from(cut(reading.stream.counter_bits, number))
    };
    let (low, high) = match reading.stateless.counter_order {
        WordOrder::LowFirst => (at(0), at(1)),
        WordOrder::HighFirst => (at(1), at(0)),
    };
    match reading.stateless.counter {
        CounterUse::Both => high << 64 | low,
        CounterUse::LowAlone => low,
        CounterUse::LowCut => high << 64 | low & u128::from(u32::MAX),
        CounterUse::HighCut => (high & u128::from(u32::MAX)) << 64 | low,
        CounterUse::Neither => 0,
    }
}
