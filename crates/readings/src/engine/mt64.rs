//! The Mersenne Twister of 64 bits, which some take for that of 32.
//!
//! Source: Nishimura, "Tables of 64-bit Mersenne Twisters" (2000), and C++ [rand.predef], `mt19937_64`.

const N: usize = 312;
const M: usize = 156;

#[derive(Clone, Debug)]
pub(super) struct Mt64 {
    state: Vec<u64>,
    index: usize,
}

impl Mt64 {
    pub(super) fn new(seed: u64) -> Self {
        let step = |(i, s): &(u64, u64)| {
            let i = i + 1;
            let s = 6364136223846793005_u64.wrapping_mul(s ^ s >> 62).wrapping_add(i);
            Some((i, s))
        };
        let words = std::iter::successors(Some((0, seed)), step);
        Self {
            state: words.map(|(_, s)| s).take(N).collect(),
            index: N,
        }
    }

    pub(super) fn next(&mut self) -> u64 {
        if self.index == N {
            self.twist();
            self.index = 0;
        }
        let mut y = self.state[self.index];
        self.index += 1;
        y ^= y >> 29 & 0x5555_5555_5555_5555;
        y ^= y << 17 & 0x71d6_7fff_eda6_0000;
        y ^= y << 37 & 0xfff7_eee0_0000_0000;
        y ^ y >> 43
    }

    fn twist(&mut self) {
        for i in 0..N {
            let (current, next) = (self.state[i], self.state[(i + 1) % N]);
            let mixed = (current & !0x7fff_ffff) | (next & 0x7fff_ffff);
            let odd = (next & 1) * 0xb502_6f5a_a966_19e9;
            self.state[i] = self.state[(i + M) % N] ^ mixed >> 1 ^ odd;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// C++ [rand.predef]: the 10000th number of a default `std::mt19937_64`.
    #[test]
    fn mt64_reproduces_the_known_answer() {
        let mut generator = Mt64::new(5489);
        let last = (0..10_000).map(|_| generator.next()).last();
        assert_eq!(last, Some(9981545732273789042));
    }
}
