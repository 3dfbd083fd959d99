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

/// A case with replacement, of plain probabilities, in all types.
const fn exact(topic: &'static str, probs: &'static str, draws: &'static str) -> Exact {
    Exact {
        topic,
        types: &TYPES,
        log: false,
        replacement: true,
        probs,
        draws,
        errata: &[],
        note: None,
    }
}

impl Exact {
    const fn of(self, types: &'static [Dtype]) -> Self {
        Self { types, ..self }
    }

    const fn logarithms(self) -> Self {
        Self { log: true, ..self }
    }

    const fn without_replacement(self) -> Self {
        Self {
            replacement: false,
            ..self
        }
    }

    const fn errata(self, errata: &'static [&'static str]) -> Self {
        Self { errata, ..self }
    }

    const fn note(self, note: &'static str) -> Self {
        Self {
            note: Some(note),
            ..self
        }
    }
}

const WIDE: &[Dtype] = &[Dtype::Bf16, Dtype::F32, Dtype::F64];

/// The topic, the probabilities and the draws of each.
pub(super) const CASES: &[Exact] = &[
    exact(
        "ties",
        "1 2 1 4",
        "0.125 0.12500000000000003 0.375 0.37499999999999994 0.37500000000000006 0.5 0.5000000000000001 1 \
         0.9999999999999999 0",
    )
    .errata(&["mn13.select.comparison", "mn13.draws.type"]),
    exact("zero-draw-before-zero-classes", "0 0 1 1", "0 0.25 0.5 0.5000000000000001 1")
        .errata(&["mn13.select.zero-draw"])
        .note("A draw of 0 is not above the first step, which is 0 and belongs to a class that cannot be drawn."),
    exact("zero-classes-last", "1 1 0 0", "0 0.5 0.75 1").errata(&["mn13.select.zero-draw"]),
    exact("zero-classes-between", "1 0 1 0 2", "0.25 0.25000000000000006 0.5 0.5000000000000001 1")
        .errata(&["mn13.select.comparison"]),
    exact("negative-zero-is-zero", "-0 1 1", "0 0.5 1").errata(&["mn13.select.zero-draw", "mn13.validation"]),
    exact("one-class", "5", "0 0.5 1"),
    exact("sum-far-from-one", "96 32", "0 0.25 0.75 0.7500000000000001 1"),
    exact("rows-are-independent", "1 3;3 1;2 2", "0.25 0.5 0.75;0.25 0.5 0.75;0.25 0.5 0.75"),
    exact("no-samples", "1 3;3 1", ";"),
    exact("sum-above-f16", "60000 60000", "0.25 0.5 0.75")
        .of(&[Dtype::F16, Dtype::F32, Dtype::F64])
        .errata(&["mn13.cdf.type"])
        .note("In f16 the sum is infinite and every step NaN."),
    exact("sum-above-f32-integers", "1 16777216", "5.9604643e-8 5.960464e-8 0.5")
        .of(WIDE)
        .errata(&["mn13.cdf.type"])
        .note("The first draw is above 1/16777217 and below 2^-24, which is what f32 makes of the step."),
    exact("quotients", "3 3 1 3", "0.3 0.30000000000000004 0.6 0.6000000000000001 0.7 0.7000000000000001")
        .errata(&["mn13.select.comparison"])
        .note("A step is the quotient: multiplying by a tenth in place of dividing by ten moves all three."),
    exact("draw-next-to-a-tie", "1 1", "0.5 0.5000000000000001 0.50000001")
        .errata(&["mn13.draws.type", "mn13.select.comparison"])
        .note("All three draws are 0.5 in f32."),
    exact("log-equal", "0 0 0 0", "0 0.25 0.5 0.75 0.7500000000000001 1")
        .logarithms()
        .errata(&["mn13.select.comparison"]),
    exact("log-far-below-is-zero", "-1000 0 -1000 0", "0 0.5 0.5000000000000001 1")
        .logarithms()
        .errata(&["mn13.select.zero-draw"])
        .note("exp of -1000 is 0 in f64: a class that cannot be drawn."),
    exact("log-below-f32", "-110 0", "0 1")
        .logarithms()
        .errata(&["mn13.cdf.type"])
        .note("exp of -110 is positive in f64 and 0 in f32, so a draw of 0 tells them apart."),
    exact("log-above-f32", "89 89", "0.25 0.5 0.75")
        .logarithms()
        .errata(&["mn13.cdf.type"])
        .note("exp of 89 is infinite in f32."),
    exact("log-negative", "-1 -2 -3", "0.3 0.6 0.7 0.9 0.95").logarithms(),
    exact("subnormal", "1e-45 3e-45 1e-45", "0.25 0.2500001 0.75 0.7500001 1")
        .of(&[Dtype::F32])
        .errata(&["mn13.cdf.type"])
        .note("Flushed to zero, these probabilities sum to zero."),
    exact("subnormal", "5e-324 1e-323 5e-324", "0.25 0.2500001 0.75 0.7500001 1").of(&[Dtype::F64]),
    exact("subnormal", "6e-8 1.2e-7 6e-8", "0.25 0.2500001 0.75 0.7500001 1").of(&[Dtype::F16]),
    exact("last-class-first", "1 1 2", "0.75 0.5 0")
        .without_replacement()
        .errata(&["mn13.select.comparison", "mn13.replacement.divisor"]),
    exact("third-draw", "4 2 1 1", "0.25 0.5 0.5 0.5")
        .without_replacement()
        .errata(&["mn13.replacement.which-probability", "mn13.replacement.divisor"])
        .note("After the first draw a class's probability is no longer the original one: subtracting that draws others."),
    exact("third-draw-just-above", "4 2 1 1", "0.25 0.5000000000000001 0.5 1")
        .without_replacement()
        .errata(&["mn13.replacement.which-probability"]),
    exact("always-one", "1 1 1 1 1 1 1 1", "1 1 1 1 1 1 1 1")
        .without_replacement()
        .errata(&["mn13.replacement.divisor"]),
    exact("always-zero", "1 1 1 1 1 1 1 1", "0 0 0 0 0 0 0 0")
        .without_replacement()
        .errata(&["mn13.select.zero-draw"])
        .note("A class that was drawn has probability zero and a step that a draw of 0 does not exceed."),
    exact("zero-classes", "0 1 0 1 0 2", "0 0 0").without_replacement().errata(&["mn13.select.zero-draw"]),
    exact("rows-are-independent", "1 1 2;2 1 1", "0.75 0.5;0.25 0.5").without_replacement(),
    exact("nothing-left-after-rounding", "1 1e-30", "0.5 0.5")
        .of(WIDE)
        .without_replacement()
        .errata(&["mn13.replacement.divisor", "mn13.select.no-match"])
        .note("Rounding decides: nothing is left of the last step, all steps become NaN, and the last class that is not excluded is taken."),
    exact("infinite-steps", "1e-30 1 1e-30", "0.5 0.5 0.5")
        .of(WIDE)
        .without_replacement()
        .errata(&["mn13.replacement.divisor", "mn13.select.no-match"])
        .note("Rounding decides: dividing by a last step of 0 makes the first step infinite and the others NaN."),
];
