//! Other faults of what is stored, of seeds and of values, written after the diagnosis and not tuned to it.

use super::fault::Fault;
use super::hooks::{fault, tail};
use super::uniform::{RIGHT, Uniform};

/// Zeros from an element on, one of every `step`.
fn zeroed(output: &mut [f32], from: usize, step: usize) {
    for value in output.iter_mut().skip(from).step_by(step) {
        *value = 0.0;
    }
}

fn each_row(output: &mut [f32], dims: &[usize], change: impl Fn(&mut [f32])) {
    for row in output.chunks_mut(dims.last().copied().unwrap_or(1).max(1)) {
        change(row);
    }
}

pub(crate) const FAULTS: &[Fault] = &[
    fault(
        "tail-zero-16",
        &["tail(group = 16, zero)"],
        Uniform {
            store: |output, _| tail(output, 16, |_, _| 0.0),
            ..RIGHT
        },
    ),
    fault(
        "tail-ones",
        &["tail(group = 4, bits 3f800000)"],
        Uniform {
            store: |output, _| tail(output, 4, |_, _| 1.0),
            ..RIGHT
        },
    ),
    fault(
        "tail-nan-8",
        &["tail(group = 8, NaN)"],
        Uniform {
            store: |output, _| tail(output, 8, |_, _| f32::NAN),
            ..RIGHT
        },
    ),
    fault(
        "tail-stale-8",
        &["tail(group = 8, stale by 8)"],
        Uniform {
            store: |output, _| tail(output, 8, |output, i| if i < 8 { 0.5 } else { output[i - 8] }),
            ..RIGHT
        },
    ),
    fault(
        "tail-again",
        &[
            "tail-restart(size = 4)",
            "tail(group = 4, the stream again)",
            "tail-restart",
        ],
        Uniform {
            element: |i, dims| {
                let n: usize = dims.iter().product();
                if i < n - n % 4 { i } else { i % 4 }
            },
            ..RIGHT
        },
    ),
    fault(
        "tail-of-rows-zero",
        &["tail-of-rows(group = 4, zero)"],
        Uniform {
            store: |output, dims| each_row(output, dims, |row| tail(row, 4, |_, _| 0.0)),
            ..RIGHT
        },
    ),
    fault(
        "last-element-zero",
        &["zero"],
        Uniform {
            store: |output, _| {
                if let Some(last) = output.last_mut() {
                    *last = 0.0;
                }
            },
            ..RIGHT
        },
    ),
    fault(
        "first-element-zero",
        &["zero"],
        Uniform {
            store: |output, _| {
                if let Some(first) = output.first_mut() {
                    *first = 0.0;
                }
            },
            ..RIGHT
        },
    ),
    fault(
        "lane-3-of-8-zero",
        &["lanes(3 of 8, zero)"],
        Uniform {
            store: |output, _| zeroed(output, 3, 8),
            ..RIGHT
        },
    ),
    fault(
        "zero-from-256",
        &["tail(from = 256, zero)"],
        Uniform {
            store: |output, _| zeroed(output, 256, 1),
            ..RIGHT
        },
    ),
    fault(
        "zero-from-1000",
        &["tail(from = 1000, zero)"],
        Uniform {
            store: |output, _| zeroed(output, 1000, 1),
            ..RIGHT
        },
    ),
    fault(
        "bytes-swapped",
        &["bytes-swapped"],
        Uniform {
            store: |output, _| {
                for value in output.iter_mut() {
                    *value = f32::from_bits(value.to_bits().swap_bytes());
                }
            },
            ..RIGHT
        },
    ),
    fault(
        "global-seed-32",
        &["global-seed-32"],
        Uniform {
            seeds: |global, op| (global & 0xffff_ffff, op),
            ..RIGHT
        },
    ),
    fault(
        "op-seed-ignored",
        &["op-seed-dropped"],
        Uniform {
            seeds: |global, _| (global, 0),
            ..RIGHT
        },
    ),
    fault(
        "global-seed-plus-op",
        &["seeds-summed"],
        Uniform {
            seeds: |global, op| (global.wrapping_add(op), op),
            ..RIGHT
        },
    ),
    fault(
        "seeds-through-f32",
        &["seeds-through-f32"],
        Uniform {
            seeds: |global, op| (global as f32 as u64, op as f32 as u64),
            ..RIGHT
        },
    ),
    fault(
        "op-seed-halves",
        &["op-seed-halves-exchanged"],
        Uniform {
            seeds: |global, op| (global, op.rotate_left(32)),
            ..RIGHT
        },
    ),
    fault(
        "word-inverted",
        &["word-inverted"],
        Uniform {
            word: |word| !word,
            ..RIGHT
        },
    ),
    fault(
        "word-halves",
        &["half", "halves"],
        Uniform {
            word: |word| word.rotate_left(16),
            ..RIGHT
        },
    ),
    fault(
        "word-shifted",
        &["word-shifted"],
        Uniform {
            unit: |word| (RIGHT.unit)(word >> 8),
            ..RIGHT
        },
    ),
    fault(
        "times-2m31",
        &["31"],
        Uniform {
            unit: |word| (word >> 1) as f32 * 4.656_613e-10,
            ..RIGHT
        },
    ),
    fault(
        "max-from-above",
        &["lerp", "from-max", "scale"],
        Uniform {
            scale: |x, min, max| max - (1.0 - x) * (max - min),
            ..RIGHT
        },
    ),
    fault(
        "scale-without-minimum",
        &["minimum-taken-as-zero"],
        Uniform {
            scale: |x, _, max| x * max,
            ..RIGHT
        },
    ),
    fault(
        "nine-and-reversed",
        &["rounds-9", "reversed"],
        Uniform {
            rounds: 9,
            element: |i, dims| dims.iter().product::<usize>() - 1 - i,
            ..RIGHT
        },
    ),
    fault(
        "nine-and-tail",
        &["rounds-9 + tail(group = 4, zero)"],
        Uniform {
            rounds: 9,
            store: |output, _| tail(output, 4, |_, _| 0.0),
            ..RIGHT
        },
    ),
    fault(
        "exchanged-and-double-blocks",
        &["seeds-exchanged + blocks(2 i)"],
        Uniform {
            seeds: |global, op| (op, global),
            block: |i| 2 * i,
            ..RIGHT
        },
    ),
    fault(
        "fused-and-tail",
        &["fused-scale + tail(group = 8, zero)"],
        Uniform {
            scale: |x, min, max| x.mul_add(max - min, min),
            store: |output, _| tail(output, 8, |_, _| 0.0),
            ..RIGHT
        },
    ),
    fault(
        "nine-and-0213",
        &[
            "rounds-9 + order-in-block(0 2 1 3)",
            "rounds-9 + words-middle-exchanged",
        ],
        Uniform {
            rounds: 9,
            order: [0, 2, 1, 3],
            ..RIGHT
        },
    ),
];
