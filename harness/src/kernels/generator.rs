//! Faults of seeds, words, conversions and orders, one at a time. Users' kernels were found to have them.

use super::fault::Fault;
use super::hooks::{column_major, fault, fused, lanes, low_32, planes, swapped, top_23, total};
use super::uniform::{RIGHT, Uniform};

pub(crate) const FAULTS: &[Fault] = &[
    fault("nine-rounds", &["rounds-9"], Uniform { rounds: 9, ..RIGHT }),
    fault("seven-rounds", &["rounds-7"], Uniform { rounds: 7, ..RIGHT }),
    fault(
        "fused-scale",
        &["fused-scale"],
        Uniform {
            scale: fused,
            ..RIGHT
        },
    ),
    fault(
        "counter-off-by-one",
        &["pre-increment"],
        Uniform {
            block: |i| i + 1,
            ..RIGHT
        },
    ),
    fault(
        "words-1032",
        &["words-high-first", "1 0 3 2", "(1032)"],
        Uniform {
            order: [1, 0, 3, 2],
            ..RIGHT
        },
    ),
    fault(
        "words-3210",
        &["words-reversed", "order-in-block(3 2 1 0)", "words-", "3 2 1 0"],
        Uniform {
            order: [3, 2, 1, 0],
            ..RIGHT
        },
    ),
    fault(
        "words-0213",
        &["order-in-block(0 2 1 3)", "words-middle-exchanged"],
        Uniform {
            order: [0, 2, 1, 3],
            ..RIGHT
        },
    ),
    fault(
        "seeds-byte-swapped",
        &["seeds-byte"],
        Uniform {
            seeds: swapped,
            ..RIGHT
        },
    ),
    fault(
        "words-byte-swapped",
        &["words-byte", "word-bytes"],
        Uniform {
            word: u32::swap_bytes,
            ..RIGHT
        },
    ),
    fault(
        "seeds-exchanged",
        &["seeds-exchanged"],
        Uniform {
            seeds: |global, op| (op, global),
            ..RIGHT
        },
    ),
    fault(
        "key-halves",
        &["key-halves-exchanged"],
        Uniform {
            seeds: |global, op| (global.rotate_left(32), op),
            ..RIGHT
        },
    ),
    fault(
        "restart-256",
        &["chunk-restart", "repeated(size = 256)"],
        Uniform {
            element: |i, _| i % 256,
            ..RIGHT
        },
    ),
    fault(
        "restart-16",
        &["chunk-restart", "repeated(size = 16)"],
        Uniform {
            element: |i, _| i % 16,
            ..RIGHT
        },
    ),
    fault(
        "top-23",
        &["top-bits", "high-bits", "mantissa-from-top"],
        Uniform {
            unit: top_23,
            ..RIGHT
        },
    ),
    fault(
        "times-2m24",
        &["24"],
        Uniform {
            unit: |word| (word >> 8) as f32 * 5.960_464_5e-8,
            ..RIGHT
        },
    ),
    fault(
        "times-2m32",
        &["32"],
        Uniform {
            unit: |word| word as f32 * 2.328_306_4e-10,
            ..RIGHT
        },
    ),
    fault(
        "scale-in-f64",
        &["f64", "scale-wide", "double"],
        Uniform {
            scale: |x, min, max| (f64::from(x) * (f64::from(max) - f64::from(min)) + f64::from(min)) as f32,
            ..RIGHT
        },
    ),
    fault(
        "lerp",
        &["lerp"],
        Uniform {
            scale: |x, min, max| min * (1.0 - x) + max * x,
            ..RIGHT
        },
    ),
    fault(
        "one-minus-x",
        &["one-minus", "complement"],
        Uniform {
            unit: |word| 1.0 - (RIGHT.unit)(word),
            ..RIGHT
        },
    ),
    fault(
        "bounds-ignored",
        &["range-ignored", "bounds-ignored", "unscaled"],
        Uniform {
            scale: |x, _, _| x,
            ..RIGHT
        },
    ),
    fault(
        "column-major",
        &["column-major"],
        Uniform {
            element: column_major,
            ..RIGHT
        },
    ),
    fault(
        "reversed",
        &["reversed"],
        Uniform {
            element: |i, dims| total(dims) - 1 - i,
            ..RIGHT
        },
    ),
    fault(
        "block-per-element",
        &["element-per-block"],
        Uniform {
            element: |i, _| 4 * i,
            ..RIGHT
        },
    ),
    fault(
        "lanes-8",
        &["lanes"],
        Uniform {
            element: |i, _| lanes(i),
            ..RIGHT
        },
    ),
    fault(
        "planes",
        &["planar"],
        Uniform {
            element: planes,
            ..RIGHT
        },
    ),
    fault(
        "seeds-32",
        &["global-seed-32 + op-seed-32", "seeds-32"],
        Uniform {
            seeds: low_32,
            ..RIGHT
        },
    ),
    fault(
        "seeds-signed-32",
        &["seeds-sign-extended"],
        Uniform {
            seeds: |global, op| (global as u32 as i32 as u64, op as u32 as i32 as u64),
            ..RIGHT
        },
    ),
    fault(
        "key-not-raised",
        &["key-never-raised", "key-not-raised"],
        Uniform {
            raised: false,
            ..RIGHT
        },
    ),
    fault(
        "subnormals-flushed",
        &["flushed", "flush"],
        Uniform {
            store: |output, _| {
                for value in output.iter_mut().filter(|value| value.is_subnormal()) {
                    *value = 0.0_f32.copysign(*value);
                }
            },
            ..RIGHT
        },
    ),
    fault(
        "index-16",
        &["repeated(size = 65536)", "chunk-restart(size = 65536)"],
        Uniform {
            element: |i, _| i & 0xffff,
            ..RIGHT
        },
    ),
];
