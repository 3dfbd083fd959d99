//! Saboteurs: backends that are wrong in one known way, to prove that the corpus and the judge catch it.
//!
//! Here belong whole wrong generators (`generators`), right answers spoilt on their way out (`outputs`), and wrong
//! conduct (`conduct`). What judges them is in `tests/saboteurs.rs`. Deliberately absent: the many small mistakes
//! that a diagnosis names, which `corpus mutants` proves caught; and what only a process can do wrong, which the tests
//! of `wire` do.

mod behaviour;
mod conduct;
mod generators;
mod outputs;

pub(crate) use behaviour::{Saboteur, honest};

/// All of them, by what is wrong.
pub(crate) const GROUPS: [(&str, &[Saboteur]); 4] = [
    ("mistakes", generators::MISTAKES),
    ("generators", generators::OTHERS),
    ("outputs", outputs::SABOTEURS),
    ("conduct", conduct::SABOTEURS),
];
