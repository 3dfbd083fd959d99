//! What an implementation has: all else is `unsupported`.

use seedproof_ops::{Dtype, Failure, OpName};

use super::seeds::are_lost;
use crate::answers::{Availability, Execution, Scope, SeedCount, UniformTypes};
use crate::reading::Reading;

/// `unsupported`, since the implementation lacks something.
pub(super) fn lacks(reading: &Reading, what: &str) -> Failure {
    Failure::Unsupported(format!("{} has no {what}", reading.name))
}

/// `unsupported` unless the implementation has the op.
pub(super) fn has_op(reading: &Reading, op: OpName) -> Result<(), Failure> {
    if reading.lacks.0.contains(&op) {
        return Err(lacks(reading, op.description().title));
    }
    Ok(())
}

/// `unsupported` unless the implementation has it.
pub(super) fn has(
    reading: &Reading,
    pick: impl Fn(&Scope) -> Availability,
    what: &str,
) -> Result<(), Failure> {
    match pick(&reading.scope) {
        Availability::Available => Ok(()),
        Availability::Missing => Err(lacks(reading, what)),
        Availability::Unwritten => Err(Failure::Unsupported(format!(
            "{} leaves {what} unwritten",
            reading.name
        ))),
    }
}

/// `unsupported` for a type that RandomUniform does not have there.
pub(super) fn uniform_type(reading: &Reading, dtype: Dtype) -> Result<(), Failure> {
    let has_type = match reading.scope.uniform_types {
        UniformTypes::All => true,
        UniformTypes::Wide => matches!(dtype, Dtype::F32 | Dtype::F64),
        UniformTypes::Single => dtype == Dtype::F32,
    };
    if has_type {
        Ok(())
    } else {
        Err(lacks(reading, &format!("RandomUniform of {dtype}")))
    }
}

/// `unsupported` for two seeds where there is one, and for those in whose place the implementation takes entropy.
pub(super) fn seeds(reading: &Reading, seeds: [u64; 2]) -> Result<(), Failure> {
    if reading.scope.seeds == SeedCount::One && !seeds.contains(&0) {
        return Err(lacks(reading, "second seed"));
    }
    if are_lost(reading, seeds) {
        return Err(Failure::Unsupported(format!(
            "{} cuts both seeds to zero, and draws from entropy",
            reading.name
        )));
    }
    Ok(())
}

/// `unsupported` for a second execution that is not specified.
pub(super) fn may_execute(reading: &Reading, answer: Execution, execution: u32) -> Result<(), Failure> {
    if execution == 0 || answer != Execution::Unspecified {
        return Ok(());
    }
    Err(Failure::Unsupported(format!(
        "{} does not say what a second execution of one op instance draws",
        reading.name
    )))
}
