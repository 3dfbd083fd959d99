//! Kernels that unwind.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::*;
use crate::level::Level;

/// Ends in the middle of its work.
struct Unwinds;

impl Kernel for Unwinds {
    type Output = ();

    fn scalar(self) {
        panic!("in the middle");
    }

    #[inline(always)]
    fn vector<S: Simd, const GROUPS: usize>(self, _s: S) {
        panic!("in the middle");
    }
}

#[test]
fn kernels_that_unwind_fence_what_they_streamed() {
    for level in Level::detect().into_iter().skip(1) {
        let before = FENCES.get();
        assert!(catch_unwind(AssertUnwindSafe(|| level.run(Unwinds))).is_err());
        assert_eq!(FENCES.get(), before + 1, "{}", level.name());
    }
}
