//! The block function Philox4x32.

use super::{Allowed, CONSTANT, SIZE, number, question, subject};

/// How many rounds a block takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rounds(pub u32);

impl Default for Rounds {
    fn default() -> Self {
        Self(10)
    }
}

number!(Rounds, Allowed::Numbers(0..=1000));

question! {
    /// Which multiplier belongs to which word.
    Multipliers {
        /// d2511f53 multiplies the low word of n, cd9e8d57 the low word of the counter.
        #[default]
        Ordered = "d2511f53 for n",
        /// The other way round.
        Exchanged = "exchanged",
        /// d256d193, the multiplier of Philox2x32, for both.
        Philox2x32 = "d256d193 for both",
        /// Another number in place of d2511f53.
        First(constant: CONSTANT) = "another for d2511f53",
        /// Another number in place of cd9e8d57.
        Second(constant: CONSTANT) = "another for cd9e8d57",
    }
}

question! {
    /// Which constant raises which word of the key.
    Weyl {
        /// The low word by 9e3779b9, the high word by bb67ae85.
        #[default]
        LowGolden = "9e3779b9 to the low word",
        /// The other way round: the letter of RandomUniform-8.
        Exchanged = "exchanged",
        /// Both by 9e3779b9.
        GoldenTwice = "9e3779b9 to both words",
        /// Another number in place of 9e3779b9.
        Low(constant: CONSTANT) = "another for 9e3779b9",
        /// Another number in place of bb67ae85.
        High(constant: CONSTANT) = "another for bb67ae85",
    }
}

question! {
    /// When and how the key is raised.
    KeyRaise {
        /// After each round, so that the first round sees the key itself.
        #[default]
        AfterRound = "after each round",
        /// Before each round, the first too.
        BeforeRound = "before each round",
        /// Not at all.
        Never = "never",
        /// Only its low word.
        LowWordOnly = "low word only",
        /// After every `rounds` rounds only: an unrolled loop.
        Every(rounds: SIZE) = "after every few rounds",
        /// As one number of 64 bits, with a carry from the low word into the high one.
        Carried = "as one number of 64 bits",
        /// By multiplication in place of addition. The crate `urng` does this.
        Multiplied = "multiplied",
    }
}

question! {
    /// Which product makes the new words of n.
    Halves {
        /// The counter's: the halves cross.
        #[default]
        Cross = "cross",
        /// Its own: the letter of RandomUniform-8.
        Straight = "straight",
    }
}

question! {
    /// Which word of the key goes where.
    KeyWords {
        /// The low word into n, the high word into the counter.
        #[default]
        LowIntoN = "low into n",
        /// The low word into the counter, the high word into n: the letter of RandomUniform-8.
        LowIntoCounter = "low into the counter",
    }
}

question! {
    /// Which half of a product is mixed, and which is handed on.
    Product {
        /// The high half is mixed and becomes the low word; the low half becomes the high word.
        #[default]
        HighMixed = "high half mixed",
        /// The low half is mixed, the high half handed on.
        LowMixed = "low half mixed",
        /// The high half is mixed; handed on is that of the product of the low 24 bits of both factors.
        LowOf24 = "high half mixed, the low half of 24 bits",
    }
}

question! {
    /// How the high half of a product is computed.
    MulHigh {
        /// As unsigned 32-bit numbers.
        #[default]
        Unsigned = "unsigned",
        /// As signed 32-bit numbers.
        Signed = "signed",
        /// Of four products of 16-bit halves, with the carry out of the middle ones lost.
        CarryLost = "without the carry of the middle products",
        /// From a product in f64, which rounds away its lowest bits. The low half is taken from it too.
        InF64 = "in f64",
        /// From a product that was already cut to 32 bits: always zero.
        Narrow = "cut to 32 bits",
    }
}

question! {
    /// How product, neighbour word and key come together.
    Mixing {
        /// All three by exclusive or.
        #[default]
        Xor = "exclusive or",
        /// The key is added.
        KeyAdded = "key added",
        /// The neighbour word is left out.
        NeighbourForgotten = "neighbour word left out",
        /// The low half of the product stands in the place of the neighbour word: it is stored before that word is mixed in.
        StoredFirst = "the low half in place of the neighbour word",
        /// The key is left out.
        KeyForgotten = "key left out",
    }
}

question! {
    /// In which order the words of a block are handed out.
    ResultOrder {
        /// Low n, high n, low counter, high counter.
        #[default]
        LowFirst = "n low, n high, counter low, counter high",
        /// High before low in each pair: the letter of RandomUniform-8.
        HighFirst = "high before low",
        /// Last to first. `r123::Engine` does this.
        Reversed = "reversed",
        /// The second word first, the first word last.
        Rotated = "rotated by one",
        /// The counter's words before those of n.
        CounterFirst = "counter before n",
        /// Any order, as a number of four digits: the places of the words, counted from 1.
        Permuted(order: Allowed::Orders(4..=4)) = "permuted",
    }
}

subject! {
    /// The block function.
    Philox as "philox" {
        /// How many rounds.
        rounds: Rounds,
        /// Which multiplier for which word.
        multipliers: Multipliers,
        /// Which constant for which key word.
        weyl: Weyl,
        /// When the key is raised.
        key_raise: KeyRaise,
        /// Whether the halves cross.
        halves: Halves,
        /// Which key word goes where.
        key_words: KeyWords,
        /// Which half of a product is mixed.
        product: Product,
        /// How the high half is computed.
        mul_high: MulHigh,
        /// How the parts are mixed.
        mixing: Mixing,
        /// The order of the results.
        result_order: ResultOrder,
    }
}
