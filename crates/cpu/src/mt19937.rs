//! MT19937: 624 words of state, made anew each time they are used up.
//!
//! Source: Matsumoto and Nishimura, "Mersenne twister" (ACM TOMACS 8, 1998); seeding as in their 2002 revision.

use crate::Level;
use crate::rule::Rule;

/// Words of state.
const N: usize = 624;
/// The distance of the third word that makes a new one.
const M: usize = 397;
/// Words that repeat the beginning of the state after its end, so that no index wraps and a vector of any level
/// can be read across the end.
const MIRROR: usize = 16;
/// What a word is xored with when the bit shifted out of it is set.
const MATRIX: u32 = 0x9908_b0df;

/// A generator between two generations of words.
#[derive(Clone)]
#[repr(align(64))]
struct Mt19937 {
    state: [u32; N + MIRROR],
}

impl Mt19937 {
    /// The generator of a seed, of which at most `words` words will be asked for.
    ///
    /// Seeding is a chain of dependent multiplications and takes longer than a short output. The first 224
    /// words need only the part of the state that they are made from, and the rest of it is left zero.
    fn new(seed: u32, words: usize) -> Self {
        let needed = words.next_multiple_of(MIRROR).saturating_add(M).min(N);
        let mut state = [0; N + MIRROR];
        let mut previous = seed;
        state[0] = seed;
        for (word, i) in state[1..needed].iter_mut().zip(1_u32..) {
            previous = 1_812_433_253_u32
                .wrapping_mul(previous ^ (previous >> 30))
                .wrapping_add(i);
            *word = previous;
        }
        Self { state }
    }

    /// The next words of the stream: a whole generation, or the beginning of the last that is asked for.
    fn next(&mut self, words: &mut [u32]) {
        for (i, word) in words.iter_mut().enumerate() {
            let far = if i < N - M { i + M } else { i + M - N };
            let made = twist(self.state[i], self.state[i + 1], self.state[far]);
            self.state[i] = made;
            if i == 0 {
                self.state[N] = made;
            }
            *word = temper(made);
        }
    }
}

/// A new word of state from the word it replaces, the one after that, and the one [`M`] after.
#[inline(always)]
const fn twist(current: u32, next: u32, far: u32) -> u32 {
    let joined = (current & 0x8000_0000) | (next & 0x7fff_ffff);
    let matrix = if next & 1 == 0 { 0 } else { MATRIX };
    far ^ (joined >> 1) ^ matrix
}

/// A word of output from a word of state.
#[inline(always)]
const fn temper(mut y: u32) -> u32 {
    y ^= y >> 11;
    y ^= (y << 7) & 0x9d2c_5680;
    y ^= (y << 15) & 0xefc6_0000;
    y ^ (y >> 18)
}

/// Fills `out` with whole elements from the first word of a seed's stream on.
pub(crate) fn fill<R: Rule>(_level: Level, seed: u32, rule: R, out: &mut [u8]) {
    scalar(seed, rule, out);
}

/// [`fill`], a word at a time.
fn scalar<R: Rule>(seed: u32, rule: R, out: &mut [u8]) {
    let mut generator = Mt19937::new(seed, out.len() / R::SIZE * R::WORDS);
    let mut words = [0; N];
    for elements in out.chunks_mut(N / R::WORDS * R::SIZE) {
        let words = &mut words[..elements.len() / R::SIZE * R::WORDS];
        generator.next(words);
        rule.elements(words, elements);
    }
}
