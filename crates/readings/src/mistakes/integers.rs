//! Integers into the range.

use super::mistake::Mistake;
use crate::answers::{MaximumBound, Reduction};
use crate::reading::Reading;

const UNSIGNED: &str =
    "take the remainder of unsigned numbers by the unsigned max - min, then add minval with wrapping";

const fn reduction(r: &mut Reading, reduction: Reduction) {
    r.philox_integer.reduction = reduction;
    r.mt_integer.reduction = reduction;
}

pub(super) const MISTAKES: &[Mistake] = &[
    Mistake {
        id: "signed-remainder",
        clause: "ru8.range.integer",
        erratum: Some("ru8.mt.integer-signed"),
        sentence: "the word is taken as a signed number, so that half of the remainders are negative",
        fix: UNSIGNED,
        apply: |r| reduction(r, Reduction::Signed),
    },
    Mistake {
        id: "absolute-remainder",
        clause: "ru8.range.integer",
        erratum: None,
        sentence: "the remainder is that of the absolute value of the signed word",
        fix: UNSIGNED,
        apply: |r| reduction(r, Reduction::Absolute),
    },
    Mistake {
        id: "multiply-shift",
        clause: "ru8.range.integer",
        erratum: None,
        sentence: "the word is multiplied by max - min and its high half taken",
        fix: UNSIGNED,
        apply: |r| reduction(r, Reduction::MultiplyShift),
    },
    Mistake {
        id: "integer-through-float",
        clause: "ru8.range.integer",
        erratum: None,
        sentence: "an integer is the float in [0, 1) times max - min, cut off",
        fix: UNSIGNED,
        apply: |r| reduction(r, Reduction::Float),
    },
    Mistake {
        id: "signed-range",
        clause: "ru8.range.integer",
        erratum: None,
        sentence: "max - min is taken as a signed number, which a wide range makes negative",
        fix: UNSIGNED,
        apply: |r| reduction(r, Reduction::SignedRange),
    },
    Mistake {
        id: "floored-remainder",
        clause: "ru8.range.integer",
        erratum: None,
        sentence: "max - min is a signed number and the remainder has its sign",
        fix: UNSIGNED,
        apply: |r| reduction(r, Reduction::FlooredSignedRange),
    },
    Mistake {
        id: "maximum-inclusive",
        clause: "ru8.range.integer",
        erratum: None,
        sentence: "maxval itself can be drawn",
        fix: "take the remainder by max - min, not by one more",
        apply: |r| {
            r.philox_integer.maximum = MaximumBound::Inclusive;
            r.mt_integer.maximum = MaximumBound::Inclusive;
        },
    },
];
