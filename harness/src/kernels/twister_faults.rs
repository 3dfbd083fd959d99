//! Faults of kernels for RandomUniform-8 under PYTORCH.

use super::fault::{Fault, Kernel};
use super::hooks::{column_major, tail};
use super::twister::{RIGHT, Twister};

const fn fault(id: &'static str, named: &'static [&'static str], kernel: Twister) -> Fault {
    Fault {
        id,
        named,
        kernel: Kernel::Twister(kernel),
    }
}

pub(crate) const FAULTS: &[Fault] = &[
    fault(
        "mt-seed-69069",
        &["mt-seed-69069"],
        Twister {
            fill: |before, _| before.wrapping_mul(69069),
            ..RIGHT
        },
    ),
    fault(
        "mt-seed-precedence",
        &["mt-seed-precedence"],
        Twister {
            fill: |before, i| 1_812_433_253_u32.wrapping_mul(before) ^ (before >> 30).wrapping_add(i),
            ..RIGHT
        },
    ),
    fault(
        "mt-index-forgotten",
        &["mt-seed-index-forgotten"],
        Twister {
            fill: |before, _| 1_812_433_253_u32.wrapping_mul(before ^ before >> 30),
            ..RIGHT
        },
    ),
    fault(
        "mt-op-seed-added",
        &["mt-op-seed-added"],
        Twister {
            seed: |global, op| global.wrapping_add(op) as u32,
            ..RIGHT
        },
    ),
    fault(
        "mt-seed-folded",
        &["mt-seed-folded"],
        Twister {
            seed: |global, _| (global ^ global >> 32) as u32,
            ..RIGHT
        },
    ),
    fault(
        "mt-not-tempered",
        &["mt-not-tempered"],
        Twister {
            temper: |y| y,
            ..RIGHT
        },
    ),
    fault(
        "mt-last-shift-forgotten",
        &["mt-temper-last-forgotten"],
        Twister {
            temper: |y| {
                let y = y ^ y >> 11;
                let y = y ^ y << 7 & 0x9d2c_5680;
                y ^ y << 15 & 0xefc6_0000
            },
            ..RIGHT
        },
    ),
    fault(
        "mt-one-dropped",
        &["mt-first-word-dropped"],
        Twister { dropped: 1, ..RIGHT },
    ),
    fault(
        "mt-state-dropped",
        &["mt-words-dropped(number = 624)"],
        Twister {
            dropped: 624,
            ..RIGHT
        },
    ),
    fault(
        "mt-high-digits",
        &["mt-high-digits"],
        Twister {
            unit: |word, digits| {
                (word >> (if digits == 53 { 11 } else { 32 - digits })) as f64 / (1_u64 << digits) as f64
            },
            ..RIGHT
        },
    ),
    fault(
        "mt-digit-too-few",
        &["mt-mask-23"],
        Twister {
            unit: |word, digits| (word & ((1 << (digits - 1)) - 1)) as f64 / (1_u64 << (digits - 1)) as f64,
            ..RIGHT
        },
    ),
    fault(
        "mt-inclusive",
        &["mt-inclusive"],
        Twister {
            unit: |word, digits| (word & ((1 << digits) - 1)) as f64 / ((1_u64 << digits) - 1) as f64,
            ..RIGHT
        },
    ),
    fault(
        "mt-pairs-swapped",
        &["mt-f64-words-swapped", "mt-i64-words-swapped"],
        Twister {
            pair: |first, second| u64::from(second) << 32 | u64::from(first),
            ..RIGHT
        },
    ),
    fault(
        "mt-i64-two",
        &["mt-i64-two-words"],
        Twister {
            is_one: |_, _| false,
            ..RIGHT
        },
    ),
    fault(
        "mt-i64-one",
        &["mt-i64-one-word"],
        Twister {
            is_one: |_, _| true,
            ..RIGHT
        },
    ),
    fault(
        "mt-i64-by-range",
        &["mt-i64-range-2p32", "torch-2.", "torch-1"],
        Twister {
            is_one: |min, max| (max.wrapping_sub(min) as u64) < 1 << 32,
            ..RIGHT
        },
    ),
    fault(
        "mt-fused",
        &["fused-scale", "torch"],
        Twister {
            scale: |x, range, min| x.mul_add(range, min),
            scale_f64: f64::mul_add,
            ..RIGHT
        },
    ),
    fault(
        "mt-multiply-shift",
        &["multiply-shift"],
        Twister {
            remainder: |word, range| {
                if range >> 32 == 0 && word >> 32 == 0 {
                    (word * range) >> 32
                } else {
                    ((u128::from(word) * u128::from(range)) >> 64) as u64
                }
            },
            ..RIGHT
        },
    ),
    fault(
        "mt-tail-zero",
        &["tail(group = 4, zero)"],
        Twister {
            store: |output| tail(output, 4, |_, _| 0),
            ..RIGHT
        },
    ),
    fault(
        "mt-tail-stale",
        &["tail(group = 16, stale by 16)"],
        Twister {
            store: |output| tail(output, 16, |output, i| if i < 16 { 1 } else { output[i - 16] }),
            ..RIGHT
        },
    ),
    fault(
        "mt-first-zero",
        &["first(1, zero)"],
        Twister {
            store: |output| output.first_mut().into_iter().for_each(|it| *it = 0),
            ..RIGHT
        },
    ),
    fault(
        "mt-reversed",
        &["reversed"],
        Twister {
            element: |i, dims| dims.iter().product::<usize>() - 1 - i,
            ..RIGHT
        },
    ),
    fault(
        "mt-column-major",
        &["column-major"],
        Twister {
            element: column_major,
            ..RIGHT
        },
    ),
    fault(
        "mt-restart-256",
        &["chunk-restart", "repeated(size = 256)"],
        Twister {
            element: |i, _| i % 256,
            ..RIGHT
        },
    ),
    fault(
        "mt-untempered-and-tail",
        &["mt-not-tempered + tail(group = 4, zero)"],
        Twister {
            temper: |y| y,
            store: |output| tail(output, 4, |_, _| 0),
            ..RIGHT
        },
    ),
];
