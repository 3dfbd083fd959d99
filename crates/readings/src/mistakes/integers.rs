//! Integers into the range.

use super::mistake::mistakes;
use crate::answers::{MaximumBound, Reduction};
use crate::reading::Reading;

const UNSIGNED: &str =
    "take the remainder of unsigned numbers by the unsigned max - min, then add minval with wrapping";

const fn reduction(r: &mut Reading, reduction: Reduction) {
    r.philox_integer.reduction = reduction;
    r.mt_integer.reduction = reduction;
}

mistakes! {
    clause: "ru8.range.integer", erratum: Some("ru8.mt.integer-signed"), fix: UNSIGNED => {
        "signed-remainder": "the word is taken as a signed number, so that half of the remainders are negative",
            |r| reduction(r, Reduction::Signed);
    }
    clause: "ru8.range.integer", erratum: None, fix: UNSIGNED => {
        "absolute-remainder": "the remainder is that of the absolute value of the signed word",
            |r| reduction(r, Reduction::Absolute);
        "multiply-shift": "the word is multiplied by max - min and its high half taken",
            |r| reduction(r, Reduction::MultiplyShift);
        "integer-through-float": "an integer is the float in [0, 1) times max - min, cut off",
            |r| reduction(r, Reduction::Float);
        "signed-range": "max - min is taken as a signed number, which a wide range makes negative",
            |r| reduction(r, Reduction::SignedRange);
        "floored-remainder": "max - min is a signed number and the remainder has its sign",
            |r| reduction(r, Reduction::FlooredSignedRange);
    }
    clause: "ru8.range.integer", erratum: None, fix: "take the remainder by max - min, not by one more" => {
        "maximum-inclusive": "maxval itself can be drawn",
            |r| {
                r.philox_integer.maximum = MaximumBound::Inclusive;
                r.mt_integer.maximum = MaximumBound::Inclusive;
            };
    }
}
