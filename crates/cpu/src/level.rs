//! Which instructions the kernels use.

/// A set of instructions that this CPU has: having a `Level` proves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level(Set);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    Scalar,
}

impl Level {
    /// Every level's name, the slowest first.
    pub const NAMES: [&'static str; 3] = ["scalar", "avx2", "avx512"];

    /// Portable code, one element at a time. Every CPU has it.
    pub const fn scalar() -> Self {
        Self(Set::Scalar)
    }

    /// The levels that this CPU has, the slowest first.
    pub fn detect() -> Vec<Self> {
        vec![Self::scalar()]
    }

    /// The fastest level that this CPU has.
    pub fn best() -> Self {
        Self::scalar()
    }

    /// `scalar`, `avx2` or `avx512`.
    pub const fn name(self) -> &'static str {
        match self.0 {
            Set::Scalar => "scalar",
        }
    }

    pub(crate) const fn instructions(self) -> &'static str {
        match self.0 {
            Set::Scalar => "portable code",
        }
    }

    pub(crate) fn absent() -> Vec<(&'static str, String)> {
        Vec::new()
    }
}
