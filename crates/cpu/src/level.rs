//! The instruction sets for which there are kernels.

use crate::simd::Kernel;
#[cfg(target_arch = "x86_64")]
use crate::simd::{Avx2, Avx512, Simd};

/// A set of instructions. A `Level` exists only if this CPU has them, so that kernels need no further check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level(Set);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    Scalar,
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512<false>),
    #[cfg(target_arch = "x86_64")]
    Avx512Ifma(Avx512<true>),
    #[cfg(test)]
    Emulated(bool),
}

impl Level {
    /// Portable code, one element at a time. Every CPU has it.
    pub const fn scalar() -> Self {
        Self(Set::Scalar)
    }

    /// AVX2, F16C and FMA, if this CPU has them.
    pub fn avx2() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        return Avx2::new().map(|proof| Self(Set::Avx2(proof)));
        #[cfg(not(target_arch = "x86_64"))]
        None
    }

    /// AVX-512, if this CPU has it.
    pub fn avx512() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        return Avx512::new().map(|proof| Self(Set::Avx512(proof)));
        #[cfg(not(target_arch = "x86_64"))]
        None
    }

    /// AVX-512 and its products of 52 bits, if this CPU has them.
    pub fn avx512_ifma() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        return Avx512::new().map(|proof| Self(Set::Avx512Ifma(proof)));
        #[cfg(not(target_arch = "x86_64"))]
        None
    }

    /// The levels that this CPU has, the slowest first.
    pub fn detect() -> Vec<Self> {
        let all = [
            Some(Self::scalar()),
            Self::avx2(),
            Self::avx512(),
            Self::avx512_ifma(),
        ];
        all.into_iter().flatten().collect()
    }

    /// The fastest level that this CPU has.
    pub fn best() -> Self {
        let vectors = Self::avx512_ifma().or_else(Self::avx512).or_else(Self::avx2);
        vectors.unwrap_or(Self::scalar())
    }

    /// `scalar`, `avx2`, `avx512` or `avx512-ifma`.
    pub const fn name(self) -> &'static str {
        match self.0 {
            Set::Scalar => "scalar",
            #[cfg(target_arch = "x86_64")]
            Set::Avx2(_) => "avx2",
            #[cfg(target_arch = "x86_64")]
            Set::Avx512(_) => "avx512",
            #[cfg(target_arch = "x86_64")]
            Set::Avx512Ifma(_) => "avx512-ifma",
            #[cfg(test)]
            Set::Emulated(false) => "emulated",
            #[cfg(test)]
            Set::Emulated(true) => "emulated-ifma",
        }
    }

    /// Runs a kernel with these instructions.
    #[inline]
    pub(crate) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self.0 {
            Set::Scalar => kernel.scalar(),
            #[cfg(target_arch = "x86_64")]
            Set::Avx2(proof) => proof.vectorize(kernel),
            #[cfg(target_arch = "x86_64")]
            Set::Avx512(proof) => proof.vectorize(kernel),
            #[cfg(target_arch = "x86_64")]
            Set::Avx512Ifma(proof) => proof.vectorize(kernel),
            #[cfg(test)]
            Set::Emulated(false) => crate::simd::Simd::vectorize(crate::simd::Emulated::<false>, kernel),
            #[cfg(test)]
            Set::Emulated(true) => crate::simd::Simd::vectorize(crate::simd::Emulated::<true>, kernel),
        }
    }

    /// Vectors of sixteen words in portable code, without and with products of 52 bits. The kernels of vectors are for
    /// little-endian processors, as all are that have a level of vectors here: there are none on others.
    #[cfg(test)]
    pub(crate) fn emulated() -> impl Iterator<Item = Self> {
        let levels = [false, true].map(|ifma| Self(Set::Emulated(ifma)));
        levels.into_iter().filter(|_| cfg!(target_endian = "little"))
    }
}

/// The names of the backends that this CPU or this build lacks, each with the reason.
pub fn absent() -> Vec<(&'static str, String)> {
    let lacking = |instructions: &str| {
        if cfg!(target_arch = "x86_64") {
            format!("this CPU lacks {instructions}")
        } else {
            format!("{instructions} are not for {}", std::env::consts::ARCH)
        }
    };
    [
        ("cpu/avx2", Level::avx2(), "AVX2, F16C or FMA"),
        ("cpu/avx512", Level::avx512(), "AVX-512"),
        ("cpu/avx512-ifma", Level::avx512_ifma(), "AVX-512 IFMA"),
    ]
    .into_iter()
    .filter(|(_, level, _)| level.is_none())
    .map(|(name, _, instructions)| (name, lacking(instructions)))
    .collect()
}
