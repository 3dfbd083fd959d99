//! What a session of ONNX Runtime draws from `std::minstd_rand0`.

use super::{SIZE, question, subject};

question! {
    /// How the generator steps.
    Lehmer {
        /// By 16807 modulo 2^31 - 1: `std::minstd_rand0`.
        #[default]
        Minstd0 = "by 16807",
        /// By 48271: `std::minstd_rand`.
        Minstd = "by 48271",
        /// By 16807, the product cut to 32 bits before it is reduced.
        Cut32 = "by 16807, cut to 32 bits",
    }
}

question! {
    /// Which state is a word.
    LehmerWord {
        #[default]
        After = "that after the step",
        Before = "that before the step",
    }
}

question! {
    /// How many generators there are.
    Generators {
        #[default]
        One = "one",
        /// Several, seeded with consecutive numbers, which make the elements in turn.
        InTurn(lanes: SIZE) = "several in turn",
    }
}

question! {
    /// What a later run begins with.
    SessionRuns {
        #[default]
        GoesOn = "where the run before ended",
        /// The seed, raised by the number of the run.
        Seeded = "the seed and the number of the run",
    }
}

question! {
    /// What the seed goes through.
    SessionSeed {
        #[default]
        Nothing = "nothing",
        Bf16 = "bf16",
        F16 = "f16",
    }
}

question! {
    /// How normals are made.
    SessionNormal {
        /// By Marsaglia's polar method, as `std::normal_distribution` makes them.
        #[default]
        Polar = "polar",
        /// By Box and Muller, the cosine first.
        BoxMuller = "Box-Muller",
    }
}

question! {
    /// What is drawn again after a point outside the circle.
    Rejected {
        #[default]
        Both = "both coordinates",
        /// The second coordinate becomes the first.
        One = "one coordinate",
    }
}

question! {
    /// In which order the normals of pairs are stored.
    PairsStored {
        #[default]
        Pairs = "pair by pair",
        /// The first normals of this number of pairs, and then their second ones.
        Planes(pairs: SIZE) = "first ones, then second ones",
    }
}

question! {
    /// What the input `scale` is.
    SessionScale {
        #[default]
        Deviation = "the standard deviation",
        Variance = "the variance",
    }
}

question! {
    /// What runs before are skipped by.
    SessionSkipped {
        #[default]
        Words = "what they drew",
        /// A word for each element, without the points that were rejected.
        Elements = "a word for each element",
    }
}

question! {
    /// The factor of a point.
    PolarFactor {
        #[default]
        Quotient = "the root of the quotient",
        /// The root of the logarithm times the reciprocal of the root.
        Reciprocal = "by a reciprocal root",
    }
}

question! {
    /// The type in which Bernoulli draws.
    BernoulliType {
        #[default]
        Input = "that of the input",
        Output = "that of the output",
    }
}

question! {
    /// What an element of Bernoulli's input is.
    BernoulliInput {
        #[default]
        Probability = "a probability",
        Logit = "a logit",
    }
}

subject! {
    /// What a session of ONNX Runtime draws.
    OnnxSession as "onnx.session" {
        /// How the generator steps.
        step: Lehmer,
        /// Which state is a word.
        word: LehmerWord,
        /// How many generators there are.
        generators: Generators,
        /// What a later run begins with.
        runs: SessionRuns,
        /// What the seed goes through.
        seed: SessionSeed,
        /// How normals are made.
        normal: SessionNormal,
        /// What is drawn again.
        rejected: Rejected,
        /// In which order normals are stored.
        stored: PairsStored,
        /// What the input `scale` is.
        scale: SessionScale,
        /// What runs before are skipped by.
        skipped: SessionSkipped,
        /// The factor of a point.
        factor: PolarFactor,
        /// The type in which Bernoulli draws.
        bernoulli: BernoulliType,
        /// What an element of its input is.
        input: BernoulliInput,
    }
}
