//! Faults of kernels for Multinomial-13.

use super::classes::{Classes, RIGHT};
use super::fault::{Fault, Kernel};
use super::hooks::tail;

const fn fault(id: &'static str, named: &'static [&'static str], kernel: Classes) -> Fault {
    Fault {
        id,
        named,
        kernel: Kernel::Classes(kernel),
    }
}

pub(crate) const FAULTS: &[Fault] = &[
    fault(
        "mn-below",
        &["mn-below"],
        Classes {
            is_it: |u, c| u < c,
            ..RIGHT
        },
    ),
    fault(
        "mn-as-the-text",
        &["mn-letter"],
        Classes {
            is_it: |u, c| u >= c,
            ..RIGHT
        },
    ),
    fault(
        "mn-one-based",
        &["mn-one-based"],
        Classes {
            class: |k| k + 1,
            ..RIGHT
        },
    ),
    fault(
        "mn-unnormalized",
        &["mn-unnormalized"],
        Classes {
            normalize: false,
            ..RIGHT
        },
    ),
    fault(
        "mn-log-ignored",
        &["mn-log-ignored"],
        Classes { exp: |x| x, ..RIGHT },
    ),
    fault(
        "mn-base-two",
        &["mn-exp2"],
        Classes {
            exp: libm::exp2,
            ..RIGHT
        },
    ),
    fault(
        "mn-no-update",
        &["mn-no-update"],
        Classes {
            lowered: false,
            ..RIGHT
        },
    ),
    fault(
        "mn-always-replaced",
        &["mn-flag-ignored"],
        Classes {
            replacement: |_| true,
            ..RIGHT
        },
    ),
    fault(
        "mn-flag-inverted",
        &["mn-flag-inverted"],
        Classes {
            replacement: |flag| !flag,
            ..RIGHT
        },
    ),
    fault(
        "mn-column-major",
        &["mn-column-major"],
        Classes {
            index: |i, j, rows, _| j * rows + i,
            ..RIGHT
        },
    ),
    fault(
        "mn-rows-repeat",
        &["mn-rows-repeat"],
        Classes {
            index: |_, j, _, _| j,
            ..RIGHT
        },
    ),
    fault("mn-nine-rounds", &["rounds-9"], Classes { rounds: 9, ..RIGHT }),
    fault(
        "mn-words-swapped",
        &["f64-words-swapped"],
        Classes {
            draw: |first, second| (RIGHT.draw)(second, first),
            ..RIGHT
        },
    ),
    fault(
        "mn-one-word",
        &["f64-second-word-unused"],
        Classes {
            draw: |first, _| f64::from(f32::from_bits(127 << 23 | first & 0x7f_ffff) - 1.0),
            ..RIGHT
        },
    ),
    fault(
        "mn-53-low-bits",
        &["low-24-bits"],
        Classes {
            draw: |first, second| {
                ((u64::from(first) << 32 | u64::from(second)) & ((1 << 53) - 1)) as f64 / (1_u64 << 53) as f64
            },
            ..RIGHT
        },
    ),
    fault(
        "mn-complement",
        &["complement"],
        Classes {
            draw: |first, second| 1.0 - (RIGHT.draw)(first, second),
            ..RIGHT
        },
    ),
    fault(
        "mn-tail-zero",
        &["tail(group = 4, zero)"],
        Classes {
            store: |output| tail(output, 4, |_, _| 0),
            ..RIGHT
        },
    ),
    fault(
        "mn-last-minus-one",
        &["last(1"],
        Classes {
            store: |output| output.last_mut().into_iter().for_each(|it| *it = -1),
            ..RIGHT
        },
    ),
    fault(
        "mn-reversed",
        &["mn-draws-reversed"],
        Classes {
            index: |i, j, rows, samples| rows * samples - 1 - (i * samples + j),
            ..RIGHT
        },
    ),
    fault(
        "mn-below-and-one-based",
        &["mn-below + mn-one-based"],
        Classes {
            is_it: |u, c| u < c,
            class: |k| k + 1,
            ..RIGHT
        },
    ),
];
