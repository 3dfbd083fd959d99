//! A fault of a kernel, and the names that say it.

use super::uniform::Uniform;

/// A fault of a kernel.
pub(crate) struct Fault {
    /// Its id.
    pub(crate) id: &'static str,
    /// Parts of the names of causes that are right, any of them.
    pub(crate) named: &'static [&'static str],
    pub(crate) kernel: Uniform,
}
