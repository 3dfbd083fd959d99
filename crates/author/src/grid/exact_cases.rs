//! The requests of `multinomial_exact`.

use seedproof_ops::Dtype;

use super::multinomial::TYPES;

/// A request with given draws. Rows of `probs` and `draws` are set apart by `;`.
pub(super) struct Exact {
    pub(super) topic: &'static str,
    /// The types in which all the probabilities are what is written.
    pub(super) types: &'static [Dtype],
    pub(super) log: bool,
    pub(super) replacement: bool,
    pub(super) probs: &'static str,
    pub(super) draws: &'static str,
    pub(super) errata: &'static [&'static str],
    pub(super) note: Option<&'static str>,
}

/// With replacement, plain probabilities, in all types.
const PLAIN: Exact = Exact {
    topic: "",
    types: &TYPES,
    log: false,
    replacement: true,
    probs: "",
    draws: "",
    errata: &[],
    note: None,
};

const WIDE: &[Dtype] = &[Dtype::Bf16, Dtype::F32, Dtype::F64];

pub(super) const CASES: &[Exact] = &[
    Exact {
        topic: "ties",
        probs: "1 2 1 4",
        draws: "0.125 0.12500000000000003 0.375 0.37499999999999994 0.37500000000000006 0.5 0.5000000000000001 1 0.9999999999999999 0",
        errata: &["mn13.select.comparison", "mn13.draws.type"],
        ..PLAIN
    },
    Exact {
        topic: "zero-draw-before-zero-classes",
        probs: "0 0 1 1",
        draws: "0 0.25 0.5 0.5000000000000001 1",
        errata: &["mn13.select.zero-draw"],
        note: Some(
            "A draw of 0 is not above the first step, which is 0 and belongs to a class that cannot be drawn.",
        ),
        ..PLAIN
    },
    Exact {
        topic: "zero-classes-last",
        probs: "1 1 0 0",
        draws: "0 0.5 0.75 1",
        errata: &["mn13.select.zero-draw"],
        ..PLAIN
    },
    Exact {
        topic: "zero-classes-between",
        probs: "1 0 1 0 2",
        draws: "0.25 0.25000000000000006 0.5 0.5000000000000001 1",
        errata: &["mn13.select.comparison"],
        ..PLAIN
    },
    Exact {
        topic: "negative-zero-is-zero",
        probs: "-0 1 1",
        draws: "0 0.5 1",
        errata: &["mn13.select.zero-draw", "mn13.validation"],
        ..PLAIN
    },
    Exact {
        topic: "one-class",
        probs: "5",
        draws: "0 0.5 1",
        ..PLAIN
    },
    Exact {
        topic: "sum-far-from-one",
        probs: "96 32",
        draws: "0 0.25 0.75 0.7500000000000001 1",
        ..PLAIN
    },
    Exact {
        topic: "rows-are-independent",
        probs: "1 3;3 1;2 2",
        draws: "0.25 0.5 0.75;0.25 0.5 0.75;0.25 0.5 0.75",
        ..PLAIN
    },
    Exact {
        topic: "no-samples",
        probs: "1 3;3 1",
        draws: ";",
        ..PLAIN
    },
    Exact {
        topic: "sum-above-f16",
        probs: "60000 60000",
        draws: "0.25 0.5 0.75",
        errata: &["mn13.cdf.type"],
        note: Some("In f16 the sum is infinite and every step NaN."),
        types: &[Dtype::F16, Dtype::F32, Dtype::F64],
        ..PLAIN
    },
    Exact {
        topic: "sum-above-f32-integers",
        types: WIDE,
        probs: "1 16777216",
        draws: "5.9604643e-8 5.960464e-8 0.5",
        errata: &["mn13.cdf.type"],
        note: Some(
            "The first draw is above 1/16777217 and below 2^-24, which is what f32 makes of the step.",
        ),
        ..PLAIN
    },
    Exact {
        topic: "quotients",
        probs: "3 3 1 3",
        draws: "0.3 0.30000000000000004 0.6 0.6000000000000001 0.7 0.7000000000000001",
        errata: &["mn13.select.comparison"],
        note: Some(
            "A step is the quotient: multiplying by a tenth in place of dividing by ten moves all three.",
        ),
        ..PLAIN
    },
    Exact {
        topic: "draw-next-to-a-tie",
        probs: "1 1",
        draws: "0.5 0.5000000000000001 0.50000001",
        errata: &["mn13.draws.type", "mn13.select.comparison"],
        note: Some("All three draws are 0.5 in f32."),
        ..PLAIN
    },
    Exact {
        topic: "log-equal",
        log: true,
        probs: "0 0 0 0",
        draws: "0 0.25 0.5 0.75 0.7500000000000001 1",
        errata: &["mn13.select.comparison"],
        ..PLAIN
    },
    Exact {
        topic: "log-far-below-is-zero",
        log: true,
        probs: "-1000 0 -1000 0",
        draws: "0 0.5 0.5000000000000001 1",
        errata: &["mn13.select.zero-draw"],
        note: Some("exp of -1000 is 0 in f64: a class that cannot be drawn."),
        ..PLAIN
    },
    Exact {
        topic: "log-below-f32",
        log: true,
        probs: "-110 0",
        draws: "0 1",
        errata: &["mn13.cdf.type"],
        note: Some("exp of -110 is positive in f64 and 0 in f32, so a draw of 0 tells them apart."),
        ..PLAIN
    },
    Exact {
        topic: "log-above-f32",
        log: true,
        probs: "89 89",
        draws: "0.25 0.5 0.75",
        errata: &["mn13.cdf.type"],
        note: Some("exp of 89 is infinite in f32."),
        ..PLAIN
    },
    Exact {
        topic: "log-negative",
        log: true,
        probs: "-1 -2 -3",
        draws: "0.3 0.6 0.7 0.9 0.95",
        ..PLAIN
    },
    Exact {
        topic: "subnormal",
        types: &[Dtype::F32],
        probs: "1e-45 3e-45 1e-45",
        draws: "0.25 0.2500001 0.75 0.7500001 1",
        errata: &["mn13.cdf.type"],
        note: Some("Flushed to zero, these probabilities sum to zero."),
        ..PLAIN
    },
    Exact {
        topic: "subnormal",
        types: &[Dtype::F64],
        probs: "5e-324 1e-323 5e-324",
        draws: "0.25 0.2500001 0.75 0.7500001 1",
        ..PLAIN
    },
    Exact {
        topic: "subnormal",
        types: &[Dtype::F16],
        probs: "6e-8 1.2e-7 6e-8",
        draws: "0.25 0.2500001 0.75 0.7500001 1",
        ..PLAIN
    },
    Exact {
        topic: "last-class-first",
        replacement: false,
        probs: "1 1 2",
        draws: "0.75 0.5 0",
        errata: &["mn13.select.comparison", "mn13.replacement.divisor"],
        ..PLAIN
    },
    Exact {
        topic: "third-draw",
        replacement: false,
        probs: "4 2 1 1",
        draws: "0.25 0.5 0.5 0.5",
        errata: &["mn13.replacement.which-probability", "mn13.replacement.divisor"],
        note: Some(
            "After the first draw a class's probability is no longer the original one: subtracting that draws others.",
        ),
        ..PLAIN
    },
    Exact {
        topic: "third-draw-just-above",
        replacement: false,
        probs: "4 2 1 1",
        draws: "0.25 0.5000000000000001 0.5 1",
        errata: &["mn13.replacement.which-probability"],
        ..PLAIN
    },
    Exact {
        topic: "always-one",
        replacement: false,
        probs: "1 1 1 1 1 1 1 1",
        draws: "1 1 1 1 1 1 1 1",
        errata: &["mn13.replacement.divisor"],
        ..PLAIN
    },
    Exact {
        topic: "always-zero",
        replacement: false,
        probs: "1 1 1 1 1 1 1 1",
        draws: "0 0 0 0 0 0 0 0",
        errata: &["mn13.select.zero-draw"],
        note: Some(
            "A class that was drawn has probability zero and a step that a draw of 0 does not exceed.",
        ),
        ..PLAIN
    },
    Exact {
        topic: "zero-classes",
        replacement: false,
        probs: "0 1 0 1 0 2",
        draws: "0 0 0",
        errata: &["mn13.select.zero-draw"],
        ..PLAIN
    },
    Exact {
        topic: "rows-are-independent",
        replacement: false,
        probs: "1 1 2;2 1 1",
        draws: "0.75 0.5;0.25 0.5",
        ..PLAIN
    },
    Exact {
        topic: "nothing-left-after-rounding",
        types: WIDE,
        replacement: false,
        probs: "1 1e-30",
        draws: "0.5 0.5",
        errata: &["mn13.replacement.divisor", "mn13.select.no-match"],
        note: Some(
            "Rounding decides: nothing is left of the last step, all steps become NaN, and the last class that is not excluded is taken.",
        ),
        ..PLAIN
    },
    Exact {
        topic: "infinite-steps",
        types: WIDE,
        replacement: false,
        probs: "1e-30 1 1e-30",
        draws: "0.5 0.5 0.5",
        errata: &["mn13.replacement.divisor", "mn13.select.no-match"],
        note: Some(
            "Rounding decides: dividing by a last step of 0 makes the first step infinite and the others NaN.",
        ),
        ..PLAIN
    },
];
