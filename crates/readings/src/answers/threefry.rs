//! The block function Threefry2x32.

use super::{Allowed, CONSTANT, WordOrder, number, question, subject};

/// How many rounds a block takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ThreefryRounds(pub u32);

impl Default for ThreefryRounds {
    fn default() -> Self {
        Self(20)
    }
}

number!(ThreefryRounds, Allowed::Numbers(0..=1000));

question! {
    /// What the third word of the key is made of.
    Parity {
        /// Both words and 1bd11bda.
        #[default]
        Threefish = "with 1bd11bda",
        Nothing = "both words alone",
        /// Another number in place of 1bd11bda.
        Other(constant: CONSTANT) = "with another for 1bd11bda",
        /// Both words and a9fc1a22, the low half of the constant of Threefry4x64.
        Wide = "with a9fc1a22",
        /// Both words and 55555555, as in the first version of Skein.
        Skein1_0 = "with 55555555",
    }
}

question! {
    /// By how much the rounds rotate.
    Rotations {
        /// 13, 15, 26, 6, then 17, 29, 16, 24.
        #[default]
        Alternating = "13 15 26 6, 17 29 16 24",
        /// The second four first.
        Exchanged = "17 29 16 24, 13 15 26 6",
        /// 13, 15, 26, 6 in every group.
        FirstFour = "13 15 26 6 in every group",
        Right = "to the right",
        /// By shifts of signed numbers, of which the right one copies the sign.
        SignedShift = "by shifts of signed numbers",
        /// One of the eight rotations differs. The parameter is 100 times its place, counted from 1, plus the wrong amount.
        Other(rotation: Allowed::Numbers(100..=831)) = "one of eight another",
        /// Two of the eight are exchanged. The digits of the parameter are their places, counted from 1.
        Pair(places: Allowed::Numbers(12..=78)) = "two of eight exchanged",
    }
}

question! {
    /// What is added to the words between the rounds.
    Injection {
        /// Two words of the key, and the number of the injection.
        #[default]
        Counted = "key and number",
        /// Two words of the key.
        Uncounted = "key alone",
        /// Two words of the key, and the number of the injection between the rounds, from 0 on.
        FromZero = "key and number, from 0 after the first rounds",
        /// As it should be, but nothing before the first round.
        NotBefore = "nothing before the first round",
        /// As it should be, but nothing after the last round.
        NotAfter = "nothing after the last round",
        /// Two words of the key, and the number in the first word.
        IntoFirst = "key and number, in the first word",
        /// The same two words of the key each time, and the number.
        Unrotated = "the same two words each time",
    }
}

question! {
    /// How a round mixes its second word.
    RoundMix {
        /// With the sum, after its rotation.
        #[default]
        Rotated = "rotated, then mixed",
        /// With the sum, before its rotation.
        MixedFirst = "mixed, then rotated",
    }
}

question! {
    /// How far a carry travels in the counter.
    ThreefryCarry {
        /// Into the second word.
        #[default]
        Full = "64 bits",
        /// It is lost.
        LostAt32 = "lost at 2^32",
        /// By a comparison of signed words.
        Signed32 = "at 2^31 in place of 2^32",
        Also31 = "at 2^31 too",
        /// A counter past the greatest signed number goes on at 0.
        Lost63 = "lost at 2^63",
    }
}

subject! {
    /// The block function and its counter.
    Threefry as "threefry" {
        /// How many rounds.
        rounds: ThreefryRounds,
        /// What the third key word is made of.
        parity: Parity,
        /// By how much the rounds rotate.
        rotations: Rotations,
        /// What is added between the rounds.
        injection: Injection,
        /// How a round mixes.
        mix: RoundMix,
        /// The order of the key's words.
        key_order: WordOrder,
        /// The order of the counter's words.
        counter_order: WordOrder,
        /// How far a carry travels.
        carry: ThreefryCarry,
    }
}
