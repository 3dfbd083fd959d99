//! The bit generators of NumPy.

use seedproof_ops::NumpyBitGenerator;

use super::seed_sequence::SeedSequence;
use crate::mt19937;

/// The multiplier of PCG's generators of 128 bits.
const MULTIPLIER: u128 = 47_026_247_687_942_121_848_144_207_491_837_523_525;

/// The multiplier of 64 bits that PCG64DXSM steps with, and that its permutation has.
const CHEAP: u64 = 0xda94_2042_e4dd_58b5;

/// A bit generator, and the half of a word that a draw of 32 bits left.
#[derive(Clone)]
pub(crate) struct BitGenerator {
    state: State,
    half: Option<u32>,
}

#[derive(Clone)]
enum State {
    Pcg64(Pcg),
    Pcg64Dxsm(Pcg),
    Philox(Philox),
    Sfc64([u64; 4]),
    Mt19937 { state: Box<[u32; 624]>, position: usize },
}

impl BitGenerator {
    /// The generator that `Generator(Kind(seed))` draws from.
    pub(crate) fn new(kind: NumpyBitGenerator, seed: u128) -> Self {
        let sequence = SeedSequence::new(seed);
        let state = match kind {
            NumpyBitGenerator::Pcg64 => State::Pcg64(Pcg::new(&sequence)),
            NumpyBitGenerator::Pcg64Dxsm => State::Pcg64Dxsm(Pcg::new(&sequence)),
            NumpyBitGenerator::Philox => State::Philox(Philox::new(&sequence)),
            NumpyBitGenerator::Sfc64 => State::Sfc64(sfc64_seed(&sequence)),
            // `[npr.mt19937]`: 624 words, the first of them replaced, at the last of them. Erratum `npr.mt19937.position`.
            NumpyBitGenerator::Mt19937 => {
                let mut state = Box::new(sequence.state32());
                // Of the first word only the top bit is part of the state: with it set, no seed makes a state of zeros,
                // which would draw nothing but zeros.
                state[0] = 0x8000_0000;
                State::Mt19937 { state, position: 623 }
            }
        };
        Self { state, half: None }
    }

    /// MT19937 in a state that is twisted before the first draw.
    pub(crate) fn of_state(state: Box<[u32; 624]>) -> Self {
        let position = state.len();
        Self {
            state: State::Mt19937 { state, position },
            half: None,
        }
    }

    /// The next word of 64 bits. Of MT19937 it is two words, of which the first is the high one.
    pub(crate) fn next64(&mut self) -> u64 {
        match &mut self.state {
            State::Pcg64(pcg) => pcg.next_xsl_rr(),
            State::Pcg64Dxsm(pcg) => pcg.next_dxsm(),
            State::Philox(philox) => philox.next(),
            State::Sfc64(state) => sfc64_next(state),
            State::Mt19937 { state, position } => {
                let high = mt19937_next(state, position);
                u64::from(high) << 32 | u64::from(mt19937_next(state, position))
            }
        }
    }

    /// `[npr.halves]`: the low half of a word of 64 bits, whose high half is kept for the next draw of 32 bits, whatever is
    /// drawn between. A word of MT19937 is one.
    ///
    /// Erratum `npr.halves.kept`.
    pub(crate) fn next32(&mut self) -> u32 {
        if let State::Mt19937 { state, position } = &mut self.state {
            return mt19937_next(state, position);
        }
        if let Some(high) = self.half.take() {
            return high;
        }
        let [low, high] = halves(self.next64());
        // It outlives the call, so that what is drawn depends on the parity of all draws of 32 bits before.
        self.half = Some(high);
        low
    }

    /// `[npr.f64]`: the upper 53 bits of a word. `[npr.f64.mt19937]`: the upper 27 bits of one word, and the upper 26 of
    /// another.
    #[expect(clippy::cast_precision_loss, reason = "53 bits are exact")]
    pub(crate) fn unit53(&mut self) -> f64 {
        let digits = match &mut self.state {
            State::Mt19937 { state, position } => {
                let [a, b] = [5, 6].map(|shift| u64::from(mt19937_next(state, position) >> shift));
                a << 26 | b
            }
            _ => self.next64() >> 11,
        };
        digits as f64 / (1_u64 << 53) as f64
    }

    /// `[npr.f32]`: the upper 24 bits of a draw of 32.
    ///
    /// Erratum `npr.f32.words`.
    #[expect(clippy::cast_precision_loss, reason = "24 bits are exact")]
    pub(crate) fn unit24(&mut self) -> f32 {
        (self.next32() >> 8) as f32 / 16_777_216.0
    }
}

/// A permuted congruential generator.
#[derive(Clone)]
struct Pcg {
    state: u128,
    increment: u128,
}

impl Pcg {
    /// `[npr.pcg64]`: of four words the first two are a state, high half first, and the others an increment, which is doubled and
    /// one more. A step from 0, the state added, and one more step.
    fn new(sequence: &SeedSequence) -> Self {
        let [a, b, c, d] = sequence.state64().map(u128::from);
        let mut pcg = Self {
            state: 0,
            // An even increment would make the period shorter than 2^128.
            increment: (c << 64 | d) << 1 | 1,
        };
        pcg.step(MULTIPLIER);
        pcg.state = pcg.state.wrapping_add(a << 64 | b);
        pcg.step(MULTIPLIER);
        pcg
    }

    fn step(&mut self, multiplier: u128) {
        self.state = self.state.wrapping_mul(multiplier).wrapping_add(self.increment);
    }

    /// `[npr.pcg64]`: a step, then both halves of the new state, exclusive-or, rotated to the right by its upper six bits.
    ///
    /// Erratum `npr.pcg64.output`.
    fn next_xsl_rr(&mut self) -> u64 {
        self.step(MULTIPLIER);
        let [low, high] = halves_of_128(self.state);
        let rotation = u32::try_from(high >> 58).expect("six bits");
        (high ^ low).rotate_right(rotation)
    }

    /// `[npr.pcg64dxsm]`: the high half of the old state, twice shifted into itself and multiplied, times its low half made
    /// odd; then a step with the multiplier of 64 bits.
    ///
    /// Errata `npr.pcg64dxsm.output` and `npr.pcg64dxsm.multiplier`.
    fn next_dxsm(&mut self) -> u64 {
        let [low, mut high] = halves_of_128(self.state);
        high ^= high >> 32;
        high = high.wrapping_mul(CHEAP);
        high ^= high >> 48;
        // An odd factor loses no bit.
        high = high.wrapping_mul(low | 1);
        self.step(u128::from(CHEAP));
        high
    }
}

/// Philox4x64-10.
#[derive(Clone)]
struct Philox {
    key: [u64; 2],
    counter: u128,
    /// The words of the last block that are not drawn yet, the next one last.
    left: Vec<u64>,
}

impl Philox {
    /// `[npr.philox]`: two words are the key, and the counter is 0.
    fn new(sequence: &SeedSequence) -> Self {
        Self {
            key: sequence.state64(),
            counter: 0,
            left: Vec::new(),
        }
    }

    /// `[npr.philox]`: the counter is raised before each block, so that the first block is that of 1.
    ///
    /// Erratum `npr.philox.start`.
    fn next(&mut self) -> u64 {
        if let Some(word) = self.left.pop() {
            return word;
        }
        self.counter = self.counter.wrapping_add(1);
        let [first, second, third, fourth] = philox4x64(self.key, self.counter);
        // `pop` takes the last one.
        self.left = vec![fourth, third, second];
        first
    }
}

/// `[npr.philox.block]`: ten rounds of two products of 64 by 64 bits.
///
/// Erratum `npr.philox.width`. The upper half of a counter of 256 bits is never reached.
fn philox4x64(key: [u64; 2], counter: u128) -> [u64; 4] {
    let [low, high] = halves_of_128(counter);
    let ([mut a, mut b, mut c, mut d], [mut r, mut s]) = ([low, high, 0, 0], key);
    for _ in 0..10 {
        let [low_a, high_a] = halves_of_128(u128::from(a) * 0xd2e7_470e_e14c_6c93);
        let [low_c, high_c] = halves_of_128(u128::from(c) * 0xca5a_8263_9512_1157);
        [a, b, c, d] = [high_c ^ b ^ r, low_c, high_a ^ d ^ s, low_a];
        r = r.wrapping_add(0x9e37_79b9_7f4a_7c15);
        s = s.wrapping_add(0xbb67_ae85_84ca_a73b);
    }
    [a, b, c, d]
}

/// `[npr.sfc64]`: three words and the counter 1, after twelve draws.
fn sfc64_seed(sequence: &SeedSequence) -> [u64; 4] {
    let [a, b, c] = sequence.state64();
    // The counter bounds the period from below, whatever the three words are.
    let mut state = [a, b, c, 1];
    for _ in 0..12 {
        sfc64_next(&mut state);
    }
    state
}

/// `[npr.sfc64.next]`: the sum of two words and the counter.
fn sfc64_next(state: &mut [u64; 4]) -> u64 {
    let [a, b, c, counter] = *state;
    let word = a.wrapping_add(b).wrapping_add(counter);
    *state = [
        b ^ (b >> 11),
        c.wrapping_add(c << 3),
        c.rotate_left(24).wrapping_add(word),
        counter.wrapping_add(1),
    ];
    word
}

fn mt19937_next(state: &mut [u32; 624], position: &mut usize) -> u32 {
    if *position == state.len() {
        mt19937::twist(state);
        *position = 0;
    }
    let word = state[*position];
    *position += 1;
    mt19937::temper(word)
}

/// The low half, then the high one.
fn halves(word: u64) -> [u32; 2] {
    let halves = crate::philox::split(word);
    [halves.r, halves.l]
}

/// The low half, then the high one.
fn halves_of_128(number: u128) -> [u64; 2] {
    let [low, high] = [number & u128::from(u64::MAX), number >> 64];
    [low, high].map(|half| u64::try_from(half).expect("a half has 64 bits"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The known answers of Random123 for ten rounds, of counters whose upper half is zero.
    #[test]
    fn philox4x64_gives_the_known_answer() {
        assert_eq!(
            philox4x64([0; 2], 0),
            [
                0x1655_4d9e_ca36_314c,
                0xdb20_fe9d_672d_0fdc,
                0xd7e7_72ce_e186_176b,
                0x7e68_b68a_ec7b_a23b
            ]
        );
    }

    /// `Kind(42).random_raw(3)` of NumPy 2.4.6.
    #[test]
    fn words_of_the_seed_42_are_numpys() {
        for (kind, words) in [
            (
                NumpyBitGenerator::Pcg64,
                [
                    0xc621_fbcd_16d9_2688,
                    0x705a_5661_a791_ffc1,
                    0xdbcd_12c2_6eda_1624,
                ],
            ),
            (
                NumpyBitGenerator::Pcg64Dxsm,
                [
                    0xab1c_5033_8e63_481d,
                    0x01bd_f91d_548d_1872,
                    0xa872_905d_0418_d0a1,
                ],
            ),
            (
                NumpyBitGenerator::Philox,
                [
                    0x1609_2f00_ecda_b98a,
                    0x243d_19cc_2402_1070,
                    0x4524_d130_684e_fe02,
                ],
            ),
            (
                NumpyBitGenerator::Sfc64,
                [
                    0x87a9_e37f_3ed2_c19d,
                    0x60d4_edb7_6d65_1052,
                    0xf206_8275_9bef_de78,
                ],
            ),
            (
                NumpyBitGenerator::Mt19937,
                [0x8ac0_1c92, 0xe8bf_d726, 0x9ea2_82a8],
            ),
        ] {
            let mut generator = BitGenerator::new(kind, 42);
            let drawn = [(); 3].map(|()| match kind {
                NumpyBitGenerator::Mt19937 => u64::from(generator.next32()),
                _ => generator.next64(),
            });
            assert_eq!(drawn, words, "{kind:?}");
        }
    }

    const PHILOX: u64 = 0x1609_2f00_ecda_b98a;

    #[test]
    fn npr_philox_width() {
        let Philox { key, .. } = Philox::new(&SeedSequence::new(42));
        assert_eq!(philox4x64(key, 1)[0], PHILOX);
        let [first, second, ..] = crate::philox::block(key[0], 1).map(u64::from);
        assert_ne!(second << 32 | first, PHILOX);
    }

    #[test]
    fn npr_philox_start() {
        let Philox { key, .. } = Philox::new(&SeedSequence::new(42));
        assert_eq!(philox4x64(key, 1)[0], PHILOX);
        assert_ne!(philox4x64(key, 0)[0], PHILOX);
    }

    #[test]
    fn npr_pcg64_output() {
        let xsl_rr = |pcg: &Pcg| {
            let [low, high] = halves_of_128(pcg.state);
            (high ^ low).rotate_right(u32::try_from(high >> 58).unwrap())
        };
        let real = 0xc621_fbcd_16d9_2688;
        let mut pcg = Pcg::new(&SeedSequence::new(42));
        assert_ne!(xsl_rr(&pcg), real);
        assert_eq!(pcg.next_xsl_rr(), real);
        assert_eq!(xsl_rr(&pcg), real);
    }

    #[test]
    fn npr_pcg64dxsm_output() {
        let mut pcg = Pcg::new(&SeedSequence::new(42));
        assert_eq!(pcg.next_dxsm(), 0xab1c_5033_8e63_481d);
        // Of the state after the step is what the next draw is made of.
        assert_eq!(pcg.next_dxsm(), 0x01bd_f91d_548d_1872);
    }

    #[test]
    fn npr_pcg64dxsm_multiplier() {
        let [a, b, c, d] = SeedSequence::new(42).state64().map(u128::from);
        let seeded = |multiplier: u128| {
            let mut pcg = Pcg {
                state: 0,
                increment: (c << 64 | d) << 1 | 1,
            };
            pcg.step(multiplier);
            pcg.state = pcg.state.wrapping_add(a << 64 | b);
            pcg.step(multiplier);
            pcg.next_dxsm()
        };
        assert_eq!(seeded(MULTIPLIER), 0xab1c_5033_8e63_481d);
        assert_ne!(seeded(CHEAP.into()), 0xab1c_5033_8e63_481d);
    }

    #[test]
    fn npr_mt19937_position() {
        let mut state = SeedSequence::new(42).state32::<624>();
        state[0] = 0x8000_0000;
        let words = [0x8ac0_1c92, 0xe8bf_d726];
        assert_eq!(mt19937::temper(state[623]), words[0]);
        mt19937::twist(&mut state);
        assert_eq!(mt19937::temper(state[0]), words[1]);
        assert_ne!(mt19937::temper(state[0]), words[0]);
    }
}
