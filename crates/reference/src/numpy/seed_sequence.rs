//! `SeedSequence`, which makes the words of a state from a number.

/// The number of words of the pool.
const POOL: usize = 4;

/// A pool of mixed entropy.
pub(super) struct SeedSequence([u32; POOL]);

/// The constant of a hash, which each hash multiplies.
struct Hash {
    constant: u32,
    factor: u32,
}

impl Hash {
    /// A word, exclusive-or the constant, times the next one; then exclusive-or its own upper half.
    fn of(&mut self, word: u32) -> u32 {
        let word = word ^ self.constant;
        self.constant = self.constant.wrapping_mul(self.factor);
        let word = word.wrapping_mul(self.constant);
        word ^ (word >> 16)
    }
}

/// `[npr.pool]`: the difference of two multiples, exclusive-or its own upper half.
const fn mix(x: u32, y: u32) -> u32 {
    let word = x
        .wrapping_mul(0xca01_f9dd)
        .wrapping_sub(y.wrapping_mul(0x4973_f715));
    word ^ (word >> 16)
}

impl SeedSequence {
    /// `[npr.seed]`: the entropy is the seed's words of 32 bits, the lowest first. `[npr.pool]`: each word of the pool is a hash
    /// of one of them, into which hashes of the three others are mixed. No seed of 127 bits has more words than the pool.
    pub(super) fn new(seed: u128) -> Self {
        let mut hash = Hash {
            constant: 0x43b0_d7e5,
            factor: 0x931e_8875,
        };
        let mut pool = words(seed).map(|word| hash.of(word));
        // The order matters: a word that is mixed already goes into those after it, and the hash's constant runs on.
        for source in 0..POOL {
            for target in (0..POOL).filter(|&target| target != source) {
                pool[target] = mix(pool[target], hash.of(pool[source]));
            }
        }
        Self(pool)
    }

    /// `[npr.state]`: hashes of the pool's words, round and round.
    fn words(&self) -> impl Iterator<Item = u32> + '_ {
        let mut hash = Hash {
            constant: 0x8b51_f9dd,
            factor: 0x58f3_8ded,
        };
        self.0.iter().cycle().map(move |&word| hash.of(word))
    }

    /// The first words of a state.
    pub(super) fn state32<const N: usize>(&self) -> [u32; N] {
        let mut words = self.words();
        std::array::from_fn(|_| words.next().expect("a cycle has no end"))
    }

    /// `[npr.state]`: words of 64 bits are made of two, of which the first is the low one.
    pub(super) fn state64<const N: usize>(&self) -> [u64; N] {
        let mut words = self.words();
        let mut next = || u64::from(words.next().expect("a cycle has no end"));
        std::array::from_fn(|_| next() | next() << 32)
    }
}

/// A number as words, the lowest first.
fn words(number: u128) -> [u32; POOL] {
    let bytes = number.to_le_bytes();
    std::array::from_fn(|i| {
        let word = &bytes[4 * i..4 * i + 4];
        u32::from_le_bytes(word.try_into().expect("four bytes are a word"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `numpy.random.SeedSequence(n).pool` and `.generate_state(3)` of NumPy 2.4.6.
    #[test]
    fn seed_sequence_is_numpys() {
        for (seed, pool, state) in [
            (
                0,
                [0xfe40_eb07, 0x4f36_3a36, 0x4eb2_009d, 0xc89a_7aa7],
                [0xb0f4_78be, 0xdb2c_d7e7, 0x2c71_ba49],
            ),
            (
                42,
                [0x631d_3606, 0x07ae_90ae, 0x6fc4_be28, 0x2ced_5c75],
                [0xcd54_0ab7, 0x9f1e_2e6d, 0x79fb_94b6],
            ),
            (
                (1 << 127) - 1,
                [0x41dc_53e0, 0x4c6d_e8ef, 0x99ba_fc86, 0xf6c1_c333],
                [0x7af3_5a86, 0x01c4_2fca, 0xb5db_2cb8],
            ),
        ] {
            let sequence = SeedSequence::new(seed);
            assert_eq!(sequence.0, pool, "{seed}");
            assert_eq!(sequence.state32(), state, "{seed}");
        }
    }
}
