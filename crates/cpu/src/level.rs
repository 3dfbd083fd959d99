//! Which instructions the kernels use.

use crate::simd::{Kernel, Simd};
#[cfg(target_arch = "x86_64")]
use crate::simd::Avx2;

/// A set of instructions that this CPU has: having a `Level` proves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level(Set);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    Scalar,
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
}

impl Level {
    /// Portable code, one element at a time. Every CPU has it.
    pub const fn scalar() -> Self {
        Self(Set::Scalar)
    }

    /// AVX2 and F16C, if this CPU has them.
    pub fn avx2() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        return Avx2::new().map(|proof| Self(Set::Avx2(proof)));
        #[cfg(not(target_arch = "x86_64"))]
        None
    }

    /// The levels that this CPU has, the slowest first.
    pub fn detect() -> Vec<Self> {
        [Some(Self::scalar()), Self::avx2()].into_iter().flatten().collect()
    }

    /// The fastest level that this CPU has.
    pub fn best() -> Self {
        Self::avx2().unwrap_or(Self::scalar())
    }

    /// `scalar`, `avx2` or `avx512`.
    pub const fn name(self) -> &'static str {
        match self.0 {
            Set::Scalar => "scalar",
            #[cfg(target_arch = "x86_64")]
            Set::Avx2(_) => "avx2",
        }
    }

    pub(crate) const fn instructions(self) -> &'static str {
        match self.0 {
            Set::Scalar => "portable code",
            #[cfg(target_arch = "x86_64")]
            Set::Avx2(_) => "AVX2 and F16C",
        }
    }

    /// Runs a kernel with these instructions.
    #[inline]
    pub(crate) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self.0 {
            Set::Scalar => kernel.scalar(),
            #[cfg(target_arch = "x86_64")]
            Set::Avx2(proof) => proof.vectorize(kernel),
        }
    }

    pub(crate) fn absent() -> Vec<(&'static str, String)> {
        Vec::new()
    }
}
