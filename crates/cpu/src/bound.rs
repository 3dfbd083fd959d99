//! The bandwidth of writes to memory: the bound of every generator.

use crate::simd::{Kernel, Simd, Store, Streamed};
use crate::{Level, split};

impl Level {
    /// Writes zeros past the caches, split over the threads of the caller's rayon pool as large fills are.
    /// The scalar level writes them through the caches.
    pub fn store_zeros(self, out: &mut [u8]) {
        // Chunks are as large as those of fills, and begin on the same addresses.
        split::for_each(out.len() / 4, out, 1 << 18, |_, out| self.run(Zeros { out }));
    }
}

struct Zeros<'a> {
    out: &'a mut [u8],
}

impl Kernel for Zeros<'_> {
    type Output = ();

    fn scalar(self) {
        self.out.fill(0);
    }

    #[inline(always)]
    fn vector<S: Simd, const GROUPS: usize>(self, s: S) {
        let (head, cells, tail) = bytemuck::pod_align_to_mut::<u8, S::V>(self.out);
        head.fill(0);
        for cell in cells {
            Streamed::put(s, cell, s.splat32(0));
        }
        tail.fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn store_zeros_leaves_nothing_out() {
        for level in Level::detect() {
            for start in 0..65 {
                let mut bytes = [1; 400];
                level.store_zeros(&mut bytes[start..300]);
                let written = |(i, &byte): (usize, &u8)| byte == u8::from(!(start..300).contains(&i));
                assert!(bytes.iter().enumerate().all(written), "{} {start}", level.name());
            }
        }
    }
}
