//! The block function Philox4x32 under a reading's answers.

use crate::answers::{
    Halves, KeyRaise, KeyWords, Mixing, MulHigh, Multipliers, Philox, Product, ResultOrder, Weyl,
};

/// A block function with its key laid out for all rounds.
#[derive(Clone, Debug)]
pub(super) struct Block {
    answers: Philox,
    /// Multipliers of the low word of n and of the low word of the counter.
    multipliers: [u32; 2],
    /// The key as it was given.
    key: [u32; 2],
    /// The key of each round.
    keys: Vec<[u32; 2]>,
    /// Whether rounds are Random123's, whatever their keys and multipliers are.
    is_usual: bool,
}

/// The words of a block, of 32 bits or of 64, in the order in which they are handed out.
pub(super) fn in_order<T: Copy>(order: ResultOrder, words: [T; 4]) -> [T; 4] {
    let places = match order {
        ResultOrder::LowFirst => [1, 2, 3, 4],
        ResultOrder::HighFirst => [2, 1, 4, 3],
        ResultOrder::Reversed => [4, 3, 2, 1],
        ResultOrder::Rotated => [2, 3, 4, 1],
        ResultOrder::CounterFirst => [3, 4, 1, 2],
        ResultOrder::Permuted(order) => [1000, 100, 10, 1].map(|unit| order / unit % 10),
    };
    places.map(|place| match place {
        1 => words[0],
        2 => words[1],
        3 => words[2],
        _ => words[3],
    })
}

impl Block {
    pub(super) fn new(answers: &Philox, key: [u32; 2]) -> Self {
        let multipliers = match answers.multipliers {
            Multipliers::Ordered => [0xd251_1f53, 0xcd9e_8d57],
            Multipliers::Exchanged => [0xcd9e_8d57, 0xd251_1f53],
            Multipliers::Philox2x32 => [0xd256_d193; 2],
            Multipliers::First(constant) => [constant, 0xcd9e_8d57],
            Multipliers::Second(constant) => [0xd251_1f53, constant],
        };
        let mut raised = key;
        if answers.key_raise == KeyRaise::BeforeRound {
            raise(answers, &mut raised);
        }
        let keys = (0..answers.rounds.0)
            .map(|round| {
                let used = raised;
                if is_raised(answers.key_raise, round) {
                    raise(answers, &mut raised);
                }
                used
            })
            .collect();
        let usual = Philox {
            multipliers: answers.multipliers,
            weyl: answers.weyl,
            key_raise: answers.key_raise,
            rounds: answers.rounds,
            result_order: answers.result_order,
            ..Philox::default()
        };
        Self {
            is_usual: *answers == usual,
            answers: answers.clone(),
            multipliers,
            key,
            keys,
        }
    }

    /// The block function of the key that is greater by a number.
    pub(super) fn of_raised_key(&self, by: usize) -> Self {
        let [low, high] = self.key.map(u64::from);
        let by = u64::try_from(by).unwrap_or(u64::MAX);
        Self::new(&self.answers, split_64((low | high << 32).wrapping_add(by)))
    }

    /// The four words that follow from a counter: the low words are n, the high words op_seed.
    pub(super) fn words(&self, counter: u128) -> [u32; 4] {
        let mut state = split(counter);
        if self.is_usual {
            // Nine in ten mistakes leave the rounds alone, and nothing is computed more often.
            for &key in &self.keys {
                state = usual_round(self.multipliers, state, key);
            }
        } else {
            for &key in &self.keys {
                state = self.round(state, key);
            }
        }
        in_order(self.answers.result_order, state)
    }

    fn round(&self, [n_low, n_high, c_low, c_high]: [u32; 4], [key_low, key_high]: [u32; 2]) -> [u32; 4] {
        let of_n = self.product(self.multipliers[0], n_low);
        let of_c = self.product(self.multipliers[1], c_low);
        let (for_n, for_c) = match self.answers.halves {
            Halves::Cross => (of_c, of_n),
            Halves::Straight => (of_n, of_c),
        };
        let (into_n, into_c) = match self.answers.key_words {
            KeyWords::LowIntoN => (key_low, key_high),
            KeyWords::LowIntoCounter => (key_high, key_low),
        };
        [
            self.mix(for_n, n_high, into_n),
            for_n.1,
            self.mix(for_c, c_high, into_c),
            for_c.1,
        ]
    }

    /// The half that is mixed, and the half that is handed on.
    fn product(&self, a: u32, b: u32) -> (u32, u32) {
        let mut low = a.wrapping_mul(b);
        let high = match self.answers.mul_high {
            MulHigh::Unsigned => split_64(u64::from(a) * u64::from(b))[1],
            MulHigh::Signed => {
                let product = i64::from(a.cast_signed()) * i64::from(b.cast_signed());
                split_64(product.cast_unsigned())[1]
            }
            MulHigh::CarryLost => {
                let ([a_low, a_high], [b_low, b_high]) = ([a & 0xffff, a >> 16], [b & 0xffff, b >> 16]);
                (a_high * b_high)
                    .wrapping_add((a_high * b_low) >> 16)
                    .wrapping_add((a_low * b_high) >> 16)
            }
            MulHigh::InF64 => {
                let high;
                [low, high] = split_64(whole(f64::from(a) * f64::from(b)));
                high
            }
            MulHigh::Narrow => 0,
        };
        match self.answers.product {
            Product::HighMixed => (high, low),
            Product::LowMixed => (low, high),
            Product::LowOf24 => (high, (a & 0xff_ffff).wrapping_mul(b & 0xff_ffff)),
        }
    }

    fn mix(&self, (product, handed_on): (u32, u32), neighbour: u32, key: u32) -> u32 {
        match self.answers.mixing {
            Mixing::Xor => product ^ neighbour ^ key,
            Mixing::KeyAdded => (product ^ neighbour).wrapping_add(key),
            Mixing::NeighbourForgotten => product ^ key,
            Mixing::StoredFirst => product ^ handed_on ^ key,
            Mixing::KeyForgotten => product ^ neighbour,
        }
    }
}

fn usual_round(by: [u32; 2], [n_low, n_high, c_low, c_high]: [u32; 4], key: [u32; 2]) -> [u32; 4] {
    let of_n = split_64(u64::from(by[0]) * u64::from(n_low));
    let of_c = split_64(u64::from(by[1]) * u64::from(c_low));
    [
        of_c[1] ^ n_high ^ key[0],
        of_c[0],
        of_n[1] ^ c_high ^ key[1],
        of_n[0],
    ]
}

/// Whether the key is raised after a round.
pub(super) fn is_raised(answer: KeyRaise, round: u32) -> bool {
    match answer {
        KeyRaise::Every(rounds) => (round + 1).is_multiple_of(rounds),
        _ => true,
    }
}

/// The key after one more raise.
pub(super) fn raise(answers: &Philox, key: &mut [u32; 2]) {
    const GOLDEN: u32 = 0x9e37_79b9;
    const ROOT_OF_3: u32 = 0xbb67_ae85;
    let by = match answers.weyl {
        Weyl::LowGolden => [GOLDEN, ROOT_OF_3],
        Weyl::Exchanged => [ROOT_OF_3, GOLDEN],
        Weyl::GoldenTwice => [GOLDEN, GOLDEN],
        Weyl::Low(constant) => [constant, ROOT_OF_3],
        Weyl::High(constant) => [GOLDEN, constant],
    };
    match answers.key_raise {
        KeyRaise::AfterRound | KeyRaise::BeforeRound | KeyRaise::Every(_) => {
            *key = [key[0].wrapping_add(by[0]), key[1].wrapping_add(by[1])];
        }
        KeyRaise::Carried => {
            let [key64, by64] = [*key, by].map(|[low, high]| u64::from(high) << 32 | u64::from(low));
            *key = split_64(key64.wrapping_add(by64));
        }
        KeyRaise::LowWordOnly => key[0] = key[0].wrapping_add(by[0]),
        KeyRaise::Multiplied => *key = [key[0].wrapping_mul(by[0]), key[1].wrapping_mul(by[1])],
        KeyRaise::Never => {}
    }
}

/// A product of two words as an f64, which is whole.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a whole number below 2^64 that is not negative"
)]
fn whole(product: f64) -> u64 {
    product as u64
}

/// A 128-bit number as words, least significant first.
pub(super) fn split(value: u128) -> [u32; 4] {
    let b = value.to_le_bytes();
    [
        u32::from_le_bytes([b[0], b[1], b[2], b[3]]),
        u32::from_le_bytes([b[4], b[5], b[6], b[7]]),
        u32::from_le_bytes([b[8], b[9], b[10], b[11]]),
        u32::from_le_bytes([b[12], b[13], b[14], b[15]]),
    ]
}

/// A 64-bit number as words, least significant first.
pub(super) fn split_64(value: u64) -> [u32; 2] {
    let b = value.to_le_bytes();
    [
        u32::from_le_bytes([b[0], b[1], b[2], b[3]]),
        u32::from_le_bytes([b[4], b[5], b[6], b[7]]),
    ]
}

/// The inverse of [`split`].
pub(super) fn join(words: [u32; 4]) -> u128 {
    words
        .iter()
        .rev()
        .fold(0, |value, &word| value << 32 | u128::from(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answers::Rounds;

    /// The known answers of Random123: ten and seven rounds.
    #[test]
    fn philox_gives_the_known_answers() {
        let digits = [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344];
        let key = [0xa409_3822, 0x299f_31d0];
        let ten = |counter, key| Block::new(&Philox::default(), key).words(join(counter));
        assert_eq!(
            ten([0; 4], [0; 2]),
            [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]
        );
        assert_eq!(
            ten([u32::MAX; 4], [u32::MAX; 2]),
            [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]
        );
        assert_eq!(
            ten(digits, key),
            [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]
        );
        let seven = Philox {
            rounds: Rounds(7),
            ..Philox::default()
        };
        assert_eq!(
            Block::new(&seven, key).words(join(digits)),
            [0x4dfc_caba, 0x190a_87f0, 0xc473_62ba, 0xb6b5_242a]
        );
    }

    #[test]
    fn philox_of_usual_rounds_is_that_of_any() {
        for multipliers in [
            Multipliers::Ordered,
            Multipliers::Exchanged,
            Multipliers::Philox2x32,
        ] {
            let answers = Philox {
                multipliers,
                ..Philox::default()
            };
            let usual = Block::new(&answers, [150, u32::MAX]);
            let any = Block {
                is_usual: false,
                ..usual.clone()
            };
            assert!(usual.is_usual);
            for counter in (0..200).map(|i: u128| i.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835)) {
                assert_eq!(usual.words(counter), any.words(counter));
            }
        }
    }

    #[test]
    fn philox_of_the_document_s_first_example() {
        let block = Block::new(&Philox::default(), [150, 0]);
        assert_eq!(
            block.words(10 << 64),
            [0xe059_be6b, 0x7aa7_173a, 0x96f8_3b54, 0xd579_0989]
        );
    }
}
