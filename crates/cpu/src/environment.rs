//! The floating-point environment of the thread that the caller lends: subnormal numbers are numbers, and results are
//! rounded to the nearest.
//!
//! A host process may have set its processor to flush subnormals to zero (PyTorch and audio programs do) or to round
//! otherwise. The bits that the specifications promise then come out only if both are put right first.

/// Does some work in the standard environment, and puts the caller's back where it is another one.
#[inline]
pub(crate) fn standard<R>(work: impl FnOnce() -> R) -> R {
    if control::is_standard() {
        work()
    } else {
        control::while_standard(work)
    }
}

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "a register that has no other name")]
mod control {
    use std::arch::asm;

    /// Flush to zero, the direction of rounding, and subnormal inputs as zeros.
    const CHANGES_RESULTS: u32 = 0x8000 | 0x6000 | 0x0040;

    /// The register MXCSR.
    pub(super) fn read() -> u32 {
        let mut register = 0_u32;
        // SAFETY: every x86-64 CPU has SSE; the instruction writes the four bytes of `register`.
        unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut register, options(nostack, preserves_flags)) };
        register
    }

    pub(super) fn write(register: u32) {
        // SAFETY: every x86-64 CPU has SSE; the value was read from the register, but for bits that are defined.
        unsafe {
            asm!("ldmxcsr [{}]", in(reg) &raw const register, options(nostack, preserves_flags, readonly));
        };
    }

    #[inline]
    pub(super) fn is_standard() -> bool {
        read() & CHANGES_RESULTS == 0
    }

    /// The caller's environment, which is put back also if the work unwinds.
    struct Callers(u32);

    impl Drop for Callers {
        fn drop(&mut self) {
            write(self.0);
        }
    }

    /// Never inlined, as is the work: no arithmetic moves across the change.
    #[cold]
    #[inline(never)]
    pub(super) fn while_standard<R>(work: impl FnOnce() -> R) -> R {
        #[inline(never)]
        fn apart<R>(work: impl FnOnce() -> R) -> R {
            work()
        }
        let callers = Callers(read());
        write(callers.0 & !CHANGES_RESULTS);
        apart(work)
    }
}

/// No other processor has a way to change it that this crate knows.
#[cfg(not(target_arch = "x86_64"))]
mod control {
    pub(super) const fn is_standard() -> bool {
        true
    }

    pub(super) fn while_standard<R>(work: impl FnOnce() -> R) -> R {
        work()
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests;
