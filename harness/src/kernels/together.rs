//! Two or three faults at a time. Users' kernels were found to have them.

use super::fault::Fault;
use super::hooks::{column_major, fault, fused, low_32, scale_in_f16, swapped, top_23};
use super::uniform::{RIGHT, Uniform};

pub(crate) const FAULTS: &[Fault] = &[
    fault(
        "nine-rounds-fused",
        &["fused-scale + rounds-9"],
        Uniform {
            rounds: 9,
            scale: fused,
            ..RIGHT
        },
    ),
    fault(
        "pairs-top-23",
        &[" + "],
        Uniform {
            order: [1, 0, 3, 2],
            unit: top_23,
            ..RIGHT
        },
    ),
    fault(
        "off-by-one-reversed",
        &["pre-increment + ", "blocks(i + 1) + order-in-block(3 2 1 0)"],
        Uniform {
            block: |i| i + 1,
            order: [3, 2, 1, 0],
            ..RIGHT
        },
    ),
    fault(
        "seeds-swapped-fused",
        &["fused-scale + seeds-byte"],
        Uniform {
            seeds: swapped,
            scale: fused,
            ..RIGHT
        },
    ),
    fault(
        "column-major-fused",
        &["fused-scale + column-major", "column-major + fused-scale"],
        Uniform {
            element: column_major,
            scale: fused,
            ..RIGHT
        },
    ),
    fault(
        "seeds-32-fused",
        &[
            "fused-scale + global-seed-32 + op-seed-32",
            "fused-scale + seeds-32",
        ],
        Uniform {
            seeds: low_32,
            scale: fused,
            ..RIGHT
        },
    ),
    fault(
        "f16-scale-nine",
        &["f16"],
        Uniform {
            scale: scale_in_f16,
            rounds: 9,
            ..RIGHT
        },
    ),
    fault(
        "three-at-once",
        &["fused-scale + ", "rounds-9"],
        Uniform {
            rounds: 9,
            unit: top_23,
            scale: fused,
            ..RIGHT
        },
    ),
    fault(
        "zeros-nine",
        &["both-zero-deterministic", "rounds-9"],
        Uniform {
            rounds: 9,
            zeros: true,
            ..RIGHT
        },
    ),
];
