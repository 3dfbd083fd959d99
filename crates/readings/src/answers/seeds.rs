//! What becomes of the two seeds before a generator sees them.

use super::{NormalAdvance, question, subject};

question! {
    /// How many bits of a seed arrive.
    SeedWidth {
        /// All 64.
        #[default]
        Full = "64 bits",
        /// The low 32.
        Low32 = "low 32 bits",
        /// The low 16.
        Low16 = "low 16 bits",
        /// The low 32, read as a signed number.
        SignExtended32 = "low 32 bits, sign extended",
        /// A seed over 2^63-1 becomes 2^63-1.
        Saturated63 = "at most 2^63-1",
        /// A seed over 2^31-1 becomes 2^31-1.
        Saturated31 = "at most 2^31-1",
        /// A seed over 2^32-1 becomes 2^32-1.
        Saturated32 = "at most 2^32-1",
        /// The absolute value of the seed as a signed number.
        Absolute = "the absolute value",
        /// The seed modulo 2^31-1, as `tf.random.set_seed` reduces it before the raw op sees it.
        Modulo2p31m1 = "modulo 2^31-1",
        /// The same of an unsigned number.
        UnsignedModulo2p31m1 = "modulo 2^31-1, unsigned",
        /// Through an f32, as ONNX stores its seeds.
        ThroughF32 = "through an f32",
        /// Through an f64, as a JSON number goes; 2^64 becomes the largest seed.
        ThroughF64 = "through an f64",
        /// Through an f64, where 2^64 becomes zero: a conversion modulo 2^64, as JavaScript's and Python's masks are.
        ThroughF64Wrapped = "through an f64, modulo 2^64",
        /// The low 53.
        Low53 = "low 53 bits",
        /// The low 63.
        Low63 = "low 63 bits",
        /// None: zero in its place.
        Dropped = "not used",
        /// Its eight bytes in reverse.
        BytesReversed = "bytes reversed",
        /// The bytes of each half in reverse.
        BytesReversedInHalves = "bytes of each half reversed",
        /// Its halves exchanged: one number of 64 bits is read as two of 32, and the other is the first.
        HalvesExchanged = "halves exchanged",
    }
}

question! {
    /// Which seed is the key.
    SeedRoles {
        /// global_seed is the key, op_seed the counter.
        #[default]
        GlobalIsKey = "global_seed is the key",
        /// The other way round.
        Exchanged = "op_seed is the key",
        /// The key is the sum of both seeds modulo 2^64, the counter op_seed.
        Summed = "the sum is the key",
        /// The same, the counter zero.
        SummedAlone = "the sum is the key, and the counter zero",
        /// The key is `g ^ (o + 0x9e3779b9 + (g << 6) + (g >> 2))`, Boost's `hash_combine`, and the counter zero.
        Hashed = "a hash of both is the key, and the counter zero",
    }
}

question! {
    /// What two seeds of zero mean.
    BothZero {
        /// global_seed is replaced by entropy.
        #[default]
        Entropy = "entropy",
        /// Entropy, and already where both are zero once they are cut: the engine answers `unsupported` there. LiteRT.
        OnceCut = "entropy, also if zero once cut",
        /// They are seeds like any others. PyTorch.
        Deterministic = "seeds like any others",
        /// Entropy already if either is zero.
        EitherZero = "entropy if either is zero",
    }
}

question! {
    /// What a seed of zero is, where the other one is another number.
    SeedZero {
        /// A seed like any other.
        #[default]
        Kept = "zero",
        /// No seed, in place of which TensorFlow's default for a graph stands.
        Graph = "87654321",
        /// No seed, in place of which 2^31 - 1 stands.
        Greatest = "2147483647",
    }
}

subject! {
    /// The seeds.
    Seeds as "seeds" {
        /// How many bits of global_seed arrive.
        global_seed: SeedWidth,
        /// How many bits of op_seed arrive.
        op_seed: SeedWidth,
        /// Which seed is the key.
        roles: SeedRoles,
        /// What two zeros mean.
        both_zero: BothZero,
        /// What a zero beside another number is.
        global_zero: SeedZero,
        /// What an op_seed of zero beside another number is.
        op_zero: SeedZero,
    }
}

question! {
    /// What the two seeds of LiteRT's ops become.
    LitertRoles {
        #[default]
        KeyAndCounter = "the key and the high half of the counter",
        /// The low half of the first and then that of the second.
        PackedKey = "the halves of the key",
    }
}

subject! {
    /// LiteRT's ops, which have TensorFlow's kernels.
    Litert as "litert" {
        /// How many bits of a seed arrive.
        seeds: SeedWidth,
        /// What they become.
        roles: LitertRoles,
        /// How far an execution advances.
        advance: NormalAdvance,
    }
}
