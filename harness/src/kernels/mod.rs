//! Kernels as users write them, with one fault or a few: the diagnosis must name what is wrong.
//!
//! They share no code with the engines: a kernel here is what an engine's author would write from the documents.

mod classes;
mod classes_faults;
mod dml;
mod dml_faults;
mod fault;
mod generator;
mod hooks;
mod others;
mod others_stored;
mod stores;
mod together;
mod twister;
mod twister_faults;
mod uniform;

pub(crate) use fault::{Fault, KernelBackend};

/// Faults that users' kernels were found to have: the ones that a reviewer tried, one at a time and together.
pub(crate) fn reviewed() -> impl Iterator<Item = &'static Fault> {
    [generator::FAULTS, stores::FAULTS, together::FAULTS]
        .into_iter()
        .flatten()
}

/// As many others, which no user was seen to have.
pub(crate) fn others() -> impl Iterator<Item = &'static Fault> {
    [others::FAULTS, others_stored::FAULTS].into_iter().flatten()
}

/// Faults of kernels of the other ops and of the other generator.
pub(crate) fn of_other_ops() -> impl Iterator<Item = &'static Fault> {
    [dml_faults::FAULTS, twister_faults::FAULTS, classes_faults::FAULTS]
        .into_iter()
        .flatten()
}
