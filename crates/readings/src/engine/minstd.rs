//! C++'s `std::minstd_rand0`.

const MODULUS: u64 = 2_147_483_647;
const MULTIPLIER: u64 = 16_807;

/// The number of words less one: what `std::generate_canonical` divides by.
pub(super) const RANGE: f64 = 2_147_483_646.0;

/// The state, which is the last word: 1 to 2^31 - 2.
pub(super) struct Minstd(u64);

impl Minstd {
    /// The generator of a seed, after `skipped` words. A seed that the modulus divides is taken as 1.
    pub(super) fn new(seed: u32, skipped: u128) -> Self {
        let state = u64::from(seed) % MODULUS;
        let state = if state == 0 { 1 } else { state };
        Self(state * power(skipped) % MODULUS)
    }

    pub(super) fn next(&mut self) -> u32 {
        self.0 = self.0 * MULTIPLIER % MODULUS;
        u32::try_from(self.0).expect("a remainder is under 2^31")
    }
}

/// The multiplier to the power of `exponent`.
fn power(mut exponent: u128) -> u64 {
    let (mut result, mut square) = (1, MULTIPLIER);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result * square % MODULUS;
        }
        square = square * square % MODULUS;
        exponent >>= 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The C++ standard gives the 10,000th word of the default seed, 1.
    #[test]
    fn the_10000th_word_is_that_of_the_standard() {
        assert_eq!(Minstd::new(1, 9_999).next(), 1_043_618_065);
        let mut generator = Minstd::new(0, 0);
        for _ in 0..9_999 {
            generator.next();
        }
        assert_eq!(generator.next(), 1_043_618_065);
    }
}
