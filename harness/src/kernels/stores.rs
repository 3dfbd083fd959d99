//! Faults of what is stored, and of the range, one at a time. Users' kernels were found to have them.

use half::bf16;

use super::fault::Fault;
use super::hooks::{fault, half, overlap, scale_in_f16, tail, through_f64, transposed};
use super::uniform::{RIGHT, Uniform};

pub(crate) const FAULTS: &[Fault] = &[
    fault(
        "tail-zero",
        &["tail(group = 4, zero)"],
        Uniform {
            store: |output, _| tail(output, 4, |_, _| 0.0),
            ..RIGHT
        },
    ),
    fault(
        "tail-nan",
        &["tail(group = 4, NaN)"],
        Uniform {
            store: |output, _| tail(output, 4, |_, _| f32::NAN),
            ..RIGHT
        },
    ),
    fault(
        "tail-uninitialised",
        &["tail(group = 4, bytes of cd)"],
        Uniform {
            store: |output, _| tail(output, 4, |_, _| f32::from_bits(0xcdcd_cdcd)),
            ..RIGHT
        },
    ),
    fault(
        "tail-stale",
        &["tail(group = 4, stale by 4)"],
        Uniform {
            store: |output, _| tail(output, 4, |output, i| if i < 4 { 0.0 } else { output[i - 4] }),
            ..RIGHT
        },
    ),
    fault(
        "tail-zero-8",
        &["tail(group = 8, zero)"],
        Uniform {
            store: |output, _| tail(output, 8, |_, _| 0.0),
            ..RIGHT
        },
    ),
    fault(
        "tail-noise-8",
        &["tail(group = 8, noise)"],
        Uniform {
            store: |output, _| {
                tail(output, 8, |_, i| {
                    f32::from_bits(0x4100_0000 + (i as u32).wrapping_mul(0x9e37_79b9) % 0x7f_ffff)
                });
            },
            ..RIGHT
        },
    ),
    fault(
        "overlap-4",
        &["tail-overlaps(group = 4)"],
        Uniform {
            element: |i, dims| overlap(i, dims, 4),
            ..RIGHT
        },
    ),
    fault(
        "advanced-twice",
        &["blocks(2 i)"],
        Uniform {
            block: |i| 2 * i,
            ..RIGHT
        },
    ),
    fault(
        "pairs-of-lanes",
        &["order-in-group(0 1 4 5 2 3 6 7)"],
        Uniform {
            element: |i, _| i - i % 8 + [0, 1, 4, 5, 2, 3, 6, 7][i % 8],
            ..RIGHT
        },
    ),
    fault(
        "skips-256-blocks",
        &["blocks(i + 256)"],
        Uniform {
            block: |i| i + 256,
            ..RIGHT
        },
    ),
    fault("bounds-in-f16", &["f16"], Uniform { bound: half, ..RIGHT }),
    fault(
        "bounds-in-bf16",
        &["bf16"],
        Uniform {
            bound: |bound| bf16::from_f32(bound).to_f32(),
            ..RIGHT
        },
    ),
    fault(
        "scale-in-f16",
        &["f16"],
        Uniform {
            scale: scale_in_f16,
            ..RIGHT
        },
    ),
    fault(
        "nhwc",
        &["axis-1-last", "channels-last"],
        Uniform {
            element: |i, dims| transposed(i, dims, &[0, 2, 3, 1]),
            ..RIGHT
        },
    ),
    fault(
        "clamped-below-maxval",
        &["clamp", "maximum-avoided"],
        Uniform {
            scale: |x, min, max| {
                let below = if max.is_nan() { max } else { max.next_down() };
                let value = x * (max - min) + min;
                if value > below { below } else { value }
            },
            ..RIGHT
        },
    ),
    fault(
        "seeds-through-double",
        &["seeds-through-f64"],
        Uniform {
            seeds: |global, op| (through_f64(global), through_f64(op)),
            ..RIGHT
        },
    ),
    fault(
        "zeros-as-seeds",
        &["both-zero-deterministic"],
        Uniform { zeros: true, ..RIGHT },
    ),
    fault(
        "shifted-1024",
        &["blocks(i + 256)", "shifted(by = 1024)"],
        Uniform {
            element: |i, _| i + 1024,
            ..RIGHT
        },
    ),
    fault(
        "state-not-advanced",
        &[
            "blocks(0)",
            "counter-never",
            "repeated(size = 4)",
            "chunk-restart(size = 4)",
        ],
        Uniform {
            block: |_| 0,
            ..RIGHT
        },
    ),
];
