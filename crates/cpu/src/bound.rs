//! Upper bounds for the speed of generators, to be measured beside them: the bandwidth of writes to memory,
//! and the rate of instructions.

use std::hint::black_box;

use crate::level::Level;
use crate::simd::{Kernel, Simd, Store, Streamed};
use crate::{split, threefry};

impl Level {
    /// Writes zeros past the caches, split over the threads of the caller's rayon pool as large fills are.
    /// The scalar level writes them through the caches.
    pub fn store_zeros(self, out: &mut [u8]) {
        // Chunks are as large as those of fills and start at the same addresses, so that only the computation differs.
        split::for_each(out.len() / 4, out, 1 << 18, |_, out| self.run(Zeros { out }));
    }
}

impl Level {
    /// Executes as many vector instructions as Threefry takes for `blocks` blocks, half of them additions and half
    /// exclusive ors. None waits long for another or for memory. Returns their result, so that the compiler keeps them.
    /// The scalar level does nothing.
    pub fn mix_words(self, blocks: usize) -> u32 {
        self.run(Mixes { blocks })
    }
}

struct Mixes {
    blocks: usize,
}

impl Kernel for Mixes {
    type Output = u32;

    /// A word at a time nothing is measured.
    fn scalar(self) -> u32 {
        0
    }

    #[inline(always)]
    fn vector<S: Simd, const GROUPS: usize>(self, s: S) -> u32 {
        // Hidden from the compiler, which could otherwise compute the result itself.
        let [a, b, start] = black_box([0x9e37_79b9, 0x85eb_ca6b, 1]);
        let (a, b) = (s.splat32(a), s.splat32(b));
        // Ten independent chains: more than the eight that keep four units of two cycles busy, and few
        // enough for sixteen registers.
        let mut words = [s.splat32(start); 10];
        let instructions = self.blocks.div_ceil(S::WORDS) * threefry::instructions::<S>();
        for _ in 0..instructions / (2 * words.len()) {
            for word in &mut words {
                *word = s.xor(s.add32(*word, a), b);
            }
        }
        let mut all = a;
        for word in words {
            all = s.xor(all, word);
        }
        let mut lanes = [0; 16];
        s.store(&mut lanes, all);
        lanes[0]
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
