//! MT19937: 624 words of state, which are regenerated when all are used.
//!
//! Source: Matsumoto and Nishimura, "Mersenne twister" (ACM TOMACS 8, 1998); seeding as in their 2002 revision.

use crate::level::Level;
use crate::rule::Rule;
use crate::simd::{Cached, Kernel, LINE, STREAM, Simd, Store, Streamed, streamable};
use crate::stop;

/// Words of state.
pub(crate) const N: usize = 624;
/// The distance of the third word that makes a new one.
const M: usize = 397;
/// Words after the end of the state that repeat its beginning, so that a vector of any level can be read across the end
/// without an index that wraps.
const MIRROR: usize = 16;
/// The word that enters a new one by exclusive or if the bit shifted out of it is set.
const MATRIX: u32 = 0x9908_b0df;
/// The most words of an output that is drawn without a state: seeding all of one would take longer than the draw.
const SHORT: usize = 64;
/// The most places at which [`at_places`] keeps words.
pub(crate) const PLACES: usize = 40;
/// The vectors between two checks of whether to stop: about a millisecond.
const UNINTERRUPTED: usize = 1 << 17;

/// A generator between two generations of words.
#[derive(Clone)]
#[repr(align(64))]
pub struct Mt19937 {
    state: [u32; N + MIRROR],
}

impl Mt19937 {
    /// The generator of a seed, from which at most `words` words will be drawn.
    ///
    /// Seeding is a chain of dependent multiplications and takes longer than a short output. The first 224 words depend
    /// only on a part of the state, so the rest of it is left zero.
    pub(crate) fn new(seed: u32, words: usize) -> Self {
        let needed = words.next_multiple_of(MIRROR).saturating_add(M).min(N);
        let mut state = [0; N + MIRROR];
        for (word, seeded) in state[..needed].iter_mut().zip(seeding(seed)) {
            *word = seeded;
        }
        Self { state }
    }

    /// The next words of the stream: a whole generation, or the beginning of the last that is asked for.
    pub(crate) fn next(&mut self, words: &mut [u32]) {
        for (i, word) in words.iter_mut().enumerate() {
            let far = if i < N - M { i + M } else { i + M - N };
            let made = twist(self.state[i], self.state[i + 1], self.state[far]);
            self.state[i] = made;
            // The last word of a generation is made with the first of the new one, which is read as
            // its successor in the mirror.
            if i == 0 {
                self.state[N] = made;
            }
            *word = temper(made);
        }
    }

    /// The generator `words` words later. A state is any 624 words of the sequence, not only those of one generation.
    pub(crate) fn skip(mut self, words: usize) -> Self {
        let state = &mut self.state;
        for _ in 0..words / N {
            // The compiler makes vectors of these loops, as it does not of the one in `next`.
            for i in 0..N - M {
                state[i] = twist(state[i], state[i + 1], state[i + M]);
            }
            state[N] = state[0];
            for i in N - M..N {
                state[i] = twist(state[i], state[i + 1], state[i + M - N]);
            }
        }
        let rest = words % N;
        self.next(&mut [0; N][..rest]);
        self.state[..N].rotate_left(rest);
        self
    }
}

/// The place in a sequence of words from which an output is drawn.
#[derive(Clone, Copy)]
pub enum Start<'a> {
    /// The first word of a seed.
    Seed(u32),
    /// The next word of a generator.
    State(&'a Mt19937),
}

/// The first state's words.
#[inline(always)]
fn seeding(seed: u32) -> impl Iterator<Item = u32> {
    let mut previous = seed;
    std::iter::once(seed).chain((1..).map(move |i| {
        previous = 1_812_433_253_u32
            .wrapping_mul(previous ^ (previous >> 30))
            .wrapping_add(i);
        previous
    }))
}

/// The words of a short output, at most [`SHORT`], without a state: each is made from three words of the first state.
/// Two of these are kept, and the third, [`M`] words later, is used as soon as it is seeded.
fn first_words(seed: u32, words: &mut [u32]) {
    let mut seeded = seeding(seed);
    let mut early = [0; SHORT + 1];
    for (word, seeded) in early[..=words.len()].iter_mut().zip(&mut seeded) {
        *word = seeded;
    }
    let far = seeded.skip(M - early[..=words.len()].len());
    for ((word, pair), far) in words.iter_mut().zip(early.windows(2)).zip(far) {
        *word = temper(twist(pair[0], pair[1], far));
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
const fn temper(word: u32) -> u32 {
    let mut y = word;
    y ^= y >> 11;
    y ^= (y << 7) & 0x9d2c_5680;
    y ^= (y << 15) & 0xefc6_0000;
    y ^ (y >> 18)
}

/// Fills `out` with whole elements from the word at `start` on, and `after` with the words after theirs.
pub(crate) fn fill<R: Rule>(level: Level, start: Start<'_>, rule: R, out: &mut [u8], after: &mut [u32]) {
    let count = out.len() / R::SIZE * R::WORDS;
    let all = count + after.len();
    if let (Start::Seed(seed), ..=SHORT) = (start, all) {
        let mut words = [0; SHORT];
        first_words(seed, &mut words[..all]);
        rule.elements(&words[..count], out);
        after.copy_from_slice(&words[count..all]);
    } else {
        level.run(Fill {
            start,
            rule,
            out,
            after,
        });
    }
}

/// The kernel of [`fill`].
struct Fill<'a, R> {
    start: Start<'a>,
    rule: R,
    out: &'a mut [u8],
    after: &'a mut [u32],
}

impl<R: Rule> Fill<'_, R> {
    fn generator(&self) -> Mt19937 {
        match self.start {
            Start::Seed(seed) => Mt19937::new(seed, self.out.len() / R::SIZE * R::WORDS + self.after.len()),
            Start::State(generator) => generator.clone(),
        }
    }
}

impl<R: Rule> Kernel for Fill<'_, R> {
    type Output = ();
    const DIVIDES: bool = R::DIVIDES;

    fn scalar(self) {
        let mut generator = self.generator();
        let Self { rule, out, after, .. } = self;
        let mut words = [0; N];
        // The words of the generation that no element has taken.
        let mut rest = 0..0;
        for elements in out.chunks_mut(N / R::WORDS * R::SIZE) {
            if stop::is_set() {
                return;
            }
            let taken = elements.len() / R::SIZE * R::WORDS;
            rest = taken..if after.is_empty() { taken } else { N };
            generator.next(&mut words[..rest.end]);
            rule.elements(&words[..taken], elements);
        }
        for word in after {
            if rest.is_empty() {
                generator.next(&mut words);
                rest = 0..N;
            }
            *word = words[rest.start];
            rest.start += 1;
        }
    }

    #[inline(always)]
    fn vector<S: Simd, const GROUPS: usize>(self, s: S) {
        let generator = self.generator();
        let Self { rule, out, after, .. } = self;
        if out.len() >= STREAM && streamable::<S>(out, R::SIZE * R::GROUP) {
            fill_cells::<S, R, Streamed>(s, generator, rule, out, after);
        } else {
            fill_cells::<S, R, Cached>(s, generator, rule, out, after);
        }
    }
}

#[inline(always)]
fn fill_cells<S: Simd, R: Rule, P: Store>(
    s: S,
    mut generator: Mt19937,
    rule: R,
    out: &mut [u8],
    after: &mut [u32],
) {
    let head_bytes = P::head::<S>(out).min(out.len());
    let (head, out) = out.split_at_mut(head_bytes);
    let group_bytes = 2 * S::WORDS / R::WORDS * R::SIZE;
    let (body, tail) = out.split_at_mut(out.len() / group_bytes * group_bytes);

    let mut words = [0; LINE];
    let words = &mut words[..head_bytes / R::SIZE * R::WORDS];
    generator.next(words);
    rule.elements(words, head);
    let mut ring = Ring::after(generator, words.len());
    let cells: &mut [P::Cell<S>] = bytemuck::cast_slice_mut(body);
    let group_cells = group_bytes / size_of::<S::V>();
    for cells in cells.chunks_mut(UNINTERRUPTED * group_cells) {
        if stop::is_set() {
            return;
        }
        for cells in cells.chunks_exact_mut(group_cells) {
            let words = ring.next(s);
            rule.put::<S, P>(s, words, cells);
        }
    }
    let mut skipped = 0;
    let mut vectors = [s.splat32(0); 2];
    if !tail.is_empty() {
        vectors = ring.next(s);
        rule.put_first(s, vectors, tail);
        skipped = tail.len() / R::SIZE * R::WORDS;
    }
    let mut after = after;
    while !after.is_empty() {
        if skipped == 0 {
            vectors = ring.next(s);
        }
        let mut words = [0; 2 * MIRROR];
        s.store(&mut words, vectors[0]);
        s.store(&mut words[S::WORDS..], vectors[1]);
        let words = &words[skipped..2 * S::WORDS];
        let count = words.len().min(after.len());
        let (now, later) = after.split_at_mut(count);
        now.copy_from_slice(&words[..count]);
        (after, skipped) = (later, 0);
    }
}

/// A generator that makes some vectors of words at a time, going round its state, so that each word is tempered
/// while it is in a register.
struct Ring {
    generator: Mt19937,
    /// The index at which the next words replace older ones: a multiple of [`Self::STEP`].
    position: usize,
}

impl Ring {
    /// The words that are made together: a vector of the widest level. Narrower levels make the
    /// same words in several vectors.
    const STEP: usize = MIRROR;

    /// The ring that starts after the first `made` words of the generator. The words that make a new one lie at the
    /// same distances everywhere, so any word can be the first of the ring.
    fn after(mut generator: Mt19937, made: usize) -> Self {
        generator.state[..N].rotate_left(made);
        Self {
            generator,
            position: 0,
        }
    }

    /// The next two vectors of words.
    #[inline(always)]
    fn next<S: Simd>(&mut self, s: S) -> [S::V; 2] {
        // Starts are multiples of 16. At 224 the last far words are read from the mirror; from 240, all of them are in
        // the new part of the state.
        const TURN: usize = 225;
        let state = &mut self.generator.state;
        let mut words = [s.splat32(0); 2];
        for step in words.chunks_mut(Self::STEP / S::WORDS) {
            let start = if self.position < N { self.position } else { 0 };
            let far = if start < TURN { start + M } else { start + M - N };
            for (vector, words) in step.iter_mut().enumerate() {
                let (i, far) = (start + vector * S::WORDS, far + vector * S::WORDS);
                let (current, next, far) = (
                    s.load(&state[i..]),
                    s.load(&state[i + 1..]),
                    s.load(&state[far..]),
                );
                let made = twist_vector(s, current, next, far);
                s.store(&mut state[i..], made);
                *words = temper_vector(s, made);
            }
            // The first words have just been replaced, so the mirror is renewed before the end of the state is reached.
            if start == 0 {
                state.copy_within(..MIRROR, N);
            }
            self.position = start + Self::STEP;
        }
        words
    }
}

/// [`twist`] of every word.
#[inline(always)]
fn twist_vector<S: Simd>(s: S, current: S::V, next: S::V, far: S::V) -> S::V {
    let joined = s.or(
        s.and(current, s.splat32(0x8000_0000)),
        s.and(next, s.splat32(0x7fff_ffff)),
    );
    // Zero minus the last bit is a mask of all bits or none, in place of the scalar code's branch.
    let odd = s.sub32(s.splat32(0), s.and(next, s.splat32(1)));
    let matrix = s.and(odd, s.splat32(MATRIX));
    s.xor(far, s.xor(s.shr32(joined, 1), matrix))
}

/// The words of the first state of vectors of seeds, one after the other.
struct Chain<S: Simd, const CHAINS: usize> {
    states: [S::V; CHAINS],
    index: S::V,
    at: usize,
}

impl<S: Simd, const CHAINS: usize> Chain<S, CHAINS> {
    /// The words at a place that is not before the last one.
    #[inline(always)]
    fn walk(&mut self, s: S, to: usize) -> [S::V; CHAINS] {
        let (multiplier, one) = (s.splat32(1_812_433_253), s.splat32(1));
        for _ in self.at..to {
            self.index = s.add32(self.index, one);
            for state in &mut self.states {
                let mixed = s.xor(*state, s.shr32(*state, 30));
                *state = s.add32(s.mul32(mixed, multiplier), self.index);
            }
        }
        self.at = to;
        self.states
    }
}

/// Writes the words at ascending places, for vectors of seeds: those of each place to a list, from the index `from` on.
#[inline(always)]
pub(crate) fn at_places<S: Simd, const CHAINS: usize>(
    s: S,
    seeds: [S::V; CHAINS],
    places: &[usize],
    words: &mut [Vec<u32>],
    from: usize,
) {
    let mut chain = Chain {
        states: seeds,
        index: s.splat32(0),
        at: 0,
    };
    // A word is made of those of the state at its place, at the next one, and `M` later. The chain is walked once, so that the
    // early ones wait for the late ones.
    let mut early = [[seeds; 2]; PLACES];
    for (pair, &place) in early.iter_mut().zip(places) {
        *pair = [chain.walk(s, place), chain.walk(s, place + 1)];
    }
    for ((words, pair), &place) in words.iter_mut().zip(&early).zip(places) {
        let far = chain.walk(s, place + M);
        for (i, words) in words[from..][..CHAINS * S::WORDS]
            .chunks_exact_mut(S::WORDS)
            .enumerate()
        {
            let made = twist_vector(s, pair[0][i], pair[1][i], far[i]);
            s.store(words, temper_vector(s, made));
        }
    }
}

/// [`temper`] of every word.
#[inline(always)]
fn temper_vector<S: Simd>(s: S, y: S::V) -> S::V {
    let y = s.xor(y, s.shr32(y, 11));
    let y = s.xor(y, s.and(s.shl32(y, 7), s.splat32(0x9d2c_5680)));
    let y = s.xor(y, s.and(s.shl32(y, 15), s.splat32(0xefc6_0000)));
    s.xor(y, s.shr32(y, 18))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_words_are_those_of_the_generator() {
        let mut all = [0; N];
        Mt19937::new(5489, N).next(&mut all);
        assert_eq!(all[0], 3_499_211_612);
        for count in 0..=SHORT {
            let mut words = vec![0; count];
            first_words(5489, &mut words);
            assert_eq!(words, all[..count]);
        }
    }
}
