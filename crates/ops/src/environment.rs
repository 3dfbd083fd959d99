//! The floating-point environment of a thread: whether subnormal numbers are numbers, how results are rounded, and what traps.
//!
//! A host process may have set its processor to flush subnormals to zero (PyTorch and audio programs do), to round otherwise, or
//! to trap. The bits that the specifications promise then come out only in the standard environment, and two engines that
//! both flush agree on the wrong ones. So every engine, the judge and the readers of decimals begin with [`standard`].
//!
//! This module alone may contain `unsafe`: the register has no other name. The formulas of the engines are deliberately not
//! guarded one by one, as a change of the register costs more than many of them.

/// Does some work in the standard environment, and restores that of the caller afterwards.
///
/// ```
/// use seedproof_ops::{Environment, standard};
///
/// let half = || std::hint::black_box(f32::MIN_POSITIVE) * std::hint::black_box(0.5);
/// for (_, host) in Environment::hosts() {
///     assert!(host.during(|| standard(half)) > 0.0, "a subnormal number is a number");
/// }
/// ```
#[inline]
pub fn standard<R>(work: impl FnOnce() -> R) -> R {
    Environment(control::STANDARD).during(work)
}

/// A floating-point environment: the modes of MXCSR on x86-64, of FPCR on AArch64. Elsewhere there is only one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Environment(control::Register);

impl Environment {
    /// That of this thread.
    #[inline]
    pub fn of_thread() -> Self {
        Self(control::read() & control::MODES)
    }

    /// Does some work in this environment, and restores that of the caller afterwards, also if the work unwinds.
    #[inline]
    pub fn during<R>(self, work: impl FnOnce() -> R) -> R {
        if Self::of_thread() == self {
            work()
        } else {
            self.entered(work)
        }
    }

    /// Never inlined, as is the work: otherwise the compiler may move arithmetic across the change, which it does not see.
    #[cold]
    #[inline(never)]
    fn entered<R>(self, work: impl FnOnce() -> R) -> R {
        #[inline(never)]
        fn apart<R>(work: impl FnOnce() -> R) -> R {
            work()
        }
        /// The whole register of the caller, its flags included: a host may look at them after the call.
        struct Callers(control::Register);
        impl Drop for Callers {
            fn drop(&mut self) {
                control::write(self.0);
            }
        }
        let callers = Callers(control::read());
        control::write(callers.0 & !control::MODES | self.0);
        apart(work)
    }

    /// The environments that differ from the standard one, each with its name: what tests of a guard run in. Empty on processors
    /// that this crate knows no register of.
    ///
    /// Under `exceptions-unmasked` an inexact result ends the process, so that nothing but guarded work may run in it.
    pub fn hosts() -> Vec<(&'static str, Self)> {
        let host = |&(name, modes): &(&'static str, control::Register)| (name, Self(modes));
        control::HOSTS.iter().map(host).collect()
    }
}

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "a register that has no other name")]
mod control {
    use std::arch::asm;

    pub(super) type Register = u32;

    /// Flush to zero, the direction of rounding, the masks of exceptions, and subnormal inputs as zeros.
    pub(super) const MODES: u32 = 0x8000 | 0x6000 | 0x1f80 | 0x0040;
    /// Every exception is masked. So a process begins.
    pub(super) const STANDARD: u32 = 0x1f80;

    pub(super) const HOSTS: &[(&str, u32)] = &[
        ("flush-to-zero", STANDARD | 0x8000),
        ("denormals-are-zero", STANDARD | 0x0040),
        ("flush-to-zero-and-denormals-are-zero", STANDARD | 0x8040),
        ("round-down", STANDARD | 0x2000),
        ("round-up", STANDARD | 0x4000),
        ("round-to-zero", STANDARD | 0x6000),
        ("exceptions-unmasked", 0),
    ];

    /// The register MXCSR.
    #[inline]
    pub(super) fn read() -> u32 {
        let mut register = 0_u32;
        // SAFETY: every x86-64 CPU has SSE; the instruction writes the four bytes of `register`.
        unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut register, options(nostack, preserves_flags)) };
        register
    }

    #[inline]
    pub(super) fn write(register: u32) {
        // SAFETY: every x86-64 CPU has SSE; the value was read from the register, but for bits that are defined.
        unsafe {
            asm!("ldmxcsr [{}]", in(reg) &raw const register, options(nostack, preserves_flags, readonly));
        };
    }
}

#[cfg(target_arch = "aarch64")]
#[expect(unsafe_code, reason = "a register that has no other name")]
mod control {
    use std::arch::asm;

    pub(super) type Register = u64;

    /// The alternative half-precision format, the default NaN, flushing of f32 and f64 (bit 24) and of f16 (bit 19), the direction
    /// of rounding, the traps, and what FEAT_AFP adds: bits 0 to 2.
    pub(super) const MODES: u64 = 0x07c8_9f07;
    pub(super) const STANDARD: u64 = 0;

    // Traps are left out: many of these processors have none, and the register then does not keep the bits.
    pub(super) const HOSTS: &[(&str, u64)] = &[
        ("flush-to-zero", 1 << 24),
        ("flush-to-zero-f16", 1 << 19),
        ("default-nan", 1 << 25),
        ("round-up", 1 << 22),
        ("round-down", 2 << 22),
        ("round-to-zero", 3 << 22),
    ];

    /// The register FPCR.
    #[inline]
    pub(super) fn read() -> u64 {
        let register: u64;
        // SAFETY: every AArch64 CPU with floating point, which the target requires, lets a process read it.
        unsafe { asm!("mrs {}, fpcr", out(reg) register, options(nostack, preserves_flags)) };
        register
    }

    #[inline]
    pub(super) fn write(register: u64) {
        // SAFETY: as above; bits that a processor does not have are ignored.
        unsafe { asm!("msr fpcr, {}", in(reg) register, options(nostack, preserves_flags)) };
    }
}

/// Of other processors this crate knows no register.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod control {
    pub(super) type Register = u32;
    pub(super) const MODES: u32 = 0;
    pub(super) const STANDARD: u32 = 0;
    pub(super) const HOSTS: &[(&str, u32)] = &[];

    pub(super) const fn read() -> u32 {
        0
    }

    pub(super) const fn write(_register: u32) {}
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;
    use std::panic::catch_unwind;

    use super::*;
    use crate::dtype::Dtype;
    use crate::scalar::Scalar;

    /// What each environment changes: a product below the normal numbers, one of a subnormal number, and sums that are rounded.
    fn sums() -> [u64; 5] {
        [
            (black_box(f64::MIN_POSITIVE) * black_box(0.5)).to_bits(),
            (black_box(f64::from_bits(1)) * black_box(2_f64.powi(1000))).to_bits(),
            (black_box(0.1_f64) + black_box(0.2)).to_bits(),
            (black_box(1.0_f64) / black_box(3.0)).to_bits(),
            (black_box(-1.0_f64) / black_box(3.0)).to_bits(),
        ]
    }

    #[test]
    fn environment_of_a_host_is_another_one_and_is_put_back() {
        let right = sums();
        let before = Environment::of_thread();
        for (name, host) in Environment::hosts() {
            host.during(|| {
                assert_eq!(Environment::of_thread(), host, "{name}");
                assert_eq!(standard(sums), right, "{name}");
                assert_eq!(Environment::of_thread(), host, "{name}");
            });
            assert_eq!(Environment::of_thread(), before, "{name}");
            // An inexact sum would trap, and neither an f16 nor a NaN is among the sums.
            if !["exceptions-unmasked", "flush-to-zero-f16", "default-nan"].contains(&name) {
                assert_ne!(host.during(sums), right, "{name} changes nothing");
            }
        }
    }

    #[test]
    fn environment_is_put_back_where_work_unwinds() {
        let before = Environment::of_thread();
        for (name, host) in Environment::hosts() {
            let unwound = catch_unwind(|| host.during(|| standard(|| std::panic::panic_any(name))));
            assert!(unwound.is_err());
            assert_eq!(Environment::of_thread(), before, "{name}");
        }
    }

    #[test]
    fn decimals_of_a_host_are_the_same_bits() {
        let texts = [
            "0.1",
            "1e-310",
            "5e-324",
            "1.17549421e-38",
            "1e23",
            "9007199254740993",
            "-3.14159",
            "65520",
        ];
        let read = || {
            let types = [Dtype::F16, Dtype::Bf16, Dtype::F32, Dtype::F64];
            let scalars = types
                .iter()
                .flat_map(|&dtype| texts.map(|text| Scalar::from_decimal(dtype, text).expect("a number")));
            scalars
                .map(|scalar| (scalar, scalar.decimal()))
                .collect::<Vec<_>>()
        };
        let right = read();
        for (name, host) in Environment::hosts() {
            assert!(host.during(read) == right, "{name}");
        }
    }
}
