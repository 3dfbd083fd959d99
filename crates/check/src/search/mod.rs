//! Why answers are wrong: the diagnosis of many findings, and the structures that are read off wrong outputs.

pub(crate) mod diagnose;
pub(crate) mod structure;
